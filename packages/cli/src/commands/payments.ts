import type { Payment } from '../../../sdk/src/tender.ts'
import { type Command, count, given, type Shown, table, UsageError } from '../command.ts'

const LIMIT = { value: 'count', description: 'How many, 20 by default.' }
const AMOUNT = { value: 'amount', description: 'A part, such as 5.00; everything by default.' }

const OTP = { value: 'code', description: 'A one-time code, where the app asks for it.' }

const row = (payment: Payment): unknown[] => [
  payment.paymentId,
  payment.paymentState,
  `${payment.amount} ${payment.currency}`,
  payment.referenceId,
  payment.createdTime,
  payment.failure?.message ?? payment.lastError ?? '',
]

export const onePayment = (payment: Payment): Shown => ({ data: payment, lines: table([row(payment)]) })

export const PAYMENTS: readonly Command[] = [
  {
    name: 'payments list',
    description: 'List payments, the newest first.',
    options: {
      state: { value: 'states', description: 'Such as Captured,Refunded.' },
      customer: { value: 'customerId', description: 'Of this customer.' },
      query: { value: 'query', description: 'Search terms, such as "state:failed amount:>100".' },
      limit: LIMIT,
    },
    async run({ tender, values: { state, customer, query, limit } }) {
      const most = count(limit, 20)
      const filter = { ...given({ state, customer, q: query }), pageSize: Math.min(most, 500) }
      const data = await tender.payments.list(filter).take(most)
      return { data, lines: table(data.map(row)) }
    },
  },
  {
    name: 'payments get',
    description: 'Read a payment, by its id or by --reference.',
    args: ['[paymentId]'],
    options: { reference: { value: 'referenceId', description: 'By its reference.' } },
    async run({ tender, args: [paymentId], values: { reference } }) {
      if ((paymentId === undefined) === (reference === undefined))
        throw new UsageError('Give either an id or --reference.')
      return onePayment(
        reference === undefined
          ? await tender.payments.get(paymentId ?? '')
          : await tender.payments.getByReference(reference),
      )
    },
  },
  {
    name: 'payments capture',
    description: 'Capture an authorised payment.',
    args: ['paymentId'],
    options: { amount: AMOUNT },
    run: async ({ tender, args: [paymentId = ''], values: { amount } }) =>
      onePayment(await tender.payments.capture(paymentId, given({ amount }))),
  },
  {
    name: 'payments cancel',
    description: 'Cancel an uncaptured or held payment.',
    args: ['paymentId'],
    options: { otp: OTP },
    run: async ({ tender, args: [paymentId = ''], values: { otp } }) =>
      onePayment(await tender.payments.cancel(paymentId, given({ otpCode: otp }))),
  },
  {
    name: 'payments refund',
    description: 'Refund a captured payment.',
    args: ['paymentId'],
    options: { amount: AMOUNT, description: { value: 'text', description: 'Why.' }, otp: OTP },
    run: async ({ tender, args: [paymentId = ''], values: { amount, description, otp } }) =>
      onePayment(await tender.payments.refund(paymentId, given({ amount, description, otpCode: otp }))),
  },
  {
    name: 'payments unhold',
    description: 'Release a payment that a fraud rule holds.',
    args: ['paymentId'],
    run: async ({ tender, args: [paymentId = ''] }) => onePayment(await tender.payments.unhold(paymentId)),
  },
  {
    name: 'payments recheck',
    description: 'Ask the provider for the true state.',
    args: ['paymentId'],
    run: async ({ tender, args: [paymentId = ''] }) => onePayment(await tender.payments.recheck(paymentId)),
  },
]

import Type from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { isTimeZone } from '../../base/time/zone.ts'
import { IdInput, Instant, InstantInput, text } from '../../http/wire.ts'
import { STATES } from '../machine.ts'
import { QUERY_LENGTH } from './query.ts'
import { CURSOR } from './search.ts'

const PageSize = Type.Refine(
  Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
  (value) => Number(value) <= LIMITS.pageSize,
)

const values = (description: string) =>
  Type.Optional(text(LIMITS.nameLength, { description: `${description} Several are separated by commas.` }))
const day = (description: string) => Type.Optional(text(40, { description }))
const decimal = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$', expected: 'amount', description }))

export const TimeZoneName = Type.Refine(Type.String({ maxLength: 64, expected: 'timeZone' }), isTimeZone)

export const PaymentsQuery = Type.Object({
  q: Type.Optional(
    text(QUERY_LENGTH, {
      description:
        'Terms such as `state:failed provider:stripe amount:>100 ref:INV-* -state:refunded`, and free ' +
        'text: a payment id, the last four digits of a card, the beginning of a reference, or a customer.',
    }),
  ),
  state: values(
    'States, or words for how a payment stands: `held`, `declined` (it may still be payable), `blocked` ' +
      'by a fraud rule, `accepted` (authorised or paid), `paid`, `part-refunded`.',
  ),
  provider: values('Providers, such as `stripe`.'),
  profile: values('Ids of provider profiles.'),
  currency: values('Currencies.'),
  customer: Type.Optional(text(LIMITS.customerIdLength, { description: 'The id of a customer.' })),
  policy: values('Ids of fraud policies.'),
  from: day('Created since this day, month or instant.'),
  to: day('Created until the end of this day or month, or until this instant.'),
  min: decimal('The least amount.'),
  max: decimal('The greatest amount.'),
  timeZoneName: Type.Optional(TimeZoneName),
  pageSize: Type.Optional(PageSize),
  cursor: Type.Optional(
    Type.String({
      pattern: CURSOR,
      expected: 'taken from the link to the next page',
      description: 'Where a page begins; from the `Link` header of the one before.',
    }),
  ),
})

/** Rows that can be reached by a page number. */
export const MAX_DEEP = 10_000

export const SummaryQuery = Type.Object({
  paymentStates: Type.Optional(
    Type.String({
      pattern: '^\\d{1,2}(,\\d{1,2}){0,15}$',
      expected: 'ids of payment states, separated by commas',
      description: 'Ids of payment states, separated by commas: `7,14`.',
    }),
  ),
  searchCriteria: Type.Optional(
    text(LIMITS.nameLength, { description: 'A payment id, reference, customer, or last four digits.' }),
  ),
  beginTime: Type.Optional(InstantInput),
  endTime: Type.Optional(InstantInput),
  pageNumber: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,8}$', expected: 'an integer from 1', description: 'From 1.' }),
  ),
  pageSize: Type.Optional(PageSize),
  customerId: Type.Optional(text(LIMITS.customerIdLength)),
  paymentProfileId: Type.Optional(IdInput),
  fraudPolicyId: Type.Optional(IdInput),
})

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const SummaryAnswer = Type.Object(
  {
    paymentId: Type.Integer(),
    paymentProvider: nullable(
      Type.Object({ provider: Type.String(), iconUri1: Type.String(), iconUri2: Type.String() }),
    ),
    currency: Type.String(),
    createdTime: Instant,
    paymentStateId: Type.Integer(),
    paymentState: Type.Enum(Object.keys(STATES)),
    amount: Type.Number(),
    customerId: Type.String(),
    redactedPayerPaymentMethodNumber: nullable(Type.String()),
    autoPayment: Type.Enum(['None', 'Register', 'Use']),
  },
  { title: 'PaymentSummary' },
)

export const SUMMARY_EXAMPLE = {
  paymentId: 10001,
  paymentProvider: {
    provider: 'stripe',
    iconUri1: 'https://pay.example.com/assets/providers/stripe.svg',
    iconUri2: 'https://pay.example.com/assets/providers/stripe.svg',
  },
  currency: 'EUR',
  createdTime: '2026-11-15T12:00:00.000Z',
  paymentStateId: 7,
  paymentState: 'Captured',
  amount: 128.4,
  customerId: 'dana',
  redactedPayerPaymentMethodNumber: '•••• 4242',
  autoPayment: 'None',
} as const

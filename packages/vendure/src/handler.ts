import {
  type CreateRefundResult,
  type ID,
  type Injector,
  LanguageCode,
  type Payment,
  PaymentMethodHandler,
  type RequestContext,
} from '@vendure/core'
import { TenderError, type Payment as TenderPayment } from 'tender-sdk'
import { HANDLER_CODE } from './options.ts'
import { refundPart } from './refunds.ts'
import { TenderService } from './tender-service.ts'

let service: TenderService

const text = (value: string) => [{ languageCode: LanguageCode.en, value }]

const metadataOf = ({ referenceId, payInfo }: TenderPayment) => ({
  referenceId,
  provider: payInfo?.paymentProfile.paymentProvider.provider ?? null,
  card: payInfo?.card?.cardLast4 ?? null,
})

export const tenderPaymentHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: text('Tender'),
  args: {
    autoCapture: {
      type: 'boolean',
      defaultValue: true,
      label: text('Take the money at once'),
      description: text('Off: the money is reserved, and taken when you settle the payment.'),
    },
  },
  init(injector: Injector) {
    service = injector.get(TenderService)
  },

  async createPayment(ctx, order, amount) {
    const payment = await service.paidPayment(ctx, order.id)
    if (typeof payment === 'string') return { amount, state: 'Declined', errorMessage: payment }
    return {
      amount: service.integer(payment.amount),
      state: payment.paymentState === 'Captured' ? 'Settled' : 'Authorized',
      transactionId: String(payment.paymentId),
      metadata: metadataOf(payment),
    }
  },

  async settlePayment(ctx, { id }, payment) {
    const after = await act(ctx, id, payment, 'capture')
    if (typeof after !== 'string' && after.capturedAmount > 0 && after.paymentState !== 'Capturing')
      return { success: true }
    return { success: false, state: 'Authorized', errorMessage: wordsOf(after) }
  },

  async cancelPayment(ctx, { id }, payment) {
    const after = await act(ctx, id, payment, 'cancel')
    if (typeof after !== 'string' && after.paymentState === 'Failed') return { success: true }
    return { success: false, state: payment.state as 'Authorized', errorMessage: wordsOf(after) }
  },

  createRefund: async (...[ctx, , amount, order, payment]) =>
    (await refundPart(service, ctx, { order, payment }, amount)) as CreateRefundResult,
})

const ADVICE = 'A capture under way is settled here when it is done; captured money is refunded instead.'
const wordsOf = (after: TenderPayment | string): string =>
  typeof after === 'string' ? after : `The payment is ${after.paymentState} in Tender. ${ADVICE}`

/**
 * Acts on the payment if that is possible as it is in Tender; the words of a refusal. Waits for others that
 * act on the order, and Vendure goes on from the state that they left. Failures that may pass are thrown.
 */
async function act(ctx: RequestContext, orderId: ID, payment: Payment, action: 'capture' | 'cancel') {
  const known = (await service.lock(ctx, orderId)).payments.find(({ id }) => id === payment.id)
  payment.state = known?.state ?? payment.state
  const { payments } = service.tender
  try {
    const before = await payments.get(payment.transactionId)
    const isPossible = action === 'capture' ? before.canCapture : before.canCancel
    return isPossible ? await payments[action](before.paymentId) : before
  } catch (error) {
    if (!(error instanceof TenderError) || error.isRetryable) throw error
    return error.message
  }
}

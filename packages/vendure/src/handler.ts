import { type Injector, LanguageCode, PaymentMethodHandler } from '@vendure/core'
import { TenderError, type Payment as TenderPayment } from 'tender-sdk'
import { HANDLER_CODE } from './names.ts'
import { refundPart } from './refunds.ts'
import { TenderService } from './tender-service.ts'

let service: TenderService

const text = (value: string) => [{ languageCode: LanguageCode.en, value }]

/** Shown with the payment in the dashboard. */
const metadataOf = ({ referenceId, payInfo }: TenderPayment) => ({
  referenceId,
  provider: payInfo?.paymentProfile.paymentProvider.provider ?? null,
  card: payInfo?.card?.cardLast4 ?? null,
})

/** The answer of Tender, or the words of its refusal. Failures that may pass are thrown. */
async function answer(call: () => Promise<TenderPayment>): Promise<TenderPayment | string> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof TenderError) || error.isRetryable) throw error
    return error.message
  }
}

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

  async settlePayment(ctx, order, payment) {
    await refresh(ctx, order.id, payment)
    const id = payment.transactionId
    const before = await service.tender.payments.get(id)
    const after = before.canCapture ? await answer(() => service.tender.payments.capture(id)) : before
    if (typeof after !== 'string' && after.capturedAmount > 0 && after.paymentState !== 'Capturing')
      return { success: true }
    const errorMessage =
      typeof after === 'string'
        ? after
        : `The payment is ${after.paymentState} in Tender. It is settled here when Tender has captured it.`
    return { success: false, state: 'Authorized', errorMessage }
  },

  async cancelPayment(ctx, order, payment) {
    await refresh(ctx, order.id, payment)
    const id = payment.transactionId
    const before = await service.tender.payments.get(id)
    const after = before.canCancel ? await answer(() => service.tender.payments.cancel(id)) : before
    if (typeof after !== 'string' && after.paymentState === 'Failed') return { success: true }
    const errorMessage =
      typeof after === 'string'
        ? after
        : `The payment is ${after.paymentState} in Tender. Refund what is captured.`
    return { success: false, state: payment.state === 'Settled' ? 'Declined' : 'Authorized', errorMessage }
  },

  createRefund: (ctx, _input, amount, order, payment) =>
    refundPart(service, ctx, Object.assign(payment, { order }), amount),
})

/** Waits for others that act on the order; Vendure then goes on from the state that they left. */
async function refresh(
  ctx: Parameters<TenderService['lock']>[0],
  orderId: Parameters<TenderService['lock']>[1],
  payment: { id: unknown; state: string },
): Promise<void> {
  const { payments } = await service.lock(ctx, orderId)
  payment.state = payments.find(({ id }) => id === payment.id)?.state ?? payment.state
}

import { type CreateRefundResult, type Order, type Payment, Refund, type RequestContext } from '@vendure/core'
import { TenderError, type Payment as TenderPayment } from 'tender-sdk'
import type { TenderService } from './tender-service.ts'

const settledIn = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { state, total }) => (state === 'Settled' ? sum + total : sum), 0)

/** What the shop should count as returned: refunds, lost disputes, and a part that was never captured. */
const returnedOf = (service: TenderService, known: Payment, payment: TenderPayment): number =>
  known.amount - service.integer(payment.capturedAmount) + service.integer(payment.refundedAmount)

/**
 * Ends a pending refund by what Tender has returned, and records what was returned without the shop: in the
 * console, by a lost dispute, or by a refund whose answer the shop did not survive.
 */
export async function reconcileRefunds(
  service: TenderService,
  ctx: RequestContext,
  known: Payment,
  payment: TenderPayment,
): Promise<void> {
  if (payment.paymentState === 'Refunding') return
  let missing = returnedOf(service, known, payment) - settledIn(known)
  for (const refund of known.refunds.filter(({ state }) => state === 'Pending')) {
    const isDone = refund.total <= missing
    if (isDone) missing -= refund.total
    await service.orders.transitionRefundToState(ctx, refund.id, isDone ? 'Settled' : 'Failed')
  }
  if (missing <= 0) return
  const refund = await service.connection.getRepository(ctx, Refund).save(
    new Refund({
      ...{ payment: known, total: missing, method: known.method, state: 'Pending', metadata: {} },
      ...{ reason: 'Returned in Tender', transactionId: known.transactionId },
      ...{ items: 0, shipping: 0, adjustment: 0 },
    }),
  )
  await service.orders.transitionRefundToState(ctx, refund.id, 'Settled')
}

/**
 * Refunds a part; false leaves it pending. Vendure gives a refund its id afterwards, so the key is its place
 * among those of the payment: the same after a crash, another one for the next. The lock keeps two apart. A
 * failure that may have had an effect is thrown: nothing is stored, and the next try has the same key.
 */
export async function refundPart(
  service: TenderService,
  ctx: RequestContext,
  { order, payment: { id, transactionId } }: { order: Order; payment: Payment },
  amount: number,
): Promise<CreateRefundResult | false> {
  const { payments } = await service.lock(ctx, order.id)
  const known = payments.find((one) => one.id === id)
  if (!known) throw new Error(`Order ${order.code} has no payment ${id}.`)
  const options = { idempotencyKey: `${order.code}-refund-${id}-${known.refunds.length + 1}` }
  const before = settledIn(known)
  try {
    const query = { amount: service.decimal(amount), description: `Order ${order.code}` }
    const payment = await service.tender.payments.refund(transactionId, query, options)
    if (payment.paymentState === 'Refunding') return false
    const isDone = returnedOf(service, known, payment) >= before + amount
    const metadata = isDone ? {} : { error: payment.lastError ?? 'The provider refused the refund.' }
    return { state: isDone ? 'Settled' : 'Failed', transactionId, metadata }
  } catch (error) {
    if (!(error instanceof TenderError) || error.isRetryable) throw error
    return { state: 'Failed', transactionId, metadata: { error: error.message } }
  }
}

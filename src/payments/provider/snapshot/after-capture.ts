import { after, DAY } from '../../../base/clock.ts'
import type { RefundSeen, Snapshot } from '../../../providers/outcome.ts'
import type { PaymentEvent } from '../../changes/events.ts'
import type { Change, RefundUpdate } from '../../changes.ts'
import type { Payment } from '../../payment.ts'
import { amountProblem, isSameProblem, type PaymentProblem } from '../../problems.ts'
import { endOperation, type SnapshotContext, updatesFrom } from './context.ts'
import { returnedMinor } from './disputes.ts'

// Pure: what the provider reports by itself about money that was reserved or taken.

/**
 * More was captured on the provider's dashboard, after a capture that was not final. It comes before other
 * news: a refund or a dispute may be about it.
 */
export function withCapture(context: SnapshotContext, change: Change | undefined): Change | undefined {
  const { payment, snapshot } = context
  const totalMinor = snapshot.captured.minor
  if (totalMinor <= payment.capturedMinor) return change
  const captured: PaymentEvent = { on: 'captured', totalMinor }
  return { updates: updatesFrom(context), ...change, events: [captured, ...(change?.events ?? [])] }
}

/** How long Adyen, the one provider that does so, tries to capture again. */
const RECAPTURE_DAYS = 10

/**
 * A capture that was done has failed, and the provider captures again by itself. The payment goes back to
 * Capturing until it has, the merchant cancels, or the time is over. A held one is only reserved again.
 */
export function onFailedCapture(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  const { recapture, captured } = snapshot
  if (!recapture) return onRecaptured(context)
  const since = recapture.since.toISOString()
  if (payment.payInfo?.recapture?.since === since) return undefined
  const until = after(recapture.since, RECAPTURE_DAYS * DAY).toISOString()
  const learned = updatesFrom(context)
  const updates = { ...learned, payInfo: { ...learned.payInfo, recapture: { since, until } } }
  const detail = recapture.problem ? { detail: recapture.problem } : {}
  const problem: PaymentProblem = { code: 'capture-repeated', ...detail }
  // Sums cannot become smaller than what was given back, so `lastError` informs the merchant.
  const isPart = captured.minor > 0n || payment.refundedMinor > 0n
  if (isPart && payment.state !== 'Capturing')
    return { events: [], updates: { ...updates, lastError: problem } }
  if (payment.state === 'Captured' || payment.state === 'CapturedHold')
    return { events: [{ on: 'captureFailed', problem }], updates }
  // It failed before it was seen as done: the payment is Capturing already.
  return { events: [], updates: { ...updates, lastError: problem }, ...endOperation(context, 'done') }
}

/** A capture that `lastError` reports as failed was done again. */
function onRecaptured(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  if (!payment.payInfo?.recapture || snapshot.captured.minor < payment.capturedMinor) return undefined
  const learned = updatesFrom(context)
  const { recapture: _over, ...payInfo } = { ...payment.payInfo, ...learned.payInfo }
  const isReported = payment.lastError?.code === 'capture-repeated'
  return { events: [], updates: { ...learned, payInfo, ...(isReported ? { lastError: null } : {}) } }
}

/** Refunded is final, so `lastError` informs the merchant: of a capture, a failed refund, or both. */
export function onLateMoney(payment: Payment, snapshot: Snapshot): Change | undefined {
  const more = snapshot.captured.minor - payment.capturedMinor
  const late = more > 0n ? amountProblem('captured-late', payment, more) : null
  const missing = missingRefund(payment, snapshot)
  const lastError = late && missing ? { ...late, also: missing } : (late ?? missing)
  return toldOnce(payment, snapshot, lastError)
}

/** The payer's bank returned a debit: the money is gone, whatever was in progress. */
export function onReturned(context: SnapshotContext): Change | undefined {
  const { operation, snapshot } = context
  if (!snapshot.isReturned) return undefined
  const refunds: RefundUpdate[] =
    operation?.step === 'refund'
      ? [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'failed' }]
      : []
  const updates = updatesFrom(context)
  return { events: [{ on: 'returned' }], updates, refunds, ...endOperation(context, 'declined') }
}

/** The provider's own review has ended: it released the payment, or returned the money. */
export function onReviewed(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  if (payment.payInfo?.review !== 'open') return undefined
  const { review: _review, ...payInfo } = { ...payment.payInfo, ...updatesFrom(context).payInfo }
  const updates = { ...updatesFrom(context), payInfo }
  if (snapshot.review === 'approved') return { events: [{ on: 'unhold' }], updates }
  const isGivenBack = payment.state === 'CapturedHold' && snapshot.refunded.minor >= payment.capturedMinor
  return isGivenBack
    ? { events: [{ on: 'refunded', totalMinor: snapshot.refunded.minor }], updates }
    : undefined
}

/** A refund made outside this service while the payment is held. The hold stays until it is decided. */
export function onHeldRefund(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  const totalMinor = returnedMinor(snapshot, payment)
  if (totalMinor <= payment.refundedMinor) return onFailedRefund(payment, snapshot)
  const refunds = snapshot.refunds.map(refundUpdateOf)
  return { events: [{ on: 'refunded', totalMinor }], updates: updatesFrom(context), refunds }
}

/** A refund made outside this service, for example on the provider's dashboard. */
export function onExternalRefund(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  const totalMinor = returnedMinor(snapshot, payment)
  if (totalMinor <= payment.refundedMinor) return onFailedRefund(payment, snapshot)
  const refunded: PaymentEvent = { on: 'refunded', totalMinor }
  const begun: PaymentEvent = { on: 'refund', amountMinor: totalMinor - payment.refundedMinor }
  // While a dispute is open the payment stays Disputed, as it stays held.
  const events = payment.state === 'Disputed' ? [refunded] : [begun, refunded]
  return { events, updates: updatesFrom(context), refunds: snapshot.refunds.map(refundUpdateOf) }
}

const refundUpdateOf = (refund: RefundSeen): RefundUpdate => ({
  refundId: refund.operationKey ?? refund.id,
  amountMinor: refund.amount.minor,
  state: refund.state,
})

/**
 * A completed refund that failed later. Events that were sent cannot be taken back, so `lastError` informs
 * the merchant until other refunds have taken its place. Decision 0014.
 */
export const onFailedRefund = (payment: Payment, snapshot: Snapshot): Change | undefined =>
  toldOnce(payment, snapshot, missingRefund(payment, snapshot))

function missingRefund(payment: Payment, snapshot: Snapshot): PaymentProblem | null {
  const missing = payment.refundedMinor - returnedMinor(snapshot, payment)
  // The provider may have repeated the refund by itself: then none has failed any more.
  const hasFailed = snapshot.refunds.some((refund) => refund.state === 'failed')
  if (missing <= 0n || (!hasFailed && !tellsLate(payment))) return null
  return amountProblem('refund-failed-later', payment, missing)
}

const LATE: readonly PaymentProblem['code'][] = ['refund-failed-later', 'captured-late']

const tellsLate = ({ lastError }: Payment): boolean => lastError !== null && LATE.includes(lastError.code)

function toldOnce(
  payment: Payment,
  { refunds }: Snapshot,
  lastError: PaymentProblem | null,
): Change | undefined {
  if (lastError === null ? !tellsLate(payment) : isSameProblem(payment.lastError, lastError)) return undefined
  return { events: [], updates: { lastError }, refunds: refunds.map(refundUpdateOf) }
}

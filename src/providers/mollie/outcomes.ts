import { after, SECOND } from '../../base/clock.ts'
import { type Json, textAt } from '../kit/json.ts'
import { type ProviderFailure, type Read, unreadable } from '../kit/reply.ts'
import type { Echo, Handles, Outcome } from '../outcome.ts'
import type { Operation } from '../port.ts'
import { declineOf } from './declines.ts'
import { factsOf } from './facts.ts'
import { type MollieCapture, type MolliePayment, type MollieRefund, movementIn } from './payment.ts'
import { capturedOf, handlesOf, refundState } from './snapshot.ts'

/** Pure: what Mollie's replies mean for a step. */

const echoOf = ({ reference, amount }: MolliePayment): { echo: Echo } => ({
  echo: { amount, ...(reference === undefined ? {} : { reference }) },
})

/** A new payment: a page, or a charge of a mandate. */
export function paymentOutcome(payment: MolliePayment): Outcome {
  const { status, checkoutUrl, expiresAt, failure } = payment
  const about = { handles: handlesOf(payment), ...echoOf(payment) }
  const facts = factsOf(payment, capturedOf(payment))
  if (status === 'open' && checkoutUrl)
    return { kind: 'redirect', url: checkoutUrl, ...(expiresAt ? { expiresAt } : {}), ...about }
  if (status === 'paid') return { kind: 'approved', stage: 'captured', facts, ...about }
  if (status === 'authorized') return { kind: 'approved', stage: 'authorised', facts, ...about }
  if (['failed', 'canceled', 'expired'].includes(status))
    return { kind: 'declined', handles: about.handles, ...declineOf({ status, ...failure }), facts }
  if (status === 'pending' || (status === 'open' && payment.sequence === 'recurring'))
    return { kind: 'pending', waitsFor: 'provider', facts, ...about }
  return { ...unreadable({ code: status }), handles: about.handles }
}

/** A refused capture or refund: the payment is not in the state for it, unless the amount is refused. */
function refusedStep(failed: ProviderFailure): ProviderFailure {
  if (failed.kind !== 'not-done' || failed.why !== 'bad-request' || failed.raw?.status !== 422) return failed
  return failed.raw.code?.startsWith('amount') ? failed : { ...failed, why: 'wrong-state' }
}

/** Captures usually succeed within seconds. */
const CAPTURE_MS = 5 * SECOND

/** The operation that a capture or refund was asked for, and the payment. */
interface Wanted {
  readonly op: Operation
  readonly id: string
}

/** The capture or refund of a reply. Undefined if it cannot be read, or is of something else. */
function movementOf(object: Json, { op, id }: Wanted): MollieCapture | undefined {
  const found = movementIn(object)
  const isOurs = (textAt(object, 'paymentId') ?? id) === id && (found?.operationKey ?? op.key) === op.key
  return isOurs ? found : undefined
}

export function captureOutcome(read: Read, asked: Wanted, now: Date): Outcome {
  if (read.kind !== 'object') return refusedStep(read)
  const capture = movementOf(read.object, asked)
  return capture ? captureResult(capture, now) : unreadable()
}

export function captureResult(capture: MollieCapture, now: Date): Outcome {
  const about = { handles: { capture: capture.id }, echo: { amount: capture.amount } }
  switch (capture.status) {
    case 'succeeded':
      return { kind: 'approved', facts: {}, ...about }
    case 'failed':
      return { kind: 'declined', handles: about.handles, ...failedCapture(capture) }
    default:
      return { kind: 'pending', waitsFor: 'provider', recheckAt: after(now, CAPTURE_MS), ...about }
  }
}

const failedCapture = ({ status }: MollieCapture) => ({
  ...({ reason: 'generic', retry: 'unspecified' } as const),
  raw: { code: status, message: 'Mollie says that the capture failed.' },
})

export function refundOutcome(read: Read, asked: Wanted): Outcome {
  if (read.kind !== 'object') return refusedStep(read)
  const refund = movementOf(read.object, asked)
  return refund ? refundResult(refund) : unreadable()
}

/** The id of a refund is not a handle: a payment may have several. */
export function refundResult(refund: MollieRefund): Outcome {
  const { status, amount } = refund
  const about = { handles: {} satisfies Handles, echo: { amount } }
  const state = refundState(refund)
  if (state === 'done') return { kind: 'approved', facts: {}, ...about }
  if (state === 'pending') return { kind: 'pending', waitsFor: 'provider', ...about }
  const raw = { code: status, message: `Mollie says that the refund is ${status}.` }
  return { kind: 'declined', reason: 'generic', retry: 'unspecified', raw }
}

/** A payment that holds no money any more, or never held any. */
export function cancelled(payment: MolliePayment, op: Operation, openUntil?: Date): Outcome {
  const { reference = op.reference } = payment
  return {
    ...({ kind: 'approved', facts: {}, handles: handlesOf(payment) } as const),
    ...(openUntil ? { openUntil } : {}),
    echo: { reference },
  }
}

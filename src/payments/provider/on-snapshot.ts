import type { RefundSeen, Snapshot } from '../../providers/outcome.ts'
import type { PaymentEvent } from '../changes/events.ts'
import type { Change, PaymentUpdates } from '../changes.ts'
import type { Failure, OperationStatus, Payment } from '../payment.ts'
import { amountProblem, isSameProblem, type PaymentProblem, textOr } from '../problems.ts'
import { adviceOf } from '../retry/advice.ts'
import { isChallenged, linkExpired } from '../timers/due.ts'
import { declineFailure, reservedUntil, summary } from './merge-facts.ts'
import { challengeEnd } from './on-outcome.ts'
import {
  attemptEnded,
  attemptPaid,
  operationUpdate,
  refundDone,
  refusedBy,
  stepRefused,
} from './outcome/endings.ts'
import { isRelease } from './outcome/retries.ts'
import {
  onExternalRefund,
  onFailedCapture,
  onHeldRefund,
  onLateMoney,
  onReturned,
  onReviewed,
  withCapture,
} from './snapshot/after-capture.ts'
import { isOurs } from './snapshot/compare.ts'
import { endOperation, type SnapshotContext, updatesFrom } from './snapshot/context.ts'
import { onDispute } from './snapshot/disputes.ts'
import { impliedCapture, onLateFacts, refusalOf } from './snapshot/partial.ts'
import { isUnderpaid } from './undo/rules.ts'

/**
 * Pure: decides what a snapshot of the provider means for a payment. The provider's view is a fact, so it can
 * end an operation without holding the lease. Merging only adds: sums never shrink, and an old snapshot
 * changes nothing. Returns the change that brings the payment up to the snapshot, undefined when it is up to
 * date. Decision 0071.
 */
export const changeFromSnapshot = (context: SnapshotContext): Change | undefined =>
  changeOfState(context) ?? onLateFacts(context)

function changeOfState(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  switch (payment.state) {
    case 'Created':
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
      return onAttempt(context)
    case 'Authorized':
    case 'ProviderAuthorizedHold':
      return onAuthorised(context) ?? onReviewed(context)
    case 'Capturing':
      return onCapturing(context)
    case 'Cancelling':
      return onCancelling(context)
    case 'Refunding':
      return onReturned(context) ?? withCapture(context, onRefunding(context))
    case 'Captured':
      return onReturned(context) ?? onFailedCapture(context) ?? withCapture(context, onLateNews(context))
    case 'Disputed':
      return onReturned(context) ?? withCapture(context, onLateNews(context))
    case 'Refunded':
      return onDispute(context) ?? onFailedCapture(context) ?? onLateMoney(payment, snapshot)
    case 'CapturedHold':
      return onReturned(context) ?? onFailedCapture(context) ?? withCapture(context, onHeld(context))
    case 'Failed':
      return undefined
  }
}

const onLateNews = (context: SnapshotContext): Change | undefined =>
  onDispute(context) ?? onExternalRefund(context)

const onHeld = (context: SnapshotContext): Change | undefined =>
  onDispute(context) ?? onReviewed(context) ?? onHeldRefund(context)

function onAttempt(context: SnapshotContext): Change | undefined {
  const { payment, snapshot, inputs } = context
  const updates = updatesFrom(context)
  const began: PaymentEvent[] = payment.state === 'Created' ? [{ on: 'began' }] : []
  switch (snapshot.stage) {
    case 'needs-customer':
      return onOpenPage(context)
    case 'approved':
      return payment.state === 'Created'
        ? { events: [{ on: 'approved' }], updates, ...endOperation(context, 'done') }
        : undefined
    case 'in-review':
    case 'processing':
      return payment.state === 'Created' || isChallenged(payment) ? onProcessing(context) : undefined
    case 'authorised': {
      if (isRelease(context) && snapshot.review === 'open') return undefined
      const authorisedUntil = reservedUntil(snapshot.facts, inputs.now, inputs.authorisationWindowMs)
      const paid = {
        ...{ began, isHeld: snapshot.review === 'open' },
        moved: { on: 'authorized' },
        updates: { ...updates, authorisedUntil },
      } as const
      return { ...attemptPaid(payment, inputs, paid), ...endOperation(context, 'done') }
    }
    case 'captured': {
      const paid = { began, moved: captured(snapshot), updates, isHeld: snapshot.review === 'open' }
      return { ...attemptPaid(payment, inputs, paid), ...endOperation(context, 'done') }
    }
    case 'declined':
    case 'cancelled':
    case 'expired': {
      const update = endOperation(context, endOf(context)).operation
      return attemptEnded(payment, { updates, failure: failureOf(payment, snapshot, inputs.now), update })
    }
  }
}

/** The request that closes the page has reached its end; any other has failed. */
const endOf = ({ operation }: SnapshotContext): OperationStatus =>
  operation?.step === 'cancel' ? 'done' : 'declined'

/** The customer has paid or answered, and there is nothing left for the customer to do there. */
function onProcessing(context: SnapshotContext): Change {
  const { challengeUntil: _over, ...payInfo } = updatesFrom(context).payInfo ?? {}
  return {
    events: context.payment.state === 'Created' ? [{ on: 'began' }] : [],
    updates: { ...updatesFrom(context), payInfo, redirectUrl: null },
    ...keepWaiting(context),
  }
}

/** The page is open and unused. Only its URL and its end are restored, when a crash lost them. */
function onOpenPage(context: SnapshotContext): Change | undefined {
  const { payment, snapshot, inputs } = context
  const isUrlLost = payment.redirectUrl === null && snapshot.customerUrl !== undefined
  const isEndLost = payment.state !== 'Created' && !isChallenged(payment)
  if (!isUrlLost && !isEndLost) return onDeclineOnPage(context) ?? onReceived(context)
  const learned = updatesFrom(context)
  const end = isEndLost ? challengeEnd(payment, inputs.now, undefined) : {}
  return {
    events: [],
    updates: {
      ...learned,
      payInfo: { ...learned.payInfo, ...end },
      redirectUrl: payment.redirectUrl ?? snapshot.customerUrl ?? null,
    },
    ...keepWaiting(context),
  }
}

/** A part of the amount has arrived, and the rest may still come: customer and merchant can see it. */
function onReceived(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  const { received, openUntil } = snapshot
  if (!received || received.currency !== payment.currency) return undefined
  const until = openUntil?.toISOString()
  const update = { minor: String(received.minor), ...(until ? { until } : {}) }
  if (JSON.stringify(update) === JSON.stringify(payment.payInfo?.received)) return undefined
  const { amountMinor, currency } = payment
  const lastError: PaymentProblem = {
    code: 'part-arrived',
    ...update,
    wholeMinor: String(amountMinor),
    currency,
  }
  const learned = updatesFrom(context)
  return {
    events: [],
    updates: { ...learned, payInfo: { ...learned.payInfo, received: update }, lastError },
  }
}

/** The provider declined a try on its page, and the customer can try again there. */
function onDeclineOnPage({ payment, snapshot }: SnapshotContext): Change | undefined {
  if (!snapshot.decline) return undefined
  const { problem: lastError, declineCode: declined = '' } = declineFailure(snapshot.decline.reason)
  if (isSameProblem(payment.lastError, lastError)) return undefined
  return { events: [], updates: { lastError, payInfo: { ...payment.payInfo, declined } } }
}

function keepWaiting({ operation, snapshot }: SnapshotContext): Pick<Change, 'operation'> {
  if (!operation) return {}
  const outcome = summary('seen', { why: snapshot.stage })
  const update = {
    ...operationUpdate(operation, 'waiting', outcome),
    leaseToken: null,
    againInMs: FIRST_RECHECK_MS,
  }
  return { operation: { ...update, handles: snapshot.handles } }
}
const FIRST_RECHECK_MS = 2_000

const captured = (snapshot: Snapshot) => ({ on: 'captured', totalMinor: snapshot.captured.minor }) as const

function failureOf(payment: Payment, snapshot: Snapshot, now: Date): Failure {
  const { stage, decline, authorised, captured: paid, isPartial } = snapshot
  if (isUnderpaid(snapshot))
    return { ...declineFailure('underpaid'), problem: amountProblem('part-paid', payment, paid.minor) }
  // The reply about the authorisation was lost, and it was not captured in time.
  if (stage === 'expired' && authorised && authorised.minor > 0n) return RELEASED.expired
  if (stage === 'cancelled' && isChallenged(payment)) return challengeFailure(payment, now)
  if (stage === 'cancelled' && isPartial && payment.state !== 'Created') return NOT_CHARGED
  if (stage === 'cancelled') return declineFailure('customer-cancelled')
  if (stage === 'expired' || !decline) return declineFailure(stage === 'expired' ? 'expired' : 'generic')
  return declineFailure(decline.reason, adviceOf(decline, now))
}

/** The customer left the bank's challenge, or did not answer it in time. */
function challengeFailure(payment: Payment, now: Date): Failure {
  if (linkExpired(payment, now)) return { code: 'expired', problem: { code: 'link-expired' } }
  const isOver = new Date(payment.payInfo?.challengeUntil ?? 0) <= now
  return declineFailure(isOver ? 'expired' : 'customer-cancelled')
}

/** Its outcome stayed unknown, and it was cancelled by our reference. */
export const NOT_CHARGED: Failure = {
  code: 'provider_rejected',
  problem: { code: 'cancelled-there' },
}

const RELEASED = {
  expired: { code: 'authorization_expired', problem: { code: 'authorisation-expired' } },
  cancelled: { code: 'cancelled', problem: { code: 'voided-there' } },
} as const

function onAuthorised(context: SnapshotContext): Change | undefined {
  const { snapshot } = context
  const updates = updatesFrom(context)
  if (snapshot.stage === 'captured') return onTaken(context)
  if (snapshot.stage === 'expired' || snapshot.stage === 'cancelled')
    return { events: [{ on: 'released', failure: RELEASED[snapshot.stage] }], updates }
  // The provider's review ended with a decline.
  if (snapshot.stage === 'declined') {
    const { decline } = snapshot
    const failure = decline
      ? declineFailure(decline.reason, adviceOf(decline, context.inputs.now))
      : declineFailure('suspected-fraud')
    return { events: [{ on: 'released', failure }], updates }
  }
  return onExtended(context)
}

/** Captured at the provider. If its review held the payment, the release captured it. */
function onTaken(context: SnapshotContext): Change {
  const { payment, snapshot } = context
  const { updates = {}, events = [] } = onReviewed(context) ?? { updates: updatesFrom(context) }
  const isReleased = payment.state === 'ProviderAuthorizedHold'
  const taken = payment.payInfo?.recapture ? withoutRecapture(updates) : updates
  return { events: [captured(snapshot), ...(isReleased ? events : [])], updates: taken }
}

/** The provider extended the authorisation. */
function onExtended({ payment, snapshot }: SnapshotContext): Change | undefined {
  const until = snapshot.facts.authorisedUntil
  if (!until || !payment.authorisedUntil || until <= payment.authorisedUntil) return undefined
  return { events: [], updates: { authorisedUntil: until } }
}

function onCapturing(context: SnapshotContext): Change | undefined {
  const { snapshot } = context
  const updates = withoutRecapture(updatesFrom(context))
  if (snapshot.stage === 'captured')
    return { events: [captured(snapshot)], updates, ...endOperation(context, 'done') }
  if (snapshot.recapture) return onFailedCapture(context)
  const implied = impliedCapture(context)
  if (implied) return { events: [implied], updates, ...endOperation(context, 'done') }
  if (snapshot.stage !== 'expired' && snapshot.stage !== 'cancelled') return onRefused(context)
  const problem = refusedBy(RELEASED[snapshot.stage].problem)('capture')
  const refused: PaymentEvent = { on: 'captureRefused', problem, authorisationGone: true }
  return { events: [refused], updates, ...endOperation(context, 'declined') }
}

function withoutRecapture(updates: PaymentUpdates): PaymentUpdates {
  const { recapture: _over, ...payInfo } = updates.payInfo ?? {}
  return { ...updates, payInfo }
}

/** The provider accepted the capture or the cancellation first, and refused it later. */
function onRefused(context: SnapshotContext): Change | undefined {
  const { payment, operation } = context
  const refused = refusalOf(context)
  if (!operation || !refused) return undefined
  const problemOf = refusedBy(textOr(refused.problem, 'no-reason'))
  const updates = updatesFrom(context)
  return { ...stepRefused({ payment, operation }, problemOf), updates, ...endOperation(context, 'declined') }
}

function onCancelling(context: SnapshotContext): Change | undefined {
  const { snapshot, operation } = context
  if (operation?.step === 'refund') return onRefunding(context)
  const updates = updatesFrom(context)
  if (snapshot.stage === 'captured') {
    const taken = withoutRecapture(updates)
    return { events: [captured(snapshot)], updates: taken, ...endOperation(context, 'declined') }
  }
  const gone = snapshot.stage === 'cancelled' || snapshot.stage === 'expired' || snapshot.stage === 'declined'
  if (!gone) return onRefused(context)
  return { events: [{ on: 'cancelled' }], updates, ...endOperation(context, 'done') }
}

function onRefunding(context: SnapshotContext): Change | undefined {
  const { payment, operation, snapshot } = context
  const found = snapshot.refunds.find((refund) => isOurs(refund, operation))
  if (!operation || !found) return undefined
  if (found.state === 'pending') return onClaimable(context, found)
  const updates = updatesFrom(context)
  if (found.state === 'done')
    return { ...refundDone(payment, operation), updates, ...endOperation(context, 'done') }
  const problemOf = refusedBy(textOr(found.problem, 'not-returned'))
  return { ...stepRefused({ payment, operation }, problemOf), updates, ...endOperation(context, 'declined') }
}

/** The reply that named the customer's page was lost. */
function onClaimable(context: SnapshotContext, { customerUrl }: RefundSeen): Change | undefined {
  const learned = updatesFrom(context)
  if (customerUrl === undefined || customerUrl === context.payment.payInfo?.claimUrl) return undefined
  const updates = { ...learned, payInfo: { ...learned.payInfo, claimUrl: customerUrl } }
  return { events: [], updates, ...keepWaiting(context) }
}

import { after, HOUR } from '../../base/clock.ts'
import { LIMITS, recheckPause } from '../../base/limits.ts'
import type { Approved, Declined, NotDone, Outcome, Pending, Redirect } from '../../providers/outcome.ts'
import type { Change, PaymentUpdates } from '../changes.ts'
import type { PayInfo, Payment } from '../payment.ts'
import { adviceOf } from '../retry/advice.ts'
import { withoutWatch } from '../timers/due.ts'
import { declineFailure, mergeFacts, notDoneFailure, reservedUntil, summary } from './merge-facts.ts'
import {
  attemptEnded,
  attemptPaid,
  isAttempt,
  type OperationContext,
  operationUpdate,
  refundDone,
  refusedBy,
  stepRefused,
} from './outcome/endings.ts'
import { isRelease, rateLimitPause, retryPause, waitsForRate, wasSentBefore } from './outcome/retries.ts'

/**
 * Pure: decides what the outcome of an operation means for its payment. `change` is written; `retry`
 * postpones an operation whose result is unknown or that was not sent; `read` reads the provider, which
 * reports another state of the payment. Decision 0013.
 */
export type OutcomeDecision =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'retry'; readonly outcome: object; readonly pauseMs: number }
  | { readonly kind: 'read' }

export function decideOutcome(context: OperationContext, outcome: Outcome): OutcomeDecision {
  const { operation } = context
  switch (outcome.kind) {
    case 'approved':
      return change(approved(context, outcome))
    case 'declined':
      return change(refused(context, outcome))
    case 'pending':
      return change(accepted(context, outcome))
    case 'redirect':
      return change(redirected(context, outcome))
    case 'not-done':
      return nothingHappened(context, outcome)
    case 'unknown':
      return {
        kind: 'retry',
        outcome: summary('unknown', outcome),
        pauseMs: recheckPause(operation.tries),
      }
  }
}

const change = (made: Change): OutcomeDecision => ({ kind: 'change', change: made })

function approved({ payment, operation, inputs }: OperationContext, outcome: Approved): Change {
  const updates = { ...mergeFacts(payment, outcome), ...inputs.stored }
  const ended = {
    operation: { ...operationUpdate(operation, 'done', summary('approved')), handles: outcome.handles },
  }
  switch (operation.step) {
    case 'start':
    case 'resume':
    case 'charge': {
      // Paid on a page at once: the machine needs the `began` event first.
      const began = payment.state === 'Created' ? ([{ on: 'began' }] as const) : []
      const isHeld = outcome.isHeld === true
      if ((outcome.stage ?? (inputs.oneStep ? 'captured' : 'authorised')) === 'captured') {
        const moved = { on: 'captured', totalMinor: operation.amountMinor } as const
        return { ...attemptPaid(payment, inputs, { began, moved, updates, isHeld }), ...ended }
      }
      const authorisedUntil = reservedUntil(outcome.facts, inputs.now, inputs.authorisationWindowMs)
      const moved = { on: 'authorized' } as const
      const paid = { began, moved, updates: { ...updates, authorisedUntil }, isHeld }
      return { ...attemptPaid(payment, inputs, paid), ...ended }
    }
    case 'capture':
      return { events: [{ on: 'captured', totalMinor: operation.amountMinor }], updates, ...ended }
    case 'cancel':
      // Only the open page was closed, to allow another attempt: the payment stays open.
      if (payment.state === 'Created') {
        const payInfo = withoutWatch(updates.payInfo ?? payment.payInfo)
        return { events: [], updates: { ...updates, payInfo, redirectUrl: null }, ...ended }
      }
      return { events: [{ on: 'cancelled' }], updates, ...ended }
    case 'refund':
      return { ...refundDone(payment, operation), updates, ...ended }
  }
}

/** The provider declined the operation. */
function refused(context: OperationContext, outcome: Declined): Change {
  const { payment, operation, inputs } = context
  const advice = adviceOf(outcome, inputs.now)
  const failure = declineFailure(outcome.reason, advice)
  const updates = withNetworkCode(mergeFacts(payment, outcome), outcome.raw.networkCode)
  const update = operationUpdate(
    operation,
    'declined',
    summary('declined', { why: outcome.reason, raw: outcome.raw, advice }),
  )
  if (isAttempt(operation)) return attemptEnded(payment, { updates, failure, update })
  return { ...stepRefused(context, refusedBy(failure.problem)), updates, operation: update }
}

const withNetworkCode = (updates: PaymentUpdates, networkCode: string | undefined): PaymentUpdates =>
  networkCode === undefined ? updates : { ...updates, payInfo: { ...updates.payInfo, networkCode } }

/** Accepted without a result: the operation waits, and the provider is read again later. */
function accepted({ payment, operation, inputs }: OperationContext, outcome: Pending): Change {
  const untilRecheckMs = outcome.recheckAt ? outcome.recheckAt.getTime() - inputs.now.getTime() : 0
  const againInMs = untilRecheckMs > 0 ? untilRecheckMs : recheckPause(operation.tries)
  // What was not sent yet stays open, and is sent when the provider takes it.
  const status = outcome.isDeferred ? 'open' : 'waiting'
  const update = {
    ...operationUpdate(operation, status, summary('pending', { why: outcome.waitsFor })),
    againInMs,
  }
  const began = isAttempt(operation) && payment.state === 'Created' && outcome.waitsFor !== 'customer'
  const updates = mergeFacts(payment, outcome)
  const claim = operation.step === 'refund' && outcome.customerUrl ? { claimUrl: outcome.customerUrl } : {}
  return {
    events: began ? [{ on: 'began' }] : [],
    updates: { ...updates, payInfo: { ...updates.payInfo, ...claim } },
    operation: { ...update, handles: outcome.handles },
  }
}

/** A customer needs time on the page: the first recheck comes after a minute. */
const CUSTOMER_TRIES = 2

function redirected({ payment, operation, inputs }: OperationContext, outcome: Redirect): Change {
  const { url, method, fields = {}, expiresAt } = outcome
  const updates = mergeFacts(payment, outcome)
  const payInfo = {
    ...updates.payInfo,
    // A page that is opened by a form post is reached through a page of ours, which holds the form.
    ...(method === 'POST' ? { post: { url, fields } } : {}),
    ...challengeEnd(payment, inputs.now, expiresAt),
  }
  return {
    events: [],
    updates: { ...updates, payInfo, redirectUrl: method === 'POST' ? inputs.formUrl : url },
    operation: {
      ...operationUpdate(operation, 'waiting', summary('redirect')),
      handles: outcome.handles,
      againInMs: recheckPause(operation.tries + CUSTOMER_TRIES),
    },
  }
}

/** A challenge that its provider gives no end is over after an hour. */
const CHALLENGE_MS = HOUR

/** The end of the bank's challenge of a running charge, never later than that of the link. */
export function challengeEnd(
  { state, expirationTime }: Payment,
  now: Date,
  expiresAt: Date | undefined,
): Pick<PayInfo, 'challengeUntil'> {
  if (state === 'Created') return {}
  const until = expiresAt && expiresAt > now ? expiresAt : after(now, CHALLENGE_MS)
  const isCut = expirationTime !== null && expirationTime < until
  return { challengeUntil: (isCut ? expirationTime : until).toISOString() }
}

/**
 * Answers that say nothing about an earlier request of the operation, which may have been carried out: the
 * key was changed, or the account behind it.
 */
const PROVES_NOTHING: ReadonlySet<NotDone['why']> = new Set<NotDone['why']>([
  ...(['bad-credentials', 'not-found', 'unsupported', 'wrong-state'] as const),
])

function nothingHappened(context: OperationContext, outcome: NotDone): OutcomeDecision {
  const { payment, operation } = context
  const failure = notDoneFailure(outcome)
  const kept = summary('not-done', outcome)
  // An earlier request of the operation may still arrive: that this one did nothing proves nothing about it.
  const isUncertain = wasSentBefore(operation, context.inputs.now)
  const isLookedAt = isUncertain && (operation.step === 'start' || operation.step === 'charge')
  const again = isLookedAt ? { againInMs: LIMITS.lateRecheckMs } : {}
  const update = { ...operationUpdate(operation, 'not-done', kept), ...again }
  const isRetried = outcome.why === 'not-sent' || outcome.why === 'rate-limited'
  const endsAttempt = isAttempt(operation) && !isRelease(context)
  if (
    endsAttempt &&
    !context.isMoved &&
    outcome.why === 'rate-limited' &&
    waitsForRate(context, context.inputs.now)
  ) {
    const pauseMs = rateLimitPause(operation, context.inputs.now, outcome.retryAfter)
    return { kind: 'retry', outcome: kept, pauseMs }
  }
  const mayHavePaid = isUncertain && payment.state !== 'Created'
  const isOpenQuestion = mayHavePaid && PROVES_NOTHING.has(outcome.why)
  if (endsAttempt && operation.step !== 'resume' && isOpenQuestion)
    return { kind: 'retry', outcome: kept, pauseMs: recheckPause(operation.tries) }
  if (endsAttempt && operation.step !== 'resume' && !(isRetried && isUncertain))
    return change(attemptEnded(payment, { failure, update }))
  // The customer approved, or the API accepted the capture, cancel or refund: what was not sent is retried.
  if (isRetried) {
    const pauseMs = retryPause(operation, context.inputs.now, outcome.retryAfter)
    return { kind: 'retry', outcome: kept, pauseMs }
  }
  if (endsAttempt) return change(attemptEnded(payment, { failure, update }))
  if (outcome.why === 'wrong-state') return { kind: 'read' }
  // The first request may have been carried out: were this refusal believed, a refund could be sent twice.
  if (isUncertain && outcome.why === 'bad-credentials')
    return { kind: 'retry', outcome: kept, pauseMs: recheckPause(operation.tries) }
  return change({ ...stepRefused(context, refusedBy(failure.problem)), operation: update })
}

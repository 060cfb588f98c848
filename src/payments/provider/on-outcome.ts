import { LIMITS, recheckPause } from '../../base/limits.ts'
import { cardSeen } from '../../fraud/card.ts'
import { stops } from '../../fraud/verdict.ts'
import type { Judgement } from '../../fraud/verdicts/judge.ts'
import type { Approved, Declined, NotDone, Outcome, Pending, Redirect } from '../../providers/outcome.ts'
import type { AttemptResult, Change, OperationUpdate, PaymentEvent, PaymentUpdates } from '../changes.ts'
import type { Failure, OperationRecord, OperationStatus, Payment } from '../payment.ts'
import {
  declineFailure,
  mergeFacts,
  notDoneFailure,
  refusalText,
  reservedUntil,
  summary,
} from './merge-facts.ts'
import { isRelease, retryPause, wasSentBefore } from './outcome/retries.ts'

/**
 * Pure: decides what the outcome of an operation means for its payment. `change` is written; `retry`
 * postpones an operation whose result is unknown or that was not sent; `read` reads the provider, which
 * reports another state of the payment.
 */
export type OutcomeDecision =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'retry'; readonly outcome: object; readonly pauseMs: number }
  | { readonly kind: 'read' }

export interface OutcomeInputs {
  readonly now: Date
  readonly oneStep: boolean
  readonly authorisationWindowMs: number
  /** The stored method, when the provider kept one. */
  readonly stored?: Pick<PaymentUpdates, 'paymentMethodId' | 'tokenId'>
  readonly canRefund: boolean
  /** Our page that opens the provider's page by a form post. */
  readonly formUrl: string
  /** The fraud decision on an approved attempt. */
  readonly judgement?: Judgement | undefined
}

export interface OperationContext {
  readonly payment: Payment
  readonly operation: OperationRecord
  readonly inputs: OutcomeInputs
}

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

export function operationUpdate(
  operation: OperationRecord,
  status: OperationStatus,
  outcome: object,
): OperationUpdate {
  return { key: operation.key, leaseToken: operation.leaseToken, status, outcome }
}

export const isAttempt = ({ step }: OperationRecord): boolean =>
  step === 'start' || step === 'resume' || step === 'charge'

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
      if (payment.state === 'Created')
        return { events: [], updates: { ...updates, redirectUrl: null }, ...ended }
      return { events: [{ on: 'cancelled' }], updates, ...ended }
    case 'refund':
      return { ...refundDone(payment, operation), updates, ...ended }
  }
}

interface Paid {
  readonly began: readonly PaymentEvent[]
  readonly moved: PaymentEvent & { readonly on: 'authorized' | 'captured' }
  readonly updates: PaymentUpdates
  /** The provider's own review holds the payment. */
  readonly isHeld: boolean
}

/** Money is reserved or taken. A fraud policy may still hold the payment or give the money back. */
export function attemptPaid(
  payment: Payment,
  inputs: OutcomeInputs,
  { began, moved, updates: learned, isHeld }: Paid,
): Change {
  const { judgement } = inputs
  const { review: _before, ...payInfo } = learned.payInfo ?? payment.payInfo ?? {}
  const updates: PaymentUpdates = { ...learned, payInfo: isHeld ? { ...payInfo, review: 'open' } : payInfo }
  if (!judgement)
    return {
      events: [...began, isHeld ? { ...moved, holds: true } : moved],
      updates,
      attemptResult: resultOf(payment, updates, 'paid'),
    }
  const isStopped = stops(judgement.decision)
  const breaksRule = judgement.decision !== 'Accept'
  const holds = breaksRule || isHeld
  // A payment that cannot be refunded stays held for a manual decision.
  const givesBack = isStopped && (moved.on === 'authorized' || inputs.canRefund)
  const failure = { code: 'fraud_rejected', message: judgement.message } as const
  return {
    events: [...began, { ...moved, holds }, ...(givesBack ? [{ on: 'rejected', failure } as const] : [])],
    updates: { ...updates, fraudStatus: breaksRule ? 'RuleViolated' : 'Verified' },
    attemptResult: resultOf(payment, updates, isStopped ? 'rejected' : 'paid', judgement),
  }
}

const resultOf = (
  payment: Payment,
  updates: PaymentUpdates | undefined,
  outcome: AttemptResult['outcome'],
  judgement?: Judgement,
): AttemptResult => ({
  attempt: payment.attempt,
  outcome,
  card: cardSeen(updates?.payInfo?.card)?.identity ?? null,
  judgement,
})

/** A completed refund: of a captured payment, or of a held payment that is being cancelled. */
export function refundDone(payment: Payment, operation: OperationRecord): Change {
  const refunds = [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'done' as const }]
  if (payment.state === 'Cancelling') return { events: [{ on: 'cancelled' }], refunds }
  return { events: [{ on: 'refunded', totalMinor: payment.refundedMinor + operation.amountMinor }], refunds }
}

/** The provider declined the operation. */
function refused(context: OperationContext, outcome: Declined): Change {
  const { payment, operation } = context
  const failure = declineFailure(outcome.reason)
  const updates = withNetworkCode(mergeFacts(payment, outcome), outcome.raw.networkCode)
  const news = operationUpdate(
    operation,
    'declined',
    summary('declined', { why: outcome.reason, raw: outcome.raw }),
  )
  if (isAttempt(operation)) return attemptEnded(payment, { updates, failure, news })
  return { ...stepRefused(context, (what) => refusalText(what, outcome.reason)), updates, operation: news }
}

const withNetworkCode = (updates: PaymentUpdates, networkCode: string | undefined): PaymentUpdates =>
  networkCode === undefined ? updates : { ...updates, payInfo: { ...updates.payInfo, networkCode } }

interface Ended {
  readonly updates?: PaymentUpdates
  readonly failure: Failure
  readonly news: OperationUpdate | undefined
}

/** Ends an attempt without money. On our own page the customer can try again, so the payment stays open. */
export function attemptEnded(payment: Payment, { updates, failure, news }: Ended): Change {
  const operation = news ? { operation: news } : {}
  const attemptResult = resultOf(payment, updates, wasRefused(failure) ? 'declined' : 'ended')
  const declined = failure.declineCode ?? failure.code
  const why = {
    ...updates,
    payInfo: { ...(updates?.payInfo ?? payment.payInfo), declined },
    // What was held for review is not reserved any more.
    ...(payment.authorisedUntil === null ? {} : { authorisedUntil: null }),
  }
  const nothingMoved = payment.state === 'Created'
  const hasOwnPage = payment.flow !== 'ProviderHostedPage' || failure.code === 'provider_rejected'
  if (nothingMoved && hasOwnPage)
    return {
      events: [],
      updates: { ...why, lastError: failure.message, redirectUrl: null },
      attemptResult,
      ...operation,
    }
  return { events: [{ on: 'declined', failure }], updates: why, attemptResult, ...operation }
}

/** Declined by the provider or the bank, not cancelled by the customer. */
const wasRefused = ({ code, declineCode }: Failure): boolean =>
  code === 'declined' && declineCode !== 'customer-cancelled' && declineCode !== 'expired'

/** The provider refused a capture, cancellation or refund. */
export function stepRefused(
  { payment, operation }: Pick<OperationContext, 'payment' | 'operation'>,
  say: (what: string) => string,
): Change {
  if (payment.state === 'Created') return { events: [] }
  if (operation.step === 'capture') return { events: [{ on: 'captureRefused', problem: say('The capture') }] }
  if (operation.step === 'resume')
    return { events: [{ on: 'authorized', holds: true, problem: say('The release') }] }
  const refunds =
    operation.step === 'refund'
      ? [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'failed' as const }]
      : []
  if (payment.state === 'Cancelling')
    return { events: [{ on: 'cancelRefused', problem: say('The cancellation') }], refunds }
  return { events: [{ on: 'refundRefused', problem: say('The refund') }], refunds }
}

/** Accepted without a result: the operation waits, and the provider is read again later. */
function accepted({ payment, operation, inputs }: OperationContext, outcome: Pending): Change {
  const untilRecheckMs = outcome.recheckAt ? outcome.recheckAt.getTime() - inputs.now.getTime() : 0
  const againInMs = untilRecheckMs > 0 ? untilRecheckMs : recheckPause(operation.tries)
  // What was not sent yet stays open, and is sent when the provider takes it.
  const status = outcome.isDeferred ? 'open' : 'waiting'
  const news = {
    ...operationUpdate(operation, status, summary('pending', { why: outcome.waitsFor })),
    againInMs,
  }
  const began = isAttempt(operation) && payment.state === 'Created' && outcome.waitsFor !== 'customer'
  const updates = mergeFacts(payment, outcome)
  const claim = operation.step === 'refund' && outcome.customerUrl ? { claimUrl: outcome.customerUrl } : {}
  return {
    events: began ? [{ on: 'began' }] : [],
    updates: { ...updates, payInfo: { ...updates.payInfo, ...claim } },
    operation: { ...news, handles: outcome.handles },
  }
}

/** A customer needs time on the page: the first recheck comes after a minute. */
const CUSTOMER_TRIES = 2

function redirected({ payment, operation, inputs }: OperationContext, outcome: Redirect): Change {
  const { url, method, fields = {} } = outcome
  const updates = mergeFacts(payment, outcome)
  // A page that is opened by a form post is reached through a page of ours, which holds the form.
  const post = method === 'POST' ? { payInfo: { ...updates.payInfo, post: { url, fields } } } : {}
  return {
    events: [],
    updates: { ...updates, ...post, redirectUrl: method === 'POST' ? inputs.formUrl : url },
    operation: {
      ...operationUpdate(operation, 'waiting', summary('redirect')),
      handles: outcome.handles,
      againInMs: recheckPause(operation.tries + CUSTOMER_TRIES),
    },
  }
}

function nothingHappened(context: OperationContext, outcome: NotDone): OutcomeDecision {
  const { payment, operation } = context
  const failure = notDoneFailure(outcome)
  const kept = summary('not-done', outcome)
  // An earlier request of the operation may still arrive: that this one did nothing proves nothing about it.
  const isUncertain = wasSentBefore(operation, context.inputs.now)
  const isLookedAt = isUncertain && (operation.step === 'start' || operation.step === 'charge')
  const again = isLookedAt ? { againInMs: LIMITS.secondLookMs } : {}
  const news = { ...operationUpdate(operation, 'not-done', kept), ...again }
  const isRetried = outcome.why === 'not-sent' || outcome.why === 'rate-limited'
  const endsAttempt = isAttempt(operation) && !isRelease(context)
  if (endsAttempt && operation.step !== 'resume' && !(isRetried && isUncertain))
    return change(attemptEnded(payment, { failure, news }))
  // The customer approved, or the API accepted the capture, cancel or refund: what was not sent is retried.
  if (isRetried) {
    const pauseMs = retryPause(operation, context.inputs.now, outcome.retryAfter)
    return { kind: 'retry', outcome: kept, pauseMs }
  }
  if (endsAttempt) return change(attemptEnded(payment, { failure, news }))
  if (outcome.why === 'wrong-state') return { kind: 'read' }
  const say = (what: string) => `${what} was refused: ${failure.message}`
  return change({ ...stepRefused(context, say), operation: news })
}

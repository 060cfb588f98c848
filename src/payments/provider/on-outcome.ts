import { recheckPause } from '../../base/limits.ts'
import { cardSeen } from '../../fraud/card.ts'
import { stops } from '../../fraud/verdict.ts'
import type { Judgement } from '../../fraud/verdicts/judge.ts'
import type { Approved, Declined, NotDone, Outcome, Pending, Redirect } from '../../providers/outcome.ts'
import type { Change, Fate, Learnt, OperationNews, PaymentEvent } from '../changes.ts'
import type { Failure, OperationRecord, OperationStatus, Payment } from '../payment.ts'
import { declined, learn, notDone, refusal, reservedUntil, summary } from './merge-facts.ts'

/**
 * Pure: what the outcome of an operation means for its payment. Either a change; or `later`, because nobody
 * knows or nothing could be sent; or `ask`, because the provider says that we are wrong about the payment.
 */
export type Verdict =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'later'; readonly outcome: object; readonly pauseMs: number }
  | { readonly kind: 'ask' }

export interface Surroundings {
  readonly now: Date
  readonly oneStep: boolean
  readonly authorisationWindowMs: number
  /** The method that the provider kept, when it was stored with us already. */
  readonly stored?: Pick<Learnt, 'paymentMethodId' | 'tokenId'>
  readonly canRefund: boolean
  /** What a fraud policy says, now that the provider has approved. */
  readonly judgement?: Judgement | undefined
}

export interface Happened {
  readonly payment: Payment
  readonly operation: OperationRecord
  readonly around: Surroundings
}

export function verdictOn(happened: Happened, outcome: Outcome): Verdict {
  const { operation } = happened
  switch (outcome.kind) {
    case 'approved':
      return change(approved(happened, outcome))
    case 'declined':
      return change(refused(happened, outcome))
    case 'pending':
      return change(accepted(happened, outcome))
    case 'redirect':
      return change(redirected(happened, outcome))
    case 'not-done':
      return nothingHappened(happened, outcome)
    case 'unknown':
      return {
        kind: 'later',
        outcome: summary('unknown', outcome),
        pauseMs: recheckPause(operation.tries),
      }
  }
}

const change = (made: Change): Verdict => ({ kind: 'change', change: made })

export function endOf(operation: OperationRecord, status: OperationStatus, outcome: object): OperationNews {
  return { key: operation.key, leaseToken: operation.leaseToken, status, outcome }
}

export const isAttempt = ({ step }: OperationRecord): boolean =>
  step === 'start' || step === 'resume' || step === 'charge'

function approved({ payment, operation, around }: Happened, outcome: Approved): Change {
  const learnt = { ...learn(payment, outcome), ...around.stored }
  const ended = { operation: { ...endOf(operation, 'done', summary('approved')), handles: outcome.handles } }
  switch (operation.step) {
    case 'start':
    case 'resume':
    case 'charge': {
      // A page that was paid on at once: the machine first hears that the provider works on it.
      const began = payment.state === 'Created' ? ([{ on: 'began' }] as const) : []
      if (around.oneStep) {
        const taken = { on: 'captured', totalMinor: operation.amountMinor } as const
        return { ...attemptPaid(payment, around, { began, moved: taken, learnt }), ...ended }
      }
      const authorisedUntil = reservedUntil(outcome.facts, around.now, around.authorisationWindowMs)
      const moved = { on: 'authorized' } as const
      return {
        ...attemptPaid(payment, around, { began, moved, learnt: { ...learnt, authorisedUntil } }),
        ...ended,
      }
    }
    case 'capture':
      return { events: [{ on: 'captured', totalMinor: operation.amountMinor }], learnt, ...ended }
    case 'cancel':
      // Only a page was closed, to make room for another attempt: the payment itself goes on.
      if (payment.state === 'Created')
        return { events: [], learnt: { ...learnt, redirectUrl: null }, ...ended }
      return { events: [{ on: 'cancelled' }], learnt, ...ended }
    case 'refund':
      return { ...repaid(payment, operation), learnt, ...ended }
  }
}

interface Paid {
  readonly began: readonly PaymentEvent[]
  readonly moved: PaymentEvent & { readonly on: 'authorized' | 'captured' }
  readonly learnt: Learnt
}

/** Money is reserved or taken. A fraud policy may hold it all the same, or have it given back at once. */
export function attemptPaid(payment: Payment, around: Surroundings, { began, moved, learnt }: Paid): Change {
  const { judgement } = around
  if (!judgement) return { events: [...began, moved], learnt, fate: fateOf(payment, learnt, 'paid') }
  const isStopped = stops(judgement.decision)
  const holds = judgement.decision !== 'Accept'
  // What cannot be given back is left to a person.
  const givesBack = isStopped && (moved.on === 'authorized' || around.canRefund)
  const failure = { code: 'fraud_rejected', message: judgement.message } as const
  return {
    events: [...began, { ...moved, holds }, ...(givesBack ? [{ on: 'rejected', failure } as const] : [])],
    learnt: { ...learnt, fraudStatus: holds ? 'RuleViolated' : 'Verified' },
    fate: fateOf(payment, learnt, isStopped ? 'rejected' : 'paid', judgement),
  }
}

const fateOf = (
  payment: Payment,
  learnt: Learnt | undefined,
  outcome: Fate['outcome'],
  judgement?: Judgement,
): Fate => ({
  attempt: payment.attempt,
  outcome,
  card: cardSeen(learnt?.payInfo?.card)?.identity ?? null,
  judgement,
})

/** A refund that went through: of a captured payment, or of a held one that was cancelled. */
export function repaid(payment: Payment, operation: OperationRecord): Change {
  const refunds = [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'done' as const }]
  if (payment.state === 'Cancelling') return { events: [{ on: 'cancelled' }], refunds }
  return { events: [{ on: 'refunded', totalMinor: payment.refundedMinor + operation.amountMinor }], refunds }
}

/** The provider looked at it and said no. */
function refused(happened: Happened, outcome: Declined): Change {
  const { payment, operation } = happened
  const failure = declined(outcome.reason)
  const learnt = learn(payment, outcome)
  const news = endOf(operation, 'declined', summary('declined', { why: outcome.reason, raw: outcome.raw }))
  if (isAttempt(operation)) return attemptEnded(payment, { learnt, failure, news })
  return { ...stepRefused(happened, (what) => refusal(what, outcome.reason)), learnt, operation: news }
}

interface Ended {
  readonly learnt?: Learnt
  readonly failure: Failure
  readonly news: OperationNews | undefined
}

/** An attempt ended without money. On our own page the customer may try again, so the payment stays open. */
export function attemptEnded(payment: Payment, { learnt, failure, news }: Ended): Change {
  const operation = news ? { operation: news } : {}
  const fate = fateOf(payment, learnt, wasRefused(failure) ? 'declined' : 'ended')
  const declined = failure.declineCode ?? failure.code
  const why = { ...learnt, payInfo: { ...(learnt?.payInfo ?? payment.payInfo), declined } }
  const nothingMoved = payment.state === 'Created'
  const hasOwnPage = payment.flow !== 'ProviderHostedPage' || failure.code === 'provider_rejected'
  if (nothingMoved && hasOwnPage)
    return {
      events: [],
      learnt: { ...why, lastError: failure.message, redirectUrl: null },
      fate,
      ...operation,
    }
  return { events: [{ on: 'declined', failure }], learnt: why, fate, ...operation }
}

/** By a provider or a bank; a customer who turned back was not. */
const wasRefused = ({ code, declineCode }: Failure): boolean =>
  code === 'declined' && declineCode !== 'customer-cancelled' && declineCode !== 'expired'

/** A capture, cancellation or refund that the provider will not do. */
export function stepRefused(
  { payment, operation }: Pick<Happened, 'payment' | 'operation'>,
  say: (what: string) => string,
): Change {
  if (payment.state === 'Created') return { events: [] }
  if (operation.step === 'capture') return { events: [{ on: 'captureRefused', problem: say('The capture') }] }
  const refunds =
    operation.step === 'refund'
      ? [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'failed' as const }]
      : []
  if (payment.state === 'Cancelling')
    return { events: [{ on: 'cancelRefused', problem: say('The cancellation') }], refunds }
  return { events: [{ on: 'refundRefused', problem: say('The refund') }], refunds }
}

/** Accepted, and its end not known: the operation waits, and is asked about. */
function accepted({ payment, operation, around }: Happened, outcome: Pending): Change {
  const untilAsked = outcome.recheckAt ? outcome.recheckAt.getTime() - around.now.getTime() : 0
  const againInMs = untilAsked > 0 ? untilAsked : recheckPause(operation.tries)
  const news = { ...endOf(operation, 'waiting', summary('pending', { why: outcome.waitsFor })), againInMs }
  const began = isAttempt(operation) && payment.state === 'Created' && outcome.waitsFor !== 'customer'
  return {
    events: began ? [{ on: 'began' }] : [],
    learnt: learn(payment, outcome),
    operation: { ...news, handles: outcome.handles },
  }
}

/** A customer takes a while: the first look comes after a minute. */
const CUSTOMER_TRIES = 2

function redirected({ payment, operation }: Happened, outcome: Redirect): Change {
  return {
    events: [],
    learnt: { ...learn(payment, outcome), redirectUrl: outcome.url },
    operation: {
      ...endOf(operation, 'waiting', summary('redirect')),
      handles: outcome.handles,
      againInMs: recheckPause(operation.tries + CUSTOMER_TRIES),
    },
  }
}

function nothingHappened(happened: Happened, outcome: NotDone): Verdict {
  const { payment, operation } = happened
  const failure = notDone(outcome)
  const kept = summary('not-done', outcome)
  const news = endOf(operation, 'not-done', kept)
  if (isAttempt(operation)) return change(attemptEnded(payment, { failure, news }))
  // Capture, cancel and refund were promised to the merchant: what could not be sent is sent again.
  if (outcome.why === 'not-sent' || outcome.why === 'rate-limited')
    return { kind: 'later', outcome: kept, pauseMs: recheckPause(operation.tries) }
  if (outcome.why === 'wrong-state') return { kind: 'ask' }
  return change({
    ...stepRefused(happened, (what) => `${what} was refused: ${failure.message}`),
    operation: news,
  })
}

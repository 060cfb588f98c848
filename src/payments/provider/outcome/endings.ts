import { cardSeen } from '../../../fraud/card.ts'
import { stops } from '../../../fraud/verdict.ts'
import type { Judgement } from '../../../fraud/verdicts/judge.ts'
import type { PaymentEvent } from '../../changes/events.ts'
import type { AttemptResult, Change, OperationUpdate, PaymentUpdates } from '../../changes.ts'
import type { Failure, OperationRecord, OperationStatus, Payment } from '../../payment.ts'
import { type PaymentProblem, type RefusedStep, textOr } from '../../problems.ts'

// Pure: the changes that end an attempt or a step, whether its result comes by a reply or by a read.

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
  /** Another profile would take the payment over: a rate limit is not waited for. */
  readonly isMoved?: true
  readonly payment: Payment
  readonly operation: OperationRecord
  readonly inputs: OutcomeInputs
}

export function operationUpdate(
  operation: OperationRecord,
  status: OperationStatus,
  outcome: object,
): OperationUpdate {
  return { key: operation.key, leaseToken: operation.leaseToken, status, outcome }
}

export const isAttempt = ({ step }: OperationRecord): boolean =>
  step === 'start' || step === 'resume' || step === 'charge'

interface Paid {
  readonly began: readonly PaymentEvent[]
  readonly moved: PaymentEvent & { readonly on: 'authorized' | 'captured' | 'arrivedLate' }
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
  const failure = fraudFailure(judgement)
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

interface Ended {
  readonly updates?: PaymentUpdates
  readonly failure: Failure
  readonly update: OperationUpdate | undefined
}

/** Ends an attempt without money. On our own page the customer can try again, so the payment stays open. */
export function attemptEnded(payment: Payment, { updates, failure, update }: Ended): Change {
  const operation = update ? { operation: update } : {}
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
      updates: { ...why, lastError: failure.problem, redirectUrl: null },
      attemptResult,
      ...operation,
    }
  return { events: [{ on: 'declined', failure }], updates: why, attemptResult, ...operation }
}

/** Declined by the provider or the bank, not cancelled by the customer. */
const wasRefused = ({ code, declineCode }: Failure): boolean =>
  code === 'declined' && declineCode !== 'customer-cancelled' && declineCode !== 'expired'

/** The payer may read the words of the policy. */
export const fraudFailure = ({ message }: Judgement): Failure => ({
  code: 'fraud_rejected',
  problem: textOr(message, 'stopped'),
})

export const refusedBy =
  (because: PaymentProblem) =>
  (step: RefusedStep): PaymentProblem => ({ code: 'refused', step, because })

/** The provider refused a capture, cancellation or refund. */
export function stepRefused(
  { payment, operation }: Pick<OperationContext, 'payment' | 'operation'>,
  problemOf: (step: RefusedStep) => PaymentProblem,
): Change {
  if (payment.state === 'Created') return { events: [] }
  if (operation.step === 'capture')
    return { events: [{ on: 'captureRefused', problem: problemOf('capture') }] }
  if (operation.step === 'resume')
    return { events: [{ on: 'authorized', holds: true, problem: problemOf('release') }] }
  const refunds =
    operation.step === 'refund'
      ? [{ refundId: operation.key, amountMinor: operation.amountMinor, state: 'failed' as const }]
      : []
  if (payment.state === 'Cancelling')
    return { events: [{ on: 'cancelRefused', problem: problemOf('cancel') }], refunds }
  return { events: [{ on: 'refundRefused', problem: problemOf('refund') }], refunds }
}

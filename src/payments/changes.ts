import { assert } from '../base/assert.ts'
import type { Judgement } from '../fraud/verdicts/judge.ts'
import type { AnyMethod } from '../providers/methods/method.ts'
import type { RefundReason, Step } from '../providers/port.ts'
import type { PaymentEvent } from './changes/events.ts'
import { capturedAfter, isCapture, refundedAfter, returnedAfter } from './changes/sums.ts'
import { type Kind, kindOf } from './kinds.ts'
import { type Action, type Effect, type MachineFacts, type State, step, type Transition } from './machine.ts'
import type { Failure, FraudStatus, OperationStatus, PayInfo, Payment } from './payment.ts'
import type { PaymentProblem } from './problems.ts'
import { canTryAgain, returnableMs, withoutWatch, withWatch } from './timers/due.ts'

/** Pure: applies events to a payment. apply.ts writes the result in one statement. */

/** Field updates that are written together with the events, or without any event. */
export type PaymentUpdates = Partial<
  Pick<
    Payment,
    | 'attempt'
    | 'attemptKey'
    | 'profileId'
    | 'method'
    | 'paymentMethodId'
    | 'tokenId'
    | 'handles'
    | 'payInfo'
    | 'authorisedUntil'
    | 'redirectUrl'
    | 'lastError'
    | 'fraudStatus'
  >
>

/** The new status of an operation. With a lease token, the write succeeds only while the lease is held. */
export interface OperationUpdate {
  readonly key: string
  readonly leaseToken: string | null
  readonly status: OperationStatus
  /** Pause before the next recheck of an open or waiting operation, or before the late recheck. */
  readonly againInMs?: number
  readonly outcome: object
  readonly handles?: object
}

export interface NewOperation {
  readonly key: string
  readonly step: Step
  readonly profileId: number
  readonly method: AnyMethod
  readonly amountMinor: bigint
  readonly attempt: number
  readonly description?: string
  readonly reason?: RefundReason
  readonly requestKey?: string
}

export interface RefundUpdate {
  readonly refundId: string
  readonly amountMinor: bigint
  readonly state: 'pending' | 'done' | 'failed'
  readonly description?: string
  readonly reason?: RefundReason
}

/** The verdict of a fraud policy on an attempt before it starts. */
export interface NewVerdict {
  readonly attempt: number
  readonly profileId: number
  /** Identity of the card; null while unknown. */
  readonly card: string | null
  readonly outcome: 'open' | 'rejected'
  readonly time: Date
  readonly judgement: Judgement
}

/** The result of an attempt, for fraud rules that count attempts, with the judgement on its approval. */
export interface AttemptResult {
  readonly attempt: number
  readonly outcome: 'paid' | 'declined' | 'ended' | 'rejected'
  readonly card: string | null
  readonly judgement?: Judgement | undefined
}

/** Everything that one statement writes about a payment. */
export interface Change {
  readonly events: readonly PaymentEvent[]
  readonly updates?: PaymentUpdates
  readonly operation?: OperationUpdate
  /** The operation that starts an attempt. All others are derived from the effect of the last event. */
  readonly opens?: NewOperation
  /** The client's description, reason of a refund and Idempotency-Key, stored with the operation. */
  readonly request?: Pick<NewOperation, 'description' | 'reason' | 'requestKey'>
  readonly refunds?: readonly RefundUpdate[]
  /** The action that asked for the change, recorded in the audit log when a person asked. */
  readonly action?: Action
  readonly verdict?: NewVerdict
  readonly attemptResult?: AttemptResult
}

/** The payment after an event, and what the event is about. */
export interface Entered {
  readonly payment: Payment
  readonly kind: Kind
}

/** The payment after the events, and each state entered on the way. Undefined when one is not accepted. */
export interface PlannedChange {
  readonly payment: Payment
  readonly entered: readonly Entered[]
  readonly effect: Effect | undefined
}

export interface ChangeInputs {
  readonly now: Date
  readonly oneStep: boolean
}

export function applyEvents(
  before: Payment,
  change: Change,
  inputs: ChangeInputs,
): PlannedChange | undefined {
  let payment: Payment = { ...before, ...change.updates, version: before.version + 1 }
  const entered: Entered[] = []
  let effect: Effect | undefined
  const queue = [...change.events]
  for (let event = queue.shift(); event; event = queue.shift()) {
    const row = step(payment.state, event.on, factsOf(payment, event, inputs))
    if (!row) return undefined
    payment = enter(payment, event, row, inputs.now)
    entered.push({ payment, kind: kindOf(event.on) })
    effect = row.effect
    if (effect === 'finish') queue.unshift({ on: 'cancelled' })
  }
  checkInvariants(payment)
  return { payment, entered, effect }
}

function factsOf(payment: Payment, event: PaymentEvent, inputs: ChangeInputs): MachineFacts {
  return {
    autoCapture: payment.autoCapture,
    oneStep: payment.payInfo?.oneStep ?? inputs.oneStep,
    holds: 'holds' in event && event.holds === true,
    canTryAgain: canTryAgain(payment, inputs.now),
    providerSaw: payment.profileId !== null,
    authorised: isAuthorised(payment) && !('authorisationGone' in event && event.authorisationGone),
    captured: payment.capturedMinor > 0n,
    held: payment.fraudStatus === 'Suspicious' || payment.fraudStatus === 'Fraudulent',
    refundedAll: returnedAfter(payment, event) >= payment.capturedMinor,
    atProvider: 'atProvider' in event && event.atProvider === true,
    disputed: payment.payInfo?.disputes?.some(({ state }) => state === 'open') ?? false,
    recaptures: payment.payInfo?.recapture !== undefined,
  }
}

const isAuthorised = (payment: Payment): boolean =>
  payment.authorisedUntil !== null && payment.capturedMinor === 0n

function enter(before: Payment, event: PaymentEvent, row: Transition, now: Date): Payment {
  const payment: Payment = {
    ...before,
    state: row.to,
    stateTime: now,
    sequence: before.sequence + 1,
    capturedMinor: capturedAfter(before, event),
    fraudStatus: fraudStatusAfter(before, event, row.to),
    failure: row.to === 'Failed' ? failureOf(before, event) : null,
    lastError: lastErrorAfter(before, event),
    redirectUrl: event.on !== 'declined' && CUSTOMER_ACTS.has(row.to) ? before.redirectUrl : null,
    payInfo: payInfoAfter(before, event, row.to, now),
  }
  return { ...payment, refundedMinor: refundedAfter(payment, event, row.to) }
}

/** The states in which a page at the provider may still wait for the customer. */
const CUSTOMER_ACTS: ReadonlySet<State> = new Set<State>(['Created', 'Authorizing', 'SaleInProgress'])

/** A refund in one of these states may wait for the customer, and ends with the state. */
const GIVES_BACK: ReadonlySet<State> = new Set<State>(['Refunding', 'Cancelling'])

function payInfoAfter(before: Payment, event: PaymentEvent, to: State, now: Date): PayInfo | null {
  const isOver = before.state === 'Created' && before.payInfo?.watch !== undefined
  const payInfo = GIVES_BACK.has(before.state)
    ? withoutClaim(before.payInfo)
    : isOver
      ? withoutWatch(before.payInfo)
      : before.payInfo
  // The customer can still pay on the page, which no operation reads any more.
  if (event.on === 'cancelRefused' && to === 'Created') return withWatch(payInfo, { since: now, now })
  const isFirstCapture = isCapture(event) && before.capturedMinor === 0n
  const forMs = isFirstCapture ? returnableMs(before.method) : 0
  return forMs > 0 ? withWatch(payInfo, { since: now, now, forMs }) : payInfo
}

function withoutClaim(payInfo: PayInfo | null): PayInfo | null {
  if (payInfo?.claimUrl === undefined) return payInfo
  const { claimUrl: _claimed, ...others } = payInfo
  return others
}

function fraudStatusAfter(payment: Payment, event: PaymentEvent, to: State): FraudStatus {
  if (event.on === 'rejected') return 'Fraudulent'
  if (event.on === 'unhold') return 'Ignored'
  return to === 'ProviderAuthorizedHold' || to === 'CapturedHold' ? 'Suspicious' : payment.fraudStatus
}

function failureOf(before: Payment, event: PaymentEvent): Failure {
  switch (event.on) {
    case 'declined':
    case 'rejected':
    case 'released':
      return event.failure
    case 'expired':
      return { code: 'expired', problem: { code: 'link-expired' } }
    case 'cancelled':
      // A cancellation by a fraud rule is reported as fraud, not as a cancellation.
      if (before.fraudStatus === 'Fraudulent')
        return { code: 'fraud_rejected', problem: before.lastError ?? { code: 'stopped' } }
      return { code: 'cancelled', problem: { code: 'cancelled' } }
    case 'captureRefused':
      return {
        code: event.isGivenUp ? 'provider_rejected' : 'authorization_expired',
        problem: event.problem,
      }
    default:
      throw new Error(`${event.on} does not end a payment`)
  }
}

function lastErrorAfter(payment: Payment, event: PaymentEvent): PaymentProblem | null {
  if (event.on === 'returned') return { code: 'bank-return' }
  if (event.on === 'markDisputed' && event.reason) return { code: 'text', text: event.reason }
  if ('problem' in event) return event.problem
  if ('failure' in event) return event.failure.problem
  // A later success clears an earlier error. A further capture says nothing about a refund that failed.
  const isFirst = isCapture(event) && payment.capturedMinor === 0n
  // Any event ends the wait for it.
  const isOver = isFirst || event.on === 'authorized' || payment.lastError?.code === 'waiting'
  return isOver ? null : payment.lastError
}

/** Rejects impossible payments before the write. The database has the same checks. */
function checkInvariants(payment: Payment): void {
  assert(
    payment.refundedMinor >= 0n &&
      payment.refundedMinor <= payment.capturedMinor &&
      payment.capturedMinor <= payment.amountMinor,
    `sums of payment ${payment.paymentId} are impossible`,
  )
  assert(
    (payment.state === 'Failed') === (payment.failure !== null),
    'a failed payment says why, no other does',
  )
}

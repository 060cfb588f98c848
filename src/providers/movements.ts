import { type Money, money } from '../base/money.ts'
import { disputesOf } from './movements/disputes.ts'
import { byTime, type Movement, type MovementKind, once } from './movements/movement.ts'
import { type Settled, settled } from './movements/settled.ts'
import type { Facts, Handles, Recapture, RefundSeen, Snapshot, Stage, StepRefused } from './outcome.ts'

export type { DisputeReport, Movement, MovementKind } from './movements/movement.ts'
export { nameOf } from './movements/movement.ts'

/** How a provider notifies, in its manifest. */
export interface Notified {
  /**
   * Its notifications are not signed and only name an id (`lookup`), with the same bytes for every change.
   * One that names no attempt of the profile is dropped without a trace; the others are followed each time.
   */
  readonly unsignedNotifications?: true
}

/**
 * Pure: the payment as far as its movements show it. The result depends on the set of movements only.
 * Undefined while they show nothing.
 */
export function snapshotOf(all: readonly Movement[], handles: Handles): Snapshot | undefined {
  const reported = once(all)
  const paymentId = paymentOf(reported, handles)
  const ours = byTime(reported.filter(({ payment }) => payment === undefined || payment === paymentId))
  const [first] = ours.length > 0 ? ours : byTime(reported)
  if (!first) return undefined
  const { currency } = first.amount
  const known = ours.map((movement) => named(movement, handles))
  const authorised = known.find(({ kind }) => kind === 'authorised')
  const captures = settled(known, 'captured', 'capture-failed')
  const captured = sum(captures, currency)
  const refunds = settled(known, 'refunded', 'refund-failed')
  const reports = known.filter(({ kind }) => kind === 'disputed')
  const disputes = disputesOf(reports, { payment: paymentId, currency })
  const decline = byTime(reported).findLast(({ kind }) => kind === 'refused')?.decline
  const isReturned = known.some(({ kind }) => kind === 'returned')
  const recapture = recaptureOf(captures, captured, authorised?.amount)
  const review = reviewOf(known)
  return {
    kind: 'snapshot',
    isPartial: true,
    handles: paymentId === undefined ? {} : { payment: paymentId, lookup: paymentId },
    stage: stageOf(known, captured, decline !== undefined),
    ...(authorised ? { authorised: authorised.amount } : {}),
    captured,
    refunded: sum(refunds, currency),
    refunds: refunds.map(refundOf),
    refused: [...refusalsOf(captures), ...known.flatMap(cancelRefusal)],
    ...(decline && !authorised ? { decline } : {}),
    ...(disputes.length > 0 ? { disputes } : {}),
    ...(isReturned ? { isReturned } : {}),
    ...(recapture ? { recapture } : {}),
    ...(review ? { review } : {}),
    facts: factsOf(known),
  }
}

/** The payment that counts: the one that we know, else the first that was authorised. */
function paymentOf(reported: readonly Movement[], handles: Handles): string | undefined {
  if (handles.payment !== undefined) return handles.payment
  const inOrder = byTime(reported)
  const named = inOrder.find(({ kind, payment }) => kind === 'authorised' && payment !== undefined)
  return (named ?? inOrder.find(({ kind, payment }) => kind !== 'refused' && payment !== undefined))?.payment
}

/** The reply to our own operation named the movement, under this handle. */
export const operationHandle = (movementId: string): string => `operation:${movementId}`

const named = (movement: Movement, handles: Handles): Movement => {
  const operationKey = movement.operationKey ?? handles[operationHandle(movement.id)]
  return operationKey === undefined ? movement : { ...movement, operationKey }
}

const sum = (all: readonly Settled[], currency: string): Money =>
  money(
    all.reduce((total, { movement, failed }) => (failed ? total : total + movement.amount.minor), 0n),
    currency,
  )

/**
 * A capture failed after it was reported as done, and was not done again. None is missing if all that was
 * reserved is captured by others.
 */
function recaptureOf(
  captures: readonly Settled[],
  captured: Money,
  authorised: Money | undefined,
): Recapture | undefined {
  const missing = captures.findLast(({ wasDone, failed }) => wasDone && failed)
  if (!missing?.failed) return undefined
  const { time: since, problem } = missing.failed
  const isReplaced = authorised && captured.minor + missing.movement.amount.minor > authorised.minor
  return isReplaced ? undefined : { since, ...(problem ? { problem } : {}) }
}

const refundOf = ({ movement, failed }: Settled): RefundSeen => {
  const { id, operationKey, amount } = movement
  return {
    id,
    ...(operationKey === undefined ? {} : { operationKey }),
    amount,
    state: failed ? 'failed' : 'done',
    ...(failed?.problem ? { problem: failed.problem } : {}),
  }
}

/** What was done once is not refused: the provider does it again. */
const refusalsOf = (captures: readonly Settled[]): StepRefused[] =>
  captures.flatMap(({ movement, wasDone, failed }) =>
    failed && !wasDone ? [refusal('capture', movement, failed)] : [],
  )

const cancelRefusal = (movement: Movement): StepRefused[] =>
  movement.kind === 'cancel-failed' ? [refusal('cancel', movement, movement)] : []

const refusal = (
  step: StepRefused['step'],
  { id, operationKey }: Movement,
  { problem }: Movement,
): StepRefused => ({
  ...{ step, id },
  ...(operationKey === undefined ? {} : { operationKey }),
  ...(problem ? { problem } : {}),
})

function stageOf(known: readonly Movement[], captured: Money, isRefused: boolean): Stage {
  const has = (kind: MovementKind): boolean => known.some((movement) => movement.kind === kind)
  if (captured.minor > 0n) return 'captured'
  if (has('cancelled')) return 'cancelled'
  if (has('expired')) return 'expired'
  if (has('authorised')) return 'authorised'
  return isRefused ? 'declined' : 'processing'
}

/** A review ends when a person decided. */
function reviewOf(known: readonly Movement[]): Snapshot['review'] {
  if (known.some(({ kind }) => kind === 'reviewed')) return 'approved'
  return known.some(({ review }) => review === 'open') ? 'open' : undefined
}

/** What later movements say replaces what earlier ones said. */
function factsOf(known: readonly Movement[]): Facts {
  const all = known.flatMap(({ kind, facts }) => (facts && kind !== 'refused' ? [facts] : []))
  const facts: Facts = Object.assign({}, ...all)
  if (!facts.stored || !facts.card) return facts
  // The method and the card may be reported separately.
  return { ...facts, stored: { card: facts.card, ...facts.stored } }
}

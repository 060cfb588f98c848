import { type Money, money } from '../base/money.ts'
import type { Dispute, Facts, Handles, RefundSeen, Snapshot, Stage, StepRefused } from './outcome.ts'

/** How a provider notifies, in its manifest. */
export interface Notified {
  /**
   * Its notifications are not signed and only name an id (`lookup`), with the same bytes for every change.
   * One that names no attempt of the profile is dropped without a trace; the others are followed each time.
   */
  readonly unsignedNotifications?: true
}

/**
 * What one notification says, for a provider that cannot be read: one movement of one payment. The core keeps
 * every movement once and passes all of an attempt to `retrieve`. Their order does not matter.
 */
export interface Movement {
  /** The provider's id. With kind and event it names the movement: the same name again is a repetition. */
  readonly id: string
  readonly kind: MovementKind
  /** What the provider calls the event. */
  readonly event?: string
  /** The provider's id of the payment that it belongs to. */
  readonly payment?: string
  /** The key of our operation that caused it, if the provider repeats it. */
  readonly operationKey?: string
  readonly amount: Money
  /** When it happened, by the provider's clock. */
  readonly time: Date
  /** Why it failed. */
  readonly problem?: string
  /** Of a failure: the provider refused what has this id. It does not take back another movement. */
  readonly isRefusal?: true
  /** Of `refused`. */
  readonly decline?: NonNullable<Snapshot['decline']>
  /** Of `disputed`. */
  readonly dispute?: Dispute
  /** Of `authorised`: the provider reviews the payment. */
  readonly review?: 'open'
  readonly facts?: Facts
}

/**
 * `capture-failed` and `refund-failed` take back a movement that was reported as done, or refuse one that was
 * only accepted. `stored` has the method in its facts. `returned`: the payer's bank took a debit back.
 */
export type MovementKind =
  | 'authorised'
  | 'refused'
  | 'captured'
  | 'capture-failed'
  | 'cancelled'
  | 'cancel-failed'
  | 'expired'
  | 'refunded'
  | 'refund-failed'
  | 'returned'
  | 'disputed'
  | 'reviewed'
  | 'stored'

/**
 * Pure: the payment as far as its movements show it. The result depends on the set of movements only.
 * Undefined while they show nothing.
 */
export function snapshotOf(told: readonly Movement[], handles: Handles): Snapshot | undefined {
  const paymentId = paymentOf(told, handles)
  const ours = byTime(told.filter(({ payment }) => payment === undefined || payment === paymentId))
  const [first] = ours.length > 0 ? ours : byTime(told)
  if (!first) return undefined
  const { currency } = first.amount
  const known = ours.map((movement) => named(movement, handles))
  const authorised = known.find(({ kind }) => kind === 'authorised')
  const captures = settled(known, 'captured', 'capture-failed')
  const captured = sum(captures, currency)
  const refunds = settled(known, 'refunded', 'refund-failed')
  const dispute = disputeOf(known.filter(({ kind }) => kind === 'disputed'))
  const decline = byTime(told).findLast(({ kind }) => kind === 'refused')?.decline
  const isReturned = known.some(({ kind }) => kind === 'returned') || isTakenBack(captures, captured)
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
    ...(dispute ? { disputes: [dispute] } : {}),
    ...(isReturned ? { isReturned } : {}),
    ...(review ? { review } : {}),
    facts: factsOf(known),
  }
}

/** The payment that counts: the one that we know, else the first that was authorised. */
function paymentOf(told: readonly Movement[], handles: Handles): string | undefined {
  if (handles.payment !== undefined) return handles.payment
  const inOrder = byTime(told)
  const named = inOrder.find(({ kind, payment }) => kind === 'authorised' && payment !== undefined)
  return (named ?? inOrder.find(({ kind, payment }) => kind !== 'refused' && payment !== undefined))?.payment
}

const byTime = (told: readonly Movement[]): readonly Movement[] =>
  told.toSorted((one, other) => one.time.getTime() - other.time.getTime() || compare(one, other))
const compare = (one: Movement, other: Movement): number =>
  nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0

/** Under this name a movement counts once. */
export const nameOf = ({ kind, event, id }: Movement): string => `${kind} ${event ?? ''} ${id}`

/** The reply to our own operation named the movement, under this handle. */
export const operationHandle = (movementId: string): string => `operation:${movementId}`

const named = (movement: Movement, handles: Handles): Movement => {
  const operationKey = movement.operationKey ?? handles[operationHandle(movement.id)]
  return operationKey === undefined ? movement : { ...movement, operationKey }
}

interface Settled {
  readonly movement: Movement
  /** It was reported as done, before or after it failed. */
  readonly wasDone: boolean
  readonly failed?: Movement
}

/** Each movement of a kind with its failure. A failure without one refuses what was only accepted. */
function settled(known: readonly Movement[], done: MovementKind, failing: MovementKind): readonly Settled[] {
  const open = known.filter(({ kind }) => kind === failing)
  const found = known
    .filter(({ kind }) => kind === done)
    .map((movement): Settled => {
      const at = open.findIndex((failure) => isFailureOf(failure, movement))
      const [failed] = at < 0 ? [] : open.splice(at, 1)
      return { movement, wasDone: true, ...(failed ? { failed } : {}) }
    })
  const refused: Settled[] = []
  for (const failed of open) {
    // Some failures have an id of their own: they end the last movement of the amount before them.
    const isOfAnother = failed.operationKey === undefined && !failed.isRefusal
    const at = isOfAnother ? lastBefore(found, failed) : -1
    const ended = found[at]
    if (ended) found[at] = { ...ended, failed }
    else refused.push({ movement: failed, wasDone: false, failed })
  }
  return [...found, ...refused]
}

const lastBefore = (found: readonly Settled[], { time, amount }: Movement): number =>
  found.findLastIndex(
    ({ movement, failed }) => !failed && movement.time <= time && movement.amount.minor === amount.minor,
  )

const isFailureOf = (failure: Movement, { id, operationKey }: Movement): boolean =>
  failure.id === id || (operationKey !== undefined && failure.operationKey === operationKey)

const sum = (all: readonly Settled[], currency: string): Money =>
  money(
    all.reduce((total, { movement, failed }) => (failed ? total : total + movement.amount.minor), 0n),
    currency,
  )

/** The only capture failed after it was reported as done. */
const isTakenBack = (captures: readonly Settled[], captured: Money): boolean =>
  captured.minor === 0n && captures.some(({ wasDone }) => wasDone)

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

const refusalsOf = (captures: readonly Settled[]): StepRefused[] =>
  captures.flatMap(({ movement, failed }) => (failed ? [refusal('capture', movement, failed)] : []))

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

/**
 * The last report about each dispute. A decision with an id of its own is about the last open dispute. The
 * dispute that is still open is shown first, then one that was lost.
 */
function disputeOf(reports: readonly Movement[]): Dispute | undefined {
  const disputes = new Map<string, Dispute>()
  const inOrder = reports.toSorted(
    (one, other) => one.time.getTime() - other.time.getTime() || rankOf(one) - rankOf(other),
  )
  for (const { id, dispute } of inOrder) {
    if (!dispute) continue
    const isDecision = dispute.state !== 'open' && !disputes.has(id)
    const about = isDecision ? [...disputes].findLast(([, { state }]) => state !== 'lost')?.[0] : undefined
    const name = about ?? id
    disputes.set(name, { ...disputes.get(name), ...dispute })
  }
  const all = [...disputes.values()]
  const inState = (wanted: Dispute['state']) => all.findLast(({ state }) => state === wanted)
  return inState('open') ?? inState('lost') ?? inState('won')
}

const RANKS = ['open', 'won', 'lost']
const rankOf = ({ dispute }: Movement): number => RANKS.indexOf(dispute?.state ?? '')

/** What later movements say replaces what earlier ones said. */
function factsOf(known: readonly Movement[]): Facts {
  const all = known.flatMap(({ kind, facts }) => (facts && kind !== 'refused' ? [facts] : []))
  const facts: Facts = Object.assign({}, ...all)
  if (!facts.stored || !facts.card) return facts
  // The method and the card may be told apart.
  return { ...facts, stored: { card: facts.card, ...facts.stored } }
}

import type { Money } from '../../base/money.ts'
import type { Dispute, Facts, Snapshot } from '../outcome.ts'

/**
 * What one notification says, for a provider that cannot be read: one movement of one payment. The core keeps
 * every movement once and passes all of an attempt to `retrieve`. Their order does not matter.
 */
export interface Movement {
  /** The provider's id. With kind, event and often time it names the movement: see `nameOf`. */
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
  /** For a failure: the provider refused what has this id. It does not take back another movement. */
  readonly isRefusal?: true
  /** For `captured` and `refunded`: the provider itself repeated one that had failed. */
  readonly isAgain?: true
  /** For `refused`. */
  readonly decline?: NonNullable<Snapshot['decline']>
  /** For `disputed`. */
  readonly dispute?: DisputeReport
  /** For `authorised`: the provider reviews the payment. */
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

/** What one event says about a dispute. */
export interface DisputeReport extends Omit<Dispute, 'state'> {
  /** `undefended`: the time to answer is over, which loses it if money was taken. `same`: nothing changes. */
  readonly state: Dispute['state'] | 'undefended' | 'same'
  /** No money was taken so far. */
  readonly isAnnounced?: true
  /** The order of reports of the same second. */
  readonly stage?: number
}

/** The provider may tell these again under the same id: a capture that it repeats, a dispute that goes on. */
const AGAIN: readonly MovementKind[] = ['captured', 'capture-failed', 'refunded', 'refund-failed', 'disputed']

/** Under this name a movement counts once. The same id with another time is news, where it may come again. */
export function nameOf({ kind, event, id, time, isAgain }: Movement): string {
  const name = `${kind} ${event ?? ''} ${id}`
  return AGAIN.includes(kind) ? `${name} ${time.toISOString()}${isAgain ? ' again' : ''}` : name
}

export const byTime = (reported: readonly Movement[]): readonly Movement[] =>
  reported.toSorted((one, other) => one.time.getTime() - other.time.getTime() || compare(one, other))
const compare = (one: Movement, other: Movement): number =>
  nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0

/** Each movement once. Those of earlier versions were kept under other names. */
export const once = (reported: readonly Movement[]): readonly Movement[] => [
  ...new Map(reported.map((movement) => [nameOf(movement), movement])).values(),
]

import { type Clock, SECOND } from '../../../base/clock.ts'
import { slot } from '../../../node/slot.ts'

/** Payments of this node whose row in `payment_search` is still to be written, by app. */
export interface PendingSearch {
  /** `isMoving`: it is about to change again. */
  add(appId: string, paymentId: number, isMoving?: boolean): void
  has(appId: string): boolean
  /** Removes and returns up to `most` payments, of one app or of any. */
  take(most: number, appId?: string): PendingPayment[]
  /** The same without those that move and may wait. */
  takeArrived(most: number): PendingPayment[]
  /** After a failed write. */
  putBack(payments: readonly PendingPayment[]): void
  count(): number
  /** The writes in progress: a list waits for all of them, as its app may be in any. */
  readonly writing: Set<Promise<unknown>>
}

export interface PendingPayment {
  readonly appId: string
  readonly paymentId: number
}

/** While the database is away nothing can be added either; more than this is left to the catch-up job. */
const MAX_PENDING = 50_000
/**
 * A payment whose operation is running changes again with the provider's answer, nearly always within a
 * second, and a copy writes up to ten index entries. So its row waits for the answer, but no longer than
 * this after the first change that it lacks: lists on other nodes are behind by as much. Decision 0245.
 */
const MOVING_MS = SECOND

interface Change {
  /** Since when its row is old. */
  readonly since: number
  readonly isMoving: boolean
}

function createPendingSearch(clock: Clock): PendingSearch {
  const apps = new Map<string, Map<number, Change>>()
  const now = () => clock.now().getTime()
  let count = 0

  function add(appId: string, paymentId: number, isMoving = false): void {
    const changes = apps.get(appId) ?? new Map<number, Change>()
    const known = changes.get(paymentId)
    if (!known && count >= MAX_PENDING) return
    apps.set(appId, changes)
    changes.set(paymentId, { since: known?.since ?? now(), isMoving })
    if (!known) count++
  }

  function takeFrom(appId: string, most: number, isWanted: (change: Change) => boolean): PendingPayment[] {
    const changes = apps.get(appId) ?? new Map<number, Change>()
    const taken: PendingPayment[] = []
    for (const [paymentId, change] of changes) {
      if (taken.length >= most) break
      if (!isWanted(change)) continue
      changes.delete(paymentId)
      taken.push({ appId, paymentId })
    }
    if (changes.size === 0) apps.delete(appId)
    count -= taken.length
    return taken
  }

  function takeAny(most: number, isWanted: (change: Change) => boolean): PendingPayment[] {
    const taken: PendingPayment[] = []
    for (const appId of [...apps.keys()]) {
      if (taken.length >= most) break
      taken.push(...takeFrom(appId, most - taken.length, isWanted))
    }
    return taken
  }

  return {
    add,
    has: (appId) => apps.has(appId),
    take: (most, appId) =>
      appId === undefined ? takeAny(most, () => true) : takeFrom(appId, most, () => true),
    takeArrived(most) {
      const oldest = now() - MOVING_MS
      return takeAny(most, ({ isMoving, since }) => !isMoving || since <= oldest)
    },
    putBack(payments) {
      for (const { appId, paymentId } of payments) add(appId, paymentId)
    },
    count: () => count,
    writing: new Set(),
  }
}

export const pendingSearch = slot(
  'pendingSearch',
  ({ clock }: { readonly clock: Clock }) => createPendingSearch(clock),
  {
    holds: 'payments to be copied to `payment_search`',
    until: 'the writer, every 250 ms; those that move after a second at most',
    restart: 'nothing: the catch-up job finds them',
  },
)

import { slot } from '../../../node/slot.ts'

/** Payments of this node whose row in `payment_search` is still to be written, by app. */
export interface PendingSearch {
  add(appId: string, paymentId: number): void
  has(appId: string): boolean
  /** Removes and returns up to `most` payments, of one app or of any. */
  take(most: number, appId?: string): PendingPayment[]
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

function createPendingSearch(): PendingSearch {
  const apps = new Map<string, Set<number>>()
  let count = 0

  function add(appId: string, paymentId: number): void {
    if (count >= MAX_PENDING) return
    const ids = apps.get(appId) ?? new Set()
    apps.set(appId, ids)
    if (ids.has(paymentId)) return
    ids.add(paymentId)
    count++
  }

  function takeFrom(appId: string, most: number): PendingPayment[] {
    const ids = apps.get(appId)
    if (!ids) return []
    const taken = [...ids].slice(0, most)
    for (const id of taken) ids.delete(id)
    if (ids.size === 0) apps.delete(appId)
    count -= taken.length
    return taken.map((paymentId) => ({ appId, paymentId }))
  }

  return {
    add,
    has: (appId) => apps.has(appId),
    take(most, appId) {
      if (appId !== undefined) return takeFrom(appId, most)
      const taken: PendingPayment[] = []
      for (const each of [...apps.keys()]) {
        if (taken.length >= most) break
        taken.push(...takeFrom(each, most - taken.length))
      }
      return taken
    },
    putBack(payments) {
      for (const { appId, paymentId } of payments) add(appId, paymentId)
    },
    count: () => count,
    writing: new Set(),
  }
}

export const pendingSearch = slot('pendingSearch', createPendingSearch, {
  holds: 'payments to be copied to `payment_search`',
  until: 'the writer, every 250 ms',
  restart: 'nothing: the catch-up job finds them',
})

import type pg from 'pg'
import { systemClock } from '../base/clock.ts'
import { addressesOf, findWritable } from './addresses.ts'

/** The current writable server. With a single address there is no search. Decision 0076. */
export interface Servers {
  pool(): Promise<pg.Pool>
  /** Undefined until a server was found. */
  currentPool(): pg.Pool | undefined
  /** For connections outside the pool. */
  address(): Promise<string>
  /** A statement found the server away or read-only: searches for the writable one again. */
  searchPrimary(): void
  close(): Promise<void>
}

interface ServersOptions {
  readonly url: string
  readonly openPool: (address: string) => pg.Pool
  /** Called when another server has become the writable one. */
  readonly onMove: () => void
}

/** The shortest interval between two searches. */
const SEARCH_MS = 250

export function createServers({ url, openPool, onMove }: ServersOptions): Servers {
  const addresses = addressesOf(url)
  const known = new Map<string, pg.Pool>()
  let current = addresses.length > 1 ? undefined : (addresses[0] ?? url)
  let searching: Promise<string> | undefined
  let closed = false

  /** One search at a time, shared by all callers. */
  function search(): Promise<string> {
    searching ??= findWritable(addresses)
      .then(move)
      .finally(() => systemClock.sleep(SEARCH_MS).then(forgetSearch))
    return searching
  }

  function forgetSearch(): void {
    searching = undefined
  }

  function move(address: string): string {
    const before = current
    current = address
    if (before === undefined || before === address) return address
    // Not awaited: statements on a hanging server end by their own timeout.
    known
      .get(before)
      ?.end()
      .catch(() => {})
    known.delete(before)
    onMove()
    return address
  }

  const address = async (): Promise<string> => current ?? (await search())

  return {
    address,
    async pool() {
      const at = current ?? (await search())
      const pool = known.get(at) ?? openPool(at)
      known.set(at, pool)
      return pool
    },
    currentPool: () => (current === undefined ? undefined : known.get(current)),
    searchPrimary() {
      if (addresses.length > 1 && !closed) search().catch(() => {})
    },
    async close() {
      closed = true
      await Promise.all([...known.values()].map((pool) => pool.end()))
    },
  }
}

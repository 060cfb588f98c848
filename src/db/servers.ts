import type pg from 'pg'
import { systemClock } from '../base/clock.ts'
import { addressesOf, findWritable } from './addresses.ts'

/** The server that takes writes, wherever it is now. With one address there is nothing to choose. */
export interface Servers {
  pool(): Promise<pg.Pool>
  /** For connections outside of the pool. */
  address(): Promise<string>
  /** A statement found the server away or no longer taking writes: it may have moved. */
  doubt(): void
  close(): Promise<void>
}

interface ServersOptions {
  readonly url: string
  readonly openPool: (address: string) => pg.Pool
  /** Another server than before takes writes. */
  readonly onMove: () => void
}

/** While no server takes writes: often enough to be back soon, seldom enough not to keep one busy. */
const LOOK_MS = 250

export function createServers({ url, openPool, onMove }: ServersOptions): Servers {
  const addresses = addressesOf(url)
  const known = new Map<string, pg.Pool>()
  let current = addresses.length > 1 ? undefined : (addresses[0] ?? url)
  let looking: Promise<string> | undefined
  let closed = false

  /** One look at a time, however many wait for it. */
  function look(): Promise<string> {
    looking ??= findWritable(addresses)
      .then(move)
      .finally(() => systemClock.sleep(LOOK_MS).then(forgetLook))
    return looking
  }

  function forgetLook(): void {
    looking = undefined
  }

  function move(address: string): string {
    const before = current
    current = address
    if (before === undefined || before === address) return address
    // Not waited for: statements on a server that hangs end by their own time limit.
    known
      .get(before)
      ?.end()
      .catch(() => {})
    known.delete(before)
    onMove()
    return address
  }

  const address = async (): Promise<string> => current ?? (await look())

  return {
    address,
    async pool() {
      const at = current ?? (await look())
      const pool = known.get(at) ?? openPool(at)
      known.set(at, pool)
      return pool
    },
    doubt() {
      if (addresses.length > 1 && !closed) look().catch(() => {})
    },
    async close() {
      closed = true
      await Promise.all([...known.values()].map((pool) => pool.end()))
    },
  }
}

import { after, type Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { Http } from '../../net/http.ts'
import type { Keys } from './keys.ts'
import type { Account, VersionedPayment } from './store.ts'
import type { Views } from './view.ts'

/** Dependencies shared by all parts of the bank. */
export interface BankContext {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly http: Http
  readonly keys: Keys
  readonly views: Views
  readonly cache: BankCache
  /** Called after a change that leaves work for the bank's job: a notification, or a later change. */
  readonly onWork: Set<() => void>
}

/**
 * Per-process cache of accounts and payments. It saves a read before nearly every write. Stale entries are
 * harmless: the database rejects a change that is based on one, and the decision is repeated.
 */
export interface BankCache {
  readonly accounts: Cache<Account>
  readonly payments: Cache<VersionedPayment>
  /** Number of notifications in flight. */
  sending: number
}

interface Cache<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

const CACHE_ENTRIES = 5_000

export function createBankCache(): BankCache {
  return { accounts: createCache(), payments: createCache(), sending: 0 }
}

/** Evicts the oldest entry when full. */
function createCache<T>(): Cache<T> {
  const entries = new Map<string, T>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > CACHE_ENTRIES) entries.delete(entries.keys().next().value as string)
    },
  }
}

export const paymentKey = (account: string, paymentId: string): string => `${account} ${paymentId}`

export const accountNow = (
  bank: Pick<BankContext, 'clock'>,
  { clockOffsetMs }: Pick<Account, 'clockOffsetMs'>,
): Date => after(bank.clock.now(), clockOffsetMs)

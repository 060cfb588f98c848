import { after, type Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { Http } from '../../net/http.ts'
import type { Keys } from './keys.ts'
import type { Account, VersionedPayment } from './store.ts'
import type { Views } from './view.ts'

/** All that the bank's parts share. */
export interface BankContext {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly http: Http
  readonly keys: Keys
  readonly views: Views
  readonly cache: BankCache
}

/**
 * What this process last saw. Never believed: a change written on an old cache is refused by the database
 * and decided again. It spares a read before nearly every write.
 */
export interface BankCache {
  readonly accounts: Cache<Account>
  readonly payments: Cache<VersionedPayment>
  /** Notifications that are being sent. */
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

/** The oldest entry makes room for the newest. */
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

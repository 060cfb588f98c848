import { LIMITS } from '../base/limits.ts'
import { ago, type Due, type Queryable, sql } from '../db/database.ts'

/** The stored state of a key. */
export interface KnownKey {
  readonly fingerprint: Uint8Array
  /** Null while the first request runs. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
}

export interface KeyClaim {
  readonly scope: string
  readonly key: string
  readonly fingerprint: Uint8Array
  readonly now: Date
  /** Also identifies the claim: a later claim of the same key has another value. */
  readonly lockedUntil: Date
  /** Older keys count as unused. */
  readonly keptSince: Date
}

const CLAIM = sql<{ claimed: boolean }>(
  'idempotency.claim',
  `insert into idempotency_keys as k (app_id, idempotency_key, fingerprint, created_time, locked_until)
   values ($1, $2, $3, $4, $5)
   on conflict (app_id, idempotency_key) do update set fingerprint = excluded.fingerprint, status = null,
     headers = null, body = null, created_time = excluded.created_time, locked_until = excluded.locked_until
   where k.created_time < $6
     or (k.status is null and k.locked_until <= $4 and k.fingerprint = excluded.fingerprint)
   returning true as claimed`,
)

const FIND = sql<KnownKey>(
  'idempotency.find',
  `select fingerprint, status, headers, body from idempotency_keys
   where app_id = $1 and idempotency_key = $2`,
)

const COMPLETE = sql<never>(
  'idempotency.complete',
  `update idempotency_keys set status = $4, headers = $5, body = $6
   where app_id = $1 and idempotency_key = $2 and locked_until = $3 and status is null`,
)

const RELEASE = sql<never>(
  'idempotency.release',
  `delete from idempotency_keys
   where app_id = $1 and idempotency_key = $2 and locked_until = $3 and status is null`,
)

export const keysDue: Due = (now) =>
  `idempotency_keys where created_time < ${ago(now, LIMITS.idempotencyKeptMs)}`

const FORGET = sql<{ idempotencyKey: string }>(
  'idempotency.forget',
  `delete from idempotency_keys k using (
     select app_id, idempotency_key from ${keysDue('$1::timestamptz')}
     order by created_time limit $2 for update skip locked) old
   where k.app_id = old.app_id and k.idempotency_key = old.idempotency_key
   returning k.idempotency_key`,
)

/** True when the key was claimed: it was new, expired, or left locked by a request that crashed. */
export async function claimKey(db: Queryable, claim: KeyClaim): Promise<boolean> {
  const { scope, key, fingerprint, now, lockedUntil, keptSince } = claim
  return (await db.query(CLAIM, [scope, key, fingerprint, now, lockedUntil, keptSince])).length > 0
}

export const findIdempotencyKey = async (
  db: Queryable,
  { scope, key }: KeyClaim,
): Promise<KnownKey | undefined> => (await db.query(FIND, [scope, key]))[0]

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export async function completeKey(db: Queryable, claim: KeyClaim, answer: StoredAnswer): Promise<void> {
  const { scope, key, lockedUntil } = claim
  await db.query(COMPLETE, [scope, key, lockedUntil, answer.status, answer.headers, answer.body])
}

export async function releaseKey(db: Queryable, { scope, key, lockedUntil }: KeyClaim): Promise<void> {
  await db.query(RELEASE, [scope, key, lockedUntil])
}

export const forgetKeys = async (db: Queryable, now: Date, limit: number): Promise<number> =>
  (await db.query(FORGET, [now, limit])).length

import { type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff, fairClaim, type Share } from '../../db/fair-claim.ts'

const ERASE = sql<{ customerId: string }>(
  'customers.erase',
  `update customers set first_name = null, last_name = null, email = null, mobile_number = null,
     extras = null, erased_time = $3
   where app_id = $1 and customer_id = $2 returning customer_id`,
)

// The label and the card of a method tell little, but nothing needs them any more.
const ERASE_METHODS = sql<never>(
  'customers.erase_methods',
  `update payment_methods set removed_time = coalesce(removed_time, $3), is_default = false, label = kind,
     fingerprint = null, card = null, nickname = null, consent_ip = null
   where app_id = $1 and customer_id = $2`,
)

// The token moves to the queue of the job that tells the provider. `$4` is an empty token, sealed.
const QUEUE_TOKENS = sql<{ tokenId: number }>(
  'customers.queue_tokens',
  `with tokens as (
     select t.app_id, t.token_id, t.profile_id, t.token
     from payment_methods m join payment_method_tokens t
       on t.app_id = m.app_id and t.payment_method_id = m.payment_method_id
     where m.app_id = $1 and m.customer_id = $2 and t.is_forgotten is not true
     for update of t
   ), gone as (
     update payment_method_tokens t
     set removed_time = coalesce(t.removed_time, $3), token = $4, token_hash = null, is_forgotten = true
     from tokens k where t.app_id = k.app_id and t.token_id = k.token_id
   )
   insert into method_removals (app_id, token_id, profile_id, token, created_time, due_time)
   select app_id, token_id, profile_id, token, $3, $5 from tokens
   on conflict (app_id, token_id) do nothing returning token_id`,
)

const END_SESSIONS = sql<never>(
  'customers.erase_sessions',
  'delete from panel_sessions where app_id = $1 and customer_id = $2',
)

const END_KEEPINGS = sql<never>(
  'customers.erase_keepings',
  'delete from method_keepings where app_id = $1 and customer_id = $2',
)

export interface RecordErasure {
  readonly customerId: string
  readonly erasedTime: Date
  /** Real time. */
  readonly now: Date
  readonly emptyToken: Uint8Array
}

/** False when there is no such customer. */
export async function eraseRecord(tx: Queryable, appId: string, erasure: RecordErasure): Promise<boolean> {
  const { customerId, erasedTime, now, emptyToken } = erasure
  const found = await tx.query(ERASE, [appId, customerId, erasedTime])
  if (found.length === 0) return false
  await tx.query(QUEUE_TOKENS, [appId, customerId, erasedTime, emptyToken, now])
  await tx.query(ERASE_METHODS, [appId, customerId, erasedTime])
  await tx.query(END_SESSIONS, [appId, customerId])
  await tx.query(END_KEEPINGS, [appId, customerId])
  return true
}

/** A token that a provider still has to forget. */
export interface Removal {
  readonly appId: string
  readonly tokenId: number
  readonly profileId: number
  /** Sealed. */
  readonly token: Uint8Array
  readonly tries: number
}

export const removalsDue: Due = (now) => `method_removals where due_time <= ${now}`

const PAUSES = { firstMs: 60_000, longestMs: 24 * 3_600_000 }

// The claim sets the time of the next try: an answer that is lost needs no further write.
const CLAIMED = fairClaim({ rows: removalsDue('$1'), key: 'app_id, token_id' })
const CLAIM = sql<Removal>(
  'customers.claim_removals',
  `update method_removals set tries = tries + 1, due_time = ${backOff('$1', 'tries', PAUSES)}
   where (app_id, token_id) in (select app_id, token_id from (${CLAIMED}) claimed)
   returning app_id, token_id, profile_id, token, tries`,
)

export const claimRemovals = (db: Queryable, now: Date, share: Share): Promise<Removal[]> =>
  db.query(CLAIM, [now, JSON.stringify(share)])

const END_REMOVAL = sql<never>(
  'customers.end_removal',
  'delete from method_removals where app_id = $1 and token_id = $2',
)

export async function endRemoval(db: Queryable, { appId, tokenId }: Removal): Promise<void> {
  await db.query(END_REMOVAL, [appId, tokenId])
}

// The replaced token keeps a removed row, so that a late report of it is recognised.
const QUEUE_REPLACED = sql<never>(
  'customers.queue_replaced',
  `with old as (
     insert into payment_method_tokens (app_id, payment_method_id, profile_id, token, created_time,
       removed_time)
     select app_id, payment_method_id, profile_id, token, created_time, $3
     from payment_method_tokens where app_id = $1 and token_id = $2
     returning app_id, token_id, profile_id, token
   )
   insert into method_removals (app_id, token_id, profile_id, token, created_time, due_time)
   select app_id, token_id, profile_id, token, $3, $4 from old`,
)

interface Replaced {
  readonly tokenId: number
  readonly removedTime: Date
  /** Real time. */
  readonly now: Date
}

/** Before the row gets its new token. */
export async function queueReplaced(tx: Queryable, appId: string, replaced: Replaced): Promise<void> {
  const { tokenId, removedTime, now } = replaced
  await tx.query(QUEUE_REPLACED, [appId, tokenId, removedTime, now])
}

const NOTE_HASH = sql<never>(
  'customers.note_token_hash',
  'update payment_method_tokens set token_hash = $3 where app_id = $1 and token_id = $2',
)

export async function noteHash(tx: Queryable, appId: string, tokenId: number, hash: Uint8Array) {
  await tx.query(NOTE_HASH, [appId, tokenId, hash])
}

// A method without another registration is removed with it. Both parts see the rows as they were before.
const REMOVE_BY_HASH = sql<{ customerId: string; paymentMethodId: number }>(
  'customers.remove_by_hash',
  `with gone as (
     update payment_method_tokens set removed_time = $4
     where app_id = $1 and profile_id = $2 and token_hash = $3 and removed_time is null
     returning app_id, token_id, payment_method_id
   ), methods as (
     update payment_methods m set removed_time = $4, is_default = false from gone g
     where m.app_id = g.app_id and m.payment_method_id = g.payment_method_id and m.removed_time is null
       and not exists (select from payment_method_tokens t where t.app_id = m.app_id
         and t.payment_method_id = m.payment_method_id and t.removed_time is null
         and t.token_id <> g.token_id)
   )
   select m.customer_id, m.payment_method_id from gone g join payment_methods m
     on m.app_id = g.app_id and m.payment_method_id = g.payment_method_id`,
)

interface RemovedThere {
  readonly profileId: number
  readonly hash: Uint8Array
  readonly removedTime: Date
}

/** The methods whose registration had this token. */
export async function removeByHash(tx: Queryable, appId: string, removed: RemovedThere) {
  const { profileId, hash, removedTime } = removed
  return await tx.query(REMOVE_BY_HASH, [appId, profileId, hash, removedTime])
}

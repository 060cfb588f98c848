import { LIMITS } from '../base/limits.ts'
import { ago, batchSql, type Database, type Due, type Queryable, sql } from '../db/database.ts'
import { backOff, fairClaim, type Share } from '../db/fair-claim.ts'
import { inputRows } from '../db/input.ts'
import type { StoredHint } from './hints.ts'

/** A received call without the webhookKey of its URL. */
export interface StoredCall {
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
}

export interface NotificationKey {
  readonly appId: string
  readonly profileId: number
  readonly digest: Uint8Array
}

/** A notification to process: verified, with its events, or still to be verified. */
export interface Notification extends NotificationKey {
  readonly receivedTime: Date
  readonly hints: readonly StoredHint[] | null
  readonly call: StoredCall | null
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const nameJson = ({ appId, profileId, digest }: NotificationKey) => ({
  app_id: appId,
  profile_id: profileId,
  digest: base64(digest),
})
const keyOf = ({ profileId, digest }: NotificationKey): string => `${profileId} ${base64(digest)}`

interface Arrival extends NotificationKey {
  readonly now: Date
  readonly status: 'new' | 'done' | 'forged' | 'ignored'
  /** When the job may process it. */
  readonly due: Date | null
  readonly hints: readonly StoredHint[] | null
  readonly call: StoredCall | null
}

/** known: the same bytes are stored already; unverified: they are stored and not verified yet. */
export type StoreResult = 'kept' | 'known' | 'unverified'

/** Decision 0098. */
const KEEP = batchSql<Arrival, { kept: StoreResult }>({
  name: 'inbound.keep',
  key: keyOf,
  encode: (arrival) => {
    const { now, status, due, hints, call } = arrival
    const body = call && base64(call.body)
    const { headers = null, url = null } = call ?? {}
    return JSON.stringify({ now, status, due, hints, headers, url, body, ...nameJson(arrival) })
  },
  text: `with input as materialized (
      select *, decode(digest, 'base64') as hash from ${inputRows(`app_id text, profile_id bigint,
        digest text, now timestamptz, status text, due timestamptz, hints json, headers json, url text,
        body text`)}
    ), kept as (
      insert into provider_notifications as n
        (app_id, profile_id, digest, received_time, status, due_time, hints, headers, url, body)
      select app_id, profile_id, hash, now, status, due, hints, headers, url, decode(body, 'base64')
      from input
      on conflict (app_id, profile_id, digest) do update
        set status = excluded.status, due_time = excluded.due_time, hints = excluded.hints,
          headers = excluded.headers, url = excluded.url, body = excluded.body
        where excluded.status in ('new', 'done') and (n.status = 'forged'
          or n.status = 'new' and n.hints is null
            and (excluded.hints is not null or excluded.status = 'done'))
      returning app_id, profile_id, digest
    )
    select i.n, case when k.digest is not null then 'kept'
      when exists (select from provider_notifications p
        where p.app_id = i.app_id and p.profile_id = i.profile_id and p.digest = i.hash
          and p.status = 'new' and p.hints is null) then 'unverified' else 'known' end as kept
    from input i left join kept k
      on k.app_id = i.app_id and k.profile_id = i.profile_id and k.digest = i.hash`,
})

/**
 * Stores a call. One that was rejected as forged is stored again when it verifies, because an attacker may
 * send the bytes of a genuine call first, with a wrong signature.
 */
export async function keepNotification(db: Database, arrival: Arrival): Promise<StoreResult> {
  return (await db.batch(KEEP, arrival))?.kept ?? 'known'
}

const KEEP_AGAIN = batchSql<Arrival, { receivedTime: Date; isFollowed: boolean }>({
  name: 'inbound.keepAgain',
  key: keyOf,
  encode: (arrival) => {
    const { now, due, hints } = arrival
    return JSON.stringify({ now, due, hints, ...nameJson(arrival) })
  },
  text: `with input as materialized (
      select *, decode(digest, 'base64') as hash from ${inputRows(`app_id text, profile_id bigint,
        digest text, now timestamptz, due timestamptz, hints json`)}
    ), before as materialized (
      select i.n, p.status from input i join provider_notifications p
        on p.app_id = i.app_id and p.profile_id = i.profile_id and p.digest = i.hash
      for update of p
    ), kept as (
      insert into provider_notifications as p
        (app_id, profile_id, digest, received_time, status, due_time, hints)
      select i.app_id, i.profile_id, i.hash, i.now, 'new', i.due, i.hints
      from input i left join before b on b.n = i.n
      on conflict (app_id, profile_id, digest) do update
        set status = 'new', hints = excluded.hints, tries = 0,
          due_time = case when p.status = 'new' then least(p.due_time, excluded.due_time)
            else excluded.due_time end,
          received_time = greatest(excluded.received_time, p.received_time + interval '1 millisecond')
      returning app_id, profile_id, digest, received_time
    )
    select i.n, k.received_time, coalesce(b.status = 'new', false) as is_followed
    from input i join kept k
      on k.app_id = i.app_id and k.profile_id = i.profile_id and k.digest = i.hash
    left join before b on b.n = i.n`,
})

/**
 * Stores a call of a provider whose calls have the same bytes for every change: there is one row for all of
 * them. The time that is returned is new for each. While an earlier one is being followed, the result is
 * undefined: that one may have read the provider before the change, so the job follows this one. The row is
 * locked before its status is read: an earlier one that is just ending is no longer being followed.
 */
export async function keepRepeated(db: Database, arrival: Arrival): Promise<Date | undefined> {
  const row = await db.batch(KEEP_AGAIN, arrival)
  return row && !row.isFollowed ? row.receivedTime : undefined
}

const VERIFIED = sql<never>(
  'inbound.verified',
  `update provider_notifications set hints = $4, headers = null, url = null, body = null
   where app_id = $1 and profile_id = $2 and digest = $3 and status = 'new'`,
)

/** Keeps the events and deletes the call. */
export async function noteVerified(
  db: Queryable,
  name: NotificationKey,
  hints: readonly StoredHint[],
): Promise<void> {
  await db.query(VERIFIED, [name.appId, name.profileId, name.digest, JSON.stringify(hints)])
}

type End = 'done' | 'forged' | 'ignored' | 'exhausted'

interface Ended extends NotificationKey {
  readonly status: End
  readonly receivedTime: Date | null
}

const END = batchSql<Ended, { receivedTime: Date }>({
  name: 'inbound.end',
  key: keyOf,
  encode: (ended) =>
    JSON.stringify({ ...nameJson(ended), status: ended.status, received: ended.receivedTime }),
  text: `with input as materialized (
      select *, decode(digest, 'base64') as hash
      from ${inputRows('app_id text, profile_id bigint, digest text, status text, received timestamptz')}
    ), current as materialized (
      select i.n, i.status, i.received, p.app_id, p.profile_id, p.digest, p.received_time
      from input i join provider_notifications p
        on p.app_id = i.app_id and p.profile_id = i.profile_id and p.digest = i.hash
      for update of p
    ), ended as (
      update provider_notifications p
      set status = c.status, due_time = null, hints = null, headers = null, url = null, body = null
      from current c
      where p.app_id = c.app_id and p.profile_id = c.profile_id and p.digest = c.digest
        and (c.received is null or c.received_time = c.received)
      returning c.n
    )
    select n, received_time from current where n not in (select n from ended)`,
})

/**
 * Not if the same call has come again since `receivedTime`: then the result is when it came. The row is
 * locked before this is compared, because the same call may be coming at this moment.
 */
export async function endNotification(
  db: Database,
  {
    appId,
    profileId,
    digest,
    receivedTime = null,
  }: NotificationKey & { readonly receivedTime?: Date | null },
  status: End,
): Promise<Date | undefined> {
  return (await db.batch(END, { appId, profileId, digest, receivedTime, status }))?.receivedTime
}

const MARK_UNMATCHED = sql<{ digest: Uint8Array }>(
  'inbound.markUnmatched',
  `update provider_notifications set is_unmatched = true
   where app_id = $1 and profile_id = $2 and digest = $3 and status = 'new' and not is_unmatched
   returning digest`,
)

const DROP_UNMATCHED = sql<never>(
  'inbound.dropUnmatched',
  `with oldest as materialized (
     select digest from provider_notifications
     where app_id = $1 and profile_id = $2 and is_unmatched and status = 'new'
     order by received_time desc offset $3
   ), locked as (
     select digest from provider_notifications
     where app_id = $1 and profile_id = $2 and digest in (select digest from oldest) for update skip locked
   )
   update provider_notifications p set status = 'ignored', due_time = null, hints = null
   from locked where p.app_id = $1 and p.profile_id = $2 and p.digest = locked.digest`,
)

/** Keeps a notification of a payment that is not known yet, and ends the oldest ones above `most`. */
export async function keepUnmatched(
  db: Queryable,
  { appId, profileId, digest }: NotificationKey,
  most: number = LIMITS.unmatchedNotifications,
): Promise<void> {
  const marked = await db.query(MARK_UNMATCHED, [appId, profileId, digest])
  if (marked.length > 0) await db.query(DROP_UNMATCHED, [appId, profileId, most])
}

export const notificationsDue: Due = (now) =>
  `provider_notifications where status = 'new' and due_time <= ${now}`

const PAUSES = { firstMs: LIMITS.notificationPauseMs, longestMs: LIMITS.notificationLongestPauseMs }
const KEY = 'app_id, profile_id, digest'

/** The members of the call are null when it was verified. */
interface ClaimedNotification extends Omit<Notification, 'call'> {
  readonly call: StoredCall | { readonly body: null }
}

const CLAIM = sql<ClaimedNotification>(
  'inbound.claim',
  `update provider_notifications set due_time = ${backOff('$1', 'tries', PAUSES)}, tries = tries + 1
   where (${KEY}) in (select ${KEY} from (${fairClaim({ rows: notificationsDue('$1'), key: KEY })}) claimed)
   returning ${KEY}, received_time, hints, headers as "call.headers", url as "call.url", body as "call.body"`,
)

/** Claims due notifications. Each becomes due again after a growing pause unless it has ended. */
export async function claimDueNotifications(
  db: Queryable,
  at: { now: Date; share: Share },
): Promise<Notification[]> {
  const rows = await db.query(CLAIM, [at.now, JSON.stringify(at.share)])
  return rows.map(({ call, ...row }) => ({ ...row, call: call.body === null ? null : call }))
}

export const oldNotificationsDue: Due = (now) =>
  `provider_notifications where status <> 'new'
     and received_time < ${ago(now, LIMITS.notificationsKeptMs)}`

const REMOVE = sql<{ digest: Uint8Array }>(
  'inbound.remove',
  `delete from provider_notifications p using (
     select ${KEY} from ${oldNotificationsDue('$1::timestamptz')}
     order by received_time limit $2 for update skip locked) old
   where p.app_id = old.app_id and p.profile_id = old.profile_id and p.digest = old.digest
   returning p.digest`,
)

export const removeOldNotifications = async (db: Queryable, now: Date, limit: number): Promise<number> =>
  (await db.query(REMOVE, [now, limit])).length

/** Notifications ended by an earlier version that kept the call. */
export const unblankedNotificationsDue: Due = () =>
  `provider_notifications where status <> 'new' and body is not null`

const BLANK = sql<{ digest: Uint8Array }>(
  'inbound.blank',
  `update provider_notifications p set headers = null, url = null, body = null from (
     select ${KEY} from ${unblankedNotificationsDue('')}
     order by received_time limit $1 for update skip locked) old
   where p.app_id = old.app_id and p.profile_id = old.profile_id and p.digest = old.digest
   returning p.digest`,
)

export const blankNotifications = async (db: Queryable, limit: number): Promise<number> =>
  (await db.query(BLANK, [limit])).length

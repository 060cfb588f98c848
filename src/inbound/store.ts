import { batchSql, type Database, type Due, type Queryable, sql } from '../db/database.ts'
import { inputRows } from '../db/input.ts'

export interface Notification {
  readonly appId: string
  readonly profileId: number
  readonly digest: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
  readonly receivedTime: Date
  readonly tries: number
}

interface NotificationRow {
  app_id: string
  profile_id: string
  digest: Uint8Array
  headers: Record<string, string>
  url: string
  body: Uint8Array
  received_time: Date
  tries: number
}

const ROW = 'app_id, profile_id, digest, headers, url, body, received_time, tries'

const notificationOf = (row: NotificationRow): Notification => ({
  appId: row.app_id,
  profileId: Number(row.profile_id),
  digest: row.digest,
  headers: row.headers,
  url: row.url,
  body: row.body,
  receivedTime: row.received_time,
  tries: row.tries,
})

type Name = Pick<Notification, 'appId' | 'profileId' | 'digest'>

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const nameJson = ({ appId, profileId, digest }: Name) => ({
  app_id: appId,
  profile_id: profileId,
  digest: base64(digest),
})
const keyOf = ({ profileId, digest }: Name): string => `${profileId} ${base64(digest)}`

interface Keeping extends Omit<Notification, 'tries'> {
  readonly due: Date
}

const KEEP = batchSql<Keeping, { n: number }>({
  name: 'inbound.keep',
  key: keyOf,
  encode: (kept) => {
    const { receivedTime: now, due, headers, url, body } = kept
    return JSON.stringify({ ...nameJson(kept), now, due, headers, url, body: base64(body) })
  },
  text: `with input as (
      select *, decode(digest, 'base64') as hash from ${inputRows(`app_id text, profile_id bigint,
        digest text, now timestamptz, due timestamptz, headers json, url text, body text`)}
    ), kept as (
      insert into provider_notifications as n
        (app_id, profile_id, digest, received_time, headers, url, body, status, due_time)
      select app_id, profile_id, hash, now, headers, url, decode(body, 'base64'), 'new', due from input
      on conflict (app_id, profile_id, digest) do update
        set headers = excluded.headers, url = excluded.url, status = 'new', due_time = excluded.due_time
        where n.status = 'forged'
      returning app_id, profile_id, digest
    )
    select i.n from input i
      join kept k on k.app_id = i.app_id and k.profile_id = i.profile_id and k.digest = i.hash`,
})

/**
 * Stores the raw call. False: the same call is here already. One that was taken for forged is looked at
 * again, because a stranger may have sent the bytes of a genuine one before its sender did.
 */
export async function keepNotification(
  db: Database,
  notification: Omit<Notification, 'tries'>,
  due: Date,
): Promise<boolean> {
  return (await db.batch(KEEP, { ...notification, due })) !== undefined
}

type End = 'done' | 'forged' | 'ignored'

const END = batchSql<Name & { readonly status: End }, { n: number }>({
  name: 'inbound.end',
  key: keyOf,
  encode: (ended) => JSON.stringify({ ...nameJson(ended), status: ended.status }),
  text: `with input as materialized (
      select *, decode(digest, 'base64') as hash
      from ${inputRows('app_id text, profile_id bigint, digest text, status text')})
    update provider_notifications p set status = i.status, due_time = null from input i
    where p.app_id = i.app_id and p.profile_id = i.profile_id and p.digest = i.hash
    returning i.n`,
})

export async function endNotification(db: Database, { appId, profileId, digest }: Name, status: End) {
  await db.batch(END, { appId, profileId, digest, status })
}

export const notificationsDue: Due = (now) =>
  `provider_notifications where status = 'new' and due_time <= ${now}`

const CLAIM = sql<NotificationRow>(
  'inbound.claim',
  `update provider_notifications set due_time = $2, tries = tries + 1
   where (app_id, profile_id, digest) in (
     select app_id, profile_id, digest from ${notificationsDue('$1')} order by due_time limit $3
     for update skip locked)
   returning ${ROW}`,
)

export async function claimDueNotifications(
  db: Queryable,
  at: { now: Date; until: Date; limit: number },
): Promise<Notification[]> {
  const rows = await db.query(CLAIM, [at.now, at.until, at.limit])
  return rows.map(notificationOf)
}

import { type Queryable, sql } from '../db/database.ts'

export interface Notification {
  readonly appId: string
  readonly profileId: number
  readonly digest: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
  readonly tries: number
}

interface NotificationRow {
  app_id: string
  profile_id: string
  digest: Uint8Array
  headers: Record<string, string>
  url: string
  body: Uint8Array
  tries: number
}

const ROW = 'app_id, profile_id, digest, headers, url, body, tries'

const notificationOf = (row: NotificationRow): Notification => ({
  appId: row.app_id,
  profileId: Number(row.profile_id),
  digest: row.digest,
  headers: row.headers,
  url: row.url,
  body: row.body,
  tries: row.tries,
})

const APP_OF_PROFILE = sql<{ app_id: string }>(
  'inbound.appOfProfile',
  'select app_id from payment_profiles where profile_id = $1',
)

export async function findAppOfProfile(db: Queryable, profileId: number): Promise<string | undefined> {
  const [row] = await db.query(APP_OF_PROFILE, [profileId])
  return row?.app_id
}

const KEEP = sql<{ is_new: boolean }>(
  'inbound.keep',
  `insert into provider_notifications as n
     (app_id, profile_id, digest, received_time, headers, url, body, status, due_time)
   values ($1, $2, $3, $4, $5, $6, $7, 'new', $8)
   on conflict (app_id, profile_id, digest) do update
     set headers = excluded.headers, url = excluded.url, status = 'new', due_time = excluded.due_time
     where n.status = 'forged'
   returning true as is_new`,
)

/**
 * Stores the raw call. False: the same call is here already. One that was taken for forged is looked at
 * again, because a stranger may have sent the bytes of a genuine one before its sender did.
 */
export async function keepNotification(
  db: Queryable,
  n: Omit<Notification, 'tries'>,
  at: { now: Date; due: Date },
): Promise<boolean> {
  const values = [n.appId, n.profileId, n.digest, at.now, JSON.stringify(n.headers), n.url, n.body, at.due]
  return (await db.query(KEEP, values)).length > 0
}

const END = sql(
  'inbound.end',
  `update provider_notifications set status = $4, due_time = null
   where app_id = $1 and profile_id = $2 and digest = $3`,
)

export async function endNotification(
  db: Queryable,
  n: Pick<Notification, 'appId' | 'profileId' | 'digest'>,
  status: 'done' | 'forged' | 'ignored',
): Promise<void> {
  await db.query(END, [n.appId, n.profileId, n.digest, status])
}

const CLAIM = sql<NotificationRow>(
  'inbound.claim',
  `update provider_notifications set due_time = $2, tries = tries + 1
   where (app_id, profile_id, digest) in (
     select app_id, profile_id, digest from provider_notifications
     where status = 'new' and due_time <= $1
     order by due_time limit $3 for update skip locked)
   returning ${ROW}`,
)

export async function claimDueNotifications(
  db: Queryable,
  at: { now: Date; until: Date; limit: number },
): Promise<Notification[]> {
  const rows = await db.query(CLAIM, [at.now, at.until, at.limit])
  return rows.map(notificationOf)
}

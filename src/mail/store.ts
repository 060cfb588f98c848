import { ago, type Due, type Queryable, sql } from '../db/database.ts'
import { fairClaim, type Share } from '../db/fair-claim.ts'
import { MAILS } from './schedule.ts'

export interface QueuedMail {
  /** The app; the licence of a message to its people; '' for the installation itself. */
  readonly appId: string
  readonly mailId: string
  readonly kind: string
  readonly customerId: string | null
  readonly expiresTime: Date
  /** Sealed. */
  readonly content: Uint8Array
}

// `$8` is the limit of the day, null without one. The same message counts once.
const QUEUE = sql<{ isQueued: boolean; count: number | null }>(
  'mails.queue',
  `with counted as (
     insert into mail_days as d (app_id, day, count)
     select $1, ($5::timestamptz at time zone 'UTC')::date, 1
     where $8::integer is not null and not exists (select from mails where app_id = $1 and mail_id = $2)
     on conflict (app_id, day) do update set count = d.count + 1 where d.count < $8::integer
     returning d.count
   ), queued as (
     insert into mails (app_id, mail_id, kind, customer_id, queued_time, expires_time, due_time, content)
     select $1, $2, $3, $4, $5, $6, $5, $7 where $8::integer is null or exists (select from counted)
     on conflict (app_id, mail_id) do nothing returning mail_id
   )
   select exists (select from queued) as is_queued, (select count from counted) as count`,
)

/** Not queued when the same message was queued before, or the app has queued `perDay` on this day. */
export async function insertMail(db: Queryable, mail: QueuedMail, now: Date, perDay: number | null) {
  const { appId, mailId, kind, customerId, expiresTime, content } = mail
  const values = [appId, mailId, kind, customerId, now, expiresTime, content, perDay]
  const [row] = await db.query(QUEUE, values)
  return { isQueued: row?.isQueued ?? false, queuedToday: row?.count ?? null }
}

/** What became of a message, without its content. */
export interface QueuedState {
  readonly status: 'waiting' | 'sent' | 'failed' | 'dropped'
  readonly queuedTime: Date
}

const QUEUED = sql<QueuedState>(
  'mails.queued',
  `select status, queued_time from mails where app_id = $1 and mail_id >= $2 and mail_id < $2 || chr(1114111)
   order by queued_time desc, mail_id limit $3`,
)

export const selectQueued = (
  db: Queryable,
  appId: string,
  prefix: string,
  most: number,
): Promise<QueuedState[]> => db.query(QUEUED, [appId, prefix, most])

export const oldDaysDue: Due = (now) => `mail_days where day < (${ago(now, MAILS.daysKeptMs)})::date`

const REMOVE_DAYS = sql<{ appId: string }>(
  'mails.remove_days',
  `delete from mail_days where (app_id, day) in (
     select app_id, day from ${oldDaysDue('$1::timestamptz')} limit $2) returning app_id`,
)

export const removeDays = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE_DAYS, [now, most])).length

export const mailsDue: Due = (now) => `mails where due_time <= ${now}`

/** A message leased to this node. */
export interface ClaimedMail {
  readonly appId: string
  /** Messages call no provider. */
  readonly profileId: null
  readonly mailId: string
  readonly kind: string
  readonly tries: number
  readonly expiresTime: Date
  readonly content: Uint8Array
  readonly leaseToken: string
}

const CLAIM = sql<ClaimedMail>(
  'mails.claim',
  `with due as (${fairClaim({ rows: mailsDue('$1'), key: 'app_id, mail_id', profile: 'null::text' })})
   update mails m set due_time = $3, lease_token = $4 from due
   where m.app_id = due.app_id and m.mail_id = due.mail_id
   returning m.app_id, null as profile_id, m.mail_id, m.kind, m.tries, m.expires_time, m.content,
     m.lease_token`,
)

export interface MailLease {
  readonly now: Date
  readonly until: Date
  readonly token: string
}

/** Leases due messages within the share of each app. */
export const claimMails = (db: Queryable, share: Share, lease: MailLease): Promise<ClaimedMail[]> =>
  db.query(CLAIM, [lease.now, JSON.stringify(share), lease.until, lease.token])

/** The result of a try: the end, or the time of the next one. */
export type MailEnding =
  | { readonly status: 'sent' | 'failed' | 'dropped'; readonly error: string | null }
  | { readonly status: 'waiting'; readonly error: string; readonly dueTime: Date }

const END = sql<{ mailId: string }>(
  'mails.end',
  `update mails set status = $4, due_time = $5, last_error = $6, tries = tries + 1, lease_token = null,
     content = case when $4 = 'waiting' then content end,
     ended_time = case when $4 = 'waiting' then null else $7::timestamptz end
   where app_id = $1 and mail_id = $2 and lease_token = $3 returning mail_id`,
)

/** False when the lease was lost: another node has the message now. */
export async function endMail(
  db: Queryable,
  { appId, mailId, leaseToken }: ClaimedMail,
  ending: MailEnding,
  now: Date,
): Promise<boolean> {
  const dueTime = ending.status === 'waiting' ? ending.dueTime : null
  const values = [appId, mailId, leaseToken, ending.status, dueTime, ending.error, now]
  return (await db.query(END, values)).length > 0
}

export const endedMailsDue: Due = (now) => `mails where ended_time < ${ago(now, MAILS.keptMs)}`

const REMOVE = sql<{ mailId: string }>(
  'mails.remove',
  `delete from mails where (app_id, mail_id) in (
     select app_id, mail_id from ${endedMailsDue('$1::timestamptz')} limit $2) returning mail_id`,
)

export const removeEnded = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE, [now, most])).length

const ERASE = sql<never>(
  'mails.erase',
  'delete from mails where app_id = $1 and customer_id = $2 and due_time is not null',
)
/** Messages that wait for the customer are not sent. */
export async function eraseMailsOf(db: Queryable, appId: string, customerId: string): Promise<void> {
  await db.query(ERASE, [appId, customerId])
}

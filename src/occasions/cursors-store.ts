import { type Due, type Queryable, sql } from '../db/database.ts'

/** What an app is looked through for. The late ones find rows that were committed after their time. */
export type Source =
  | 'events'
  | 'late-events'
  | 'activity'
  | 'late-activity'
  | 'cards'
  | 'authorisations'
  | 'settlements'

const PAYMENT_MAILS = `a.payer_mails && '{receipt,refund,payment-pending,payment-failed}'
  or a.refund_emails <> '{}'`
const METHOD_MAILS = `a.payer_mails && '{method-added,method-removed}'`

/** Which sources the settings of an app `a` need. */
const WANTED = `apps a cross join lateral (values
    ('events', ${PAYMENT_MAILS}), ('late-events', ${PAYMENT_MAILS}),
    ('activity', ${METHOD_MAILS}), ('late-activity', ${METHOD_MAILS}),
    ('cards', 'card-expiring' = any (a.payer_mails)),
    ('authorisations', exists (select from payment_profiles o where o.app_id = a.app_id)),
    ('settlements', exists (select from settlement_sources o where o.app_id = a.app_id)))
    s (source, is_on)`

/** Sources of notices are looked through without a mail server too. */
const isRead = (source: string, canSend: string): string =>
  `(${canSend} or ${source} in ('authorisations', 'settlements'))`

const missing = (canSend: string): string => `${WANTED}
   where a.is_active and s.is_on and ${isRead('s.source', canSend)} and not exists (
     select from mail_walks w where w.app_id = a.app_id and w.source = s.source)`

/** Cards are looked through apart from the others, because that waits for providers. */
const waiting = (now: string, canSend: string, isOfCards: string): string =>
  `mail_walks w where w.due_time <= ${now} and ${isRead('w.source', canSend)}
     and (w.source = 'cards') = ${isOfCards}`

export const cursorsDue = (canSend: boolean): readonly Due[] => [
  () => missing(String(canSend)),
  (now) => waiting(now, String(canSend), 'false'),
]

export const cardCursorsDue: Due = (now) => waiting(now, 'true', 'true')

const BEGIN = sql<never>(
  'occasions.begin',
  `insert into mail_walks (app_id, source, position_time, due_time)
   select a.app_id, s.source,
     $1::timestamptz + (a.clock_offset_ms - $2::bigint) * interval '1 millisecond', $1
   from ${missing('$3')} order by a.app_id, s.source on conflict do nothing`,
)

interface Start {
  readonly now: Date
  readonly beforeMs: number
  /** There is a mail server. */
  readonly canSend: boolean
}

/** Begins with sources that an app has come to need, this long before now. */
export async function beginCursors(db: Queryable, { now, beforeMs, canSend }: Start): Promise<void> {
  await db.query(BEGIN, [now, beforeMs, canSend])
}

/** A position among the rows of a source, in the app's time. */
export interface CursorPosition {
  readonly time: Date
  readonly id: number
  readonly part: number
}

export interface MailCursor {
  readonly appId: string
  readonly source: Source
  /** The settings still need it. */
  readonly isOn: boolean
  readonly position: CursorPosition
  /** The app's time at the claim. */
  readonly appTime: Date
}

const CLAIM = sql<MailCursor>(
  'occasions.claim',
  `with due as (
     select w.app_id, w.source from ${waiting('$1::timestamptz', '$4', '$5')}
     order by w.due_time limit $3 for update skip locked
   )
   update mail_walks w set due_time = $2
   from due join ${WANTED} on true
   where a.app_id = due.app_id and s.source = due.source
     and w.app_id = due.app_id and w.source = due.source
   returning w.app_id, w.source, s.is_on and a.is_active as is_on, w.position_time as "position.time",
     w.position_id as "position.id", w.position_part as "position.part",
     $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as app_time`,
)

interface Lease extends Omit<Start, 'beforeMs'> {
  readonly until: Date
  readonly limit: number
  readonly isOfCards: boolean
}

/** Leases apps that are due, the longest waiting first. */
export async function claimCursors(
  db: Queryable,
  { now, until, limit, canSend, isOfCards }: Lease,
): Promise<MailCursor[]> {
  return await db.query(CLAIM, [now, until, limit, canSend, isOfCards])
}

const SAVE = sql<never>(
  'occasions.save',
  `update mail_walks set position_time = $3, position_id = $4, position_part = $5, due_time = $6
   where app_id = $1 and source = $2`,
)

type CursorKey = Pick<MailCursor, 'appId' | 'source'>

export async function saveCursor(
  db: Queryable,
  { appId, source }: CursorKey,
  { time, id, part }: CursorPosition,
  due: Date,
): Promise<void> {
  await db.query(SAVE, [appId, source, time, id, part, due])
}

const END = sql<never>('occasions.end', 'delete from mail_walks where app_id = $1 and source = $2')

/** The e-mails of the source were turned off. */
export async function endCursor(db: Queryable, { appId, source }: CursorKey): Promise<void> {
  await db.query(END, [appId, source])
}

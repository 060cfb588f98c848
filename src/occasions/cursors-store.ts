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

const PAYMENT_MAILS = `a.payer_mails && '{receipt,refund,payment-failed}' or a.refund_emails <> '{}'`
const METHOD_MAILS = `a.payer_mails && '{method-added,method-removed}'`

/** Which sources the settings of an app `a` need. */
const WANTED = `apps a cross join lateral (values
    ('events', ${PAYMENT_MAILS}), ('late-events', ${PAYMENT_MAILS}),
    ('activity', ${METHOD_MAILS}), ('late-activity', ${METHOD_MAILS}),
    ('cards', 'card-expiring' = any (a.payer_mails)),
    ('authorisations', 'authorisations-ending' = any (a.team_mails)
      and (not a.is_sandbox or a.team_addresses <> '{}')),
    ('settlements', 'settlements' = any (a.team_mails) and (not a.is_sandbox or a.team_addresses <> '{}')
      and exists (select from settlement_sources o where o.app_id = a.app_id))) s (source, is_on)`

const MISSING: Due = () => `${WANTED} where a.is_active and s.is_on and not exists (
    select from mail_walks w where w.app_id = a.app_id and w.source = s.source)`

const CURSORS: Due = (now) => `mail_walks w where w.due_time <= ${now}`

export const cursorsDue: readonly Due[] = [MISSING, CURSORS]

const BEGIN = sql<never>(
  'occasions.begin',
  `insert into mail_walks (app_id, source, position_time, due_time)
   select a.app_id, s.source,
     $1::timestamptz + (a.clock_offset_ms - $2::bigint) * interval '1 millisecond', $1
   from ${MISSING('')} order by a.app_id, s.source on conflict do nothing`,
)

/** Begins with apps whose e-mails were turned on, this long before now. */
export async function beginCursors(db: Queryable, now: Date, beforeMs: number): Promise<void> {
  await db.query(BEGIN, [now, beforeMs])
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
     select w.app_id, w.source from ${CURSORS('$1::timestamptz')}
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

/** Leases apps that are due, the longest waiting first. */
export async function claimCursors(
  db: Queryable,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<MailCursor[]> {
  return await db.query(CLAIM, [now, until, limit])
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

import { type Due, type Queryable, sql } from '../db/database.ts'

/**
 * Apps with settlements whose ledger has not begun. The first line of an app is found in the index: "exists"
 * would be planned as a scan of the lines of all apps for each app that has none.
 */
const missing = (more = ''): string => `(
     select a.* from apps a left join ledger_progress g using (app_id)
     where a.is_active and g.app_id is null${more} offset 0) a
   where exists (select from settlement_sources s where s.app_id = a.app_id and s.is_active)
     or (select l.line_id from settlement_lines l where l.app_id = a.app_id order by l.line_id limit 1)
       is not null`

const TURNS: Due = (now) => `ledger_progress g where g.due_time <= ${now}`

export const ledgerDue: readonly Due[] = [() => missing(), TURNS]

/**
 * Payments of before enter the ledger with their first line: what was paid out before must not stay in
 * clearing. The sandbox's bank has lines of everything, so its ledger has everything too.
 */
const FIRST_EVENT = `case when a.is_sandbox then 'epoch'::timestamptz
    else $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' end`

const BEGIN = sql<never>(
  'ledger.begin',
  `insert into ledger_progress (app_id, event_time, late_event_time, due_time)
   select a.app_id, ${FIRST_EVENT}, ${FIRST_EVENT}, $1
   from ${missing(' and a.app_id = coalesce($2, a.app_id)')} order by a.app_id on conflict do nothing`,
)

/** Begins the ledgers of apps that have settlements now: of all, or of one. */
export async function beginLedgers(db: Queryable, now: Date, appId?: string): Promise<void> {
  await db.query(BEGIN, [now, appId ?? null])
}

const CLAIM = sql<{ appId: string }>(
  'ledger.claim',
  `update ledger_progress g set due_time = $2
   where g.app_id in (
     select g.app_id from ${TURNS('$1::timestamptz')} order by g.due_time limit $3 for update skip locked)
   returning g.app_id`,
)

/** The apps whose turn it is, the longest waiting first. Their next turn is at `until`. */
export async function claimLedgers(
  db: Queryable,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<{ appId: string }[]> {
  return db.query(CLAIM, [now, until, limit])
}

const NEXT_TURN = sql<never>('ledger.nextTurn', 'update ledger_progress set due_time = $2 where app_id = $1')

export async function nextTurnAt(db: Queryable, appId: string, due: Date): Promise<void> {
  await db.query(NEXT_TURN, [appId, due])
}

const ARRIVING = sql<{ isArriving: boolean }>(
  'ledger.arriving',
  `select coalesce(newest.received_time > $2 and oldest.received_time > $3, false) as is_arriving
   from ledger_progress g
     cross join lateral (
       select received_time from settlement_lines
       where app_id = $1 and line_id > g.line_id order by line_id limit 1) oldest
     cross join lateral (
       select received_time from settlement_lines where app_id = $1 order by line_id desc limit 1) newest
   where g.app_id = $1`,
)

/** Whether a line came after `newest`, and none that came before `oldest` waits. Times are of the app. */
export async function isArriving(
  db: Queryable,
  appId: string,
  { newest, oldest }: { readonly newest: Date; readonly oldest: Date },
): Promise<boolean> {
  return (await db.query(ARRIVING, [appId, newest, oldest]))[0]?.isArriving ?? false
}

/** A position among the events of an app. */
export interface LedgerPosition {
  readonly time: Date
  readonly paymentId: number
  readonly sequence: number
}

export interface LedgerProgress {
  readonly nextEntryId: number
  readonly event: LedgerPosition
  readonly lateEvent: LedgerPosition
  readonly lineId: number
  readonly lateLineId: number
  readonly unknownLineId: number
  /** The first day that is not in a closed month, as `2026-11-01`; null: no month is closed. */
  readonly firstOpenDay: string | null
}

const LOCK = sql<LedgerProgress>(
  'ledger.lock',
  `select next_entry_id, event_time as "event.time", event_payment_id as "event.payment_id",
     event_sequence as "event.sequence", late_event_time as "late_event.time",
     late_event_payment_id as "late_event.payment_id", late_event_sequence as "late_event.sequence",
     line_id, late_line_id, unknown_line_id,
     (select (max(m.month) + interval '1 month')::date::text from ledger_months m
      where m.app_id = g.app_id) as first_open_day
   from ledger_progress g where g.app_id = $1 for update`,
)

/** Nothing else writes entries of the app, or closes a month, until the transaction ends. */
export const lockProgress = async (tx: Queryable, appId: string): Promise<LedgerProgress | undefined> =>
  (await tx.query(LOCK, [appId]))[0]

const SAVE = sql<never>(
  'ledger.save',
  `update ledger_progress set next_entry_id = $2, event_time = $3, event_payment_id = $4,
     event_sequence = $5, late_event_time = $6, late_event_payment_id = $7, late_event_sequence = $8,
     line_id = $9, late_line_id = $10, unknown_line_id = $11
   where app_id = $1`,
)

export async function saveProgress(tx: Queryable, appId: string, progress: LedgerProgress): Promise<void> {
  const { nextEntryId, event, lateEvent, lineId, lateLineId, unknownLineId } = progress
  const positions = [event, lateEvent].flatMap(({ time, paymentId, sequence }) => [time, paymentId, sequence])
  await tx.query(SAVE, [appId, nextEntryId, ...positions, lineId, lateLineId, unknownLineId])
}

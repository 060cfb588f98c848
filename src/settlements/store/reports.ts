import { assert } from '../../base/assert.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { BadRow, SettledLine, SettledPayout } from '../../providers/settlement.ts'
import { SETTLEMENTS } from '../limits.ts'

/** The profile that a report is about. */
export interface ProfileKey {
  readonly appId: string
  readonly profileId: number
}

export interface NewReport extends ProfileKey {
  readonly source: 'api' | 'file'
  readonly digest: Uint8Array
  readonly fileName: string | null
  /** Of the first and the last of its lines. Null: it has none. */
  readonly fromTime: Date | null
  readonly untilTime: Date | null
  readonly lineCount: number
  readonly badRows: readonly BadRow[]
  readonly receivedTime: Date
}

const INSERT_REPORT = sql<{ reportId: number }>(
  'settlements.insertReport',
  `insert into settlement_reports (app_id, profile_id, source, digest, line_count, bad_rows, received_time,
     file_name, from_time, until_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (app_id, profile_id, digest) do nothing returning report_id`,
)

/** Undefined: the same report was received before. */
export async function insertReport(tx: Queryable, report: NewReport): Promise<number | undefined> {
  const { appId, profileId, source, digest, lineCount, badRows, receivedTime } = report
  const bad = badRows.length === 0 ? null : JSON.stringify(badRows)
  const about = [report.fileName, report.fromTime, report.untilTime]
  const values = [appId, profileId, source, digest, lineCount, bad, receivedTime, ...about]
  return (await tx.query(INSERT_REPORT, values))[0]?.reportId
}

const FIND_REPORT = sql<StoredReport>(
  'settlements.findReport',
  `select report_id, line_count, bad_rows from settlement_reports
   where app_id = $1 and profile_id = $2 and digest = $3`,
)

export interface StoredReport {
  readonly reportId: number
  readonly lineCount: number
  readonly badRows: readonly BadRow[] | null
}

export async function findReport(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  digest: Uint8Array,
): Promise<StoredReport> {
  const [report] = await tx.query(FIND_REPORT, [appId, profileId, digest])
  assert(report, 'a report whose digest is taken is stored')
  return report
}

const REMOVE_REPORT = sql<never>(
  'settlements.removeReport',
  'delete from settlement_reports where app_id = $1 and report_id = $2',
)

/** A page of an API that had nothing new: windows overlap, so most pages are like that. */
export async function removeReport(tx: Queryable, appId: string, reportId: number): Promise<void> {
  await tx.query(REMOVE_REPORT, [appId, reportId])
}

const UPSERT_PAYOUTS = sql<{ payoutId: number }>(
  'settlements.upsertPayouts',
  `insert into payouts as p (app_id, profile_id, provider_payout_id, amount_minor, currency, state,
     payout_time, arrival_time, bank_reference)
   select $1, $2, x.id, x.amount, x.currency, x.state, x.time, x.arrival, x."bankReference"
   from json_to_recordset($3) as x (id text, amount bigint, currency text, state text, time timestamptz,
     arrival timestamptz, "bankReference" text)
   on conflict (app_id, profile_id, provider_payout_id) do update set amount_minor = excluded.amount_minor,
     currency = excluded.currency, state = excluded.state, payout_time = excluded.payout_time,
     arrival_time = coalesce(excluded.arrival_time, p.arrival_time),
     bank_reference = coalesce(excluded.bank_reference, p.bank_reference), is_changed = true
   where (p.amount_minor, p.currency, p.state, p.payout_time) is distinct from
       (excluded.amount_minor, excluded.currency, excluded.state, excluded.payout_time)
     or excluded.arrival_time is distinct from p.arrival_time
     or excluded.bank_reference is distinct from p.bank_reference
   returning payout_id`,
)

/** Returns how many were new or have changed. */
export async function upsertPayouts(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  payouts: readonly SettledPayout[],
): Promise<number> {
  if (payouts.length === 0) return 0
  const rows = payouts.map(({ id, amount, state, time, arrival, bankReference }) => {
    return {
      id,
      amount: String(amount.minor),
      currency: amount.currency,
      state,
      time,
      arrival,
      bankReference,
    }
  })
  return (await tx.query(UPSERT_PAYOUTS, [appId, profileId, JSON.stringify(rows)])).length
}

const LINES = `json_to_recordset($3) as x (n integer, id text, kind text, ids text[], reference text,
     gross bigint, currency text, fee bigint, net bigint, settlement text, rate text, time timestamptz,
     payout text)`

/** Payouts that only a line names: the provider reports them later. */
const NAME_PAYOUTS = sql<never>(
  'settlements.namePayouts',
  `insert into payouts (app_id, profile_id, provider_payout_id, state, payout_time)
   select $1, $2, x.id, 'pending', x.time from unnest($3::text[], $4::timestamptz[]) as x (id, time)
   order by x.id
   on conflict (app_id, profile_id, provider_payout_id) do nothing`,
)

const INSERT_LINES = sql<{ n: number; lineId: number }>(
  'settlements.insertLines',
  `with x as materialized (
     select x.*, p.payout_id from ${LINES} left join payouts p
       on p.app_id = $1 and p.profile_id = $2 and p.provider_payout_id = x.payout
   ), made as (
     insert into settlement_lines (app_id, profile_id, provider_line_id, report_id, kind, provider_ids,
       reference, gross_minor, currency, fee_minor, net_minor, settlement_currency, rate, line_time,
       received_time, payout_id)
     select $1, $2, x.id, $4, x.kind, x.ids, x.reference, x.gross, x.currency, x.fee, x.net, x.settlement,
       x.rate, x.time, $5, x.payout_id
     from x order by x.n
     on conflict (app_id, profile_id, provider_line_id) do nothing
     returning line_id, provider_line_id, payout_id
   ), changed as (
     update payouts p set is_changed = true
     from (select distinct payout_id from made where payout_id is not null) m
     where p.app_id = $1 and p.payout_id = m.payout_id and not p.is_changed
   )
   select x.n, m.line_id from made m join x on x.id = m.provider_line_id`,
)

/** A line that is known: `differs` when the same id came with other content. */
interface KnownLine {
  readonly n: number
  readonly lineId: number
  readonly differs: boolean
  /** It has its payout now. */
  readonly isPaid: boolean
}

const COMPARE_LINES = sql<KnownLine>(
  'settlements.compareLines',
  `with found as materialized (
     select x.n, l.line_id, p.payout_id, l.payout_id is null and p.payout_id is not null as is_paid,
       (l.kind, l.gross_minor, l.currency, l.fee_minor, l.net_minor, l.settlement_currency, l.line_time)
         is distinct from (x.kind, x.gross, x.currency, x.fee, x.net, x.settlement, x.time)
         or l.payout_id <> p.payout_id as differs
     from ${LINES} cross join lateral (
         select * from settlement_lines l
         where l.app_id = $1 and l.profile_id = $2 and l.provider_line_id = x.id offset 0) l
       left join payouts p on p.app_id = $1 and p.profile_id = $2 and p.provider_payout_id = x.payout
   ), paid as (
     update settlement_lines l set payout_id = f.payout_id from found f
     where f.is_paid and f.differs is not true and l.app_id = $1 and l.line_id = f.line_id
   ), changed as (
     update payouts p set is_changed = true
     from (select distinct payout_id from found where is_paid) f
     where p.app_id = $1 and p.payout_id = f.payout_id and not p.is_changed
   )
   select n, line_id, differs is true as differs, is_paid and differs is not true as is_paid from found`,
)

export interface LineBatch extends ProfileKey {
  readonly reportId: number
  readonly receivedTime: Date
  readonly lines: readonly SettledLine[]
}

export interface WrittenLines {
  /** By the index of the line in the batch. */
  readonly made: ReadonlyMap<number, number>
  readonly known: readonly KnownLine[]
}

/** Writes the lines that are new, and compares the others with what is stored. */
export async function writeLines(tx: Queryable, batch: LineBatch): Promise<WrittenLines> {
  const { appId, profileId, reportId, receivedTime, lines } = batch
  const rows = lines.map(rowOf)
  const json = JSON.stringify(rows)
  const payouts = payoutsOf(lines)
  if (payouts.size > 0) {
    const named = [[...payouts.keys()], [...payouts.values()]]
    await tx.query(NAME_PAYOUTS, [appId, profileId, ...named])
  }
  const inserted = await tx.query(INSERT_LINES, [appId, profileId, json, reportId, receivedTime])
  const made = new Map(inserted.map(({ n, lineId }) => [n, lineId]))
  if (made.size === lines.length) return { made, known: [] }
  const others = JSON.stringify(rows.filter(({ n }) => !made.has(n)))
  return { made, known: await tx.query(COMPARE_LINES, [appId, profileId, others]) }
}

/** With the time of their last line. */
function payoutsOf(lines: readonly SettledLine[]): Map<string, Date> {
  const payouts = new Map<string, Date>()
  for (const { payout, time } of lines) {
    const known = payout === undefined ? undefined : payouts.get(payout)
    if (payout !== undefined && (!known || known < time)) payouts.set(payout, time)
  }
  return payouts
}

const rowOf = (line: SettledLine, n: number) => ({
  n,
  id: line.id,
  kind: line.kind,
  ids: line.ids,
  reference: line.reference,
  gross: String(line.gross.minor),
  currency: line.gross.currency,
  fee: line.fee && String(line.fee.minor),
  net: line.net && String(line.net.minor),
  settlement: line.net?.currency ?? line.fee?.currency,
  rate: line.rate,
  time: line.time,
  payout: line.payout,
})

const INSERT_ROWS = sql<never>(
  'settlements.insertRows',
  `insert into settlement_rows (app_id, line_id, report_id, received_time, sealed)
   values ($1, $2, $3, $4, $5)`,
)

export interface RawRows {
  readonly appId: string
  readonly reportId: number
  /** The first of the batch. */
  readonly lineId: number
  /** JSON: the row of each line, by its id. */
  readonly sealed: Uint8Array
  readonly receivedTime: Date
}

/** The rows of a batch as they came. One value for all of them: decision 0165. */
export async function insertRows(tx: Queryable, rows: RawRows): Promise<void> {
  await tx.query(INSERT_ROWS, [rows.appId, rows.lineId, rows.reportId, rows.receivedTime, rows.sealed])
}

export const oldRowsDue: Due = (now) =>
  `settlement_rows r where r.received_time < ${ago(now, SETTLEMENTS.rawKeptMs)}`

const REMOVE_ROWS = sql<{ removed: number }>(
  'settlements.removeRows',
  `with gone as (
     delete from settlement_rows where ctid = any (array(
       select r.ctid from ${oldRowsDue('$1::timestamptz')} limit $2)) returning 1)
   select count(*)::integer as removed from gone`,
)

/** Removes raw rows that are older than 13 months. */
export async function removeOldRows(db: Queryable, now: Date, limit: number): Promise<number> {
  return (await db.query(REMOVE_ROWS, [now, limit]))[0]?.removed ?? 0
}

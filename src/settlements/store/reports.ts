import { assert } from '../../base/assert.ts'
import type { StoredFileProblem } from '../../base/files/file-problem.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { BadRow, SettledPayout } from '../../providers/settlement.ts'
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
  `select report_id, line_count, bad_rows, until_time from settlement_reports
   where app_id = $1 and profile_id = $2 and digest = $3`,
)

export interface StoredReport {
  readonly reportId: number
  readonly lineCount: number
  readonly badRows: readonly StoredBadRow[] | null
  readonly untilTime: Date | null
}

export interface StoredBadRow {
  readonly row: string
  readonly problem: StoredFileProblem
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

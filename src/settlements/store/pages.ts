import { type Queryable, sql } from '../../db/database.ts'
import type { ExceptionKind } from './exceptions.ts'
import type { ProfileKey, StoredBadRow } from './reports.ts'
import type { StoredSum } from './sums.ts'

/** Reads of reports, counts and suggestions. */

export interface ListedReport {
  readonly reportId: number
  readonly profileId: number
  readonly source: 'api' | 'file'
  readonly fileName: string | null
  readonly fromTime: Date | null
  readonly untilTime: Date | null
  readonly lineCount: number
  readonly badRows: readonly StoredBadRow[] | null
  readonly receivedTime: Date
}

const REPORT = `report_id, profile_id, source, file_name, from_time, until_time, line_count, bad_rows,
  received_time`

const REPORTS = sql<ListedReport>(
  'settlements.reports',
  `select ${REPORT} from settlement_reports where app_id = $1 and report_id < $2
   order by report_id desc limit $3`,
)

/** The newest first. */
export const selectReports = (
  db: Queryable,
  appId: string,
  before: number | undefined,
  limit: number,
): Promise<ListedReport[]> => db.query(REPORTS, [appId, before ?? Number.MAX_SAFE_INTEGER, limit])

const ONE_REPORT = sql<ListedReport>(
  'settlements.report',
  `select ${REPORT} from settlement_reports where app_id = $1 and report_id = $2`,
)

export const selectReport = async (
  db: Queryable,
  appId: string,
  reportId: number,
): Promise<ListedReport | undefined> => (await db.query(ONE_REPORT, [appId, reportId]))[0]

const STORED_SUMS = sql<{ payoutId: number; sums: readonly StoredSum[] }>(
  'settlements.storedSums',
  `select payout_id, sums from payouts
   where app_id = $1 and payout_id = any ($2::bigint[]) and sums is not null`,
)

/** Of payouts that have been compared. */
export const selectStoredSums = (db: Queryable, appId: string, payoutIds: readonly number[]) =>
  db.query(STORED_SUMS, [appId, payoutIds])

export interface KindCount {
  readonly kind: ExceptionKind
  readonly count: number
  readonly oldestTime: Date
}

const COUNTS = sql<KindCount>(
  'settlements.exceptionCounts',
  `select kind, count(*)::integer as count, min(opened_time) as oldest_time from settlement_exceptions
   where app_id = $1 and closed_time is null group by kind`,
)

/** Open exceptions by kind. */
export const countExceptions = (db: Queryable, appId: string): Promise<KindCount[]> =>
  db.query(COUNTS, [appId])

const SUGGESTED = sql<{ lineId: number; paymentId: number }>(
  'settlements.suggested',
  `select line_id, payment_id from settlement_matches
   where app_id = $1 and line_id = any ($2::bigint[]) and match = 'suggested'`,
)

/** The payments that are suggested for these lines, by line. */
export async function selectSuggested(
  db: Queryable,
  appId: string,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (lineIds.length === 0) return new Map()
  const rows = await db.query(SUGGESTED, [appId, lineIds])
  return new Map(rows.map(({ lineId, paymentId }) => [lineId, paymentId]))
}

const ACCEPT = sql<{ paymentId: number }>(
  'settlements.acceptSuggestion',
  `update settlement_matches set match = 'exact' where app_id = $1 and line_id = $2 and match = 'suggested'
   returning payment_id`,
)

/** The payment of the line from now on. Undefined: the line has no suggestion. */
export const acceptSuggestion = async (
  tx: Queryable,
  { appId }: ProfileKey,
  lineId: number,
): Promise<number | undefined> => (await tx.query(ACCEPT, [appId, lineId]))[0]?.paymentId

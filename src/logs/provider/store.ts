import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { CallOutcome, ProviderCall, ProviderLine } from './lines.ts'

const INSERT = sql<never>(
  'providerLog.insert',
  `insert into provider_log (app_id, start_time, profile_id, payment_id, attempt, step, method, url,
     request_headers, request_body, outcome, status, ms, response_body)
   select x."appId", x."startTime", x."profileId", x."paymentId", x.attempt, x.step, x.method, x.url,
     x."requestHeaders", x."requestBody", x.outcome, x.status, x.ms, x."responseBody"
   from ${ASYNCHRONOUS}, json_to_recordset($1) as x ("appId" text, "startTime" timestamptz,
     "profileId" bigint, "paymentId" bigint, attempt integer, step text, method text, url text,
     "requestHeaders" text, "requestBody" text, outcome text, status integer, ms integer,
     "responseBody" text)`,
)

export async function insertProviderLines(db: Queryable, lines: readonly ProviderLine[]): Promise<void> {
  await db.query(INSERT, [JSON.stringify(lines)])
}

interface ProviderRow {
  line_id: string
  start_time: Date
  profile_id: string
  payment_id: string | null
  attempt: number | null
  step: string
  method: string
  url: string
  request_headers: string
  request_body: string | null
  outcome: CallOutcome
  status: number | null
  ms: number
  response_body: string | null
}

const callOf = (row: ProviderRow): ProviderCall => ({
  lineId: Number(row.line_id),
  startTime: row.start_time,
  profileId: Number(row.profile_id),
  paymentId: row.payment_id === null ? null : Number(row.payment_id),
  attempt: row.attempt,
  step: row.step,
  method: row.method,
  url: row.url,
  requestHeaders: row.request_headers,
  requestBody: row.request_body,
  outcome: row.outcome,
  status: row.status,
  ms: row.ms,
  responseBody: row.response_body,
})

const LISTED = `line_id, start_time, profile_id, payment_id, attempt, step, method, url, request_headers,
     request_body, outcome, status, ms, response_body`

const OF_PAYMENT = sql<ProviderRow>(
  'providerLog.ofPayment',
  `select ${LISTED} from provider_log where app_id = $1 and payment_id = $2
   order by start_time desc, line_id desc limit $3`,
)

/** The newest first. */
export const providerCallsOf = async (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<ProviderCall[]> => (await db.query(OF_PAYMENT, [appId, paymentId, limit])).map(callOf)

export const oldProviderLinesDue: Due = (now) =>
  `apps a where exists (select from provider_log l where l.app_id = a.app_id
       and l.start_time < ${ago(now, LOGS.provider.keptMs)})`

const APPS_WITH_OLD = sql<{ app_id: string }>(
  'providerLog.appsWithOld',
  `select a.app_id from ${oldProviderLinesDue('$1::timestamptz')}`,
)

export const appsWithOldProviderCalls = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.app_id)

const REMOVE = sql<{ line_id: string }>(
  'providerLog.remove',
  `delete from provider_log l using ${ASYNCHRONOUS}, (
     select start_time, line_id from provider_log where app_id = $1 and start_time < $2
     order by start_time, line_id limit $3) old
   where l.app_id = $1 and l.start_time = old.start_time and l.line_id = old.line_id returning l.line_id`,
)

export const removeOldProviderCalls = async (
  db: Queryable,
  appId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> => (await db.query(REMOVE, [appId, before, limit])).length

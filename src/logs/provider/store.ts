import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { ProviderCall, ProviderError, ProviderLine } from './lines.ts'

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

const LISTED = `line_id, start_time, profile_id, payment_id, attempt, step, method, url, request_headers,
     request_body, outcome, status, ms, response_body`

const OF_PAYMENT = sql<ProviderCall>(
  'providerLog.ofPayment',
  `select ${LISTED} from provider_log where app_id = $1 and payment_id = $2
   order by start_time desc, line_id desc limit $3`,
)

/** The newest first. */
export const providerCallsOf = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<ProviderCall[]> => db.query(OF_PAYMENT, [appId, paymentId, limit])

/** The condition of the index `provider_log_errors`. */
const IS_ERROR = `(l.outcome <> 'reply' or (l.status >= 400 and l.status <> 402))`

const ERRORS = sql<ProviderError>(
  'providerLog.errors',
  `select l.line_id, l.start_time, l.profile_id, l.payment_id, l.step, l.method, l.url, l.outcome, l.status,
     l.ms
   from unnest($2::bigint[]) with ordinality p (profile_id, place) cross join lateral (
     select l.line_id, l.start_time, l.profile_id, l.payment_id, l.step, l.method, l.url, l.outcome,
       l.status, l.ms
     from provider_log l
     where l.app_id = $1 and l.profile_id = p.profile_id and l.start_time >= $3 and ${IS_ERROR}
     order by l.start_time desc limit $4) l
   order by p.place, l.start_time desc`,
)

/** The newest failed requests of each profile. */
export async function providerErrorsOf(
  db: Queryable,
  appId: string,
  wanted: { profileIds: readonly number[]; since: Date; limit: number },
): Promise<ProviderError[]> {
  const { profileIds, since, limit } = wanted
  return await db.query(ERRORS, [appId, profileIds, since, limit])
}

export const oldProviderLinesDue: Due = (now) =>
  `apps a where exists (select from provider_log l where l.app_id = a.app_id
       and l.start_time < ${ago(now, LOGS.provider.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'providerLog.appsWithOld',
  `select a.app_id from ${oldProviderLinesDue('$1::timestamptz')}`,
)

export const appsWithOldProviderCalls = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.appId)

const REMOVE = sql<{ lineId: number }>(
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

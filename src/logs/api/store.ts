import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { ApiBucket, ApiCall, ApiCallDetails, ApiFilter, ApiPage } from './call.ts'
import type { ApiLine } from './lines.ts'
import type { MinuteCounts } from './minutes.ts'

const COLUMNS = `app_id, start_time, request_id, method, path, query, route, status, ms, key_id, person_id,
     address, idempotency_key, is_replayed, payment_id, error, request_body, answer_body`

const INSERT = sql<never>(
  'apiLog.insert',
  `insert into api_log (${COLUMNS})
   select x."appId", x."startTime", x."requestId", x.method, x.path, x.query, x.route, x.status, x.ms,
     x."keyId", x."personId", x.address, x."idempotencyKey", x."isReplayed", x."paymentId", x.error,
     x."requestBody", x."answerBody"
   from ${ASYNCHRONOUS}, json_to_recordset($1) as x ("appId" text, "startTime" timestamptz, "requestId" text,
     method text, path text, query text, route text, status integer, ms integer, "keyId" text,
     "personId" text, address text, "idempotencyKey" text, "isReplayed" boolean,
     "paymentId" bigint, error text, "requestBody" text, "answerBody" text)`,
)

export async function insertApiLines(db: Queryable, lines: readonly ApiLine[]): Promise<void> {
  await db.query(INSERT, [JSON.stringify(lines)])
}

const COUNT = sql<never>(
  'apiLog.count',
  `insert into api_log_minutes as m (app_id, minute, succeeded, refused, failed, left_out, total_ms)
   select x."appId", x.minute, x.succeeded, x.refused, x.failed, x."leftOut", x."totalMs"
   from ${ASYNCHRONOUS}, json_to_recordset($1) as x ("appId" text, minute timestamptz, succeeded integer,
     refused integer, failed integer, "leftOut" integer, "totalMs" bigint)
   on conflict (app_id, minute) do update set succeeded = m.succeeded + excluded.succeeded,
     refused = m.refused + excluded.refused, failed = m.failed + excluded.failed,
     left_out = m.left_out + excluded.left_out, total_ms = m.total_ms + excluded.total_ms`,
)

export async function addMinutes(db: Queryable, counts: readonly MinuteCounts[]): Promise<void> {
  await db.query(COUNT, [JSON.stringify(counts)])
}

const LISTED = `start_time, line_id, request_id, method, path, route, status, ms, key_id, person_id, address,
     idempotency_key, is_replayed, payment_id, error`

interface Scanned extends ApiCall {
  readonly isMatch: boolean
}

/**
 * A filter may match few of many lines, so a page looks at a bounded number of them. The last line that was
 * looked at is returned once more: the next page begins after it.
 */
const listed = (more = '') => `with looked as materialized (
     select ${LISTED}, row_number() over (order by start_time desc, line_id desc) as place,
       ($5::integer is null or status / 100 = $5) and ($6::text is null or method = $6)
         and ($7::text is null or starts_with(path, $7)) and ($8::text is null or key_id = $8) as is_match
     from api_log where app_id = $1 and start_time >= $2 and (start_time, line_id) < ($3, $4) ${more}
     order by start_time desc, line_id desc limit ${LOGS.scannedLines}
   ), matched as (
     select ${LISTED}, place, true as is_match from looked where is_match order by place limit $9)
   select * from matched
   union all select ${LISTED}, place, false from looked where place = ${LOGS.scannedLines}
   order by place`

const LIST = sql<Scanned>('apiLog.list', listed())
const LIST_OF_REQUEST = sql<Scanned>('apiLog.listOfRequest', listed('and request_id = $10'))

export async function pageOfCalls(db: Queryable, appId: string, filter: ApiFilter): Promise<ApiPage> {
  const { since, until, statusClass, method, pathPrefix, keyId, before, limit, requestId } = filter
  const rows = await db.query(requestId === undefined ? LIST : LIST_OF_REQUEST, [
    ...[appId, since ?? '-infinity', before?.time ?? until ?? 'infinity', before?.lineId ?? 0],
    ...[statusClass, method, pathPrefix, keyId],
    limit + 1,
    ...(requestId === undefined ? [] : [requestId]),
  ])
  const matched = rows.filter((row) => row.isMatch)
  const calls = matched.slice(0, limit)
  // The line that ended the search stands for all lines before it.
  const end = matched.length > limit ? calls.at(-1) : rows.findLast((row) => !row.isMatch)
  return { calls, next: end && { time: end.startTime, lineId: end.lineId } }
}

const BY_REQUEST = sql<ApiCallDetails>(
  'apiLog.byRequest',
  `select ${LISTED}, query, request_body, answer_body from api_log
   where app_id = $1 and request_id = $2 order by start_time desc, line_id desc limit 1`,
)

export async function findCall(
  db: Queryable,
  appId: string,
  requestId: string,
): Promise<ApiCallDetails | undefined> {
  const [call] = await db.query(BY_REQUEST, [appId, requestId])
  return call
}

const OF_PAYMENT = sql<ApiCall>(
  'apiLog.ofPayment',
  `select ${LISTED} from api_log where app_id = $1 and payment_id = $2
   order by start_time desc, line_id desc limit $3`,
)

export const callsOfPayment = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<ApiCall[]> => db.query(OF_PAYMENT, [appId, paymentId, limit])

const HISTOGRAM = sql<ApiBucket>(
  'apiLog.histogram',
  `select date_trunc($4, minute, 'UTC') as time, sum(succeeded)::float8 as succeeded,
     sum(refused)::float8 as refused, sum(failed)::float8 as failed, sum(left_out)::float8 as left_out,
     round(sum(total_ms) / nullif(sum(succeeded + refused + failed), 0))::float8 as average_ms
   from api_log_minutes where app_id = $1 and minute >= $2 and minute < $3
   group by 1 order by 1 limit ${LOGS.buckets}`,
)

export const bucketsOf = (
  db: Queryable,
  appId: string,
  { since, until, bucket }: { since: Date; until: Date; bucket: 'minute' | 'hour' },
): Promise<ApiBucket[]> => db.query(HISTOGRAM, [appId, since, until, bucket])

/** Apps are few; lines of one app are found by its key. */
export const oldApiLinesDue: Due = (now) =>
  `apps a where exists (select from api_log l where l.app_id = a.app_id
       and l.start_time < ${ago(now, LOGS.api.keptMs)})
     or exists (select from api_log_minutes m where m.app_id = a.app_id
       and m.minute < ${ago(now, LOGS.api.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'apiLog.appsWithOld',
  `select a.app_id from ${oldApiLinesDue('$1::timestamptz')}`,
)

const REMOVE = sql<{ removed: number }>(
  'apiLog.remove',
  `with lines as (
     delete from api_log l using (
       select start_time, line_id from api_log where app_id = $1 and start_time < $2
       order by start_time, line_id limit $3) old
     where l.app_id = $1 and l.start_time = old.start_time and l.line_id = old.line_id returning 1
   ), minutes as (
     delete from api_log_minutes m using (
       select minute from api_log_minutes where app_id = $1 and minute < $2 order by minute limit $3) old
     where m.app_id = $1 and m.minute = old.minute returning 1
   )
   select greatest((select count(*) from lines), (select count(*) from minutes))::integer as removed
   from ${ASYNCHRONOUS}`,
)

export const appsWithOldCalls = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.appId)

/** One step; another follows while it removes as many as it may. */
export async function removeOldCalls(
  db: Queryable,
  appId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await db.query(REMOVE, [appId, before, limit])
  return row?.removed ?? 0
}

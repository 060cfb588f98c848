import { after, SECOND } from '../../base/clock.ts'
import { timeOfRequestId } from '../../base/ids.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { hasOldBatches, insertBatches, removeBatches } from '../batch-store.ts'
import { batchesOf, paymentKey } from '../batches/batch.ts'
import { firstLines, newestLines, type StoredLine } from '../batches/lines.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { ApiBucket, ApiCall, ApiCallDetails, ApiCursor, ApiFilter, ApiPage } from './call.ts'
import type { ApiLine } from './lines.ts'
import type { MinuteCounts } from './minutes.ts'

/** Finds a request whose id does not tell its time. */
const requestKey = (appId: string, requestId: string): string => `${appId} request ${requestId}`

/** A request of this service begins at the time in its id; the clock of its app may be moved. */
const isFoundByTime = ({ requestId, startTime }: ApiLine): boolean =>
  Math.abs(startTime.getTime() - (timeOfRequestId(requestId)?.getTime() ?? Number.NaN)) <= SECOND

const requestKeys = (line: ApiLine): string[] =>
  isFoundByTime(line) ? [] : [requestKey(line.appId, line.requestId)]

export async function insertApiLines(db: Queryable, lines: readonly ApiLine[]): Promise<void> {
  await insertBatches(db, batchesOf('api', lines, requestKeys))
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

type Line = StoredLine<ApiLine>

/** The lines of an app; with a request id, those that may have it. */
async function* linesOf(
  db: Queryable,
  appId: string,
  { requestId, since, before }: Pick<ApiFilter, 'requestId' | 'since' | 'before'>,
): AsyncGenerator<Line> {
  const range = { appId, kind: 'api', since, before } as const
  if (requestId === undefined) return yield* newestLines<ApiLine>(db, range)
  // Whoever uses the id of a request of ours again does so later.
  yield* newestLines<ApiLine>(db, { ...range, key: requestKey(appId, requestId) })
  const time = timeOfRequestId(requestId)
  if (!time) return
  const [begin, end] = [after(time, -SECOND), { time: after(time, SECOND + 1), lineId: 0 }]
  yield* newestLines<ApiLine>(db, {
    ...range,
    since: since && since > begin ? since : begin,
    before: before && before.time < end.time ? before : end,
  })
}

function isMatch(line: Line, filter: ApiFilter): boolean {
  const { statusClass, method, pathPrefix, keyId, requestId } = filter
  return (
    (statusClass === undefined || Math.floor(line.status / 100) === statusClass) &&
    (method === undefined || line.method === method) &&
    (pathPrefix === undefined || line.path.startsWith(pathPrefix)) &&
    (keyId === undefined || line.keyId === keyId) &&
    (requestId === undefined || line.requestId === requestId)
  )
}

const placeOf = ({ startTime, lineId }: Line): ApiCursor => ({ time: startTime, lineId })

/** A filter may match few of many lines, so a page looks at a bounded number of them, and of their bytes. */
export async function pageOfCalls(db: Queryable, appId: string, filter: ApiFilter): Promise<ApiPage> {
  const { until, limit } = filter
  const before = filter.before ?? (until && { time: until, lineId: 0 })
  const calls: Line[] = []
  let looked = 0
  let bytes = 0
  for await (const line of linesOf(db, appId, { ...filter, before })) {
    const last = calls.at(-1)
    if (isMatch(line, filter)) {
      if (last && calls.length === limit) return { calls, next: placeOf(last) }
      calls.push(line)
    }
    bytes += (line.requestBody?.length ?? 0) + (line.answerBody?.length ?? 0)
    // This line stands for all before it.
    if (++looked === LOGS.scannedLines || bytes > LOGS.scannedBytes) return { calls, next: placeOf(line) }
  }
  return { calls, next: undefined }
}

/** The newest request with this id. */
export async function findCall(
  db: Queryable,
  appId: string,
  requestId: string,
): Promise<ApiCallDetails | undefined> {
  const lines = linesOf(db, appId, { requestId, since: undefined, before: undefined })
  const [call] = await firstLines(lines, 1, (line) => line.requestId === requestId)
  return call
}

export const callsOfPayment = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<ApiCall[]> => {
  const lines = newestLines<ApiLine>(db, { appId, kind: 'api', key: paymentKey(appId, paymentId) })
  return firstLines(lines, limit, (line) => line.paymentId === paymentId)
}

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
  `apps a where ${hasOldBatches('api', now, LOGS.api.keptMs)}
     or exists (select from api_log_minutes m where m.app_id = a.app_id
       and m.minute < ${ago(now, LOGS.api.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'apiLog.appsWithOld',
  `select a.app_id from ${oldApiLinesDue('$1::timestamptz')}`,
)

const REMOVE = sql<{ removed: number }>(
  'apiLog.remove',
  `with lines as (
     ${removeBatches('api')}
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

import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { batchesJson, hasOldBatches, INSERT_BATCHES, removeBatches } from '../batch-store.ts'
import { batchesOf, paymentKey } from '../batches/batch.ts'
import { firstLines, newestLines } from '../batches/lines.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { ProviderCall, ProviderError, ProviderLine } from './lines.ts'

const INSERT = sql<never>(
  'providerLog.insert',
  `with failed as (
     insert into provider_errors (app_id, start_time, profile_id, payment_id, step, method, url, outcome,
       status, ms)
     select y."appId", y."startTime", y."profileId", y."paymentId", y.step, y.method, y.url, y.outcome,
       y.status, y.ms
     from json_to_recordset($2) as y ("appId" text, "startTime" timestamptz, "profileId" bigint,
       "paymentId" bigint, step text, method text, url text, outcome text, status integer, ms bigint)
   ) ${INSERT_BATCHES}`,
)

/** 402 is the answer to a payment that is declined. */
const isError = ({ outcome, status }: ProviderLine): boolean =>
  outcome !== 'reply' || ((status ?? 0) >= 400 && status !== 402)

export async function insertProviderLines(db: Queryable, lines: readonly ProviderLine[]): Promise<void> {
  const failed = lines.filter(isError).map((line) => ({ ...line, ...WITHOUT_BODIES }))
  await db.query(INSERT, [batchesJson(batchesOf('provider', lines)), JSON.stringify(failed)])
}

const WITHOUT_BODIES = { requestHeaders: undefined, requestBody: undefined, responseBody: undefined }

/** The newest first. */
export const providerCallsOf = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<ProviderCall[]> => {
  const key = paymentKey(appId, paymentId)
  const lines = newestLines<ProviderLine>(db, { appId, kind: 'provider', key })
  return firstLines(lines, limit, (line) => line.paymentId === paymentId)
}

const ERRORS = sql<ProviderError>(
  'providerLog.errors',
  `select l.line_id, l.start_time, l.profile_id, l.payment_id, l.step, l.method, l.url, l.outcome, l.status,
     l.ms
   from unnest($2::bigint[]) with ordinality p (profile_id, place) cross join lateral (
     select l.line_id, l.start_time, l.profile_id, l.payment_id, l.step, l.method, l.url, l.outcome,
       l.status, l.ms
     from provider_errors l
     where l.app_id = $1 and l.profile_id = p.profile_id and l.start_time >= $3
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
  `apps a where ${hasOldBatches('provider', now, LOGS.provider.keptMs)}
     or exists (select from provider_errors e where e.app_id = a.app_id
       and e.start_time < ${ago(now, LOGS.provider.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'providerLog.appsWithOld',
  `select a.app_id from ${oldProviderLinesDue('$1::timestamptz')}`,
)

export const appsWithOldProviderCalls = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.appId)

const REMOVE = sql<{ removed: number }>(
  'providerLog.remove',
  `with lines as (
     ${removeBatches('provider')}
   ), errors as (
     delete from provider_errors e using (
       select start_time, line_id from provider_errors where app_id = $1 and start_time < $2
       order by start_time, line_id limit $3) old
     where e.app_id = $1 and e.start_time = old.start_time and e.line_id = old.line_id returning 1
   )
   select greatest((select count(*) from lines), (select count(*) from errors))::integer as removed
   from ${ASYNCHRONOUS}`,
)

export async function removeOldProviderCalls(
  db: Queryable,
  appId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await db.query(REMOVE, [appId, before, limit])
  return row?.removed ?? 0
}

import { ago, type Queryable, sql } from '../db/database.ts'
import type { LogBatch, LogKind } from './batches/batch.ts'
import { ASYNCHRONOUS } from './writing.ts'

/** `$1`: batches as JSON. */
export const INSERT_BATCHES = `insert into log_batches (app_id, kind, first_time, last_time, line_count, keys,
     lines)
   select x."appId", x.kind, x."firstTime", x."lastTime", x."lineCount", x.keys, decode(x.lines, 'base64')
   from ${ASYNCHRONOUS}, json_to_recordset($1) as x ("appId" text, kind text, "firstTime" timestamptz,
     "lastTime" timestamptz, "lineCount" integer, keys text[], lines text)`

export const batchesJson = (batches: readonly LogBatch[]): string =>
  JSON.stringify(batches.map((batch) => ({ ...batch, lines: Buffer.from(batch.lines).toString('base64') })))

const INSERT = sql<never>('logBatches.insert', INSERT_BATCHES)

export async function insertBatches(db: Queryable, batches: readonly LogBatch[]): Promise<void> {
  await db.query(INSERT, [batchesJson(batches)])
}

/** Batches of an app, from the newest; the next read begins after the last one. */
export interface BatchRange {
  readonly appId: string
  readonly kind: LogKind
  /** Only batches with such a line. */
  readonly key: string | undefined
  /** Batches that end from this time on, and begin until that. */
  readonly since: Date
  readonly until: Date
  readonly after: { readonly time: Date; readonly batchId: number }
  readonly limit: number
}

export interface StoredBatch {
  readonly batchId: number
  readonly lastTime: Date
  readonly lines: Uint8Array
}

const RANGE = `app_id = $1 and kind = $2 and (last_time, batch_id) < ($3, $4) and last_time >= $5
     and first_time <= $6`
const NEWEST = 'order by last_time desc, batch_id desc limit $7'

const IN_RANGE = sql<StoredBatch>(
  'logBatches.inRange',
  `select batch_id, last_time, lines from log_batches where ${RANGE} ${NEWEST}`,
)

/** `offset 0`: the index of the keys is used, and not that of the time, with all batches of the app. */
const WITH_KEYS = `(select * from log_batches where keys && $8::text[] offset 0) b`

const WITH_KEY = sql<StoredBatch>(
  'logBatches.withKey',
  `select batch_id, last_time, lines from ${WITH_KEYS} where ${RANGE} ${NEWEST}`,
)

export async function selectBatches(db: Queryable, range: BatchRange): Promise<StoredBatch[]> {
  const { appId, kind, key, since, until, after, limit } = range
  const values = [appId, kind, after.time, after.batchId, since, until, limit]
  return await (key === undefined ? db.query(IN_RANGE, values) : db.query(WITH_KEY, [...values, [key]]))
}

const OF_KEYS = sql<StoredBatch>(
  'logBatches.ofKeys',
  `select batch_id, last_time, lines from (
     select * from log_batches where keys && $3::text[] offset 0) b
   where app_id = $1 and kind = $2 and batch_id > $4 order by batch_id limit $5`,
)

/** Batches with one of these keys, in the order of their ids. */
export const batchesWithKeys = (
  db: Queryable,
  { appId, kind }: Pick<LogBatch, 'appId' | 'kind'>,
  part: { readonly keys: readonly string[]; readonly after: number; readonly limit: number },
): Promise<StoredBatch[]> => db.query(OF_KEYS, [appId, kind, part.keys, part.after, part.limit])

const REPLACE = sql<{ batchId: number }>(
  'logBatches.replace',
  `update log_batches set lines = $5
   where app_id = $1 and kind = $2 and last_time = $3 and batch_id = $4 and lines = $6 returning batch_id`,
)

/** False when the lines have changed since they were read, or are gone. */
export async function replaceLines(
  db: Queryable,
  { appId, kind }: Pick<LogBatch, 'appId' | 'kind'>,
  { batchId, lastTime, lines }: StoredBatch,
  changed: Uint8Array,
): Promise<boolean> {
  const rows = await db.query(REPLACE, [appId, kind, lastTime, batchId, changed, lines])
  return rows.length > 0
}

/** SQL condition: the app `a` has batches that end before this time. Apps are few. */
export const hasOldBatches = (kind: LogKind, now: string, keptMs: number): string =>
  `exists (select from log_batches b where b.app_id = a.app_id and b.kind = '${kind}'
       and b.last_time < ${ago(now, keptMs)})`

/** `$1` app, `$2` time, `$3` limit. */
export const removeBatches = (kind: LogKind): string =>
  `delete from log_batches b using (
       select last_time, batch_id from log_batches where app_id = $1 and kind = '${kind}' and last_time < $2
       order by last_time, batch_id limit $3) old
     where b.app_id = $1 and b.kind = '${kind}' and b.last_time = old.last_time
       and b.batch_id = old.batch_id returning 1`

import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff, fairClaim, type Share } from '../../db/fair-claim.ts'
import type { Export, ExportProblem, ExportSpec, Requester } from '../export.ts'
import type { ExportKind } from '../kinds.ts'
import { EXPORTS } from '../limits.ts'
import type { RowPlace } from './rows.ts'

const COLUMNS = `app_id, export_id, kind, spec, requested_by, schedule_id, state, problem, created_time,
  ended_time, row_count, part_count, file_bytes, place, tries, lease_token`

export interface NewExport {
  readonly appId: string
  readonly exportId: string
  readonly kind: ExportKind
  readonly spec: ExportSpec
  readonly requestedBy: Requester
  readonly createdTime: Date
  readonly dueTime: Date
  /** Of the request, which begins at once. */
  readonly leaseToken: string | null
  readonly schedule?: { readonly scheduleId: string; readonly periodStart: Date }
}

const INSERT = sql<Export>(
  'exports.insert',
  `insert into exports (app_id, export_id, kind, spec, requested_by, schedule_id, period_start, state,
     created_time, due_time, lease_token)
   values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10)
   on conflict (app_id, schedule_id, period_start) do nothing
   returning ${COLUMNS}`,
)

/** Undefined: the schedule has an export of this period. */
export async function insertExport(tx: Queryable, row: NewExport): Promise<Export | undefined> {
  const { appId, exportId, kind, spec, requestedBy, schedule, createdTime, dueTime, leaseToken } = row
  const ofSchedule = [schedule?.scheduleId ?? null, schedule?.periodStart ?? null]
  const what = [appId, exportId, kind, JSON.stringify(spec), JSON.stringify(requestedBy)]
  return (await tx.query(INSERT, [...what, ...ofSchedule, createdTime, dueTime, leaseToken]))[0]
}

const FIND = sql<Export>(
  'exports.find',
  `select ${COLUMNS} from exports where app_id = $1 and export_id = $2`,
)

export const selectExport = async (
  db: Queryable,
  appId: string,
  exportId: string,
): Promise<Export | undefined> => (await db.query(FIND, [appId, exportId]))[0]

const LIST = sql<Export>(
  'exports.list',
  `select ${COLUMNS} from exports where app_id = $1 order by created_time desc, export_id desc limit $2`,
)

export const listExports = (db: Queryable, appId: string): Promise<Export[]> =>
  db.query(LIST, [appId, EXPORTS.kept])

interface Usage {
  readonly unfinished: number
  readonly storedBytes: number
}

const USAGE = sql<Usage>(
  'exports.usage',
  `select (count(*) filter (where due_time is not null))::integer as unfinished,
     coalesce(sum(stored_bytes), 0)::bigint as stored_bytes
   from exports where app_id = $1`,
)

export const usageOf = async (db: Queryable, appId: string): Promise<Usage> =>
  (await db.query(USAGE, [appId]))[0] ?? { unfinished: 0, storedBytes: 0 }

const TRIM = sql<never>(
  'exports.trim',
  `delete from exports where app_id = $1 and ended_time is not null and export_id in (
     select export_id from exports where app_id = $1 order by created_time desc, export_id desc offset $2)`,
)

/** Removes ended exports beyond those that an app keeps. */
export async function trimExports(tx: Queryable, appId: string): Promise<void> {
  await tx.query(TRIM, [appId, EXPORTS.kept - 1])
}

/** Work that a worker has claimed. It calls no provider. */
export type ClaimedExport = Export & { readonly profileId: null }

export const exportsDue: Due = (now) => `exports where due_time <= ${now}`

const CLAIMED = fairClaim({ rows: exportsDue('$1'), key: 'app_id, export_id', profile: 'null::text' })
const CLAIM = sql<ClaimedExport>(
  'exports.claim',
  `with due as (${CLAIMED})
   update exports x set due_time = $3, lease_token = $4, state = 'running' from due
   where x.app_id = due.app_id and x.export_id = due.export_id
   returning null as profile_id, ${COLUMNS.split(', ')
     .map((name) => `x.${name.trim()}`)
     .join(', ')}`,
)

export const claimExports = (
  db: Queryable,
  lease: { readonly now: Date; readonly until: Date; readonly token: string; readonly share: Share },
): Promise<ClaimedExport[]> =>
  db.query(CLAIM, [lease.now, JSON.stringify(lease.share), lease.until, lease.token])

export interface NewPart {
  /** Compressed. */
  readonly content: Uint8Array
  readonly rows: number
  readonly fileBytes: number
  /** Where the next part begins; null at the end. */
  readonly place: RowPlace | null
}

const ADD_PART = sql<Export>(
  'exports.addPart',
  `with held as (
     update exports set part_count = part_count + 1, row_count = row_count + $4,
       file_bytes = file_bytes + $5, stored_bytes = stored_bytes + length($6::bytea), place = $7,
       due_time = $8, tries = 0, state = 'running'
     where app_id = $1 and export_id = $2 and lease_token = $3 and due_time is not null
     returning ${COLUMNS}
   ), added as (
     insert into export_parts (app_id, export_id, part, content)
     select app_id, export_id, part_count, $6 from held
   )
   select ${COLUMNS} from held`,
)

/**
 * Writes a part together with the place after it, so that a worker that takes over neither leaves out nor
 * repeats a row. Undefined: the lease is lost.
 */
export async function addPart(
  db: Queryable,
  { appId, exportId, leaseToken }: Export,
  { content, rows, fileBytes, place }: NewPart,
  until: Date,
): Promise<Export | undefined> {
  const values = [rows, fileBytes, content, place && JSON.stringify(place), until]
  return (await db.query(ADD_PART, [appId, exportId, leaseToken, ...values]))[0]
}

const END = sql<Export>(
  'exports.end',
  `update exports set state = $4, problem = $5, ended_time = $6, due_time = null, lease_token = null,
     spec = (spec::jsonb - 'sealingKey')::json
   where app_id = $1 and export_id = $2 and due_time is not null and ($3::text is null or lease_token = $3)
   returning ${COLUMNS}`,
)

export interface ExportEnding {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly problem?: ExportProblem
  readonly now: Date
  /** Of the worker. Absent: a person ends it. */
  readonly leaseToken?: string | null
}

/** Undefined: it has ended, or another worker has it. */
export async function endExport(
  tx: Queryable,
  { appId, exportId }: Pick<Export, 'appId' | 'exportId'>,
  { state, problem, now, leaseToken }: ExportEnding,
): Promise<Export | undefined> {
  return (await tx.query(END, [appId, exportId, leaseToken ?? null, state, problem ?? null, now]))[0]
}

const RELEASE = sql<never>(
  'exports.release',
  `update exports set due_time = $4, lease_token = null
   where app_id = $1 and export_id = $2 and lease_token = $3 and due_time is not null`,
)

/** The next claim goes on with it. */
export async function releaseExport(
  db: Queryable,
  { appId, exportId, leaseToken }: Export,
  now: Date,
): Promise<void> {
  await db.query(RELEASE, [appId, exportId, leaseToken, now])
}

const RETRY = sql<never>(
  'exports.retry',
  `update exports set tries = tries + 1, lease_token = null,
     due_time = ${backOff('$4', 'tries', EXPORTS.pauses)}
   where app_id = $1 and export_id = $2 and lease_token = $3 and due_time is not null`,
)

export async function retryExport(
  db: Queryable,
  { appId, exportId, leaseToken }: Export,
  now: Date,
): Promise<void> {
  await db.query(RETRY, [appId, exportId, leaseToken, now])
}

const DROP_PARTS = sql<never>(
  'exports.dropParts',
  `with freed as (update exports set stored_bytes = 0 where app_id = $1 and export_id = $2)
   delete from export_parts where app_id = $1 and export_id = $2`,
)

/** Of an export that will not be read. */
export async function dropParts(
  tx: Queryable,
  { appId, exportId }: Pick<Export, 'appId' | 'exportId'>,
): Promise<void> {
  await tx.query(DROP_PARTS, [appId, exportId])
}

const REMOVE = sql<never>('exports.remove', 'delete from exports where app_id = $1 and export_id = $2')

export async function removeExport(tx: Queryable, appId: string, exportId: string): Promise<void> {
  await tx.query(REMOVE, [appId, exportId])
}

const PART = sql<{ content: Buffer }>(
  'exports.part',
  'select content from export_parts where app_id = $1 and export_id = $2 and part = $3',
)

/** Compressed. Undefined: the export was removed. */
export const selectPart = async (
  db: Queryable,
  { appId, exportId }: Pick<Export, 'appId' | 'exportId'>,
  part: number,
): Promise<Buffer | undefined> => (await db.query(PART, [appId, exportId, part]))[0]?.content

export const oldExportsDue: Due = (now) => `exports where ended_time < ${ago(now, EXPORTS.keptMs)}`

const REMOVE_OLD = sql<{ count: number }>(
  'exports.removeOld',
  `with gone as (
     delete from exports where ctid = any (array(
       select ctid from ${oldExportsDue('$1::timestamptz')} limit $2))
     returning 1)
   select count(*)::integer as count from gone`,
)

export const removeOldExports = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE_OLD, [now, most]))[0]?.count ?? 0

import { type Queryable, sql } from '../../db/database.ts'
import { workRows } from '../../db/work-rows.ts'
import type { Export, ExportProblem, ExportSpec, Requester } from '../export.ts'
import type { ExportKind } from '../kinds.ts'
import { EXPORTS } from '../limits.ts'
import type { RowPlace } from './rows.ts'

const COLUMN_NAMES = `app_id export_id kind spec requested_by schedule_id state problem created_time
  ended_time row_count part_count file_bytes place tries lease_token`.split(/\s+/)
const COLUMNS = COLUMN_NAMES.join(', ')

export const exportRows = workRows<Export>(
  {
    ...{ table: 'exports', id: 'export_id', columns: COLUMN_NAMES },
    ...{ kept: EXPORTS.kept, keptMs: EXPORTS.keptMs, pauses: EXPORTS.pauses },
  },
  ({ exportId }) => exportId,
)

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

import { type Queryable, sql } from '../../db/database.ts'
import { workRows } from '../../db/work-rows.ts'
import type { LineProblem } from '../format.ts'
import type { Import } from '../import.ts'
import { IMPORTS } from '../limits.ts'

const COLUMN_NAMES = `app_id import_id state is_dry_run file_name requested_by created_time ended_time
  line_count done_count added_count wrong_count chunk_count chunk tries reads_at_once lease_token`.split(
  /\s+/,
)
const COLUMNS = COLUMN_NAMES.join(', ')

/** Each line names its profile, so an import belongs to none. A retry has fewer reads at once. */
export const importRows = workRows<Import>(
  {
    ...{ table: 'imports', id: 'import_id', columns: COLUMN_NAMES },
    ...{ kept: IMPORTS.kept, keptMs: IMPORTS.keptMs, pauses: IMPORTS.pauses },
    onRetry: `reads_at_once = greatest(reads_at_once / 2, ${IMPORTS.reads.fewest}),`,
  },
  ({ importId }) => importId,
)

type Key = Pick<Import, 'appId' | 'importId'>
type Held = Pick<Import, 'appId' | 'importId' | 'leaseToken'>

export interface NewImport
  extends Key,
    Pick<Import, 'isDryRun' | 'fileName' | 'requestedBy' | 'createdTime'> {
  readonly digest: Uint8Array
  readonly lineCount: number
  readonly doneCount: number
  readonly wrongCount: number
  readonly chunkCount: number
}

const INSERT = sql<Import>(
  'imports.insert',
  `insert into imports (app_id, import_id, is_dry_run, file_name, digest, requested_by, created_time,
     line_count, done_count, wrong_count, chunk_count, reads_at_once, state, due_time, ended_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::integer, ${IMPORTS.reads.first},
     case when $11 = 0 then 'done' else 'waiting' end, case when $11 > 0 then $7::timestamptz end,
     case when $11 = 0 then $7::timestamptz end)
   returning ${COLUMNS}`,
)

export async function insertImport(tx: Queryable, row: NewImport): Promise<void> {
  const { appId, importId, isDryRun, fileName, digest, requestedBy, createdTime } = row
  const { lineCount, doneCount, wrongCount, chunkCount } = row
  const what = [appId, importId, isDryRun, fileName, digest, JSON.stringify(requestedBy), createdTime]
  await tx.query(INSERT, [...what, lineCount, doneCount, wrongCount, chunkCount])
}

const ADD_CHUNKS = sql<never>(
  'imports.add_chunks',
  `insert into import_chunks (app_id, import_id, chunk, sealed)
   select $1, $2, $3::integer + ordinality, sealed from unnest($4::bytea[]) with ordinality as c (sealed)`,
)

/** `first`: the number of chunks before these. */
export async function addChunks(
  tx: Queryable,
  { appId, importId }: Key,
  first: number,
  sealed: readonly Uint8Array[],
): Promise<void> {
  await tx.query(ADD_CHUNKS, [appId, importId, first, sealed])
}

const ADD_PROBLEMS = sql<never>(
  'imports.add_problems',
  `insert into import_problems (app_id, import_id, line, problem)
   select $1, $2, line, problem from json_to_recordset($3) as p (line integer, problem json)
   limit greatest(0, $4 - (select count(*) from import_problems where app_id = $1 and import_id = $2))
   on conflict (app_id, import_id, line) do nothing`,
)

export async function addProblems(
  tx: Queryable,
  { appId, importId }: Key,
  wrong: readonly { readonly line: number; readonly problem: LineProblem }[],
): Promise<void> {
  const kept = wrong.slice(0, IMPORTS.problems)
  if (kept.length > 0) await tx.query(ADD_PROBLEMS, [appId, importId, JSON.stringify(kept), IMPORTS.problems])
}

const UNFINISHED = sql<Import & { readonly digest: Buffer }>(
  'imports.unfinished',
  `select ${COLUMNS}, digest from imports where app_id = $1 and due_time is not null`,
)

export const unfinishedImports = (db: Queryable, appId: string) => db.query(UNFINISHED, [appId])

const PROBLEMS = sql<{ line: number; problem: LineProblem }>(
  'imports.problems',
  `select line, problem from import_problems where app_id = $1 and import_id = $2 and line > $3
   order by line limit $4`,
)

export const selectProblems = (db: Queryable, { appId, importId }: Key, after: number, limit: number) =>
  db.query(PROBLEMS, [appId, importId, after, limit])

const CHUNK = sql<{ sealed: Uint8Array }>(
  'imports.chunk',
  'select sealed from import_chunks where app_id = $1 and import_id = $2 and chunk = $3',
)

export const selectChunk = async (db: Queryable, { appId, importId, chunk }: Key & { chunk: number }) =>
  (await db.query(CHUNK, [appId, importId, chunk]))[0]?.sealed

const FINISH_CHUNK = sql<Import>(
  'imports.finish_chunk',
  `with held as (
     update imports set chunk = chunk + 1, tries = 0,
       reads_at_once = least(reads_at_once + ${IMPORTS.reads.step}, ${IMPORTS.reads.most}),
       done_count = done_count + $4,
       added_count = added_count + $5, wrong_count = wrong_count + $6,
       state = case when chunk = chunk_count then 'done' else state end,
       due_time = case when chunk = chunk_count then null else $8::timestamptz end,
       ended_time = case when chunk = chunk_count then $7::timestamptz end,
       lease_token = case when chunk = chunk_count then null else lease_token end
     where app_id = $1 and import_id = $2 and lease_token = $3 and due_time is not null
     returning ${COLUMNS}
   ), gone as (
     delete from import_chunks c using held
     where c.app_id = held.app_id and c.import_id = held.import_id and c.chunk < held.chunk
   )
   select ${COLUMNS} from held`,
)

/** Ends the chunk with its counts, and the import with its last one. Undefined: the lease is lost. */
export async function finishChunk(
  tx: Queryable,
  { appId, importId, leaseToken }: Held,
  counts: { readonly done: number; readonly added: number; readonly wrong: number },
  times: { readonly now: Date; readonly until: Date },
): Promise<Import | undefined> {
  const values = [counts.done, counts.added, counts.wrong, times.now, times.until]
  return (await tx.query(FINISH_CHUNK, [appId, importId, leaseToken, ...values]))[0]
}

const CANCEL = sql<{ importId: string }>(
  'imports.cancel',
  `with ended as (
     update imports set state = 'cancelled', ended_time = $3, due_time = null, lease_token = null
     where app_id = $1 and import_id = $2 and due_time is not null
     returning app_id, import_id
   ), gone as (
     delete from import_chunks c using ended where c.app_id = ended.app_id and c.import_id = ended.import_id
   )
   select import_id from ended`,
)

/** False: it has ended. */
export const cancelRow = async (tx: Queryable, { appId, importId }: Key, now: Date): Promise<boolean> =>
  (await tx.query(CANCEL, [appId, importId, now])).length > 0

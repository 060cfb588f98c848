import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff, fairClaim, type Share } from '../../db/fair-claim.ts'
import type { LineProblem } from '../format.ts'
import type { Import } from '../import.ts'
import { IMPORTS } from '../limits.ts'

const NAMES = [
  ...[
    'app_id',
    'import_id',
    'state',
    'is_dry_run',
    'file_name',
    'requested_by',
    'created_time',
    'ended_time',
  ],
  ...[
    'line_count',
    'done_count',
    'added_count',
    'wrong_count',
    'chunk_count',
    'chunk',
    'tries',
    'reads_at_once',
    'lease_token',
  ],
]
const COLUMNS = NAMES.join(', ')

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
  if (wrong.length > 0)
    await tx.query(ADD_PROBLEMS, [appId, importId, JSON.stringify(wrong), IMPORTS.problems])
}

const FIND = sql<Import>(
  'imports.find',
  `select ${COLUMNS} from imports where app_id = $1 and import_id = $2`,
)

export const selectImport = async (db: Queryable, appId: string, importId: string) =>
  (await db.query(FIND, [appId, importId]))[0]

const UNFINISHED = sql<Import & { readonly digest: Buffer }>(
  'imports.unfinished',
  `select ${COLUMNS}, digest from imports where app_id = $1 and due_time is not null`,
)

export const unfinishedImports = (db: Queryable, appId: string) => db.query(UNFINISHED, [appId])

const LIST = sql<Import>(
  'imports.list',
  `select ${COLUMNS} from imports where app_id = $1 order by created_time desc, import_id desc limit $2`,
)

export const listImports = (db: Queryable, appId: string): Promise<Import[]> =>
  db.query(LIST, [appId, IMPORTS.kept])

const PROBLEMS = sql<{ line: number; problem: LineProblem }>(
  'imports.problems',
  `select line, problem from import_problems where app_id = $1 and import_id = $2 and line > $3
   order by line limit $4`,
)

export const selectProblems = (db: Queryable, { appId, importId }: Key, after: number, limit: number) =>
  db.query(PROBLEMS, [appId, importId, after, limit])

const TRIM = sql<never>(
  'imports.trim',
  `delete from imports where app_id = $1 and ended_time is not null and import_id in (
     select import_id from imports where app_id = $1 order by created_time desc, import_id desc offset $2)`,
)

/** Removes ended imports beyond those that an app keeps. */
export async function trimImports(tx: Queryable, appId: string): Promise<void> {
  await tx.query(TRIM, [appId, IMPORTS.kept - 1])
}

/** Each line names its profile, so an import belongs to none. */
export type ClaimedImport = Import & { readonly profileId: null }

export const importsDue: Due = (now) => `imports where due_time <= ${now}`

const CLAIMED = fairClaim({ rows: importsDue('$1'), key: 'app_id, import_id', profile: 'null::text' })
const CLAIM = sql<ClaimedImport>(
  'imports.claim',
  `with due as (${CLAIMED})
   update imports i set due_time = $3, lease_token = $4, state = 'running' from due
   where i.app_id = due.app_id and i.import_id = due.import_id
   returning null as profile_id, ${NAMES.map((name) => `i.${name}`).join(', ')}`,
)

export const claimImports = (
  db: Queryable,
  lease: { readonly now: Date; readonly until: Date; readonly token: string; readonly share: Share },
): Promise<ClaimedImport[]> =>
  db.query(CLAIM, [lease.now, JSON.stringify(lease.share), lease.until, lease.token])

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

const RELEASE = sql<never>(
  'imports.release',
  `update imports set due_time = $4, lease_token = null
   where app_id = $1 and import_id = $2 and lease_token = $3 and due_time is not null`,
)

/** The next claim goes on with it. */
export async function releaseImport(db: Queryable, { appId, importId, leaseToken }: Held, now: Date) {
  await db.query(RELEASE, [appId, importId, leaseToken, now])
}

const RETRY = sql<never>(
  'imports.retry',
  `update imports set tries = tries + 1, lease_token = null,
     reads_at_once = greatest(reads_at_once / 2, ${IMPORTS.reads.fewest}),
     due_time = greatest(${backOff('$4', 'tries', IMPORTS.pauses)}, $5::timestamptz)
   where app_id = $1 and import_id = $2 and lease_token = $3 and due_time is not null`,
)

/** Repeats the chunk later, at `earliest` at the soonest, with fewer reads at once. */
export async function retryImport(
  db: Queryable,
  { appId, importId, leaseToken }: Held,
  now: Date,
  earliest: Date = now,
): Promise<void> {
  await db.query(RETRY, [appId, importId, leaseToken, now, earliest])
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

export const oldImportsDue: Due = (now) => `imports where ended_time < ${ago(now, IMPORTS.keptMs)}`

const REMOVE_OLD = sql<{ count: number }>(
  'imports.remove_old',
  `with gone as (
     delete from imports where ctid = any (array(
       select ctid from ${oldImportsDue('$1::timestamptz')} limit $2))
     returning 1)
   select count(*)::integer as count from gone`,
)

export const removeOldImports = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE_OLD, [now, most]))[0]?.count ?? 0

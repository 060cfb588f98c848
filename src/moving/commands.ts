import { assert } from '../base/assert.ts'
import { ApiError, invalid, notFound } from '../base/errors.ts'
import { randomText } from '../base/ids.ts'
import { expected } from '../base/mistakes.ts'
import { sameBytes, sealJson, sha256 } from '../base/secret.ts'
import { cut, folded } from '../base/text.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import type { ImportRow } from './format.ts'
import type { Import } from './import.ts'
import { IMPORTS } from './limits.ts'
import { type ReadFile, readImport } from './read-file.ts'
import { readSealingKey } from './sealing.ts'
import {
  addChunks,
  addProblems,
  cancelRow,
  importRows,
  insertImport,
  type NewImport,
  selectProblems,
  unfinishedImports,
} from './store/imports.ts'

/** Name and topic of the job. */
export const IMPORTING = 'imports'

export interface FileToImport {
  readonly bytes: Uint8Array
  readonly name?: string | undefined
  readonly isDryRun: boolean
  /** Of sealed tokens, in hexadecimal. */
  readonly sealingKey?: string | undefined
}

/** The key of sealed tokens. Throws 400 for a text that is no key. */
export function sealingKeyIn(text: string | undefined): Uint8Array | undefined {
  const key = text === undefined ? undefined : readSealingKey(text)
  if (text !== undefined && !key) throw invalid([expected('sealingKey', 'sealingKey')])
  return key
}

/**
 * Takes a file: what is wrong by itself is known at once, the job does the rest. The same file while it is in
 * progress is the same import.
 */
export async function createImport(
  ctx: Context,
  app: App,
  { bytes, name, isDryRun, sealingKey }: FileToImport,
): Promise<{ readonly made: Import; readonly isNew: boolean }> {
  const key = sealingKeyIn(sealingKey)
  const digest = sha256(bytes)
  const unfinished = await unfinishedImports(ctx.db, app.appId)
  const same = unfinished.find((one) => one.isDryRun === isDryRun && sameBytes(one.digest, digest))
  if (same) return { made: same, isNew: false }
  if (unfinished.length >= IMPORTS.unfinished)
    throw new ApiError('not_possible', `The app has ${unfinished.length} imports in progress. Wait for them.`)
  const file = await readImport(bytes, { app, now: appNow(ctx, app), key })
  const importId = `imp_${randomText(ctx.random, 20)}`
  const chunks = chunksOf(file.rows)
  assert(ctx.actor !== undefined, 'a person or a key imports')
  const { kind, id, name: actorName } = ctx.actor
  const row: NewImport = {
    ...{ appId: app.appId, importId, isDryRun, fileName: shownName(name), digest },
    ...{ requestedBy: { kind, id, name: actorName }, createdTime: ctx.clock.now() },
    ...{ lineCount: file.lines, doneCount: file.lines - file.rows.length, wrongCount: file.wrong.length },
    chunkCount: chunks.length,
  }
  await ctx.db.transaction((tx) => write(ctx, tx, app, { row, chunks, file }))
  ctx.signals.wake(IMPORTING)
  return { made: await getImport(ctx, app, importId), isNew: true }
}

const shownName = (name: string | undefined): string | null =>
  cut(folded(name?.toWellFormed().split(/[\\/]/).at(-1) ?? ''), IMPORTS.nameLength) || null

/** A chunk has lines of one kind. */
function chunksOf(rows: readonly ImportRow[]): ImportRow[][] {
  const chunks: ImportRow[][] = []
  for (const row of rows) {
    const last = chunks.at(-1)
    if (last && last[0]?.kind === row.kind && last.length < IMPORTS.chunkRows) last.push(row)
    else chunks.push([row])
  }
  return chunks
}

interface NewFile {
  readonly row: NewImport
  readonly chunks: readonly (readonly ImportRow[])[]
  readonly file: ReadFile
}

async function write(ctx: Context, tx: Queryable, app: App, { row, chunks, file }: NewFile): Promise<void> {
  await importRows.trim(tx, app.appId)
  await insertImport(tx, row)
  for (let first = 0; first < chunks.length; first += IMPORTS.chunksOfWrite) {
    const some = chunks.slice(first, first + IMPORTS.chunksOfWrite)
    await addChunks(
      tx,
      row,
      first,
      some.map((rows) => sealJson(ctx.vault, { rows })),
    )
  }
  await addProblems(tx, row, file.wrong)
  await auditApp(ctx, tx, app, {
    action: 'import.created',
    target: `import:${row.importId}`,
    after: { lines: row.lineCount, wrong: row.wrongCount, isDryRun: row.isDryRun },
  })
}

/** The newest first. */
export const importsOf = ({ db }: Context, { appId }: App): Promise<Import[]> => importRows.list(db, appId)

/** Throws 404 for one of another app. */
export async function getImport({ db }: Context, { appId }: App, importId: string): Promise<Import> {
  const found = await importRows.find(db, appId, importId)
  if (!found) throw notFound('The import')
  return found
}

/** Wrong lines after a line, in their order. */
export const problemsOf = ({ db }: Context, one: Import, after: number, limit: number) =>
  selectProblems(db, one, after, limit)

/** Ends an import that waits or runs. What is imported stays. */
export async function cancelImport(ctx: Context, app: App, importId: string): Promise<Import> {
  const found = await getImport(ctx, app, importId)
  await ctx.db.transaction(async (tx) => {
    if (!(await cancelRow(tx, found, ctx.clock.now()))) return
    await auditApp(ctx, tx, app, { action: 'import.cancelled', target: `import:${importId}` })
  })
  return getImport(ctx, app, importId)
}

import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError } from '../base/errors.ts'
import { errorData } from '../base/log.ts'
import { acting, type Context } from '../context.ts'
import { readId } from '../http/wire.ts'
import type { Job } from '../jobs/loop.ts'
import { findProfile } from '../merchants/app.ts'
import { loadAppOfProfile } from '../merchants/directory.ts'
import { slot } from '../node/slot.ts'
import { importFile } from './commands.ts'
import { SETTLEMENTS } from './limits.ts'

/**
 * Imports the files of a folder with a sub-folder for each profile. A file is taken by a rename, which one
 * worker can do, and a file that is imported twice changes nothing. Decision 0164.
 */

const TAKEN = '.reading'

/** Names of files that are not complete: hidden ones, and what programs that copy files add. */
const isReport = (name: string): boolean =>
  !/^\.|\.(?:part|partial|tmp|temp|filepart|crdownload)$/i.test(name)

interface SeenFile {
  readonly size: number
  readonly mtimeMs: number
  /** Since when it has not changed, by our clock. */
  readonly sinceMs: number
}

const seenFiles = slot('seenFiles', () => new Map<string, SeenFile>(), {
  holds: 'files of the watched folder, with size and time',
  until: 'a file is taken or gone',
  restart: 'nothing: files are looked at for ten seconds again',
})

const ACTOR = {
  kind: 'service',
  id: 'settlements',
  name: 'settlement folder',
  address: '',
  requestId: '',
} as const

export const folderJob = (ctx: Context, folder: string): Job => ({
  name: 'settlement folder',
  everyMs: SETTLEMENTS.folderEveryMs,
  async runOnce() {
    let done = 0
    for (const name of await foldersIn(ctx, folder))
      done += await readFolder(ctx, join(folder, name), Number(name))
    return done
  },
})

/** Named by the ids of profiles. A folder that cannot be read is logged, and tried again. */
async function foldersIn(ctx: Context, folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && readId(entry.name) !== undefined)
      .map(({ name }) => name)
      .slice(0, SETTLEMENTS.folders)
  } catch (error) {
    ctx.log.warn('settlement.folder', errorData(error))
    return []
  }
}

/** Returns how many files were imported or refused. */
async function readFolder(ctx: Context, folder: string, profileId: number): Promise<number> {
  let done = 0
  try {
    await returnLeft(ctx, folder)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && isReport(entry.name)).map(({ name }) => name)
    forgetGone(ctx, folder, names)
    for (const name of names.slice(0, SETTLEMENTS.filesPerRun))
      if ((await isStable(ctx, join(folder, name))) && (await take(folder, name))) {
        await importTaken(ctx, folder, name, profileId)
        done++
      }
  } catch (error) {
    ctx.log.warn('settlement.folder', { profileId, ...errorData(error) })
  }
  return done
}

function forgetGone(ctx: Context, folder: string, names: readonly string[]): void {
  const seen = seenFiles(ctx)
  const there = new Set(names.map((name) => join(folder, name)))
  for (const path of seen.keys()) if (dirname(path) === folder && !there.has(path)) seen.delete(path)
}

/** Whether the file has kept its size and time for a while: nothing is writing it any more. */
async function isStable(ctx: Context, path: string): Promise<boolean> {
  const seen = seenFiles(ctx)
  const found = await unlessGone(stat(path))
  if (!found) return false
  const { size, mtimeMs } = found
  const now = ctx.clock.now().getTime()
  const known = seen.get(path)
  const isSame = known?.size === size && known.mtimeMs === mtimeMs
  if (!isSame) seen.set(path, { size, mtimeMs, sinceMs: now })
  if (!known || !isSame || now - known.sinceMs < SETTLEMENTS.fileStableMs) return false
  seen.delete(path)
  return true
}

/** False: another worker has taken it. */
async function take(folder: string, name: string): Promise<boolean> {
  await mkdir(join(folder, TAKEN), { recursive: true })
  const taken = rename(join(folder, name), join(folder, TAKEN, name)).then(() => true)
  return (await unlessGone(taken)) ?? false
}

/** Undefined where the file is gone: other workers move the same files. */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What a worker has taken and left when it crashed. The time of the rename is the file's `ctime`. */
async function returnLeft(ctx: Context, folder: string): Promise<void> {
  const names = (await unlessGone(readdir(join(folder, TAKEN)))) ?? []
  for (const name of names) {
    const path = join(folder, TAKEN, name)
    const { ctimeMs } = (await unlessGone(stat(path))) ?? {}
    if (ctimeMs !== undefined && ctx.clock.now().getTime() - ctimeMs > SETTLEMENTS.fileLeftMs)
      await unlessGone(rename(path, join(folder, name)))
  }
}

async function importTaken(ctx: Context, folder: string, name: string, profileId: number): Promise<void> {
  const path = join(folder, TAKEN, name)
  try {
    const { lineCount, isRepeated } = await importAt(ctx, path, name, profileId)
    ctx.log.info('settlement.file_imported', { profileId, lines: lineCount, isRepeated })
    await move(ctx, path, join(folder, 'done'), name)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) {
      // Not the file's fault: it is tried again.
      await rename(path, join(folder, name))
      throw error
    }
    ctx.log.warn('settlement.file_refused', { profileId, code: error.code })
    const refused = await move(ctx, path, join(folder, 'failed'), name)
    await writeFile(`${refused}.reason.txt`, `${error.message}\n`)
  }
}

async function importAt(ctx: Context, path: string, name: string, profileId: number) {
  const app = await loadAppOfProfile(ctx, profileId)
  const profile = app && findProfile(app, profileId)
  if (!app || !profile) throw new ApiError('not_found', `There is no payment profile ${profileId}.`)
  return importFile(acting(ctx, ACTOR), app, profile, { bytes: await readReport(path), name })
}

/** A link is not followed: it could name any file of the machine. */
async function readReport(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > SETTLEMENTS.fileBytes)
      throw new ApiError('payload_too_large', `The file has more than ${SETTLEMENTS.fileBytes} bytes.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** With the time in its name, so that a later file of the same name replaces none. Returns the new path. */
async function move(ctx: Context, path: string, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const time = ctx.clock.now().toISOString().replace(/[-:.]/g, '')
  const moved = join(folder, `${time}-${name}`)
  await rename(path, moved)
  return moved
}

import { createWriteStream } from 'node:fs'
import { access, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { Secret } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { loadStorage } from '../config/storage.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { findRunning } from '../db/embedded/running.ts'
import { VERSION } from '../version.ts'
import { type ArchiveEntry, packArchive } from './archive.ts'
import { baseBackup, CLUSTER, noteBackup } from './base-backup.ts'
import { fileEntry } from './cluster-files.ts'

/** Beside the cluster: the password opens it, the key decrypts sealed values in it. */
export const SECRET_FILES = ['postgres-password', 'secret-key', 'operator-token']

/**
 * Writes the embedded database and the generated secrets into one archive. The service may be running or not.
 * `beforeEnd` runs when the files are copied; what is committed until then is part of the backup. Returns a
 * line about the archive.
 */
export async function backUp(
  environment: Parameters<typeof loadStorage>[0],
  file: string,
  beforeEnd = async (): Promise<void> => {},
): Promise<string> {
  const { dataDir, hasOwnServer, secretKeys } = loadStorage(environment)
  if (hasOwnServer)
    throw new StartError('DATABASE_URL is set: back up that server with pg_dump or pg_basebackup.')
  const target = resolve(file)
  if (await exists(target)) throw new StartError(`${target} exists: choose another name.`)
  if (!(await exists(join(dataDir, CLUSTER, 'PG_VERSION'))))
    throw new StartError(`There is no database in DATA_DIR ${dataDir}.`)
  const folder = await realpath(dataDir)
  const key = secretKeys[0] ?? (await generatedKey(folder))
  const running = await findRunning(folder)
  const server = running ? { url: running, stop: async () => {} } : await startEmbedded({ dataDir: folder })
  try {
    await write(target, packArchive(entriesOf(server.url, folder, beforeEnd), { version: VERSION, key }))
    await noteBackup(server.url)
  } finally {
    await server.stop()
  }
  const { size } = await stat(target)
  return `${target}: ${(size / 1e6).toFixed(1)} MB. It contains secrets: store it as safely as the database.`
}

/** In development; in production the key is a setting. */
async function generatedKey(folder: string): Promise<Secret> {
  const text = await readFile(join(folder, 'secret-key'), 'utf8').catch(() => '')
  if (text.trim() === '')
    throw new StartError('SECRET_KEY is not set: it signs the archive. Set it as for the service.')
  return new Secret(text.trim())
}

async function* entriesOf(
  url: string,
  folder: string,
  beforeEnd: () => Promise<void>,
): AsyncGenerator<ArchiveEntry> {
  yield* baseBackup({ url, cluster: join(folder, CLUSTER), beforeEnd })
  for (const name of SECRET_FILES) yield* fileEntry(join(folder, name), name)
}

/** Renamed when complete, so that a file with the name is a whole archive. */
async function write(target: string, archive: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${target}.partial`
  try {
    await pipeline(
      Readable.from(archive, { objectMode: true, highWaterMark: 4 }),
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(draft, target)
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') await rm(draft, { force: true })
    throw code && syscall ? new StartError(`The backup failed: ${message}`) : error
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

import type { ReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StartError } from '../base/start-error.ts'
import { loadStorage } from '../config/storage.ts'
import { DRAFT, syncFolder } from '../db/embedded/cluster.ts'
import { lockFolder } from '../db/embedded/lock.ts'
import { type ArchiveEntry, unpackArchive } from './archive.ts'
import { SECRET_FILES } from './back-up.ts'
import { CLUSTER } from './base-backup.ts'
import { damaged } from './byte-reader.ts'
import { isClusterConfig, writeClusterConfig } from './cluster-config.ts'
import { checkSignature } from './signature.ts'

/** Files of this process, and of the root of a disk of its own. */
const EXPECTED = /^(running-\d+-\w+|lost\+found)$/

type Verify = Parameters<typeof unpackArchive>[1]['verify']

interface RestoreOptions {
  /** Restores an archive without a valid signature too. */
  readonly unverified?: boolean
}

/**
 * Restores an archive into an empty data folder. Nothing is in place before all of the archive is verified.
 * The next start replays the WAL in it. Returns a line about what to do.
 */
export async function restore(
  environment: Parameters<typeof loadStorage>[0],
  file: string,
  { unverified = false }: RestoreOptions = {},
): Promise<string> {
  const { dataDir, hasOwnServer, secretKeys } = loadStorage(environment)
  const verify: Verify = unverified ? () => {} : (...signed) => checkSignature(secretKeys, ...signed)
  if (hasOwnServer) throw new StartError('DATABASE_URL is set: an archive is for the embedded database only.')
  try {
    const archive = await open(resolve(file), 'r')
    try {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const folder = await realpath(dataDir)
      const lock = await lockFolder(folder)
      await restoreInto(folder, archive.createReadStream(), verify).finally(lock.release)
    } finally {
      await archive.close()
    }
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_')) throw damaged(message)
    throw code && syscall ? new StartError(`The restore failed: ${message}`) : error
  }
  return `${dataDir} is restored. Start the service with the same SECRET_KEY as before, if that was set.`
}

async function restoreInto(folder: string, source: ReadStream, verify: Verify): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !EXPECTED.test(name))
  const [other] = names.filter((name) => !name.startsWith(DRAFT))
  if (other !== undefined)
    throw new StartError(`DATA_DIR ${folder} is not empty (${other}): restore into an empty folder.`)
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
  const draft = await mkdtemp(join(folder, DRAFT))
  try {
    await unpack(source, draft, verify)
    const stored = await readdir(draft)
    if (!stored.includes(CLUSTER)) throw damaged('it has no database')
    await writeClusterConfig(join(draft, CLUSTER))
    await syncFolder(join(draft, CLUSTER))
    // The cluster comes last: with it, the folder is that of a service.
    for (const name of [...stored.filter((one) => one !== CLUSTER), CLUSTER])
      await rename(join(draft, name), join(folder, name))
    await syncFolder(folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function unpack(source: ReadStream, draft: string, verify: Verify): Promise<void> {
  let unpacking: Promise<void> | undefined
  const reading = pipeline(source, createGunzip(), (unzipped) => {
    unpacking = unpackArchive(unzipped, { store: (entry) => store(draft, entry), verify })
    return unpacking
  })
  // The pipeline fails as soon as a stream does, while an entry may still be written.
  await reading.finally(() => unpacking?.catch(() => {}))
}

async function store(draft: string, { path, content }: ArchiveEntry): Promise<void> {
  if (!isExpected(path)) throw damaged(`${JSON.stringify(path)} does not belong into it`)
  const target = join(draft, path)
  if (!content) {
    await mkdir(target, { mode: 0o700 })
    return await syncFolder(dirname(target))
  }
  // Read for its checksum, but not written.
  if (isClusterConfig(path)) return await drain(content.chunks)
  const handle = await open(target, 'wx', 0o600)
  try {
    for await (const chunk of content.chunks) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

/** Links of tablespaces lead out of the cluster; files of a running server belong to another process. */
const REFUSED = /^(?:pg_tblspc\/.|tablespace_map|postmaster\.)/i

/** Names of a cluster consist of these characters; none begins with a dot. */
function isExpected(path: string): boolean {
  const [first = '', ...below] = path.split('/')
  if (first !== CLUSTER) return below.length === 0 && SECRET_FILES.includes(first)
  return below.every((name) => /^\w[\w.-]*$/.test(name)) && !REFUSED.test(below.join('/'))
}

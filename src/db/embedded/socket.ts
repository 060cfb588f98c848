import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { RunAs } from './run-as.ts'

const SOCKET_FOLDER_PREFIX = 'tender-'

/** The socket's whole path must fit in 104 bytes on macOS, 108 on Linux; its name takes fifteen of them. */
const FOLDER_BYTES = 85

/**
 * A folder for PostgreSQL and the service only: in the data folder, or a temporary one if it is too deep. The
 * data folder names the temporary one, so that the next start removes it after a crash.
 */
export async function makeSocketFolder(dataDir: string, runAs: RunAs): Promise<string> {
  const near = join(dataDir, 'run')
  const record = join(dataDir, 'socket-folder')
  await rm(near, { recursive: true, force: true })
  await removeSocketFolder(await readFile(record, 'utf8').catch(() => ''))
  await rm(record, { force: true })
  const folder =
    Buffer.byteLength(near) <= FOLDER_BYTES
      ? await mkdir(near, { mode: 0o700 }).then(() => near)
      : await mkdtemp(join(tmpdir(), SOCKET_FOLDER_PREFIX))
  if (folder !== near) await writeFile(record, folder, { mode: 0o600 })
  await chown(folder, runAs.owner.uid, runAs.owner.gid)
  return folder
}

/** Removes a temporary socket folder; any other path is left alone. */
export async function removeSocketFolder(folder = ''): Promise<void> {
  if (dirname(folder) === tmpdir() && basename(folder).startsWith(SOCKET_FOLDER_PREFIX))
    await rm(folder, { recursive: true, force: true })
}

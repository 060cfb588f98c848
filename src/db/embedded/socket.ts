import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './run-as.ts'

export const SOCKET_FOLDER_PREFIX = 'tender-'

/** The socket's whole path must fit in 104 bytes on macOS, 108 on Linux; its name takes fifteen of them. */
const FOLDER_BYTES = 85

/** A folder for PostgreSQL and the service only: in the data folder, or a temporary one if it is too deep. */
export async function makeSocketFolder(dataDir: string, runAs: RunAs): Promise<string> {
  const near = join(dataDir, 'run')
  await rm(near, { recursive: true, force: true })
  const folder =
    Buffer.byteLength(near) <= FOLDER_BYTES
      ? await mkdir(near, { mode: 0o700 }).then(() => near)
      : await mkdtemp(join(tmpdir(), SOCKET_FOLDER_PREFIX))
  await chown(folder, runAs.owner.uid, runAs.owner.gid)
  return folder
}

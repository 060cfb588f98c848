import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * A new folder for a database that nobody keeps: in memory where there is enough of it. It is quicker there,
 * and a disk that stands still for some seconds does not look like a database that is away.
 */
export async function newDatabaseFolder(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return await mkdtemp(join(bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir(), prefix))
}

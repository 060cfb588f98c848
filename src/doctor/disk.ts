import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readDisk } from '../db/embedded/disk.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const GB = 1_000_000_000
/** Below the first PostgreSQL may stop soon, below the second it is time to act. */
const LEAST_BYTES = GB
const ENOUGH_BYTES = 5 * GB

/** The disk of DATA_DIR, where the embedded database is. */
export async function checkDisk(dataDir: string, read = readDisk): Promise<Finding[]> {
  const folder = await existing(dataDir)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return [
      problem(
        'disk',
        `DATA_DIR ${dataDir} cannot be written by this user.`,
        'Run this as the user of the service, or give the folder to that user.',
      ),
    ]
  const disk = await read(folder)
  if (!disk)
    return [warning('disk', `The disk of ${dataDir} cannot be read.`, 'Watch its free space by other means.')]
  const [free, total] = [disk.freeBytes, disk.totalBytes].map((bytes) => (bytes / GB).toFixed(1))
  const message = `${free} of ${total} GB are free in ${dataDir}.`
  const todo = 'Free space or enlarge the disk: without space PostgreSQL stops, and payments with it.'
  if (disk.freeBytes < LEAST_BYTES) return [problem('disk', message, todo)]
  return [disk.freeBytes < ENOUGH_BYTES ? warning('disk', message, todo) : ok('disk', message)]
}

/** The folder itself, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder))
}

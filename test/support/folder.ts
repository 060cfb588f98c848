import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * A new folder for a temporary database: in memory where there is enough of it. It is faster there, and a
 * disk that stalls for some seconds does not look like a database that is down. Folders in memory that
 * processes left when they were killed are removed first: they would fill the memory of the machine.
 */
export async function newDatabaseFolder(prefix: string): Promise<string> {
  await removeAbandoned()
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  const parent = bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir()
  return await mkdtemp(join(parent, `${prefix}${process.pid}-`))
}

/** The name of a folder has the id of its process. */
const OWNER = /^tender-[a-z]+-(?<pid>\d+)-/u

async function removeAbandoned(): Promise<void> {
  const names = await readdir(MEMORY).catch(() => [])
  for (const name of names) {
    const pid = OWNER.exec(name)?.groups?.pid
    const folder = join(MEMORY, name)
    if (pid === undefined || isAlive(pid) || isAlive(await postmasterOf(folder))) continue
    await rm(folder, { recursive: true, force: true })
  }
}

async function postmasterOf(folder: string): Promise<string> {
  const inside = await readdir(folder, { recursive: true }).catch(() => [])
  const file = inside.find((name) => name.endsWith('postmaster.pid'))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8').catch(() => '')
  return text.split('\n')[0] ?? ''
}

function isAlive(pid: string): boolean {
  if (!/^\d+$/u.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

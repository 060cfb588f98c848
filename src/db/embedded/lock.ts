import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { systemRandom } from '../../base/ids.ts'
import { StartError } from '../../base/start-error.ts'
import { identityOf } from './processes.ts'

const MARK = /^running-(\d+)-(\w+)$/
const ATTEMPTS = 4
const MIN_PAUSE_MS = 20

/**
 * Locks the data folder for one process. A process creates its lock file before it looks for others, so of
 * two at least one sees the other and withdraws. A stale file of a dead process is removed, also when its pid
 * was reused. Two processes that start at once may both withdraw; they retry after random pauses.
 */
export async function lockFolder(dataDir: string): Promise<{ release(): Promise<void> }> {
  const mine = `running-${process.pid}-${identityOf(process.pid)}`
  const path = join(dataDir, mine)
  let rival: number | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!(await putMark(path))) throw alreadyRunning(dataDir, process.pid)
    rival = await findRival(dataDir, mine)
    if (rival === undefined) return { release: () => rm(path, { force: true }) }
    await rm(path, { force: true })
    const [jitterMs] = systemRandom.bytes(1)
    await systemClock.sleep(MIN_PAUSE_MS + (jitterMs ?? 0) / 4)
  }
  throw alreadyRunning(dataDir, rival)
}

/** False when this process has created it already. */
async function putMark(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function findRival(dataDir: string, mine: string): Promise<number | undefined> {
  for (const name of await readdir(dataDir)) {
    const [, pid, identity] = MARK.exec(name) ?? []
    if (!pid || name === mine) continue
    if (identityOf(Number(pid)) === identity) return Number(pid)
    await rm(join(dataDir, name), { force: true })
  }
  return undefined
}

const alreadyRunning = (dataDir: string, pid: number | undefined) =>
  new StartError(
    `Tender is already running on ${dataDir} (pid ${pid}). Stop it first or choose another DATA_DIR.`,
  )

import { chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandOf, waitUntil } from './processes.ts'
import { removeSocketFolder } from './socket.ts'

/** Fast shutdown, then without a checkpoint, then by force; together less than the limit of a restart. */
const STEPS = [
  ['SIGINT', 2_500],
  ['SIGQUIT', 1_000],
  ['SIGKILL', 500],
] as const

/** Ends the PostgreSQL of this folder that a killed service left running, and removes its stale files. */
export async function endLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return await rm(pidFile, { force: true })
  const isGone = () => !commandOf(pid).includes(` -D ${cluster} `)
  for (const [signal, ms] of STEPS) {
    if (isGone()) break
    signalIfAlive(pid, signal)
    await waitUntil(isGone, ms)
  }
  await removeSocketFolder(lines[4])
  await disown(pidFile)
}

/**
 * The pid may have been reused by another process, which would keep PostgreSQL from starting. The file is not
 * removed, because the next PostgreSQL reads from it where to look for orphans. The service's own pid is
 * written instead: PostgreSQL accepts the pid of its parent.
 */
async function disown(pidFile: string): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const { uid, gid } = await stat(pidFile)
  const draft = `${pidFile}.draft`
  await writeFile(draft, text.replace(/^\d+/, String(process.pid)), { mode: 0o600 })
  await chown(draft, uid, gid)
  await rename(draft, pidFile)
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

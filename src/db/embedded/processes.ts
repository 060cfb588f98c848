import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'

const LINUX = process.platform === 'linux'

/** The command line of a living process, or '' when there is none (a zombie has none either). */
export function commandOf(pid: number): string {
  return LINUX ? readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') : ps('command', pid)
}

/** Distinguishes a process from a later one with the same pid; '' when it is not running. */
export function identityOf(pid: number): string {
  if (!LINUX) return ps('lstart', pid).replace(/\W+/g, '')
  const fields = readProc(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  const [state, startTicks] = [fields[0], fields[19]]
  if (!startTicks || state === 'Z' || state === 'X') return ''
  // The ticks count from boot, so they are unique only together with the boot id.
  return `${startTicks}${readProc('/proc/sys/kernel/random/boot_id').slice(0, 8)}`
}

/** Polls until the condition is true or the time is up. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const POLL_MS = 15
  const end = systemClock.now().getTime() + ms
  while (!(await isSo())) {
    if (systemClock.now().getTime() > end) return false
    await systemClock.sleep(POLL_MS)
  }
  return true
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function ps(column: string, pid: number): string {
  try {
    const args = ['-o', `${column}=`, '-p', String(pid)]
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

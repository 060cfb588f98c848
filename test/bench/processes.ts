import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** CPU time and memory of a process. Only available on Linux. */
export interface Usage {
  readonly cpuMs: number
  readonly rssMb: number
}

const NOTHING: Usage = { cpuMs: Number.NaN, rssMb: Number.NaN }
const TICK_MS = process.platform === 'linux' ? 1_000 / Number(execFileSync('getconf', ['CLK_TCK'])) : 0
const PAGE_MB = process.platform === 'linux' ? Number(execFileSync('getconf', ['PAGESIZE'])) / 2 ** 20 : 0

export function usageOf(pid: number): Usage {
  const fields = statOf(pid)
  if (!fields) return NOTHING
  // utime and stime, also of exited children, which matter for PostgreSQL.
  const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
  return { cpuMs: ticks * TICK_MS, rssMb: Number(fields[21]) * PAGE_MB }
}

/** Usage of a process and its descendants. */
export function usageOfTree(pid: number): Usage {
  // A process that has just exited is counted with its parent.
  const all = [pid, ...childrenOf(pid)].map(usageOf).filter(({ cpuMs }) => !Number.isNaN(cpuMs))
  return {
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssMb: all.reduce((sum, { rssMb }) => sum + rssMb, 0),
  }
}

/** The fields after the name, which may contain spaces. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

/** Its descendants. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const own = pids.filter((other) => Number(statOf(other)?.[1]) === pid)
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

/** CPU time of the whole machine since its start: used, and in all. */
export function busyMs(): { readonly busy: number; readonly all: number } {
  if (process.platform !== 'linux') return { busy: 0, all: 1 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, one) => sum + one, 0)
  // Idle and waiting for the disk.
  return { busy: (all - (ticks[3] ?? 0) - (ticks[4] ?? 0)) * TICK_MS, all: all * TICK_MS }
}

import { readdirSync, readFileSync } from 'node:fs'
import { quantile, sorted } from '../bench/bench.ts'
import { childrenOf, usageOf } from '../bench/processes.ts'
import type { Ask } from '../support/invariants.ts'
import type { Sample } from './verdict.ts'

/** Times since the last sample. */
export interface Times {
  readonly answers: number[]
  readonly lags: number[]
  readonly pages: number[]
}

interface Watched {
  readonly service: number
  readonly postgres: () => Promise<number[]>
  readonly ask: Ask
  readonly times: Times
  readonly payments: () => number
}

/** The workers of a service, the oldest first. In a checkout each has a process of esbuild besides. */
export const workersOf = (service: number): number[] =>
  childrenOf(service)
    .filter((pid) => fileOf(pid, 'cmdline').includes('main.js'))
    .sort((a, b) => bornOf(a) - bornOf(b))

/** Reads everything once; the times begin anew. */
export async function takeSample(watched: Watched, at: number): Promise<Sample> {
  const { service, times } = watched
  const workers = workersOf(service)
  const own = await watched.postgres().catch(() => [])
  const inside = await readDatabase(watched.ask).catch(() => undefined)
  const values = {
    payments: watched.payments(),
    'primary MB': usageOf(service).rssMb,
    'worker MB': usageOf(workers[0] ?? 0).rssMb,
    'killed worker MB': usageOf(workers[1] ?? 0).rssMb,
    'postgres MB': own.reduce((sum, pid) => sum + ownMemoryMb(pid), 0),
    files: [service, ...workers].reduce((sum, pid) => sum + openFiles(pid), 0),
    ...quantiles('', taken(times.answers)),
    'lag ms': quantile(sorted(taken(times.lags)), 0.99),
    'console ms': quantile(sorted(taken(times.pages)), 0.5),
    ...inside?.values,
  }
  return { at, values, tables: inside?.tables ?? {} }
}

const taken = (numbers: number[]): number[] => numbers.splice(0)

function quantiles(prefix: string, numbers: readonly number[]): Record<string, number> {
  const all = sorted(numbers)
  return { [`${prefix}p50 ms`]: quantile(all, 0.5), [`${prefix}p99 ms`]: quantile(all, 0.99) }
}

async function readDatabase(ask: Ask) {
  const tables = await ask<{ name: string; bytes: string; dead: string }>(
    `select relid::regclass::text as name, pg_total_relation_size(relid) as bytes, n_dead_tup as dead
     from pg_stat_user_tables`,
  )
  const [row] = await ask<{ connections: number }>(
    `select count(*)::integer as connections from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return {
    tables: Object.fromEntries(tables.map(({ name, bytes }) => [name, Number(bytes)])),
    values: {
      connections: row?.connections ?? Number.NaN,
      'dead rows': tables.reduce((sum, { dead }) => sum + Number(dead), 0),
    },
  }
}

/** Without the buffers that all processes of PostgreSQL share. */
function ownMemoryMb(pid: number): number {
  const kb = /^RssAnon:\s+(\d+) kB$/m.exec(fileOf(pid, 'status'))?.[1]
  return Number(kb ?? 0) / 1_024
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** In ticks since the start of the machine. */
const bornOf = (pid: number): number =>
  Number(
    fileOf(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ')[19],
  )

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

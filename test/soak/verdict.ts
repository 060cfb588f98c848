import { median } from '../bench/measure.ts'

/** What was measured at one moment. What could not be read is missing, such as that of a closed database. */
export interface Sample {
  /** Seconds since the start of the measurement. */
  readonly at: number
  readonly values: Readonly<Record<string, number>>
  /** Bytes of each table with its indexes. */
  readonly tables: Readonly<Record<string, number>>
}

/** A time in which something was broken on purpose, or recovering from it. */
export interface FaultWindow {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** What may not rise, and how much of a rise is noise: a part of the first value, and an amount. */
export interface Limit {
  readonly key: string
  readonly name: string
  readonly part: number
  readonly plus: number
  readonly unit: string
}

export interface Finding {
  readonly name: string
  readonly ok: boolean
  /** The medians of the first, second and last third. */
  readonly thirds: readonly number[]
  readonly text: string
}

export const LIMITS: readonly Limit[] = [
  { key: 'primary MB', name: 'memory of the first process', part: 0.1, plus: 10, unit: 'MB' },
  { key: 'worker MB', name: 'memory of the worker that is not killed', part: 0.1, plus: 20, unit: 'MB' },
  { key: 'postgres MB', name: 'memory of PostgreSQL', part: 0.15, plus: 20, unit: 'MB' },
  { key: 'files', name: 'open files', part: 0.05, plus: 10, unit: '' },
  { key: 'connections', name: 'connections to PostgreSQL', part: 0.05, plus: 4, unit: '' },
  { key: 'p99 ms', name: 'p99 of requests', part: 0.5, plus: 50, unit: 'ms' },
  { key: 'lag ms', name: 'p99 of the time until a webhook', part: 0.5, plus: 250, unit: 'ms' },
]

/** Bytes that each payment adds may rise by so much. */
const BYTES_PART = 0.2

interface Run {
  readonly samples: readonly Sample[]
  readonly faults: readonly FaultWindow[]
  /** Seconds at the start that do not count: caches fill, code is compiled. */
  readonly warmUp: number
}

/** Whether each figure is as high in the last third as in the first one, outside of faults. */
export function judge(run: Run): Finding[] {
  return [...LIMITS.map((limit) => flat(limit, run)), bytesOf(run)]
}

function flat(limit: Limit, { samples, faults, warmUp }: Run): Finding {
  const quiet = samples.filter(
    ({ at, values }) =>
      at >= warmUp &&
      Number.isFinite(values[limit.key]) &&
      !faults.some(({ from, to }) => at >= from && at <= to),
  )
  const thirds = inThirds(quiet).map((some) => median(some.map(({ values }) => values[limit.key] ?? 0)))
  const [first = Number.NaN, , last = Number.NaN] = thirds
  // Without a number in each third nothing is proved.
  const ok = last <= first * (1 + limit.part) + limit.plus
  const shown = thirds.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(' → ')
  return { name: limit.name, ok, thirds, text: `${limit.name}: ${shown} ${limit.unit}`.trimEnd() }
}

const inThirds = <T>(all: readonly T[]): T[][] =>
  [0, 1, 2].map((n) => all.slice((n * all.length) / 3, ((n + 1) * all.length) / 3))

/** What each payment adds to the tables and their indexes. Faults count too: their rows stay. */
function bytesOf({ samples, warmUp }: Run): Finding {
  const counted = samples.filter(({ at, tables }) => at >= warmUp && Object.keys(tables).length > 0)
  const thirds = inThirds(counted).map((some) => {
    const [begin, end] = [some[0], some.at(-1)]
    if (!begin || !end) return Number.NaN
    return (bytesIn(end) - bytesIn(begin)) / ((end.values.payments ?? 0) - (begin.values.payments ?? 0))
  })
  const [first = Number.NaN, , last = Number.NaN] = thirds
  const name = 'bytes that a payment adds'
  const shown = thirds.map((value) => `${(value / 1_024).toFixed(1)}`).join(' → ')
  return { name, ok: last <= first * (1 + BYTES_PART), thirds, text: `${name}: ${shown} KB` }
}

export const bytesIn = ({ tables }: Sample): number =>
  Object.values(tables).reduce((sum, bytes) => sum + bytes, 0)

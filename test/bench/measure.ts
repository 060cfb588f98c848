import { type Figure, quantile, sorted } from './bench.ts'
import type { Outcome, Plan } from './load/plan.ts'
import { busyMs, usageOf } from './processes.ts'
import type { Rig, Share } from './rig.ts'

const SHARES = ['service', 'postgres', 'bank', 'load', 'receiver'] as const satisfies Share[]

export interface Measured extends Outcome {
  readonly perSecond: number
  /** Microseconds of CPU per unit, by process. */
  readonly cpuUs: Readonly<Record<Share, number>>
  /** Bytes of PostgreSQL's write-ahead log per unit. */
  readonly logBytes: number
}

let next = 0

/** A round is repeated when other processes of the machine use more than this part of the cores. */
const OTHER_WORK = 0.1
const MAX_ROUNDS = 3

/**
 * Runs a load and returns its rate and the CPU time per unit. `settled` waits for background work, which is
 * then included, and returns the time when it ended. Repeats the round when other work ran on the machine.
 */
export async function measure(
  rig: Rig,
  plan: Omit<Plan, 'url' | 'from'>,
  settled?: (outcome: Outcome) => Promise<number>,
): Promise<Measured> {
  for (let round = 1; ; round++) {
    const { other, measured } = await measureOnce(rig, plan, settled)
    if (other <= OTHER_WORK) return measured
    const last = round === MAX_ROUNDS
    const percent = Math.round(other * 100)
    console.log(`other work uses ${percent} % of the machine: ${last ? 'the figures are too high' : 'again'}`)
    if (last) return measured
  }
}

async function measureOnce(
  rig: Rig,
  plan: Omit<Plan, 'url' | 'from'>,
  settled?: (outcome: Outcome) => Promise<number>,
): Promise<{ measured: Measured; other: number }> {
  const machine = watchMachine(rig)
  const logBefore = await logPosition(rig)
  const before = rig.usage()
  const outcome = await rig.load({ ...plan, from: next })
  const seconds = settled ? ((await settled(outcome)) - outcome.startMs) / 1_000 : outcome.seconds
  const after = rig.usage()
  const logBytes = ((await logPosition(rig)) - logBefore) / outcome.count
  // References must be unique; a multiple of the number of apps keeps the assignment to apps.
  next += Math.ceil(outcome.count / plan.apps.length + plan.connections) * plan.apps.length
  const us = (share: Share) => ((after[share].cpuMs - before[share].cpuMs) * 1_000) / outcome.count
  const cpuUs = Object.fromEntries(SHARES.map((share) => [share, us(share)])) as Record<Share, number>
  const measured = { ...outcome, perSecond: outcome.count / seconds, cpuUs, logBytes }
  return { measured, other: machine.otherWork() }
}

/** Returns which part of the machine other processes have used since the call. */
function watchMachine(rig: Rig) {
  const own = () => {
    const usage = rig.usage()
    return SHARES.reduce((sum, share) => sum + usage[share].cpuMs, usageOf(process.pid).cpuMs)
  }
  const begin = { machine: busyMs(), own: own() }
  return {
    otherWork(): number {
      const { busy, all } = busyMs()
      const ownMs = own() - begin.own
      return Math.max(0, busy - begin.machine.busy - ownMs) / (all - begin.machine.all)
    },
  }
}

async function logPosition(rig: Rig): Promise<number> {
  const { rows } = await rig.db.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  )
  return Number(rows[0]?.bytes)
}

export const median = (numbers: readonly number[]): number => quantile(sorted(numbers), 0.5)

export type Medians = Pick<Measured, 'perSecond' | 'cpuUs' | 'logBytes'>

/** Medians over several rounds. */
export function medianOf(rounds: readonly Medians[]): Medians {
  const cpu = (share: Share) => median(rounds.map(({ cpuUs }) => cpuUs[share]))
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuUs: Object.fromEntries(SHARES.map((share) => [share, cpu(share)])) as Record<Share, number>,
    logBytes: median(rounds.map(({ logBytes }) => logBytes)),
  }
}

interface Aim {
  readonly what: string
  readonly target?: number
}

/** Two rows: the rate and the CPU time per unit. */
export function rateFigures(medians: Medians, { what, target }: Aim): Figure[] {
  const { perSecond } = medians
  return [
    {
      what,
      value: rate(perSecond),
      ...(target === undefined ? {} : { target: `≥ ${rate(target)}`, ok: perSecond >= target }),
      numbers: { perSecond },
    },
    cpuFigure(medians, 'CPU for each'),
  ]
}

/** The CPU time of each process per unit. */
export function cpuFigure({ cpuUs }: Medians, what: string): Figure {
  const used = SHARES.filter((share) => cpuUs[share] >= 1)
  return {
    what: `${what}: ${used.map((share) => NAMES[share]).join(', ')}`,
    value: `${used.map((share) => Math.round(cpuUs[share])).join(', ')} µs`,
    numbers: cpuUs,
  }
}

/** The CPU time of the service and its PostgreSQL together, per unit. */
export function ownCpuFigure({ cpuUs }: Medians, what: string, targetMs?: number): Figure {
  const ms = (cpuUs.service + cpuUs.postgres) / 1_000
  return {
    what,
    value: `${ms.toFixed(1)} ms`,
    ...(targetMs === undefined ? {} : { target: `≤ ${targetMs} ms`, ok: ms <= targetMs }),
    numbers: { ms },
  }
}

const NAMES: Readonly<Record<Share, string>> = {
  service: 'service',
  postgres: 'PostgreSQL',
  bank: 'bank',
  load: 'load',
  receiver: 'receiver',
}

interface Bounds {
  readonly what: string
  readonly p50: number
  readonly p99: number
}

/** Rows for the 50th and the 99th percentile, each the median over the rounds. */
export function timeFigures(rounds: readonly (readonly number[])[], { what, ...bounds }: Bounds): Figure[] {
  const all = rounds.map(sorted)
  return (['p50', 'p99'] as const).map((name) => {
    const ofRounds = all.map((tookMs) => quantile(tookMs, name === 'p50' ? 0.5 : 0.99))
    const ms = median(ofRounds)
    return {
      what: `${what}, ${name}`,
      value: `${ms.toFixed(1)} ms`,
      target: `≤ ${bounds[name]} ms`,
      ok: ms <= bounds[name],
      numbers: { ms, least: Math.min(...ofRounds), most: Math.max(...ofRounds), count: all.flat().length },
    }
  })
}

export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`

import { type Figure, quantile, sorted } from './bench.ts'
import type { Outcome, Plan } from './load/plan.ts'
import type { Rig } from './rig.ts'

const SHARES = ['service', 'postgres', 'load', 'receiver'] as const
type Share = (typeof SHARES)[number]

export interface Measured extends Outcome {
  readonly perSecond: number
  /** Microseconds of CPU per unit, by process. */
  readonly cpuUs: Readonly<Record<Share, number>>
}

let next = 0

/**
 * Runs a load and returns its rate and the CPU time per unit. `settled` waits for background work, which is
 * then included, and returns the time when it ended.
 */
export async function measure(
  rig: Rig,
  plan: Omit<Plan, 'url' | 'from'>,
  settled?: (outcome: Outcome) => Promise<number>,
): Promise<Measured> {
  const before = rig.usage()
  const outcome = await rig.load({ ...plan, from: next })
  const seconds = settled ? ((await settled(outcome)) - outcome.startMs) / 1_000 : outcome.seconds
  const after = rig.usage()
  // References must be unique; a multiple of the number of apps keeps the assignment to apps.
  next += Math.ceil(outcome.count / plan.apps.length + plan.connections) * plan.apps.length
  const us = (share: Share) => ((after[share].cpuMs - before[share].cpuMs) * 1_000) / outcome.count
  const cpuUs = {
    service: us('service'),
    postgres: us('postgres'),
    load: us('load'),
    receiver: us('receiver'),
  }
  return { ...outcome, perSecond: outcome.count / seconds, cpuUs }
}

export const median = (numbers: readonly number[]): number => quantile(sorted(numbers), 0.5)

export interface Medians {
  readonly perSecond: number
  readonly cpuUs: Measured['cpuUs']
}

/** Medians over several rounds. */
export function medianOf(rounds: readonly Medians[]): Medians {
  const cpu = (share: Share) => median(rounds.map(({ cpuUs }) => cpuUs[share]))
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuUs: {
      service: cpu('service'),
      postgres: cpu('postgres'),
      load: cpu('load'),
      receiver: cpu('receiver'),
    },
  }
}

interface Aim {
  readonly what: string
  readonly target?: number
}

/** Two rows: the rate and the CPU time per unit. */
export function rateFigures({ perSecond, cpuUs }: Medians, { what, target }: Aim): Figure[] {
  const used = SHARES.filter((share) => cpuUs[share] >= 1)
  return [
    {
      what,
      value: rate(perSecond),
      ...(target === undefined ? {} : { target: `≥ ${rate(target)}`, ok: perSecond >= target }),
      numbers: { perSecond },
    },
    {
      what: `CPU for each: ${used.map((share) => NAMES[share]).join(', ')}`,
      value: `${used.map((share) => Math.round(cpuUs[share])).join(', ')} µs`,
      numbers: cpuUs,
    },
  ]
}

const NAMES: Readonly<Record<Share, string>> = {
  service: 'service',
  postgres: 'PostgreSQL',
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

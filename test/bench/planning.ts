import { type Bench, type Figure, quantile, sorted } from './bench.ts'
import { allArrived, shopsOf } from './life.ts'
import { logStatements, stopLog } from './limit/capture.ts'
import { type Rig, readServerLog } from './rig.ts'

const APPS = 24
const PER_SECOND = 20
const WARMING_SECONDS = 20
const SECONDS = 20
const ROWS = 25

/**
 * Where PostgreSQL's time goes at low load, by statement: read, planned, started and executed, from the
 * durations in its own log. A statement that is planned again and again shows here.
 */
export const planning: Bench = {
  name: 'planning',
  onlyByName: true,
  bankApart: true,
  async run(rig, say) {
    const apps = await shopsOf(rig, APPS)
    const lives = async (from: number, seconds: number) => {
      const plan = { scenario: 'twoSteps', apps, connections: 64, perSecond: PER_SECOND } as const
      const { count } = await rig.load({ ...plan, from: from * APPS, seconds })
      await allArrived(rig)
      return count
    }
    await lives(0, WARMING_SECONDS)
    const cpu = await cpuOf(rig, () => lives(1_000_000, SECONDS))
    say(`CPU of service and PostgreSQL ${cpu.map((ms) => ms.toFixed(1)).join(' and ')} ms each`)
    // The values of parameters are not looked at.
    await rig.db.query('alter role current_user set log_parameter_max_length = 0')
    await logStatements(rig)
    await lives(2_000_000, WARMING_SECONDS)
    const before = (await readServerLog(rig)).length
    const count = await lives(3_000_000, SECONDS)
    const log = (await readServerLog(rig)).slice(before)
    await stopLog(rig)
    say(`${count} payments`)
    return figuresOf(readTimes(log), count)
  },
}

async function cpuOf(rig: Rig, act: () => Promise<number>): Promise<number[]> {
  const before = rig.usage()
  const count = await act()
  const usage = rig.usage()
  return (['service', 'postgres'] as const).map((share) => (usage[share].cpuMs - before[share].cpuMs) / count)
}

interface Times {
  calls: number
  parseMs: number
  executeMs: number
  readonly bindMs: number[]
}

const STEP = /duration: ([\d.]+) ms {2}(parse|bind|execute|statement)(?: ([^:]+))?: (.*)/g

function readTimes(log: string): Map<string, Times> {
  const byName = new Map<string, Times>()
  for (const [, duration, step, name, sql = ''] of log.matchAll(STEP)) {
    const key = name && name !== '<unnamed>' ? name : `(${sql.slice(0, 40)})`
    const times = byName.get(key) ?? { calls: 0, parseMs: 0, executeMs: 0, bindMs: [] }
    byName.set(key, times)
    const ms = Number(duration)
    if (step === 'parse') times.parseMs += ms
    else if (step === 'bind') times.bindMs.push(ms)
    else {
      times.calls++
      times.executeMs += ms
    }
  }
  return byName
}

interface Parts {
  readonly name: string
  readonly calls: number
  readonly read: number
  readonly planned: number
  readonly started: number
  readonly executed: number
}

/** Microseconds for each payment. Few of the binds plan, so the median is the time to start a cached plan. */
function partsOf(name: string, { calls, parseMs, bindMs, executeMs }: Times, payments: number): Parts {
  const each = (ms: number): number => (1_000 * ms) / payments
  const start = quantile(sorted(bindMs), 0.5) || 0
  const planned = bindMs.reduce((sum, ms) => sum + Math.max(0, ms - start), 0)
  const bound = bindMs.reduce((sum, ms) => sum + ms, 0)
  return {
    ...{ name, calls: calls / payments, read: each(parseMs), planned: each(planned) },
    ...{ started: each(bound - planned), executed: each(executeMs) },
  }
}

const all = ({ read, planned, started, executed }: Parts): number => read + planned + started + executed

function figuresOf(times: ReadonlyMap<string, Times>, payments: number): Figure[] {
  const rows = [...times].map(([name, one]) => partsOf(name, one, payments))
  rows.sort((one, other) => all(other) - all(one))
  const sum = (part: 'read' | 'planned' | 'started' | 'executed') =>
    rows.reduce((total, row) => total + row[part], 0)
  const total = {
    read: sum('read'),
    planned: sum('planned'),
    started: sum('started'),
    executed: sum('executed'),
  }
  return [
    { what: 'all statements', value: `${texts(total)} µs`, numbers: total },
    ...rows.slice(0, ROWS).map(({ name, ...row }) => ({
      what: name,
      value: `${row.calls.toFixed(2)} times: ${texts(row)} µs`,
      numbers: row,
    })),
  ]
}

const texts = ({ read, planned, started, executed }: Omit<Parts, 'name' | 'calls'>): string =>
  [read, planned, started, executed].map((part) => Math.round(part)).join(', ')

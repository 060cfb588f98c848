import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Bench, Figure } from '../bench.ts'
import { measureLife, shopsOf } from '../life.ts'
import { type Measured, median, rate } from '../measure.ts'
import { findProgram, INSTALL, type Limit, type Pgbench, pgbenchOf } from '../pgbench.ts'
import { createPgbenchDatabase } from '../pgbench-database.ts'
import { type BenchApp, pause, type Rig } from '../rig.ts'
import { type Captured, capture, idleNames, logStatements, type Scenario, stopLog } from './capture.ts'
import { scriptOf } from './script.ts'

const ROUNDS = Number(process.env.BENCH_LIMIT_ROUNDS ?? 3)
const SECONDS = 6
const APPS = 24
/** Of a load that was refused, and the time before the next one. */
const TRIES = 5
const REST_MS = 10_000
/** Until the service's code is compiled, and its caches are full. */
const WARMING_SECONDS = 8

const WAYS = [
  { scenario: 'life', name: 'one step', target: 0.5 },
  { scenario: 'twoSteps', name: 'two steps', target: undefined },
] as const

/**
 * Whole lives of payments over HTTP, divided by what PostgreSQL alone can do: pgbench sends the statements of
 * one payment, each alone and prepared, in the order in which the service has sent them.
 */
export const limit: Bench = {
  name: 'limit',
  onlyByName: true,
  bankApart: true,
  async run(rig, say) {
    const program = findProgram()
    if (!program) throw new Error(INSTALL)
    const apps = await shopsOf(rig, APPS)
    const app = apps[0] as BenchApp
    await persistently(say, () => measureLife(rig, apps, { seconds: WARMING_SECONDS, scenario: 'twoSteps' }))
    const captured = await captureBoth(rig, app, say)
    const databaseUrl = await createPgbenchDatabase(rig, app.appId)
    const figures: Figure[] = []
    for (const way of WAYS) {
      const pgbench = await pgbenchFor(rig, captured[way.scenario], { program, databaseUrl })
      try {
        const rounds = await alternate(rig, apps, { pgbench, scenario: way.scenario, say })
        await check(databaseUrl, way.name)
        figures.push(...figuresOf(rounds, way, captured[way.scenario][1].statements.length))
      } finally {
        pgbench.close()
      }
    }
    return figures
  },
}

/** The load ends with its first refusal, such as that of a machine that is too busy at the moment. */
async function persistently<Result>(
  say: (text: string) => void,
  act: () => Promise<Result>,
): Promise<Result> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left === 0) throw error
      say(`${(error as Error).message.slice(0, 200)}: again`)
      await pause(REST_MS)
    }
  }
}

type Pair = readonly [Captured, Captured]

async function captureBoth(
  rig: Rig,
  app: BenchApp,
  say: (text: string) => void,
): Promise<Record<Scenario, Pair>> {
  await logStatements(rig)
  const idle = await idleNames(rig)
  let from = 900_000_000
  const one = async (scenario: Scenario) => capture(rig, app, { scenario, from: ++from, idle })
  const pair = async (scenario: Scenario): Promise<Pair> => {
    // The first one fills caches.
    await one(scenario)
    return [await one(scenario), await one(scenario)]
  }
  const captured = { life: await pair('life'), twoSteps: await pair('twoSteps') }
  await stopLog(rig)
  for (const { scenario, name } of WAYS)
    say(`${name}: ${captured[scenario][1].statements.map((sent) => sent.name ?? sent.text).join(', ')}`)
  return captured
}

async function pgbenchFor(
  rig: Rig,
  [first, second]: Pair,
  { program, databaseUrl }: { program: string; databaseUrl: string },
): Promise<Pgbench> {
  const { text, defines } = await scriptOf(rig.db, first, second)
  const file = join(mkdtempSync(join(tmpdir(), 'tender-pgbench-')), 'life.sql')
  writeFileSync(file, text)
  return pgbenchOf(rig, { program, file, defines, databaseUrl })
}

interface Round {
  readonly own: Measured
  readonly limit: Limit
}

async function alternate(
  rig: Rig,
  apps: readonly BenchApp[],
  { pgbench, scenario, say }: { pgbench: Pgbench; scenario: Scenario; say: (text: string) => void },
): Promise<Round[]> {
  await pgbench.run(SECONDS / 2)
  const rounds: Round[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const limit = await pgbench.run(SECONDS)
    const own = await persistently(say, () => measureLife(rig, apps, { seconds: SECONDS, scenario }))
    rounds.push({ own, limit })
    say(`${scenario}, round ${round}: ${rate(own.perSecond)}, pgbench ${rate(limit.perSecond)}`)
  }
  return rounds
}

/** Statements that find nothing would cost less: every payment of pgbench ends as the captured one. */
async function check(databaseUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ state: string; count: string }>(
    'select state, count(*) from payments group by state',
  )
  const { rows: others } = await client.query<{ open: string; waiting: string }>(
    `select (select count(*) from operations where status = 'open') as open,
       (select count(*) from deliveries where status <> 'delivered') as waiting`,
  )
  await client.query('truncate payments cascade')
  await client.end()
  const [only] = rows
  const { open, waiting } = others[0] ?? {}
  if (rows.length !== 1 || only?.state !== 'Captured' || open !== '0' || waiting !== '0')
    throw new Error(`${name}: pgbench has left ${JSON.stringify({ rows, open, waiting })}`)
}

function figuresOf(
  rounds: readonly Round[],
  { name, target }: (typeof WAYS)[number],
  statements: number,
): Figure[] {
  const perSecond = median(rounds.map(({ limit }) => limit.perSecond))
  const ratio = median(rounds.map(({ own, limit }) => own.perSecond / limit.perSecond))
  const [limitUs, ownUs, serviceUs] = [
    median(rounds.map(({ limit }) => limit.cpuUs.postgres)),
    median(rounds.map(({ own }) => own.cpuUs.postgres)),
    median(rounds.map(({ own }) => own.cpuUs.service)),
  ]
  return [
    {
      what: `pgbench, the ${statements} statements of a payment in ${name}, 8 clients`,
      value: rate(perSecond),
      numbers: { perSecond, statements },
    },
    {
      what: `CPU of PostgreSQL for each, ${name}: pgbench, the service; and of the service itself`,
      value: `${[limitUs, ownUs, serviceUs].map(Math.round).join(', ')} µs`,
      numbers: { limitUs, ownUs, serviceUs },
    },
    {
      what: `payments in ${name} over HTTP ÷ pgbench`,
      value: ratio.toFixed(2),
      ...(target === undefined ? {} : { target: `≥ ${target}`, ok: ratio >= target }),
      numbers: { ratio },
    },
  ]
}

import { fork } from 'node:child_process'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { createDatabase } from '../support/database.ts'
import { startDatabaseServer } from '../support/database-server.ts'
import { ACTION_NAMES } from './actions.ts'
import { CHALLENGED } from './challenges.ts'
import { prepare } from './clean.ts'
import { connect } from './connection.ts'
import { ACT_NAMES } from './dashboard.ts'
import { FAULTS } from './faults.ts'
import { BUGS } from './mutations.ts'
import { providerOf } from './provider.ts'
import { KIND_OF_LIE } from './settlements/exceptions.ts'
import { type Result, simulate } from './simulate.ts'
import { addUp } from './tally.ts'

/** Options: see scripts/simulate.js. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    bug: { type: 'string' },
    settlements: { type: 'boolean' },
    workers: { type: 'string' },
  },
})
const PROGRESS = 20

/** What a worker says of a seed; the digest of its history when it is asked for by name. */
interface Reported extends Omit<Result, 'digest'> {
  readonly history?: string
}

const secondsSince = (beganMs: number): string => ((performance.now() - beganMs) / 1_000).toFixed(1)
const workerUrl = process.env.SIMULATE_DATABASE

if (workerUrl) await work(workerUrl)
else await lead()

function seedsToRun(): number[] {
  if (values.seed) return [Number(values.seed)]
  const count = Number(values.seeds ?? 100)
  const seeds: number[] = []
  for (let seed = Number(values.from ?? 1); seeds.length < count; seed++)
    if (!values.settlements || !providerOf(seed)) seeds.push(seed)
  return seeds
}

/**
 * One process for each core, or as many as were asked for, with its own PostgreSQL (see connection.ts).
 * A free one takes the next seed.
 */
async function lead(): Promise<void> {
  const seeds = seedsToRun()
  const began = performance.now()
  const workers = Math.min(Number(values.workers ?? cpus().length), seeds.length)
  let next = 0
  const results: Reported[] = []
  const loop = async () => {
    const server = await startDatabaseServer('tender-simulate-')
    try {
      const ask = startWorker(await createDatabase(server.url, 'worker', 'template'))
      for (let seed = seeds[next++]; seed !== undefined; seed = seeds[next++]) {
        const result = await ask(seed)
        results.push(result)
        report(result)
        if (results.length % PROGRESS === 0)
          console.log(`${results.length} of ${seeds.length} seeds, up to ${seed}, ${secondsSince(began)} s`)
      }
      await ask.end()
    } finally {
      await server.stop()
    }
  }
  await Promise.all(Array.from({ length: workers }, loop))
  conclude(results, secondsSince(began))
}

function startWorker(url: string) {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    env: { ...process.env, SIMULATE_DATABASE: url },
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ask = (seed: number): Promise<Reported> => {
    child.send(seed)
    const answer = new Promise<Reported>((resolve) => {
      child.once('message', (result) => resolve(result as Reported))
    })
    const failure = gone.then(() => {
      throw new Error(`the worker ended over seed ${seed}`)
    })
    return Promise.race([answer, failure])
  }
  async function end(): Promise<void> {
    child.disconnect()
    await gone
  }
  return Object.assign(ask, { end })
}

function report({ seed, problems, history }: Reported): void {
  if (history) console.log(`seed ${seed}: history ${history}`)
  if (problems.length === 0) return
  const bug = values.bug ? ` --bug ${values.bug}` : ''
  console.log(
    `seed ${seed} failed:\n  ${problems.join('\n  ')}\n  replay: npm run simulate -- --seed ${seed}${bug}`,
  )
}

function conclude(results: readonly Reported[], seconds: string): void {
  const sum = addUp(results.map(({ tally }) => tally))
  const row = (name: string, ...counts: readonly (number | undefined)[]) =>
    console.log(`  ${name.padEnd(32)}${counts.map((count) => String(count ?? 0).padStart(9)).join('')}`)
  console.log(`${'actions'.padEnd(34)}${'tried'.padStart(9)}${'accepted'.padStart(9)}`)
  for (const name of ACTION_NAMES) row(name, sum[`action ${name}`], sum[`done ${name}`])
  console.log('at providers')
  for (const name of [...ACT_NAMES, ...CHALLENGED]) row(name, sum[`act ${name}`])
  console.log('faults')
  for (const name of [...FAULTS, 'two nodes instead of one']) row(name, sum[`fault ${name}`])
  console.log(`${'settlement faults'.padEnd(34)}${'  planted reported    found'}`)
  for (const [lie, kind] of Object.entries(KIND_OF_LIE))
    row(lie, sum[`planted ${lie}`], sum[`reported ${lie}`], sum[`found ${kind}`])
  // Their lines come later or in another order: all of them are read, and nothing is found.
  for (const name of ['cut', 'order']) row(name, sum[`planted ${name}`])
  row('payouts that do not add up', sum['found payout'])
  row('clearing accounts compared', sum['compared clearing'])
  console.log('payments by their state at the end')
  for (const [what, count] of Object.entries(sum).sort())
    if (what.startsWith('state ')) row(what.slice('state '.length), count)
  const failed = results.filter((result) => result.problems.length > 0).length
  console.log(`\n${results.length} seeds in ${seconds} s`)
  console.log(`${results.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

async function work(url: string): Promise<void> {
  const database = await connect(url)
  const planted = Object.entries(BUGS).find(([name]) => values.bug && name.includes(values.bug))?.[1]
  const ready = prepare(database, planted)
  process.on('message', async (seed) => {
    await ready
    const { digest, ...result } = await simulate(Number(seed), database, planted)
    process.send?.({ ...result, ...(values.seed && { history: digest() }) } satisfies Reported)
  })
  process.on('disconnect', () => database.close())
}

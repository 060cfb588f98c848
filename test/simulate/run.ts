import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { createDatabase } from '../support/database.ts'
import { BUGS } from './mutations.ts'
import { type Result, simulate } from './simulate.ts'

/** `npm run simulate -- --seeds 1000 [--from 1] [--seed N] [--bug WORD]`: a word of a planted bug. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    bug: { type: 'string' },
  },
})
const workerUrl = process.env.SIMULATE_DATABASE

if (workerUrl) await work(workerUrl)
else await lead()

/** One process for each core, each with its own database; a seed goes to whoever is free. */
async function lead(): Promise<void> {
  const first = Number(values.seed ?? values.from ?? 1)
  const last = values.seed ? first : first + Number(values.seeds ?? 100) - 1
  const folder = await mkdtemp(join(tmpdir(), 'tender-simulate-'))
  const server = await startEmbedded({ dataDir: folder, durable: false })
  const began = performance.now()
  try {
    await migrate(await createDatabase(server.url, 'template'), 'migrations')
    const workers = Math.min(cpus().length, last - first + 1)
    let next = first
    const results: Result[] = []
    const loop = async (n: number) => {
      const url = await createDatabase(server.url, `worker${n}`, 'template')
      const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
        env: { ...process.env, SIMULATE_DATABASE: url },
      })
      while (next <= last) {
        const seed = next++
        child.send(seed)
        const result = await new Promise<Result>((resolve) =>
          child.once('message', (m) => resolve(m as Result)),
        )
        results.push(result)
        report(result)
      }
      child.disconnect()
    }
    await Promise.all(Array.from({ length: workers }, (_, n) => loop(n)))
    conclude(results, performance.now() - began)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function report({ seed, problems }: Result): void {
  if (problems.length === 0) return
  console.log(
    `seed ${seed} failed:\n  ${problems.join('\n  ')}\n  replay: npm run simulate -- --seed ${seed}`,
  )
}

function conclude(results: readonly Result[], ms: number): void {
  const failed = results.filter((result) => result.problems.length > 0).length
  const payments = results.reduce((sum, result) => sum + result.payments, 0)
  const crashes = results.reduce((sum, result) => sum + result.crashes, 0)
  const seconds = (ms / 1000).toFixed(1)
  console.log(`${results.length} seeds, ${payments} payments, ${crashes} crashes in ${seconds} s`)
  console.log(`${results.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

async function work(url: string): Promise<void> {
  const database = openDatabase({ url, size: 2 })
  const planted = Object.entries(BUGS).find(([name]) => values.bug && name.includes(values.bug))?.[1]
  if (planted?.schema) await database.query({ name: 'simulate.schema', text: planted.schema })
  process.on('message', async (seed) => {
    process.send?.(await simulate(Number(seed), database, planted))
  })
  process.on('disconnect', () => database.close())
}

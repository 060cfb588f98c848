import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { apiLog } from './api-log.ts'
import { auto } from './auto.ts'
import type { Bench } from './bench.ts'
import { cards } from './cards.ts'
import { checkout } from './checkout.ts'
import { consoleBench } from './console/console.ts'
import { create } from './create.ts'
import { entries } from './entries.ts'
import { garbage } from './garbage.ts'
import { growth } from './growth.ts'
import { imports } from './imports.ts'
import { life } from './life.ts'
import { limit } from './limit/limit.ts'
import { memory } from './memory.ts'
import { metrics } from './metrics.ts'
import { neighbours } from './neighbours/neighbours.ts'
import { planning } from './planning.ts'
import { providers } from './providers/providers.ts'
import { read } from './read.ts'
import { startRig } from './rig.ts'
import { settlements } from './settlements/settlements.ts'
import { simulate } from './simulate.ts'
import { size } from './size.ts'
import { start } from './start.ts'
import { steps } from './steps/steps.ts'
import { type Result, tableOf, writeInto } from './table.ts'
import { traces } from './traces.ts'
import { webhooks } from './webhooks.ts'

const BENCHES: readonly Bench[] = [
  ...[create, life, read, auto, providers, checkout, start, memory, webhooks, simulate, growth, neighbours],
  apiLog,
  metrics,
  traces,
  consoleBench,
  settlements,
  cards,
  imports,
  entries,
  garbage,
  size,
  limit,
  steps,
  planning,
]

interface BenchArgs {
  readonly root: string
  /**
   * Names of benches, `all`, or none for all but the slowest. `--profile` writes CPU profiles,
   * `--workers=auto` sets the number of service processes, `--write` writes the figures to the guide.
   */
  readonly words: readonly string[]
}

/** Runs benches in sequence, each on a new rig; writes a table and JSON and returns the exit code. */
export async function runBenches({ root, words }: BenchArgs): Promise<number> {
  const names = words.filter((word) => !word.startsWith('--'))
  const workers = words.find((word) => word.startsWith('--workers='))?.slice('--workers='.length)
  const unknown = names.filter((name) => name !== 'all' && !BENCHES.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    const known = BENCHES.map(({ name }) => name).join(', ')
    console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${known}; or all.`)
    return 2
  }
  // Every rig stops its processes when this one exits.
  process.setMaxListeners(50)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const load = loadavg()[0] ?? 0
  const results: Result[] = []
  for (const bench of BENCHES.filter((each) => isChosen(each, names))) {
    const { ownNames, providers, bankApart, inspected, keptIn } = bench
    const profile = words.includes('--profile')
    const parts = { ownNames, providers, bankApart, inspected, keptIn }
    const rig = await startRig({ root, workers, profile, ...parts })
    try {
      const figures = await bench.run(rig, (text) => console.log(`${bench.name}: ${text}`))
      results.push(...figures.map((figure) => ({ bench: bench.name, ...figure })))
    } finally {
      await rig.stop()
    }
  }
  const cores = availableParallelism()
  const machine = { cores, model: cpus()[0]?.model, load, node: process.version, workers: workers ?? '1' }
  const file = save(root, { ...machine, results })
  console.log(`\n${tableOf(results)}`)
  const order = BENCHES.map(({ name }) => name)
  if (words.includes('--write')) writeInto(join(root, 'docs', 'guides', 'performance.md'), results, order)
  console.log(
    `\n${cores} cores shared by the service, PostgreSQL, the receiver and the load; ` +
      `load ${load.toFixed(1)} before. Numbers: ${file}`,
  )
  const mustMeet = new Set(BENCHES.filter((bench) => bench.mustMeet).map(({ name }) => name))
  return results.some(({ bench, ok }) => ok === false && mustMeet.has(bench)) ? 1 : 0
}

const isChosen = ({ name, onlyByName }: Bench, names: readonly string[]): boolean =>
  names.length === 0 ? !onlyByName : names.includes(name) || names.includes('all')

function save(root: string, content: object): string {
  const folder = join(root, 'bench-results')
  mkdirSync(folder, { recursive: true })
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  writeFileSync(join(folder, `${stamp}.json`), `${JSON.stringify(content, null, 2)}\n`)
  return `bench-results/${stamp}.json`
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Bench, Figure } from './bench.ts'
import { startRig } from './rig.ts'
import { simulate } from './simulate.ts'
import { webhooks } from './webhooks.ts'

const BENCHES: readonly Bench[] = [webhooks, simulate]

/**
 * Runs benches one after the other, each on a fresh rig; one table at the end, and the numbers as JSON
 * beside it.
 */
export async function runBenches({
  root,
  names,
}: {
  root: string
  names: readonly string[]
}): Promise<number> {
  const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    console.error(
      `No such benchmark: ${unknown.join(', ')}. There are: ${BENCHES.map((b) => b.name).join(', ')}`,
    )
    return 1
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const chosen = BENCHES.filter((bench) => names.length === 0 || names.includes(bench.name))
  const load = loadavg()[0] ?? 0
  const results: (Figure & { bench: string })[] = []
  for (const bench of chosen) {
    const rig = await startRig(root)
    try {
      const figures = await bench.run(rig, (text) => console.log(`${bench.name}: ${text}`))
      results.push(...figures.map((figure) => ({ bench: bench.name, ...figure })))
    } finally {
      await rig.stop()
    }
  }
  console.log(table(results))
  const file = save(root, { cores: availableParallelism(), load, node: process.version, results })
  console.log(
    `\n${availableParallelism()} cores shared by the service, PostgreSQL, the receiver and the load; ` +
      `load ${load.toFixed(1)} before. Numbers: ${file}`,
  )
  return 0
}

function table(results: readonly (Figure & { bench: string })[]): string {
  const rows = results.map(({ bench, what, value, target = '', ok }) => [
    bench,
    what,
    value,
    target,
    ok === undefined ? '' : ok ? 'met' : 'missed',
  ])
  const all = [['bench', 'what', 'value', 'target', ''], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return `\n${all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}`
}

function save(root: string, content: object): string {
  const folder = join(root, 'bench-results')
  mkdirSync(folder, { recursive: true })
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  writeFileSync(join(folder, `${stamp}.json`), `${JSON.stringify(content, null, 2)}\n`)
  return `bench-results/${stamp}.json`
}

import { createDice } from '../simulate/dice.ts'
import { MEDUSA_CASES } from './medusa/cases.ts'
import { medusa } from './medusa/shop.ts'
import { CASES } from './support/cases/all.ts'
import { RARE_CASES } from './support/cases/rare.ts'
import type { ShopCase } from './support/cases/visit.ts'
import { newPerson } from './support/person.ts'
import type { ShopSystem, Stage } from './support/shop.ts'
import { startWorld } from './support/world.ts'
import { vendure } from './vendure/shop.ts'

const SYSTEMS: Readonly<Record<string, ShopSystem>> = { vendure, medusa }

interface DayOptions {
  readonly system: string
  /** One for each day. */
  readonly seeds: readonly number[]
  readonly isShort: boolean
  /** Only cases whose name contains one of these texts, with `|` between them. */
  readonly only?: string | undefined
}

interface Row {
  readonly name: string
  readonly results: string[]
  readonly ms: number[]
}

/** Lives the days with one shop system and prints their table; returns the number of failures. */
export async function runDays({ system, seeds, isShort, only = '' }: DayOptions): Promise<number> {
  const chosen = SYSTEMS[system]
  if (!chosen) throw new Error(`There is no shop system ${system}.`)
  const cases = [...(system === 'medusa' ? MEDUSA_CASES : CASES), ...RARE_CASES].filter(
    (one) => (!isShort || one.isShort) && only.split('|').some((text) => one.name.includes(text)),
  )
  const rows = new Map(cases.map(({ name }) => [name, { name, results: [], ms: [] } as Row]))
  const startMs = performance.now()
  const world = await startWorld()
  const person = await newPerson()
  try {
    const shop = await chosen.start(world)
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(0)
    console.log(`${system}: the shop is open after ${seconds} s`)
    for (const seed of seeds) {
      const began = performance.now()
      const failed = await liveDay(
        { shop, tender: world.tender, person },
        shuffled(cases, createDice(seed)),
        {
          seed,
          rows,
        },
      )
      const minutes = ((performance.now() - began) / 60_000).toFixed(1)
      const result = failed === 0 ? 'held' : `held but for ${failed}`
      console.log(`${system}: seed ${seed}, ${cases.length} lines ${result} after ${minutes} min: ${BOOKS}`)
    }
    await shop.process.kill()
  } finally {
    await person.stop()
    await world.stop()
  }
  return printed(system, [...rows.values()])
}

const BOOKS = "one order, one payment in the bank's ledger, equal amounts"

interface Day {
  readonly seed: number
  readonly rows: ReadonlyMap<string, Row>
}

/** Gives the number of lines that failed. */
async function liveDay(
  scene: Omit<Stage, 'dice'>,
  cases: readonly ShopCase[],
  { seed, rows }: Day,
): Promise<number> {
  let failed = 0
  for (const one of cases) {
    const row = rows.get(one.name) as Row
    await live({ ...scene, dice: createDice(seedOf(seed, one.name)) }, one, row)
    if (row.results.at(-1) === 'held') continue
    failed++
    console.log(`Again: --from ${seed} --only '${one.name}'`)
  }
  return failed
}

/** Of one line, so that it can be repeated alone. */
const seedOf = (seed: number, name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, seed)

async function live(stage: Stage, { name, run }: ShopCase, row: Row): Promise<void> {
  const startMs = performance.now()
  try {
    await run(stage)
    row.results.push('held')
  } catch (error) {
    row.results.push(error instanceof Error ? error.message : String(error))
    console.log(`FAILED ${name}: ${row.results.at(-1)}\n${stage.shop.process.output().slice(-2_000)}`)
    console.log(`Tender: ${stage.tender.output()}`)
    stage.shop.process.resume()
    // The line may have ended between a crash and the start after it.
    await stage.tender.kill()
    await stage.tender.start()
  }
  const ms = performance.now() - startMs
  row.ms.push(ms)
  if (row.results.at(-1) === 'held') console.log(`held after ${(ms / 1_000).toFixed(1)} s: ${name}`)
  await stage.tender.client.testHelpers.clearFaults()
  await stage.person.leave()
}

function shuffled<T>(items: readonly T[], dice: Stage['dice']): T[] {
  const rest = [...items]
  return items.map(() => rest.splice(dice.below(rest.length), 1)[0] as T)
}

function printed(system: string, rows: readonly Row[]): number {
  const failures = rows.flatMap(({ results }) => results.filter((result) => result !== 'held'))
  console.log(
    `\n| ${system} | Times | One order, one payment, equal amounts | Mean |\n| --- | --- | --- | --- |`,
  )
  for (const { name, results, ms } of rows) {
    const wrong = results.filter((result) => result !== 'held').length
    const mean = ms.reduce((sum, one) => sum + one, 0) / ms.length / 1_000
    const result = wrong === 0 ? 'held' : `**${wrong} failed**`
    console.log(`| ${name} | ${results.length} | ${result} | ${mean.toFixed(1)} s |`)
  }
  return failures.length
}

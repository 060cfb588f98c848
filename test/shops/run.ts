import { createDice } from '../simulate/dice.ts'
import { MEDUSA_CASES } from './medusa/cases.ts'
import { medusa } from './medusa/shop.ts'
import { CASES, type ShopCase } from './support/cases.ts'
import { newPerson } from './support/person.ts'
import { RARE_CASES } from './support/rare-cases.ts'
import type { ShopSystem, Stage } from './support/shop.ts'
import { startWorld } from './support/world.ts'
import { vendure } from './vendure/shop.ts'

const SYSTEMS: Readonly<Record<string, ShopSystem>> = { vendure, medusa }

interface DayOptions {
  readonly system: string
  readonly days: number
  readonly seed: number
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
export async function runDays({ system, days, seed, isShort, only = '' }: DayOptions): Promise<number> {
  const chosen = SYSTEMS[system]
  if (!chosen) throw new Error(`There is no shop system ${system}.`)
  const cases = [...(system === 'medusa' ? MEDUSA_CASES : CASES), ...RARE_CASES].filter(
    (one) => (!isShort || one.isShort) && only.split('|').some((text) => one.name.includes(text)),
  )
  const rows = new Map(cases.map(({ name }) => [name, { name, results: [], ms: [] } as Row]))
  const world = await startWorld()
  const person = await newPerson()
  try {
    console.log(`${system}: the shop is being made`)
    const shop = await chosen.start(world)
    for (let day = 0; day < days; day++) {
      const dice = createDice(seed + day)
      const stage = { shop, tender: world.tender, person, dice }
      // The first day has the order of the table, every other one an order of its own.
      const order = day === 0 ? cases : shuffled(cases, dice)
      for (const one of order) await live(stage, one, rows.get(one.name) as Row)
      console.log(`${system}: day ${day + 1} of ${days}, seed ${seed + day}`)
    }
    await shop.process.kill()
  } finally {
    await person.stop()
    await world.stop()
  }
  return printed(system, [...rows.values()])
}

async function live(stage: Stage, { name, run }: ShopCase, row: Row): Promise<void> {
  const startMs = performance.now()
  try {
    await run(stage)
    row.results.push('held')
  } catch (error) {
    row.results.push(error instanceof Error ? error.message : String(error))
    console.log(`FAILED ${name}: ${row.results.at(-1)}\n${stage.shop.process.output().slice(-2_000)}`)
    stage.shop.process.resume()
  }
  row.ms.push(performance.now() - startMs)
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

import { afterAll, describe, expect, inject, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { createDatabase } from '../support/database.ts'
import { BUGS, type Mutation } from './mutations.ts'
import { simulate } from './simulate.ts'

const SEEDS = 50
const MOST_SEEDS_FOR_A_BUG = 200
const TIMEOUT_MS = 400_000

const opened: Database[] = []
async function openWorld(name: string, { schema }: Partial<Mutation> = {}): Promise<Database> {
  const database = openDatabase({
    url: await createDatabase(inject('databaseUrl'), name, 'template'),
    size: 2,
  })
  opened.push(database)
  if (schema) await database.query({ name: 'simulate.schema', text: schema })
  return database
}
afterAll(() => Promise.all(opened.map((database) => database.close())))

describe('nothing is charged twice and nothing is lost', () => {
  it(`in ${SEEDS} seeded worlds of lost answers, crashes, forgeries and races`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const database = await openWorld('simulate')
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { problems } = await simulate(seed, database)
      expect(problems, `replay: npm run simulate -- --seed ${seed}`).toEqual([])
    }
  })
})

describe('the simulator notices when', () => {
  it.each(Object.entries(BUGS))('%s', { timeout: TIMEOUT_MS }, async (name, bug) => {
    const database = await openWorld(`simulate_${name.replace(/\W+/g, '_').slice(0, 40)}`, bug)
    for (let seed = 1; seed <= MOST_SEEDS_FOR_A_BUG; seed++)
      if ((await simulate(seed, database, bug)).problems.length > 0) return
    expect.fail(`not found in ${MOST_SEEDS_FOR_A_BUG} seeds`)
  })
})

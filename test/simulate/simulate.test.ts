import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createDatabase } from '../support/database.ts'
import { type DatabaseServer, startDatabaseServer } from '../support/database-server.ts'
import { prepare } from './clean.ts'
import { connect } from './connection.ts'
import { BUGS, type Mutation } from './mutations.ts'
import { simulate } from './simulate.ts'

/** `npm test` runs the first ten, `npm run test:full` the next ten: the sandbox and seven providers. */
const isFull = inject('isFull')
const FIRST = isFull ? 11 : 1
const LAST = isFull ? 20 : 10
const MAX_SEEDS_FOR_A_BUG = 200
const TIMEOUT_MS = 600_000

let server: DatabaseServer
beforeAll(async () => {
  server = await startDatabaseServer('tender-simulate-')
})
const opened: Database[] = []
async function openWorld(name: string, mutation?: Mutation): Promise<Database> {
  const database = await connect(await createDatabase(server.url, name, 'template'))
  opened.push(database)
  await prepare(database, mutation)
  return database
}
afterAll(async () => {
  for (const database of opened) await database.close()
  await server?.stop()
})

describe('nothing is charged twice and nothing is lost', () => {
  it(`in seeded worlds ${FIRST} to ${LAST} of lost answers, crashes, forgeries and races`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const database = await openWorld(`simulate_from_${FIRST}`)
    const digests = new Set<string>()
    for (let seed = FIRST; seed <= LAST; seed++) {
      const { problems, digest } = await simulate(seed, database)
      expect(problems, `replay: npm run simulate -- --seed ${seed}`).toEqual([])
      digests.add(digest())
    }
    expect(digests.size, 'every seed is another history').toBe(LAST - FIRST + 1)
  })
})

/** A bug that is planted must be found. A run of all tests plants some of them, and by name all. */
function findBugs(): void {
  const { of, nth } = inject('part')
  const planted = Object.entries(BUGS).filter((_, place) => place % of === nth)
  it.each(planted)('%s', { timeout: TIMEOUT_MS }, async (name, bug) => {
    const database = await openWorld(`simulate_${name.replace(/\W+/g, '_').slice(0, 40)}`, bug)
    for (let seed = 1; seed <= MAX_SEEDS_FOR_A_BUG; seed++)
      if ((await simulate(seed, database, bug)).problems.length > 0) return
    expect.fail(`not found in ${MAX_SEEDS_FOR_A_BUG} seeds`)
  })
}
if (isFull) describe('the simulator notices when', findBugs)

import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { randomAction } from './actions.ts'
import { checkInvariants } from './invariants.ts'
import { type Heard, type Merchant, openMerchant } from './merchant.ts'
import { type Mutation, NONE } from './mutations.ts'
import { createWorld, type World } from './world.ts'

const ACTIONS = 200
const MOST_AT_ONCE = 4
/** Long enough for every retry, page, window and debit of the built-in bank. */
const QUIET_STEPS_MS = [
  3 * SECOND,
  15 * SECOND,
  MINUTE,
  5 * MINUTE,
  HOUR,
  3 * HOUR,
  DAY,
  2 * DAY,
  6 * DAY,
  8 * DAY,
  DAY,
  DAY,
]

export interface Result {
  readonly seed: number
  readonly problems: readonly string[]
  readonly payments: number
  readonly crashes: number
}

/** One seed: a world drawn from it, 200 things that happen in it, quiet, and what must be true then. */
export async function simulate(seed: number, database: Database, mutation: Mutation = NONE): Promise<Result> {
  await clean(database)
  const world = await createWorld(seed, database, mutation)
  const heard: Heard[] = []
  try {
    const merchants = [
      await world.until(openMerchant(world, 'alpha', heard)),
      await world.until(openMerchant(world, 'omega', heard)),
    ]
    await live(world, merchants)
    await quiet(world)
    const problems = await checkInvariants({ world, merchants, heard })
    const payments = merchants.reduce((sum, merchant) => sum + merchant.acknowledged.size, 0)
    return { seed, problems, payments, crashes: world.crashes.count }
  } catch (error) {
    return {
      seed,
      problems: [(error as Error).stack ?? String(error)],
      payments: 0,
      crashes: world.crashes.count,
    }
  }
}

/** Every seed begins on empty tables and with the same ids. */
async function clean(database: Database): Promise<void> {
  const [row] = await database.query<{ tables: string }>({
    name: 'simulate.tables',
    text: `select string_agg(format('%I.%I', schemaname, tablename), ', ' order by schemaname, tablename)
             as tables from pg_tables
           where schemaname in ('public', 'sandbox_bank') and tablename <> 'migrations'`,
  })
  await database.query({
    name: 'simulate.truncate',
    text: `truncate ${row?.tables} restart identity cascade`,
  })
  await database.query({ name: 'simulate.restart', text: 'alter sequence payment_ids restart' })
}

async function live(world: World, merchants: readonly Merchant[]): Promise<void> {
  const { dice, clock } = world
  for (let done = 0; done < ACTIONS; ) {
    const together = 1 + dice.below(MOST_AT_ONCE)
    done += together
    const actions = Array.from({ length: together }, () => randomAction(world, dice.pick(merchants)))
    await world.until(Promise.all(actions))
    if (dice.chance(world.rates.clockJump)) world.anyNode().skewMs = (dice.next() * 2 - 1) * HOUR
    clock.advance(dice.chance(0.05) ? dice.next() * DAY : dice.next() * 20 * SECOND)
    await world.until(backgroundWork(world))
  }
}

/** Every job once, on whichever node, and the bank's own. A node that dies leaves the work to others. */
async function backgroundWork(world: World): Promise<void> {
  const node = world.anyNode()
  const dead = new Promise<void>((resolve) => {
    const look = (): void => {
      if (node.alive) void world.clock.sleep(SECOND).then(look)
      else resolve()
    }
    look()
  })
  const jobs = Promise.all([...node.jobs.map((job) => job.runOnce()), world.sandbox.bank.runOnce()])
  await Promise.race([jobs.then(() => node.ctx.background.settled()), dead])
}

async function quiet(world: World): Promise<void> {
  world.calm()
  for (const step of QUIET_STEPS_MS) {
    world.clock.advance(step)
    for (let round = 0; round < 3; round++) await world.until(backgroundWork(world))
  }
}

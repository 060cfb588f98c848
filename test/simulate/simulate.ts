import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { randomAction } from './actions.ts'
import { answerMuchLater, watchChallenges } from './challenges.ts'
import { clean } from './clean.ts'
import { actMuchLater, confirmAll } from './dashboard.ts'
import { digestOf } from './digest.ts'
import { checkInvariants } from './invariants.ts'
import { letArrive, simulatedHttp } from './line.ts'
import { type Merchant, openMerchant } from './merchant.ts'
import { type Mutation, NONE } from './mutations.ts'
import { notify } from './provider.ts'
import { readScene } from './scene.ts'
import { readAll, readBalances } from './settlements/acts.ts'
import type { Tally } from './tally.ts'
import { createWorld, type World } from './world.ts'

const ACTIONS = 200
/** From a quiet shop to one whose changes are written in full batches. Each seed draws one. */
const MAX_AT_ONCE = [4, 12, 64] as const
/** Long enough for every retry, page, window and debit of the built-in bank; events are kept for longer. */
const QUIET_STEPS_MS = [5 * SECOND, MINUTE, 10 * MINUTE, 3 * HOUR, DAY, 3 * DAY, 8 * DAY, 8 * DAY, DAY, DAY]
const MAX_QUIET_ROUNDS = 200

export interface Result {
  readonly seed: number
  readonly problems: readonly string[]
  readonly tally: Tally
  /** Of everything that was said and written: two runs of a seed give the same. */
  digest(): string
}

/** One seed: a world drawn from it, 200 things that happen in it, quiet, and what must be true then. */
export async function simulate(seed: number, database: Database, mutation: Mutation = NONE): Promise<Result> {
  await clean(database)
  const world = await createWorld(seed, database, mutation)
  const problems: string[] = []
  let digest = () => ''
  try {
    const merchants = [
      await world.until(openMerchant(world, 'alpha')),
      await world.until(openMerchant(world, 'omega')),
    ]
    world.open()
    await live(world, merchants)
    world.calm()
    await world.until(readAll(world, merchants))
    await quiet(world)
    await world.until(readBalances(world, merchants))
    const scene = await readScene(world, merchants)
    for (const { state } of scene.payments) world.counter.count(`state ${state}`)
    problems.push(...(await checkInvariants(scene)))
    digest = () => digestOf(scene)
  } catch (error) {
    problems.push((error as Error).stack ?? String(error))
  }
  world.end()
  return { seed, problems, tally: world.counter.total(), digest }
}

async function live(world: World, merchants: readonly Merchant[]): Promise<void> {
  const { dice, clock } = world
  const mostAtOnce = dice.pick(MAX_AT_ONCE)
  for (let done = 0; done < ACTIONS; ) {
    const together = Math.min(1 + dice.below(mostAtOnce), ACTIONS - done)
    done += together
    const actions = Array.from({ length: together }, () => randomAction(world, dice.pick(merchants)))
    await world.until(Promise.all(actions))
    if (world.strikes('clock jump')) world.anyNode().skewMs = (dice.next() * 2 - 1) * HOUR
    const pauseMs = pause(world)
    await letArrive(world, pauseMs)
    clock.advance(pauseMs)
    await world.until(backgroundWork(world))
    await watchChallenges(world)
  }
}

/** Mostly moments, in which what is cached or leased stays so; often seconds; now and then most of a day. */
function pause({ dice }: World): number {
  const longest = dice.chance(0.05) ? DAY : dice.chance(0.4) ? 20 * SECOND : SECOND / 2
  return dice.next() * longest
}

/** Everything that is due, on whichever node; how much it was. One that dies leaves the work to others. */
async function backgroundWork(world: World): Promise<number> {
  const node = world.anyNode()
  const work = await Promise.race([node.runDueJobs(), node.death])
  await Promise.race([node.ctx.background.settled(), node.death])
  return (work ?? 0) + (await news(world))
}

/** Notifications of a provider. The sandbox sends its own. */
async function news(world: World): Promise<number> {
  const { provider } = world
  if (!provider) return 0
  const { accepted, waiting } = await notify(provider, simulatedHttp(world, provider.id).call)
  provider.waiting = waiting
  return accepted
}

async function quiet(world: World): Promise<void> {
  for (const step of QUIET_STEPS_MS) {
    await letArrive(world, step)
    if (step === 8 * DAY) actMuchLater(world)
    world.clock.advance(step)
    if (world.provider) confirmAll(world.provider)
    let rounds = 0
    // What one round has begun, the next may have to go on with.
    while ((await world.until(backgroundWork(world))) > 0) {
      if (++rounds > MAX_QUIET_ROUNDS) throw new Error('the work finds no end')
    }
    await watchChallenges(world)
    if (step === 3 * DAY) await answerMuchLater(world)
  }
}

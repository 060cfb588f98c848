import type { Random } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { createVault, type Vault } from '../../src/base/secret.ts'
import type { Database } from '../../src/db/database.ts'
import { createSandbox, type Sandbox } from '../../src/providers/sandbox/sandbox.ts'
import { createVirtualClock, type VirtualClock } from './clock.ts'
import { createDice, type Dice } from './dice.ts'
import { BANK_URL, type LineRates, simulatedHttp } from './line.ts'
import type { Mutation } from './mutations.ts'
import { type Node, PUBLIC_URL, SECRET_KEY, simulatedDatabase, startNode } from './node.ts'
import type { Received } from './receiver.ts'
import { createTurnstile, type Turnstile } from './turnstile.ts'

/** How badly this seed's world behaves. */
interface Rates {
  readonly line: LineRates
  readonly crash: number
  readonly forged: number
  /** How often a merchant's receiver fails. */
  readonly receiver: number
  readonly clockJump: number
  readonly nodes: number
}

export interface World {
  readonly seed: number
  readonly dice: Dice
  readonly random: Random
  readonly rates: Rates
  readonly clock: VirtualClock
  readonly turnstile: Turnstile
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
  readonly lines: string[]
  readonly sandbox: Sandbox
  readonly mutate: Mutation
  readonly crashes: { count: number }
  readonly received: Received[]
  lineRates(): LineRates
  receiverRate(): number
  anyNode(): Node
  /** Faults end: from here on the world only finishes what it began. */
  calm(): void
  /** Runs the world until this work has ended. */
  until<T>(work: Promise<T>): Promise<T>
}

const NO_FAULTS: LineRates = {
  refused: 0,
  requestLost: 0,
  replyLost: 0,
  serverError: 0,
  garbled: 0,
  duplicated: 0,
  late: 0,
}

function drawRates(dice: Dice): Rates {
  // Most seeds are mild in most respects and bad in a few: that is how days are.
  const rate = (worst: number) => (dice.chance(0.5) ? 0 : dice.next() * worst)
  return {
    line: {
      refused: rate(0.1),
      requestLost: rate(0.15),
      replyLost: rate(0.25),
      serverError: rate(0.15),
      garbled: rate(0.1),
      duplicated: rate(0.2),
      late: rate(0.08),
    },
    crash: rate(0.004),
    forged: rate(0.3),
    receiver: rate(0.2),
    clockJump: rate(0.05),
    nodes: dice.chance(0.5) ? 2 : 1,
  }
}

export async function createWorld(seed: number, database: Database, mutate: Mutation): Promise<World> {
  const dice = createDice(seed)
  const rates = drawRates(dice)
  const clock = createVirtualClock(new Date('2026-01-01T00:00:00Z'))
  const lines: string[] = []
  const log = textLog(lines)
  const nodes: Node[] = []
  let calm = false
  const crashes = { count: 0 }
  const turnstile = createTurnstile({
    dice,
    dies: (who) => !calm && who.startsWith('node') && dice.chance(rates.crash),
    died(who) {
      const place = nodes.findIndex((node) => node.name === who)
      nodes[place]?.die()
      crashes.count++
      if (place >= 0) nodes[place] = newNode()
    },
  })
  const random: Random = { bytes: (count) => dice.bytes(count) }
  const vault = createVault([SECRET_KEY], random)
  let born = 0
  const newNode = (): Node => {
    const name = `node-${++born}`
    return startNode(world, name, simulatedHttp(world, name))
  }
  const world: World = {
    seed,
    dice,
    random,
    rates,
    clock,
    turnstile,
    database,
    vault,
    log,
    lines,
    sandbox: undefined as never,
    mutate,
    crashes,
    received: [],
    receiverRate: () => (calm ? 0 : rates.receiver),
    lineRates: () => (calm ? NO_FAULTS : rates.line),
    anyNode: () => dice.pick(nodes),
    calm() {
      calm = true
      for (const node of nodes) node.skewMs = 0
    },
    until: (work) => runUntil({ turnstile, clock }, work),
  }
  const sandbox = await simulatedBank(world)
  Object.assign(world, { sandbox })
  for (let n = 0; n < rates.nodes; n++) nodes.push(newNode())
  return world
}

/** The bank is another company: it has its own way to the database and never dies with a node. */
async function simulatedBank(world: World): Promise<Sandbox> {
  const sandbox = createSandbox({
    db: simulatedDatabase(world, 'bank'),
    clock: world.clock,
    random: world.random,
    log: world.log,
    vault: world.vault,
    publicUrl: PUBLIC_URL,
    http: simulatedHttp(world, 'bank'),
    address: BANK_URL,
  })
  await world.until(sandbox.bank.start())
  return { ...sandbox, adapter: world.mutate.adapter(sandbox.adapter) }
}

/** Whenever nobody can go on, time moves to the next moment that somebody waits for. */
async function runUntil<T>(
  { turnstile, clock }: { turnstile: Turnstile; clock: VirtualClock },
  work: Promise<T>,
): Promise<T> {
  let ended = false
  const watched = work.finally(() => {
    ended = true
  })
  watched.catch(() => {})
  for (;;) {
    await turnstile.drain()
    if (ended) return watched
    if (!clock.skipToNext()) throw new Error('the simulated world stands still')
  }
}

function textLog(lines: string[]): Log {
  const line = (event: string, data: object = {}) => void lines.push(`${event} ${JSON.stringify(data)}`)
  return { debug: line, info: line, warn: line, error: line }
}

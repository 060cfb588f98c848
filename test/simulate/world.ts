import type { Random } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { createVault, type Vault } from '../../src/base/secret.ts'
import type { Database } from '../../src/db/database.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { createVirtualClock, type VirtualClock } from './clock.ts'
import { createDice, type Dice } from './dice.ts'
import { createFaults, type Fault } from './faults.ts'
import { BANK_URL, simulatedHttp } from './line.ts'
import type { Mutation } from './mutations.ts'
import { type Node, PUBLIC_URL, SECRET_KEY, simulatedDatabase, startNode } from './node.ts'
import { createProvider, type Provider, providerOf } from './provider.ts'
import type { Received } from './receiver.ts'
import { giveBack, type Shell } from './shell.ts'
import { type Counter, createCounter } from './tally.ts'
import { createTurnstile, type Turnstile } from './turnstile.ts'

export interface World {
  readonly dice: Dice
  readonly random: Random
  readonly clock: VirtualClock
  readonly turnstile: Turnstile
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
  readonly lines: string[]
  readonly sandbox: Sandbox
  /** Payments go through the sandbox when absent. */
  readonly provider: Provider | undefined
  readonly mutate: Mutation
  readonly counter: Counter
  /** Everything that merchants were answered, to be looked through afterwards. */
  readonly heard: Heard[]
  readonly received: Received[]
  /** Requests that arrive later than their client waits. */
  readonly underWay: Set<Promise<unknown>>
  /** Whether this fault happens now, as often as this seed has drawn; counted when it does. */
  strikes(fault: Fault): boolean
  anyNode(): Node
  /** The merchants are open. A world with a provider has no faults before. */
  open(): void
  /** Faults end: from here on the world only finishes what it began. */
  calm(): void
  /** Nobody does anything in it any more. */
  end(): void
  /** Runs the world until this work has ended. */
  until<T>(work: Promise<T>): Promise<T>
}

/** One answer. */
interface Heard {
  readonly appId: string
  readonly status: number
  readonly text: string
  readonly what: string
}

export async function createWorld(seed: number, database: Database, mutate: Mutation): Promise<World> {
  const dice = createDice(seed)
  const counter = createCounter()
  const faults = createFaults(dice, counter)
  const { strikes } = faults
  const kind = providerOf(seed)
  if (!kind) faults.begin()
  const clock = createVirtualClock(new Date('2026-01-01T00:00:00Z'))
  const lines: string[] = []
  const nodes: Node[] = []
  const shells: Shell[] = []
  const turnstile = createTurnstile({
    dice,
    dies: (who) => nodes.some(({ name }) => name === who) && strikes('process crash'),
    died(who) {
      const place = nodes.findIndex((node) => node.name === who)
      nodes[place]?.die()
      nodes[place] = newNode()
    },
  })
  const random: Random = { bytes: (count) => dice.bytes(count) }
  const newNode = (): Node => {
    const name = `node-${shells.length + 1}`
    const node = startNode(world, name, simulatedHttp(world, name))
    shells.push(node.shell)
    return node
  }
  const world: World = {
    dice,
    random,
    clock,
    turnstile,
    database,
    vault: createVault([SECRET_KEY], random),
    log: textLog(lines),
    lines,
    sandbox: undefined as never,
    provider: kind && (await createProvider({ clock, random }, kind)),
    mutate,
    counter,
    ...{ heard: [], received: [], underWay: new Set() },
    strikes,
    anyNode: () => dice.pick(nodes),
    open: faults.begin,
    calm() {
      faults.end()
      for (const node of nodes) node.skewMs = 0
    },
    end: () => giveBack(shells),
    until: (work) => runUntil({ turnstile, clock }, work),
  }
  Object.assign(world, { sandbox: await simulatedBank(world) })
  nodes.push(newNode())
  if (dice.chance(0.5)) {
    nodes.push(newNode())
    counter.count('fault two nodes instead of one')
  }
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

/** Without stacks: they name places in the code and depend on how the calls were compiled. */
function textLog(lines: string[]): Log {
  const reported = (name: string, value: unknown) => (name === 'stack' ? undefined : value)
  const line = (event: string, data: object = {}) =>
    void lines.push(`${event} ${JSON.stringify(data, reported)}`)
  return { debug: line, info: line, warn: line, error: line }
}

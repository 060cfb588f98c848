import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { hasDescriptions, NO_DESCRIPTIONS } from '../kit/descriptions.ts'
import { FAULTS, type FaultKind } from '../kit/fault-proxy.ts'
import type { ProviderSimulator } from '../kit/simulator.ts'
import { expectAgreement, hasNoMoney, leaks, movementsOf, problemsOf } from './agreement.ts'
import { settle } from './flows.ts'
import { type Step, stepsOf } from './steps.ts'
import { type Subject, startWorld, type World } from './world.ts'

/**
 * The fault matrix of a provider: each fault in each request of each step, through the whole service.
 * Afterwards the state is right, nothing happened twice, and our sums are those of the provider's ledger.
 * A run of all tests has a part of the steps; vitest.config.ts says which.
 */
export function describeFaults<Simulator extends ProviderSimulator>(subject: Subject<Simulator>): void {
  const { provider } = subject
  const { of, nth } = inject('part')
  const steps = stepsOf(subject as unknown as Subject)
    .map((step, place) => ({ ...step, place }))
    .filter(({ place }) => place % of === nth)
  let world: World
  let cases = 0
  beforeAll(async () => {
    world = await startWorld(subject)
    if (!hasDescriptions) process.stderr.write(`${provider}: ${NO_DESCRIPTIONS}\n`)
  })
  afterAll(async () => {
    await world?.stop()
    process.stdout.write(`${provider}: ${cases} faults in ${steps.length} steps\n`)
  })

  describe.each(steps)(`${provider}: $name`, ({ place, ...step }) => {
    let requests: number | undefined

    it('works without a fault', async () => {
      requests = (await run(world, step)).requests
      expect(requests).toBeGreaterThan(0)
    })

    it.each(FAULTS)('%s in each request', async (fault) => {
      requests ??= (await run(world, step)).requests
      for (let nth = 1; nth <= requests; nth++) {
        const { wasUsed } = await run(world, step, { fault, nth })
        // Fewer requests are made when an access token is still valid.
        expect(wasUsed || nth > 1, 'the step makes no request').toBe(true)
        cases += wasUsed ? 1 : 0
      }
    })

    it.each(pairsOf(place))('$fault, and then $next', async (armed) => {
      await run(world, step, armed)
      cases++
    })
  })
}

interface Armed {
  readonly fault: FaultKind
  /** Which request of the step fails. */
  readonly nth: number
  /** The fault of the first request after the step. */
  readonly next?: FaultKind
}

/** Faults after which the service has to find out what happened. */
const FIRST = ['cut-before', 'cut-after', 'hang-after', 'error-after', 'rate-limited'] as const

/** The second fault is another one in each step. */
const pairsOf = (place: number): Armed[] =>
  FIRST.map((fault, index) => {
    const next = FAULTS[(place + 3 * index) % FAULTS.length] ?? 'cut-after'
    return { fault, nth: 1, next }
  })

async function run(world: World, step: Step, armed?: Armed): Promise<{ requests: number; wasUsed: boolean }> {
  const { proxy, clock, simulator } = world
  // Rate limits are by the clock.
  clock.advance(60_000)
  const subject = await step.before(world)
  world.takeCalls()
  const firstLine = world.lines.length
  if (armed) proxy.arm({ kind: armed.fault, nth: armed.nth, delayMs: 4 })
  const arrived = proxy.exchanges.length
  const touched = await step.during(world, subject)
  const requests = proxy.exchanges.length - arrived
  const wasUsed = armed !== undefined && proxy.disarm() === 0
  if (armed?.next) proxy.arm({ kind: armed.next, delayMs: 4 })
  const settled = await settle(world, touched)
  proxy.disarm()
  const payment = step.after ? await step.after(world, settled) : settled
  const entries = await movementsOf(world, payment)
  expectAgreement(payment, entries, step.parts)
  const mayEnd = step.mayEnd && armed && hasNoMoney(entries)
  if (!mayEnd || payment.paymentState !== 'Failed')
    expect(payment, JSON.stringify(world.lines.slice(firstLine).slice(-6))).toMatchObject(step.ends)
  expect(problemsOf(world, world.takeCalls(), armed === undefined)).toEqual([])
  expect(leaks(world, firstLine)).toEqual([])
  expect(simulator.violations).toEqual([])
  return { requests, wasUsed }
}

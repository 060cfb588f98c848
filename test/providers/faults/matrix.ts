import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/tender.ts'
import { hasDescriptions, NO_DESCRIPTIONS } from '../kit/descriptions.ts'
import { actsUnder, FAULTS, type FaultKind } from '../kit/fault-proxy.ts'
import type { ProviderSimulator } from '../kit/simulator.ts'
import { expectAgreement, hasNoMoney, leaks, movementsOf, problemsOf } from './agreement.ts'
import { settle } from './flows.ts'
import { type Step, stepsOf } from './steps.ts'
import { type Subject, startWorld, type World } from './world.ts'

/** A machine that is busy with other tests needs longer. */
const CASE_MS = 120_000

/**
 * The fault matrix of a provider: each fault in each request of each step, through the whole service. Afterwards the
 * state is right, nothing happened twice, and our sums are those of the provider's ledger.
 */
export function describeFaults<Simulator extends ProviderSimulator>(subject: Subject<Simulator>): void {
  const { provider } = subject
  const steps = stepsOf(subject as unknown as Subject)
  let world: World
  let cases = 0
  beforeAll(async () => {
    world = await startWorld(subject)
    if (!hasDescriptions) process.stderr.write(`${provider}: ${NO_DESCRIPTIONS}\n`)
  }, CASE_MS)
  afterAll(async () => {
    await world?.stop()
    process.stdout.write(`${provider}: ${cases} faults in ${steps.length} steps\n`)
  })

  describe.each(steps)(`${provider}: $name`, (step) => {
    it('works without a fault', async () => {
      const { payment } = await run(world, step)
      expect(payment).toMatchObject(step.ends)
    }, CASE_MS)

    it.each(FAULTS)('%s in any request', async (fault) => {
      for (let nth = 1; await run(world, step, { fault, nth }).then(({ wasUsed }) => wasUsed); nth++) cases++
    }, CASE_MS)
  })
}

interface Armed {
  readonly fault: FaultKind
  /** Which request of the step fails. */
  readonly nth: number
}

async function run(world: World, step: Step, armed?: Armed): Promise<{ payment: Answer; wasUsed: boolean }> {
  const { proxy, clock, simulator } = world
  // Rate limits are by the clock.
  clock.advance(60_000)
  const subject = await step.before(world)
  world.takeCalls()
  const firstLine = world.lines.length
  if (armed) proxy.arm({ kind: armed.fault, nth: armed.nth, delayMs: 4 })
  const touched = await step.during(world, subject)
  const wasUsed = armed !== undefined && proxy.disarm() === 0
  const settled = await settle(world, touched)
  const payment = step.after ? await step.after(world, settled) : settled
  const entries = await movementsOf(world, payment)
  expectAgreement(payment, entries)
  const mayEnd = step.mayEnd && armed && !actsUnder(armed.fault) && hasNoMoney(entries)
  if (!mayEnd || payment.paymentState !== 'Failed')
    expect(payment, JSON.stringify(world.lines.slice(firstLine).slice(-6))).toMatchObject(step.ends)
  expect(problemsOf(world, world.takeCalls(), armed === undefined)).toEqual([])
  expect(leaks(world, firstLine)).toEqual([])
  expect(simulator.violations).toEqual([])
  return { payment, wasUsed }
}

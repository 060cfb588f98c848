import { afterAll, beforeAll, expect, it } from 'vitest'
import { merchant, purchase, type SandboxWorld, sandboxWorld } from '../../test/support/sandbox.ts'
import { SECOND } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import type { Context } from '../context.ts'
import { createBackground } from '../jobs/background.ts'
import { createSignals } from '../jobs/signals.ts'
import { bankJob } from './jobs.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await sandboxWorld()
})
afterAll(() => world.close())

const jobOf = ({ clock, sandbox }: SandboxWorld) => {
  const background = createBackground(silentLog)
  const job = bankJob({ clock, signals: createSignals(), background } as unknown as Context, sandbox.bank)
  return { ...job, settled: () => background.settled() }
}

async function pay(): Promise<void> {
  const shop = merchant(world)
  const bought = purchase({ instrument: await shop.token('CreditCard') })
  await world.sandbox.adapter.start(shop.context(), shop.operation('start'), bought)
}

it('is idle until the bank has work on this node, and 15 seconds after it', async () => {
  const job = jobOf(world)
  expect(job.isIdle?.()).toBe(true)
  await pay()
  expect(job.isIdle?.()).toBe(false)
  world.clock.advance(15 * SECOND)
  expect(job.isIdle?.()).toBe(true)
})

it('stops being idle when it finds work that another node has left', async () => {
  const other = await sandboxWorld(world)
  const job = jobOf(other)
  await pay()
  expect(job.isIdle?.()).toBe(true)
  expect(await job.runOnce()).toBeGreaterThan(0)
  expect(job.isIdle?.()).toBe(false)
  await job.settled()
  await other.close()
})

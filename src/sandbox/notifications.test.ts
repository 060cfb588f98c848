import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Merchant,
  merchant,
  purchase,
  type SandboxWorld,
  sandboxWorld,
} from '../../test/support/sandbox.ts'
import { DAY } from '../base/clock.ts'
import { money } from '../base/money.ts'

let world: SandboxWorld
let shop: Merchant
beforeAll(async () => {
  world = await sandboxWorld()
})
beforeEach(() => {
  shop = merchant(world)
  world.inbox.length = 0
  world.inboxStatus = 200
})
afterAll(() => world.close())

async function authorise() {
  const op = shop.operation('start')
  const bought = purchase({ instrument: await shop.token('CreditCard') })
  await world.sandbox.adapter.start(shop.context(), op, bought)
  return op.reference
}
const capture = (reference: string) =>
  world.sandbox.adapter.capture(
    shop.context(),
    shop.operation('capture', reference),
    {},
    money(1_000n, 'EUR'),
  )

async function arrived(): Promise<string[]> {
  while ((await world.sandbox.bank.runOnce()) > 0);
  return world.inbox.map((call) => JSON.parse(Buffer.from(call.rawBody).toString()).type)
}
const acceptedKinds = () =>
  Promise.all(
    world.inbox.map(async (call) => (await world.sandbox.adapter.receive(shop.context(), call)).kind),
  )

describe('the bank’s notifications', () => {
  it('report every change, signed, with the reference only', async () => {
    const reference = await authorise()
    await capture(reference)
    expect(await arrived()).toEqual(['payment.authorised', 'payment.captured'])
    const [call] = world.inbox
    if (!call) throw new Error('nothing arrived')
    expect(await world.sandbox.adapter.receive(shop.context(), call)).toEqual({
      kind: 'events',
      hints: [{ reference, reportedStage: 'authorised' }],
    })
  })

  it('of another account are rejected', async () => {
    await authorise()
    await arrived()
    const other = merchant(world)
    const [call] = world.inbox
    if (!call) throw new Error('nothing arrived')
    expect(await world.sandbox.adapter.receive(other.context(), call)).toEqual({ kind: 'forged' })
  })

  it('are accepted by a shop whose clock is wrong', async () => {
    await authorise()
    await arrived()
    const [call] = world.inbox
    if (!call) throw new Error('nothing arrived')
    for (const aheadMs of [DAY, -DAY]) {
      const wrong = shop.context({ now: () => new Date(world.clock.now().getTime() + aheadMs) })
      expect((await world.sandbox.adapter.receive(wrong, call)).kind).toBe('events')
    }
  })

  it('carry the account’s time after its clock was advanced', async () => {
    await authorise()
    await shop.control.advanceClock(3 * DAY)
    await arrived()
    const moved = shop.context({ now: () => new Date(world.clock.now().getTime() + 3 * DAY) })
    const [call] = world.inbox
    if (!call) throw new Error('nothing arrived')
    expect((await world.sandbox.adapter.receive(moved, call)).kind).toBe('events')
  })

  it('are retried until they are accepted', async () => {
    await authorise()
    world.inboxStatus = 500
    expect(await arrived()).toHaveLength(1)
    world.inboxStatus = 200
    expect(await arrived()).toHaveLength(1)
    world.clock.advance(2_000)
    expect(await arrived()).toHaveLength(2)
    world.clock.advance(DAY)
    expect(await arrived()).toHaveLength(2)
  })

  it('report changes without a request: an expired authorisation', async () => {
    const reference = await authorise()
    await shop.control.advanceClock(7 * DAY)
    expect(await arrived()).toEqual(['payment.authorised', 'payment.expired'])
    expect(await capture(reference)).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    expect(await world.sandbox.adapter.retrieve(shop.context(), reference, {})).toMatchObject({
      stage: 'expired',
    })
  })

  it('arrive three times under notification-duplicate', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'notification-duplicate' })
    await authorise()
    expect(await arrived()).toEqual(Array(3).fill('payment.authorised'))
    expect(new Set(world.inbox.map((call) => Buffer.from(call.rawBody).toString())).size).toBe(1)
  })

  it('never arrive under notification-never', async () => {
    await shop.control.armFault({ step: 'any', effect: 'notification-never' })
    const reference = await authorise()
    await capture(reference)
    expect(await arrived()).toEqual(['payment.captured'])
  })

  it('arrive out of order under notification-reordered', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'notification-reordered' })
    await capture(await authorise())
    await arrived()
    world.clock.advance(2_000)
    expect(await arrived()).toEqual(['payment.captured', 'payment.authorised'])
  })

  it('arrive ten seconds late under notification-late', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'notification-late' })
    await authorise()
    world.clock.advance(9_000)
    expect(await arrived()).toEqual([])
    world.clock.advance(1_000)
    expect(await arrived()).toEqual(['payment.authorised'])
  })

  it('arrive with a bad signature first under notification-forged', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'notification-forged' })
    await authorise()
    await arrived()
    expect((await acceptedKinds()).sort()).toEqual(['events', 'forged'])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.ts'
import { money } from '../../../src/base/money.ts'
import type { AuthorizeNetSettings } from '../../../src/providers/authorize-net/manifest.ts'
import type { Received } from '../../../src/providers/port.ts'
import type { SignedNotification } from '../kit/simulator.ts'
import {
  type AuthorizeNetWorld,
  authorizeNet,
  createWorld,
  type Opened,
  operation,
  purchase,
} from './world.ts'

let world: AuthorizeNetWorld
beforeEach(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await world.close()
  expect(world.simulator.violations).toEqual([])
})

const CHECK = { method: 'ElectronicCheck' } as const
const see = (opened: Opened) => world.see(opened)
const settle = ({ reference }: Opened) => world.simulator.dashboard(reference, { kind: 'settle' })

describe('an electronic check', () => {
  it('is taken when it is settled, and a late return takes it back', async () => {
    const paid = await world.paid(CHECK)
    expect(await see(paid)).toMatchObject({ stage: 'processing', captured: money(0n, 'USD') })
    settle(paid)
    const captured = await see(paid)
    expect(captured).toMatchObject({ stage: 'captured', captured: paid.amount })
    world.advance(3 * DAY)
    expect(world.simulator.dashboard(paid.reference, { kind: 'return-debit' })).toBe(true)
    const known = { ...paid, handles: { ...paid.handles, ...captured.handles } }
    expect(await see(known)).toMatchObject({ stage: 'captured', captured: paid.amount, isReturned: true })
  })

  it('is declined with the code of the bank if it is returned before it was seen as taken', async () => {
    const paid = await world.paid(CHECK)
    settle(paid)
    world.simulator.dashboard(paid.reference, { kind: 'return-debit' })
    expect(await see(paid)).toMatchObject({ stage: 'declined', decline: { reason: 'insufficient-funds' } })
  })

  it('is stored and charged, and the charge waits for its settlement', async () => {
    const { reference, handles } = await world.paid(CHECK)
    const storing = { key: operation('start').key, reference, ...CHECK, customer: { id: 'c' } }
    const kept = await authorizeNet.storePaid?.(world.context(), storing, handles)
    if (kept?.kind !== 'kept') throw new Error('not kept')
    expect(kept.stored).toMatchObject({ method: 'ElectronicCheck', label: 'Bank account •••• 6789' })
    const charged = await authorizeNet.charge(
      world.context(),
      operation('charge'),
      purchase(CHECK),
      kept.stored.token,
    )
    expect(charged).toMatchObject({ kind: 'pending', waitsFor: 'provider' })
  })
})

describe('a payment whose id is not known', () => {
  it('is found among those that are not settled, then in their batch', async () => {
    const opened = await world.open()
    await world.simulator.payer(opened.url, { kind: 'pay' })
    expect((await see(opened)).stage).toBe('captured')
    world.advance(25 * HOUR)
    expect((await see(opened)).stage).toBe('captured')
  })

  it('is open while its page is, and expired afterwards', async () => {
    const opened = await world.open()
    expect((await see(opened)).stage).toBe('needs-customer')
    world.advance(31 * MINUTE)
    expect((await see(opened)).stage).toBe('expired')
  })

  it('is unknown while a list cannot be read', async () => {
    const opened = await world.open()
    world.simulator.arm({ kind: 'error', operation: 'read', status: 200, code: 'E00001' })
    const sight = await authorizeNet.retrieve(
      world.context(),
      opened.reference,
      opened.handles,
      opened.amount,
    )
    expect(sight.kind).toBe('unknown')
  })

  it('is the paid one of several tries', async () => {
    const opened = await world.open()
    await world.simulator.payer(opened.url, { kind: 'decline' })
    expect(await see(opened)).toMatchObject({ stage: 'needs-customer', decline: { reason: 'do-not-honour' } })
    await world.simulator.payer(opened.url, { kind: 'pay' })
    expect((await see(opened)).stage).toBe('captured')
  })
})

it('a refund whose answer was lost is found by its invoice number after weeks', async () => {
  const paid = await world.paid()
  settle(paid)
  const op = { ...operation('refund', paid.reference), createdAt: world.context().now() }
  const part = money(500n, 'USD')
  world.proxy.arm({ kind: 'cut-after', match: ({ body }) => body.includes('refundTransaction') })
  expect((await authorizeNet.refund(world.context(), op, paid.handles, part)).kind).toBe('unknown')
  world.advance(20 * DAY)
  const again = await authorizeNet.refund(world.context(), { ...op, sending: 2 }, paid.handles, part)
  expect(again.kind).toBe('approved')
  expect(world.simulator.ledger(paid.reference).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
})

it('an authorisation that lapsed is expired', async () => {
  const paid = await world.paid({ sale: false })
  expect((await see(paid)).stage).toBe('authorised')
  world.advance(31 * DAY)
  expect((await see(paid)).stage).toBe('expired')
})

describe('a notification', () => {
  const receive = (
    told: SignedNotification | undefined,
    config?: Partial<AuthorizeNetSettings>,
  ): Promise<Received> => {
    const context = world.context()
    const call = { headers: told?.headers ?? {}, rawBody: Buffer.from(told?.body ?? ''), url: '' }
    return authorizeNet.receive({ ...context, config: { ...context.config, ...config } }, call)
  }

  it('names the payment that a refund belongs to, never the key of the refund', async () => {
    const paid = await world.paid()
    settle(paid)
    world.simulator.takeNotifications()
    const op = operation('refund', paid.reference)
    await authorizeNet.refund(world.context(), op, paid.handles, money(100n, 'USD'))
    const [told] = world.simulator.takeNotifications()
    expect(told?.body).toContain(op.key)
    const handles = { [`refund${op.key}`]: JSON.parse(told?.body ?? '{}').payload.id }
    const hint = { reference: paid.reference, lookup: paid.handles.payment, handles }
    expect(await receive(told)).toEqual({ kind: 'events', hints: [hint] })
    world.proxy.arm({ kind: 'cut-before' })
    await expect(receive(told)).rejects.toThrow('could not be read')
  })

  it.each(['text', 'bytes'] as const)('is proven by the %s of the signature key', async (signsWith) => {
    await world.close()
    world = await createWorld({ signsWith })
    const { reference, handles } = await world.paid()
    const [told] = world.simulator.takeNotifications()
    const hints = [{ reference, lookup: handles.payment }]
    expect(await receive(told)).toEqual({ kind: 'events', hints })
    expect(await receive(told, { signatureKey: 'F'.repeat(128) })).toEqual({ kind: 'forged' })
    expect(await receive(told && { ...told, headers: { 'x-anet-signature': 'sha512=00' } })).toEqual({
      kind: 'forged',
    })
  })
})

it('the webhook is registered once, and needs the signature key', async () => {
  const context = world.context()
  const { signatureKey: _none, ...config } = context.config
  expect(await authorizeNet.connect?.({ ...context, config })).toMatchObject({ ok: false })
  for (let time = 0; time < 2; time++)
    expect(await authorizeNet.connect?.(context)).toEqual({ ok: true, settings: {} })
  expect(world.simulator.webhookEndpoints.map(({ url }) => url)).toEqual([context.notifyUrl])
  const wrong = world.simulator.wrongSettings as unknown as AuthorizeNetSettings
  const refused = await authorizeNet.connect?.({ ...context, config: wrong })
  expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining('does not accept') })
})

import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.ts'
import { money } from '../../../src/base/money.ts'
import type { AuthorizeNetSettings } from '../../../src/providers/authorize-net/manifest.ts'
import type { Received } from '../../../src/providers/port.ts'
import type { SignedNotification } from '../kit/simulator.ts'
import { GATEWAY_ID } from './handlers.ts'
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

describe('a check', () => {
  it('tells the account, and warns if its details are refused', async () => {
    const profile = { methods: ['CreditCard', 'ElectronicCheck'], currency: 'USD' } as const
    const context = world.context({ profile })
    expect(await authorizeNet.check(context)).toMatchObject({ ok: true, account: GATEWAY_ID })
    const http: typeof context.http = {
      call(request) {
        const isAboutAccount = JSON.stringify(request.json).includes('getMerchantDetailsRequest')
        if (isAboutAccount)
          world.simulator.arm({ kind: 'error', operation: 'read', status: 200, code: 'E00010' })
        return context.http.call(request)
      },
    }
    expect(await authorizeNet.check({ ...context, http })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('another account would not be noticed')],
    })
  })
})

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
    // The debit is found by its invoice number too, although the return has the same.
    const statuses = world.simulator.transactions(paid.reference).map(({ status }) => status)
    expect(statuses).toEqual(['settledSuccessfully', 'returnedItem'])
    const { payment: _id, ...lost } = known.handles
    const found = await see({ ...paid, handles: lost })
    expect(found).toMatchObject({ isReturned: true, handles: { payment: paid.handles.payment } })
  })

  it('is returned also while it is charged back', async () => {
    const paid = await world.paid(CHECK)
    settle(paid)
    const captured = await see(paid)
    const known = { ...paid, handles: { ...paid.handles, ...captured.handles } }
    world.simulator.dashboard(paid.reference, { kind: 'return-debit' })
    world.simulator.dashboard(paid.reference, { kind: 'dispute', state: 'open' })
    expect(await see(known)).toMatchObject({ stage: 'captured', captured: paid.amount, isReturned: true })
  })

  it('is not refunded: the provider shows its account only in part', async () => {
    const paid = await world.paid(CHECK)
    settle(paid)
    const op = operation('refund', paid.reference)
    const outcome = await authorizeNet.refund(world.context(), op, paid.handles, paid.amount)
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    expect(authorizeNet.manifest.methods.ElectronicCheck).toMatchObject({
      refund: false,
      partialRefund: false,
    })
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
    const kept = await authorizeNet.storeAfterPayment?.(world.context(), storing, handles)
    if (kept?.kind !== 'stored') throw new Error('not kept')
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

describe('a second payment on the same page', () => {
  const paidTwice = async () => {
    const paid = await world.paid()
    await world.simulator.payer(paid.url, { kind: 'pay-again' })
    const [, second] = world.simulator.transactions(paid.reference)
    if (!second) throw new Error('not paid twice')
    return { paid, second: second.id }
  }

  it('is found and can be given back', async () => {
    const { paid, second } = await paidTwice()
    const seen = await see(paid)
    expect(seen).toMatchObject({
      stage: 'captured',
      captured: paid.amount,
      handles: { payment: paid.handles.payment },
    })
    expect(seen.extra).toMatchObject([{ id: second, handles: { payment: second } }])
    const [extra] = seen.extra ?? []
    const other = { ...paid, handles: extra?.handles ?? {} }
    expect(await see(other)).toMatchObject({ stage: 'captured', captured: paid.amount })
    const op = operation('refund', paid.reference)
    expect((await authorizeNet.refund(world.context(), op, other.handles, paid.amount)).kind).toBe('approved')
    expect((await see(paid)).extra).toBeUndefined()
    expect(await see(paid)).toMatchObject({ stage: 'captured', refunded: money(0n, 'USD') })
  })

  it('is found by the id of its notification when no list shows it', async () => {
    const { paid, second } = await paidTwice()
    world.advance(30 * DAY)
    expect((await see(paid)).extra).toBeUndefined()
    const reported = { ...paid, handles: { ...paid.handles, extra: second } }
    expect((await see(reported)).extra).toMatchObject([{ id: second }])
    const own = { ...paid, handles: { ...paid.handles, extra: paid.handles.payment ?? '' } }
    expect((await see(own)).extra).toBeUndefined()
  })

  it('may be missed by a read that fails in part, and is then looked for again', async () => {
    const { paid } = await paidTwice()
    const isList = ({ body }: { body: string }) => body.includes('getUnsettledTransactionListRequest')
    world.proxy.arm({ kind: 'cut-after', match: isList })
    expect(await see(paid)).toMatchObject({ stage: 'captured', isIncomplete: true })
  })

  it('is the payment itself, if the first notification comes before any list', async () => {
    const opened = await world.open()
    world.simulator.lagLists(true)
    await world.simulator.payer(opened.url, { kind: 'pay' })
    expect((await see(opened)).stage).toBe('needs-customer')
    const [paid] = world.simulator.transactions(opened.reference)
    const reported = { ...opened, handles: { ...opened.handles, extra: paid?.id ?? '' } }
    expect(await see(reported)).toMatchObject({ stage: 'captured', handles: { payment: paid?.id } })
  })
})

describe('the status', () => {
  type Status = Parameters<AuthorizeNetWorld['simulator']['show']>[1]
  const shown = async (status: Status) => {
    const paid = await world.paid()
    world.simulator.show(paid.handles.payment ?? '', status)
    return { seen: await see(paid), paid }
  }

  it.each<[Status, object]>([
    ['couldNotVoid', { stage: 'captured' }],
    ['updatingSettlement', { stage: 'captured' }],
    ['underReview', { stage: 'authorised' }],
    ['authorizedPendingRelease', { stage: 'authorised' }],
    ['newlyInvented', { stage: 'processing', unlisted: ['status newlyInvented'] }],
  ])('%s is %o', async (status, expected) => expect((await shown(status)).seen).toMatchObject(expected))

  it('settlementError means that nothing was taken', async () => {
    const { seen, paid } = await shown('settlementError')
    expect(seen).toMatchObject({
      ...{ captured: money(0n, 'USD'), recapture: { problem: expect.stringContaining('not settled') } },
    })
    const { captured: _amount, capture: _id, ...handles } = paid.handles
    expect(await see({ ...paid, handles })).toMatchObject({
      ...{ stage: 'declined', decline: { reason: 'processing-error', retry: 'later' } },
    })
  })

  it('settlementError of a refund gives nothing back until its batch is settled again', async () => {
    const paid = await world.paid()
    await settle(paid)
    const part = money(100n, 'USD')
    const op = operation('refund', paid.reference)
    const made = await authorizeNet.refund(world.context(), op, paid.handles, part)
    if (made.kind !== 'approved') throw new Error(made.kind)
    const refunded = { ...paid, handles: { ...paid.handles, ...made.handles } }
    const id = made.handles[`refund${op.key}`] ?? ''
    world.simulator.show(id, 'settlementError')
    expect(await see(refunded)).toMatchObject({
      refunded: money(0n, 'USD'),
      refunds: [{ id, state: 'failed', problem: expect.stringContaining('not settled') }],
    })
    world.simulator.show(id, 'newlyInvented')
    expect(await see(refunded)).toMatchObject({ refunded: money(0n, 'USD'), refunds: [{ state: 'pending' }] })
    world.simulator.show(id, 'refundSettledSuccessfully')
    expect(await see(refunded)).toMatchObject({ refunded: part, refunds: [{ id, state: 'done' }] })
  })

  it.each([
    ['chargeback', 'open'],
    ['chargebackReversal', 'won'],
  ] as const)('%s is a dispute with id and amount', async (status, state) => {
    const { seen, paid } = await shown(status)
    expect(seen.disputes).toEqual([{ id: paid.handles.payment, state, amount: paid.amount }])
  })
})

it('the same card can be tried again on the page two minutes after a decline', async () => {
  world.simulator.useCard('XXXX1111')
  const opened = await world.open()
  await world.simulator.payer(opened.url, { kind: 'decline' })
  await world.simulator.payer(opened.url, { kind: 'pay' })
  expect((await see(opened)).stage).toBe('needs-customer')
  world.advance(121_000)
  await world.simulator.payer(opened.url, { kind: 'pay' })
  expect((await see(opened)).stage).toBe('captured')
})

it('a live app needs the Signature Key, a sandbox app does not', () => {
  const { settings, notReady } = authorizeNet.manifest
  const { signatureKey, ...keys } = world.simulator.settings
  const problem = (value: object, isSandbox: boolean) => {
    const parsed = settings.parse(value, { isSandbox })
    return parsed.ok ? notReady?.(parsed.config)?.code : 'refused'
  }
  expect(problem(keys, true)).toBeUndefined()
  expect(problem({ ...keys, signatureKey }, false)).toBeUndefined()
  expect(problem(keys, false)).toBe('signature-key-missing')
})

describe('a notification', () => {
  it('of an event that is not listed is counted', async () => {
    const body = JSON.stringify({ eventType: 'net.authorize.payment.invented', payload: {} })
    const { signatureKey = '' } = world.context().config
    const signature = createHmac('sha512', signatureKey).update(body).digest('hex')
    const reported = { url: '', body, headers: { 'x-anet-signature': `sha512=${signature}` } }
    expect(await receive(reported)).toEqual({ kind: 'ignored', unlisted: 'net.authorize.payment.invented' })
  })

  const receive = (
    reported: SignedNotification | undefined,
    config?: Partial<AuthorizeNetSettings>,
  ): Promise<Received> => {
    const context = world.context()
    const call = { headers: reported?.headers ?? {}, rawBody: Buffer.from(reported?.body ?? ''), url: '' }
    return authorizeNet.receive({ ...context, config: { ...context.config, ...config } }, call)
  }

  it('names the payment that a refund belongs to, never the key of the refund', async () => {
    const paid = await world.paid()
    settle(paid)
    world.simulator.takeNotifications()
    const op = operation('refund', paid.reference)
    await authorizeNet.refund(world.context(), op, paid.handles, money(100n, 'USD'))
    const [reported] = world.simulator.takeNotifications()
    expect(reported?.body).toContain(op.key)
    const handles = { [`refund${op.key}`]: JSON.parse(reported?.body ?? '{}').payload.id }
    const hint = { reference: paid.reference, lookup: paid.handles.payment, handles }
    expect(await receive(reported)).toEqual({ kind: 'events', hints: [hint] })
    world.proxy.arm({ kind: 'cut-before' })
    await expect(receive(reported)).rejects.toThrow('could not be read')
  })

  it.each(['text', 'bytes'] as const)('is proven by the %s of the signature key', async (signsWith) => {
    await world.close()
    world = await createWorld({ signsWith })
    const { reference, handles } = await world.paid()
    const [reported] = world.simulator.takeNotifications()
    const hints = [{ reference, lookup: handles.payment, handles: { extra: handles.payment } }]
    expect(await receive(reported)).toEqual({ kind: 'events', hints })
    expect(await receive(reported, { signatureKey: 'F'.repeat(128) })).toEqual({ kind: 'forged' })
    expect(await receive(reported && { ...reported, headers: { 'x-anet-signature': 'sha512=00' } })).toEqual({
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

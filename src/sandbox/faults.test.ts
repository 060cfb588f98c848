import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Merchant,
  merchant,
  purchase,
  type SandboxWorld,
  sandboxWorld,
} from '../../test/support/sandbox.ts'
import { money } from '../base/money.ts'
import type { Outcome } from '../providers/outcome.ts'
import { actOnPage } from './helpers/browser.ts'

let world: SandboxWorld
let shop: Merchant
beforeAll(async () => {
  world = await sandboxWorld()
})
beforeEach(() => {
  shop = merchant(world)
})
afterAll(() => world.close())

const EUR_10 = money(1_000n, 'EUR')

async function start(instrument?: string, overrides = {}) {
  const token = instrument ?? (await shop.token('CreditCard'))
  const op = shop.operation('start')
  const bought = purchase({ instrument: token, ...overrides })
  const send = (context = shop.context()) => world.sandbox.adapter.start(context, op, bought)
  return { op, send, outcome: await send() }
}

const handlesOf = (outcome: Outcome) => ('handles' in outcome && outcome.handles) || {}
const see = (reference: string) => world.sandbox.adapter.retrieve(shop.context(), reference, {})
const statuses = async (reference: string) =>
  (await shop.control.ledger(reference)).map((entry) => `${entry.kind} ${entry.status}`)

describe('a transport fault', () => {
  it('request-lost: the bank does not act and closes the connection', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'request-lost' })
    const { op, outcome, send } = await start()
    expect(outcome).toMatchObject({ kind: 'unknown', why: 'connection-lost' })
    expect(await see(op.reference)).toEqual({ kind: 'absent', conclusive: true })
    expect(await shop.control.ledger(op.reference)).toEqual([])
    expect((await send()).kind).toBe('approved')
  })

  it.each([
    ['reply-lost', 'connection-lost'],
    ['http-500-after-acting', 'server-error'],
    ['unreadable', 'unreadable-reply'],
  ])('%s: the bank acts once and the outcome is unknown until it is asked', async (effect, why) => {
    await shop.control.armFault({ step: 'authorise', effect })
    const { op, outcome, send } = await start()
    expect(outcome).toMatchObject({ kind: 'unknown', why })
    expect(await see(op.reference)).toMatchObject({ stage: 'authorised', authorised: EUR_10 })
    expect((await send()).kind).toBe('approved')
    expect(await statuses(op.reference)).toEqual(['authorise done'])
  })

  it('reply-late: the bank acts and answers after the timeout of the service', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'reply-late', delayMs: 60_000 })
    const impatient = shop.context({
      http: { call: (call) => world.http.call({ ...call, timeoutMs: 1_000 }) },
    })
    const op = shop.operation('start')
    const bought = purchase({ instrument: await shop.token('CreditCard') })
    const outcome = await world.sandbox.adapter.start(impatient, op, bought)
    expect(outcome).toMatchObject({ kind: 'unknown', why: 'timeout' })
    expect(await see(op.reference)).toMatchObject({ stage: 'authorised' })
  })

  it('outage: nothing is done, also for a call that opens a page', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'outage', times: 2 })
    const byToken = await start()
    expect(byToken.outcome).toMatchObject({ kind: 'not-done', why: 'not-sent' })
    const page = await world.sandbox.adapter.start(
      shop.context(),
      shop.operation('start'),
      purchase({ method: 'Crypto' }),
    )
    expect(page).toMatchObject({ kind: 'not-done', why: 'not-sent' })
    expect((await byToken.send()).kind).toBe('approved')
  })

  it('applies the given number of times, also to replays, and can be cleared', async () => {
    await shop.control.armFault({ step: 'any', effect: 'reply-lost', times: 2 })
    await shop.control.armFault({ step: 'capture', effect: 'decline', times: 9 })
    const { op, outcome, send } = await start()
    expect([outcome.kind, (await send()).kind, (await send()).kind]).toEqual([
      'unknown',
      'unknown',
      'approved',
    ])
    await shop.control.clearFaults()
    const capture = shop.operation('capture', op.reference)
    expect(await world.sandbox.adapter.capture(shop.context(), capture, {}, EUR_10)).toMatchObject({
      kind: 'approved',
    })
    expect(await statuses(op.reference)).toEqual(['authorise done', 'capture done'])
  })
})

describe('a fault of the bank’s decision', () => {
  it('decline: declines once', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'decline' })
    const { op, outcome } = await start()
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'generic' })
    expect(await statuses(op.reference)).toEqual(['authorise declined'])
    expect((await start()).outcome.kind).toBe('approved')
  })

  it('pending-then-approved: ends after the delay on the account’s clock', async () => {
    await shop.control.armFault({ step: 'authorise', effect: 'pending-then-approved', delayMs: 20_000 })
    const { op, outcome } = await start()
    expect(outcome).toMatchObject({ kind: 'pending', waitsFor: 'provider' })
    await shop.control.advanceClock(19_000)
    expect(await see(op.reference)).toMatchObject({ stage: 'processing' })
    await shop.control.advanceClock(1_000)
    expect(await see(op.reference)).toMatchObject({ stage: 'authorised' })
    expect(await statuses(op.reference)).toEqual(['authorise done'])
  })

  it('capture-fails: the authorisation stays valid', async () => {
    const { op, outcome } = await start()
    await shop.control.armFault({ step: 'capture', effect: 'capture-fails' })
    const capture = () =>
      world.sandbox.adapter.capture(
        shop.context(),
        shop.operation('capture', op.reference),
        handlesOf(outcome),
        EUR_10,
      )
    expect(await capture()).toMatchObject({ kind: 'declined', reason: 'processing-error' })
    expect(await see(op.reference)).toMatchObject({ stage: 'authorised' })
    expect(await capture()).toMatchObject({ kind: 'approved', facts: { fee: money(59n, 'EUR') } })
    expect(await statuses(op.reference)).toEqual(['authorise done', 'capture declined', 'capture done'])
  })

  it('decline of a cancel: the authorisation stays valid', async () => {
    const { op } = await start()
    await shop.control.armFault({ step: 'cancel', effect: 'decline' })
    const cancel = () =>
      world.sandbox.adapter.cancel(shop.context(), shop.operation('cancel', op.reference), {})
    expect((await cancel()).kind).toBe('declined')
    expect((await cancel()).kind).toBe('approved')
    expect(await statuses(op.reference)).toEqual(['authorise done', 'void declined', 'void done'])
  })

  it.each([
    ['refund-pending', 'done', 1_000n],
    ['refund-fails-later', 'failed', 0n],
  ])('%s: the refund is pending, then %s', async (effect, state, refunded) => {
    const { op } = await start()
    const { adapter } = world.sandbox
    await adapter.capture(shop.context(), shop.operation('capture', op.reference), {}, EUR_10)
    await shop.control.armFault({ step: 'refund', effect })
    const refund = shop.operation('refund', op.reference)
    expect((await adapter.refund(shop.context(), refund, {}, EUR_10)).kind).toBe('pending')
    expect(await see(op.reference)).toMatchObject({
      refunds: [{ state: 'pending' }],
      refunded: { minor: 0n },
    })
    await shop.control.advanceClock(5_000)
    expect(await see(op.reference)).toMatchObject({
      refunds: [{ state, operationKey: refund.key }],
      refunded: { minor: refunded },
    })
  })

  it('on a page: the customer’s action is declined or lost', async () => {
    const { adapter } = world.sandbox
    const op = shop.operation('start')
    const opened = await adapter.start(shop.context(), op, purchase({ method: 'Crypto' }))
    if (opened.kind !== 'redirect') throw new Error('no page')
    await shop.control.armFault({ step: 'authorise', effect: 'reply-lost' })
    expect(await actOnPage(world.browser, opened.url, { action: 'approve' })).toEqual({ kind: 'lost' })
    expect(await see(op.reference)).toMatchObject({ stage: 'captured' })
    expect(await statuses(op.reference)).toEqual(['sale done'])
  })

  it('on resume: the reply of the second step is lost', async () => {
    const { adapter } = world.sandbox
    const op = shop.operation('start')
    const bought = purchase({ method: 'Paypal' })
    const opened = await adapter.start(shop.context(), op, bought)
    if (opened.kind !== 'redirect') throw new Error('no page')
    await shop.control.armFault({ step: 'authorise', effect: 'reply-lost' })
    expect(await actOnPage(world.browser, opened.url, { action: 'approve' })).toMatchObject({
      status: 'approved',
    })
    const resume = shop.operation('resume', op.reference)
    expect((await adapter.resume(shop.context(), resume, bought, opened.handles)).kind).toBe('unknown')
    expect((await adapter.resume(shop.context(), resume, bought, opened.handles)).kind).toBe('approved')
    expect(await statuses(op.reference)).toEqual(['authorise done'])
  })

  it('is rejected with a message if it is invalid', async () => {
    await expect(shop.control.armFault({ step: 'sleep', effect: 'decline' })).rejects.toThrow(
      'step must be one of',
    )
    await expect(shop.control.armFault({ step: 'any', effect: 'explode' })).rejects.toThrow(
      'effect must be one of',
    )
  })
})

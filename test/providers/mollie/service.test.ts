import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { findProfile } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import { opensByRedirect } from '../../../src/web/checkout/provider-page.ts'
import { type Answer, good } from '../../support/tender.ts'
import {
  act,
  chargeStored,
  comeBack,
  customerWithMethod,
  deliverNotifications,
  openProviderPage,
  pageOf,
  payThere,
  referencesOf,
  settle,
} from '../faults/flows.ts'
import { startWorld, type World } from '../faults/world.ts'
import type { DashboardAct, PayerAct } from '../kit/simulator.ts'
import { createMollieSimulator, type MollieSimulator } from './simulator.ts'

/** Mollie through the whole service: its notifications only name a payment, always in the same bytes. */

type MollieWorld = World & { readonly simulator: MollieSimulator }

let world: MollieWorld
beforeAll(async () => {
  world = await startWorld<MollieSimulator>(
    {
      ...{ provider: 'mollie', method: 'CreditCard', authorises: true, stores: true, confirmsLater: false },
      simulator: (now) => createMollieSimulator({ now }),
    },
    'service',
  )
})
afterAll(async () => {
  await world?.stop()
  expect(world?.simulator.violations).toEqual([])
})

const RESERVED = { autoCapture: false }

async function paid(more: object = {}): Promise<Answer> {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  await deliverNotifications(world)
  return payment
}

const shows = async ({ paymentId }: Answer, expected: object): Promise<void> =>
  expect(await world.app.read(paymentId)).toMatchObject(expected)

/** Something happens at Mollie, and its notifications are delivered. */
async function then(payment: Answer, what: DashboardAct): Promise<void> {
  const [reference = ''] = await referencesOf(world, payment.paymentId)
  expect(world.simulator.dashboard(reference, what)).toBe(true)
  await deliverNotifications(world)
}

const kinds = async ({ paymentId }: Answer): Promise<string[]> =>
  (await referencesOf(world, paymentId)).flatMap((reference) =>
    world.simulator.ledger(reference).map(({ kind, state }) => `${kind} ${state}`),
  )

describe('notifications', () => {
  it('with the same bytes are followed each time something changed', async () => {
    const payment = await paid(RESERVED)
    await shows(payment, { paymentState: 'Authorized' })
    await then(payment, { kind: 'capture' })
    await shows(payment, { paymentState: 'Captured', capturedAmount: 25.5 })
    await then(payment, { kind: 'refund', amountMinor: 500n })
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5 })
    await then(payment, { kind: 'dispute', state: 'open' })
    await shows(payment, { paymentState: 'Disputed' })
    await then(payment, { kind: 'dispute', state: 'won' })
    await shows(payment, { paymentState: 'Captured' })
    const [reference = ''] = await referencesOf(world, payment.paymentId)
    const [id = ''] = world.simulator.idsOf(reference)
    expect(await rowsOf(`id=${id}`)).toBe(1)
  })

  it('that come while an earlier one is followed are not lost', async () => {
    const payment = await openProviderPage(world, RESERVED)
    await payThere(world, payment)
    const [call] = world.simulator.takeNotifications()
    if (!call) throw new Error('no notification')
    const send = () => fetch(world.webhookUrl, { method: 'POST', headers: call.headers, body: call.body })
    const held = world.simulator.holdNextRead()
    expect((await send()).status).toBe(200)
    const release = await held
    // The first one shows the payment as it was before the capture.
    const [reference = ''] = await referencesOf(world, payment.paymentId)
    world.simulator.dashboard(reference, { kind: 'capture' })
    world.simulator.takeNotifications()
    expect((await send()).status).toBe(200)
    release()
    await world.tender.service.ctx.background.settled()
    await shows(payment, { paymentState: 'Captured' })
    expect(await waiting()).toBe(0)
  })
})

/** The jobs that are due, as a worker runs them. */
async function runJobs(): Promise<void> {
  await world.app.advance('1ms')
  await world.tender.service.ctx.background.settled()
}

const COUNT = sql<{ rows: number }>(
  'test.mollieNotifications',
  `select count(*)::int as rows from provider_notifications
   where $1::bytea is null or digest = sha256($1::bytea)`,
)

const WAITING = sql<{ rows: number }>(
  'test.mollieWaiting',
  "select count(*)::int as rows from provider_notifications where status = 'new'",
)

async function waiting(): Promise<number> {
  const [found] = await world.tender.service.ctx.db.query(WAITING)
  return found?.rows ?? 0
}

async function rowsOf(body?: string): Promise<number> {
  const [found] = await world.tender.service.ctx.db.query(COUNT, [body ? Buffer.from(body) : null])
  return found?.rows ?? 0
}

describe('a flood', () => {
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(world.webhookUrl, { method: 'POST', headers, body })
    await reply.text()
    return reply.status
  }
  const reads = () => world.simulator.requests.filter(({ method }) => method === 'GET').length
  const invented = (n: number) => `id=tr_Invented${n.toString(36).padStart(8, '0')}`

  it('of invented ids reads nothing from Mollie and leaves no row', async () => {
    const payment = await paid()
    await shows(payment, { paymentState: 'Captured' })
    const [rows, read] = [await rowsOf(), reads()]
    const answers = await Promise.all(Array.from({ length: 500 }, (_unused, n) => post(invented(n))))
    expect(new Set(answers)).toEqual(new Set([200]))
    await world.tender.service.ctx.background.settled()
    await runJobs()
    expect({ reads: reads() - read, rows: (await rowsOf()) - rows }).toEqual({ reads: 0, rows: 0 })
  })

  it('of anything else leaves no row either', async () => {
    const [rows, read] = [await rowsOf(), reads()]
    const others = ['', '{', 'x=1', 'id=', 'id=tr_', `id=tr_${'a'.repeat(99)}`, 'id=tr_a%27%3B--', '\u0000']
    for (const body of others) expect(await post(body)).toBe(401)
    for (const body of ['id=ord_8wmqcHMN4U', 'testByMollie=1']) expect(await post(body)).toBe(200)
    expect({ reads: reads() - read, rows: (await rowsOf()) - rows }).toEqual({ reads: 0, rows: 0 })
  })

  it('of one real id leaves one row, and reads one at a time', async () => {
    const payment = await paid()
    const [reference = ''] = await referencesOf(world, payment.paymentId)
    const [id = ''] = world.simulator.idsOf(reference)
    const [rows, read] = [await rowsOf(), reads()]
    const held = world.simulator.holdNextRead()
    expect(await post(`id=${id}`)).toBe(200)
    const release = await held
    await Promise.all(Array.from({ length: 200 }, () => post(`id=${id}`)))
    release()
    await world.tender.service.ctx.background.settled()
    // One for the first call and one for all others.
    expect({ reads: reads() - read, rows: (await rowsOf()) - rows }).toEqual({ reads: 2, rows: 0 })
    expect(await waiting()).toBe(0)
    await shows(payment, { paymentState: 'Captured' })
  })

  it('cannot name a payment of another profile', async () => {
    const payment = await paid()
    const [reference = ''] = await referencesOf(world, payment.paymentId)
    const [id = ''] = world.simulator.idsOf(reference)
    const { settings } = world.simulator
    const body = { provider: 'mollie', name: 'other', currency: 'EUR', methods: ['CreditCard'], settings }
    const other = good(await world.app.call('POST', 'payment-profiles', body))
    const [rows, read] = [await rowsOf(), reads()]
    const reply = await fetch(other.webhookUrl, { method: 'POST', body: `id=${id}` })
    expect(reply.status).toBe(200)
    expect({ reads: reads() - read, rows: (await rowsOf()) - rows }).toEqual({ reads: 0, rows: 0 })
    const path = `payment-profiles/${other.paymentProfileId}`
    good(await world.app.call('PATCH', path, { isActive: false }))
  })
})

describe('at Mollie', () => {
  it('a reservation is released, now or later, and lapses', async () => {
    const first = await paid(RESERVED)
    expect(await act(world, first, 'cancel')).toMatchObject({ paymentState: 'Failed' })
    const second = await paid(RESERVED)
    world.simulator.arm({ kind: 'pending', operation: 'cancel' })
    expect(await act(world, second, 'cancel')).toMatchObject({ paymentState: 'Cancelling' })
    await then(second, { kind: 'settle' })
    await shows(second, { paymentState: 'Failed', failure: { code: 'cancelled' } })
    const third = await paid(RESERVED)
    await then(third, { kind: 'expire-authorisation' })
    await shows(third, { paymentState: 'Failed', failure: { code: 'authorization_expired' } })
  })

  it('a capture is accepted first and done later', async () => {
    const payment = await paid(RESERVED)
    world.simulator.arm({ kind: 'pending', operation: 'capture' })
    expect(await act(world, payment, 'capture')).toMatchObject({ paymentState: 'Capturing' })
    await then(payment, { kind: 'settle' })
    await shows(payment, { paymentState: 'Captured', capturedAmount: 25.5 })
    expect(await kinds(payment)).toEqual(['authorise done', 'capture done'])
  })

  it('the rest of a capture in part is released once the capture has succeeded', async () => {
    const payment = await paid(RESERVED)
    world.simulator.arm({ kind: 'pending', operation: 'capture' })
    expect(await act(world, payment, 'capture?amount=10')).toMatchObject({ paymentState: 'Capturing' })
    await then(payment, { kind: 'settle' })
    await shows(payment, { paymentState: 'Captured', capturedAmount: 10 })
    expect(await kinds(payment)).toEqual(['authorise done', 'capture done', 'void done'])
  })

  it('a refund is on its way for some time, and may fail', async () => {
    const payment = await paid()
    expect(await act(world, payment, 'refund?amount=5')).toMatchObject({ paymentState: 'Refunding' })
    await then(payment, { kind: 'settle' })
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5 })
    expect(await act(world, payment, 'refund?amount=4')).toMatchObject({ paymentState: 'Refunding' })
    await then(payment, { kind: 'fail-refund' })
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5 })
  })

  it('more is captured in the dashboard while a refund is on its way, and nothing tells it', async () => {
    const payment = await paid(RESERVED)
    await then(payment, { kind: 'capture', amountMinor: 1_000n })
    await shows(payment, { paymentState: 'Captured', capturedAmount: 10 })
    expect(await act(world, payment, 'refund')).toMatchObject({ paymentState: 'Refunding' })
    const [reference = ''] = await referencesOf(world, payment.paymentId)
    expect(world.simulator.dashboard(reference, { kind: 'capture', amountMinor: 500n })).toBe(true)
    expect(world.simulator.dashboard(reference, { kind: 'settle' })).toBe(true)
    world.simulator.takeNotifications()
    await act(world, payment, 'recheck')
    await shows(payment, { paymentState: 'Captured', capturedAmount: 15, refundedAmount: 10 })
  })

  it('a payer declines or cancels', async () => {
    const leave = async (what: PayerAct) => {
      const payment = await openProviderPage(world)
      await world.simulator.payer((await pageOf(world, payment)) ?? '', what)
      await comeBack(world, payment)
      return world.app.read(payment.paymentId)
    }
    expect(await leave({ kind: 'decline', code: 'insufficient_funds' })).toMatchObject({
      ...{ paymentState: 'Failed', capturedAmount: 0, failure: { declineCode: 'insufficient-funds' } },
    })
    expect(await leave({ kind: 'abandon' })).toMatchObject({
      ...{ paymentState: 'Failed', capturedAmount: 0, failure: { declineCode: 'customer-cancelled' } },
    })
  })

  it('a page that could not be closed and was paid is given back', async () => {
    const payment = await openProviderPage(world)
    const page = (await pageOf(world, payment)) ?? ''
    await world.simulator.open(page)
    expect(await act(world, payment, 'cancel')).toMatchObject({ paymentState: 'Failed' })
    await world.simulator.payer(page, { kind: 'pay' })
    await deliverNotifications(world)
    for (let hours = 0; hours < 4; hours++) {
      world.clock.advance(3_600_000)
      await runJobs()
    }
    await settle(world, payment)
    expect(await kinds(payment)).toEqual(['sale done', 'refund done'])
  })

  it('a stored method is charged, and a declined charge says why', async () => {
    const customerId = await customerWithMethod(world)
    expect(await chargeStored(world, customerId)).toMatchObject({ paymentState: 'Captured' })
    world.simulator.arm({ kind: 'decline', operation: 'charge', code: 'card_expired' })
    const declined = await chargeStored(world, customerId)
    expect(declined).toMatchObject({ paymentState: 'Failed', failure: { declineCode: 'expired-card' } })
    const [method] = good(await world.app.call('GET', `customers/${customerId}/payment-methods`))
    expect(JSON.stringify(method)).toContain('6787')
  })
})

it('the page of a method that Mollie forwards to another company is opened by a link', async () => {
  const { ctx } = world.tender.service
  const app = await loadApp(ctx, world.app.appId)
  const profile = app && findProfile(app, world.profileId)
  if (!app || !profile) throw new Error('the profile is missing')
  // As in Mollie's reference of payments.
  const url = 'https://www.mollie.com/checkout/select-issuer/ideal/7UhSN1zuXS'
  const byRedirect = (method: MethodKind) => opensByRedirect(ctx, app, profile, { url, method })
  expect([byRedirect('CreditCard'), byRedirect('Paypal')]).toEqual([true, false])
})

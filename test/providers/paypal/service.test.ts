import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'
import type { DashboardAct } from '../kit/simulator.ts'
import { createPaypalSimulator, type PaypalSimulator } from './simulator.ts'

/** The whole service with a PayPal profile. Jobs run only when a test moves the clock of the app. */

let clock: FakeClock
let paypal: PaypalSimulator
let tender: TestService
let profileId = 0
let webhookUrl = ''

beforeAll(async () => {
  clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
  paypal = await createPaypalSimulator({ now: () => clock.now().getTime() })
  tender = await startTestService('paypal_service', {
    ...{ clock, role: 'web', config: { providerOrigins: { paypal: paypal.origin } } },
  })
  const settings = { clientId: paypal.settings.clientId, clientSecret: paypal.settings.clientSecret }
  const body = { provider: 'paypal', name: 'PayPal', currency: 'USD', methods: ['Paypal'], settings }
  const profile = good(await tender.sandbox.call('POST', 'payment-profiles', body))
  good(await tender.sandbox.call('POST', `payment-profiles/${profile.paymentProfileId}/connect`))
  profileId = profile.paymentProfileId
  webhookUrl = profile.webhookUrl
})
afterAll(async () => {
  await tender.stop()
  await paypal.close()
  expect(paypal.violations).toEqual([])
})

async function deliver(): Promise<void> {
  for (const { headers, body } of paypal.takeNotifications())
    expect((await fetch(webhookUrl, { method: 'POST', headers, body })).status).toBe(200)
  await tender.service.ctx.background.settled()
}

interface Reserved {
  readonly paymentId: number
  readonly reference: string
}

async function reserved(more: object = {}): Promise<Reserved> {
  const customerOrder = { customer: { customerId: newReference() } }
  const { paymentId, redirectUrl } = good(
    await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
      ...{ referenceId: newReference(), amount: 25.5, currency: 'USD', autoCapture: false, customerOrder },
      ...{ returnUrl: 'https://shop.example.com/back', paymentProfileId: profileId, ...more },
    }),
  )
  await paypal.payer(redirectUrl, { kind: 'pay' })
  await deliver()
  const reference = paypal.allEntries().at(-1)?.reference ?? ''
  return { paymentId, reference }
}

async function shownAfter({ paymentId, reference }: Reserved, ...acts: DashboardAct[]): Promise<Answer> {
  for (const act of acts) expect(paypal.dashboard(reference, act)).toBe(true)
  await deliver()
  return tender.sandbox.read(paymentId)
}

const capture = (amountMinor: bigint): DashboardAct => ({ kind: 'capture', amountMinor })
const sums = (paymentState: string, capturedAmount: number, refundedAmount = 0) => ({
  ...{ paymentState, capturedAmount, refundedAmount },
})

const statesOf = async ({ paymentId }: Reserved): Promise<string[]> => {
  const logs: Answer[] = good(await tender.sandbox.call('GET', `payments/${paymentId}/state-logs`))
  return logs.map(({ paymentState, state }) => paymentState ?? state)
}

describe('captures in the dashboard of PayPal', () => {
  it('add up, whether they are final or not', async () => {
    const payment = await reserved()
    expect(await shownAfter(payment, capture(1_000n))).toMatchObject(sums('Captured', 10))
    expect(await shownAfter(payment, capture(550n))).toMatchObject(sums('Captured', 15.5))
    // The rest makes the last capture a final one.
    expect(await shownAfter(payment, { kind: 'capture' })).toMatchObject(sums('Captured', 25.5))
    expect(await shownAfter(payment, { kind: 'refund' })).toMatchObject(sums('Captured', 25.5, 10))
    const captures = (await statesOf(payment)).filter((state) => state === 'Captured')
    expect(captures.length).toBeGreaterThanOrEqual(3)
  })

  it('are found together with refunds and disputes that came after them', async () => {
    const refunded = await reserved()
    await shownAfter(refunded, capture(1_000n))
    // More than the first capture: only together with the second one it is possible.
    const acts = [capture(1_200n), { kind: 'refund', amountMinor: 1_100n }] as const
    expect(await shownAfter(refunded, ...acts)).toMatchObject(sums('Captured', 22, 11))
    const disputed = await reserved()
    await shownAfter(disputed, capture(1_000n))
    expect(await shownAfter(disputed, capture(500n), { kind: 'dispute', state: 'open' })).toMatchObject(
      sums('Disputed', 15),
    )
    expect(await shownAfter(disputed, capture(100n)), 'while disputed').toMatchObject(sums('Disputed', 16))
  })

  it('after a refund of everything are told in lastError', async () => {
    const payment = await reserved()
    await shownAfter(payment, capture(1_000n))
    expect(await shownAfter(payment, { kind: 'refund' })).toMatchObject(sums('Refunded', 10, 10))
    expect(await shownAfter(payment, capture(550n))).toMatchObject({
      ...sums('Refunded', 10, 10),
      lastError: 'A further 5.50 USD was captured at the provider after the refund.',
    })
  })
})

/** Orders cannot be read, until the function that it returns is called. */
function hideOrders(): () => void {
  const { http } = tender.service.ctx
  const send = http.call.bind(http)
  const spy = vi.spyOn(http, 'call').mockImplementation(async (call) => {
    const isHidden = call.method === 'GET' && /\/checkout\/orders\/\w+$/.test(call.url)
    return isHidden ? { kind: 'no-answer', why: 'timeout', cause: 'hidden' } : send(call)
  })
  return () => spy.mockRestore()
}

describe('a refund in the dashboard of PayPal', () => {
  it('is not lost while a refund of ours is open and PayPal cannot be read', async () => {
    const payment = await reserved({ autoCapture: true })
    expect(await tender.sandbox.read(payment.paymentId)).toMatchObject(sums('Captured', 25.5))
    const readable = hideOrders()
    good(await tender.sandbox.act(payment.paymentId, 'refund'))
    const act = { kind: 'refund', amountMinor: 850n } as const
    expect(await shownAfter(payment, act)).toMatchObject(sums('Refunding', 25.5))
    readable()
    for (const pauseMs of [3_000, 15_000, 90_000, 400_000]) {
      clock.advance(pauseMs)
      await tender.sandbox.advance('1ms')
      await tender.service.ctx.background.settled()
    }
    expect(await tender.sandbox.read(payment.paymentId)).toMatchObject(sums('Captured', 25.5, 8.5))
  })
})

const WAITING = sql<{ rows: number }>(
  'test.paypalWaiting',
  "select count(*)::int as rows from provider_notifications where status = 'new'",
)

describe('a wallet that PayPal stores while the capture is pending', () => {
  const walletsOf = (customerId: string): Promise<Answer> =>
    tender.sandbox.call('GET', `customers/${customerId}/payment-methods`).then(good)

  async function pendingSale(customerId: string): Promise<Reserved> {
    paypal.storesLate = 'hidden'
    paypal.arm({ kind: 'pending', operation: 'resume' })
    const payment = await reserved({
      ...{ autoCapture: true, registerAutoPayment: true, customerOrder: { customer: { customerId } } },
    })
    expect(await tender.sandbox.read(payment.paymentId)).toMatchObject(sums('Approved', 0))
    paypal.storeWallet(payment.reference)
    await deliver()
    expect(await walletsOf(customerId), 'not paid yet').toEqual([])
    return payment
  }

  async function hoursLater(): Promise<void> {
    for (const pauseMs of [60_000, 600_000, 3_600_000, 7_200_000]) {
      clock.advance(pauseMs)
      await tender.sandbox.advance('1ms')
      await tender.service.ctx.background.settled()
    }
  }

  const waiting = async () => (await tender.service.ctx.db.query(WAITING))[0]?.rows

  it('is stored when the capture has completed', async () => {
    const customerId = newReference()
    const payment = await pendingSale(customerId)
    expect(await shownAfter(payment, { kind: 'release' })).toMatchObject(sums('Captured', 25.5))
    await hoursLater()
    expect(await walletsOf(customerId)).toMatchObject([{ paymentMethodType: 'Paypal' }])
    expect(await waiting()).toBe(0)
  })

  it('is not waited for when the capture was refused', async () => {
    const customerId = newReference()
    const payment = await pendingSale(customerId)
    expect(await shownAfter(payment, { kind: 'deny-capture' })).toMatchObject({ paymentState: 'Failed' })
    await hoursLater()
    expect(await walletsOf(customerId)).toEqual([])
    expect(await waiting()).toBe(0)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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
import type { DashboardAct } from '../kit/simulator.ts'
import { signed } from './notifications.ts'
import { createSquareSimulator, type SquareSimulator } from './simulator.ts'

/** The whole service with an account of the simulated provider. */

let world: World & { readonly simulator: SquareSimulator }
beforeAll(async () => {
  world = await startWorld(
    {
      ...{ provider: 'square', method: 'CreditCard', authorises: false, stores: true },
      confirmsLater: false,
      simulator: (now) => createSquareSimulator({ now }),
    },
    'service',
  )
})
afterAll(() => world?.stop())
afterEach(() => {
  world.proxy.disarm()
  expect(world.simulator.violations).toEqual([])
})

const HOUR = 3_600_000

async function paid(more: object = {}): Promise<Answer> {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  await comeBack(world, payment)
  return world.app.read(payment.paymentId)
}

const referenceOf = async ({ paymentId }: Answer): Promise<string> =>
  (await referencesOf(world, paymentId))[0] ?? ''
const entries = async (payment: Answer): Promise<string[]> =>
  world.simulator
    .ledger(await referenceOf(payment))
    .map(({ kind, amountMinor, state }) => `${kind} ${amountMinor} ${state}`)
const read = ({ paymentId }: Answer): Promise<Answer> => world.app.read(paymentId)

/** Something happens at Square, and its notifications are delivered. */
async function happens(payment: Answer, what: DashboardAct): Promise<void> {
  expect(world.simulator.dashboard(await referenceOf(payment), what)).toBe(true)
  await deliverNotifications(world)
}

/** Time passes for the service and for the provider. */
async function later(ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.app.advance('1ms')
  await world.tender.service.ctx.background.settled()
}

describe('a page', () => {
  it('takes the money at once, and its fee is known some time later', async () => {
    const payment = await paid()
    expect(payment).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5, feeBreakdown: null })
    await deliverNotifications(world)
    world.clock.advance(11_000)
    await deliverNotifications(world)
    expect(await read(payment)).toMatchObject({
      feeBreakdown: { providerFee: 1.03, netAmount: 24.47 },
    })
    expect(await entries(payment)).toEqual(['sale 2550 done'])
  })

  it('cannot reserve money', async () => {
    const reply = await world.app.call('POST', 'payments/provider-hosted-page', {
      ...{ referenceId: 'reserve', amount: 5, currency: 'EUR', autoCapture: false },
      returnUrl: 'https://shop.example.com/back',
      ...{ customerOrder: { customer: { customerId: 'dana' } }, paymentProfileId: world.profileId },
    })
    expect([reply.status, reply.body.code]).toEqual([422, 'no_profile_for_currency'])
  })

  it('can be tried again after a decline', async () => {
    const payment = await openProviderPage(world)
    await payThere(world, payment, { kind: 'decline', code: 'CARD_EXPIRED' })
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Created', lastError: 'The card has expired.' })
    await payThere(world, payment)
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', lastError: null })
  })

  it('that is paid while it is being closed is captured', async () => {
    const payment = await openProviderPage(world)
    world.simulator.payOnClose(await referenceOf(payment))
    await act(world, payment, 'cancel')
    await settle(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
  })

  it('is closed when the payment is cancelled', async () => {
    const payment = await openProviderPage(world)
    const page = (await pageOf(world, payment)) ?? ''
    expect((await act(world, payment, 'cancel')).paymentState).toBe('Failed')
    await expect(world.simulator.payer(page, { kind: 'pay' })).rejects.toThrow('404')
  })

  it.each([1, 2])('that was paid in %d parts only gives them back when it is cancelled', async (parts) => {
    const payment = await openProviderPage(world)
    for (let n = 0; n < parts; n++) await payThere(world, payment, { kind: 'pay-part', percent: 40 })
    await deliverNotifications(world)
    expect(await read(payment)).toMatchObject({ paymentState: 'Created', capturedAmount: 0 })
    expect((await act(world, payment, 'cancel')).paymentState).toBe('Failed')
    for (const ms of [1_000, 61_000, HOUR]) await later(ms)
    const expected = ['sale 1020 done', 'refund 1020 done'].flatMap((each) => Array(parts).fill(each))
    expect(await entries(payment)).toEqual(expected)
    expect(await read(payment)).toMatchObject({ paymentState: 'Failed', capturedAmount: 0 })
  })

  it('that was paid in part only gives the part back when its link expires', async () => {
    const expirationTime = new Date(world.clock.now().getTime() + 2 * HOUR).toISOString()
    const payment = await openProviderPage(world, { expirationTime })
    await payThere(world, payment, { kind: 'pay-part', percent: 40 })
    await deliverNotifications(world)
    for (const ms of [3 * HOUR, 1_000, 61_000, HOUR]) await later(ms)
    expect(await read(payment)).toMatchObject({ paymentState: 'Failed' })
    expect(await entries(payment)).toEqual(['sale 1020 done', 'refund 1020 done'])
  })

  it('is captured by its notification, whether the customer comes back or not', async () => {
    const payment = await openProviderPage(world)
    await payThere(world, payment)
    await deliverNotifications(world)
    expect((await read(payment)).paymentState).toBe('Captured')
  })
})

it('finds a page by its order when a notification does not name our reference', async () => {
  world.takeCalls()
  const payment = await openProviderPage(world)
  const [opened] = world.takeCalls().map(({ reply }) => (reply.kind === 'reply' ? reply.body : undefined))
  const { order_id } = (opened as Answer).payment_link
  await payThere(world, payment)
  world.simulator.takeNotifications()
  const [{ url, secret } = { url: '', secret: '' }] = world.simulator.webhookEndpoints
  const event = { data: { object: { payment: { id: 'ANOTHER', order_id } } } }
  const { headers, body } = signed(url, secret, JSON.stringify(event))
  expect((await fetch(world.webhookUrl, { method: 'POST', headers, body })).status).toBe(200)
  await world.tender.service.ctx.background.settled()
  expect((await read(payment)).paymentState).toBe('Captured')
})

describe('a refund', () => {
  it('is pending until Square has carried it out', async () => {
    const payment = await paid()
    expect((await act(world, payment, 'refund?amount=5')).paymentState).toBe('Refunding')
    world.clock.advance(61_000)
    await deliverNotifications(world)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 5 })
    expect(await entries(payment)).toEqual(['sale 2550 done', 'refund 500 done'])
  })

  it('made at Square, and one that fails later, are noticed', async () => {
    const payment = await paid()
    await happens(payment, { kind: 'refund', amountMinor: 700n })
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 7 })
    await happens(payment, { kind: 'fail-refund' })
    expect((await read(payment)).lastError).toContain('failed later')
  })

  it('that Square refuses leaves the payment captured', async () => {
    const payment = await paid()
    world.simulator.arm({ kind: 'decline', operation: 'refund', code: 'PAYMENT_NOT_REFUNDABLE' })
    expect(await act(world, payment, 'refund')).toMatchObject({
      ...{ paymentState: 'Captured', refundedAmount: 0, lastError: expect.stringMatching(/^The refund was/) },
    })
  })
})

it('does not lose a dispute of a payment that Tender has not read yet', async () => {
  const payment = await openProviderPage(world)
  await payThere(world, payment)
  // No one hears of the payment itself.
  world.simulator.takeNotifications()
  await happens(payment, { kind: 'dispute', state: 'lost', amountMinor: 900n })
  expect((await read(payment)).paymentState).toBe('Created')
  world.proxy.arm({ kind: 'error-before', match: ({ path }) => path.startsWith('/v2/disputes') })
  await comeBack(world, payment)
  expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 0 })
  for (const ms of [31_000, 61_000, HOUR]) await later(ms)
  expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 9 })
})

it('follows a dispute from its notification to its end', async () => {
  const payment = await paid()
  await happens(payment, { kind: 'dispute', state: 'open' })
  expect(await read(payment)).toMatchObject({
    ...{ paymentState: 'Disputed', dispute: { state: 'open', amount: 25.5, reason: 'NO_KNOWLEDGE' } },
  })
  await happens(payment, { kind: 'dispute', state: 'won' })
  expect((await read(payment)).paymentState).toBe('Captured')
  const other = await paid()
  await happens(other, { kind: 'dispute', state: 'lost' })
  expect((await read(other)).paymentState).toBe('Refunded')
})

describe('a stored card', () => {
  const RESERVED = { autoCapture: false }
  const methodsOf = async (customerId: string): Promise<Answer> =>
    good(await world.app.call('GET', `customers/${customerId}/payment-methods`))
  let customerId = ''
  beforeAll(async () => {
    customerId = await customerWithMethod(world)
  })

  it('is stored by a request after the payment, and reserved before it is captured', async () => {
    expect(await methodsOf(customerId)).toMatchObject([{ paymentMethodNumber: 'Visa •••• 1111' }])
    const payment = await chargeStored(world, customerId)
    expect(payment).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    expect(await entries(payment)).toEqual(['authorise 2550 done', 'capture 2550 done'])
  })

  it('can be reserved although a page cannot, and captured in part', async () => {
    const payment = await chargeStored(world, customerId, RESERVED)
    expect(payment).toMatchObject({ paymentState: 'Authorized', capturedAmount: 0 })
    expect(await act(world, payment, 'capture?amount=10')).toMatchObject({
      ...{ paymentState: 'Captured', capturedAmount: 10 },
    })
    await deliverNotifications(world)
    expect((await act(world, payment, 'recheck')).capturedAmount).toBe(10)
    expect(await entries(payment)).toEqual(['authorise 2550 done', 'capture 1000 done'])
  })

  it('is released by a cancellation, and when it lapses', async () => {
    const payment = await chargeStored(world, customerId, RESERVED)
    expect((await act(world, payment, 'cancel')).paymentState).toBe('Failed')
    expect(await entries(payment)).toEqual(['authorise 2550 done', 'void 2550 done'])
    const lapsed = await chargeStored(world, customerId, RESERVED)
    await happens(lapsed, { kind: 'expire-authorisation' })
    expect(await read(lapsed)).toMatchObject({
      ...{ paymentState: 'Failed', failure: { code: 'authorization_expired' } },
    })
  })

  it('whose charge stays unknown is cancelled by its key, and the payment ends', async () => {
    const match = ({ path }: { path: string }) => path === '/v2/payments'
    world.proxy.arm({ kind: 'cut-after', match })
    const payment = await chargeStored(world, customerId)
    expect(payment.paymentState).toBe('Authorizing')
    const reference = await referenceOf(payment)
    const before = world.simulator.requests.length
    await later(23 * HOUR)
    const asked = world.simulator.requests.slice(before)
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toContain('POST /v2/payments/cancel')
    expect(asked.filter(({ path }) => path === '/v2/payments')).toEqual([])
    expect(asked.find(({ path }) => path === '/v2/payments/cancel')?.body).toContain(reference)
    expect(await read(payment)).toMatchObject({
      paymentState: 'Failed',
      failure: {
        code: 'provider_rejected',
        message: 'The payment was cancelled at the provider. Nothing was charged.',
      },
    })
    expect(await entries(payment)).toEqual(['authorise 2550 done', 'void 2550 done'])
  })

  it('whose charge stays unknown is not ended while its key cannot be cancelled', async () => {
    world.proxy.arm({ kind: 'cut-after', match: ({ path }) => path === '/v2/payments' })
    const payment = await chargeStored(world, customerId)
    world.proxy.arm({ kind: 'cut-before', match: ({ path }) => path === '/v2/payments/cancel' })
    await later(23 * HOUR)
    expect((await read(payment)).paymentState).toBe('Authorizing')
    await later(24 * HOUR)
    expect((await read(payment)).paymentState).toBe('Failed')
    expect(await entries(payment)).toEqual(['authorise 2550 done', 'void 2550 done'])
  })

  it('is declined with a reason', async () => {
    world.simulator.arm({ kind: 'decline', operation: 'charge', code: 'INSUFFICIENT_FUNDS' })
    expect(await chargeStored(world, customerId)).toMatchObject({
      ...{ paymentState: 'Failed', failure: { declineCode: 'insufficient-funds' } },
    })
  })

  it.each(['/v2/customers', '/v2/cards'])('is stored once if the answer of %s is lost', async (lost) => {
    const before = world.simulator.storedCards()
    const payment = await openProviderPage(world, { registerAutoPayment: true })
    world.proxy.arm({ kind: 'cut-after', match: ({ path }) => path === lost })
    await payThere(world, payment)
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured' })
    expect(await methodsOf(payment.customerId)).toEqual([])
    await later(60_000)
    expect(await methodsOf(payment.customerId)).toHaveLength(1)
    expect(world.simulator.storedCards()).toBe(before + 1)
  })

  it('does not come back after it was removed', async () => {
    const payment = await paid({ registerAutoPayment: true })
    const [{ paymentMethodId }] = await methodsOf(payment.customerId)
    const before = world.simulator.storedCards()
    const at = `customers/${payment.customerId}/payment-methods/${paymentMethodId}`
    expect((await world.app.call('DELETE', at)).status).toBeLessThan(300)
    await deliverNotifications(world)
    await act(world, payment, 'recheck')
    await later(600_000)
    expect(await methodsOf(payment.customerId)).toEqual([])
    expect(world.simulator.storedCards()).toBe(before - 1)
  })
})

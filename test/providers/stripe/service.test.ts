import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'
import type { DashboardAct } from '../kit/simulator.ts'
import { createStripeSimulator, type StripeSimulator } from './simulator.ts'

/** The whole service with Stripe profiles, over HTTP as a merchant uses it. */

let stripe: StripeSimulator
let tender: TestService
let cards: Answer
let debits: Answer

beforeAll(async () => {
  stripe = await createStripeSimulator()
  tender = await startTestService('stripe_service', {
    config: { providerOrigins: { stripe: stripe.origin } },
  })
  cards = await newProfile(['CreditCard'])
  debits = await newProfile(['ElectronicCheck'])
})
afterAll(async () => {
  await tender.stop()
  await stripe.close()
  expect(stripe.violations).toEqual([])
})

/** The key is all that the merchant enters. */
async function newProfile(methods: readonly string[]): Promise<Answer> {
  const profile = good(
    await tender.sandbox.call('POST', 'payment-profiles', {
      ...{ provider: 'stripe', name: methods.join(), currency: 'USD', methods },
      settings: { secretKey: stripe.settings.secretKey },
    }),
  )
  const path = `payment-profiles/${profile.paymentProfileId}`
  expect(good(await tender.sandbox.call('POST', `${path}/check`))).toMatchObject({ ok: true })
  expect(good(await tender.sandbox.call('POST', `${path}/connect`))).toMatchObject({ isConnected: true })
  return profile
}

/** Both endpoints get every event; each profile finds its own payments. */
async function deliver(): Promise<void> {
  const urls = stripe.webhookEndpoints.map(({ url }) => url)
  for (const [index, { headers, body }] of stripe.takeNotifications().entries()) {
    const url = urls[index % urls.length] ?? ''
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  }
}

async function open(profile: Answer, more: object = {}): Promise<Answer> {
  const customerOrder = { customer: { customerId: 'dana', email: 'dana@example.com' } }
  return good(
    await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
      ...{ referenceId: newReference(), amount: 20, currency: 'USD', autoCapture: true, customerOrder },
      ...{ returnUrl: 'https://shop.example.com/back', paymentProfileId: profile.paymentProfileId },
      ...more,
    }),
  )
}

/** Pays on the page and waits for the state that the notifications lead to. */
async function paid(profile: Answer, paymentState: string, more: object = {}): Promise<Paid> {
  const { paymentId, redirectUrl } = await open(profile, more)
  await stripe.payer(redirectUrl, { kind: 'pay' })
  const payment = { paymentId, reference: stripe.allEntries().at(-1)?.reference ?? '' }
  await deliver()
  await shows(payment, { paymentState })
  return payment
}

interface Paid {
  readonly paymentId: number
  readonly reference: string
}

const shows = ({ paymentId }: Pick<Paid, 'paymentId'>, expected: object): Promise<void> =>
  expect.poll(() => tender.sandbox.read(paymentId)).toMatchObject(expected)

async function showsAfter(payment: Paid, act: DashboardAct, expected: object): Promise<void> {
  expect(stripe.dashboard(payment.reference, act)).toBe(true)
  await deliver()
  await shows(payment, expected)
}

const act = async ({ paymentId }: Pick<Paid, 'paymentId'>, action: string): Promise<Answer> =>
  good(await tender.sandbox.act(paymentId, action))

describe('a card payment at Stripe', () => {
  it('is captured in one step and refunded in parts, here and in the dashboard', async () => {
    const payment = await paid(cards, 'Captured')
    expect(await act(payment, 'refund?amount=5')).toMatchObject({ refundedAmount: 5 })
    await showsAfter(payment, { kind: 'refund' }, { paymentState: 'Refunded', refundedAmount: 20 })
  })

  it('that was refunded in the dashboard before we heard of it has both movements', async () => {
    const { paymentId, redirectUrl } = await open(cards)
    await stripe.payer(redirectUrl, { kind: 'pay' })
    const reference = stripe.allEntries().at(-1)?.reference ?? ''
    expect(stripe.dashboard(reference, { kind: 'refund' })).toBe(true)
    const lost = stripe.takeNotifications()
    expect(lost.length).toBeGreaterThan(0)
    const seen = { paymentState: 'Refunded', capturedAmount: 20, refundedAmount: 20 }
    expect(await act({ paymentId }, 'recheck')).toMatchObject(seen)
  })

  it('that was held by its review and refunded before we heard of it has both movements', async () => {
    const { paymentId, redirectUrl } = await open(cards)
    await stripe.payer(redirectUrl, { kind: 'pay' })
    const reference = stripe.allEntries().at(-1)?.reference ?? ''
    expect(stripe.dashboard(reference, { kind: 'hold' })).toBe(true)
    expect(stripe.dashboard(reference, { kind: 'refund', amountMinor: 500n })).toBe(true)
    stripe.takeNotifications()
    const seen = { paymentState: 'CapturedHold', capturedAmount: 20, refundedAmount: 5 }
    expect(await act({ paymentId }, 'recheck')).toMatchObject(seen)
  })

  it('is authorised, and captured in part or cancelled', async () => {
    const held = await paid(cards, 'Authorized', { autoCapture: false })
    const captured = await act(held, 'capture?amount=15')
    expect(captured).toMatchObject({ paymentState: 'Captured', capturedAmount: 15 })
    const other = await paid(cards, 'Authorized', { autoCapture: false })
    expect(await act(other, 'cancel')).toMatchObject({ failure: { code: 'cancelled' } })
    expect(stripe.ledger(other.reference).map(({ kind }) => kind)).toEqual(['authorise', 'void'])
  })

  it('closes the page when it is cancelled before it is paid', async () => {
    const payment = await open(cards)
    expect((await act(payment, 'cancel')).paymentState).toBe('Failed')
    await expect(stripe.payer(payment.redirectUrl, { kind: 'pay' })).rejects.toThrow('410')
  })

  it('fails when the authorisation expires', async () => {
    const held = await paid(cards, 'Authorized', { autoCapture: false })
    const failure = { code: 'authorization_expired' }
    await showsAfter(held, { kind: 'expire-authorisation' }, { paymentState: 'Failed', failure })
  })

  it('is disputed with the facts of the dispute, then captured again or refunded', async () => {
    const payment = await paid(cards, 'Captured')
    const dispute = { state: 'open', amount: 20, reason: 'fraudulent' }
    await showsAfter(payment, { kind: 'dispute', state: 'open' }, { paymentState: 'Disputed', dispute })
    await showsAfter(payment, { kind: 'dispute', state: 'won' }, { paymentState: 'Captured' })
    const other = await paid(cards, 'Captured')
    await showsAfter(other, { kind: 'dispute', state: 'lost' }, { paymentState: 'Refunded' })
  })

  it('is held by a review and released', async () => {
    const { paymentId, redirectUrl } = await open(cards)
    await stripe.payer(redirectUrl, { kind: 'pay' })
    const payment = { paymentId, reference: stripe.allEntries().at(-1)?.reference ?? '' }
    await showsAfter(payment, { kind: 'hold' }, { paymentState: 'CapturedHold' })
    await showsAfter(payment, { kind: 'release' }, { paymentState: 'Captured' })
  })

  it('that was held and rejected is given back once more when its refund fails later', async () => {
    const { paymentId, redirectUrl } = await open(cards)
    await stripe.payer(redirectUrl, { kind: 'pay' })
    const payment = { paymentId, reference: stripe.allEntries().at(-1)?.reference ?? '' }
    await showsAfter(payment, { kind: 'hold' }, { paymentState: 'CapturedHold' })
    expect(await act(payment, 'cancel')).toMatchObject({ paymentState: 'Failed', refundedAmount: 20 })
    await showsAfter(payment, { kind: 'fail-refund' }, { paymentState: 'Failed' })
    const refunds = () => stripe.ledger(payment.reference).filter(({ kind }) => kind === 'refund')
    await expect.poll(() => refunds().map(({ state }) => state)).toEqual(['failed', 'done'])
  })

  it('stores the card, which is charged later without the customer', async () => {
    await paid(cards, 'Captured', { registerAutoPayment: true })
    const customerOrder = { customer: { customerId: 'dana' } }
    const charge = async (): Promise<Answer> => {
      const request = { referenceId: newReference(), amount: 9, autoCapture: true, customerOrder }
      return good(await tender.sandbox.call('POST', 'payments/auto-payment', request))
    }
    expect(await charge()).toMatchObject({ paymentState: 'Captured', capturedAmount: 9 })
    stripe.arm({ kind: 'decline', operation: 'charge', code: 'authentication_required' })
    expect(await charge()).toMatchObject({
      paymentState: 'Failed',
      failure: { declineCode: 'authentication-required' },
    })
  })
})

describe('methods by name at Stripe', () => {
  it('are offered if the account has them turned on', async () => {
    const methods = ['ideal', 'klarna', 'sepa-debit']
    const profile = good(
      await tender.sandbox.call('POST', 'payment-profiles', {
        ...{ provider: 'stripe', name: 'By name', currency: 'EUR', methods },
        settings: { secretKey: stripe.settings.secretKey },
      }),
    )
    const listed = good(
      await tender.sandbox.call('GET', `payment-profiles/${profile.paymentProfileId}/methods`),
    )
    const seen = (id: string) => listed.find((one: Answer) => one.id === id)
    expect(seen('ideal')).toMatchObject({ isEnabledAtProvider: true, isOffered: true, countries: ['NL'] })
    expect(seen('klarna')).toMatchObject({ isEnabledAtProvider: false, isOffered: false })
    expect(seen('bancontact')).toMatchObject({ isEnabledAtProvider: true, isOffered: false })
    const order = { customerOrder: { customer: { customerId: 'dana' } }, country: 'NL' }
    const { redirectUrl } = good(
      await tender.sandbox.call('POST', 'payments/hosted-page', {
        ...{ referenceId: newReference(), amount: 20, currency: 'EUR', autoCapture: true, ...order },
        ...{ returnUrl: 'https://shop.example.com/back', showPayRecurringInCheckout: false },
        paymentProfileId: profile.paymentProfileId,
      }),
    )
    const page = await (await fetch(redirectUrl)).text()
    expect(page).toContain('.ideal"')
    expect(page).not.toContain('.klarna"')
  })

  it('return a SEPA debit after it was captured, as a debit', async () => {
    const sepa = await newProfile(['sepa-debit'])
    const payment = await paid(sepa, 'SaleInProgress', { currency: 'EUR' })
    expect(await tender.sandbox.read(payment.paymentId)).toHaveProperty('expectedTime')
    await showsAfter(payment, { kind: 'settle' }, { paymentState: 'Captured', capturedAmount: 20 })
    const lastError = expect.stringContaining('bank_return')
    await showsAfter(payment, { kind: 'return-debit' }, { paymentState: 'Refunded', lastError })
  })
})

describe('a debit at Stripe', () => {
  it('is captured when the bank confirms it, and refunded when the bank returns it', async () => {
    const payment = await paid(debits, 'SaleInProgress')
    await showsAfter(payment, { kind: 'settle' }, { paymentState: 'Captured', capturedAmount: 20 })
    const lastError = expect.stringContaining('bank_return')
    await showsAfter(payment, { kind: 'return-debit' }, { paymentState: 'Refunded', lastError })
  })
})

it('a refund beyond the time of its scheme is refused before Stripe is called', async () => {
  const pix = await newProfile(['pix'])
  const payment = await paid(pix, 'Captured', { currency: 'BRL' })
  const other = await paid(cards, 'Captured')
  await tender.sandbox.advance('92d')
  const refused = await tender.sandbox.call('POST', `payments/${payment.paymentId}/refund`)
  expect(refused).toMatchObject({ status: 422, body: { code: 'refund_too_late' } })
  expect(await act(other, 'refund')).toMatchObject({ paymentState: 'Refunded' })
})

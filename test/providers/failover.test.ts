import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/base/limits.ts'
import { LANGUAGES } from '../../src/web/kit/i18n/languages.ts'
import { createFakeClock, type FakeClock } from '../support/clock.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../support/tender.ts'
import { type AdyenSimulator, createAdyenSimulator } from './adyen/simulator.ts'
import { createFaultProxy, type FaultKind, type FaultProxy } from './kit/fault-proxy.ts'
import type { LedgerEntry, ProviderSimulator } from './kit/simulator.ts'
import { createStripeSimulator, type StripeSimulator } from './stripe/simulator.ts'

/** Stripe first, Adyen next: two different providers for the cards of one shop. */

let clock: FakeClock
let stripe: StripeSimulator
let adyen: AdyenSimulator
/** Between the service and Stripe. */
let line: FaultProxy
let tender: TestService
let profiles: { readonly stripe: number; readonly adyen: number }
let count = 0

beforeEach(async () => {
  clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
  const now = () => clock.now().getTime()
  stripe = await createStripeSimulator({ now })
  adyen = await createAdyenSimulator({ now })
  line = await createFaultProxy(stripe.origin)
  tender = await startTestService(`failover_${++count}`, {
    // Jobs run when the test moves the clock of the app.
    ...{ clock, role: 'web', rateLimit: 10_000 },
    config: { providerOrigins: { stripe: line.origin, adyen: adyen.origin } },
  })
  profiles = { stripe: await newProfile('stripe', stripe), adyen: await newProfile('adyen', adyen) }
})
afterEach(async () => {
  await tender.stop()
  await line.close()
  for (const simulator of [stripe, adyen]) {
    await simulator.close()
    expect(simulator.violations).toEqual([])
  }
})

async function newProfile(provider: string, { settings }: ProviderSimulator): Promise<number> {
  const body = { provider, name: provider, currency: 'USD', methods: ['CreditCard'], settings }
  const { paymentProfileId } = good(await tender.sandbox.call('POST', 'payment-profiles', body))
  good(await tender.sandbox.call('POST', `payment-profiles/${paymentProfileId}/connect`))
  return paymentProfileId
}

const order = (customerId: string, more: object = {}) => ({
  ...{ referenceId: newReference(), amount: 20, currency: 'USD', autoCapture: true },
  customerOrder: { customer: { customerId, email: 'dana@example.com' } },
  ...more,
})

const checkout = (more: object = {}): Promise<Answer> =>
  tender.sandbox.create({
    ...order(newReference()),
    paymentProfiles: [profiles.stripe, profiles.adyen],
    ...more,
  })

/** Chooses the cards of a profile on the checkout, without script. Returns where the payer is sent. */
async function choose(payment: Answer, profileId = profiles.stripe): Promise<string> {
  const html = await (await fetch(payment.redirectUrl)).text()
  const way = `${profileId}.CreditCard`
  expect(html).toContain(`name="way" value="${way}"`)
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(html) ?? []
  const body = new URLSearchParams({ attempt, way })
  const reply = await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' })
  expect(reply.status).toBe(303)
  return pageOf(payment)
}

/** The provider's page, where the checkout sends the payer. */
async function pageOf({ redirectUrl }: Answer): Promise<string> {
  const reply = await fetch(`${redirectUrl}/go`, { redirect: 'manual' })
  const location = reply.headers.get('location')
  if (location) return location
  // The proxy has another origin than the page, which is then reached by a link.
  const html = await reply.text()
  return new RegExp(`href="(${stripe.origin}[^"]+)"`).exec(html)?.[1] ?? ''
}

async function deliver(): Promise<void> {
  for (const provider of [stripe, adyen])
    for (const { url, headers, body } of provider.takeNotifications())
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  await tender.service.ctx.background.settled()
}

/** Notifications and everything that is due, until nothing is left to tell. */
async function settle(): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await deliver()
    clock.advance(5 * 60_000)
    await tender.sandbox.advance('1ms')
    await tender.service.ctx.background.settled()
  }
}

const read = ({ paymentId }: Answer): Promise<Answer> => tender.sandbox.read(paymentId)
const tried = async ({ paymentId }: Answer) =>
  good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`)).map((one: Answer) => [
    one.paymentProfileId === profiles.stripe ? 'stripe' : 'adyen',
    one.status,
  ])

const isTaken = ({ kind, state }: LedgerEntry) => (kind === 'sale' || kind === 'capture') && state === 'done'
const total = (entries: readonly LedgerEntry[]) =>
  entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
/** Taken and not given back, at both providers together. */
const kept = (): bigint => {
  const all = [...stripe.allEntries(), ...adyen.allEntries()].filter(({ state }) => state === 'done')
  return total(all.filter(isTaken)) - total(all.filter(({ kind }) => kind === 'refund'))
}
const chargesOf = (provider: ProviderSimulator) => provider.allEntries().filter(isTaken).length

describe('Stripe refuses technically', () => {
  const refuse = (status: number, code: string) =>
    stripe.arm({ kind: 'error', operation: 'start', status, code })
  const isSession = ({ path }: { readonly path: string }) => path.startsWith('/v1/checkout/sessions')

  it.each<[string, () => unknown]>([
    ['asks to wait', () => refuse(429, 'rate_limit')],
    ['has closed the account', () => refuse(403, 'account_closed')],
    ['cannot be reached', () => line.close()],
  ])('Stripe %s: Adyen takes the payment, one charge in both ledgers together', async (_, happens) => {
    await happens()
    const payment = await checkout()
    const page = await choose(payment)
    expect(page.startsWith(adyen.origin)).toBe(true)
    expect(await tried(payment)).toEqual([
      ['stripe', 'NotDone'],
      ['adyen', 'Waiting'],
    ])
    await adyen.payer(page, { kind: 'pay' })
    await settle()
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 20 })
    expect([chargesOf(stripe), chargesOf(adyen), kept()]).toEqual([0, 1, 2000n])
  })

  const unknowns: readonly FaultKind[] = ['cut-after', 'error-after', 'half-body', 'garbage']
  it.each(unknowns)('an unknown answer (%s) stays with Stripe', async (kind) => {
    line.arm({ kind, match: isSession })
    const payment = await checkout()
    await choose(payment)
    expect(line.disarm()).toBe(0)
    expect(await tried(payment)).toEqual([['stripe', 'Running']])
    await deliver()
    good(await tender.sandbox.act(payment.paymentId, 'recheck'))
    await stripe.payer(await pageOf(payment), { kind: 'pay' })
    await settle()
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 20 })
    expect(await tried(payment)).toEqual([['stripe', 'Approved']])
    expect([chargesOf(stripe), chargesOf(adyen), kept()]).toEqual([1, 0, 2000n])
  })
})

describe('a stored method', () => {
  it('stays with its provider', async () => {
    const customerId = newReference()
    const opened = good(
      await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
        ...order(customerId, { registerAutoPayment: true, returnUrl: 'https://shop.example.com/back' }),
        paymentProfileId: profiles.stripe,
      }),
    )
    await stripe.payer(opened.redirectUrl, { kind: 'save' })
    await settle()
    expect(await read(opened)).toMatchObject({ paymentState: 'Captured' })
    await line.close()
    const charged = await tender.sandbox.call('POST', 'payments/auto-payment', order(customerId))
    await settle()
    expect(await read(charged.body)).toMatchObject({ paymentState: 'Failed' })
    expect(await tried(charged.body)).toEqual([['stripe', 'NotDone']])
    expect([chargesOf(stripe), chargesOf(adyen), kept()]).toEqual([1, 0, 2000n])
  })
})

describe('a provider that is down while its page is open', () => {
  /** Chooses Adyen although the page at Stripe is open. Returns what the checkout says. */
  async function chooseOther({ redirectUrl }: Answer, during: () => Promise<unknown> = async () => {}) {
    const html = await (await fetch(redirectUrl)).text()
    const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(html) ?? []
    const body = new URLSearchParams({ attempt, way: `${profiles.adyen}.CreditCard` })
    const [reply] = await Promise.all([
      fetch(`${redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' }),
      during(),
    ])
    expect(reply.status).toBe(303)
    return new URL(reply.headers.get('location') ?? '', redirectUrl)
  }

  const textIn = async (url: URL, lang: string) => {
    const reply = await fetch(`${url}&lang=${lang}`)
    expect(reply.status).toBe(200)
    return (await reply.text()).replace(/[\u2066-\u2069]/g, '')
  }

  const isClosing = ({ path }: { readonly path: string }) => path.endsWith('/expire')
  /** The checkout gives up waiting, and the request goes on. */
  const waitLong = async () => {
    await expect.poll(() => line.exchanges.some(isClosing)).toBe(true)
    clock.advance(LIMITS.checkoutWaitMs)
  }

  it.each<[string, () => unknown, (() => Promise<unknown>)?]>([
    ['loses requests', () => line.arm({ kind: 'cut-before', match: isClosing })],
    ['fails', () => line.arm({ kind: 'error-before', match: isClosing })],
    ['cannot be reached', () => line.close()],
    ['does not answer', () => line.arm({ kind: 'hang-before', match: isClosing }), waitLong],
  ])('Stripe %s: the checkout says what happens, in every language', async (_, happens, during) => {
    const payment = await checkout()
    await choose(payment)
    await happens()
    const form = await chooseOther(payment, during)
    for (const { locale, texts } of LANGUAGES) {
      const html = await textIn(form, locale)
      const { notReached, notReachedBody, cameBackBody } = texts.notices
      for (const text of [notReached({ provider: 'Stripe' }), notReachedBody({ provider: 'Stripe' })])
        expect(html).toContain(text.replace(/[\u2066-\u2069]/g, '').replaceAll("'", '&#39;'))
      expect(html).not.toContain(cameBackBody)
    }
    // The choice is kept, and the open page can be reached.
    const html = await textIn(form, 'en')
    expect(html).toMatch(new RegExp(`<input[^>]*value="way-${profiles.adyen}\\.CreditCard"[^>]* checked`))
    expect(html).toContain(`href="/c/${payment.paymentKey}/go"`)
    expect(adyen.requests.filter(({ path }) => path.endsWith('/paymentLinks'))).toEqual([])
  })

  it('a form that is out of date says nothing about the provider', async () => {
    const payment = await checkout()
    await choose(payment)
    const body = new URLSearchParams({ attempt: 'old', way: `${profiles.adyen}.CreditCard` })
    const reply = await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body })
    expect(await reply.text()).toContain('You came back from Stripe without paying')
  })

  it('the checkout answers; once it can close the page, the customer pays elsewhere', async () => {
    const payment = await checkout()
    const page = await choose(payment)
    expect(page.startsWith(stripe.origin)).toBe(true)
    for (let request = 0; request < 100; request++) line.arm({ kind: 'cut-before' })
    // A page that takes money by itself must be closed first, or both could be paid.
    expect(await choose(payment, profiles.adyen)).toBe(page)
    expect((await fetch(payment.redirectUrl)).status).toBe(200)
    expect(adyen.requests.filter(({ path }) => path.endsWith('/paymentLinks'))).toEqual([])
    line.disarm()
    await settle()
    const other = await choose(payment, profiles.adyen)
    expect(other.startsWith(adyen.origin)).toBe(true)
    await adyen.payer(other, { kind: 'pay' })
    await settle()
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 20 })
    expect([chargesOf(stripe), chargesOf(adyen), kept()]).toEqual([0, 1, 2000n])
  })
})

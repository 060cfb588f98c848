import { expect } from 'vitest'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'
import type { SignedNotification } from '../kit/simulator.ts'
import { type AdyenOptions, type AdyenSimulator, createAdyenSimulator } from './simulator.ts'
import type { Item } from './state.ts'

/** The whole service with Adyen profiles. Notifications are delivered when the test says so. */
export interface Shop {
  readonly adyen: AdyenSimulator
  readonly tender: TestService
  readonly clock: FakeClock
  open(more?: object): Promise<Opened>
  /** Opens a page and pays on it. Nothing is delivered. */
  pay(more?: object): Promise<Opened>
  /** Paid, and told. */
  paid(more?: object): Promise<Opened>
  /** Delivers what waits, in this order. Returns what was delivered. */
  deliver(order?: (items: Item[]) => readonly Item[]): Promise<readonly Item[]>
  send(call: SignedNotification): Promise<Response>
  read(payment: Opened): Promise<Answer>
  act(payment: Opened, action: string): Promise<Answer>
  /** Lets time pass: work that is due is done. */
  pass(ms: number): Promise<void>
  stop(): Promise<void>
}

export interface Opened {
  readonly paymentId: number
  readonly customerId: string
  readonly reference: string
  readonly page: string
}

export async function openShop(name: string, options: AdyenOptions = {}): Promise<Shop> {
  const clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
  const adyen = await createAdyenSimulator({ now: () => clock.now().getTime(), ...options })
  const tender = await startTestService(name, {
    ...{ clock, role: 'web', rateLimit: 10_000 },
    config: { providerOrigins: { adyen: adyen.origin } },
  })
  const app = tender.sandbox
  const profiles: Record<string, Answer> = {}
  for (const method of ['CreditCard', 'ElectronicCheck', 'apple-pay'])
    profiles[method] = await newProfile(tender, adyen, method)
  const shop: Shop = {
    ...{ adyen, tender, clock },
    open: ({ method = 'CreditCard', ...more }: { method?: string } = {}) =>
      openPage(tender, adyen, { paymentProfileId: profiles[method]?.paymentProfileId, ...more }),
    async pay(more) {
      const opened = await shop.open(more)
      await adyen.payer(opened.page, { kind: 'pay' })
      return opened
    },
    async paid(more) {
      const opened = await shop.pay(more)
      await shop.deliver()
      await shop.deliver()
      return opened
    },
    async deliver(order = (items) => items) {
      const items = order(adyen.waiting.splice(0))
      for (const item of items) adyen.waiting.push(item)
      for (const call of adyen.takeNotifications()) expect((await shop.send(call)).status).toBe(200)
      return items
    },
    async send({ url, headers, body }) {
      const reply = await fetch(url, { method: 'POST', headers, body })
      await tender.service.ctx.background.settled()
      return reply
    },
    read: ({ paymentId }) => app.read(paymentId),
    act: async ({ paymentId }, action) => good(await app.act(paymentId, action)),
    async pass(ms) {
      clock.advance(ms)
      await app.advance('1ms')
      await tender.service.ctx.background.settled()
    },
    async stop() {
      await tender.stop()
      await adyen.close()
      expect(adyen.violations).toEqual([])
    },
  }
  return shop
}

/** The HMAC key comes from connecting. */
async function newProfile({ sandbox }: TestService, adyen: AdyenSimulator, method: string): Promise<Answer> {
  const { hmacKey: _key, ...settings } = adyen.settings
  // What is stored of a wallet is charged where cards are offered.
  const methods = method === 'apple-pay' ? [method, 'CreditCard'] : [method]
  const body = { provider: 'adyen', name: method, currency: 'USD', methods, settings }
  const profile = good(await sandbox.call('POST', 'payment-profiles', body))
  const path = `payment-profiles/${profile.paymentProfileId}`
  expect(good(await sandbox.call('POST', `${path}/check`))).toMatchObject({
    ok: false,
    problem: expect.stringContaining('connect the profile first'),
  })
  expect(good(await sandbox.call('POST', `${path}/connect`))).toMatchObject({ isConnected: true })
  expect(good(await sandbox.call('POST', `${path}/check`))).toMatchObject({ ok: true })
  return profile
}

async function openPage({ sandbox }: TestService, adyen: AdyenSimulator, more: object): Promise<Opened> {
  const customerId = newReference()
  const customerOrder = { customer: { customerId, email: 'dana@example.com' } }
  const { paymentId, redirectUrl } = good(
    await sandbox.call('POST', 'payments/provider-hosted-page', {
      ...{ referenceId: newReference(), amount: 20, currency: 'USD', autoCapture: true, customerOrder },
      ...{ returnUrl: 'https://shop.example.com/back', ...more },
    }),
  )
  const request = adyen.requests.findLast(({ path }) => path === '/v72/paymentLinks')
  const { reference } = JSON.parse(request?.body ?? '{}')
  return { paymentId, customerId, reference, page: redirectUrl }
}

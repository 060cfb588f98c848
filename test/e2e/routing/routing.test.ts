import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let clock: FakeClock
let one: TestService
let two: TestService
let app: TestApp
let cards: readonly [number, number, number]

beforeAll(async () => {
  clock = createFakeClock(new Date())
  one = await startTestService('e2e_routing', { clock })
  two = await startTestService('e2e_routing', { databaseUrl: one.databaseUrl, clock })
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
})
beforeEach(async () => {
  app = (await one.newMerchant()).sandbox
  const profiles = good(await app.call('GET', 'payment-profiles'))
  const first = profiles.find((profile: Answer) => profile.methods.includes('CreditCard')).paymentProfileId
  cards = [first, await profile('Second cards'), await profile('Third cards')]
})

async function profile(name: string): Promise<number> {
  const body = { provider: 'sandbox', name, methods: ['CreditCard'], currency: 'EUR' }
  return good(await app.call('POST', 'payment-profiles', body)).paymentProfileId
}

const put = async (body: object) => good(await app.call('PUT', 'routing', body))
const order = () => ({ customerOrder: { customer: { customerId: newReference() } } })
const takenBy = async (more: object = {}) =>
  (await app.paid({ ...order(), ...more })).payInfo?.paymentProfile.paymentProfileId
const at = (paymentProfileId: number, weight?: number) => ({
  paymentProfileId,
  ...(weight === undefined ? {} : { weight }),
})

describe('routing', () => {
  it('is empty by default and shows the health of the profiles', async () => {
    const routing = good(await app.call('GET', 'routing'))
    expect(routing).toMatchObject({ defaultProfiles: [], routes: [] })
    expect(routing.health).toContainEqual({
      paymentProfileId: cards[1],
      paymentProfileName: 'Second cards',
      trouble: null,
    })
    expect(await takenBy()).toBe(cards[0])
  })

  it('routes a currency to its default profile, which the app shows', async () => {
    const defaultProfiles = [
      { currency: 'EUR', ...at(cards[1]) },
      { currency: 'USD', ...at(cards[2]) },
    ]
    expect((await put({ defaultProfiles })).defaultProfiles).toEqual(defaultProfiles)
    expect(await takenBy()).toBe(cards[1])
    expect(await takenBy({ currency: 'USD' })).toBe(cards[2])
    expect(await takenBy({ currency: 'GBP' })).toBe(cards[0])
    const reply = await fetch(`${one.url}/api/apps/${app.appId}`, {
      headers: { authorization: `Bearer ${app.apiKey}` },
    })
    const shown = ((await reply.json()) as Answer).defaultRoutedProfiles
    expect(shown.map((one: Answer) => one.paymentProfile.paymentProfileId)).toEqual([cards[1], cards[2]])
  })

  it('follows priority lists with conditions', async () => {
    await put({
      defaultProfiles: [{ currency: 'EUR', ...at(cards[1]) }],
      routes: [
        { name: 'Large', minAmount: 500, profiles: [at(cards[2])] },
        { name: 'Austria', method: 'CreditCard', countries: ['at'], profiles: [at(cards[0])] },
      ],
    })
    const from = (countryCode: string) => ({
      customerOrder: { customer: { customerId: newReference(), address: { countryCode } } },
    })
    expect(await takenBy({ amount: 500 })).toBe(cards[2])
    expect(await takenBy({ amount: 499.99 })).toBe(cards[1])
    expect(await takenBy(from('AT'))).toBe(cards[0])
    expect(await takenBy({ ...from('AT'), amount: 500 })).toBe(cards[2])
    expect(await takenBy(from('DE'))).toBe(cards[1])
  })

  it('distributes payments by weight', async () => {
    await put({ routes: [{ profiles: [at(cards[0], 50), at(cards[1], 50)] }] })
    const taken = await Promise.all(Array.from({ length: 24 }, () => takenBy()))
    expect(new Set(taken)).toEqual(new Set([cards[0], cards[1]]))
  })

  it('selects among the registrations of a stored card, also by brand', async () => {
    const customerId = newReference()
    const more = { customerOrder: { customer: { customerId } }, registerAutoPayment: true }
    for (const paymentProfileId of [cards[0], cards[1]]) await app.paid({ ...more, paymentProfileId })
    const charge = async () =>
      good(
        await app.call('POST', 'payments/auto-payment', {
          referenceId: newReference(),
          amount: 5,
          currency: 'EUR',
          autoCapture: true,
          customerOrder: { customer: { customerId } },
        }),
      ).payInfo.paymentProfile.paymentProfileId
    expect(await charge()).toBe(cards[1])
    await put({ routes: [{ brands: ['visa'], profiles: [at(cards[0])] }] })
    expect(await charge()).toBe(cards[0])
    await put({ routes: [{ brands: ['JCB'], profiles: [at(cards[0])] }] })
    expect(await charge()).toBe(cards[1])
  })

  it('explains the selection', async () => {
    await put({
      defaultProfiles: [{ currency: 'EUR', ...at(cards[1]) }],
      routes: [{ name: 'Large', minAmount: 500, profiles: [at(cards[2])] }],
    })
    const explain = async (body: object) => good(await app.call('POST', 'routing/explain', body))
    const large = await explain({ currency: 'EUR', amount: 500, method: 'CreditCard' })
    expect(large.profiles).toMatchObject([
      { place: 1, paymentProfileId: cards[2], reasons: ['place 1 of route 1 (Large)'] },
      { place: 2, paymentProfileId: cards[1], reasons: ['default for EUR'] },
      { place: 3, paymentProfileId: cards[0], reasons: ['no route names it'] },
    ])
    expect(large.excluded.map((each: Answer) => each.reason)).toContain('another method is wanted')
    good(await app.call('PATCH', `payment-profiles/${cards[2]}`, { isActive: false }))
    const after = await explain({ currency: 'EUR', amount: 500, autoCapture: false })
    expect(after.excluded).toContainEqual({
      paymentProfileId: cards[2],
      method: 'CreditCard',
      reason: 'the profile is not active',
    })
    expect(after.excluded.map((each: Answer) => each.reason)).toContain('cannot authorise without capturing')
  })

  it('refuses unknown profiles and currencies', async () => {
    const { status, body } = await app.call('PUT', 'routing', {
      defaultProfiles: [
        { currency: 'EUR', ...at(999_999) },
        { currency: 'EUR', ...at(cards[0]) },
        { currency: 'ABC', ...at(cards[0]) },
      ],
      routes: [{ profiles: [at(999_999)] }],
    })
    expect(status).toBe(400)
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual([
      'defaultProfiles[0].paymentProfileId',
      'defaultProfiles[2].currency',
      'defaultProfiles[1]',
      'routes[0].profiles[0]',
    ])
    expect((await app.call('PUT', 'routing', { routes: [{ profiles: [] }] })).status).toBe(400)
    expect((await app.call('POST', 'routing/explain', { currency: 'ABC' })).status).toBe(400)
  })
})

describe('health', () => {
  const healthOf = async (node: TestService, profileId: number) => {
    const reply = await fetch(`${node.url}/api/apps/${app.appId}/routing`, {
      headers: { authorization: `Bearer ${app.apiKey}` },
    })
    const { health } = (await reply.json()) as Answer
    return health.find((each: Answer) => each.paymentProfileId === profileId).trouble?.explanation ?? null
  }
  const only = (profileId: number) => ({ ...order(), paymentProfiles: [profileId] })

  /** Makes five calls that fail. */
  async function makeUnhealthy(profileId: number): Promise<void> {
    await app.fault('authorise', 'outage', { times: 5 })
    for (const _call of [1, 2, 3, 4, 5]) await app.paid(only(profileId))
    await expect.poll(() => healthOf(one, profileId)).not.toBeNull()
  }

  it('moves a failing profile to the end on every node, and restores it after a probe', async () => {
    await makeUnhealthy(cards[0])
    expect(await healthOf(one, cards[0])).toBe('5 of the last 5 calls failed')
    clock.advance(1_000)
    await expect.poll(() => healthOf(two, cards[0])).toBe('5 of the last 5 calls failed')
    expect(await takenBy()).toBe(cards[1])
    clock.advance(31_000)
    expect(await takenBy()).toBe(cards[0])
    await expect.poll(() => healthOf(one, cards[0])).toBeNull()
    expect(await takenBy()).toBe(cards[0])
    clock.advance(1_000)
    await expect.poll(() => healthOf(two, cards[0])).toBeNull()
  })

  it('a failed probe does not fail the payment, and the next probe is later', async () => {
    await makeUnhealthy(cards[0])
    clock.advance(31_000)
    await app.fault('authorise', 'outage')
    expect(await takenBy()).toBe(cards[1])
    await expect.poll(() => healthOf(one, cards[0])).not.toBeNull()
    clock.advance(31_000)
    expect(await takenBy()).toBe(cards[1])
    clock.advance(31_000)
    expect(await takenBy()).toBe(cards[0])
  })

  it('a due probe uses one payment only', async () => {
    await makeUnhealthy(cards[0])
    clock.advance(31_000)
    await app.fault('authorise', 'reply-lost', { delayMs: 0 })
    const payments = await Promise.all(Array.from({ length: 6 }, () => app.create(order())))
    const paid = await Promise.all(payments.map(async ({ paymentId }) => good(await app.pay(paymentId))))
    const probes = paid.filter(({ payInfo }) => payInfo.paymentProfile.paymentProfileId === cards[0])
    expect(probes.length).toBe(1)
  })
})

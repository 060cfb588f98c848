import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCustomer } from '../../../src/customers/commands.ts'
import { storeMethod } from '../../../src/customers/register-method.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import type { Outcome, Snapshot } from '../../../src/providers/outcome.ts'
import type { Abilities, ProviderAdapter } from '../../../src/providers/port.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

/** Failover between different providers: `one` takes money in one step, `two` only in two. */
let tender: TestService
const profiles = { one: 0, two: 0 }
/** Requests that moved money or reserved it, as `two charge`. */
let calls: string[] = []
let answers: Record<string, Outcome> = {}
let seen: Record<string, Partial<Snapshot>> = {}

const CARDS: Abilities = {
  ...{ authoriseOnly: true, sale: true, approvesFirst: false, partialCapture: true, refund: true },
  ...{ partialRefund: true, storeMethod: true, chargeStored: true, fields: false },
}
const NOT_SUPPORTED = { kind: 'declined', reason: 'card-not-supported', retry: 'never', raw: {} } as const

function scripted(id: 'one' | 'two'): ProviderAdapter {
  const methods = { CreditCard: { ...CARDS, sale: id === 'one' } }
  const { adapter } = createFakeProvider({ id, methods })
  const approved: Outcome = { kind: 'approved', handles: { payment: `p-${id}` }, facts: {} }
  const answer = (step: string, otherwise: Outcome): Outcome => {
    calls.push(`${id} ${step}`)
    return answers[`${id} ${step}`] ?? otherwise
  }
  const page = 'https://pay.example/1'
  return {
    ...adapter,
    start: async (_ctx, { key }) =>
      answer('start', { kind: 'redirect', handles: { payment: key }, url: page }),
    charge: async (_ctx, _op, { sale }) => answer(sale ? 'sale' : 'charge', approved),
    capture: async () => answer('capture', approved),
    cancel: async () => answer('cancel', approved),
    async retrieve(_ctx, reference, _handles, about) {
      const zero = { minor: 0n, currency: about?.currency ?? 'EUR' }
      const part = seen[id]
      if (!part) return { kind: 'unknown', why: 'timeout' }
      return {
        ...{ kind: 'snapshot', stage: 'needs-customer', handles: {}, captured: zero, refunded: zero },
        ...{ refunds: [], facts: {}, reference, ...part },
      }
    },
  }
}

beforeAll(async () => {
  tender = await startTestService('e2e_routing_providers', { role: 'web' })
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter>
  for (const [id, add] of [
    ['one', scripted('one')],
    ['two', scripted('two')],
  ] as const) {
    providers.set(id, add)
    const body = { provider: id, name: id, currency: 'EUR', settings: { account: id } }
    profiles[id] = good(await tender.sandbox.call('POST', 'payment-profiles', body)).paymentProfileId
  }
})
afterAll(() => tender?.stop())
beforeEach(() => {
  calls = []
  answers = {}
  seen = {}
})

const tried = async ({ paymentId }: Answer) =>
  good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`)).map((one: Answer) => [
    one.paymentProfileId === profiles.one ? 'one' : 'two',
    one.status,
  ])

describe('a card that is stored at two providers', () => {
  /** The customer stored it at both; the registration at `one` is the default. */
  async function customer(last4 = '4242'): Promise<string> {
    const { ctx } = tender.service
    const app = (await loadApp(ctx, tender.sandbox.appId)) as App
    const customerId = newReference()
    const names = { firstName: null, lastName: null, email: null, mobileNumber: null, fraudPolicyId: null }
    await createCustomer(ctx, app, { customerId, ...names })
    for (const [id, brand, digits] of [
      ['one', 'Visa', '4242'],
      ['two', 'visa', last4],
    ] as const) {
      const card = { brand, last4: digits, expiryMonth: 12, expiryYear: 2035 }
      const label = `Visa ${digits}`
      const stored = { token: `t-${id}`, label, method: 'CreditCard', fingerprint: 'f', card } as const
      await storeMethod(ctx, app, { customerId, profileId: profiles[id], stored, now: ctx.clock.now() })
    }
    return customerId
  }
  const charge = async (customerId: string, more: object = {}) =>
    (
      await tender.sandbox.call('POST', 'payments/auto-payment', {
        ...{ referenceId: newReference(), amount: 20, currency: 'EUR', autoCapture: true },
        ...{ customerOrder: { customer: { customerId } }, ...more },
      })
    ).body

  it.each<[string, Outcome]>([
    ['the card is not supported, and must not be tried again there', NOT_SUPPORTED],
    ['the method is not switched on', { kind: 'not-done', why: 'unsupported' }],
    ['it is not reached', { kind: 'not-done', why: 'not-sent' }],
  ])('is charged in two steps at the other if %s', async (_why, outcome) => {
    answers['one sale'] = outcome
    const paid = await charge(await customer())
    expect(paid).toMatchObject({ paymentState: 'Captured', capturedAmount: 20 })
    expect(calls).toEqual(['one sale', 'two charge', 'two capture'])
    expect((await tried(paid)).map(([name]: [string]) => name)).toEqual(['one', 'two'])
    expect(await tender.sandbox.states(paid.paymentId)).toEqual([
      ...['Created', 'SaleInProgress', 'Capturing', 'Captured'],
    ])
  })

  it('is not charged there without a certain answer', async () => {
    answers['one sale'] = { kind: 'unknown', why: 'timeout' }
    expect((await charge(await customer())).paymentState).toBe('SaleInProgress')
    expect(calls).toEqual(['one sale'])
  })

  it('is never replaced by another card', async () => {
    answers['one sale'] = NOT_SUPPORTED
    expect((await charge(await customer('1111'))).paymentState).toBe('Failed')
    expect(calls).toEqual(['one sale'])
  })
})

describe('a provider that has declined on its page', () => {
  /** The ways on the checkout, in order. */
  const ways = async ({ redirectUrl }: Answer) => {
    const html = await (await fetch(redirectUrl)).text()
    const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(html) ?? []
    return { attempt, names: [...html.matchAll(/name="way" value="([^"]+)"/g)].map(([, way]) => way) }
  }
  async function decline(payment: Answer, id: 'one' | 'two', reason: string): Promise<void> {
    const { attempt } = await ways(payment)
    const body = new URLSearchParams({ attempt, way: `${profiles[id]}.CreditCard` })
    const reply = await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' })
    expect(reply.status).toBe(303)
    seen[id] = { stage: 'declined', decline: { reason, retry: 'later', raw: {} } as never }
    good(await tender.sandbox.act(payment.paymentId, 'recheck'))
  }
  const order = async (payment: Answer) =>
    (await ways(payment)).names.map((way) => (way === `${profiles.one}.CreditCard` ? 'one' : 'two'))
  const checkout = () =>
    tender.sandbox.create({ currency: 'EUR', paymentProfiles: [profiles.one, profiles.two] })

  it.each(['processing-error', 'card-not-supported', 'currency-not-supported', 'issuer-unavailable'])(
    'comes last at the next try of the same payment: %s',
    async (reason) => {
      const payment = await checkout()
      expect(await order(payment)).toEqual(['one', 'two'])
      await decline(payment, 'one', reason)
      expect(await order(payment)).toEqual(['two', 'one'])
      await decline(payment, 'two', 'do-not-honour')
      expect(await order(payment)).toEqual(['two', 'one'])
      expect(await order(await checkout())).toEqual(['one', 'two'])
    },
  )

  it('keeps its place after the decision of a bank', async () => {
    const payment = await checkout()
    await decline(payment, 'one', 'do-not-honour')
    expect(await order(payment)).toEqual(['one', 'two'])
  })
})

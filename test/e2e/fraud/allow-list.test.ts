import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
let app: TestApp
let other: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_allow_list')
})
afterAll(() => tender?.stop())

/** Every payment of the app is stopped by its policy. */
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
  other = (await tender.newMerchant()).sandbox
  for (const shop of [app, other]) await policy(shop, 'RejectPayment')
})

const policy = async (shop: TestApp, action: string, measure = 'SingleAmount') =>
  good(
    await shop.call('POST', 'fraud-policies', {
      ...{ name: newReference(), isDefault: true },
      rules: [{ action, measure, threshold: measure === 'SingleAmount' ? 1 : 60, currency: null }],
    }),
  ).fraudPolicyId

const put = (kind: string, value: string, more: object = {}) =>
  app.call('POST', 'block-list', { kind, value, isAllowed: true, reason: 'Known', ...more })
const allow = async (kind: string, value: string, more: object = {}) => good(await put(kind, value, more))

interface Payer {
  readonly customer?: object
  readonly wish?: object
  readonly more?: object
}

async function pay(shop: TestApp, { customer = {}, wish = {}, more = {} }: Payer = {}) {
  const customerOrder = { customer: { customerId: newReference(), ...customer } }
  const { paymentId } = await shop.create({ customerOrder, ...more })
  return good(await shop.pay(paymentId, wish))
}
const resultOf = async (shop: TestApp, payer: Payer = {}) => {
  const { paymentState, failure } = await pay(shop, payer)
  return failure?.code ?? paymentState
}
function allowCardOf({ payInfo: { card } }: Answer) {
  return allow('Card', `${card.cardBrand} ${card.cardLast4} ${card.cardExpiryMonth}/${card.cardExpiryYear}`)
}
const verdictOf = async (paymentId: number) =>
  good(await app.call('GET', `payments/${paymentId}/fraud`)).verdicts[0]

const MAIL = { customer: { email: 'vip@example.com' } }

describe('a payment is let through by an entry', () => {
  it.each<[string, string, Payer]>([
    ['Email', 'VIP@example.com', MAIL],
    ['Address', '203.0.113.0/24', { wish: { payerIp: '203.0.113.9' } }],
    ['Customer', 'cust-1', { customer: { customerId: 'cust-1' } }],
  ])('of the kind %s with the value %s, without the rules of the policy', async (kind, value, payer) => {
    expect(await resultOf(app, payer)).toBe('fraud_rejected')
    const { entryId } = await allow(kind, value)
    const paid = await pay(app, payer)
    expect(paid).toMatchObject({ paymentState: 'Captured', fraudStatus: 'Verified' })
    expect(await verdictOf(paid.paymentId)).toMatchObject({
      fraudPolicyId: null,
      decision: 'Accept',
      checks: [{ stage: 'Before', name: `Allowed${kind}`, seen: String(entryId), result: 'Passed' }],
    })
    // Another payer, and another app with the same policy, are checked as before.
    expect(await resultOf(app)).toBe('fraud_rejected')
    expect(await resultOf(other, payer)).toBe('fraud_rejected')
  })

  it('with its card, which is known after the approval: it is not held then', async () => {
    const held = { more: { fraudPolicyId: await policy(app, 'HoldPayment') } }
    const first = await pay(app, held)
    expect(first.paymentState).toBe('ProviderAuthorizedHold')
    await allowCardOf(first)
    expect(await pay(app, held)).toMatchObject({ paymentState: 'Captured', fraudStatus: 'Verified' })
    const fraudPolicyId = await policy(app, 'RejectPayment', 'ProviderRiskScore')
    const risky = { more: { fraudPolicyId }, wish: { outcome: 'elevated-risk' } }
    const stopped = await pay(app, risky)
    expect(stopped.failure.code).toBe('fraud_rejected')
    await allowCardOf(stopped)
    expect(await resultOf(app, risky)).toBe('Captured')
  })

  it('but not past the block list, a blocked customer or a decline of the provider', async () => {
    await allow('Email', 'vip@example.com')
    // The provider's decline: the payment stays open for another try.
    expect(await resultOf(app, { ...MAIL, wish: { outcome: 'insufficient-funds' } })).toBe('Created')
    good(await app.call('POST', 'block-list', { kind: 'Country', value: 'FR' }))
    const french = { customer: { ...MAIL.customer, address: { countryCode: 'FR' } } }
    expect(await resultOf(app, french)).toBe('fraud_rejected')
    expect(await resultOf(app, MAIL)).toBe('Captured')
    good(await app.call('POST', 'customers', { customerId: 'bad', email: 'vip@example.com' }))
    good(await app.call('PATCH', 'customers/bad', { isBlocked: true }))
    const order = { customerOrder: { customer: { customerId: 'bad', email: 'vip@example.com' } } }
    await expect(app.create(order)).rejects.toThrow('customer_blocked')
  })
})

describe('entries that let through', () => {
  it('end at their time, when they are removed, and when the value is blocked', async () => {
    await allow('Email', 'vip@example.com', { endTime: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await resultOf(app, MAIL)).toBe('Captured')
    await app.advance('2h')
    expect(await resultOf(app, MAIL)).toBe('fraud_rejected')
    const { entryId } = await allow('Email', 'vip@example.com')
    expect(await resultOf(app, MAIL)).toBe('Captured')
    good(await app.call('DELETE', `block-list/${entryId}`))
    expect(await resultOf(app, MAIL)).toBe('fraud_rejected')
    await allow('Email', 'vip@example.com')
    const blocked = good(await app.call('POST', 'block-list', { kind: 'Email', value: 'vip@example.com' }))
    expect(blocked.isAllowed).toBe(false)
    expect(await resultOf(app, MAIL)).toBe('fraud_rejected')
    expect(good(await app.call('GET', 'block-list'))).toHaveLength(1)
  })

  it('need a reason, and name no whole domain, country or network', async () => {
    for (const [kind, value, more, field] of [
      ['Email', 'a@example.com', { reason: ' ' }, 'reason'],
      ['EmailDomain', 'example.com', {}, 'value'],
      ['Country', 'FR', {}, 'value'],
      ['Address', '203.0.112.0/23', {}, 'value'],
      ['Address', '2001:db8::/47', {}, 'value'],
    ] as const) {
      const { status, body } = await put(kind, value, more)
      expect([kind, status, body.errors?.[0]?.field]).toEqual([kind, 400, field])
    }
  })

  it('are gone when their customer is erased', async () => {
    good(await app.call('POST', 'customers', { customerId: 'gone', email: 'vip@example.com' }))
    await allow('Email', 'vip@example.com')
    await allow('Customer', 'gone')
    await allow('Customer', 'stays')
    good(await app.call('POST', 'customers/gone/erase'))
    const left = good(await app.call('GET', 'block-list'))
    expect(left.map(({ value }: { value: string }) => value)).toEqual(['stays'])
    expect(await resultOf(app, MAIL)).toBe('fraud_rejected')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good, newReference, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_policies')
  app = tender.sandbox
})
afterAll(() => tender?.stop())

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })
const RULE = { action: 'RejectPayment', measure: 'SingleAmount', threshold: 10 }
const make = async (more: object = {}) =>
  good(await app.call('POST', 'fraud-policies', { name: 'Small only', rules: [RULE], ...more }))

describe('fraud policies', () => {
  it('are created, listed, read, changed and deleted', async () => {
    const made = await app.call('POST', 'fraud-policies', {
      name: 'First',
      rules: [{ ...RULE, threshold: '10.50', currency: 'EUR', message: 'Too much.' }],
      firewall: { blockedCountries: ['kp'], blockedAddresses: ['203.0.113.0/24', '2001:db8::/32'] },
      unknown: 1,
    })
    expect(made.status).toBe(201)
    const { fraudPolicyId } = made.body
    expect(made.body).toMatchObject({
      name: 'First',
      isDefault: false,
      version: 1,
      rules: [
        {
          ...RULE,
          threshold: 10.5,
          period: 'Daily',
          periodCount: 1,
          currency: 'EUR',
          paymentProfiles: null,
          message: 'Too much.',
        },
      ],
      firewall: {
        allowedCountries: [],
        blockedCountries: ['KP'],
        blockedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
        matchCardCountry: false,
        maxRiskScore: null,
        whenUnavailable: 'Accept',
      },
    })
    expect(good(await app.call('GET', `fraud-policies/${fraudPolicyId}`))).toEqual(made.body)
    expect(good(await app.call('GET', 'fraud-policies'))).toContainEqual(made.body)
    const renamed = good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}`, { name: 'Second' }))
    expect(renamed).toMatchObject({ name: 'Second', version: 2, rules: made.body.rules })
    const ruled = good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}/rules`, [RULE, RULE]))
    expect([ruled.version, ruled.rules.length, ruled.name]).toEqual([3, 2, 'Second'])
    expect((await app.call('DELETE', `fraud-policies/${fraudPolicyId}`)).status).toBe(200)
    expect((await app.call('GET', `fraud-policies/${fraudPolicyId}`)).status).toBe(404)
    expect((await app.call('DELETE', `fraud-policies/${fraudPolicyId}`)).status).toBe(404)
  })

  it('keep every version, with its author and time', async () => {
    const { fraudPolicyId } = await make()
    good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}`, { name: 'Later' }))
    good(await app.call('DELETE', `fraud-policies/${fraudPolicyId}`))
    const versions = good(await app.call('GET', `fraud-policies/${fraudPolicyId}/versions`))
    expect(versions).toMatchObject([
      { version: 3, change: 'Deleted', name: 'Later' },
      { version: 2, change: 'Changed', name: 'Later' },
      { version: 1, change: 'Created', name: 'Small only', rules: [RULE] },
    ])
    const keys = good(await app.call('GET', 'api-keys'))
    const known = keys.map((key: { keyId: string; name: string }) => [key.keyId, key.name])
    for (const { changedBy, changedTime } of versions) {
      expect(known).toContainEqual([changedBy.keyId, changedBy.name])
      expect(Date.parse(changedTime)).toBeGreaterThan(0)
    }
  })

  it('name each invalid field', async () => {
    const { status, body } = await app.call('POST', 'fraud-policies', {
      name: '',
      rules: [{ action: 'Explode', measure: 'PaymentCount', threshold: -1 }],
    })
    expect(status).toBe(400)
    const fields = body.errors.map((error: { field: string }) => error.field)
    expect(fields).toEqual(expect.arrayContaining(['name', 'rules[0].action']))
    for (const [rule, field] of [
      [{ ...RULE, measure: 'PaymentCount', threshold: 1.5 }, 'rules[0].threshold'],
      [{ ...RULE, threshold: 10.123 }, 'rules[0].threshold'],
      [{ ...RULE, currency: 'ABC' }, 'rules[0].currency'],
      [{ ...RULE, paymentProfiles: [999_999] }, 'rules[0].paymentProfiles'],
      [{ ...RULE, periodCount: 0 }, 'rules[0].periodCount'],
    ] as const) {
      const refused = await app.call('POST', 'fraud-policies', { name: 'x', rules: [rule] })
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, field])
    }
    const firewall = { blockedAddresses: ['1.2.3.4', '1.2.3.400', '1.2.3.0/33'] }
    const refused = await app.call('POST', 'fraud-policies', { name: 'x', firewall })
    expect(refused.body.errors.map((error: { field: string }) => error.field)).toEqual([
      'firewall.blockedAddresses[1]',
      'firewall.blockedAddresses[2]',
    ])
  })

  it('are not visible to other apps', async () => {
    const { fraudPolicyId } = await make()
    const other = (await tender.newMerchant()).sandbox
    expect((await other.call('GET', `fraud-policies/${fraudPolicyId}`)).status).toBe(404)
    expect((await other.call('PATCH', `fraud-policies/${fraudPolicyId}`, { name: 'x' })).status).toBe(404)
    const stolen = await other.call('POST', 'payments/hosted-page', {
      referenceId: newReference(),
      amount: 1,
      currency: 'EUR',
      returnUrl: 'https://shop.example',
      autoCapture: true,
      showPayRecurringInCheckout: false,
      fraudPolicyId,
      ...order('x'),
    })
    expect([stolen.status, stolen.body.code]).toEqual([422, 'unknown_fraud_policy'])
  })

  it('an unknown id returns 422 for every kind of payment; the default cannot be deleted', async () => {
    const own = (await tender.newMerchant()).sandbox
    const direct = {
      referenceId: newReference(),
      amount: 1,
      currency: 'EUR',
      autoCapture: true,
      ...order('x'),
    }
    for (const [path, more] of [
      ['payments', {}],
      ['payments/hosted-page', { returnUrl: 'https://shop.example', showPayRecurringInCheckout: false }],
    ] as const) {
      const { status, body } = await own.call('POST', path, { ...direct, ...more, fraudPolicyId: 999 })
      expect([path, status, body.code]).toEqual([path, 422, 'unknown_fraud_policy'])
    }
    const made = good(await own.call('POST', 'fraud-policies', { name: 'Default', isDefault: true }))
    expect(made.isDefault).toBe(true)
    const listed = good(await own.call('GET', 'fraud-policies'))
    expect(listed).toMatchObject([{ fraudPolicyId: made.fraudPolicyId, isDefault: true }])
    const refused = await own.call('DELETE', `fraud-policies/${made.fraudPolicyId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'fraud_policy_in_use'])
    good(await own.call('PATCH', `fraud-policies/${made.fraudPolicyId}`, { isDefault: false }))
    expect((await own.call('DELETE', `fraud-policies/${made.fraudPolicyId}`)).status).toBe(200)
  })

  it("the payment's policy overrides the customer's, which overrides the default", async () => {
    const own = (await tender.newMerchant()).sandbox
    const policy = async (threshold: number, more: object = {}) =>
      good(
        await own.call('POST', 'fraud-policies', {
          name: `up to ${threshold}`,
          rules: [{ ...RULE, threshold }],
          ...more,
        }),
      ).fraudPolicyId
    await policy(10, { isDefault: true })
    const forCustomer = await policy(20)
    const forPayment = await policy(30)
    good(await own.call('POST', 'customers', { customerId: 'vip', fraudPolicyId: forCustomer }))
    const state = async (amount: number, more: object) => (await own.paid({ amount, ...more })).paymentState
    expect(await state(10, order('any'))).toBe('Captured')
    expect(await state(10.01, order('any'))).toBe('Failed')
    expect(await state(20, order('vip'))).toBe('Captured')
    expect(await state(20.01, order('vip'))).toBe('Failed')
    expect(await state(30, { ...order('vip'), fraudPolicyId: forPayment })).toBe('Captured')
    expect(await state(30.01, { ...order('vip'), fraudPolicyId: forPayment })).toBe('Failed')
    const named = await own.create({ amount: 10.01, ...order('vip'), fraudPolicyId: forPayment })
    good(await own.call('DELETE', `fraud-policies/${forCustomer}`))
    good(await own.call('DELETE', `fraud-policies/${forPayment}`))
    expect(good(await own.pay(named.paymentId)).paymentState).toBe('Failed')
    expect(good(await own.call('GET', 'customers/vip')).fraudPolicyId).toBeNull()
    expect(await state(10.01, order('vip'))).toBe('Failed')
  })

  it('without a policy no verdict is written', async () => {
    const own = (await tender.newMerchant()).sandbox
    const { paymentId, fraudStatus } = await own.paid()
    expect(fraudStatus).toBe('Unknown')
    expect(good(await own.call('GET', `payments/${paymentId}/fraud`)).verdicts).toEqual([])
  })

  it('a rejected payment is not sent to a provider and shows the reason', async () => {
    const { fraudPolicyId } = await make({ rules: [{ ...RULE, message: 'Only small amounts here.' }] })
    const { paymentId } = await app.create({ fraudPolicyId, amount: 10.01, ...order(newReference()) })
    const rejected = good(await app.pay(paymentId))
    expect(rejected).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'fraud_rejected', message: 'Only small amounts here.' },
      fraudStatus: 'Fraudulent',
    })
    expect(rejected).not.toHaveProperty('payInfo')
    expect(await app.states(paymentId)).toEqual(['Created', 'Failed'])
    expect(await app.ledger(paymentId)).toEqual([])
    expect(good(await app.call('GET', `payments/${paymentId}/attempts`))).toEqual([])
    expect(good(await app.call('GET', `payments/${paymentId}/fraud`)).verdicts).toMatchObject([
      {
        decision: 'Reject',
        checks: [{ name: 'SingleAmount', seen: '10.01', limit: '10', result: 'Violated' }],
      },
    ])
  })

  it("check the payer's address", async () => {
    const { fraudPolicyId } = await make({
      rules: [],
      firewall: { blockedAddresses: ['203.0.113.0/24'], whenUnavailable: 'Reject' },
    })
    const state = async (payerIp?: string) => {
      const { paymentId } = await app.create({ fraudPolicyId, ...order(newReference()) })
      return good(await app.pay(paymentId, payerIp ? { payerIp } : {})).paymentState
    }
    expect(await state('203.0.114.1')).toBe('Captured')
    expect(await state('203.0.113.77')).toBe('Failed')
    expect(await state()).toBe('Failed')
  })

  it('apply to auto payments: 200 with the state as result', async () => {
    const customerId = newReference()
    const { paymentId } = await app.create({ ...order(customerId), registerAutoPayment: true })
    good(await app.pay(paymentId, { outcome: 'elevated-risk' }))
    const charge = (fraudPolicyId: number, amount: number) =>
      app.call('POST', 'payments/auto-payment', {
        referenceId: newReference(),
        amount,
        autoCapture: true,
        fraudPolicyId,
        ...order(customerId),
      })
    const { fraudPolicyId } = await make()
    const rejected = await charge(fraudPolicyId, 10.01)
    expect(rejected.status).toBe(200)
    expect(rejected.body).toMatchObject({ paymentState: 'Failed', failure: { code: 'fraud_rejected' } })
    expect(await app.states(rejected.body.paymentId)).toEqual(['Created', 'Failed'])
    expect(await app.ledger(rejected.body.paymentId)).toEqual([])
    const holding = await make({
      rules: [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }],
      firewall: { blockedAddresses: ['203.0.113.0/24'], whenUnavailable: 'Reject' },
    })
    const held = await charge(holding.fraudPolicyId, 10)
    expect([held.status, held.body.paymentState]).toEqual([200, 'ProviderAuthorizedHold'])
    expect((await charge(fraudPolicyId, 10)).body.paymentState).toBe('Captured')
    expect((await charge(999, 10)).body.code).toBe('unknown_fraud_policy')
  })
})

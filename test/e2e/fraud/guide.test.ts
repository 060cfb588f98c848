import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** The ten policies of docs/guides/fraud.md, unchanged. */
const GUIDE = readFileSync('docs/guides/fraud.md', 'utf8')
const POLICIES = [...GUIDE.matchAll(/^### (\d+)\. (.+)\n[\s\S]*?```json\n([\s\S]*?)```/gm)].map((found) => ({
  number: Number(found[1]),
  policy: JSON.parse(found[3] ?? '') as object,
}))

let tender: TestService
let app: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_fraud_guide')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
})

async function usePolicy(number: number): Promise<void> {
  const { policy } = POLICIES.find((one) => one.number === number) ?? {}
  const made = await app.call('POST', 'fraud-policies', { ...policy, isDefault: true })
  expect(made.status).toBe(201)
}

const customer = (more: object = {}) => ({ customerOrder: { customer: { customerId: 'dana', ...more } } })

/** Pays and returns the state, with the failure code if it failed. */
async function pay(more: object = {}, payOptions: object = {}): Promise<string> {
  const { paymentId } = await app.create({ ...customer(), ...more })
  const { paymentState, failure } = good(await app.pay(paymentId, payOptions))
  return failure ? failure.code : paymentState
}

it('the guide has ten policies', () => {
  expect(POLICIES.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

it('1. blocks card testing', async () => {
  await usePolicy(1)
  expect(await pay()).toBe('Captured')
  expect(await pay({}, { outcome: 'insufficient-funds' })).toBe('Created')
  expect(await pay({}, { outcome: 'stolen-card' })).toBe('Created')
  expect(await pay({}, { outcome: 'refund-pending' })).toBe('fraud_rejected')
})

it('1. blocks a customer with too many declines', async () => {
  await usePolicy(1)
  for (const _decline of [1, 2, 3, 4, 5, 6])
    expect(await pay({}, { outcome: 'insufficient-funds' })).toBe('Created')
  const { paymentId } = await app.create(customer())
  expect(good(await app.pay(paymentId)).failure.message).toBe('Too many attempts. Please try again tomorrow.')
})

it('2. allows five payments a day', async () => {
  await usePolicy(2)
  for (const _payment of [1, 2, 3, 4, 5]) expect(await pay()).toBe('Captured')
  expect(await pay()).toBe('fraud_rejected')
})

it('3. limits the amount per customer', async () => {
  await usePolicy(3)
  expect(await pay({ amount: 500 })).toBe('Captured')
  expect(await pay({ amount: 0.01 })).toBe('fraud_rejected')
  for (const _day of [2, 3, 4]) {
    await app.advance('25h')
    expect(await pay({ amount: 500 })).toBe('Captured')
  }
  await app.advance('25h')
  expect(await pay({ amount: 1 })).toBe('fraud_rejected')
  expect(await pay({ amount: 1, currency: 'USD' })).toBe('Captured')
})

it('4. reviews large orders', async () => {
  await usePolicy(4)
  expect(await pay({ amount: 1000 })).toBe('Captured')
  expect(await pay({ amount: 1000.01 })).toBe('ProviderAuthorizedHold')
})

it('5. rejects payments above a limit', async () => {
  await usePolicy(5)
  expect(await pay({ amount: 5000 })).toBe('Captured')
  expect(await pay({ amount: 5000.01 })).toBe('fraud_rejected')
})

it("6. uses the provider's risk score", async () => {
  await usePolicy(6)
  expect(await pay()).toBe('Captured')
  expect(await pay({}, { outcome: 'elevated-risk' })).toBe('ProviderAuthorizedHold')
  expect(await pay({}, { outcome: 'high-risk' })).toBe('fraud_rejected')
})

it('7. accepts some countries only', async () => {
  await usePolicy(7)
  // Sandbox cards, PayPal accounts and bank accounts are from the United States.
  expect(await pay(customer({ address: { countryCode: 'FR' } }))).toBe('fraud_rejected')
  expect(await pay(customer({ address: { countryCode: 'AT' } }))).toBe('fraud_rejected')
  expect(await pay(customer({ address: { countryCode: 'AT' } }), { method: 'Crypto' })).not.toBe(
    'fraud_rejected',
  )
})

it("8. accepts cards of the customer's country", async () => {
  await usePolicy(8)
  expect(await pay(customer({ address: { countryCode: 'US' } }))).toBe('Captured')
  expect(await pay(customer({ address: { countryCode: 'DE' } }))).toBe('fraud_rejected')
  expect(await pay()).toBe('Captured')
})

it('9. rejects a network', async () => {
  await usePolicy(9)
  expect(await pay({}, { payerIp: '203.0.113.200' })).toBe('fraud_rejected')
  expect(await pay({}, { payerIp: '2001:db8::1' })).toBe('fraud_rejected')
  expect(await pay({}, { payerIp: '198.51.100.24' })).toBe('Captured')
})

it('10. limits subscription charges', async () => {
  good(await app.pay((await app.create({ ...customer(), registerAutoPayment: true })).paymentId))
  await usePolicy(10)
  const charge = async (n: number) => {
    const body = { referenceId: `cycle ${n}`, amount: 5, autoCapture: true, ...customer() }
    const { status, body: payment } = await app.call('POST', 'payments/auto-payment', body)
    return [status, payment.failure?.code ?? payment.paymentState]
  }
  expect(await charge(1)).toEqual([200, 'Captured'])
  expect(await charge(2)).toEqual([200, 'Captured'])
  expect(await charge(3)).toEqual([200, 'fraud_rejected'])
})

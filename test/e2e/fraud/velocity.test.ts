import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

/** Two nodes that share a database: counts apply to both. */
let one: TestService
let two: TestService
beforeAll(async () => {
  one = await startTestService('e2e_velocity')
  two = await startTestService('e2e_velocity', { databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
})

const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

async function policy(rule: object): Promise<number> {
  const rules = [{ action: 'RejectPayment', period: 'Daily', ...rule }]
  return good(await one.sandbox.call('POST', 'fraud-policies', { name: 'Velocity', rules })).fraudPolicyId
}

/** Through one node or the other. */
const through = (n: number, method: string, path: string, body: object) =>
  fetch(`${(n % 2 === 0 ? one : two).url}/api/apps/${one.sandbox.appId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${one.sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(async (response) => ({ status: response.status, body: (await response.json()) as Answer }))

const create = (fraudPolicyId: number, customerId: string, more: object = {}) =>
  one.sandbox.create({ fraudPolicyId, ...order(customerId), ...more })

async function pay(fraudPolicyId: number, customerId: string, more: object = {}, payOptions: object = {}) {
  const { paymentId } = await create(fraudPolicyId, customerId, more)
  return good(await one.sandbox.pay(paymentId, payOptions))
}

const states = (payments: readonly Answer[]) => payments.map((payment) => payment.paymentState)
const count = (words: readonly string[], word: string) => words.filter((one_) => one_ === word).length

describe('velocity under parallel load, on two nodes', () => {
  it('50 payments of one customer with "at most 5 a day": exactly 5 pass', async () => {
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 5 })
    const customerId = newReference()
    const payments = await Promise.all(times(50).map(() => create(fraudPolicyId, customerId)))
    const replies = await Promise.all(
      payments.map(({ paymentId }, n) => through(n, 'POST', `test-helpers/payments/${paymentId}/pay`, {})),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const found = states(replies.map(({ body }) => body))
    expect([count(found, 'Captured'), count(found, 'Failed')]).toEqual([5, 45])
    const ledgers = await Promise.all(payments.map(({ paymentId }) => one.sandbox.ledger(paymentId)))
    expect(ledgers.filter((rows) => rows.length > 0)).toHaveLength(5)
  }, 90_000)

  it('50 auto payments of one customer with "at most 100 EUR a day" charge at most that', async () => {
    const customerId = newReference()
    await one.sandbox.pay(
      (await one.sandbox.create({ ...order(customerId), registerAutoPayment: true })).paymentId,
    )
    const fraudPolicyId = await policy({ measure: 'TotalAmount', threshold: 100 })
    const replies = await Promise.all(
      times(50).map((n) =>
        through(n, 'POST', 'payments/auto-payment', {
          referenceId: newReference(),
          amount: 30,
          currency: 'EUR',
          autoCapture: true,
          fraudPolicyId,
          ...order(customerId),
        }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(count(states(replies.map(({ body }) => body)), 'Captured')).toBe(3)
    const failed = replies.filter(({ body }) => body.paymentState === 'Failed')
    expect(new Set(failed.map(({ body }) => body.failure.code))).toEqual(new Set(['fraud_rejected']))
  })

  it('20 requests with one reference count as one payment', async () => {
    const customerId = newReference()
    await one.sandbox.pay(
      (await one.sandbox.create({ ...order(customerId), registerAutoPayment: true })).paymentId,
    )
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 1 })
    const body = {
      referenceId: newReference(),
      amount: 30,
      autoCapture: true,
      fraudPolicyId,
      ...order(customerId),
    }
    const replies = await Promise.all(times(20).map((n) => through(n, 'POST', 'payments/auto-payment', body)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const { paymentId } = replies[0]?.body ?? {}
    await expect.poll(async () => (await one.sandbox.read(paymentId)).paymentState).toBe('Captured')
  })

  it('concurrent payments with different cards and "at most 2 cards a day": two cards pass', async () => {
    const fraudPolicyId = await policy({ measure: 'DistinctCard', threshold: 2 })
    const customerId = newReference()
    const outcomes = ['approved', 'challenge-once', 'refund-pending', 'elevated-risk', 'cvc-check-fails']
    const payments = await Promise.all(outcomes.map(() => create(fraudPolicyId, customerId)))
    await Promise.all(
      payments.map(({ paymentId }, n) =>
        through(n, 'POST', `test-helpers/payments/${paymentId}/pay`, { outcome: outcomes[n] }),
      ),
    )
    const after = await Promise.all(payments.map(({ paymentId }) => one.sandbox.read(paymentId)))
    expect(count(states(after), 'Captured')).toBe(2)
    for (const { paymentId, paymentState } of after) {
      const last = (await one.sandbox.ledger(paymentId)).map((row) => row.kind).at(-1)
      // If the rule decides without the provider, the provider is not called.
      expect(paymentState === 'Captured' ? ['capture'] : ['void', undefined]).toContain(last)
    }
  })
})

describe('velocity counts', () => {
  it('PaymentCount: counts paid payments; a declined payment is not counted', async () => {
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 2 })
    const customerId = newReference()
    expect((await pay(fraudPolicyId, customerId, {}, { outcome: 'insufficient-funds' })).paymentState).toBe(
      'Created',
    )
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Captured')
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Captured')
    expect(await pay(fraudPolicyId, customerId)).toMatchObject({
      paymentState: 'Failed',
      fraudStatus: 'Fraudulent',
      failure: { code: 'fraud_rejected' },
    })
    expect((await pay(fraudPolicyId, newReference())).paymentState).toBe('Captured')
  })

  it('count a retried payment once', async () => {
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 1 })
    const { paymentId } = await create(fraudPolicyId, newReference())
    await one.sandbox.pay(paymentId, { outcome: 'insufficient-funds' })
    await one.sandbox.pay(paymentId, { outcome: 'incorrect-cvc' })
    expect(good(await one.sandbox.pay(paymentId)).paymentState).toBe('Captured')
  })

  it('count an open page until it is closed', async () => {
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 1 })
    const customerId = newReference()
    const first = await create(fraudPolicyId, customerId)
    await one.sandbox.pay(first.paymentId, { method: 'Paypal', outcome: 'abandon' })
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Failed')
    good(await one.sandbox.act(first.paymentId, 'cancel'))
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Captured')
  })

  it('ProviderRejectCount: counts declines, also several of one payment', async () => {
    const fraudPolicyId = await policy({ measure: 'ProviderRejectCount', threshold: 2 })
    const customerId = newReference()
    const { paymentId } = await create(fraudPolicyId, customerId)
    for (const outcome of ['insufficient-funds', 'generic', 'stolen-card'])
      expect(good(await one.sandbox.pay(paymentId, { outcome })).paymentState).toBe('Created')
    expect(good(await one.sandbox.pay(paymentId)).failure.code).toBe('fraud_rejected')
    expect((await pay(fraudPolicyId, customerId)).failure.code).toBe('fraud_rejected')
  })

  it('TotalAmount: does not add amounts of different currencies', async () => {
    const fraudPolicyId = await policy({ measure: 'TotalAmount', threshold: 50 })
    const customerId = newReference()
    expect((await pay(fraudPolicyId, customerId, { amount: 50 })).paymentState).toBe('Captured')
    expect((await pay(fraudPolicyId, customerId, { amount: 50, currency: 'USD' })).paymentState).toBe(
      'Captured',
    )
    expect((await pay(fraudPolicyId, customerId, { amount: 0.01 })).paymentState).toBe('Failed')
  })

  it('use a rolling window of a day', async () => {
    const other = (await one.newMerchant()).sandbox
    const rules = [{ action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 1 }]
    good(await other.call('POST', 'fraud-policies', { name: 'One a day', isDefault: true, rules }))
    expect((await other.paid()).paymentState).toBe('Captured')
    await other.advance('23h')
    expect((await other.paid()).paymentState).toBe('Failed')
    await other.advance('61m')
    expect((await other.paid()).paymentState).toBe('Captured')
  })

  it("start again at the customer's reset time", async () => {
    const fraudPolicyId = await policy({ measure: 'PaymentCount', threshold: 1 })
    const customerId = newReference()
    await pay(fraudPolicyId, customerId)
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Failed')
    const path = `customers/${customerId}/reset-affected-check-policy-time`
    expect((await one.sandbox.call('POST', path)).status).toBe(200)
    expect((await pay(fraudPolicyId, customerId)).paymentState).toBe('Captured')
    expect((await one.sandbox.call('POST', 'customers/nobody/reset-affected-check-policy-time')).status).toBe(
      404,
    )
  })

  it('BlockCustomer rejects the payment and blocks the customer, for payments made before too', async () => {
    const fraudPolicyId = await policy({ action: 'BlockCustomer', measure: 'SingleAmount', threshold: 100 })
    const customerId = newReference()
    const waiting = await create(fraudPolicyId, customerId)
    expect(await pay(fraudPolicyId, customerId, { amount: 100.01 })).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'fraud_rejected' },
    })
    expect(good(await one.sandbox.call('GET', `customers/${customerId}`)).isBlocked).toBe(true)
    expect((await one.sandbox.pay(waiting.paymentId)).body.code).toBe('customer_blocked')
    expect(await one.sandbox.ledger(waiting.paymentId)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAST_PAYMENTS } from '../../support/past-payments.ts'
import { good, newReference, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_simulate')
})
afterAll(() => tender?.stop())

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

async function simulated(app: TestApp, policy: object, days = 30) {
  const made = good(await app.call('POST', 'fraud-policies', { name: 'Would it?', ...policy }))
  const simulate = () => app.call('POST', `fraud-policies/${made.fraudPolicyId}/simulate`, { days })
  // A statement over many payments may time out on a busy machine, and a client tries again then.
  let reply = await simulate()
  while (reply.status === 503) reply = await simulate()
  return good(reply)
}

describe('POST fraud-policies/{id}/simulate', () => {
  it('returns the payments and amounts that the policy would have stopped, and their outcomes', async () => {
    const app = (await tender.newMerchant()).sandbox
    const fine = await app.paid({ ...order('a'), amount: 10 })
    const refunded = await app.paid({ ...order('b'), amount: 200 })
    good(await app.act(refunded.paymentId, 'refund'))
    const disputed = await app.paid({ ...order('c'), amount: 300 })
    good(await app.call('POST', `test-helpers/payments/${disputed.paymentId}/dispute`, {}))
    await app.paid({ ...order('d'), amount: 400, currency: 'USD' })
    await app.create({ ...order('e'), amount: 500 })
    const rules = [{ action: 'RejectPayment', measure: 'SingleAmount', threshold: 100 }]
    const result = await simulated(app, { rules })
    expect(result).toMatchObject({
      payments: 4,
      isComplete: true,
      stopped: {
        count: 3,
        byDecision: { Hold: 0, Reject: 3, Block: 0 },
        byCurrency: [
          { currency: 'EUR', count: 2, amount: 500 },
          { currency: 'USD', count: 1, amount: 400 },
        ],
        laterRefunded: 1,
        laterDisputed: 1,
      },
      byRule: [{ rule: 1, name: 'SingleAmount', violated: 3 }],
    })
    expect(result.examples[0]).toMatchObject({
      paymentId: refunded.paymentId,
      decision: 'Reject',
      checks: [{ name: 'SingleAmount', rule: 1, seen: '200.00', limit: '100', result: 'Violated' }],
      explanation: 'Rule 1: amount of this payment: 200.00 EUR; at most 100 EUR. Violated.',
    })
    expect((await app.read(fine.paymentId)).fraudStatus).toBe('Unknown')
  })

  it('covers the requested days and applies velocity rules in chronological order', async () => {
    const app = (await tender.newMerchant()).sandbox
    await app.paid(order('old'))
    await app.advance('9d')
    const customerId = newReference()
    for (const _payment of [1, 2, 3]) await app.paid(order(customerId))
    await app.advance('25h')
    await app.paid(order(customerId))
    const rules = [{ action: 'HoldPayment', measure: 'PaymentCount', period: 'Daily', threshold: 2 }]
    expect(await simulated(app, { rules }, 7)).toMatchObject({ payments: 4, stopped: { count: 1 } })
    expect(await simulated(app, { rules }, 30)).toMatchObject({ payments: 5, stopped: { count: 1 } })
  })

  it('agrees with the effect of the same policy on real payments', async () => {
    const [free, ruled] = [(await tender.newMerchant()).sandbox, (await tender.newMerchant()).sandbox]
    const policy = {
      rules: [
        { action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 3 },
        { action: 'RejectPayment', measure: 'ProviderRejectCount', period: 'Daily', threshold: 1 },
        { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 },
        { action: 'HoldPayment', measure: 'TotalAmount', period: 'Weekly', threshold: 60, currency: 'EUR' },
      ],
    }
    good(await ruled.call('POST', 'fraud-policies', { name: 'Really', isDefault: true, ...policy }))
    const outcomes = ['approved', 'elevated-risk', 'approved', 'generic', 'approved', 'generic', 'approved']
    const really: string[] = []
    for (const [n, outcome] of outcomes.entries()) {
      const more = { ...order(n % 3 === 2 ? 'x' : 'y'), amount: 20 + n }
      for (const app of [free, ruled]) {
        const { paymentId } = await app.create(more)
        const { paymentState } = good(await app.pay(paymentId, { outcome }))
        if (app === ruled) really.push(paymentState)
      }
    }
    const { byDecision } = (await simulated(free, policy)).stopped
    const count = (state: string) => really.filter((one) => one === state).length
    expect(byDecision).toEqual({ Hold: count('ProviderAuthorizedHold'), Reject: count('Failed'), Block: 0 })
    expect(byDecision.Hold).toBeGreaterThan(0)
  })

  it('simulates 10,000 payments', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const now = new Date(good(await app.call('POST', 'test-helpers/clock', { advance: '1s' })).now)
    for (const [place, text] of PAST_PAYMENTS.entries())
      await tender.service.ctx.db.query({ name: `test.past${place}`, text }, [
        app.appId,
        5_000_000,
        now,
        10_000,
      ])
    const risky = await simulated(app, {
      rules: [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 89 }],
    })
    expect(risky).toMatchObject({ payments: 10_000, stopped: { count: 900, laterRefunded: 0 } })
    const daily = await simulated(app, { firewall: { blockedCountries: ['DE'] } }, 1)
    expect(daily.stopped.count).toBe(daily.payments)
    expect(daily.payments).toBe(24 * 60)
  })

  it('returns 404 for unknown policies and 400 for invalid days', async () => {
    const app = (await tender.newMerchant()).sandbox
    expect((await app.call('POST', 'fraud-policies/999999/simulate', { days: 1 })).status).toBe(404)
    const { fraudPolicyId } = good(await app.call('POST', 'fraud-policies', { name: 'x' }))
    for (const days of [0, 366, 1.5, undefined])
      expect((await app.call('POST', `fraud-policies/${fraudPolicyId}/simulate`, { days })).status).toBe(400)
  })
})

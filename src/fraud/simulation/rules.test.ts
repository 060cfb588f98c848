import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../base/clock.ts'
import { NO_FIREWALL, type Policy, type Rule } from '../policy.ts'
import { type Past, replay } from './rules.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

const rule = (more: Partial<Rule>): Rule => ({
  action: 'RejectPayment',
  measure: 'PaymentCount',
  period: 'Daily',
  periodCount: 1,
  threshold: 2,
  currency: null,
  profiles: null,
  message: null,
  ...more,
})
const policy = (...rules: Partial<Rule>[]): Policy => ({
  policyId: 1,
  version: 1,
  name: 'x',
  rules: rules.map(rule),
  firewall: NO_FIREWALL,
})

let ids = 0
const past = (hours: number, more: Partial<Past['facts']> = {}, rest: Partial<Past> = {}): Past => ({
  paymentId: ++ids,
  customerId: 'c',
  time: new Date(START + hours * HOUR),
  outcome: 'paid',
  facts: { amountMinor: 1000n, currency: 'EUR', profileId: 1, payerPresent: true, isCard: true, ...more },
  ...rest,
})
const stoppedOf = (one: Policy, list: readonly Past[]) =>
  replay(one, list).stopped.map(({ paymentId }) => list.findIndex((each) => each.paymentId === paymentId))

describe('replaying past payments', () => {
  it('counts in the rolling window of each rule, without stopped payments', () => {
    const list = [past(0), past(1), past(2), past(3), past(24), past(25), past(26)]
    expect(stoppedOf(policy({}), list)).toEqual([2, 3, 6])
  })

  it('counts per customer, and does not count a declined attempt as a payment', () => {
    const declined = past(1, {}, { outcome: 'declined' })
    expect(stoppedOf(policy({}), [past(0), declined, past(2), past(3, {}, { customerId: 'd' })])).toEqual([])
    const rejects = policy({ measure: 'ProviderRejectCount', threshold: 0 })
    expect(stoppedOf(rejects, [past(0), declined, past(2)])).toEqual([2])
  })

  it('sums amounts per currency and counts distinct cards', () => {
    const total = policy({ measure: 'TotalAmount', threshold: 20 })
    expect(stoppedOf(total, [past(0), past(1), past(2, { currency: 'USD' }), past(3)])).toEqual([3])
    const cards = policy({ measure: 'DistinctCard', threshold: 1 })
    const card = (identity: string) => ({ card: { identity } })
    expect(stoppedOf(cards, [past(0, card('a')), past(1, card('a')), past(2, card('b'))])).toEqual([2])
  })

  it('stops every later payment of the customer after BlockCustomer', () => {
    const block = policy({ action: 'BlockCustomer', measure: 'SingleAmount', threshold: 50 })
    const list = [past(0), past(1, { amountMinor: 9000n }), past(400), past(401, {}, { customerId: 'd' })]
    expect(stoppedOf(block, list)).toEqual([1, 2])
  })

  it('checks the scores of approved payments', () => {
    const risky = policy({ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 50 })
    const list = [past(0, { riskScore: 60 }), past(1, { riskScore: 60 }, { outcome: 'declined' })]
    expect(replay(risky, list).stopped).toMatchObject([{ paymentId: list[0]?.paymentId, decision: 'Hold' }])
  })

  it('never lets more payments through in any window than the threshold', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 5 }), (hours, threshold) => {
        const list = hours.map((_, n) => past(hours.slice(0, n + 1).reduce((sum, gap) => sum + gap, 0)))
        const stopped = new Set(replay(policy({ threshold }), list).stopped.map((one) => one.paymentId))
        const passed = list
          .filter(({ paymentId }) => !stopped.has(paymentId))
          .map(({ time }) => time.getTime())
        for (const end of passed) {
          const within = passed.filter((time) => time <= end && time > end - DAY).length
          expect(within).toBeLessThanOrEqual(threshold)
        }
      }),
    )
  })
})

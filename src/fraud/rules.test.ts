import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY } from '../base/clock.ts'
import { isThreeDSecureAction } from '../providers/methods/three-d-secure.ts'
import {
  MEASURES,
  NO_FIREWALL,
  PERIODS,
  type Policy,
  policiesInOrder,
  RULE_ACTIONS,
  type Rule,
} from './policy.ts'
import { appliesTo, type Counts, hasChecksAfter, judgeAfter, judgeBefore, windowStart } from './rules.ts'
import { decisionOf, type FraudFacts, messageOf, stops, threeDSecureOf } from './verdict.ts'

const NOW = new Date('2026-03-31T12:00:00Z')

const rule = (more: Partial<Rule> = {}): Rule => ({
  action: 'RejectPayment',
  measure: 'PaymentCount',
  period: 'Daily',
  periodCount: 1,
  threshold: 5,
  currency: null,
  profiles: null,
  message: null,
  ...more,
})
const policy = (...rules: Rule[]): Policy => ({
  policyId: 1,
  version: 1,
  name: 'Test',
  rules,
  firewall: NO_FIREWALL,
})
const facts = (more: Partial<FraudFacts> = {}): FraudFacts => ({
  amountMinor: 1000n,
  currency: 'EUR',
  profileId: 7,
  payerPresent: true,
  isCard: true,
  ...more,
})
const NOTHING: Counts = { payments: 0, totalMinor: 0n, rejects: 0, cards: 0 }
const seenBefore = (one: Rule, counts: Partial<Counts> = {}, more: Partial<FraudFacts> = {}) =>
  judgeBefore({ policy: policy(one), facts: facts(more), counts: new Map([[1, { ...NOTHING, ...counts }]]) })
const seenAfter = (one: Rule, more: Partial<FraudFacts> = {}, counts: Partial<Counts> = {}, known = false) =>
  judgeAfter(
    { policy: policy(one), facts: facts(more), counts: new Map([[1, { ...NOTHING, ...counts }]]) },
    known,
  )

const VISA = { identity: 'visa 4242 12/2030' }

describe('measures: the threshold is the highest value that passes', () => {
  it.each<[string, Partial<Rule>, Partial<Counts>, Partial<FraudFacts>, string, string]>([
    ['PaymentCount', { threshold: 5 }, { payments: 4 }, {}, '5', 'Passed'],
    ['PaymentCount', { threshold: 5 }, { payments: 5 }, {}, '6', 'Violated'],
    ['PaymentCount', { threshold: 0 }, {}, {}, '1', 'Violated'],
    ['ProviderRejectCount', { threshold: 3 }, { rejects: 3 }, {}, '3', 'Passed'],
    ['ProviderRejectCount', { threshold: 3 }, { rejects: 4 }, {}, '4', 'Violated'],
    ['TotalAmount', { threshold: 100 }, { totalMinor: 9000n }, {}, '100.00', 'Passed'],
    ['TotalAmount', { threshold: 100 }, { totalMinor: 9001n }, {}, '100.01', 'Violated'],
    ['TotalAmount', { threshold: 0.5 }, {}, { amountMinor: 50n }, '0.50', 'Passed'],
    ['TotalAmount', { threshold: 0.5 }, {}, { amountMinor: 51n }, '0.51', 'Violated'],
    ['DistinctCard', { threshold: 2 }, { cards: 1 }, { card: VISA }, '2', 'Passed'],
    ['DistinctCard', { threshold: 2 }, { cards: 2 }, { card: VISA }, '3', 'Violated'],
    ['DistinctCard', { threshold: 2 }, { cards: 2 }, {}, '2', 'Passed'],
    ['DistinctCard', { threshold: 2 }, { cards: 3 }, {}, '3', 'Violated'],
    ['SingleAmount', { threshold: 10 }, {}, {}, '10.00', 'Passed'],
    ['SingleAmount', { threshold: 9.99 }, {}, {}, '10.00', 'Violated'],
    ['SingleAmount', { threshold: 1000 }, {}, { currency: 'JPY' }, '1000', 'Passed'],
    ['SingleAmount', { threshold: 999.5 }, {}, { currency: 'JPY' }, '1000', 'Violated'],
    ['SingleAmount', { threshold: 1 }, {}, { currency: 'KWD' }, '1.000', 'Passed'],
    ['SingleAmount', { threshold: 0.99 }, {}, { currency: 'KWD' }, '1.000', 'Violated'],
  ])('%s with %o after %o of %o sees %s: %s', (measure, more, counts, known, seen, result) => {
    const checks = seenBefore(rule({ measure: measure as Rule['measure'], ...more }), counts, known)
    expect(checks).toMatchObject([{ stage: 'Before', rule: 1, name: measure, seen, result }])
  })

  it.each<[number | undefined, number, string | null, string]>([
    [65, 65, '65', 'Passed'],
    [66, 65, '66', 'Violated'],
    [0, 0, '0', 'Passed'],
    [undefined, 65, null, 'NotKnown'],
  ])('ProviderRiskScore of %s against %s is seen afterwards as %s: %s', (score, threshold, seen, result) => {
    const one = rule({ measure: 'ProviderRiskScore', threshold })
    expect(seenBefore(one)).toEqual([])
    expect(seenAfter(one, { riskScore: score })).toMatchObject([{ stage: 'After', seen, result }])
  })

  it('DistinctCard is checked again once the card is known, and only then', () => {
    const one = rule({ measure: 'DistinctCard', threshold: 1 })
    expect(seenBefore(one, { cards: 1 })).toMatchObject([{ result: 'Passed' }])
    expect(seenAfter(one, { card: VISA }, { cards: 1 })).toMatchObject([{ seen: '2', result: 'Violated' }])
    expect(seenAfter(one, { card: VISA }, { cards: 1 }, true)).toEqual([])
  })

  it('each measure is in the table and has its stages', () => {
    for (const measure of Object.keys(MEASURES) as Rule['measure'][]) {
      const one = rule({ measure })
      const stages = [...seenBefore(one), ...seenAfter(one)].map(({ stage }) => stage)
      expect(stages.length).toBeGreaterThan(0)
      expect(hasChecksAfter(policy(one))).toBe(stages.includes('After'))
    }
  })
})

describe('periods are rolling windows', () => {
  it.each<[Rule['period'], number, string]>([
    ['Daily', 1, '2026-03-30T12:00:00.000Z'],
    ['Daily', 3, '2026-03-28T12:00:00.000Z'],
    ['Weekly', 1, '2026-03-24T12:00:00.000Z'],
    ['Weekly', 2, '2026-03-17T12:00:00.000Z'],
    ['Monthly', 1, '2026-03-01T12:00:00.000Z'],
    ['Monthly', 12, '2025-04-05T12:00:00.000Z'],
  ])('%s × %i begins at %s', (period, periodCount, start) => {
    expect(windowStart(rule({ period, periodCount }), NOW, null).toISOString()).toBe(start)
  })

  it('they begin no earlier than the reset time of the customer', () => {
    const reset = new Date('2026-03-31T11:00:00Z')
    expect(windowStart(rule(), NOW, reset)).toEqual(reset)
    const old = new Date('2026-03-01T00:00:00Z')
    expect(windowStart(rule(), NOW, old).getTime()).toBe(NOW.getTime() - DAY)
  })

  it('a longer period never begins later', () => {
    const periods = Object.keys(PERIODS) as Rule['period'][]
    fc.assert(
      fc.property(fc.constantFrom(...periods), fc.integer({ min: 1, max: 364 }), (period, periodCount) => {
        const shorter = windowStart(rule({ period, periodCount }), NOW, null)
        const longer = windowStart(rule({ period, periodCount: periodCount + 1 }), NOW, null)
        expect(longer.getTime()).toBeLessThan(shorter.getTime())
      }),
    )
  })
})

describe('scope', () => {
  it.each<[Partial<Rule>, boolean]>([
    [{}, true],
    [{ currency: 'EUR' }, true],
    [{ currency: 'USD' }, false],
    [{ profiles: [7, 8] }, true],
    [{ profiles: [8] }, false],
    [{ currency: 'EUR', profiles: [8] }, false],
  ])('a rule with %o applies: %s', (more, applies) => {
    const one = rule({ measure: 'SingleAmount', threshold: 0, ...more })
    expect(appliesTo(one, facts())).toBe(applies)
    expect(seenBefore(one)).toMatchObject([{ result: applies ? 'Violated' : 'NotApplicable' }])
    expect(decisionOf(seenBefore(one))).toBe(applies ? 'Reject' : 'Accept')
  })

  it.each([
    [3, 2, 1, [3, 2, 1]],
    [undefined, 2, 1, [2, 1]],
    [undefined, null, 1, [1]],
    [undefined, null, null, []],
    [3, null, null, [3]],
  ])(
    'of payment %s, customer %s and app %s the policies have the order %o',
    (payment, customer, app, all) => {
      expect(policiesInOrder(payment, customer, app)).toEqual(all)
    },
  )
})

describe('actions', () => {
  const violated = (...actions: Rule['action'][]) =>
    judgeBefore({
      policy: policy(...actions.map((action) => rule({ action, threshold: 0, message: `by ${action}` }))),
      facts: facts(),
      counts: new Map(),
    })

  it.each<[Rule['action'][], string]>([
    [[], 'Accept'],
    [['HoldPayment'], 'Hold'],
    [['RejectPayment'], 'Reject'],
    [['BlockCustomer'], 'Block'],
    [['HoldPayment', 'RejectPayment'], 'Reject'],
    [['BlockCustomer', 'HoldPayment', 'RejectPayment'], 'Block'],
  ])('violated rules with %o decide: %s', (actions, decision) => {
    expect(decisionOf(violated(...actions))).toBe(decision)
  })

  it('the message is that of the most severe rule', () => {
    const rules = [
      rule({ action: 'HoldPayment', threshold: 0, message: 'a' }),
      rule({ threshold: 0, message: 'b' }),
    ]
    const one = policy(...rules)
    expect(messageOf(one, judgeBefore({ policy: one, facts: facts(), counts: new Map() }))).toBe('b')
    expect(messageOf(one, [])).toBeUndefined()
  })

  it('every rule is checked and reported, independent of the others', () => {
    const count = fc.integer({ min: 0, max: 20 })
    const anyRule = fc.record({
      action: fc.constantFrom(...RULE_ACTIONS),
      measure: fc.constantFrom('PaymentCount', 'SingleAmount', 'TotalAmount'),
      threshold: count,
      currency: fc.constantFrom(null, 'EUR', 'USD'),
    })
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 10 }), count, (rules, payments) => {
        const one = policy(...rules.map((more) => rule(more as Partial<Rule>)))
        const counts = new Map(rules.map((_, index) => [index + 1, { ...NOTHING, payments }]))
        const checks = judgeBefore({ policy: one, facts: facts(), counts })
        expect(checks.map((check) => check.rule)).toEqual(rules.map((_, index) => index + 1))
        const violated = checks.filter((c) => c.result === 'Violated' && !isThreeDSecureAction(c.action))
        expect(decisionOf(checks) !== 'Accept').toBe(violated.length > 0)
        const harsher = violated.some(({ action }) => action !== 'HoldPayment')
        expect(stops(decisionOf(checks))).toBe(harsher)
      }),
    )
  })
})

describe('actions of 3-D Secure', () => {
  const asks = (action: Rule['action'], more: Partial<Rule> = {}) =>
    rule({ action, measure: 'SingleAmount', threshold: 5, ...more })
  const judged = (rules: readonly Rule[], more: Partial<FraudFacts> = {}) =>
    judgeBefore({ policy: policy(...rules), facts: facts(more), counts: new Map() })

  it('stop nothing; the strongest that is violated is asked', () => {
    const checks = judged([
      asks('RequireChallenge', { threshold: 50 }),
      asks('RequestChallenge'),
      asks('RequestExemption'),
    ])
    expect([decisionOf(checks), threeDSecureOf(checks)]).toEqual(['Accept', 'RequestChallenge'])
    expect(threeDSecureOf(judged([asks('RequestChallenge', { threshold: 10 })]))).toBeUndefined()
    const stopped = judged([asks('RequireChallenge'), asks('HoldPayment')])
    expect(decisionOf(stopped)).toBe('Hold')
  })

  it('do not apply without a card or without the payer', () => {
    for (const more of [{ isCard: false }, { payerPresent: false }]) {
      const checks = judged([asks('RequireChallenge')], more)
      expect([checks[0]?.result, threeDSecureOf(checks)]).toEqual(['NotApplicable', undefined])
    }
  })

  it('are not checked afterwards, and keep no payment from being taken in one step', () => {
    const late = asks('RequestChallenge', { measure: 'DistinctCard', threshold: 1 })
    expect(hasChecksAfter(policy(late))).toBe(false)
    expect(seenAfter(late, { card: VISA })).toEqual([])
  })

  it('give the words of the strongest', () => {
    const rules = [asks('RequestExemption', { message: 'one' }), asks('RequireChallenge', { message: 'two' })]
    expect(messageOf(policy(...rules), judged(rules))).toBe('two')
  })
})

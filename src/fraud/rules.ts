import { DAY } from '../base/clock.ts'
import { currencyDigits } from '../base/currencies.ts'
import { decimalText } from '../base/money.ts'
import { judgeFirewall } from './firewall.ts'
import { PERIODS, type Policy, type Rule } from './policy.ts'
import type { FraudCheck, FraudFacts } from './verdict.ts'

/**
 * Pure: facts about a payment in, a verdict out, with everything that was tried and every number that was
 * seen. A threshold is the most that is still fine: what exceeds it violates the rule.
 */

/** What a customer did in the window of one rule. */
export interface Counts {
  /** Other payments that are being paid or were paid. */
  readonly payments: number
  readonly totalMinor: bigint
  /** Attempts that a provider declined, those of this payment too. */
  readonly rejects: number
  /** Cards other than the one at hand, whatever came of them. */
  readonly cards: number
}

const NOTHING: Counts = { payments: 0, totalMinor: 0n, rejects: 0, cards: 0 }

export const isCounted = ({ measure }: Rule): boolean =>
  measure !== 'SingleAmount' && measure !== 'ProviderRiskScore'

/** A rule for one currency or for some profiles says nothing about payments in others. */
export const appliesTo = (rule: Rule, facts: Pick<FraudFacts, 'currency' | 'profileId'>): boolean =>
  (rule.currency === null || rule.currency === facts.currency) &&
  (rule.profiles === null || rule.profiles.includes(facts.profileId))

/** What lies at or before this instant is not counted. */
export function windowStart(rule: Rule, now: Date, resetTime: Date | null): Date {
  const startMs = now.getTime() - PERIODS[rule.period] * rule.periodCount * DAY
  return new Date(Math.max(startMs, resetTime?.getTime() ?? startMs))
}

export interface Judging {
  readonly policy: Policy
  readonly facts: FraudFacts
  /** By the place of the rule, from 1. */
  readonly counts: ReadonlyMap<number, Counts>
}

/** Everything that can be known before a provider is called. */
export const judgeBefore = (judging: Judging): FraudCheck[] => [
  ...judgeFirewall(judging.policy.firewall, judging.facts, 'Before'),
  ...tryRules(judging, 'Before', (rule) => rule.measure !== 'ProviderRiskScore'),
]

/** What only the provider's answer tells: its score, and a card that was not known before. */
export const judgeAfter = (judging: Judging, cardWasKnown: boolean): FraudCheck[] => [
  ...judgeFirewall(judging.policy.firewall, judging.facts, 'After'),
  ...tryRules(
    judging,
    'After',
    ({ measure }) => measure === 'ProviderRiskScore' || (measure === 'DistinctCard' && !cardWasKnown),
  ),
]

/** Whether anything about a payment is looked at once its provider has answered. */
export const looksAfterwards = ({ rules, firewall }: Policy): boolean =>
  rules.some(({ measure }) => measure === 'ProviderRiskScore' || measure === 'DistinctCard') ||
  firewall.maxRiskScore !== null ||
  firewall.matchCardCountry ||
  firewall.allowedCountries.length + firewall.blockedCountries.length > 0

function tryRules(
  judging: Judging,
  stage: FraudCheck['stage'],
  isTried: (rule: Rule) => boolean,
): FraudCheck[] {
  const { policy, facts, counts } = judging
  return policy.rules.flatMap((rule, index) => {
    if (!isTried(rule)) return []
    const place = index + 1
    const check = {
      stage,
      name: rule.measure,
      rule: place,
      action: rule.action,
      limit: String(rule.threshold),
    }
    if (!appliesTo(rule, facts)) return [{ ...check, seen: null, result: 'NotApplicable' } as const]
    return [{ ...check, ...measured(rule, facts, counts.get(place) ?? NOTHING) }]
  })
}

function measured(rule: Rule, facts: FraudFacts, counts: Counts): Pick<FraudCheck, 'seen' | 'result'> {
  switch (rule.measure) {
    case 'PaymentCount':
      return number(counts.payments + 1, rule.threshold)
    case 'ProviderRejectCount':
      return number(counts.rejects, rule.threshold)
    case 'DistinctCard':
      return number(counts.cards + (facts.card ? 1 : 0), rule.threshold)
    case 'TotalAmount':
      return amount(counts.totalMinor + facts.amountMinor, facts.currency, rule.threshold)
    case 'SingleAmount':
      return amount(facts.amountMinor, facts.currency, rule.threshold)
    case 'ProviderRiskScore':
      return facts.riskScore === undefined
        ? { seen: null, result: 'NotKnown' }
        : number(facts.riskScore, rule.threshold)
  }
}

const number = (value: number, threshold: number): Pick<FraudCheck, 'seen' | 'result'> => ({
  seen: String(value),
  result: value > threshold ? 'Violated' : 'Passed',
})

/** Thresholds have two decimals, currencies from none to four: compared as whole numbers, so exactly. */
function amount(minor: bigint, currency: string, threshold: number): Pick<FraudCheck, 'seen' | 'result'> {
  const hundredths = BigInt(Math.round(threshold * 100))
  const exceeds = minor * 100n > hundredths * 10n ** BigInt(currencyDigits(currency))
  return { seen: decimalText(minor, currency), result: exceeds ? 'Violated' : 'Passed' }
}

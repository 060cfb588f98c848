import { DAY } from '../base/clock.ts'
import { currencyDigits } from '../base/currencies.ts'
import { decimalText } from '../base/money.ts'
import { isThreeDSecureAction } from '../providers/methods/three-d-secure.ts'
import { judgeFirewall } from './firewall.ts'
import { PERIODS, type Policy, type Rule } from './policy.ts'
import type { FraudCheck, FraudFacts } from './verdict.ts'

/**
 * Evaluates a policy over the facts of a payment. Pure. The result lists every check with the value it saw. A
 * threshold is the highest value that passes. Decision 0051.
 */

/** Activity of a customer in the window of one rule. */
export interface Counts {
  /** Other payments that are being paid or were paid. */
  readonly payments: number
  readonly totalMinor: bigint
  /** Attempts that a provider declined, including those of this payment. */
  readonly rejects: number
  /** Cards other than the current one, whatever the result of their attempts. */
  readonly cards: number
}

const NO_ACTIVITY: Counts = { payments: 0, totalMinor: 0n, rejects: 0, cards: 0 }

export const isCounted = ({ measure }: Rule): boolean =>
  measure !== 'SingleAmount' && measure !== 'ProviderRiskScore'

/** A rule for a currency or for profiles applies only to payments in them. */
export const appliesTo = (rule: Rule, facts: Pick<FraudFacts, 'currency' | 'profileId'>): boolean =>
  (rule.currency === null || rule.currency === facts.currency) &&
  (rule.profiles === null || rule.profiles.includes(facts.profileId))

/** Activity at or before this time is not counted. */
export function windowStart(rule: Rule, now: Date, resetTime: Date | null): Date {
  const startMs = now.getTime() - PERIODS[rule.period] * rule.periodCount * DAY
  return new Date(Math.max(startMs, resetTime?.getTime() ?? startMs))
}

export interface Evaluation {
  readonly policy: Policy
  readonly facts: FraudFacts
  /** By the position of the rule, from 1. */
  readonly counts: ReadonlyMap<number, Counts>
}

/** Checks that run before the provider is called. */
export const judgeBefore = (evaluation: Evaluation): FraudCheck[] => [
  ...judgeFirewall(evaluation.policy.firewall, evaluation.facts, 'Before'),
  ...checkRules(evaluation, 'Before', (rule) => rule.measure !== 'ProviderRiskScore'),
]

/** Checks that need the provider's result: its risk score, and a card that was unknown before. */
export const judgeAfter = (evaluation: Evaluation, cardWasKnown: boolean): FraudCheck[] => [
  ...judgeFirewall(evaluation.policy.firewall, evaluation.facts, 'After'),
  ...checkRules(
    evaluation,
    'After',
    (rule) => isCheckedAfter(rule) && (rule.measure === 'ProviderRiskScore' || !cardWasKnown),
  ),
]

/** After the provider has answered, it is too late to ask for 3-D Secure. */
const isCheckedAfter = ({ measure, action }: Rule): boolean =>
  (measure === 'ProviderRiskScore' || measure === 'DistinctCard') && !isThreeDSecureAction(action)

/** Whether a policy has checks that run after the provider has answered. */
export const hasChecksAfter = ({ rules, firewall }: Policy): boolean =>
  rules.some(isCheckedAfter) ||
  firewall.maxRiskScore !== null ||
  firewall.matchCardCountry ||
  firewall.allowedCountries.length + firewall.blockedCountries.length > 0

function checkRules(
  evaluation: Evaluation,
  stage: FraudCheck['stage'],
  isIncluded: (rule: Rule) => boolean,
): FraudCheck[] {
  const { policy, facts, counts } = evaluation
  return policy.rules.flatMap((rule, index) => {
    if (!isIncluded(rule)) return []
    const place = index + 1
    const check = {
      stage,
      name: rule.measure,
      rule: place,
      action: rule.action,
      limit: String(rule.threshold),
    }
    const hasPayer = facts.isCard && facts.payerPresent
    const isPossible = hasPayer || !isThreeDSecureAction(rule.action)
    if (!appliesTo(rule, facts) || !isPossible)
      return [{ ...check, seen: null, result: 'NotApplicable' } as const]
    return [{ ...check, ...evaluateRule(rule, facts, counts.get(place) ?? NO_ACTIVITY) }]
  })
}

function evaluateRule(rule: Rule, facts: FraudFacts, counts: Counts): Pick<FraudCheck, 'seen' | 'result'> {
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

/** Thresholds have two decimals, currencies from none to four: compared as integers to be exact. */
function amount(minor: bigint, currency: string, threshold: number): Pick<FraudCheck, 'seen' | 'result'> {
  const hundredths = BigInt(Math.round(threshold * 100))
  const exceeds = minor * 100n > hundredths * 10n ** BigInt(currencyDigits(currency))
  return { seen: decimalText(minor, currency), result: exceeds ? 'Violated' : 'Passed' }
}

import Type from 'typebox'
import { Instant } from '../../http/wire.ts'
import { MEASURES, type Policy, type Rule } from '../policy.ts'
import { isCounted } from '../rules.ts'
import { type BlockKind, DECISIONS, type FraudCheck, isAllowed, isListCheck } from '../verdict.ts'
import type { VerdictRecord } from './store.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const CheckAnswer = Type.Object({
  stage: Type.Enum(['Before', 'After'], {
    description: 'Before the provider was called, or after it approved.',
  }),
  name: Type.String({ description: 'The measure of a rule, or what the firewall looked at.' }),
  rule: nullable(Type.Integer({ description: 'The place of the rule in the policy, from 1.' })),
  action: Type.String(),
  seen: nullable(Type.String()),
  limit: Type.String(),
  allowed: nullable(Type.Array(Type.String(), { description: 'The allow list of the firewall.' })),
  blocked: nullable(Type.Array(Type.String(), { description: 'The block list of the firewall.' })),
  currency: nullable(Type.String({ description: 'Of amounts; null for other values.' })),
  period: nullable(Type.Enum(['Daily', 'Weekly', 'Monthly'], { description: 'The period of the rule.' })),
  periodCount: nullable(Type.Integer({ description: 'How many periods the rule counts.' })),
  result: Type.Enum(['Passed', 'Violated', 'NotKnown', 'NotApplicable']),
  explanation: Type.String(),
})

export const VerdictsAnswer = Type.Object(
  {
    paymentId: Type.Integer(),
    fraudStatus: Type.String(),
    verdicts: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        time: Instant,
        fraudPolicyId: nullable(Type.Integer({ description: 'Null: the block list alone was checked.' })),
        fraudPolicyName: nullable(Type.String()),
        version: nullable(Type.Integer()),
        paymentProfileId: Type.Integer(),
        decision: Type.Enum([...DECISIONS]),
        checks: Type.Array(CheckAnswer),
      }),
    ),
  },
  { title: 'FraudVerdicts' },
)

export const verdictView = (verdict: VerdictRecord, policy: Policy | undefined) => ({
  attempt: verdict.attempt,
  time: verdict.verdictTime.toISOString(),
  fraudPolicyId: verdict.policyId,
  fraudPolicyName: policy?.name ?? null,
  version: verdict.policyVersion,
  paymentProfileId: verdict.profileId,
  decision: verdict.decision,
  checks: verdict.checks.map((check) => explainedCheck(check, policy, verdict.currency)),
})

export type ExplainedCheck = ReturnType<typeof explainedCheck>

/** With the window of its rule, the currency of the payment and a sentence. */
export function explainedCheck(check: FraudCheck, policy: Policy | undefined, paidIn: string) {
  const currency = isAmount(check) ? paidIn : null
  const rule = ruleOf(check, policy)
  const hasWindow = rule !== undefined && isCounted(rule)
  const [allowed, blocked] = listsOf(check, policy) ?? [null, null]
  return {
    ...check,
    rule: check.rule ?? null,
    allowed,
    blocked,
    currency,
    period: hasWindow ? rule.period : null,
    periodCount: hasWindow ? rule.periodCount : null,
    explanation: checkText(check, policy, currency),
  }
}

/** The lists of the firewall that the check compares with. */
function listsOf({ name, rule }: FraudCheck, policy: Policy | undefined) {
  if (!policy || rule !== undefined) return undefined
  const { allowedAddresses, blockedAddresses, allowedCountries, blockedCountries } = policy.firewall
  if (name === 'Address') return [allowedAddresses, blockedAddresses] as const
  return name === 'Country' ? ([allowedCountries, blockedCountries] as const) : undefined
}

/** Sums too are of the payments in its currency only. */
const isAmount = ({ name }: FraudCheck): boolean => name === 'SingleAmount' || name === 'TotalAmount'

const ruleOf = (check: FraudCheck, policy: Policy | undefined): Rule | undefined =>
  check.rule === undefined ? undefined : policy?.rules[check.rule - 1]

const FIREWALL: Readonly<Record<string, string>> = {
  Address: "payer's address",
  Country: 'country of address, card and payer',
  CardCountry: 'country of the card',
  RiskScore: "provider's risk score",
}

const LISTED: Readonly<Record<BlockKind, string>> = {
  Card: 'card',
  Email: 'e-mail address',
  EmailDomain: 'domain of the e-mail address',
  Address: "payer's address",
  Customer: 'customer',
  Country: 'country of address, card and payer',
}

function listedText({ name, seen }: FraudCheck): string {
  if (name === 'BlockList') return 'Block list: no entry. Passed.'
  if (isAllowed({ name }))
    return `Allow list: ${LISTED[name.replace('Allowed', '') as BlockKind]}: entry ${seen}. Let through.`
  return `Block list: ${LISTED[name.replace('Listed', '') as BlockKind]}: entry ${seen}. Violated.`
}

/** A check as text: "Rule 1: payments of the customer … in the last 1 day: 6, at most 5. Violated." */
function checkText(check: FraudCheck, policy: Policy | undefined, currency: string | null): string {
  if (isListCheck(check)) return listedText(check)
  const rule = ruleOf(check, policy)
  const subject =
    check.name in MEASURES ? MEASURES[check.name as keyof typeof MEASURES] : FIREWALL[check.name]
  const source = check.rule === undefined ? 'Firewall' : `Rule ${check.rule}`
  const window = rule ? windowOf(rule) : ''
  const unit = currency === null ? '' : ` ${currency}`
  const seen = check.seen === null ? 'nothing' : check.seen + unit
  return `${source}: ${subject}${window}: ${seen}; ${limitOf(check)}${unit}. ${RESULTS[check.result]}`
}

const RESULTS = {
  Passed: 'Passed.',
  Violated: 'Violated.',
  NotKnown: 'It could not be checked.',
  NotApplicable: 'It does not apply to this payment.',
} as const

const limitOf = ({ rule, name, limit }: FraudCheck): string =>
  rule !== undefined || name === 'RiskScore' ? `at most ${limit}` : `fine: ${limit}`

function windowOf(rule: Rule): string {
  if (!isCounted(rule)) return ''
  const { period, periodCount } = rule
  const unit = { Daily: 'day', Weekly: 'week', Monthly: '30 days' }[period]
  return periodCount === 1 ? ` in the last ${unit}` : ` in the last ${periodCount} × ${unit}`
}

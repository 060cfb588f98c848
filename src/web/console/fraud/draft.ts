import { invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { plainDecimal } from '../../../base/presentation/typed-amount.ts'
import { PolicyInput, readFirewall, readRules } from '../../../fraud/policies/schema.ts'
import type { Firewall, Policy, Rule } from '../../../fraud/policy.ts'
import { countries } from '../../kit/countries.tsx'
import { checked, choice, type FormField, type FormValues, lines, text, tick } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'

/** A policy as it was typed: nothing is lost when it is refused. */
export interface PolicyDraft {
  readonly name: string
  readonly rules: readonly RuleDraft[]
  readonly firewall: FormValues
}

/** What happens when something cannot be checked. */
export const outcomes = ({ texts: { fraud } }: AppRequest) =>
  (['Accept', 'Reject'] as const).map((value) => ({ value, label: fraud.unavailable[value] }))

/** A text that is not a number is refused by the schema, which names the field. */
const numberOrText = (text: string): number | string =>
  /^\d{1,4}([.,]\d{1,4})?$/.test(text) ? Number(text.replace(',', '.')) : text

const ADDRESSES = { rows: 3, maxLength: 60_000 }

/** Members of the firewall: `firewall.maxRiskScore`. */
export const FIREWALL_LIMITS: readonly FormField[] = [
  countries('firewall.allowedCountries', { id: 'firewall-allowedCountries' }),
  countries('firewall.blockedCountries', { id: 'firewall-blockedCountries' }),
  lines('firewall.allowedAddresses', { id: 'firewall-allowedAddresses', ...ADDRESSES }),
  lines('firewall.blockedAddresses', { id: 'firewall-blockedAddresses', ...ADDRESSES }),
  {
    ...text('firewall.maxRiskScore', { id: 'firewall-maxRiskScore', maxLength: 1_200 }),
    body: (value) => (value === '' ? null : numberOrText(String(value))),
  },
  choice('firewall.whenUnavailable', outcomes, { id: 'firewall-whenUnavailable', empty: null }),
]
export const FIREWALL_REST: readonly FormField[] = [
  tick('firewall.matchCardCountry', { id: 'firewall-matchCardCountry' }),
  text('firewall.message', { id: 'firewall-message', maxLength: 1_200, empty: null }),
]
const FIREWALL = [...FIREWALL_LIMITS, ...FIREWALL_REST]

export const firewallMember = (field: string) => field.replace('firewall.', '') as keyof Firewall

const RULE_TEXTS = ['measure', 'periodCount', 'period', 'threshold', 'currency', 'action', 'message'] as const
type RuleTexts = Readonly<Record<(typeof RULE_TEXTS)[number], string>>
export type RuleDraft = RuleTexts & { readonly profiles: readonly string[] }

const MAX_RULES = 50

export const ruleField = (place: number, name: string): string => `rule.${place}.${name}`

const NEW_RULE: RuleDraft = {
  measure: 'TotalAmount',
  periodCount: '7',
  period: 'Daily',
  threshold: '500',
  currency: '',
  action: 'RejectPayment',
  message: '',
  profiles: [],
}

const textsOf = (textOf: (name: keyof RuleTexts) => unknown): RuleTexts =>
  Object.fromEntries(RULE_TEXTS.map((name) => [name, String(textOf(name) ?? '')])) as RuleTexts

const ruleDraftOf = (rule: Rule): RuleDraft => ({
  ...textsOf((name) => rule[name]),
  profiles: (rule.profiles ?? []).map(String),
})

export const draftOf = ({
  name,
  rules,
  firewall,
}: Pick<Policy, 'name' | 'rules' | 'firewall'>): PolicyDraft => ({
  name,
  rules: rules.map(ruleDraftOf),
  firewall: Object.fromEntries(
    FIREWALL.map(({ name: field, stored }) => [field, stored(firewall[firewallMember(field)])]),
  ),
})

export function readDraft({ call }: AppRequest): PolicyDraft {
  const text = (name: string): string => (call.form.get(name) ?? '').trim()
  const count = Math.min(Number(text('rules')) || 0, MAX_RULES)
  const rules = Array.from({ length: count }, (_rule, place) => ({
    ...textsOf((name) => text(ruleField(place, name))),
    profiles: call.fieldsOf(ruleField(place, 'profiles')),
  }))
  const firewall = Object.fromEntries(FIREWALL.map(({ name, posted }) => [name, posted(call)]))
  return { name: text('name'), rules, firewall }
}

/** `add`, `up:2`, `down:2` or `remove:2` with the place of the rule, from 0. Others change nothing. */
export function rearranged(draft: PolicyDraft, act: string): PolicyDraft {
  const [verb = '', text = ''] = act.split(':')
  const { rules } = draft
  if (verb === 'add') return rules.length < MAX_RULES ? { ...draft, rules: [...rules, NEW_RULE] } : draft
  const place = Number(text)
  const rule = /^\d{1,3}$/.test(text) ? rules[place] : undefined
  if (!rule) return draft
  const others = rules.toSpliced(place, 1)
  if (verb === 'remove') return { ...draft, rules: others }
  const to = verb === 'up' ? place - 1 : verb === 'down' ? place + 1 : place
  return { ...draft, rules: others.toSpliced(Math.max(0, to), 0, rule) }
}

/** The name of a policy. Throws 400 with the field. */
export function readName({ call, texts }: AppRequest, field: 'name' | 'copyName'): string {
  const name = (call.form.get(field) ?? '').trim()
  if (name === '' || name.length > LIMITS.nameLength)
    throw invalid([{ field, message: texts.fraud.nameMissing }])
  return name
}

/** Validates as the API does. Throws with every invalid field. */
export function contentOf(request: AppRequest, { rules, firewall }: PolicyDraft) {
  const name = readName(request, 'name')
  const members = FIREWALL.map(({ name: field, body }) => [
    firewallMember(field),
    body(firewall[field] ?? ''),
  ])
  const input = checked(PolicyInput, {
    name,
    rules: rules.map(ruleInput),
    firewall: Object.fromEntries(members),
  })
  return {
    name,
    rules: readRules(request.app, input.rules ?? []),
    firewall: readFirewall(input.firewall ?? {}),
  }
}

const ruleInput = ({ profiles, currency, periodCount, threshold, ...rule }: RuleDraft) => ({
  ...rule,
  threshold: plainDecimal(threshold, '.') ?? threshold,
  periodCount: /^\d{1,4}$/.test(periodCount) ? Number(periodCount) : periodCount,
  currency: currency || null,
  paymentProfiles: profiles,
})

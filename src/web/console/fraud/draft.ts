import { invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { PolicyInput, readFirewall, readRules } from '../../../fraud/policies/schema.ts'
import type { Policy, Rule } from '../../../fraud/policy.ts'
import { createCheck } from '../../../http/validate.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** A policy as it was typed: nothing is lost when it is refused. */
export interface PolicyDraft {
  readonly name: string
  readonly rules: readonly RuleDraft[]
  readonly firewall: FirewallDraft
}

const RULE_TEXTS = ['measure', 'periodCount', 'period', 'threshold', 'currency', 'action', 'message'] as const
type RuleTexts = Readonly<Record<(typeof RULE_TEXTS)[number], string>>
export type RuleDraft = RuleTexts & { readonly profiles: readonly string[] }

const FIREWALL_TEXTS = [
  'allowedCountries',
  'blockedCountries',
  'allowedAddresses',
  'blockedAddresses',
  'matchCardCountry',
  'maxRiskScore',
  'whenUnavailable',
  'message',
] as const
export type FirewallDraft = Readonly<Record<(typeof FIREWALL_TEXTS)[number], string>>

const MOST_RULES = 50

export const ruleField = (place: number, name: string): string => `rule.${place}.${name}`
export const firewallField = (name: string): string => `firewall.${name}`

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

export const draftOf = ({ name, rules, firewall }: Policy): PolicyDraft => ({
  name,
  rules: rules.map(ruleDraftOf),
  firewall: {
    allowedCountries: firewall.allowedCountries.join(' '),
    blockedCountries: firewall.blockedCountries.join(' '),
    allowedAddresses: firewall.allowedAddresses.join('\n'),
    blockedAddresses: firewall.blockedAddresses.join('\n'),
    matchCardCountry: firewall.matchCardCountry ? 'yes' : '',
    maxRiskScore: firewall.maxRiskScore === null ? '' : String(firewall.maxRiskScore),
    whenUnavailable: firewall.whenUnavailable,
    message: firewall.message ?? '',
  },
})

const ruleDraftOf = (rule: Rule): RuleDraft => ({
  measure: rule.measure,
  periodCount: String(rule.periodCount),
  period: rule.period,
  threshold: String(rule.threshold),
  currency: rule.currency ?? '',
  action: rule.action,
  message: rule.message ?? '',
  profiles: (rule.profiles ?? []).map(String),
})

export function readDraft({ call }: AppRequest): PolicyDraft {
  const text = (name: string): string => (call.form.get(name) ?? '').trim()
  const count = Math.min(Number(text('rules')) || 0, MOST_RULES)
  const rules = Array.from({ length: count }, (_rule, place) => ({
    ...(Object.fromEntries(RULE_TEXTS.map((name) => [name, text(ruleField(place, name))])) as RuleTexts),
    profiles: call.fieldsOf(ruleField(place, 'profiles')),
  }))
  const firewall = Object.fromEntries(
    FIREWALL_TEXTS.map((name) => [name, text(firewallField(name))]),
  ) as FirewallDraft
  return { name: text('name'), rules, firewall }
}

/** `add`, `up:2`, `down:2` or `remove:2` with the place of the rule, from 0. Others change nothing. */
export function rearranged(draft: PolicyDraft, act: string): PolicyDraft {
  const [verb = '', text = ''] = act.split(':')
  const { rules } = draft
  if (verb === 'add') return rules.length < MOST_RULES ? { ...draft, rules: [...rules, NEW_RULE] } : draft
  const place = Number(text)
  const rule = /^\d{1,3}$/.test(text) ? rules[place] : undefined
  if (!rule) return draft
  const others = rules.toSpliced(place, 1)
  if (verb === 'remove') return { ...draft, rules: others }
  const to = verb === 'up' ? place - 1 : verb === 'down' ? place + 1 : place
  return { ...draft, rules: others.toSpliced(Math.max(0, to), 0, rule) }
}

const check = createCheck(PolicyInput)

export type PolicyContent = Pick<Policy, 'name' | 'rules' | 'firewall'>

/** Validates as the API does. Throws with every invalid field. */
export function contentOf(request: AppRequest, draft: PolicyDraft): PolicyContent {
  const { app, texts } = request
  const { name } = draft
  if (name === '' || name.length > LIMITS.nameLength)
    throw invalid([{ field: 'name', message: texts.fraud.nameMissing }])
  const input = { name, rules: draft.rules.map(ruleInput), firewall: firewallInput(draft.firewall) }
  const errors = check(input)
  if (errors.length > 0) throw invalid(errors)
  return {
    name,
    rules: readRules(app, input.rules as Parameters<typeof readRules>[1]),
    firewall: readFirewall(input.firewall as Parameters<typeof readFirewall>[0]),
  }
}

const ruleInput = ({ profiles, currency, periodCount, ...rule }: RuleDraft) => ({
  ...rule,
  periodCount: /^\d{1,4}$/.test(periodCount) ? Number(periodCount) : periodCount,
  currency: currency || null,
  paymentProfiles: profiles,
})

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

const firewallInput = (draft: FirewallDraft) => ({
  allowedCountries: listOf(draft.allowedCountries),
  blockedCountries: listOf(draft.blockedCountries),
  allowedAddresses: listOf(draft.allowedAddresses),
  blockedAddresses: listOf(draft.blockedAddresses),
  matchCardCountry: draft.matchCardCountry === 'yes',
  maxRiskScore: draft.maxRiskScore === '' ? null : numberOrText(draft.maxRiskScore),
  whenUnavailable: draft.whenUnavailable || null,
  message: draft.message || null,
})

/** A text that is not a number is refused by the schema, which names the field. */
const numberOrText = (text: string): number | string =>
  /^\d{1,4}([.,]\d{1,4})?$/.test(text) ? Number(text.replace(',', '.')) : text

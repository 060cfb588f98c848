import { parseMinor } from '../../../base/money.ts'
import { type Firewall, MEASURES, NO_FIREWALL, type Policy, type Rule } from '../../../fraud/policy.ts'
import { isCounted } from '../../../fraud/rules.ts'
import { isAllowed, isListCheck } from '../../../fraud/verdict.ts'
import type { ExplainedCheck } from '../../../fraud/verdicts/view.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { profileName, shortName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { textNamed } from '../../kit/texts/texts.ts'

export const MEASURE_NAMES = Object.keys(MEASURES) as (keyof typeof MEASURES)[]

/** Shortened; the id of a profile that was removed. */
export const policyProfileName = (request: AppRequest, profileId: number): string =>
  shortText(profileName(request, profileId), NAME_SHOWN) ?? String(profileId)

const MAX_NAMED = 5

export function profilesText(request: AppRequest, profiles: readonly number[] | null): string {
  if (!profiles || profiles.length === 0) return request.texts.fraud.allProviders
  const names = profiles.slice(0, MAX_NAMED).map((profileId) => policyProfileName(request, profileId))
  return profiles.length > MAX_NAMED ? `${names.join(', ')} …` : names.join(', ')
}

/** "If total amount over the last 7 days exceeds 500 in EUR on all providers, then reject the payment." */
export function ruleText(request: AppRequest, rule: Rule): string {
  const { fraud } = request.texts
  const measure = fraud.measures[rule.measure]
  const measured = isCounted(rule) ? `${measure} ${windowText(request, rule)}` : measure
  const { format } = new Intl.NumberFormat(request.language.intl, { maximumFractionDigits: 2 })
  const scope = fraud.scope({
    currency: rule.currency ?? fraud.anyCurrency,
    providers: profilesText(request, rule.profiles),
  })
  return fraud.sentence({
    measure: measured,
    limit: format(rule.threshold),
    scope,
    action: fraud.actions[rule.action],
  })
}

/** "Shop, rule 1: number of payments over the last day: 6; at most 5." A page may name the policy itself. */
export function checkText(request: AppRequest, check: ExplainedCheck, policyName?: string | null): string {
  const { fraud, blocks } = request.texts
  const { name, rule, period, periodCount, currency } = check
  if (isListCheck(check)) {
    if (check.seen === null) return blocks.passed
    const kind = textNamed(blocks.kinds, name.replace(/^(Listed|Allowed)/, '')) ?? name
    return (isAllowed(check) ? blocks.letThrough : blocks.listed)({ kind, entry: check.seen })
  }
  const seen = check.seen === null ? fraud.unknown : amountText(request, check.seen, currency)
  const window = period && periodCount ? ` ${windowText(request, { period, periodCount })}` : ''
  const limit = limitText(request, check)
  const most = rule !== null || name === 'RiskScore' ? fraud.atMost({ limit }) : fraud.allowed({ limit })
  const policy = shortText(policyName ?? undefined, NAME_SHOWN)
  const source = [policy, sourceText(request, rule)].filter(Boolean).join(', ')
  return `${source}: ${checkName(request, name)}${window}: ${seen}; ${most}.`
}

/** The lists of the firewall, shortened; a country; or a number, with its currency if it has one. */
function limitText(request: AppRequest, check: ExplainedCheck): string {
  const { fraud } = request.texts
  const { name, allowed, blocked, limit, currency } = check
  if (name === 'CardCountry' && !/^[A-Z]{2}$/.test(limit)) return fraud.addressCountry
  const [only, not] = [allowed, blocked].map((list) => namedOf(request, list))
  if (!only && !not) return amountText(request, limit, currency)
  return [only && fraud.onlyListed({ list: only }), not && fraud.notListed({ list: not })]
    .filter(Boolean)
    .join(', ')
}

function namedOf({ texts }: AppRequest, list: readonly string[] | null | undefined): string | undefined {
  if (!list || list.length === 0) return undefined
  const named = list.slice(0, MAX_NAMED).join(' ')
  return list.length > MAX_NAMED
    ? texts.fraud.andMore({ list: named, count: list.length - MAX_NAMED })
    : named
}

/** A limit may have more decimals than the currency: then it stands beside its code. */
function amountText({ language }: AppRequest, text: string, currency: string | null): string {
  if (currency === null) return text
  const minor = parseMinor(text, currency)
  return minor === undefined ? `${text} ${currency}` : moneyInText(language, minor, currency)
}

/** What a check looks at; the name itself of one that this version does not know. */
export function checkName({ texts: { fraud } }: AppRequest, name: string): string {
  const names: Readonly<Record<string, string>> = { ...fraud.measures, ...fraud.checkNames }
  return names[name] ?? name
}

export const sourceText = ({ texts: { fraud } }: AppRequest, rule: number | null): string =>
  rule === null ? fraud.firewall : fraud.rule({ place: rule })

type Window = Pick<Rule, 'period' | 'periodCount'>

const windowText = ({ texts: { fraud } }: AppRequest, { period, periodCount }: Window): string =>
  periodCount === 1
    ? fraud.windowOne[period]
    : fraud.windowText({ count: periodCount, period: fraud.periods[period] })

/** Differences between a version and the one before it. */
export function changesText(request: AppRequest, before: Policy, after: Policy): string[] {
  const { fraud } = request.texts
  const old = before.rules.map((rule) => fullText(request, rule))
  const fresh = after.rules.map((rule) => fullText(request, rule))
  const added = missingFrom(old, fresh)
  const removed = missingFrom(fresh, old)
  const isMoved = added.length + removed.length === 0 && old.join('\n') !== fresh.join('\n')
  const fields = firewallChanges(before.firewall, after.firewall).map((name) => fraud.fields[name].label)
  return [
    ...(before.name === after.name
      ? []
      : [fraud.renamed({ before: shortName(before), after: shortName(after) })]),
    ...added.map((sentence) => fraud.ruleAdded({ sentence })),
    ...removed.map((sentence) => fraud.ruleRemoved({ sentence })),
    ...(isMoved ? [fraud.rulesMoved] : []),
    ...(fields.length > 0 ? [fraud.firewallChanged({ names: fields.join(', ') })] : []),
  ]
}

const fullText = (request: AppRequest, rule: Rule): string => {
  const message = shortText(rule.message ?? undefined, NAME_SHOWN)
  return message
    ? `${ruleText(request, rule)} ${request.texts.fraud.say({ message })}`
    : ruleText(request, rule)
}

function missingFrom(known: readonly string[], texts: readonly string[]): string[] {
  const left = [...known]
  return texts.filter((text) => {
    const place = left.indexOf(text)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

const FIREWALL_NAMES = Object.keys(NO_FIREWALL) as (keyof Firewall)[]

const firewallChanges = (before: Firewall, after: Firewall) =>
  FIREWALL_NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

export const hasFirewall = ({ firewall }: Policy): boolean =>
  firewallChanges(NO_FIREWALL, firewall).some((name) => name !== 'message' && name !== 'whenUnavailable')

import Type, { type Static } from 'typebox'
import { parseRange } from '../../base/addresses.ts'
import { isCurrency } from '../../base/currencies.ts'
import { type FieldError, invalid } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { expected } from '../../base/mistakes.ts'
import { decimalsOf } from '../../base/money.ts'
import { IdInput, Instant, MoneyInput, maybe, name, readId, text } from '../../http/wire.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import { isThreeDSecureAction } from '../../providers/methods/three-d-secure.ts'
import {
  type Firewall,
  MEASURES,
  type Measure,
  NO_FIREWALL,
  PERIODS,
  RULE_ACTIONS,
  type Rule,
} from '../policy.ts'

const measures = Object.keys(MEASURES) as Measure[]
const Period = Type.Enum(Object.keys(PERIODS) as (keyof typeof PERIODS)[])

const RuleInput = Type.Object({
  action: Type.Enum([...RULE_ACTIONS], {
    description:
      'The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` ' +
      'rejects the payment if no profile can ask.',
  }),
  measure: Type.Enum(measures, {
    description: measures.map((measure) => `${measure}: ${MEASURES[measure]}.`).join(' '),
  }),
  period: maybe(Period, 'Rolling: 24 hours, 7 or 30 days. Daily when not given.'),
  periodCount: maybe(Type.Integer({ minimum: 1, maximum: 365 }), 'How many periods; 1 when not given.'),
  threshold: MoneyInput,
  currency: maybe(Type.String({ pattern: '^[A-Z]{3}$', expected: 'currency' }), 'Null: any.'),
  paymentProfiles: maybe(Type.Array(IdInput, { maxItems: 100 }), 'Null or empty: all.'),
  message: maybe(text(LIMITS.messageLength), 'For the payer, when the rule stops the payment.'),
})
export const RulesInput = Type.Array(RuleInput, { maxItems: 50 })
type RulesInput = Static<typeof RulesInput>

const Country = Type.String({ pattern: '^[A-Za-z]{2}$', expected: 'country' })
const Countries = maybe(Type.Array(Country, { maxItems: 300 }))
const Addresses = maybe(
  Type.Array(Type.String({ maxLength: 60 }), { maxItems: 1_000 }),
  'IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24.',
)

const FirewallInput = Type.Object({
  allowedCountries: Countries,
  blockedCountries: Countries,
  allowedAddresses: Addresses,
  blockedAddresses: Addresses,
  matchCardCountry: maybe(Type.Boolean(), "The card must come from the country of the customer's address."),
  maxRiskScore: maybe(Type.Number({ minimum: 0, maximum: 100 })),
  whenUnavailable: maybe(Type.Enum(['Accept', 'Reject']), 'When something to be checked is not known.'),
  message: maybe(text(LIMITS.messageLength)),
})
type FirewallInput = Static<typeof FirewallInput>

export const PolicyInput = Type.Object(
  {
    name: name(LIMITS.nameLength),
    isDefault: maybe(Type.Boolean(), 'Applies to every payment that names no other policy.'),
    rules: maybe(RulesInput),
    firewall: maybe(FirewallInput),
  },
  { title: 'FraudPolicyInput' },
)

export const PolicyPatch = Type.Object(
  { ...PolicyInput.properties, name: maybe(name(LIMITS.nameLength)) },
  {
    title: 'FraudPolicyPatch',
    description: 'What is absent or null stays; rules and firewall are replaced whole.',
  },
)

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const RuleAnswer = Type.Object({
  action: Type.Enum([...RULE_ACTIONS]),
  measure: Type.Enum(measures),
  period: Period,
  periodCount: Type.Integer(),
  threshold: Type.Number(),
  currency: nullable(Type.String()),
  paymentProfiles: nullable(Type.Array(Type.Integer())),
  message: nullable(Type.String()),
})

const FirewallAnswer = Type.Object({
  allowedCountries: Type.Array(Type.String()),
  blockedCountries: Type.Array(Type.String()),
  allowedAddresses: Type.Array(Type.String()),
  blockedAddresses: Type.Array(Type.String()),
  matchCardCountry: Type.Boolean(),
  maxRiskScore: nullable(Type.Number()),
  whenUnavailable: Type.Enum(['Accept', 'Reject']),
  message: nullable(Type.String()),
})

const content = { name: Type.String(), rules: Type.Array(RuleAnswer), firewall: FirewallAnswer }

export const PolicyAnswer = Type.Object(
  {
    fraudPolicyId: Type.Integer(),
    isDefault: Type.Boolean(),
    version: Type.Integer(),
    ...content,
    createdTime: Instant,
  },
  { title: 'FraudPolicy' },
)

export const VersionAnswer = Type.Object(
  {
    version: Type.Integer(),
    change: Type.Enum(['Created', 'Changed', 'Deleted']),
    changedTime: Instant,
    changedBy: nullable(
      Type.Object(
        { keyId: nullable(Type.String()), name: nullable(Type.String()) },
        { description: 'An API key, or a person: then `keyId` is null.' },
      ),
    ),
    ...content,
  },
  { title: 'FraudPolicyVersion' },
)

const cursor = Type.Optional(
  Type.String({
    pattern: '^\\d{1,15}$',
    expected: 'taken from the link to the next page',
    description: 'Where a page begins; from the `Link` header of the one before.',
  }),
)

export const PolicyPageQuery = Type.Object({ after: cursor })
export const VersionPageQuery = Type.Object({ before: cursor })

export const PolicyParams = Type.Object({ appId: Type.String(), fraudPolicyId: Type.String() })

/** Converts the rules, or throws with every invalid field. */
export function readRules(app: App, input: RulesInput, field = 'rules'): Rule[] {
  const errors: FieldError[] = []
  const rules = input.map((rule, place) => readRule(app, rule, { field: `${field}[${place}]`, errors }))
  if (errors.length > 0) throw invalid(errors)
  return rules
}

interface Reading {
  readonly field: string
  readonly errors: FieldError[]
}

function readRule(app: App, input: RulesInput[number], { field, errors }: Reading): Rule {
  const { action, measure, period, periodCount, message } = input
  const currency = input.currency ?? null
  if (measure === 'ProviderRiskScore' && isThreeDSecureAction(action))
    errors.push(expected(`${field}.action`, 'actionBefore'))
  if (currency !== null && !isCurrency(currency)) errors.push(expected(`${field}.currency`, 'currency'))
  const profiles = input.paymentProfiles?.length ? input.paymentProfiles.map((id) => readId(id) ?? -1) : null
  for (const id of profiles ?? [])
    if (!findProfile(app, id)) errors.push(expected(`${field}.paymentProfiles`, 'profile', { id }))
  return {
    action,
    measure,
    period: period ?? 'Daily',
    periodCount: periodCount ?? 1,
    threshold: readThreshold(measure, input.threshold, { field, errors }),
    currency,
    profiles,
    message: message || null,
  }
}

const AMOUNTS: readonly Measure[] = ['TotalAmount', 'SingleAmount']

function readThreshold(measure: Measure, given: number | string, { field, errors }: Reading): number {
  const threshold = Number(given)
  const decimals = AMOUNTS.includes(measure) ? 2 : 0
  const most = Number(LIMITS.maxAmountMajor)
  if (!(threshold >= 0 && threshold <= most) || decimalsOf(given) > decimals)
    errors.push(expected(`${field}.threshold`, 'threshold', { most, places: decimals }))
  return threshold
}

export function readFirewall(input: FirewallInput): Firewall {
  const errors: FieldError[] = []
  const addresses = (field: 'allowedAddresses' | 'blockedAddresses') => {
    const texts = (input[field] ?? []).map((one) => one.trim())
    for (const [place, one] of texts.entries())
      if (!parseRange(one)) errors.push(expected(`firewall.${field}[${place}]`, 'addressRange'))
    return texts
  }
  const countries = (codes: readonly string[] | null | undefined) =>
    (codes ?? []).map((code) => code.toUpperCase())
  const firewall: Firewall = {
    allowedCountries: countries(input.allowedCountries),
    blockedCountries: countries(input.blockedCountries),
    allowedAddresses: addresses('allowedAddresses'),
    blockedAddresses: addresses('blockedAddresses'),
    matchCardCountry: input.matchCardCountry ?? NO_FIREWALL.matchCardCountry,
    maxRiskScore: input.maxRiskScore ?? null,
    whenUnavailable: input.whenUnavailable ?? NO_FIREWALL.whenUnavailable,
    message: input.message || null,
  }
  if (errors.length > 0) throw invalid(errors)
  return firewall
}

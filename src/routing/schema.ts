import Type, { type Static } from 'typebox'
import { isCurrency } from '../base/currencies.ts'
import { type FieldError, invalid } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { expected } from '../base/mistakes.ts'
import { parseMinor } from '../base/money.ts'
import { IdInput, Instant, MoneyInput, maybe, name, readId } from '../http/wire.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { FAILOVER_CAUSES, type RoutingConfig, type RoutingRule } from '../merchants/routing-config.ts'
import { METHOD_IDS } from '../providers/methods/method.ts'
import { THREE_D_SECURE_ACTIONS } from '../providers/methods/three-d-secure.ts'
import { METHOD_KINDS } from '../providers/outcome.ts'
import type { RoutingFacts } from './rules.ts'

const Currency = Type.String({ pattern: '^[A-Z]{3}$', expected: 'currency' })
const Country = Type.String({ pattern: '^[A-Za-z]{2}$', expected: 'country' })

const Method = Type.Enum([...METHOD_KINDS, ...METHOD_IDS])

const RouteInput = Type.Object({
  name: maybe(name(LIMITS.nameLength)),
  currency: maybe(Currency),
  method: maybe(Method),
  minAmount: maybe(MoneyInput),
  maxAmount: maybe(MoneyInput),
  countries: maybe(Type.Array(Country, { maxItems: 300 }), "Of the customer's address."),
  brands: maybe(Type.Array(name(50), { maxItems: 50 }), 'Known for stored cards.'),
  threeDSecure: maybe(
    Type.Enum([...THREE_D_SECURE_ACTIONS]),
    'Asked for card payments that meet the conditions, at any profile.',
  ),
  profiles: Type.Array(
    Type.Object({
      paymentProfileId: IdInput,
      weight: maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
    }),
    { minItems: 1, maxItems: 100 },
  ),
})

export const RoutingInput = Type.Object(
  {
    defaultProfiles: maybe(
      Type.Array(Type.Object({ currency: Currency, paymentProfileId: IdInput }), { maxItems: 300 }),
      'The profile that comes first for a currency where no route says otherwise.',
    ),
    routes: maybe(
      Type.Array(RouteInput, { maxItems: 100 }),
      'The first whose conditions are met decides. What is absent or null is no condition.',
    ),
    noFailoverAfter: maybe(
      Type.Array(Type.Enum([...FAILOVER_CAUSES]), { maxItems: FAILOVER_CAUSES.length }),
      'Causes after which no other profile is tried. Absent or null: none.',
    ),
  },
  { title: 'RoutingInput' },
)
type RoutingInput = Static<typeof RoutingInput>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const Trouble = nullable(Type.Object({ explanation: Type.String(), probedTime: Instant }))

export const RoutingAnswer = Type.Object(
  {
    defaultProfiles: Type.Array(Type.Object({ currency: Type.String(), paymentProfileId: Type.Integer() })),
    routes: Type.Array(
      Type.Object({
        name: nullable(Type.String()),
        currency: nullable(Type.String()),
        method: nullable(Type.String()),
        minAmount: nullable(Type.Number()),
        maxAmount: nullable(Type.Number()),
        countries: nullable(Type.Array(Type.String())),
        brands: nullable(Type.Array(Type.String())),
        threeDSecure: Type.Optional(Type.Enum([...THREE_D_SECURE_ACTIONS])),
        profiles: Type.Array(
          Type.Object({ paymentProfileId: Type.Integer(), weight: nullable(Type.Number()) }),
        ),
      }),
    ),
    noFailoverAfter: Type.Array(Type.String()),
    health: Type.Array(
      Type.Object({ paymentProfileId: Type.Integer(), paymentProfileName: Type.String(), trouble: Trouble }),
    ),
  },
  { title: 'Routing' },
)

export const ExplainInput = Type.Object({
  currency: Currency,
  amount: maybe(MoneyInput),
  method: maybe(Method),
  autoCapture: maybe(Type.Boolean(), 'true when not given.'),
  country: maybe(Country),
  brand: maybe(name(50)),
  paymentId: maybe(IdInput, 'Weights draw by it: the same payment, the same order.'),
})

export const ExplainAnswer = Type.Object(
  {
    profiles: Type.Array(
      Type.Object({
        place: Type.Integer(),
        paymentProfileId: Type.Integer(),
        paymentProfileName: Type.String(),
        method: Type.String(),
        reasons: Type.Array(Type.String()),
      }),
    ),
    excluded: Type.Array(
      Type.Object({ paymentProfileId: Type.Integer(), method: Type.String(), reason: Type.String() }),
    ),
  },
  { title: 'RoutingExplanation' },
)

/** Converts the routing, or throws with every invalid field. */
export function readRouting(app: App, input: RoutingInput): RoutingConfig {
  const errors: FieldError[] = []
  const profile = (id: number | string, field: string): number => {
    const profileId = readId(id) ?? -1
    if (!findProfile(app, profileId)) errors.push(expected(field, 'profile', { id }))
    return profileId
  }
  const currency = (code: string, field: string): string => {
    if (!isCurrency(code)) errors.push(expected(field, 'currency'))
    return code
  }
  const defaults = (input.defaultProfiles ?? []).map((one, place) => ({
    currency: currency(one.currency, `defaultProfiles[${place}].currency`),
    profileId: profile(one.paymentProfileId, `defaultProfiles[${place}].paymentProfileId`),
  }))
  for (const [place, one] of defaults.entries())
    if (defaults.findIndex((other) => other.currency === one.currency) < place)
      errors.push(expected(`defaultProfiles[${place}]`, 'otherCurrency', { currency: one.currency }))
  const routes = (input.routes ?? []).map((route, place): RoutingRule => {
    const field = `routes[${place}]`
    return {
      name: route.name ?? null,
      currency: route.currency ? currency(route.currency, `${field}.currency`) : null,
      method: route.method ?? null,
      minAmount: route.minAmount == null ? null : Number(route.minAmount),
      maxAmount: route.maxAmount == null ? null : Number(route.maxAmount),
      countries: route.countries?.length ? route.countries.map((code) => code.toUpperCase()) : null,
      brands: route.brands?.length ? route.brands : null,
      ...(route.threeDSecure ? { threeDSecure: route.threeDSecure } : {}),
      profiles: route.profiles.map(({ paymentProfileId, weight }, index) => ({
        profileId: profile(paymentProfileId, `${field}.profiles[${index}]`),
        weight: weight ?? null,
      })),
    }
  })
  if (errors.length > 0) throw invalid(errors)
  const noFailoverAfter = FAILOVER_CAUSES.filter((cause) => input.noFailoverAfter?.includes(cause))
  return { defaults, routes, noFailoverAfter }
}

export function readRoutingFacts(input: Static<typeof ExplainInput>): RoutingFacts {
  const { currency, amount, country, brand, paymentId } = input
  if (!isCurrency(currency)) throw invalid([expected('currency', 'currency')])
  const minor = amount == null ? undefined : parseMinor(amount, currency)
  if (amount != null && minor === undefined) throw invalid([expected('amount', 'amountOf', { currency })])
  return {
    currency,
    amountMinor: minor,
    country: country?.toUpperCase(),
    brand: brand ?? undefined,
    seed: paymentId == null ? undefined : String(readId(paymentId)),
  }
}

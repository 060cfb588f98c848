import { ApiError } from '../../../base/errors.ts'
import type { RoutingRule } from '../../../merchants/routing-config.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { readConfig } from './change.ts'

/** A route as it was typed. */
export interface RouteDraft {
  readonly name: string
  readonly currency: string
  readonly method: string
  readonly minAmount: string
  readonly maxAmount: string
  readonly countries: string
  readonly brands: string
  readonly profiles: readonly { readonly profileId: string; readonly weight: string }[]
}

const TEXTS = ['name', 'currency', 'method', 'minAmount', 'maxAmount', 'countries', 'brands'] as const
type Texts = Record<(typeof TEXTS)[number], string>

/** Rows for further providers that a form offers. */
const SPARE_ROWS = 2
const MOST_PROFILES = 100

const amountText = (amount: number | null): string => (amount === null ? '' : String(amount))

export const draftOf = (rule: RoutingRule | undefined): RouteDraft => ({
  name: rule?.name ?? '',
  currency: rule?.currency ?? '',
  method: rule?.method ?? '',
  minAmount: amountText(rule?.minAmount ?? null),
  maxAmount: amountText(rule?.maxAmount ?? null),
  countries: rule?.countries?.join(' ') ?? '',
  brands: rule?.brands?.join(', ') ?? '',
  profiles: (rule?.profiles ?? []).map(({ profileId, weight }) => ({
    profileId: String(profileId),
    weight: amountText(weight),
  })),
})

export function readDraft({ call: { form } }: AppRequest): RouteDraft {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, (form.get(name) ?? '').trim()])) as Texts
  const rows = Array.from({ length: MOST_PROFILES + SPARE_ROWS }, (_row, place) => ({
    profileId: form.get(`profile.${place}`) ?? '',
    weight: (form.get(`weight.${place}`) ?? '').trim(),
  }))
  return { ...texts, profiles: rows.filter(({ profileId }) => profileId !== '') }
}

/** The rows of the form: the chosen providers and some empty ones. */
export const rowsOf = ({ profiles }: RouteDraft): RouteDraft['profiles'] => [
  ...profiles,
  ...Array.from({ length: SPARE_ROWS }, () => ({ profileId: '', weight: '' })),
]

const listOf = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean)

/** The rule, or every problem of the draft by field. */
export function ruleOf(request: AppRequest, draft: RouteDraft): RoutingRule {
  const { profiles, countries, brands, ...texts } = draft
  if (profiles.length === 0)
    throw new ApiError('invalid_request', request.texts.routing.providerMissing, {
      errors: [{ field: 'routes[0].profiles', message: request.texts.routing.providerMissing }],
    })
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''))
  const route = {
    ...given,
    countries: listOf(countries, /[\s,;]+/),
    brands: listOf(brands, /[,;]+/),
    profiles: profiles.map(({ profileId, weight }) => ({
      paymentProfileId: profileId,
      ...(weight === '' ? {} : { weight: Number(weight.replace(',', '.')) }),
    })),
  }
  const [rule] = readConfig(request, { routes: [route] }).routes
  if (!rule) throw new ApiError('invalid_request', request.texts.routing.providerMissing)
  return rule
}

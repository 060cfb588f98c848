import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import { adapterOf, findAdapter, takesCurrency } from '../merchants/profiles/adapter.ts'
import { notReadyReason } from '../merchants/profiles/ready.ts'
import { abilitiesFor } from '../providers/abilities.ts'
import { namedMethod } from '../providers/methods/catalogue.ts'
import type { AnyMethod } from '../providers/methods/method.ts'
import { lacksThreeDSecure, strongest, type ThreeDSecureAction } from '../providers/methods/three-d-secure.ts'
import type { Abilities } from '../providers/port.ts'
import { configOf } from './config.ts'
import { troubleOf, troubleWhenPaying } from './health.ts'
import type { Obstacle } from './reasons.ts'
import { type RoutingFacts, rank, routeFor } from './rules.ts'

/** One way to pay: a method at a provider profile, and what it can do there. */
export interface Offer {
  readonly profile: Profile
  readonly method: AnyMethod
  readonly abilities: Abilities
  /** What the merchant or a route asks of 3-D Secure for the payment. */
  readonly threeDSecure?: ThreeDSecureAction
}

interface Paying {
  /** The first offer is used now, so it may probe a failing profile. */
  readonly isPaying?: true
}

/** The needs of the payment, and the facts that routing rules can use. */
export interface OfferRequest extends RoutingFacts, Paying {
  readonly autoCapture: boolean
  /** A stored method is charged, which may have other abilities than the page. */
  readonly isStored?: boolean
  /** The merchant charges without the payer: nothing can be asked of 3-D Secure. */
  readonly isPayerAbsent?: boolean
  /** What the merchant asks of 3-D Secure. */
  readonly threeDSecure?: ThreeDSecureAction | undefined
  readonly profiles?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
}

type Ctx = Pick<Context, 'providers' | 'clock' | 'node' | 'vault'>

/** Every active profile of the app that could take the payment, the best first. */
export function offersFor(ctx: Ctx, app: App, request: OfferRequest): Offer[] {
  const offers = app.profiles
    .filter((profile) => !request.profiles || request.profiles.includes(profile.profileId))
    .flatMap((profile) => methodsOf(ctx, profile))
    .filter((offer) => obstacle(ctx, app, offer, request) === undefined)
    .map((offer) => withThreeDSecure(app, offer, request))
  return routed(ctx, app, offers, request)
}

/** The offer with what the merchant or the first route that fits asks of 3-D Secure. */
export function withThreeDSecure(app: App, offer: Offer, request: OfferRequest): Offer {
  const threeDSecure = actionFor(app, offer, request)
  return threeDSecure ? { ...offer, threeDSecure } : offer
}

function actionFor(
  app: App,
  { profile, method }: Offer,
  request: OfferRequest,
): ThreeDSecureAction | undefined {
  if (method !== 'CreditCard' || request.isPayerAbsent) return undefined
  const candidate = { profileId: profile.profileId, method }
  return strongest([request.threeDSecure, routeFor(candidate, configOf(app), request)?.threeDSecure])
}

/** Ranks offers, best first; keeps their order without routing and failing profiles. */
export function routed(ctx: Ctx, app: App, offers: readonly Offer[], facts: RoutingFacts & Paying): Offer[] {
  const isAsked = offers.some(({ threeDSecure }) => threeDSecure !== undefined)
  const isPlain = app.routing === null && !isAsked && (facts.declinedBy ?? []).length === 0
  if (isPlain && app.profiles.every(({ trouble }) => trouble === null)) return [...offers]
  const trouble = facts.isPaying ? troubleWhenPaying(ctx, app) : troubleOf(app)
  return rank(offers.map(candidateOf), configOf(app), facts, trouble).map(({ candidate }) => candidate.offer)
}

export const candidateOf = (offer: Offer) => ({
  profileId: offer.profile.profileId,
  method: offer.method,
  ...(offer.threeDSecure ? { lacksThreeDSecure: lacksThreeDSecure(offer, offer.threeDSecure) } : {}),
  offer,
})

/** Why an offer cannot take the payment; undefined: it can. */
export function obstacle(
  ctx: Ctx,
  app: App,
  { profile, method, abilities }: Offer,
  request: OfferRequest,
): Obstacle | undefined {
  const { currency } = request
  if (!profile.isActive) return { kind: 'inactive' }
  if (!takesCurrency(ctx, profile, currency)) return { kind: 'currency', currency }
  if (!isWanted(method, abilities, request)) return { kind: 'method' }
  const { authoriseOnly } = abilitiesFor(abilities, request.isStored === true)
  if (!request.autoCapture && !authoriseOnly) return { kind: 'capture' }
  const offer = { profile, method, abilities: abilitiesFor(abilities, request.isStored === true) }
  const action = actionFor(app, offer, request)
  if (action === 'RequireChallenge' && lacksThreeDSecure(offer, action)) return { kind: 'three-d-secure' }
  const reason = notReadyReason(ctx, app, profile)
  if (reason) return { kind: 'not-ready', reason }
  const named = namedObstacle(profile, method, request)
  if (named) return named
  // A stored account was accepted before.
  const { country } = request
  const isAbroad = country !== undefined && !includes(abilities.countries ?? [], country)
  if (isAbroad && !request.isStored) return { kind: 'country', country }
  return amountObstacle(ctx, { profile, method, abilities }, request)
}

/** Why a method by name cannot take the payment; undefined: it can, or it is one of the four kinds. */
function namedObstacle(
  { accountMethods }: Profile,
  method: AnyMethod,
  { currency, country }: OfferRequest,
): Obstacle | undefined {
  const named = namedMethod(method)
  if (!named) return undefined
  if (accountMethods && !accountMethods.includes(method)) return { kind: 'off' }
  if (!includes(named.currencies, currency)) return { kind: 'currency', currency }
  if (country !== undefined && !includes(named.countries, country)) return { kind: 'country', country }
  return undefined
}

/** An empty list is any value. */
const includes = (list: readonly string[], value: string): boolean =>
  list.length === 0 || list.includes(value)

/** Why the provider does not take the amount; undefined: it does, or no amount is given. */
export function amountObstacle(
  ctx: Pick<Context, 'providers'>,
  { profile, method }: Offer,
  { currency, amountMinor }: Pick<RoutingFacts, 'currency' | 'amountMinor'>,
): Obstacle | undefined {
  const { name: provider, amountLimits } = adapterOf(ctx, profile).manifest
  const { smallest, largest, multipleOf } = {
    ...amountLimits?.(currency, method),
    ...namedMethod(method)?.limits?.[currency],
  }
  if (amountMinor === undefined) return undefined
  if (largest === 0n) return { kind: 'never', provider, currency }
  if (smallest !== undefined && amountMinor < smallest)
    return { kind: 'smallest', provider, minor: smallest, currency }
  if (largest !== undefined && amountMinor > largest)
    return { kind: 'largest', provider, minor: largest, currency }
  if (multipleOf !== undefined && amountMinor % multipleOf !== 0n)
    return { kind: 'multiple', provider, minor: multipleOf, currency }
  return undefined
}

/** None when the provider of the profile is not available. */
export function methodsOf(ctx: Pick<Context, 'providers'>, profile: Profile): Offer[] {
  const { methods = {} } = findAdapter(ctx, profile)?.manifest ?? {}
  return profile.methods.flatMap((method) => {
    const abilities = methods[method]
    return abilities ? [{ profile, method, abilities }] : []
  })
}

/**
 * Whether the payment wants the method. As in `payment-checkout-methods`, `ProviderHostedPage` stands for
 * every method without fields on the checkout, `VerifiedPaymentMethod` for stored ones. The latter alone
 * restricts nothing, because a new customer has none.
 */
function isWanted(
  method: AnyMethod,
  { fields }: Abilities,
  { methods = [], isStored }: OfferRequest,
): boolean {
  if (methods.every((one) => one === 'VerifiedPaymentMethod')) return true
  if (isStored && methods.includes('VerifiedPaymentMethod')) return true
  return methods.includes(method) || (!fields && methods.includes('ProviderHostedPage'))
}

import type { Context } from '../context.ts'
import { type App, adapterOf, type Profile, takesCurrency } from '../merchants/app.ts'
import { METHOD_KINDS, type MethodKind } from '../providers/outcome.ts'
import type { Abilities } from '../providers/port.ts'
import { configOf } from './config.ts'
import { troubleOf, troubleWhenPaying } from './health.ts'
import { type RoutingFacts, rank } from './rules.ts'

/** One way to pay: a method at a provider profile, and what it can do there. */
export interface Offer {
  readonly profile: Profile
  readonly method: MethodKind
  readonly abilities: Abilities
}

interface Paying {
  /** The first offer will be used now: it may be the probe of a profile in trouble. */
  readonly isPaying?: true
}

/** What the payment asks of a provider, and what routing may look at. */
export interface OfferRequest extends RoutingFacts, Paying {
  readonly autoCapture: boolean
  readonly profiles?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
}

type Ctx = Pick<Context, 'providers' | 'db' | 'clock'>

/** Every active profile of the app that could take the payment, the best first. */
export function offersFor(ctx: Ctx, app: App, wish: OfferRequest): Offer[] {
  const offers = app.profiles
    .filter((profile) => !wish.profiles || wish.profiles.includes(profile.profileId))
    .flatMap((profile) => methodsOf(ctx, profile))
    .filter((offer) => obstacle(ctx, offer, wish) === undefined)
  return routed(ctx, app, offers, wish)
}

/** The best first; without routing and trouble, as they come. */
export function routed(ctx: Ctx, app: App, offers: readonly Offer[], asking: RoutingFacts & Paying): Offer[] {
  if (app.routing === null && app.profiles.every(({ trouble }) => trouble === null)) return [...offers]
  const trouble = asking.isPaying ? troubleWhenPaying(ctx, app) : troubleOf(app)
  return rank(offers.map(candidateOf), configOf(app), asking, trouble).map(({ candidate }) => candidate.offer)
}

export const candidateOf = (offer: Offer) => ({
  profileId: offer.profile.profileId,
  method: offer.method,
  offer,
})

/** Why an offer cannot take the payment; undefined: it can. */
export function obstacle(
  ctx: Ctx,
  { profile, method, abilities }: Offer,
  wish: OfferRequest,
): string | undefined {
  if (!profile.isActive) return 'the profile is not active'
  if (!takesCurrency(ctx, profile, wish.currency)) return `does not take ${wish.currency}`
  if (!wanted(wish.methods).includes(method)) return 'another method is wanted'
  if (!wish.autoCapture && !abilities.authoriseOnly) return 'cannot authorise without capturing'
  return undefined
}

export function methodsOf(ctx: Pick<Context, 'providers'>, profile: Profile): Offer[] {
  const { methods } = adapterOf(ctx, profile).manifest
  return profile.methods.flatMap((method) => {
    const abilities = methods[method]
    return abilities ? [{ profile, method, abilities }] : []
  })
}

/** Names that are not a method kind (VerifiedPaymentMethod, ProviderHostedPage) narrow nothing here. */
function wanted(methods: readonly string[] | undefined): readonly MethodKind[] {
  const kinds = METHOD_KINDS.filter((kind) => methods?.includes(kind))
  return kinds.length === 0 ? METHOD_KINDS : kinds
}

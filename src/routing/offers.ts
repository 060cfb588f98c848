import type { Context } from '../context.ts'
import { type App, adapterOf, type Profile, takesCurrency } from '../merchants/app.ts'
import { METHOD_KINDS, type MethodKind } from '../providers/outcome.ts'
import type { Abilities } from '../providers/port.ts'

/** One way to pay: a method at a provider profile, and what it can do there. */
export interface Offer {
  readonly profile: Profile
  readonly method: MethodKind
  readonly abilities: Abilities
}

/** What the payment asks of a provider. */
export interface Wish {
  readonly currency: string
  readonly autoCapture: boolean
  readonly profiles?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
}

/** Every active profile of the app that could take the payment, in the order it was added. */
export function offersFor(ctx: Pick<Context, 'providers'>, app: App, wish: Wish): Offer[] {
  return app.profiles
    .filter((profile) => profile.isActive && takesCurrency(ctx, profile, wish.currency))
    .filter((profile) => !wish.profiles || wish.profiles.includes(profile.profileId))
    .flatMap((profile) => methodsOf(ctx, profile))
    .filter((offer) => wanted(wish.methods).includes(offer.method))
    .filter((offer) => wish.autoCapture || offer.abilities.authoriseOnly)
}

function methodsOf(ctx: Pick<Context, 'providers'>, profile: Profile): Offer[] {
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

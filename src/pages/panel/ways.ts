import type { Context } from '../../context.ts'
import { methodsOf } from '../../routing/offers.ts'
import { fieldsOf, type Way, wayId } from '../checkout/ways.ts'
import { shows } from './rules.ts'
import type { Guest } from './session.ts'

/** How a method can be added: each kind once, at the first profile that keeps it without a charge. */
export function waysToAdd(ctx: Context, { app, grant, customer }: Guest): Way[] {
  if (customer.isBlocked) return []
  const offers = app.profiles
    .filter(({ isActive }) => isActive)
    .flatMap((profile) => methodsOf(ctx, profile))
    .filter(({ method, abilities }) => abilities.keepMethod && shows(grant, method))
  return offers
    .filter((offer, place) => offers.findIndex(({ method }) => method === offer.method) === place)
    .map((offer) => ({
      id: wayId(offer),
      offer,
      name: undefined,
      fields: fieldsOf(ctx, { app, offer }),
    }))
}

import type { Context } from '../../context.ts'
import { isKind } from '../../providers/methods/method.ts'
import { methodsOf } from '../../routing/offers.ts'
import { fieldsOf, type MethodOption, methodOptionId } from '../checkout/method-options.ts'
import { providerNameOf } from '../checkout/provider-page.ts'
import { showsMethod } from './rules.ts'
import type { PanelVisitor } from './session.ts'

/** Methods that can be added: each kind once, with the first profile that stores it without a charge. */
export function addableMethodOptions(ctx: Context, { app, grant, customer }: PanelVisitor): MethodOption[] {
  if (customer.isBlocked) return []
  const offers = app.profiles
    .filter(({ isActive }) => isActive)
    .flatMap((profile) => methodsOf(ctx, profile))
    .filter(({ method, abilities }) => abilities.setUpMethod && isKind(method) && showsMethod(grant, method))
  return offers
    .filter((offer, index) => offers.findIndex(({ method }) => method === offer.method) === index)
    .map((offer) => ({
      id: methodOptionId(offer),
      offer,
      name: undefined,
      providerName: providerNameOf(ctx, offer.profile),
      fields: fieldsOf(ctx, { app, offer }),
    }))
}

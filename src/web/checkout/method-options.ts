import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { customerMethods } from '../../customers/methods.ts'
import type { App, Profile } from '../../merchants/app.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import { pageOriginsOf, providerContext } from '../../merchants/profiles/call.ts'
import { offersOf } from '../../payments/provider/failover.ts'
import type { FieldsForm } from '../../providers/fields.ts'
import type { CardFacts, MethodKind } from '../../providers/outcome.ts'
import type { Offer } from '../../routing/offers.ts'
import { originsOf } from '../kit/html/headers.ts'
import { providerNameOf } from './provider-page.ts'
import type { CheckoutRequest } from './request.ts'

/** A payment method that the page offers. */
export interface MethodOption {
  /** `{profileId}.{method}`, as forms send it. */
  readonly id: string
  readonly offer: Offer
  /** Name of the profile, set if several profiles offer the same method. */
  readonly name: string | undefined
  readonly providerName: string | undefined
  /** Fields that post directly to the provider; undefined: the payer is redirected to the provider's page. */
  readonly fields: FieldsForm | undefined
}

export const methodOptionId = ({ profile, method }: Offer): string => `${profile.profileId}.${method}`

/** One option per method, or one per profile if the merchant listed profiles. */
export function methodOptionsOf(
  ctx: Context,
  { app, payment }: Pick<CheckoutRequest, 'app' | 'payment'>,
  offers: readonly Offer[] = offersOf(ctx, app, payment),
): MethodOption[] {
  const shown = payment.details.paymentProfiles
    ? offers
    : offers.filter((offer, index) => offers.findIndex(({ method }) => method === offer.method) === index)
  return shown.map((offer) => ({
    id: methodOptionId(offer),
    offer,
    name: shown.filter(({ method }) => method === offer.method).length > 1 ? offer.profile.name : undefined,
    providerName: providerNameOf(ctx, offer.profile),
    fields: fieldsOf(ctx, { app, offer }),
  }))
}

/** Form targets for the content security policy: providers, directly or by redirect to their pages. */
export const formOrigins = (
  ctx: Context,
  app: App,
  forms: readonly (FieldsForm | undefined)[],
  profiles: readonly Profile[],
): string[] => [
  ...new Set([
    ...originsOf(...forms.map((form) => form?.action)),
    ...profiles.flatMap((profile) => pageOriginsOf(ctx, app, profile)),
  ]),
]

/** Failover may open a page of any profile that is offered, not only of those that have a row. */
export const checkoutFormOrigins = (
  ctx: Context,
  { app, payment }: CheckoutRequest,
  options: readonly MethodOption[],
  saved: readonly SavedMethod[],
): string[] => {
  const origins = formOrigins(
    ctx,
    app,
    [...saved.map(({ codeForm }) => codeForm), ...options.map(({ fields }) => fields)],
    offersOf(ctx, app, payment).map(({ profile }) => profile),
  )
  // On a host name of the app, pages of the installation itself are another origin.
  const own = payment.details.checkoutHost ? originsOf(ctx.config.publicUrl) : []
  return [...new Set([...origins, ...own])]
}

interface AppOffer {
  readonly app: App
  readonly offer: Offer
}

export function fieldsOf(ctx: Context, { app, offer }: AppOffer): FieldsForm | undefined {
  if (!offer.abilities.fields) return undefined
  return adapterOf(ctx, offer.profile).fields?.(contextOf(ctx, { app, offer }), offer.method)
}

const codeFormOf = (ctx: Context, { app, offer }: AppOffer): FieldsForm | undefined =>
  adapterOf(ctx, offer.profile).codeForm?.(contextOf(ctx, { app, offer }))

const contextOf = (ctx: Context, { app, offer }: AppOffer) =>
  providerContext(ctx, app, offer.profile, NEVER_ABORTED)

/** Rendering a form sends no request, so nothing needs a timeout. A timer per form would outlive the page. */
const NEVER_ABORTED = new AbortController().signal

/** A stored method that can pay this payment. */
export interface SavedMethod {
  readonly paymentMethodId: number
  readonly tokenId: number
  readonly kind: MethodKind
  readonly label: string
  readonly card: CardFacts | null
  readonly isDefault: boolean
  readonly isExpired: boolean
  readonly offer: Offer
  /** Form for the security code, if the provider requires it again. */
  readonly codeForm: FieldsForm | undefined
}

/**
 * Stored methods are shown on recent links only, so an old link in a mailbox does not reveal the customer's
 * cards. A link that was made to be passed on never shows them.
 */
export async function savedMethodsOf(ctx: Context, checkout: CheckoutRequest): Promise<SavedMethod[]> {
  const { app, payment, now } = checkout
  const ageMs = now.getTime() - payment.createdTime.getTime()
  const offers = offersOf(ctx, app, payment, { isStored: true }).filter(
    ({ abilities }) => abilities.chargeStored,
  )
  if (payment.details.isLink || ageMs > LIMITS.savedMethodsShownMs || offers.length === 0) return []
  const methods = await customerMethods(ctx, app, payment.customerId, { onlyVerified: true })
  const shown = methods.flatMap((method) => {
    const { paymentMethodId, kind, label, card, isDefault } = method
    for (const { tokenId, profileId } of method.tokens) {
      const offer = offers.find((one) => one.profile.profileId === profileId && one.method === kind)
      if (!offer) continue
      const isExpired = hasExpired(card, now)
      const codeForm = kind === 'CreditCard' ? codeFormOf(ctx, { app, offer }) : undefined
      return [{ paymentMethodId, tokenId, kind, label, card, isDefault, isExpired, offer, codeForm }]
    }
    return []
  })
  return shown.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

function hasExpired(card: CardFacts | null, now: Date): boolean {
  if (!card?.expiryMonth || !card.expiryYear) return false
  return Date.UTC(card.expiryYear, card.expiryMonth, 1) <= now.getTime()
}

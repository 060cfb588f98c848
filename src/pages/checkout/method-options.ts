import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { customerMethods } from '../../customers/methods.ts'
import { type App, adapterOf, providerContext } from '../../merchants/app.ts'
import { offersOf } from '../../payments/provider/failover.ts'
import type { CardFacts, MethodKind } from '../../providers/outcome.ts'
import type { FieldsForm } from '../../providers/port.ts'
import type { Offer } from '../../routing/offers.ts'
import { originsOf } from '../ui/headers.ts'
import type { Visit } from './visit.ts'

/** A way to pay that the page offers. */
export interface MethodOption {
  /** `{profileId}.{method}`, as forms send it. */
  readonly id: string
  readonly offer: Offer
  /** The profile's own name, where the merchant lists several of one kind. */
  readonly name: string | undefined
  /** Fields that post straight to the provider; without them the payer goes to the provider's page. */
  readonly fields: FieldsForm | undefined
}

export const methodOptionId = ({ profile, method }: Offer): string => `${profile.profileId}.${method}`

/** One row for each method; one for each profile where the merchant named the profiles. */
export function methodOptionsOf(ctx: Context, visit: Visit): MethodOption[] {
  const { app, payment } = visit
  const offers = offersOf(ctx, app, payment)
  const shown = payment.details.paymentProfiles
    ? offers
    : offers.filter((offer, index) => offers.findIndex(({ method }) => method === offer.method) === index)
  return shown.map((offer) => ({
    id: methodOptionId(offer),
    offer,
    name: shown.filter(({ method }) => method === offer.method).length > 1 ? offer.profile.name : undefined,
    fields: fieldsOf(ctx, { app, offer }),
  }))
}

/** A form may lead to the providers on offer, directly or by redirection; to nobody else. */
export const formOrigins = (
  ctx: Context,
  options: readonly MethodOption[],
  saved: readonly SavedMethod[] = [],
): string[] => [
  ...new Set([
    ...saved.flatMap(({ codeForm }) => originsOf(codeForm?.action)),
    ...options.flatMap(({ offer, fields }) => [
      ...originsOf(fields?.action),
      ...(adapterOf(ctx, offer.profile).manifest.pageOrigins ?? []),
    ]),
  ]),
]

interface AtApp {
  readonly app: App
  readonly offer: Offer
}

export function fieldsOf(ctx: Context, { app, offer }: AtApp): FieldsForm | undefined {
  if (!offer.abilities.fields) return undefined
  return adapterOf(ctx, offer.profile).fields?.(contextOf(ctx, { app, offer }), offer.method)
}

const codeFormOf = (ctx: Context, { app, offer }: AtApp): FieldsForm | undefined =>
  adapterOf(ctx, offer.profile).codeForm?.(contextOf(ctx, { app, offer }))

const contextOf = (ctx: Context, { app, offer }: AtApp) =>
  providerContext(ctx, app, offer.profile, ASKS_NOBODY)

/** A form is only drawn: there is no call to give up, and a clock for each would outlive its page. */
const ASKS_NOBODY = new AbortController().signal

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
  /** Where the provider wants the security code again: its form for it. */
  readonly codeForm: FieldsForm | undefined
}

/**
 * Stored methods are shown on young links only: whoever finds an old one in a mailbox learns nothing about
 * its owner's cards.
 */
export async function savedMethodsOf(ctx: Context, visit: Visit): Promise<SavedMethod[]> {
  const { app, payment, now } = visit
  const ageMs = now.getTime() - payment.createdTime.getTime()
  const offers = offersOf(ctx, app, payment).filter(({ abilities }) => abilities.chargeStored)
  if (ageMs > LIMITS.savedMethodsShownMs || offers.length === 0) return []
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

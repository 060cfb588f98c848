import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import type { CardFacts } from '../providers/outcome.ts'
import { type MethodRegistration, registrationsOf } from './choose-method.ts'
import { liveMethods, refreshMethod } from './method-store.ts'

/**
 * Where a stored method can be charged: its own registrations, newest first, then those of the same card at
 * other providers. Fingerprints of two providers cannot be compared, so a card is the same if the customer
 * has stored it there with the same brand, last digits and expiry. Empty when the method was removed.
 * Decision 0152.
 */
export async function allRegistrations(
  ctx: Context,
  app: App,
  customerId: string,
  paymentMethodId: number,
): Promise<MethodRegistration[]> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const own = methods.find((method) => method.paymentMethodId === paymentMethodId)
  if (!own) return []
  const others = methods.filter((method) => method !== own && isSameCard(method.card, own.card))
  return [own, ...others].flatMap((method) => registrationsOf(ctx, app, method))
}

/** False unless all four facts are known. */
function isSameCard(one: CardFacts | null, other: CardFacts | null): boolean {
  const [first, second] = [one, other].map(nameOf)
  return first !== undefined && first === second
}

function nameOf(card: CardFacts | null): string | undefined {
  const { brand, last4, expiryMonth, expiryYear } = card ?? {}
  if (!brand || !last4 || !expiryMonth || !expiryYear) return undefined
  return `${brand.toLowerCase().replace(/[^a-z]/g, '')} ${last4} ${expiryMonth} ${expiryYear}`
}

/**
 * Takes over what a charge or a read of a stored card reported: providers renew expired and replaced cards by
 * themselves. The label ends with the last digits, so it changes with them. True: there was something new. A
 * provider that has not renewed the card reports an earlier expiry than another one that has.
 */
export async function refreshCard(
  ctx: Pick<Context, 'db' | 'clock'>,
  app: App,
  about: { readonly customerId: string; readonly paymentMethodId: number },
  reported: CardFacts,
): Promise<boolean> {
  const methods = await liveMethods(ctx.db, app.appId, about.customerId)
  const method = methods.find((one) => one.paymentMethodId === about.paymentMethodId)
  const before = method?.card
  if (!before || endOf(reported) < endOf(before)) return false
  const { brand, last4, expiryMonth, expiryYear } = reported
  const news = [
    ...Object.entries({ brand, last4 }).filter(([, value]) => value !== undefined && value !== ''),
    // One without the other is no expiry.
    ...(expiryMonth && expiryYear ? Object.entries({ expiryMonth, expiryYear }) : []),
  ]
  const card: CardFacts = { ...before, ...Object.fromEntries(news) }
  if (news.every(([name, value]) => before[name as keyof CardFacts] === value)) return false
  const label =
    before.last4 && card.last4 ? method.label.replace(before.last4, () => card.last4 ?? '') : method.label
  const cardChangedTime = appNow(ctx, app)
  await refreshMethod(ctx.db, app.appId, method.paymentMethodId, { label, card, cardChangedTime })
  return true
}

/** Cards are compared by their last month; one without it is never the earlier one. */
const endOf = ({ expiryYear, expiryMonth }: CardFacts): number =>
  expiryYear && expiryMonth ? expiryYear * 12 + expiryMonth : Number.NaN

import { findProfile } from '../../../merchants/app.ts'
import { type Diagnosis, diagnosisIn } from '../../../merchants/profiles/diagnosis.ts'
import type { Payment } from '../../../payments/payment.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import type { AppRequest, OpenRequest } from '../frame/request.ts'
import { numberText } from './numbers.ts'
import { NAME_SHOWN, shortText } from './short-text.ts'

/** Names of things that several screens show. */

/** The name of a profile or a policy, shortened. */
export const shortName = ({ name }: { readonly name: string }): string => shortText(name, NAME_SHOWN) ?? ''

/** The provider's own name; its id where this installation no longer has it. */
export const providerName = ({ ctx }: Pick<OpenRequest, 'ctx'>, provider: string): string =>
  ctx.providers.get(provider)?.manifest.name ?? provider

/** Undefined for a profile that was removed, and for none. Shorten it where it is shown. */
export const profileName = (
  { app }: Pick<AppRequest, 'app'>,
  profileId: number | null,
): string | undefined => (profileId === null ? undefined : findProfile(app, profileId)?.name)

/** A kind of method, such as cards; the name itself of one that this version does not know. */
export function methodKindName({ texts }: Pick<OpenRequest, 'texts'>, method: string): string {
  const kind = METHOD_KINDS.find((one) => one === method)
  return kind ? texts.providers.methodNames[kind] : method
}

/** The method that paid, with the last digits of a card. */
export function paidMethodName(
  { texts }: Pick<OpenRequest, 'texts'>,
  { payInfo, method }: Pick<Payment, 'payInfo' | 'method'>,
): string | undefined {
  const { methods } = texts.payment
  const { brand, last4 } = payInfo?.card ?? {}
  if (last4) return `${brand ?? methods.CreditCard} •••• ${last4}`
  return method ? methods[method] : undefined
}

/** The problem of a profile, in the language of the page. */
export const troubleText = (
  { texts, language }: Pick<OpenRequest, 'texts' | 'language'>,
  diagnosis: Diagnosis,
): string => diagnosisIn(texts.routing.troubles, (value) => numberText({ language }, value), diagnosis)

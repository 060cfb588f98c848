import { findProfile } from '../../../merchants/app.ts'
import { type Diagnosis, diagnosisIn } from '../../../merchants/profiles/diagnosis.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import { isMethodId } from '../../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import { readProblem } from '../../../webhooks/problems.ts'
import type { AppRequest, OpenRequest } from '../frame/request.ts'
import { textWith } from '../texts/texts.ts'
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

/** A method or a kind, such as cards; the name itself of one that this version does not know. */
export function methodKindName({ texts }: Pick<OpenRequest, 'texts'>, method: string): string {
  const kind = isMethodId(method) ? method : METHOD_KINDS.find((one) => one === method)
  return kind ? texts.providers.methodNames[kind] : method
}

/** `Germany` for `DE`; the code itself where it is none. */
export function countryName({ language }: Pick<OpenRequest, 'language'>, country: string): string {
  if (!/^[A-Z]{2}$/.test(country)) return country
  return new Intl.DisplayNames(language.intl, { type: 'region' }).of(country) ?? country
}

type Paid = Pick<ListedPayment, 'method' | 'brand' | 'last4' | 'wallet'>

/**
 * `Visa •••• 4242`, `Apple Pay, Visa •••• 4242` for a card in a wallet, or the kind of the method; undefined
 * while none is chosen.
 */
export function methodName(
  { texts }: Pick<OpenRequest, 'texts'>,
  { method, brand, last4, wallet }: Paid,
): string | undefined {
  if (method === null) return undefined
  const name = brand ? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}` : texts.payments.methods[method]
  const inWallet = isMethodId(wallet) && brand ? `${texts.payments.methods[wallet]}, ` : ''
  return last4 ? `${inWallet}${name} •••• ${last4}` : `${inWallet}${name}`
}

/** The method that paid. */
export function paidMethodName(
  request: Pick<OpenRequest, 'texts'>,
  { payInfo, method }: Pick<Payment, 'payInfo' | 'method'>,
): string | undefined {
  const { brand = null, last4 = null, wallet = null } = payInfo?.card ?? {}
  return methodName(request, { method, brand, last4, wallet })
}

/** The problem of a profile, in the language of the page. */
export const troubleText = (
  { texts, language }: Pick<OpenRequest, 'texts' | 'language'>,
  diagnosis: Diagnosis,
): string => diagnosisIn(texts.routing.troubles, (value) => numberText({ language }, value), diagnosis)

/** Why a webhook was not delivered. A sentence of an earlier version stays as it is. */
export function deliveryProblem({ texts }: Pick<OpenRequest, 'texts'>, stored: string): string {
  const problem = readProblem(stored)
  return problem ? textWith(texts.endpoints.problems[problem.code], problem) : stored
}

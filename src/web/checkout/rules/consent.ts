import type { Consent } from '../../../payments/payment.ts'
import type { Offer } from '../../../routing/offers.ts'
import type { CheckoutRequest } from '../request.ts'

/**
 * How consent to store the method is requested. `choice`: a checkbox; `mandate`: the merchant requires it, so
 * the text is shown above the button; undefined: not requested.
 */
export type ConsentMode = 'choice' | 'mandate' | undefined

/** Versions of the consent texts. Increase one when its meaning changes: it is stored as proof of consent. */
const VERSIONS = { choice: 'save-1', mandate: 'mandate-1' } as const

export function consentMode({ payment }: CheckoutRequest, { abilities }: Offer): ConsentMode {
  if (!abilities.storeMethod) return undefined
  if (payment.autoPayment === 'Register') return 'mandate'
  return payment.details.showPayRecurringInCheckout ? 'choice' : undefined
}

/** The stored proof: text version, language and time. The payer's IP address is stored separately. */
export function consentGiven(checkout: CheckoutRequest, offer: Offer, ticked: boolean): Consent | undefined {
  const mode = consentMode(checkout, offer)
  if (mode === undefined || (mode === 'choice' && !ticked)) return undefined
  return { text: `${VERSIONS[mode]}.${checkout.language.locale}`, time: checkout.now.toISOString() }
}

import type { Consent } from '../../../payments/payment.ts'
import type { Offer } from '../../../routing/offers.ts'
import type { Visit } from '../visit.ts'

/**
 * Whether and how the payer is asked to let the method be stored. `choice`: a checkbox; `mandate`: the shop
 * needs it, so the same sentence stands above the button.
 */
export type Asked = 'choice' | 'mandate' | undefined

/** Counted up whenever a sentence comes to mean something else: what was agreed to must stay provable. */
const VERSIONS = { choice: 'save-1', mandate: 'mandate-1' } as const

export function consentAsked({ payment }: Visit, { abilities }: Offer): Asked {
  if (!abilities.storeMethod) return undefined
  if (payment.autoPayment === 'Register') return 'mandate'
  return payment.details.showPayRecurringInCheckout ? 'choice' : undefined
}

/**
 * What is kept with the method: which words, in which language, and when. The payer's address is kept
 * beside.
 */
export function consentGiven(visit: Visit, offer: Offer, ticked: boolean): Consent | undefined {
  const asked = consentAsked(visit, offer)
  if (asked === undefined || (asked === 'choice' && !ticked)) return undefined
  return { text: `${VERSIONS[asked]}.${visit.language.locale}`, time: visit.now.toISOString() }
}

import type { CardFacts } from '../providers/outcome.ts'
import type { CardSeen } from './verdict.ts'

/** Tells cards apart by what providers tell of every card; a fingerprint comes only with stored ones. */
export function cardSeen(card: CardFacts | null | undefined): CardSeen | undefined {
  if (!card?.last4) return undefined
  const { brand = '', last4, expiryMonth = '', expiryYear = '', country } = card
  const identity = `${brand.toLowerCase()} ${last4} ${expiryMonth}/${expiryYear}`
  return { identity, ...(country ? { country: country.toUpperCase() } : {}) }
}

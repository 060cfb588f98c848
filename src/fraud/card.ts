import type { CardFacts } from '../providers/outcome.ts'
import type { CardSeen } from './verdict.ts'

/**
 * Identifies a card by the fields that providers report for every card; only stored cards have a fingerprint.
 */
export function cardSeen(card: CardFacts | null | undefined): CardSeen | undefined {
  if (!card?.last4) return undefined
  const { brand = '', last4, expiryMonth = '', expiryYear = '', country } = card
  const identity = `${brand.toLowerCase()} ${last4} ${expiryMonth}/${expiryYear}`
  return { identity, ...(country ? { country: country.toUpperCase() } : {}) }
}

import { abilitiesFor } from '../../providers/abilities.ts'
import type { Abilities } from '../../providers/port.ts'
import type { Offer } from '../../routing/offers.ts'
import type { NewVerdict } from '../changes.ts'
import type { Payment } from '../payment.ts'

/**
 * Whether an attempt takes the money in one step: the payment captures automatically, the method can do it,
 * and no fraud rule can still hold the payment after the authorisation. A running payment keeps its way where
 * the method can, because its state says which it is. Decision 0108.
 */
export function isOneStep(
  payment: Pick<Payment, 'state' | 'autoCapture'>,
  { offer, token }: { readonly offer: Pick<Offer, 'abilities'>; readonly token?: string | undefined },
  verdict: NewVerdict | undefined,
): boolean {
  if (payment.state === 'Authorizing') return false
  const { authoriseOnly, sale } = abilitiesFor(offer.abilities, token !== undefined)
  // A provider without sales continues it in two steps: the capture follows at once.
  if (payment.state === 'SaleInProgress') return sale || !authoriseOnly
  if (!authoriseOnly) return true
  return sale && payment.autoCapture && !couldHold(verdict)
}

/** Whether an attempt at this offer can continue a running payment. */
export function continuesWith(
  payment: Pick<Payment, 'state' | 'autoCapture'>,
  abilities: Abilities,
): boolean {
  if (payment.state === 'SaleInProgress')
    return abilities.sale || (abilities.authoriseOnly && payment.autoCapture)
  return payment.state === 'Authorizing' ? abilities.authoriseOnly : true
}

/** A rule holds the payment, or something is checked only after the authorisation. */
export const couldHold = (verdict: NewVerdict | undefined): boolean =>
  verdict !== undefined && (verdict.judgement.decision !== 'Accept' || verdict.judgement.checksAfter)

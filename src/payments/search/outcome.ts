import type { ListedPayment } from './filter.ts'

/** How a payment stands for the figures: whether it was approved, and whether money was taken. Pure. */
export type PaymentOutcome = 'paid' | 'approved' | 'declined' | 'blocked' | 'ended' | 'open'

export type PaymentStanding = Pick<ListedPayment, 'state' | 'reason' | 'capturedMinor' | 'refundedMinor'>

const APPROVED = ['Authorized', 'Capturing', 'ProviderAuthorizedHold', 'CapturedHold']

/** The same as the function `payment_outcome` of the database. */
export function outcomeOf({
  state,
  reason,
  capturedMinor,
}: Omit<PaymentStanding, 'refundedMinor'>): PaymentOutcome {
  if (capturedMinor > 0n) return 'paid'
  if (APPROVED.includes(state)) return 'approved'
  if (state === 'Failed') {
    if (reason === 'authorization_expired') return 'approved'
    if (reason === 'fraud_rejected') return 'blocked'
    if (reason === 'expired' || reason === 'cancelled') return 'ended'
  }
  return (state === 'Failed' || state === 'Created') && reason !== null ? 'declined' : 'open'
}

/** Part of the money was given back, and part was not. */
const isPartRefunded = ({ state, refundedMinor }: PaymentStanding): boolean =>
  refundedMinor > 0n && state !== 'Refunded'

/** What a filter by state may name: the state of the machine, and words for how the payment stands. */
export const standingsOf = (payment: PaymentStanding): readonly string[] => [
  payment.state,
  outcomeOf(payment),
  ...(isPartRefunded(payment) ? ['part-refunded'] : []),
]

export type ShownState = ListedPayment['state'] | 'declined' | 'blocked' | 'part-refunded'

/** What lists show as the state: a declined payment that can still be paid is shown as declined. */
export function shownState(payment: PaymentStanding): ShownState {
  const outcome = outcomeOf(payment)
  if (outcome === 'declined' || outcome === 'blocked') return outcome
  return payment.state === 'Captured' && isPartRefunded(payment) ? 'part-refunded' : payment.state
}

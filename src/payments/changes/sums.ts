import type { State } from '../machine.ts'
import type { Payment } from '../payment.ts'
import type { PaymentEvent } from './events.ts'

/**
 * Sums never exceed the amount, and never shrink, in whatever order reports arrive. The two exceptions are
 * events of their own: a capture that failed after it was done, and a lost dispute that was won later.
 */
export function capturedAfter(payment: Payment, event: PaymentEvent): bigint {
  if (event.on === 'captureFailed') return 0n
  if (!isCapture(event)) return payment.capturedMinor
  const capped = event.totalMinor < payment.amountMinor ? event.totalMinor : payment.amountMinor
  return capped > payment.capturedMinor ? capped : payment.capturedMinor
}

type Capture = PaymentEvent & { readonly on: 'captured' | 'arrivedLate' }

export const isCapture = (event: PaymentEvent): event is Capture =>
  event.on === 'captured' || event.on === 'arrivedLate'

export function refundedAfter(payment: Payment, event: PaymentEvent, to: State): bigint {
  // Cancelling a captured hold refunds everything.
  if (to === 'Refunded' || (event.on === 'cancelled' && payment.capturedMinor > 0n))
    return payment.capturedMinor
  return returnedAfter(payment, event)
}

/** What was given back or taken back after the event, at most what was captured. */
export function returnedAfter({ refundedMinor, capturedMinor }: Payment, event: PaymentEvent): bigint {
  switch (event.on) {
    case 'refunded':
      return event.totalMinor > refundedMinor ? event.totalMinor : refundedMinor
    case 'disputeLost': {
      const lost = refundedMinor + event.amountMinor
      return lost < capturedMinor ? lost : capturedMinor
    }
    case 'disputeWon': {
      const kept = refundedMinor - (event.amountMinor ?? 0n)
      return kept > 0n ? kept : 0n
    }
    default:
      return refundedMinor
  }
}

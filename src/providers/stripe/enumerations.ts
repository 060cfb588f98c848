import type { Enumerations } from '../enumerations.ts'
import { EVENT_TYPES } from './events/names.ts'

/** Every value of the enumerations that the adapter reads. */
export const ENUMERATIONS = {
  'checkout session status': { handled: ['complete', 'expired', 'open'], ignored: [] },
  'dispute status': {
    handled: [
      ...['lost', 'needs_response', 'prevented', 'under_review', 'won'],
      ...['warning_closed', 'warning_needs_response', 'warning_under_review'],
    ],
    ignored: [],
  },
  event: EVENT_TYPES,
  'payment intent status': {
    handled: [
      ...['canceled', 'processing', 'requires_action', 'requires_capture', 'requires_confirmation'],
      ...['requires_payment_method', 'succeeded'],
    ],
    ignored: [],
  },
  'refund status': {
    handled: ['canceled', 'failed', 'pending', 'requires_action', 'succeeded'],
    ignored: [],
  },
  'review closed reason': {
    handled: ['acknowledged', 'approved', 'disputed'],
    // The sums and the stage of the payment show these.
    ignored: ['canceled', 'payment_never_settled', 'redacted', 'refunded', 'refunded_as_fraud'],
  },
} as const satisfies Enumerations

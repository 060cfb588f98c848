import type { Enumerations } from '../enumerations.ts'
import type { DisputeReport, MovementKind } from '../movements.ts'

/** Adyen's enumerations: what each value means here, and which are ignored on purpose. */

interface Meaning {
  readonly done?: MovementKind
  /** If the event has `success: "false"`. */
  readonly failed?: MovementKind
}

export const MEANINGS: Readonly<Record<string, Meaning>> = {
  AUTHORISATION: { done: 'authorised', failed: 'refused' },
  CAPTURE: { done: 'captured', failed: 'capture-failed' },
  CAPTURE_FAILED: { done: 'capture-failed' },
  CANCELLATION: { done: 'cancelled', failed: 'cancel-failed' },
  // A cancellation by our reference.
  TECHNICAL_CANCEL: { done: 'cancelled', failed: 'cancel-failed' },
  EXPIRE: { done: 'expired' },
  REFUND: { done: 'refunded', failed: 'refund-failed' },
  REFUND_FAILED: { done: 'refund-failed' },
  REFUNDED_REVERSED: { done: 'refund-failed' },
  MANUAL_REVIEW_ACCEPT: { done: 'reviewed' },
  RECURRING_CONTRACT: { done: 'stored' },
  // Adyen paid the merchant in advance and took it back: the money never came.
  SETTLED_REVERSED: { done: 'returned' },
}

/** Either a cancellation or a refund. */
export const EITHER = 'CANCEL_OR_REFUND'

type Stand = Pick<DisputeReport, 'state' | 'isAnnounced' | 'isRefundable'>

/** In the order of the stages of a dispute: events of the same second are taken in this order. */
export const DISPUTES: Readonly<Record<string, Stand>> = {
  REQUEST_FOR_INFORMATION: { state: 'open', isAnnounced: true, isRefundable: true },
  NOTIFICATION_OF_CHARGEBACK: { state: 'open', isAnnounced: true, isRefundable: false },
  CHARGEBACK: { state: 'open', isRefundable: false },
  INFORMATION_SUPPLIED: { state: 'same' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { state: 'undefended' },
  CHARGEBACK_REVERSED: { state: 'won' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { state: 'won' },
  SECOND_CHARGEBACK: { state: 'lost' },
  PREARBITRATION_OPEN: { state: 'open', isRefundable: false },
  // The merchant took the liability; declined means that it did not.
  PREARBITRATION_ACCEPTED: { state: 'lost' },
  PREARBITRATION_DECLINED: { state: 'open', isRefundable: false },
  PREARBITRATION_ISSUER_WITHDRAWN: { state: 'won' },
  PREARBITRATION_WON: { state: 'won' },
  PREARBITRATION_LOST: { state: 'lost' },
  SCHEME_ARBITRATION: { state: 'open', isRefundable: false },
  SCHEME_ARBITRATION_WON: { state: 'won' },
  SCHEME_ARBITRATION_LOST: { state: 'lost' },
}

/** `additionalData.disputeStatus` decides; the other values say no more than their events. */
export const DISPUTE_STATUSES: Readonly<Record<string, DisputeReport['state']>> = { Won: 'won', Lost: 'lost' }

/** All that `connect` subscribes to. */
export const EVENTS: readonly string[] = [...Object.keys(MEANINGS), EITHER, ...Object.keys(DISPUTES)]

/** What a payment with a stored method ended in. */
export const RESULTS = {
  approved: ['Authorised', 'PartiallyAuthorised'],
  open: ['Pending', 'Received'],
  refused: ['Refused', 'Error', 'Cancelled'],
  /** The bank wants the customer. */
  authenticates: ['RedirectShopper', 'ChallengeShopper', 'IdentifyShopper'],
  unfinished: ['PresentToShopper'],
} as const

/** Stages by the status of a payment link. */
export const LINK_STAGES = {
  active: 'needs-customer',
  expired: 'expired',
  // Paid, and the notification about it has not come yet.
  completed: 'processing',
  paid: 'processing',
  paymentPending: 'processing',
} as const

export const ENUMERATIONS = {
  event: {
    handled: EVENTS,
    ignored: [
      // Money of other products of Adyen, and reports.
      ...['PAIDOUT_REVERSED', 'PAYOUT_DECLINE', 'PAYOUT_EXPIRE', 'PAYOUT_THIRDPARTY', 'REFUND_WITH_DATA'],
      ...['ORDER_OPENED', 'ORDER_CLOSED', 'AUTORESCUE', 'CANCEL_AUTORESCUE', 'VOID_PENDING_REFUND'],
      ...['AUTHORISATION_ADJUSTMENT', 'REPORT_AVAILABLE', 'ACH_NOTIFICATION_OF_CHANGE'],
      'DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION',
      // Another event follows that moves the money, or nothing moves.
      ...[
        'MANUAL_REVIEW_REJECT',
        'POSTPONED_REFUND',
        'OFFER_CLOSED',
        'NOTIFICATION_OF_FRAUD',
        'ISSUER_COMMENTS',
      ],
    ],
  },
  disputeStatus: {
    handled: Object.keys(DISPUTE_STATUSES),
    ignored: ['Unresponded', 'Responded', 'Expired', 'Undefended', 'Accepted', 'Pending'],
  },
  resultCode: {
    handled: Object.values(RESULTS).flat(),
    // Results of steps that no request of ours has: an answer with one of them is unknown.
    ignored: ['AuthenticationFinished', 'AuthenticationNotRequired', 'Success'],
  },
  linkStatus: { handled: Object.keys(LINK_STAGES), ignored: [] },
} as const satisfies Enumerations

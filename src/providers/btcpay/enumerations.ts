import type { Enumerations } from '../enumerations.ts'

/** `connect` subscribes to these. All versions since 2.3.0 have them. */
export const SUBSCRIBED: readonly string[] = [
  'InvoiceCreated',
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
  'InvoiceExpiredPaidPartial',
  'InvoicePaidAfterExpiration',
  'PayoutCreated',
  'PayoutApproved',
  'PayoutUpdated',
]

/** Every value of the enumerations that the adapter reads. */
export const ENUMERATIONS = {
  event: {
    // The last one is sent since 2.4.0, to webhooks for all events.
    handled: [...SUBSCRIBED, 'InvoiceRefund'],
    ignored: [
      'PaymentRequestArchived',
      'PaymentRequestCompleted',
      'PaymentRequestCreated',
      'PaymentRequestStatusChanged',
      'PaymentRequestUpdated',
    ],
  },
  'invoice status': { handled: ['Expired', 'Invalid', 'New', 'Processing', 'Settled'], ignored: [] },
  'additional status': {
    handled: ['Marked', 'PaidLate', 'PaidOver'],
    // What was paid shows in the paid amount.
    ignored: ['Invalid', 'None', 'PaidPartial'],
  },
  'payment status': { handled: ['Settled'], ignored: ['Invalid', 'Processing'] },
  'payout state': {
    handled: ['Completed', 'InProgress'],
    // The refund is open until it is paid out, or ends when it is archived.
    ignored: ['AwaitingApproval', 'AwaitingPayment', 'Cancelled'],
  },
} as const satisfies Enumerations

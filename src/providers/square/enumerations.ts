import { type Enumerations, words } from '../enumerations.ts'

/** Events of the webhook subscription. */
export const EVENTS = words(
  'payment.created payment.updated refund.created refund.updated dispute.created dispute.state.updated ' +
    'card.automatically_updated',
)

/** Every value that Square's description has for payments, refunds, orders and disputes. */
export const ENUMERATIONS = {
  event: { handled: EVENTS, ignored: words('dispute.state.changed dispute.evidence.created') },
  paymentStatus: { handled: words('APPROVED PENDING COMPLETED CANCELED FAILED'), ignored: [] },
  refundStatus: { handled: words('PENDING COMPLETED REJECTED FAILED'), ignored: [] },
  orderState: { handled: words('OPEN COMPLETED CANCELED DRAFT'), ignored: [] },
  tenderStatus: { handled: words('FAILED VOIDED'), ignored: words('AUTHORIZED CAPTURED') },
  disputeState: {
    handled: words(
      'INQUIRY_EVIDENCE_REQUIRED INQUIRY_PROCESSING INQUIRY_CLOSED EVIDENCE_REQUIRED PROCESSING ' +
        'WON LOST ACCEPTED',
    ),
    ignored: [],
  },
} as const satisfies Enumerations

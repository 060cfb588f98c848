import type { Refund, State, Subscription } from './state.ts'
import { type Amount, type Card, type Dispute, iso, type Link, type Order, type Payment } from './state.ts'

/** Objects as Square shows them. */

const CARD = { card_brand: 'VISA', last_4: '1111', exp_month: 11, exp_year: 2032 }
const ON_PAYMENT = { ...CARD, fingerprint: 'sq-1-f', card_type: 'CREDIT', prepaid_type: 'NOT_PREPAID' }
const nothing = (currency: string): Amount => ({ amount: 0, currency })

export function orderView(state: State, order: Order): object {
  const { currency } = order.total
  const isPaid = order.tenders.some(({ status }) => status === 'COMPLETED')
  const item = {
    ...{ uid: 'item', name: order.name, quantity: '1', item_type: 'ITEM', base_price_money: order.total },
    ...{ gross_sales_money: order.total, total_money: order.total, total_tax_money: nothing(currency) },
  }
  return {
    ...{ id: order.id, location_id: state.location, state: order.state, version: 1 + order.tenders.length },
    ...(order.reference ? { reference_id: order.reference } : {}),
    ...{ line_items: [item], total_money: order.total, source: { name: 'Tender' } },
    net_amount_due_money: isPaid ? nothing(currency) : order.total,
    created_at: iso(order.createdAt),
    ...(order.tenders.length > 0 && !state.isLagging
      ? { tenders: order.tenders.map((one) => tenderView(state, one)) }
      : {}),
  }
}

const tenderView = (state: State, { id, order, amount, status, createdAt }: Payment): object => ({
  ...{ id, payment_id: id, location_id: state.location, transaction_id: order?.id ?? '', type: 'CARD' },
  ...{ amount_money: amount, created_at: iso(createdAt) },
  card_details: {
    status: status === 'FAILED' ? 'FAILED' : 'CAPTURED',
    card: CARD,
    entry_method: 'KEYED',
  },
})

export const linkView = (state: State, { id, order, request, note, createdAt }: Link): object => ({
  ...{ id, version: 1, order_id: order.id, created_at: iso(createdAt), url: `${state.origin()}/u/${id}` },
  ...(request.checkout_options ? { checkout_options: request.checkout_options } : {}),
  ...(request.pre_populated_data ? { pre_populated_data: request.pre_populated_data } : {}),
  ...(note ? { payment_note: note } : {}),
})

const CARD_STATUS = {
  ...{ APPROVED: 'AUTHORIZED', PENDING: 'AUTHORIZED', COMPLETED: 'CAPTURED', CANCELED: 'VOIDED' },
  FAILED: 'FAILED',
} as const

export function paymentView(state: State, payment: Payment): object {
  const { id, amount, approved, status, order, refunds, fee } = payment
  const given = refunds.filter((refund) => refund.status !== 'FAILED')
  const refunded = given.reduce((sum, refund) => sum + refund.amount.amount, 0)
  return {
    ...{ id, status, amount_money: amount, total_money: amount, approved_money: approved },
    ...{
      created_at: iso(payment.createdAt),
      updated_at: iso(payment.updatedAt),
      source_type: order?.source ?? 'CARD',
    },
    ...{ delay_duration: 'PT168H', delay_action: 'CANCEL', delayed_until: iso(payment.delayedUntil) },
    ...{ location_id: state.location, version_token: payment.version, card_details: detailsView(payment) },
    ...(payment.reference ? { reference_id: payment.reference } : {}),
    ...(payment.note ? { note: payment.note } : {}),
    // Square makes an order for every payment.
    order_id: order?.id ?? `${id}ORDER`,
    ...(payment.customer ? { customer_id: payment.customer } : {}),
    ...(refunds.length > 0 ? { refund_ids: refunds.map((refund) => refund.id) } : {}),
    ...(refunded > 0 ? { refunded_money: { ...amount, amount: refunded } } : {}),
    ...(fee === undefined ? {} : { processing_fee: [feeView(payment, fee)] }),
  }
}

const feeView = ({ amount, updatedAt }: Payment, fee: number): object => ({
  ...{ effective_at: iso(updatedAt), type: 'INITIAL', amount_money: { ...amount, amount: fee } },
})

function detailsView(payment: Payment): object {
  const { status, card, order, createdAt, completedAt, voidedAt, failure } = payment
  return {
    status: CARD_STATUS[status],
    card: { ...ON_PAYMENT, ...(card ? { id: card } : {}) },
    entry_method: order ? 'KEYED' : 'ON_FILE',
    ...{ cvv_status: 'CVV_ACCEPTED', avs_status: 'AVS_ACCEPTED', statement_description: 'SQ *TENDER' },
    card_payment_timeline: {
      ...(status === 'FAILED' ? {} : { authorized_at: iso(createdAt) }),
      ...(completedAt === undefined ? {} : { captured_at: iso(completedAt) }),
      ...(voidedAt === undefined ? {} : { voided_at: iso(voidedAt) }),
    },
    ...(failure ? { errors: [{ category: 'PAYMENT_METHOD_ERROR', code: failure, detail: failure }] } : {}),
  }
}

export const refundView = (state: State, refund: Refund): object => ({
  ...{ id: refund.id, status: refund.status, location_id: state.location, amount_money: refund.amount },
  ...{ payment_id: refund.payment.id, created_at: iso(refund.createdAt), updated_at: iso(state.now()) },
  ...(refund.reason ? { reason: refund.reason } : {}),
})

export const cardView = ({ id, customer, reference, isEnabled }: Card): object => ({
  ...{ ...CARD, id, customer_id: customer, enabled: isEnabled, fingerprint: 'sq-1-f', version: 1 },
  ...(reference ? { reference_id: reference } : {}),
})

export const disputeView = (state: State, { id, payment, createdAt, ...dispute }: Dispute): object => ({
  ...{ id, dispute_id: id, state: dispute.state, reason: 'NO_KNOWLEDGE', amount_money: dispute.amount },
  ...{ created_at: iso(createdAt), updated_at: iso(dispute.updatedAt), card_brand: 'VISA' },
  ...{ due_at: iso(createdAt + 7 * 86_400_000), location_id: state.location },
  disputed_payment: { payment_id: payment.id },
})

/** Square shows the signature key of one subscription, and not in a list. */
export const subscriptionView = ({ id, name, url, events, key }: Subscription, isWhole: boolean): object => ({
  ...{ id, name, enabled: true, event_types: events, notification_url: url },
  ...(isWhole ? { signature_key: key } : {}),
})

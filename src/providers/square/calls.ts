import { isPlainMailbox } from '../../base/mailbox.ts'
import type { Money } from '../../base/money.ts'
import { sha256 } from '../../base/secret.ts'
import { cut } from '../../base/text.ts'
import type { HttpCall } from '../../net/http.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { present } from '../kit/json.ts'
import type { PostalAddress } from '../payer/payer.ts'
import { statementText } from '../payer/statement.ts'
import type { MethodToStore, Operation, Purchase } from '../port.ts'
import type { SettlementWindow } from '../settlement.ts'
import { subKey } from '../sub-key.ts'
import { EVENTS } from './enumerations.ts'
import { manifest } from './manifest.ts'
import { toWire } from './wire.ts'

/** Pure: requests, without address and credentials. Every member is in Square's own description. */

export interface SquareRequest extends Pick<HttpCall, 'method' | 'json' | 'loggedPath'> {
  readonly path: string
}

/** A stored card belongs to a customer of its own. */
export interface StoredCard {
  readonly customer: string
  readonly card: string
}

/** Tells requests of one operation apart in their keys. */
const shortHash = (text: string): string => sha256(text).toString('hex').slice(0, 8)

const LINKS = '/v2/online-checkout/payment-links'
const post = (path: string, json: object): SquareRequest => ({ method: 'POST', path, json })
const get = (path: string): SquareRequest => ({ method: 'GET', path })

// ---- pages ------------------------------------------------------------------------------------------------

/** Square passes the note on to the payment: notifications then name our reference. */
export function openLink(location: string, op: Operation, purchase: Purchase): SquareRequest {
  const { description, orderId, customer, billing } = fitPurchase(purchase, manifest.texts)
  const name = description ?? fitText(orderId, manifest.texts.description) ?? 'Payment'
  const email = mailbox(customer.email)
  const hasWallets = purchase.method === 'CreditCard' && !purchase.storeMethod
  return post(LINKS, {
    idempotency_key: op.key,
    order: {
      location_id: location,
      reference_id: op.reference,
      line_items: [{ name, quantity: '1', base_price_money: toWire(purchase.amount) }],
    },
    checkout_options: {
      redirect_url: purchase.backUrl,
      allow_tipping: false,
      ask_for_shipping_address: false,
      enable_coupon: false,
      enable_loyalty: false,
      // The page always takes cards too. A card in a wallet cannot be stored.
      accepted_payment_methods: {
        ...{ apple_pay: hasWallets, google_pay: hasWallets },
        cash_app_pay: purchase.method === 'cash-app',
        afterpay_clearpay: purchase.method === 'afterpay',
      },
    },
    ...(email || billing
      ? { pre_populated_data: present({ buyer_email: email, buyer_address: billing && addressOf(billing) }) }
      : {}),
    payment_note: op.reference,
  })
}

const addressOf = ({ line1, line2, city, state, postalCode, country }: PostalAddress) => ({
  ...{ address_line_1: line1, locality: city, country },
  ...present({ address_line_2: line2, administrative_district_level_1: state, postal_code: postalCode }),
})

/** Square refuses the whole request because of an address that is not one. */
const mailbox = (email: string | undefined): string | undefined =>
  email !== undefined && email.length <= manifest.texts.email && isPlainMailbox(email) ? email : undefined

export const deleteLink = (id: string): SquareRequest => ({ method: 'DELETE', path: `${LINKS}/${id}` })

export const readOrder = (id: string): SquareRequest => get(`/v2/orders/${id}`)

// ---- payments ---------------------------------------------------------------------------------------------

/** Reserves the money. If it is not completed in time, Square cancels it. */
export function chargeStored(
  location: string,
  op: Operation,
  purchase: Purchase,
  { customer, card }: StoredCard,
): SquareRequest {
  const { description } = fitPurchase(purchase, manifest.texts)
  return post('/v2/payments', {
    source_id: card,
    idempotency_key: op.key,
    amount_money: toWire(purchase.amount),
    ...{ autocomplete: false, delay_action: 'CANCEL' },
    customer_id: customer,
    location_id: location,
    reference_id: op.reference,
    ...(description ? { note: description } : {}),
    ...present({
      statement_description_identifier: statementText(purchase.statement, { most: 20, others: /[^ -~]/g }),
    }),
    customer_details: { customer_initiated: purchase.customerPresent },
  })
}

export const readPayment = (id: string): SquareRequest => get(`/v2/payments/${id}`)

export const readLocation = (id: string): SquareRequest => get(`/v2/locations/${id}`)

/** Lists nothing but the newest payment: shows whether the token may read payments of the location. */
export const listNewest = (location: string): SquareRequest =>
  get(`/v2/payments?${new URLSearchParams({ location_id: location, limit: '1' })}`)

export function listSince(location: string, begin: Date, cursor: string | undefined): SquareRequest {
  const since = { location_id: location, begin_time: begin.toISOString(), limit: '100' }
  return get(`/v2/payments?${new URLSearchParams({ ...since, ...(cursor ? { cursor } : {}) })}`)
}

/** A capture has no amount: the amount of the payment is changed before. */
export const changeAmount = ({ key }: Operation, id: string, amount: Money): SquareRequest => ({
  method: 'PUT',
  path: `/v2/payments/${id}`,
  json: { idempotency_key: subKey(key, 'A'), payment: { amount_money: toWire(amount) } },
})

/** With the version, Square refuses to complete a payment whose amount was changed in the meantime. */
export const completePayment = (id: string, version: string | undefined): SquareRequest =>
  post(`/v2/payments/${id}/complete`, version === undefined ? {} : { version_token: version })

export const cancelPayment = (id: string): SquareRequest => ({
  method: 'POST',
  path: `/v2/payments/${id}/cancel`,
})

/** Cancels what a charge may have made whose answer was lost. Its key is our reference. */
export const cancelByKey = ({ reference }: Operation): SquareRequest =>
  post('/v2/payments/cancel', { idempotency_key: reference })

// ---- refunds ----------------------------------------------------------------------------------------------

const REASON_MAX = 192

/** What one payment of a refund returns. A refund of a page that was paid in parts may have several. */
export interface RefundShare {
  readonly payment: string
  readonly amount: Money
  /** From 1 on. */
  readonly place: number
  /** How many shares the refund has. */
  readonly of: number
}

/** A refund has no reference: its reason ends with the key of the operation, and with which share it is. */
export function refundPayment(op: Operation, share: RefundShare): SquareRequest {
  const { payment, amount, of } = share
  const mark = ` (${markOf(op.key, share)})`
  const reason = `${fitText(op.description, REASON_MAX - mark.length) ?? 'Refund'}${mark}`
  const key = of === 1 ? op.key : `${subKey(op.key, 'A')}${shortHash(payment)}`
  return post('/v2/refunds', {
    ...{ idempotency_key: key, payment_id: payment, amount_money: toWire(amount), reason },
  })
}

export const markOf = (key: string, { place, of }: Pick<RefundShare, 'place' | 'of'>): string =>
  of === 1 ? key : `${key} ${place}/${of}`

export const markInReason = (reason: string | undefined): string | undefined =>
  / \(([0-9A-Z]{20}(?: \d{1,3}\/\d{1,3})?)\)$/.exec(reason ?? '')?.[1]

/** The key of the operation in a mark, and of how many shares it speaks. */
export function shareOf(mark: string): { readonly key: string; readonly of: number } {
  const [key = '', share] = mark.split(' ')
  return { key, of: Number(share?.split('/')[1] ?? 1) }
}

export const readRefund = (id: string): SquareRequest => get(`/v2/refunds/${id}`)

export const readDispute = (id: string): SquareRequest => get(`/v2/disputes/${id}`)

export const listDisputes = (location: string, cursor: string | undefined): SquareRequest =>
  get(`/v2/disputes?${new URLSearchParams({ location_id: location, ...(cursor ? { cursor } : {}) })}`)

// ---- stored cards -----------------------------------------------------------------------------------------

export function createCustomer({ key, customer }: MethodToStore): SquareRequest {
  const { texts } = manifest
  const [given, family] = [fitText(customer.firstName, texts.name), fitText(customer.lastName, texts.name)]
  const email = mailbox(customer.email)
  return post('/v2/customers', {
    idempotency_key: subKey(key, 'A'),
    // Square asks for a name or an address.
    ...(given || family || email ? {} : { given_name: 'Customer' }),
    ...(given ? { given_name: given } : {}),
    ...(family ? { family_name: family } : {}),
    ...(email ? { email_address: email } : {}),
    reference_id: ownReference(customer.id),
  })
}

/** The customers that were made for one of ours. A new one is found some time later. */
export const searchCustomers = (reference: string): SquareRequest =>
  post('/v2/customers/search', {
    limit: 1,
    query: { filter: { reference_id: { exact: ownReference(reference) } } },
  })

const ownReference = (id: string): string => cut(id, manifest.texts.customerId)

/** If Square has forgotten the first request, a repeat makes another customer, and that is another card. */
export const createCard = ({ key }: MethodToStore, payment: string, customer: string): SquareRequest =>
  post('/v2/cards', {
    idempotency_key: `${subKey(key, 'B')}${shortHash(customer)}`,
    source_id: payment,
    card: { customer_id: customer, reference_id: key },
  })

export const disableCard = (card: string): SquareRequest => ({
  method: 'POST',
  path: `/v2/cards/${encodeURIComponent(card)}/disable`,
  loggedPath: '/v2/cards/***/disable',
})

export const readCard = (card: string): SquareRequest => ({
  method: 'GET',
  path: `/v2/cards/${encodeURIComponent(card)}`,
  loggedPath: '/v2/cards/***',
})

// ---- webhooks ---------------------------------------------------------------------------------------------

const SUBSCRIPTIONS = '/v2/webhooks/subscriptions'

export const listSubscriptions = (cursor: string | undefined): SquareRequest =>
  get(`${SUBSCRIPTIONS}?${new URLSearchParams({ limit: '100', ...(cursor ? { cursor } : {}) })}`)

export const readSubscription = (id: string): SquareRequest => get(`${SUBSCRIPTIONS}/${id}`)

export const createSubscription = (key: string, url: string): SquareRequest =>
  post(SUBSCRIPTIONS, {
    idempotency_key: key,
    subscription: { name: 'Tender', enabled: true, event_types: EVENTS, notification_url: url },
  })

export const updateSubscription = (id: string, events: readonly string[]): SquareRequest => ({
  method: 'PUT',
  path: `${SUBSCRIPTIONS}/${id}`,
  json: { subscription: { enabled: true, event_types: events } },
})

// ---- settled money ----------------------------------------------------------------------------------------

/** The next payout of the location, with the place where the list goes on. */
export const listPayouts = (
  location: string,
  { from, until }: SettlementWindow,
  cursor: string | undefined,
): SquareRequest => {
  const query = new URLSearchParams({
    ...{ location_id: location, begin_time: from.toISOString(), end_time: until.toISOString() },
    ...{ sort_order: 'ASC', limit: '1' },
    ...(cursor === undefined ? {} : { cursor }),
  })
  return get(`/v2/payouts?${query}`)
}

/** Square has at most 100 on a page. */
export const listEntries = (payout: string, cursor: string | undefined): SquareRequest => {
  const query = new URLSearchParams({ limit: '100', ...(cursor === undefined ? {} : { cursor }) })
  return get(`/v2/payouts/${payout}/payout-entries?${query}`)
}

import { SECOND } from '../../base/clock.ts'
import { isDottedMailbox } from '../../base/mailbox.ts'
import type { Money } from '../../base/money.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { localeAmong } from '../payer/locale.ts'
import { statementText } from '../payer/statement.ts'
import type { MethodSetup, Operation, Purchase, RefundReason } from '../port.ts'
import { subKey } from '../sub-key.ts'
import { toWire } from './amounts.ts'
import { manifest } from './manifest.ts'
import {
  EXPAND_INTENT_FORM,
  type Form,
  isStripeMethod,
  METHOD_TYPES,
  OPERATION,
  PAGE_TYPES,
  REFERENCE,
  type StripeRequest,
} from './reads.ts'

/** Pure: requests that change something at Stripe. Every parameter exists in the pinned version. */

// ---- pages ------------------------------------------------------------------------------------------------

/** Undefined if Stripe cannot take the purchase. */
export function openPage(op: Operation, purchase: Purchase, customer?: string): StripeRequest | undefined {
  const { amount, sale, method, backUrl, description, orderId } = fitPurchase(purchase, manifest.texts)
  const unitAmount = toWire(amount)
  const type = PAGE_TYPES[method]
  if (unitAmount === undefined || type === undefined) return undefined
  const name = description ?? fitText(orderId, manifest.texts.description) ?? 'Payment'
  const expires = expiryOf(op, purchase)
  return {
    method: 'POST',
    path: '/v1/checkout/sessions',
    answers: 'checkout.session',
    key: op.key,
    form: {
      mode: 'payment',
      client_reference_id: op.reference,
      success_url: backUrl,
      cancel_url: backUrl,
      ...(expires ? { expires_at: expires } : {}),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': amount.currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': unitAmount,
      'line_items[0][price_data][product_data][name]': name,
      // The customer would otherwise pay another amount in another currency.
      'adaptive_pricing[enabled]': 'false',
      ...methodOf(type),
      ...threeDSecureOf(purchase),
      ...payerOf(purchase, customer),
      ...localeOf(purchase),
      ...shippingOf(purchase),
      ...suffixOf(purchase, 'payment_intent_data[statement_descriptor_suffix]'),
      'payment_intent_data[capture_method]': sale || method === 'ElectronicCheck' ? 'automatic' : 'manual',
      ...(description ? { 'payment_intent_data[description]': description } : {}),
      ...(customer ? { 'payment_intent_data[setup_future_usage]': 'off_session' } : {}),
      [`payment_intent_data[metadata][${REFERENCE}]`]: op.reference,
      [`metadata[${REFERENCE}]`]: op.reference,
    },
  }
}

/** Bank accounts are confirmed by a login at the bank: two small amounts would take days. */
const methodOf = (type: string): Form => ({
  'allowed_payment_method_types[0]': type,
  ...(type === 'us_bank_account'
    ? { 'payment_method_options[us_bank_account][verification_method]': 'instant' }
    : {}),
  ...(type === 'wechat_pay' ? { 'payment_method_options[wechat_pay][client]': 'web' } : {}),
})

/** Stripe takes exemptions only with a cryptogram of another 3-D Secure server. */
const threeDSecureOf = ({ method, threeDSecure }: Purchase): Form =>
  method === 'CreditCard' && threeDSecure === 'challenge'
    ? { 'payment_method_options[card][request_three_d_secure]': 'challenge' }
    : {}

function payerOf(purchase: Purchase, customer: string | undefined): Form {
  if (customer) return { customer }
  const email = emailOf(purchase.customer)
  return email ? { customer_email: email } : {}
}

/** Languages of Stripe's page. For others it takes that of the browser. */
export const LOCALES = (
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl ' +
  'pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'
).split(' ')

function localeOf(purchase: Purchase): Form {
  const locale = localeAmong(LOCALES, purchase)
  return locale ? { locale } : {}
}

/** Stripe's fraud checks read it. It wants the name of the recipient. */
function shippingOf(purchase: Purchase): Form {
  const { shipping } = fitPurchase(purchase, manifest.texts)
  if (!shipping?.name) return {}
  const { name, line1, line2, city, state, postalCode, country } = shipping
  const address = { line1, line2, city, state, postal_code: postalCode, country }
  const at = 'payment_intent_data[shipping]'
  const members = Object.entries(address).flatMap(([member, text]) =>
    text === undefined ? [] : [[`${at}[address][${member}]`, text]],
  )
  return { [`${at}[name]`]: name, ...Object.fromEntries(members) }
}

/** The account's own prefix has up to ten characters, a star and a space follow, and 22 are the most. */
function suffixOf({ statement, method }: Purchase, name: string): Form {
  const suffix = statementText(statement, { most: 10, others: /[<>\\'"*]|[^ -~]/g })
  return suffix && method === 'CreditCard' ? { [name]: suffix } : {}
}

/** Stripe refuses a request with an address that it takes for invalid, so a doubtful one is left out. */
const emailOf = ({ email }: Purchase['customer']): string | undefined =>
  email !== undefined && email.length <= manifest.texts.email && isDottedMailbox(email) ? email : undefined

const SHORTEST_PAGE_MS = 40 * 60_000
const LONGEST_PAGE_MS = 23.5 * 3_600_000

/**
 * A page lasts from 30 minutes to 24 hours, counted by Stripe's clock from its creation. Some minutes are
 * left for clocks that differ, and for requests that are repeated. Absent: 24 hours.
 */
function expiryOf({ createdAt }: Operation, { expiresAt }: Purchase): string | undefined {
  if (!expiresAt) return undefined
  const lastsMs = expiresAt.getTime() - createdAt.getTime()
  if (lastsMs > LONGEST_PAGE_MS) return undefined
  return String(Math.floor((createdAt.getTime() + Math.max(lastsMs, SHORTEST_PAGE_MS)) / SECOND))
}

export function openKeepPage(
  keeping: MethodSetup,
  backUrl: string,
  customer: string,
): StripeRequest | undefined {
  const { key, method } = keeping
  if (!isStripeMethod(method)) return undefined
  return {
    method: 'POST',
    path: '/v1/checkout/sessions',
    answers: 'checkout.session',
    key,
    form: {
      mode: 'setup',
      // Required, and only used to choose the methods of the page.
      currency: 'usd',
      client_reference_id: key,
      success_url: backUrl,
      cancel_url: backUrl,
      customer,
      ...methodOf(METHOD_TYPES[method]),
      [`setup_intent_data[metadata][${REFERENCE}]`]: key,
      [`metadata[${REFERENCE}]`]: key,
    },
  }
}

export const expirePage = (op: Operation, session: string): StripeRequest => ({
  method: 'POST',
  path: `/v1/checkout/sessions/${session}/expire`,
  answers: 'checkout.session',
  key: op.key,
  form: {},
})

/** Stored methods belong to a customer at Stripe. Each stored method gets a customer of its own. */
export function createCustomer(key: string, customer: Purchase['customer']): StripeRequest {
  const { firstName, lastName } = customer
  const name = fitText([firstName, lastName].filter(Boolean).join(' '), 2 * manifest.texts.name)
  const email = emailOf(customer)
  const id = fitText(customer.id, manifest.texts.customerId)
  return {
    method: 'POST',
    path: '/v1/customers',
    answers: 'customer',
    key: subKey(key, 'A'),
    form: {
      ...(name ? { name } : {}),
      ...(email ? { email } : {}),
      ...(id ? { 'metadata[customer]': id } : {}),
      [`metadata[${REFERENCE}]`]: key,
    },
  }
}

// ---- payments ---------------------------------------------------------------------------------------------

export interface StoredToken {
  readonly customer: string
  readonly method: string
}

export function chargeStored(
  op: Operation,
  purchase: Purchase,
  token: StoredToken,
): StripeRequest | undefined {
  const { amount, sale, method, customerPresent, backUrl, description } = fitPurchase(
    purchase,
    manifest.texts,
  )
  const wireAmount = toWire(amount)
  if (wireAmount === undefined || !isStripeMethod(method)) return undefined
  return {
    method: 'POST',
    path: '/v1/payment_intents',
    answers: 'payment_intent',
    key: op.key,
    form: {
      amount: wireAmount,
      currency: amount.currency.toLowerCase(),
      customer: token.customer,
      payment_method: token.method,
      'allowed_payment_method_types[0]': METHOD_TYPES[method],
      capture_method: sale || method === 'ElectronicCheck' ? 'automatic' : 'manual',
      confirm: 'true',
      // With the customer present the bank may ask for authentication on a page.
      return_url: backUrl,
      ...(customerPresent ? threeDSecureOf(purchase) : { off_session: 'true' }),
      ...suffixOf(purchase, 'statement_descriptor_suffix'),
      ...(description ? { description } : {}),
      [`metadata[${REFERENCE}]`]: op.reference,
      ...EXPAND_INTENT_FORM,
    },
  }
}

export const capturePayment = (op: Operation, intent: string, amount: Money): StripeRequest => ({
  method: 'POST',
  path: `/v1/payment_intents/${intent}/capture`,
  answers: 'payment_intent',
  key: op.key,
  form: { amount_to_capture: toWire(amount) ?? '0', ...EXPAND_INTENT_FORM },
})

export const cancelPayment = (op: Operation, intent: string): StripeRequest => ({
  method: 'POST',
  path: `/v1/payment_intents/${intent}/cancel`,
  answers: 'payment_intent',
  key: op.key,
  form: { cancellation_reason: 'requested_by_customer' },
})

/** Stripe blocks the card and the e-mail address of a refund that is fraudulent. It has no other reason. */
const REASONS: Readonly<Partial<Record<RefundReason, string>>> = {
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  'requested-by-customer': 'requested_by_customer',
}

/** The merchant's text becomes metadata. `reason` is sent only if the merchant has chosen one. */
export function refundPayment(op: Operation, intent: string, amount: Money): StripeRequest {
  const text = fitText(op.description, 500)
  const reason = op.reason && REASONS[op.reason]
  return {
    method: 'POST',
    path: '/v1/refunds',
    answers: 'refund',
    key: op.key,
    form: {
      payment_intent: intent,
      amount: toWire(amount) ?? '0',
      [`metadata[${REFERENCE}]`]: op.reference,
      [`metadata[${OPERATION}]`]: op.key,
      ...(reason ? { reason } : {}),
      ...(text ? { 'metadata[description]': text } : {}),
    },
  }
}

export const detachMethod = (method: string): StripeRequest => ({
  method: 'POST',
  path: `/v1/payment_methods/${method}/detach`,
  loggedPath: '/v1/payment_methods/***/detach',
  answers: 'payment_method',
  form: {},
})

export const createEndpoint = (url: string, events: readonly string[]): StripeRequest => ({
  method: 'POST',
  path: '/v1/webhook_endpoints',
  answers: 'webhook_endpoint',
  form: { url, description: 'Tender', ...eventsOf(events) },
})

/** Replaces the events of an endpoint. */
export const updateEndpoint = (id: string, events: readonly string[]): StripeRequest => ({
  method: 'POST',
  path: `/v1/webhook_endpoints/${id}`,
  answers: 'webhook_endpoint',
  form: eventsOf(events),
})

const eventsOf = (events: readonly string[]): Form =>
  Object.fromEntries(events.map((event, index) => [`enabled_events[${index}]`, event]))

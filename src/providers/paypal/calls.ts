import type { Money } from '../../base/money.ts'
import { cut, folded } from '../../base/text.ts'
import type { Breakdown } from '../amounts.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { present } from '../kit/json.ts'
import { localeAmong } from '../payer/locale.ts'
import type { PostalAddress } from '../payer/payer.ts'
import { statementText } from '../payer/statement.ts'
import type { Operation, Purchase } from '../port.ts'
import type { SettlementWindow } from '../settlement.ts'
import { subKey } from '../sub-key.ts'
import type { PaypalCall } from './api.ts'
import { manifest } from './manifest.ts'
import { type PaypalMoney, sum, wireMoney } from './money.ts'

/** Pure: what to send for each step. Undefined if PayPal cannot express an amount. */

const ORDERS = '/v2/checkout/orders'
const PAYMENTS = '/v2/payments'
const DESCRIPTION_BYTES = 127
const NOTE_LENGTH = 255

/** Opens an order that the payer approves on PayPal's page. */
export function startCall(op: Operation, purchase: Purchase): PaypalCall | undefined {
  const { backUrl, storeMethod } = purchase
  const { email } = fitPurchase(purchase, manifest.texts).customer
  const paypal = {
    ...(email !== undefined && isEmail(email) ? { email_address: email } : {}),
    ...(storeMethod ? { attributes: { vault: VAULT } } : {}),
    experience_context: {
      return_url: backUrl,
      cancel_url: backUrl,
      user_action: 'PAY_NOW',
      ...brandOf(purchase),
      shipping_preference: purchase.shipping ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
    },
  }
  return orderCall(op, purchase, paypal)
}

/** PayPal takes a language with its region only. */
const LOCALES = (
  'en-US en-GB de-DE de-AT de-CH fr-FR fr-BE fr-CA es-ES es-MX pt-PT pt-BR it-IT nl-NL nl-BE pl-PL ' +
  'tr-TR ja-JP he-IL ar-EG cs-CZ da-DK el-GR fi-FI hu-HU id-ID ko-KR no-NO ru-RU sk-SK sv-SE th-TH ' +
  'zh-CN zh-HK zh-TW'
).split(' ')

function brandOf({ brand, ...payer }: Purchase): object {
  const locale = localeAmong(LOCALES, payer)
  const brand_name = fitText(brand, DESCRIPTION_BYTES)
  return present({ brand_name, locale })
}

/** PayPal protects sales of goods only if the order has the address that they go to. */
function shippingOf({ name, line1, line2, city, state, postalCode, country }: PostalAddress) {
  return {
    type: 'SHIPPING',
    ...(name ? { name: { full_name: cut(folded(name), 300) } } : {}),
    address: {
      address_line_1: cut(folded(line1), 300),
      ...(line2 ? { address_line_2: cut(folded(line2), 300) } : {}),
      admin_area_2: cut(folded(city), 120),
      ...(state ? { admin_area_1: cut(folded(state), 300) } : {}),
      ...(postalCode ? { postal_code: cut(folded(postalCode), 60) } : {}),
      country_code: country,
    },
  }
}

/** Every customer gets a token of their own, also when two of them pay with one PayPal account. */
const VAULT = {
  store_in_vault: 'ON_SUCCESS',
  usage_type: 'MERCHANT',
  permit_multiple_payment_tokens: true,
} as const

/**
 * Opens an order for a stored wallet. It names no wallet, because PayPal would charge it at once, before the
 * id of the order is known.
 */
export const openCall = (op: Operation, purchase: Purchase): PaypalCall | undefined => orderCall(op, purchase)

function orderCall(op: Operation, purchase: Purchase, paypal?: object): PaypalCall | undefined {
  const amount = wireMoney(purchase.amount)
  if (!amount) return undefined
  const parts = purchase.breakdown && breakdownOf(purchase.breakdown, purchase.amount)
  const { orderId } = purchase
  const about = purchase.description ?? (orderId === undefined ? undefined : `Order ${orderId}`)
  const description = about === undefined ? '' : fitBytes(about)
  const unit = {
    custom_id: op.reference,
    invoice_id: op.reference,
    ...(description === '' ? {} : { description }),
    amount: { ...amount, ...(parts ? { breakdown: parts.breakdown } : {}) },
    ...(parts ? { items: parts.items } : {}),
    ...(purchase.shipping ? { shipping: shippingOf(purchase.shipping) } : {}),
    ...present({
      soft_descriptor: statementText(purchase.statement, { most: 22, others: /[^A-Za-z0-9 .*-]/g }),
    }),
  }
  const json = {
    intent: purchase.sale ? 'CAPTURE' : 'AUTHORIZE',
    purchase_units: [unit],
    ...(paypal ? { payment_source: { paypal } } : {}),
  }
  return { method: 'POST', path: ORDERS, key: op.key, json }
}

/** PayPal counts characters beyond ASCII more than once. */
function fitBytes(text: string): string {
  let fitted = cut(folded(text), DESCRIPTION_BYTES)
  while (Buffer.byteLength(fitted) > DESCRIPTION_BYTES) fitted = cut(fitted, fitted.length - 1)
  return fitted
}

/** Plain addresses only: PayPal refuses an order with an address that it does not accept. */
function isEmail(email: string): boolean {
  const [local = '', domain = '', ...others] = email.split('@')
  return others.length === 0 && LOCAL.test(local) && DOMAIN.test(domain)
}
const LOCAL = /^[A-Za-z0-9_+-]{1,32}(?:\.[A-Za-z0-9_+-]{1,32}){0,3}$/
const DOMAIN = /^(?:[A-Za-z0-9]{1,63}[.-]){0,4}[A-Za-z0-9]{1,63}\.[A-Za-z]{2,24}$/

const MAX_ITEMS = 100

/** Undefined if the parts do not add up to the total, or PayPal cannot express one of them. */
function breakdownOf({ items, tax, shipping, discount }: Breakdown, total: Money) {
  const lines = items.map(({ name, quantity, unitAmount }) => {
    const unit_amount = wireMoney(unitAmount)
    const fitted = fitBytes(name)
    const isWhole = Number.isSafeInteger(quantity) && quantity > 0 && quantity < 1e10
    return unit_amount && isWhole && fitted !== ''
      ? { name: fitted, quantity: String(quantity), unit_amount }
      : undefined
  })
  const itemTotal = sum(
    items.map(({ quantity, unitAmount }) => ({
      ...unitAmount,
      minor: unitAmount.minor * safeInteger(quantity),
    })),
    total.currency,
  )
  const parts = [itemTotal, tax, shipping, discount]
  const isOneCurrency = [...parts, ...items.map(({ unitAmount }) => unitAmount)].every(
    ({ currency }) => currency === total.currency,
  )
  const isExact = itemTotal.minor + tax.minor + shipping.minor - discount.minor === total.minor
  if (!isOneCurrency || !isExact || items.length === 0 || items.length > MAX_ITEMS) return undefined
  const [item_total, tax_total, shippingWire, discountWire] = parts.map(wireMoney)
  if (!item_total || !tax_total || !shippingWire || !discountWire || lines.includes(undefined))
    return undefined
  const breakdown: Record<string, PaypalMoney> = { item_total }
  if (tax.minor > 0n) breakdown.tax_total = tax_total
  if (shipping.minor > 0n) breakdown.shipping = shippingWire
  if (discount.minor > 0n) breakdown.discount = discountWire
  return { breakdown, items: lines }
}

const safeInteger = (quantity: number): bigint => (Number.isSafeInteger(quantity) ? BigInt(quantity) : -1n)

export const orderRead = (id: string): PaypalCall => ({
  method: 'GET',
  path: `${ORDERS}/${encodeURIComponent(id)}`,
})

/** Reserves or takes the money of an order that the payer approved. */
export const processCall = (id: string, key: string, isSale: boolean): PaypalCall => ({
  method: 'POST',
  path: `${ORDERS}/${encodeURIComponent(id)}/${isSale ? 'capture' : 'authorize'}`,
  key,
  json: {},
})

/** Charges a stored wallet for an order that was opened for it. A present payer can be sent to PayPal. */
export function chargeCall(
  id: string,
  key: string,
  token: string,
  { isSale, backUrl }: { readonly isSale: boolean; readonly backUrl: string | undefined },
): PaypalCall {
  const pages = { return_url: backUrl, cancel_url: backUrl }
  const paypal = { vault_id: token, ...(backUrl === undefined ? {} : { experience_context: pages }) }
  return { ...processCall(id, key, isSale), json: { payment_source: { paypal } } }
}

/** Captures once and releases the rest. The invoice number shows which operation made the capture. */
export function captureCall(op: Operation, id: string, amount: Money): PaypalCall | undefined {
  const wire = wireMoney(amount)
  const path = `${PAYMENTS}/authorizations/${encodeURIComponent(id)}/capture`
  return (
    wire && {
      method: 'POST',
      path,
      key: op.key,
      json: { amount: wire, invoice_id: op.key, final_capture: true },
    }
  )
}

export function reauthorizeCall(op: Operation, id: string, amount: Money): PaypalCall {
  const wire = wireMoney(amount)
  return {
    method: 'POST',
    path: `${PAYMENTS}/authorizations/${encodeURIComponent(id)}/reauthorize`,
    key: subKey(op.key, 'A'),
    json: wire ? { amount: wire } : {},
  }
}

export const authorizationRead = (id: string): PaypalCall => ({
  method: 'GET',
  path: `${PAYMENTS}/authorizations/${encodeURIComponent(id)}`,
})

/** PayPal has no request id here: a second void is refused and changes nothing. */
export const voidCall = (id: string): PaypalCall => ({
  method: 'POST',
  path: `${PAYMENTS}/authorizations/${encodeURIComponent(id)}/void`,
  text: '',
})

export const captureRead = (id: string): PaypalCall => ({
  method: 'GET',
  path: `${PAYMENTS}/captures/${encodeURIComponent(id)}`,
})

export const refundRead = (id: string): PaypalCall => ({
  method: 'GET',
  path: `${PAYMENTS}/refunds/${encodeURIComponent(id)}`,
})

/** The operation's key as `custom_id` shows which operation made the refund. */
export function refundCall(op: Operation, captureId: string, amount: Money): PaypalCall | undefined {
  const wire = wireMoney(amount)
  const note = fitText(op.description, NOTE_LENGTH)
  const json = { amount: wire, custom_id: op.key, ...(note === undefined ? {} : { note_to_payer: note }) }
  const path = `${PAYMENTS}/captures/${encodeURIComponent(captureId)}/refund`
  return wire && { method: 'POST', path, key: op.key, json }
}

export const forgetCall = (token: string): PaypalCall => ({
  method: 'DELETE',
  path: `/v3/vault/payment-tokens/${encodeURIComponent(token)}`,
  loggedPath: '/v3/vault/payment-tokens/…',
})

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

/** Transactions that changed the balance, without what PayPal knows about the payer. */
export const listTransactions = ({ from, until }: SettlementWindow, page: number): PaypalCall => {
  const query = new URLSearchParams({
    ...{ start_date: seconds(from), end_date: seconds(until), fields: 'transaction_info' },
    ...{ page_size: '500', page: String(page) },
  })
  return { method: 'GET', path: `/v1/reporting/transactions?${query}` }
}

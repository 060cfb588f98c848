import { isIP } from 'node:net'
import type { Money } from '../../base/money.ts'
import { sha256 } from '../../base/secret.ts'
import { parseUrl } from '../../base/text.ts'
import type { HttpCall } from '../../net/http.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { present } from '../kit/json.ts'
import { idsAt } from '../methods/catalogue.ts'
import type { AnyMethod } from '../methods/method.ts'
import { localeAmong } from '../payer/locale.ts'
import type { Operation, Purchase } from '../port.ts'
import { subKey } from '../sub-key.ts'
import { toWire } from './amounts.ts'
import { manifest, ORIGIN } from './manifest.ts'

/** Pure: requests to the API, without address and credentials. */

export interface MollieRequest extends Pick<HttpCall, 'method' | 'json' | 'loggedPath'> {
  /** Below the version. */
  readonly path: string
  /** Sent as `Idempotency-Key`. */
  readonly key?: string
}

/** A stored method: the customer that it belongs to, and the mandate. */
export interface MollieToken {
  readonly customer: string
  readonly mandate: string
}

export const METHODS: Readonly<Partial<Record<AnyMethod, string>>> = {
  CreditCard: 'creditcard',
  Paypal: 'paypal',
  ...idsAt('mollie'),
}

/**
 * A page for cards also offers cards in wallets, which are taken in one step and not stored. The payer sees
 * those that the account has turned on.
 */
const methodOf = ({ method, sale, storeMethod }: Purchase): string | readonly string[] | undefined =>
  method === 'CreditCard' && sale && !storeMethod ? CARD_PAGE : METHODS[method]
const CARD_PAGE = ['creditcard', 'applepay', 'googlepay']

/** Mollie wants a UUID. The same operation always has the same one. */
export function uuidOf(key: string): string {
  const hex = sha256(`mollie ${key}`).toString('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(18, 20)]
  return [...parts, hex.slice(20, 32)].join('-')
}

/** Where a payment's notifications go. */
export interface Addresses {
  readonly origin: string
  readonly notifyUrl: string
}

/**
 * Mollie refuses a payment whose address for notifications the internet does not reach. Such a payment is
 * opened without one and read when the customer returns.
 */
const webhookOf = ({ origin, notifyUrl }: Addresses): { webhookUrl?: string } =>
  origin !== ORIGIN || isPublic(notifyUrl) ? { webhookUrl: notifyUrl } : {}

function isPublic(url: string): boolean {
  const host = parseUrl(url)?.hostname ?? ''
  return host.includes('.') && isIP(host) === 0 && !/\.(?:localhost|local|internal|lan|home|test)$/.test(host)
}

/**
 * Each stored method has a customer of its own, without personal data. The payments of a customer are then
 * the first one and the charges of one stored method.
 */
export const createCustomer = ({ key, reference }: Operation): MollieRequest => ({
  ...{ method: 'POST', path: '/customers', key: subKey(key, 'A') },
  json: { metadata: { reference } },
})

const common = (op: Operation, purchase: Purchase, to: Addresses) => ({
  amount: toWire(purchase.amount),
  description: descriptionOf(op, purchase),
  method: methodOf(purchase),
  ...(purchase.sale ? {} : { captureMode: 'manual' }),
  ...webhookOf(to),
  metadata: { reference: op.reference },
})

/** Mollie requires a description. */
function descriptionOf({ reference }: Operation, purchase: Purchase): string {
  const { description } = fitPurchase(purchase, manifest.texts)
  return description ?? fitText(purchase.orderId, manifest.texts.description) ?? reference
}

/** Languages of Mollie's page. For others it takes that of the browser. */
const LOCALES = (
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI ' +
  'da_DK is_IS hu_HU pl_PL lv_LV lt_LT'
).split(' ')

/** The card's bank compares the address. */
function payerOf(purchase: Purchase): object {
  const { billing, customer } = fitPurchase(purchase, manifest.texts)
  const locale = localeAmong(LOCALES, purchase)
  const { firstName: givenName, lastName: familyName } = customer
  const address = billing && {
    ...present({ givenName, familyName, streetAdditional: billing.line2, region: billing.state }),
    ...present({ streetAndNumber: billing.line1, postalCode: billing.postalCode }),
    ...{ city: billing.city, country: billing.country },
  }
  return present({ locale, billingAddress: address?.postalCode ? address : undefined })
}

/** Opens a page. With a customer the method that is paid with is stored. */
export const openPayment = (
  op: Operation,
  purchase: Purchase,
  to: Addresses,
  customer: string | undefined,
): MollieRequest => ({
  ...{ method: 'POST', path: '/payments', key: op.key },
  json: {
    ...common(op, purchase, to),
    redirectUrl: purchase.backUrl,
    cancelUrl: purchase.backUrl,
    ...payerOf(purchase),
    ...(customer === undefined ? {} : { customerId: customer, sequenceType: 'first' }),
  },
})

export const chargeMandate = (
  op: Operation,
  purchase: Purchase,
  to: Addresses,
  { customer, mandate }: MollieToken,
): MollieRequest => ({
  ...{ method: 'POST', path: '/payments', key: op.key },
  json: {
    ...common(op, purchase, to),
    ...{ customerId: customer, mandateId: mandate, sequenceType: 'recurring' },
  },
})

export const readPayment = (id: string): MollieRequest => ({
  method: 'GET',
  path: `/payments/${id}?embed=captures,refunds,chargebacks`,
})

/** One of the lists of a payment, if the payment did not embed it. */
export const readList = (id: string, name: 'captures' | 'refunds' | 'chargebacks'): MollieRequest => ({
  method: 'GET',
  path: `/payments/${id}/${name}`,
})

/** The newest first. */
export const listPayments = (customer: string): MollieRequest => ({
  method: 'GET',
  path: `/customers/${customer}/payments?limit=${PAGE}`,
  loggedPath: '/customers/***/payments',
})
const PAGE = 250

export const cancelPayment = (op: Operation, id: string): MollieRequest => ({
  ...{ method: 'DELETE', path: `/payments/${id}`, key: op.key },
})

/** Releases what is reserved and not captured. */
export const releaseAuthorisation = (id: string, key: string): MollieRequest => ({
  ...{ method: 'POST', path: `/payments/${id}/release-authorization`, key },
})

/** The metadata tell later which operation a capture or refund belongs to. */
export const capturePayment = (op: Operation, id: string, amount: Money): MollieRequest => ({
  ...{ method: 'POST', path: `/payments/${id}/captures`, key: op.key },
  json: { amount: toWire(amount), metadata: { key: op.key } },
})

const REFUND_TEXT = 140

export function refundPayment(op: Operation, id: string, amount: Money): MollieRequest {
  const description = fitText(op.description, REFUND_TEXT)
  return {
    ...{ method: 'POST', path: `/payments/${id}/refunds`, key: op.key },
    json: {
      amount: toWire(amount),
      ...(description ? { description } : {}),
      metadata: { key: op.key },
    },
  }
}

const mandatePath = ({ customer, mandate }: MollieToken) => ({
  path: `/customers/${customer}/mandates/${mandate}`,
  loggedPath: '/customers/***/mandates/***',
})

export const readMandate = (token: MollieToken): MollieRequest => ({ method: 'GET', ...mandatePath(token) })
export const revokeMandate = (token: MollieToken): MollieRequest => ({
  method: 'DELETE',
  ...mandatePath(token),
})

/** The website profile that the key belongs to. */
export const readProfile = (): MollieRequest => ({ method: 'GET', path: '/profiles/me' })

/** Reads nothing but what the account offers. */
export const readMethods = (): MollieRequest => ({
  method: 'GET',
  path: '/methods?includeWallets=applepay,googlepay',
})

// ---- settled money: only with an organisation access token ------------------------------------------------

const beginning = (from: string | undefined): string =>
  from === undefined ? '' : `&from=${encodeURIComponent(from)}`

/** A balance and the one after it. */
export const listBalances = (from: string | undefined): MollieRequest => ({
  method: 'GET',
  path: `/balances?limit=2${beginning(from)}`,
})

/** The newest first. */
export const listBalanceTransactions = (balance: string, from: string | undefined): MollieRequest => ({
  method: 'GET',
  path: `/balances/${balance}/transactions?limit=${PAGE}${beginning(from)}`,
})

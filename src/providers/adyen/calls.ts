import { DAY, MINUTE } from '../../base/clock.ts'
import { isPlainMailbox } from '../../base/mailbox.ts'
import type { Money } from '../../base/money.ts'
import type { HttpCall } from '../../net/http.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { entryOf, matching, present } from '../kit/json.ts'
import { idsAt, namedMethod } from '../methods/catalogue.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { ThreeDSecureRequest } from '../methods/three-d-secure.ts'
import { localeAmong } from '../payer/locale.ts'
import type { PostalAddress } from '../payer/payer.ts'
import { statementText } from '../payer/statement.ts'
import type { Operation, Purchase } from '../port.ts'
import { toWire } from './amounts.ts'
import { manifest } from './manifest.ts'

/** Pure: requests to the Checkout API, without address and credentials. */

export interface AdyenRequest extends Pick<HttpCall, 'method' | 'json' | 'loggedPath'> {
  /** Below the version. */
  readonly path: string
  readonly key?: string
}

/** Ids end up in paths, so nothing else than an id is sent. */
export const isId = matching(/^[A-Za-z0-9]{1,64}$/)

/** A stored method: the shopper that it belongs to, and its id. */
export interface AdyenToken {
  readonly shopper: string
  readonly id: string
}

/** Each stored method has a shopper of its own, so no page shows the methods of another payment. */
export const shopperOf = (reference: string): string => `shopper_${reference}`
export const isShopper = matching(/^shopper_[0-9A-Z]{20}$/)
/** A shopper reference as Adyen takes them. */
export const isShopperName = matching(/^[\x21-\x7e]{3,256}$/)

export const TYPES: Readonly<Partial<Record<AnyMethod, string>>> = {
  CreditCard: 'scheme',
  ElectronicCheck: 'ach',
  ...idsAt('adyen'),
}

/** Afterpay is another method at Adyen for payers in these currencies. */
const AFTERPAY: Readonly<Record<string, string>> = { GBP: 'clearpay', USD: 'afterpaytouch_US' }
export const AFTERPAY_TYPES: readonly string[] = Object.values(AFTERPAY)

const typeFor = ({ method, amount }: Purchase): string | undefined =>
  (method === 'afterpay' ? entryOf(AFTERPAY, amount.currency) : undefined) ?? TYPES[method]

/**
 * A page for cards also offers cards in wallets; the payer sees those that the account has turned on. On the
 * page of a shopper the stored card itself is confirmed.
 */
const typesOf = ({ method }: Purchase, type: string, shopper: string | undefined): string[] =>
  method === 'CreditCard' && shopper === undefined ? [type, 'applepay', 'googlepay'] : [type]

/**
 * Adyen offers a method only to payers of its countries, and some in the currency of the country only. The
 * country of the payer counts if it is one of them, else that of the currency, else the first one.
 */
function countryOf({ method, country, amount }: Purchase): string | undefined {
  if (method === 'ElectronicCheck') return 'US'
  const { countries = [] } = namedMethod(method) ?? {}
  // The code of a currency begins with that of its country. That of the euro has none.
  const known = [country, amount.currency.slice(0, 2)].find((one) => one && countries.includes(one))
  return known ?? countries[0] ?? country
}

/** Adyen wants the lines of what is paid, captured and given back by Klarna and the like. */
export const isPaidLater = (method: AnyMethod): boolean => namedMethod(method)?.icon === 'later'

/** Klarna and the like want the lines of the order and know who pays: the page asks for what is missing. */
function laterOf(purchase: Purchase, { reference }: Operation): object {
  if (!isPaidLater(purchase.method)) return {}
  const given = { ...payerOf(purchase), ...textsOf(purchase) }
  const requiredShopperFields = ['shopperName', 'shopperEmail', 'billingAddress'].filter(
    (field) => !(field in given),
  )
  return {
    lineItems: linesOf(purchase, reference),
    ...(requiredShopperFields.length > 0 ? { requiredShopperFields } : {}),
  }
}

/** One line for all of it where the items do not come to the amount: shipping and tax are no items. */
function linesOf({ amount, breakdown }: Purchase, text: string): object[] {
  const items = breakdown?.items ?? []
  const sum = items.reduce(
    (total, { quantity, unitAmount }) => total + unitAmount.minor * BigInt(quantity),
    0n,
  )
  const whole = [{ name: text, quantity: 1, unitAmount: amount }]
  return (sum === amount.minor ? items : whole).map(({ name, quantity, unitAmount }) => ({
    description: fitText(name, manifest.texts.description) ?? text,
    quantity,
    amountIncludingTax: toWire(unitAmount)?.value,
  }))
}

/**
 * Undefined if Adyen cannot take the purchase. With `shopper` the page offers the methods that are stored for
 * this shopper.
 */
export function openLink(
  account: string,
  op: Operation,
  purchase: Purchase,
  shopper?: string,
): AdyenRequest | undefined {
  const amount = toWire(purchase.amount)
  const type = typeFor(purchase)
  if (!amount || type === undefined) return undefined
  return {
    method: 'POST',
    path: '/paymentLinks',
    // The request that opens a page after a charge has another key than the charge.
    key: shopper === undefined ? op.key : `${op.key}-page`,
    json: {
      merchantAccount: account,
      reference: op.reference,
      amount,
      allowedPaymentMethods: typesOf(purchase, type, shopper),
      ...payerOf(purchase),
      ...threeDSecureOf(purchase),
      ...laterOf(purchase, op),
      ...captureOf(purchase),
      reusable: false,
      returnUrl: purchase.backUrl,
      ...textsOf(purchase),
      ...expiryOf(op, purchase),
      ...(shopper === undefined ? {} : { shopperReference: shopper }),
      ...(purchase.storeMethod && shopper === undefined
        ? {
            storePaymentMethodMode: 'enabled',
            recurringProcessingModel: 'UnscheduledCardOnFile',
            shopperReference: shopperOf(op.reference),
          }
        : {}),
    },
  }
}

/**
 * Without a delay of its own, a payment by a method of one step is captured as the account has it: days
 * later, or never where it captures by hand.
 */
const captureOf = ({ method }: Purchase): object =>
  namedMethod(method)?.reserves === false
    ? { manualCapture: false, captureDelayHours: 0 }
    : { manualCapture: true }

/** A page can wish for a challenge as the merchant must have it, or wish for none. */
const CHALLENGE_WISH: Readonly<Record<ThreeDSecureRequest, string>> = { challenge: '04', exemption: '02' }

const threeDSecureOf = ({ method, threeDSecure }: Purchase): object =>
  method === 'CreditCard' && threeDSecure
    ? { threeDS2RequestData: { threeDSRequestorChallengeInd: CHALLENGE_WISH[threeDSecure] } }
    : {}

/** Languages of Adyen's page. For others it takes that of the browser. */
const LOCALES = (
  'bg-BG ca-ES cs-CZ da-DK de-DE el-GR en-US en-GB es-ES et-EE fi-FI fr-FR hr-HR hu-HU is-IS it-IT ' +
  'ja-JP ko-KR lt-LT lv-LV nl-NL no-NO pl-PL pt-PT pt-BR ro-RO ru-RU sk-SK sl-SI sv-SE zh-CN zh-TW'
).split(' ')

function payerOf(purchase: Purchase): object {
  const { billing } = fitPurchase(purchase, manifest.texts)
  const shopperLocale = localeAmong(LOCALES, purchase)
  const countryCode = countryOf(purchase)
  const billingAddress = billing && addressOf(billing)
  return present({ shopperLocale, countryCode, billingAddress, shopperStatement: shownOn(purchase) })
}

const shownOn = ({ statement }: Purchase): string | undefined =>
  statementText(statement, { most: 22, others: /[^A-Za-z0-9 .,'_?+*/-]/g })

/** Undefined unless every member is as Adyen wants it: it refuses the whole request because of one. */
function addressOf({ line1, city, state, postalCode, country }: PostalAddress): object | undefined {
  const hasState = country === 'US' || country === 'CA'
  const isPostalCode = country === 'US' ? /^\d{5}(?:-\d{4})?$/ : /^[0-9A-Za-z][0-9A-Za-z -]{0,9}$/
  if (!postalCode || !isPostalCode.test(postalCode)) return undefined
  if (hasState && !/^[A-Z]{2}$/.test(state ?? '')) return undefined
  const [street, houseNumberOrName] = houseOf(line1)
  return {
    street,
    houseNumberOrName,
    city,
    // Of a nine-digit code Adyen takes the first five.
    postalCode: country === 'US' ? postalCode.slice(0, 5) : postalCode,
    country,
    ...(hasState ? { stateOrProvince: state } : {}),
  }
}

/** `12 Main St` and `Hauptstr. 12a` have the number at one of the ends. */
function houseOf(line: string): readonly [street: string, house: string] {
  const first = /^(\d\S{0,9}) (.+)$/.exec(line)
  const last = /^(.+) (\d\S{0,9})$/.exec(line)
  return [first?.[2] ?? last?.[1] ?? line, first?.[1] ?? last?.[2] ?? 'N/A']
}

function textsOf(purchase: Purchase): object {
  const { description, orderId, customer } = fitPurchase(purchase, manifest.texts)
  const { firstName, lastName, email } = customer
  const text = description ?? fitText(orderId, manifest.texts.description)
  return {
    ...(text ? { description: text } : {}),
    // Adyen refuses the whole request because of an address that is not one.
    ...(email && isPlainMailbox(email) ? { shopperEmail: email } : {}),
    ...(firstName && lastName ? { shopperName: { firstName, lastName } } : {}),
  }
}

/** A link lasts up to 70 days. Absent: a day. */
const LONGEST_MS = 69 * DAY
const SHORTEST_MS = 5 * MINUTE

function expiryOf({ createdAt }: Operation, { expiresAt }: Purchase): { expiresAt?: string } {
  if (!expiresAt) return {}
  const lastsMs = expiresAt.getTime() - createdAt.getTime()
  const ends = createdAt.getTime() + Math.min(Math.max(lastsMs, SHORTEST_MS), LONGEST_MS)
  return { expiresAt: new Date(ends).toISOString().replace(/\.\d{3}Z$/, 'Z') }
}

export const readLink = (id: string): AdyenRequest => ({ method: 'GET', path: `/paymentLinks/${id}` })

export const closeLink = (id: string): AdyenRequest => ({
  method: 'PATCH',
  path: `/paymentLinks/${id}`,
  json: { status: 'expired' },
})

/** Undefined if Adyen cannot take the purchase. */
export function chargeStored(
  account: string,
  op: Operation,
  purchase: Purchase,
  { shopper, id }: AdyenToken,
): AdyenRequest | undefined {
  const amount = toWire(purchase.amount)
  const type = TYPES[purchase.method]
  if (!amount || type === undefined) return undefined
  return {
    method: 'POST',
    path: '/payments',
    key: op.key,
    json: {
      merchantAccount: account,
      reference: op.reference,
      amount,
      returnUrl: purchase.backUrl,
      paymentMethod: { type, storedPaymentMethodId: id },
      ...present({ shopperStatement: shownOn(purchase) }),
      shopperReference: shopper,
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: purchase.customerPresent ? 'CardOnFile' : 'UnscheduledCardOnFile',
      additionalData: { manualCapture: 'true' },
    },
  }
}

/**
 * The reference of a modification: the attempt's, then the operation's key. Notifications name this one or
 * the attempt's; either way both can be told apart.
 */
export const modificationReference = ({ reference, key }: Operation): string => `${reference}-${key}`

/** What a capture or refund is of. */
interface Modified {
  readonly id: string
  readonly amount: Money
  readonly isPaidLater: boolean
}

export function capturePayment(account: string, op: Operation, { id, ...of }: Modified): AdyenRequest {
  return modification(account, op, `/payments/${id}/captures`, sumOf(op, of))
}

export function refundPayment(account: string, op: Operation, { id, ...of }: Modified): AdyenRequest {
  const reason = REASONS.find((known) => known === op.description?.trim().toUpperCase())
  return modification(account, op, `/payments/${id}/refunds`, {
    ...sumOf(op, of),
    ...(reason ? { merchantRefundReason: reason } : {}),
  })
}

/** Which items are captured or given back is not known here: one line has all of it. */
function sumOf(op: Operation, { amount, isPaidLater: hasLines }: Omit<Modified, 'id'>): object {
  const wire = toWire(amount)
  const description = fitText(op.description, manifest.texts.description) ?? op.reference
  const lineItems = [{ description, quantity: 1, amountIncludingTax: wire?.value }]
  return { amount: wire, ...(hasLines ? { lineItems } : {}) }
}

/** Adyen takes no other text. */
const REASONS = ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER']

export const cancelPayment = (account: string, op: Operation, id: string): AdyenRequest =>
  modification(account, op, `/payments/${id}/cancels`, {})

/**
 * Cancels what Adyen knows by our reference, when its own id is not known. The id may be known when the
 * operation is repeated: that is another request, and a key belongs to one request.
 */
export const cancelByReference = (account: string, op: Operation): AdyenRequest => ({
  ...modification(account, op, '/cancels', { paymentReference: op.reference }),
  key: `${op.key}-by-reference`,
})

const modification = (account: string, op: Operation, path: string, members: object): AdyenRequest => ({
  ...{ method: 'POST', path, key: op.key },
  json: { merchantAccount: account, reference: modificationReference(op), ...members },
})

const queryOf = (merchantAccount: string, shopperReference: string): URLSearchParams =>
  new URLSearchParams({ merchantAccount, shopperReference })

export const listStored = (account: string, shopper: string): AdyenRequest => ({
  method: 'GET',
  path: `/storedPaymentMethods?${queryOf(account, shopper)}`,
  loggedPath: '/storedPaymentMethods',
})

export const removeStored = (account: string, { shopper, id }: AdyenToken): AdyenRequest => ({
  method: 'DELETE',
  path: `/storedPaymentMethods/${id}?${queryOf(account, shopper)}`,
  loggedPath: '/storedPaymentMethods/***',
})

/** Without country and amount Adyen lists every method that is turned on for the merchant account. */
export const readMethods = (account: string): AdyenRequest => ({
  method: 'POST',
  path: '/paymentMethods',
  json: { merchantAccount: account },
})

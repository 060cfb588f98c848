import { cut, folded } from '../../base/text.ts'
import { entryOf, type Json, numberAt, objectAt, secondsAt, textAt } from '../kit/json.ts'
import { CATALOGUE, methodAt } from '../methods/catalogue.ts'
import type { WalletId } from '../methods/method.ts'
import { type ThreeDSecureFacts, type ThreeDSecureResult, versionIn } from '../methods/three-d-secure.ts'
import type { CardFacts, Checks, Facts, Handles, StoredMethod } from '../outcome.ts'
import { fromWire } from './amounts.ts'
import { methodKindOf } from './reads.ts'
import { idAt, isId } from './wire.ts'

/** Pure: what an intent and its charge tell about a payment. */

/** The ids that later calls need. `lookup` is what disputes, refunds and reviews name in notifications. */
export function handlesOf({ session, intent }: { session?: Json; intent?: Json }): Handles {
  const sessionId = textAt(session, 'id')
  const payment = textAt(intent, 'id')
  const charge = idAt(intent, 'latest_charge')
  const status = textAt(intent, 'status')
  const isPaid = status === 'requires_capture' || status === 'succeeded'
  const isManual = textAt(intent, 'capture_method') === 'manual'
  return {
    ...(sessionId ? { session: sessionId } : {}),
    ...(payment ? { payment, lookup: payment } : {}),
    ...(charge && isPaid && isManual ? { authorisation: charge } : {}),
    ...(charge && status === 'succeeded' ? { capture: charge } : {}),
  }
}

export function factsOf(intent: Json): Facts {
  const charge = objectAt(intent, 'latest_charge')
  const details = objectAt(charge, 'payment_method_details')
  const balance = objectAt(charge, 'balance_transaction')
  const fee = fromWire(numberAt(balance, 'fee'), balance.currency)
  const authorisedUntil = secondsAt(details, 'card', 'capture_before')
  const type = textAt(details, 'type')
  const wallet = entryOf(WALLETS, textAt(details, 'card', 'wallet', 'type'))
  const method = wallet ?? methodKindOf(type) ?? methodAt('stripe', type)
  const payer = payerOf(objectAt(charge, 'billing_details'))
  const inWallet = wallet ? { wallet } : {}
  const card = details.card ? { ...cardOf(objectAt(details, 'card')), ...inWallet } : undefined
  const checks = checksOf(objectAt(details, 'card'))
  const threeDSecure = threeDSecureOf(objectAt(details, 'card', 'three_d_secure'))
  const stored = storedOf(intent)
  const risk = riskOf(objectAt(charge, 'outcome'))
  return {
    ...(fee ? { fee } : {}),
    ...(authorisedUntil ? { authorisedUntil } : {}),
    ...(method ? { method } : {}),
    ...(payer ? { payer } : {}),
    ...(card ? { card } : {}),
    ...(checks ? { checks } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
    ...(stored ? { stored } : {}),
    ...(risk ? { risk } : {}),
  }
}

const WALLETS: Readonly<Record<string, WalletId>> = { apple_pay: 'apple-pay', google_pay: 'google-pay' }

function payerOf(billing: Json): Facts['payer'] {
  const fullName = textAt(billing, 'name')
  const email = textAt(billing, 'email')
  const country = textAt(billing, 'address', 'country')
  if (!fullName && !email && !country) return undefined
  return {
    ...(fullName ? { fullName: cut(fullName, 200) } : {}),
    ...(email ? { email: cut(email, 254) } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { country } : {}),
  }
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

const TYPES: Readonly<Record<string, string>> = { credit: 'Credit', debit: 'Debit', prepaid: 'Prepaid' }

/** A value of a table, whatever the key is. */
const named = (table: Readonly<Record<string, string>>, key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

function cardOf(card: Json): CardFacts {
  const brand = named(BRANDS, textAt(card, 'brand'))
  const type = named(TYPES, textAt(card, 'funding'))
  const last4 = textAt(card, 'last4')
  const country = textAt(card, 'country')
  const expiryMonth = numberAt(card, 'exp_month')
  const expiryYear = numberAt(card, 'exp_year')
  return {
    ...(brand ? { brand } : {}),
    ...(type ? { type } : {}),
    ...(last4 && /^\d{4}$/.test(last4) ? { last4 } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { country } : {}),
    ...(expiryMonth && expiryYear ? { expiryMonth, expiryYear } : {}),
  }
}

const SECURED: Readonly<Record<string, NonNullable<Checks['threeDSecure']>>> = {
  attempt_acknowledged: 'attempted',
  authenticated: 'authenticated',
  failed: 'failed',
}

function checksOf(card: Json): Checks | undefined {
  const checked = (name: string) => {
    const result = textAt(card, 'checks', name)
    return result === 'pass' || result === 'fail' ? result : undefined
  }
  const address = checked('address_line1_check')
  const postalCode = checked('address_postal_code_check')
  const cvc = checked('cvc_check')
  const result = textAt(card, 'three_d_secure', 'result')
  const threeDSecure = result !== undefined && Object.hasOwn(SECURED, result) ? SECURED[result] : undefined
  const checks: Checks = {
    ...(address ? { address } : {}),
    ...(postalCode ? { postalCode } : {}),
    ...(cvc ? { cvc } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
  }
  return Object.keys(checks).length > 0 ? checks : undefined
}

const RESULTS: Readonly<Record<string, ThreeDSecureResult>> = {
  attempt_acknowledged: 'attempted',
  authenticated: 'authenticated',
  exempted: 'exempted',
  failed: 'failed',
  not_supported: 'not-supported',
  processing_error: 'not-authenticated',
}
const FLOWS: Readonly<Record<string, ThreeDSecureResult>> = {
  challenge: 'authenticated-by-challenge',
  frictionless: 'frictionless',
}

/** Electronic commerce indicators of the card schemes: whether the payer's bank is liable. */
const LIABLE: Readonly<Record<string, boolean>> = {
  ...{ '01': true, '02': true, '05': true, '06': true },
  ...{ '00': false, '07': false },
}

/** Undefined if 3-D Secure was not used. */
function threeDSecureOf(secured: Json): ThreeDSecureFacts | undefined {
  const said = entryOf(RESULTS, textAt(secured, 'result'))
  if (!said) return undefined
  const flow = entryOf(FLOWS, textAt(secured, 'authentication_flow'))
  const liabilityShift = entryOf(LIABLE, textAt(secured, 'electronic_commerce_indicator'))
  return {
    result: said === 'authenticated' ? (flow ?? said) : said,
    ...versionIn(textAt(secured, 'version')),
    ...(liabilityShift === undefined ? {} : { liabilityShift }),
  }
}

const LEVELS: Readonly<Record<string, NonNullable<Facts['risk']>['level']>> = {
  elevated: 'elevated',
  highest: 'high',
  normal: 'low',
}

function riskOf(outcome: Json): Facts['risk'] {
  const level = textAt(outcome, 'risk_level')
  if (level === undefined) return undefined
  const score = numberAt(outcome, 'risk_score')
  return {
    level: (Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined) ?? 'unknown',
    ...(score === undefined ? {} : { score }),
  }
}

/** The method that a payment stored: attached to its customer, and not removed since. */
function storedOf(intent: Json): StoredMethod | undefined {
  if (textAt(intent, 'setup_future_usage') !== 'off_session') return undefined
  const customer = idAt(intent, 'customer')
  const method = objectAt(intent, 'payment_method')
  return customer !== undefined && idAt(method, 'customer') === customer ? storedMethodOf(method) : undefined
}

/** Undefined unless the method belongs to a customer. */
export function storedMethodOf(method: Json): StoredMethod | undefined {
  const id = textAt(method, 'id')
  const customer = idAt(method, 'customer')
  const type = textAt(method, 'type')
  const kind = methodKindOf(type)
  if (!isId(id) || !isId(customer) || !kind || !type) return undefined
  const details = objectAt(method, type)
  const fingerprint = textAt(details, 'fingerprint')
  const wallet = entryOf(WALLETS, textAt(details, 'wallet', 'type'))
  return {
    token: `${customer}/${id}`,
    label: labelOf(kind, details, wallet),
    method: kind,
    ...(fingerprint ? { fingerprint } : {}),
    ...(kind === 'CreditCard' ? { card: { ...cardOf(details), ...(wallet ? { wallet } : {}) } } : {}),
  }
}

function labelOf(
  kind: 'CreditCard' | 'ElectronicCheck',
  details: Json,
  wallet: WalletId | undefined,
): string {
  const digits = textAt(details, 'last4') ?? ''
  const last4 = /^\d{4}$/.test(digits) ? ` •••• ${digits}` : ''
  const inWallet = wallet ? `${CATALOGUE[wallet].name}, ` : ''
  if (kind === 'CreditCard') return `${inWallet}${cardOf(details).brand ?? 'Card'}${last4}`
  return `${cut(folded(textAt(details, 'bank_name') ?? ''), 60) || 'Bank account'}${last4}`
}

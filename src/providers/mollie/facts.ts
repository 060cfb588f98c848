import { maskedMailbox } from '../../base/mailbox.ts'
import { type Money, money } from '../../base/money.ts'
import { entryOf, type Json, objectAt, textAt } from '../kit/json.ts'
import { methodAt } from '../methods/catalogue.ts'
import type { AnyMethod, WalletId } from '../methods/method.ts'
import type { CardFacts, Facts, MethodKind, StoredMethod } from '../outcome.ts'
import { amountAt } from './amounts.ts'
import type { MollieToken } from './calls.ts'
import { isId, type MolliePayment } from './payment.ts'

/** Pure: what a payment says about the payer, the card, the fee and the stored method. */
export function factsOf(payment: MolliePayment, captured: Money): Facts {
  const { details, captureBefore } = payment
  const method = methodOf(payment.method)
  const wallet = walletIn(method, details)
  const seen = method === 'CreditCard' || wallet ? cardIn(details) : undefined
  const card = wallet ? { ...seen, wallet } : seen
  const payer = payerIn(details)
  const fee = feeOf(payment, captured)
  return {
    ...(method ? { method } : {}),
    ...(card ? { card } : {}),
    ...(payer ? { payer } : {}),
    ...(fee ? { fee } : {}),
    ...(captureBefore ? { authorisedUntil: captureBefore } : {}),
    ...threeDSecureIn(details),
  }
}

/** A failed authentication leaves the mark of 3-D Secure on the payment too. */
function threeDSecureIn(details: Json): Pick<Facts, 'checks' | 'threeDSecure'> {
  if (textAt(details, 'cardSecurity') !== '3dsecure') return {}
  const problem = textAt(details, 'failureReason')
  if (problem === 'authentication_abandoned') return { threeDSecure: { result: 'not-authenticated' } }
  const said = problem === 'authentication_failed' ? 'failed' : 'authenticated'
  return { checks: { threeDSecure: said }, threeDSecure: { result: said } }
}

const KINDS: Readonly<Record<string, MethodKind>> = { creditcard: 'CreditCard', paypal: 'Paypal' }
const kindOf = (method: string | undefined): MethodKind | undefined => entryOf(KINDS, method)
const methodOf = (method: string | undefined): AnyMethod | undefined =>
  kindOf(method) ?? methodAt('mollie', method)

/** Mollie says which wallet a card was in, as the method or beside the card. */
function walletIn(method: AnyMethod | undefined, details: Json): WalletId | undefined {
  if (method === 'apple-pay' || method === 'google-pay') return method
  return entryOf(WALLETS, textAt(details, 'wallet'))
}
const WALLETS: Readonly<Record<string, WalletId>> = { applepay: 'apple-pay', googlepay: 'google-pay' }

function cardIn(details: Json): CardFacts | undefined {
  const brand = textAt(details, 'cardLabel')
  const last4 = /(\d{4})$/.exec(textAt(details, 'cardNumber') ?? '')?.[1]
  const type = textAt(details, 'cardFunding')
  const country = textAt(details, 'cardCountryCode') ?? textAt(details, 'cardCountry')
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(textAt(details, 'cardExpiryDate') ?? '') ?? []
  if (brand === undefined && last4 === undefined) return undefined
  return {
    ...(brand ? { brand } : {}),
    ...(type ? { type } : {}),
    ...(month && year ? { expiryMonth: Number(month), expiryYear: Number(year) } : {}),
    ...(last4 ? { last4 } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { country } : {}),
  }
}

function payerIn(details: Json): Facts['payer'] {
  const fullName = textAt(details, 'cardHolder') ?? textAt(details, 'consumerName')
  const account = textAt(details, 'consumerAccount')
  const email = account?.includes('@') ? account : undefined
  if (fullName === undefined && email === undefined) return undefined
  return { ...(fullName ? { fullName } : {}), ...(email ? { email } : {}) }
}

/** PayPal's fee, or what the settlement of a whole sale has less than the payment in the same currency. */
function feeOf({ details, settled, isManual, refunds, chargebacks }: MolliePayment, captured: Money) {
  if (captured.minor === 0n) return undefined
  const named = amountAt(details, 'paypalFee')
  if (named) return named.currency === captured.currency ? named : undefined
  const isWhole = !isManual && refunds.length === 0 && chargebacks.length === 0
  if (!settled || settled.currency !== captured.currency || !isWhole) return undefined
  const minor = captured.minor - settled.minor
  return minor > 0n && minor < captured.minor ? money(minor, captured.currency) : undefined
}

/** The mandate that a first payment made. */
export function mandateOf({ sequence, customer, mandate }: MolliePayment): MollieToken | undefined {
  if (sequence !== 'first' || !isId(customer) || !isId(mandate)) return undefined
  return { customer, mandate }
}

const tokenText = ({ customer, mandate }: MollieToken): string => `${customer}/${mandate}`

export function parseToken(token: string): MollieToken | undefined {
  const [customer, mandate, ...more] = token.split('/')
  return isId(customer) && isId(mandate) && more.length === 0 ? { customer, mandate } : undefined
}

/** Undefined if the mandate cannot be charged. */
export function storedIn(token: MollieToken, mandate: Json): StoredMethod | undefined {
  const method = kindOf(textAt(mandate, 'method'))
  const isUsable = ['valid', 'pending'].includes(textAt(mandate, 'status') ?? '')
  if (!method || !isUsable || textAt(mandate, 'id') !== token.mandate) return undefined
  const details = objectAt(mandate, 'details')
  const card = method === 'CreditCard' ? cardIn(details) : undefined
  const fingerprint = textAt(details, 'cardFingerprint') ?? textAt(details, 'consumerAccount')
  return {
    token: tokenText(token),
    label: labelOf(method, card, payerIn(details)?.email),
    method,
    ...(fingerprint ? { fingerprint } : {}),
    ...(card ? { card } : {}),
  }
}

function labelOf(method: MethodKind, card: CardFacts | undefined, email: string | undefined): string {
  if (method === 'Paypal') return email ? `PayPal ${maskedMailbox(email)}` : 'PayPal'
  const brand = card?.brand ?? 'Card'
  return card?.last4 ? `${brand} •••• ${card.last4}` : brand
}

import { money } from '../../base/money.ts'
import { entryOf, isOurs, type Json, listAt, objectAt, textAt, timeAt } from '../kit/json.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { CardFacts, Checks, Facts, Handles } from '../outcome.ts'
import { moneyAt } from './wire.ts'

/** Pure: what a payment of Square says about itself. */

/** Notifications about refunds and disputes name the payment only by its id. */
export function handlesOf(payment: Json): Handles {
  const id = textAt(payment, 'id')
  return id === undefined ? {} : { payment: id, lookup: id }
}

/** Payments with a stored card have it as their reference, those on a page as their note. */
export function referenceIn(payment: Json): string | undefined {
  const [own, note] = [textAt(payment, 'reference_id'), textAt(payment, 'note')]
  return own ?? (isOurs(note) ? note : undefined)
}

/** Including a tip, so that one is noticed. */
export const amountIn = (payment: Json) => moneyAt(payment, 'total_money') ?? moneyAt(payment, 'amount_money')

export function factsOf(payment: Json): Facts {
  const fee = feeIn(payment)
  const authorisedUntil =
    textAt(payment, 'status') === 'APPROVED' ? timeAt(payment, 'delayed_until') : undefined
  const details = objectAt(payment, 'card_details')
  const card = cardIn(objectAt(details, 'card'))
  const checks = checksIn(details)
  const risk = riskIn(textAt(payment, 'risk_evaluation', 'risk_level'))
  const email = textAt(payment, 'buyer_email_address')
  return {
    method: methodIn(payment),
    ...(fee ? { fee } : {}),
    ...(authorisedUntil ? { authorisedUntil } : {}),
    ...(email ? { payer: { email } } : {}),
    ...(card ? { card } : {}),
    ...(checks ? { checks } : {}),
    ...(risk ? { risk } : {}),
  }
}

/** What was paid with on the page. Square does not tell in which wallet a card was. */
function methodIn(payment: Json): AnyMethod {
  const source = textAt(payment, 'source_type')
  if (source === 'WALLET') return 'cash-app'
  if (source === 'BUY_NOW_PAY_LATER') return 'afterpay'
  return 'CreditCard'
}

/** The first fee and its adjustments. Square adds them some time after the payment. */
function feeIn(payment: Json): Facts['fee'] {
  const fees = listAt(payment, 'processing_fee').map((fee) => moneyAt(fee, 'amount_money'))
  const [first] = fees
  if (!first || !fees.every((fee) => fee?.currency === first.currency)) return undefined
  return money(
    fees.reduce((sum, fee) => sum + (fee?.minor ?? 0n), 0n),
    first.currency,
  )
}

const BRANDS: Readonly<Record<string, string>> = {
  AMERICAN_EXPRESS: 'American Express',
  CHINA_UNIONPAY: 'UnionPay',
  DISCOVER: 'Discover',
  DISCOVER_DINERS: 'Diners Club',
  EFTPOS: 'eftpos',
  FELICA: 'FeliCa',
  INTERAC: 'Interac',
  JCB: 'JCB',
  MASTERCARD: 'Mastercard',
  VISA: 'Visa',
}

export function cardIn(card: Json): CardFacts | undefined {
  const brand = entryOf(BRANDS, textAt(card, 'card_brand'))
  const last4 = textAt(card, 'last_4')
  const type = textAt(card, 'card_type')
  const [month, year] = [Number(card.exp_month), Number(card.exp_year)]
  const isPrepaid = textAt(card, 'prepaid_type') === 'PREPAID'
  if (brand === undefined && last4 === undefined) return undefined
  return {
    ...(brand ? { brand } : {}),
    ...(isPrepaid
      ? { type: 'prepaid' }
      : type === 'CREDIT' || type === 'DEBIT'
        ? { type: type.toLowerCase() }
        : {}),
    ...(month >= 1 && month <= 12 && year >= 2000 ? { expiryMonth: month, expiryYear: year } : {}),
    ...(last4 && /^\d{4}$/.test(last4) ? { last4 } : {}),
  }
}

const judged = (text: string | undefined): 'pass' | 'fail' | undefined =>
  text?.endsWith('_ACCEPTED') ? 'pass' : text?.endsWith('_REJECTED') ? 'fail' : undefined

function checksIn(details: Json): Checks | undefined {
  const [cvc, postalCode] = [judged(textAt(details, 'cvv_status')), judged(textAt(details, 'avs_status'))]
  if (!cvc && !postalCode) return undefined
  return { ...(cvc ? { cvc } : {}), ...(postalCode ? { postalCode } : {}) }
}

const LEVELS = { NORMAL: 'low', MODERATE: 'elevated', HIGH: 'high' } as const

const riskIn = (level: string | undefined): Facts['risk'] =>
  level === undefined ? undefined : { level: entryOf(LEVELS, level) ?? 'unknown' }

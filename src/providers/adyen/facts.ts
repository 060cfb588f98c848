import { entryOf, type Json, textAt } from '../kit/json.ts'
import { CATALOGUE, methodAt, namedMethod } from '../methods/catalogue.ts'
import type { MethodId, WalletId } from '../methods/method.ts'
import { type ThreeDSecureFacts, type ThreeDSecureResult, versionIn } from '../methods/three-d-secure.ts'
import type { CardFacts, Checks, Facts, MethodKind, StoredMethod } from '../outcome.ts'
import { AFTERPAY_TYPES, isId, isShopper } from './calls.ts'

/** Pure: what Adyen's `additionalData` says about the card, the checks and the stored method. */
export function factsIn(data: Json, paymentMethod: string | undefined): Facts {
  const named = namedBy(paymentMethod)
  const method: MethodKind = isAch(paymentMethod) ? 'ElectronicCheck' : 'CreditCard'
  const card = method === 'CreditCard' && !named ? cardIn(data, paymentMethod) : undefined
  const checks = checksIn(data)
  const threeDSecure = securedIn(data)
  const risk = riskIn(data)
  const stored = storedIn(data, { method, card })
  return {
    ...(paymentMethod ? { method: named ?? card?.wallet ?? method } : {}),
    ...(card ? { card } : {}),
    ...(checks ? { checks } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
    ...(risk ? { risk } : {}),
    ...(stored ? { stored } : {}),
  }
}

const isAch = (paymentMethod: string | undefined): boolean =>
  paymentMethod?.toLowerCase().startsWith('ach') ?? false

/** The payer's bank may take the money back. */
export const isDebit = (paymentMethod: string | undefined): boolean =>
  isAch(paymentMethod) || (namedMethod(namedBy(paymentMethod))?.returnDays ?? 0) > 0

/** Undefined for a card, also for one in a wallet: Adyen names its brand. */
export const namedBy = (paymentMethod: string | undefined): MethodId | undefined =>
  AFTERPAY_TYPES.includes(paymentMethod ?? '') ? 'afterpay' : methodAt('adyen', paymentMethod)

const WALLETS: Readonly<Record<string, WalletId>> = { applepay: 'apple-pay', googlepay: 'google-pay' }

const EXPIRY = /^(\d{1,2})\/(\d{4})$/

/** A card in a wallet is named like `visa_applepay`. */
function cardIn(data: Json, paymentMethod: string | undefined): CardFacts | undefined {
  const [, inBrand, inWallet] = /^(.+)_(applepay|googlepay)$/.exec(paymentMethod ?? '') ?? []
  const wallet = entryOf(WALLETS, inWallet)
  const brand = brandOf(inBrand ?? paymentMethod)
  const [, month, year] = EXPIRY.exec(textAt(data, 'expiryDate') ?? '') ?? []
  const last4 = textAt(data, 'cardSummary')
  const type = textAt(data, 'fundingSource')?.toLowerCase()
  const country = textAt(data, 'cardIssuingCountry')
  if (brand === undefined && last4 === undefined) return undefined
  return {
    ...(brand ? { brand } : {}),
    ...(type ? { type } : {}),
    ...(month && year ? { expiryMonth: Number(month), expiryYear: Number(year) } : {}),
    ...(last4 && /^\d{4}$/.test(last4) ? { last4 } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { country } : {}),
    ...(wallet ? { wallet } : {}),
  }
}

/** Adyen writes a number and a sentence: "1 Matches". */
const digitIn = (text: string | undefined): string => /^(\d{1,2})\b/.exec(text ?? '')?.[1] ?? ''

const CVC: Readonly<Record<string, Checks['cvc']>> = { '1': 'pass', '2': 'fail' }
/** Address, then postal code. */
const AVS: Readonly<Record<string, readonly [Checks['address'], Checks['postalCode']]>> = {
  ...{ '1': ['pass', 'fail'], '2': ['fail', 'fail'], '6': ['fail', 'pass'], '7': ['pass', 'pass'] },
  ...{ '10': ['pass', 'fail'], '12': ['pass', 'fail'] },
}

function checksIn(data: Json): Checks | undefined {
  const cvc = CVC[digitIn(textAt(data, 'cvcResult'))]
  const [address, postalCode] = AVS[digitIn(textAt(data, 'avsResult'))] ?? []
  const threeDSecure = threeDSecureIn(data)
  if (!cvc && !address && !threeDSecure) return undefined
  return {
    ...(cvc ? { cvc } : {}),
    ...(address ? { address } : {}),
    ...(postalCode ? { postalCode } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
  }
}

function threeDSecureIn(data: Json): Checks['threeDSecure'] {
  if (textAt(data, 'threeDOffered') !== 'true') return undefined
  if (textAt(data, 'threeDAuthenticated') !== 'true') return 'failed'
  return textAt(data, 'threeDAuthenticatedResponse') === 'A' ? 'attempted' : 'authenticated'
}

/** Undefined if neither 3-D Secure nor an exemption was used. */
function securedIn(data: Json): ThreeDSecureFacts | undefined {
  const result = resultIn(data)
  if (!result) return undefined
  const shift = textAt(data, 'liabilityShift')
  return {
    result,
    ...versionIn(textAt(data, 'threeDSVersion')),
    ...(shift === 'true' || shift === 'false' ? { liabilityShift: shift === 'true' } : {}),
  }
}

/** The answers are the bank's own: Y, N, U, A, and of version 2 C for a challenge and R for a refusal. */
function resultIn(data: Json): ThreeDSecureResult | undefined {
  const isOffered = textAt(data, 'threeDOffered') === 'true'
  const answer = textAt(data, 'threeDAuthenticatedResponse')
  if (isOffered && textAt(data, 'threeDAuthenticated') === 'true') {
    const isSecond = textAt(data, 'threeDSVersion')?.startsWith('2') ?? false
    const first = isSecond ? textAt(data, 'threeDOfferedResponse') : undefined
    return answer === 'A' ? 'attempted' : (entryOf(FIRST_ANSWERS, first) ?? 'authenticated')
  }
  if (textAt(data, 'scaExemptionRequested')) return 'exempted'
  if (!isOffered) return undefined
  return answer === 'N' || answer === 'R' ? 'failed' : 'not-authenticated'
}

const FIRST_ANSWERS: Readonly<Record<string, ThreeDSecureResult>> = {
  Y: 'frictionless',
  C: 'authenticated-by-challenge',
  A: 'attempted',
}

const LEVELS: Readonly<Record<string, NonNullable<Facts['risk']>['level']>> = {
  ...{ verylow: 'low', low: 'low', medium: 'elevated', high: 'high', veryhigh: 'high' },
}

function riskIn(data: Json): Facts['risk'] | undefined {
  const level = entryOf(LEVELS, textAt(data, 'fraudRiskLevel')?.toLowerCase())
  const score = textAt(data, 'totalFraudScore')
  const isScore = score !== undefined && /^\d{1,5}$/.test(score)
  if (!level && !isScore) return undefined
  return { level: level ?? 'unknown', ...(isScore ? { score: Number(score) } : {}) }
}

interface Known {
  readonly method: MethodKind
  readonly card?: CardFacts | undefined
}

/** Only methods of our own shoppers: the account may have others. */
function storedIn(data: Json, known: Known): StoredMethod | undefined {
  const id =
    textAt(data, 'tokenization.storedPaymentMethodId') ?? textAt(data, 'recurring.recurringDetailReference')
  const shopper =
    textAt(data, 'tokenization.shopperReference') ??
    textAt(data, 'recurring.shopperReference') ??
    textAt(data, 'shopperReference')
  return isShopper(shopper) && isId(id)
    ? storedMethod(`${shopper}/${id}`, known, textAt(data, 'alias'))
    : undefined
}

export function storedMethod(token: string, { method, card }: Known, alias?: string): StoredMethod {
  return {
    token,
    label: labelOf(method, card),
    method,
    ...(alias ? { fingerprint: alias } : {}),
    ...(card ? { card } : {}),
  }
}

function labelOf(method: MethodKind, card: CardFacts | undefined): string {
  if (method === 'ElectronicCheck') return 'Bank account'
  const wallet = card?.wallet ? `${CATALOGUE[card.wallet].name}, ` : ''
  return [`${wallet}${card?.brand ?? 'Card'}`, ...(card?.last4 ? [`•••• ${card.last4}`] : [])].join(' ')
}

/** As people know it; Adyen's own word for a brand that this version does not know. */
export const brandOf = (brand: string | undefined): string | undefined => entryOf(NAMES, brand) ?? brand

const NAMES: Readonly<Record<string, string>> = {
  ...{ visa: 'Visa', mc: 'Mastercard', amex: 'American Express', discover: 'Discover', jcb: 'JCB' },
  ...{ diners: 'Diners Club', maestro: 'Maestro', cup: 'UnionPay', cartebancaire: 'Cartes Bancaires' },
}

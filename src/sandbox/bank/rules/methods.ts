import { DAY, MINUTE } from '../../../base/clock.ts'
import { currencyDigits } from '../../../base/currencies.ts'
import type { SandboxMethod } from '../../values/named.ts'

/** The bank's terms for each method. */
interface Terms {
  readonly twoStep: boolean
  /** The customer approves on the bank's page and the merchant authorises afterwards. */
  readonly approvesFirst: boolean
  readonly takesTokens: boolean
  readonly storable: boolean
  readonly refundable: boolean
  readonly fee: { readonly perMille: number; readonly fixedCents: number }
}

/** Of a method by name: one step on the bank's page. */
const NAMED_TERMS: Terms = {
  ...{ twoStep: false, approvesFirst: false, takesTokens: false, storable: false, refundable: true },
  fee: { perMille: 0, fixedCents: 29 },
}

export const TERMS: Readonly<Record<SandboxMethod, Terms>> = {
  CreditCard: {
    twoStep: true,
    approvesFirst: false,
    takesTokens: true,
    storable: true,
    refundable: true,
    fee: { perMille: 29, fixedCents: 30 },
  },
  ElectronicCheck: {
    twoStep: false,
    approvesFirst: false,
    takesTokens: true,
    storable: true,
    refundable: true,
    fee: { perMille: 8, fixedCents: 0 },
  },
  Crypto: {
    twoStep: false,
    approvesFirst: false,
    takesTokens: false,
    storable: false,
    refundable: false,
    fee: { perMille: 10, fixedCents: 0 },
  },
  ideal: NAMED_TERMS,
  'bank-transfer': NAMED_TERMS,
  'sepa-debit': { ...NAMED_TERMS, fee: { perMille: 8, fixedCents: 0 } },
  'apple-pay': { ...NAMED_TERMS, twoStep: true, fee: { perMille: 29, fixedCents: 30 } },
  multibanco: NAMED_TERMS,
  klarna: { ...NAMED_TERMS, twoStep: true, fee: { perMille: 30, fixedCents: 35 } },
  Paypal: {
    twoStep: true,
    approvesFirst: true,
    takesTokens: false,
    storable: true,
    refundable: true,
    fee: { perMille: 34, fixedCents: 49 },
  },
}

export const AUTHORISATION_MS = 7 * DAY
export const PAGE_MS = 30 * MINUTE
export const CHALLENGE_MS = 15 * MINUTE
export const TOKEN_MS = 15 * MINUTE
/** Time from the capture to the dispute or return, for test cards and accounts with one. */
export const DISPUTED_AFTER_MS = MINUTE

/** A share of an amount in minor units, rounded half up. */
const perMilleOf = (amount: number, perMille: number): number => Math.floor((amount * perMille + 500) / 1000)

/** In minor units of a currency that may have no cents. */
const centsIn = (currency: string, cents: number): number =>
  Math.round(cents * 10 ** (currencyDigits(currency) - 2))

/** In minor units, at most the captured amount. */
export function feeOf(method: SandboxMethod, captured: number, currency: string): number {
  const { perMille, fixedCents } = TERMS[method].fee
  return Math.min(perMilleOf(captured, perMille) + centsIn(currency, fixedCents), captured)
}

/** What a dispute or a returned debit costs. It is not given back when the dispute is won. */
export const DISPUTE_FEE_CENTS = 1_500
export const RESERVE = { fromCents: 100_000, perMille: 50, days: 7 } as const

export const disputeFee = (currency: string): number => centsIn(currency, DISPUTE_FEE_CENTS)

/** The part of a large sale that the bank holds back for some days. */
export const reserveOf = (captured: number, currency: string): number =>
  captured < centsIn(currency, RESERVE.fromCents) ? 0 : perMilleOf(captured, RESERVE.perMille)

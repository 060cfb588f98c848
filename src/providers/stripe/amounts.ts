import { CURRENCIES, currencyDigits } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'
import type { AmountLimits } from '../amounts.ts'
import type { AnyMethod } from '../methods/method.ts'

/**
 * Stripe's own decimals. They differ from ISO 4217 for three currencies: ISK and UGX are written with two
 * decimals that are always 0, and MGA without any.
 */
const ZERO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Three decimals, of which the last is always 0. */
const THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ')
const TWO_DECIMALS = (
  'AED ALL AMD ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE ' +
  'CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES ' +
  'KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
  'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY ' +
  'TTD TWD TZS UAH UGX USD UYU UZS WST XCD YER ZAR ZMW'
).split(' ')

export const STRIPE_CURRENCIES: readonly string[] = [
  ...ZERO_DECIMALS,
  ...TWO_DECIMALS,
  ...THREE_DECIMALS,
].sort()

const decimalsOf = (currency: string): number =>
  ZERO_DECIMALS.includes(currency) ? 0 : THREE_DECIMALS.includes(currency) ? 3 : 2

/** Decimals that Stripe has more than ISO 4217. */
const shiftOf = (currency: string): number => decimalsOf(currency) - currencyDigits(currency)

const power = (digits: number): bigint => 10n ** BigInt(digits)

/** Undefined if Stripe cannot express the amount. */
export function toWire({ minor, currency }: Money): string | undefined {
  const { multipleOf = 1n } = amountLimits(currency, 'CreditCard')
  if (!STRIPE_CURRENCIES.includes(currency) || minor % multipleOf !== 0n) return undefined
  const shift = shiftOf(currency)
  return String(shift >= 0 ? minor * power(shift) : minor / power(-shift))
}

/** Undefined if it is not an amount of ours. */
export function fromWire(value: unknown, currency: unknown): Money | undefined {
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  if (!Number.isSafeInteger(value) || !CURRENCIES.has(code)) return undefined
  const amount = BigInt(value as number)
  const shift = shiftOf(code)
  if (shift <= 0) return money(amount * power(-shift), code)
  return amount % power(shift) === 0n ? money(amount / power(shift), code) : undefined
}

/** The smallest charges in our minor units. For other currencies Stripe converts 0.50 USD at the time. */
const SMALLEST: Readonly<Record<string, bigint>> = {
  ...{ AED: 200n, AUD: 50n, BRL: 50n, CAD: 50n, CHF: 50n, CZK: 1_500n, DKK: 250n, EUR: 50n, GBP: 30n },
  ...{ HKD: 400n, HUF: 17_500n, INR: 50n, JPY: 50n, MXN: 1_000n, MYR: 200n, NOK: 300n, NZD: 50n, PLN: 200n },
  ...{ RON: 200n, SEK: 300n, SGD: 50n, THB: 1_000n, USD: 50n },
}

/** Eight digits; Indonesia has twelve. */
const largestWire = (currency: string): bigint => (currency === 'IDR' ? 999_999_999_999n : 99_999_999n)

export function amountLimits(currency: string, method: AnyMethod): AmountLimits {
  // ACH debits are in US dollars only.
  if (method === 'ElectronicCheck' && currency !== 'USD') return { largest: 0n }
  if (!STRIPE_CURRENCIES.includes(currency)) return { largest: 0n }
  const smallest = SMALLEST[currency]
  const shift = shiftOf(currency)
  const largest = shift >= 0 ? largestWire(currency) / power(shift) : largestWire(currency) * power(-shift)
  const multipleOf = THREE_DECIMALS.includes(currency) ? 10n : shift < 0 ? power(-shift) : 1n
  return {
    ...(smallest === undefined ? {} : { smallest }),
    largest,
    ...(multipleOf === 1n ? {} : { multipleOf }),
  }
}

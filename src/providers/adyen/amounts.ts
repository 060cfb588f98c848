import { CURRENCIES, currencyDigits } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'
import type { AmountLimits } from '../amounts.ts'
import { type Json, textAt } from '../kit/json.ts'
import type { AnyMethod } from '../methods/method.ts'

/** Adyen's decimals where they differ from ISO 4217. Cents that Adyen does not have must be 0. */
const OWN_DECIMALS: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }

/** Decimals that Adyen has more than ISO 4217. */
const shiftOf = (currency: string): number => {
  const digits = currencyDigits(currency)
  return (OWN_DECIMALS[currency] ?? digits) - digits
}

const power = (digits: number): bigint => 10n ** BigInt(digits)

export interface WireAmount {
  readonly currency: string
  readonly value: number
}

/** Undefined if Adyen cannot express the amount. */
export function toWire({ minor, currency }: Money): WireAmount | undefined {
  const shift = shiftOf(currency)
  if (shift < 0 && minor % power(-shift) !== 0n) return undefined
  const value = shift >= 0 ? minor * power(shift) : minor / power(-shift)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? { currency, value: Number(value) } : undefined
}

/** Undefined if it is not an amount of ours. */
export function fromWire(amount: Json): Money | undefined {
  const { value } = amount
  const currency = textAt(amount, 'currency') ?? ''
  if (!Number.isSafeInteger(value) || !CURRENCIES.has(currency)) return undefined
  const shift = shiftOf(currency)
  const minor = BigInt(value as number)
  if (shift <= 0) return money(minor * power(-shift), currency)
  return minor % power(shift) === 0n ? money(minor / power(shift), currency) : undefined
}

export function amountLimits(currency: string, method: AnyMethod): AmountLimits {
  // Debits of American bank accounts are in US dollars only.
  if (method === 'ElectronicCheck' && currency !== 'USD') return { largest: 0n }
  const shift = shiftOf(currency)
  return shift < 0 ? { multipleOf: power(-shift) } : {}
}

import { currencyDigits } from './currencies.ts'

/** An exact amount in the minor units of its ISO 4217 currency. */
export interface Money {
  readonly minor: bigint
  readonly currency: string
}

export const money = (minor: bigint, currency: string): Money => ({ minor, currency })

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,4}))?$/

/**
 * Reads a decimal in major units, as JSON number or as text, into minor units.
 * Undefined when it is not a plain decimal or has more digits than the currency knows.
 */
export function parseMinor(value: number | string, currency: string): bigint | undefined {
  const text = typeof value === 'number' ? numberText(value) : value
  const match = text === undefined ? null : DECIMAL.exec(text)
  if (!match) return undefined
  const digits = currencyDigits(currency)
  const fraction = match[2] ?? ''
  // Trailing zeros carry no money: 10.00 JPY is ten yen, 10.50 JPY does not exist.
  const significant = fraction.replace(/0{1,4}$/, '')
  if (significant.length > digits) return undefined
  return BigInt((match[1] ?? '') + significant.padEnd(digits, '0'))
}

/** The shortest decimal of a double is exact for every amount within our limits. */
function numberText(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  const text = String(value)
  return text.includes('e') ? undefined : text
}

/** How many digits follow the decimal point, as the sender wrote them. */
export function decimalsOf(value: number | string): number {
  const text = String(value)
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

/** Minor units as decimal text: 1023 EUR → "10.23". */
export function decimalText(minor: bigint, currency: string): string {
  const digits = currencyDigits(currency)
  const sign = minor < 0n ? '-' : ''
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Minor units as the JSON number the API answers with. Exact within the amounts we accept (15 digits). */
export const majorNumber = (minor: bigint, currency: string): number => Number(decimalText(minor, currency))

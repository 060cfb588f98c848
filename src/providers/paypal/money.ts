import { isCurrency } from '../../base/currencies.ts'
import { decimalText, type Money, money, parseMinor } from '../../base/money.ts'
import { textAt } from '../kit/json.ts'

/** PayPal takes these without decimals, although ISO 4217 gives two of them decimals. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD'])

export interface PaypalMoney {
  readonly currency_code: string
  readonly value: string
}

/** How many minor units the smallest amount has that PayPal can express. */
export const unitOf = (currency: string): bigint => (currency === 'HUF' || currency === 'TWD' ? 100n : 1n)

/** Undefined if PayPal cannot express the amount. */
export function wireMoney({ minor, currency }: Money): PaypalMoney | undefined {
  if (minor < 0n || minor % unitOf(currency) !== 0n) return undefined
  const text = decimalText(minor, currency)
  return { currency_code: currency, value: WHOLE.has(currency) ? text.replace(/\.0+$/, '') : text }
}

/** Undefined if it is not an amount. */
export function moneyIn(value: unknown): Money | undefined {
  const [currency, text] = [textAt(value, 'currency_code'), textAt(value, 'value')]
  if (currency === undefined || text === undefined || !isCurrency(currency)) return undefined
  const minor = parseMinor(text, currency)
  return minor === undefined ? undefined : money(minor, currency)
}

export const sum = (amounts: readonly Money[], currency: string): Money =>
  money(
    amounts.reduce((total, { minor }) => total + minor, 0n),
    currency,
  )

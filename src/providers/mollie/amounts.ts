import { isCurrency } from '../../base/currencies.ts'
import { decimalText, type Money, money, parseMinor } from '../../base/money.ts'
import type { AmountLimits } from '../amounts.ts'
import { objectAt, textAt } from '../kit/json.ts'
import type { AnyMethod } from '../methods/method.ts'

/** A decimal text with the decimals of ISO 4217. */
export interface MollieAmount {
  readonly currency: string
  readonly value: string
}

export const toWire = ({ minor, currency }: Money): MollieAmount => ({
  currency,
  value: decimalText(minor, currency),
})

/** Undefined if it is not an amount. */
export function amountAt(value: unknown, name: string): Money | undefined {
  const amount = objectAt(value, name)
  const [currency, text] = [textAt(amount, 'currency'), textAt(amount, 'value')]
  if (currency === undefined || text === undefined || !isCurrency(currency)) return undefined
  const minor = parseMinor(text, currency)
  return minor === undefined ? undefined : money(minor, currency)
}

export const sumOf = (amounts: readonly Money[], currency: string): Money => {
  // Another currency is kept, so that the core notices it.
  const other = amounts.find((amount) => amount.currency !== currency)
  if (other) return other
  return money(
    amounts.reduce((total, { minor }) => total + minor, 0n),
    currency,
  )
}

export const CURRENCIES = [
  ...['AED', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'ISK'],
  ...['JPY', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TWD', 'USD', 'ZAR'],
]

const NOT_BY_PAYPAL = ['AED', 'BGN', 'ISK', 'RON', 'ZAR']
/** PayPal takes these without decimals. */
const WHOLE_BY_PAYPAL = ['HUF', 'TWD']

export function amountLimits(currency: string, method: AnyMethod): AmountLimits {
  if (method !== 'Paypal') return {}
  if (NOT_BY_PAYPAL.includes(currency)) return { largest: 0n }
  return WHOLE_BY_PAYPAL.includes(currency) ? { smallest: 100n, multipleOf: 100n } : {}
}

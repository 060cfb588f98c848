import { currencyDigits } from '../currencies.ts'
import { decimalText } from '../money.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Fraction digits come from the project's table: ICU's are wrong for sixteen currencies. */
function formatOf(intl: string, currency: string): Intl.NumberFormat {
  const key = `${intl} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const digits = currencyDigits(currency)
  const made = new Intl.NumberFormat(intl, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  formats.set(key, made)
  return made
}

/** An exact amount in the notation of the language, a BCP 47 tag. */
export function moneyText({ intl }: { readonly intl: string }, minor: bigint, currency: string): string {
  // A decimal string is formatted exactly; a number would be rounded to a double first.
  return formatOf(intl, currency).format(decimalText(minor, currency) as unknown as number)
}

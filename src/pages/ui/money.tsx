import { currencyDigits } from '../../base/currencies.ts'
import { decimalText } from '../../base/money.ts'
import type { Language } from '../i18n/languages.ts'

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

/** An exact amount in the notation of the language. */
export function moneyText({ intl }: Pick<Language, 'intl'>, minor: bigint, currency: string): string {
  // A decimal string is formatted exactly; a number would be rounded to a double first.
  return formatOf(intl, currency).format(decimalText(minor, currency) as unknown as number)
}

/** For use within a sentence: isolated from the direction of the surrounding text. */
export function moneyInText(
  language: Pick<Language, 'intl' | 'dir'>,
  minor: bigint,
  currency: string,
): string {
  const text = moneyText(language, minor, currency)
  return language.dir === 'rtl' ? `\u2068${text}\u2069` : text
}

export interface MoneyTextProps {
  readonly language: Pick<Language, 'intl'>
  readonly minor: bigint
  readonly currency: string
}

export function MoneyText({ language, minor, currency }: MoneyTextProps) {
  return (
    <bdi class="money" title={currency}>
      {moneyText(language, minor, currency)}
    </bdi>
  )
}

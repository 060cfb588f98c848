import { moneyText } from '../../../base/presentation/money-text.ts'
import type { Language } from '../i18n/languages.ts'
import { useOpenRequest } from '../screen.tsx'

export { moneyText }

/** For use within a sentence: isolated from the direction of the surrounding text. */
export function moneyInText(
  language: Pick<Language, 'intl' | 'dir'>,
  minor: bigint,
  currency: string,
): string {
  const text = moneyText(language, minor, currency)
  return language.dir === 'rtl' ? `\u2068${text}\u2069` : text
}

const shortFormats = new Map<string, Intl.NumberFormat>()

/** A value in major units, rounded for the scale of a chart: `€17.10`, `€230`, `€1.2K`. */
export function shortMoneyText({ intl }: Pick<Language, 'intl'>, value: number, currency: string): string {
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 100
  const key = `${intl} ${currency} ${isWhole}`
  const short = isWhole ? ({ notation: 'compact', maximumSignificantDigits: 3 } as const) : {}
  const made = shortFormats.get(key) ?? new Intl.NumberFormat(intl, { style: 'currency', currency, ...short })
  shortFormats.set(key, made)
  return made.format(value)
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

/** The same on pages of the console, in their language. */
export const Money = (props: Omit<MoneyTextProps, 'language'>) => (
  <MoneyText language={useOpenRequest().language} {...props} />
)

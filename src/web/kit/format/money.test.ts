import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '../../../base/currencies.ts'
import { chooseLanguage, LANGUAGES } from '../i18n/languages.ts'
import { moneyInText, moneyText } from './money.tsx'

const AMOUNTS = [
  ['EUR', 12_840n],
  ['USD', 123_456_789n],
  ['HUF', 1_234_550n],
  ['JPY', 12_345n],
  ['KWD', 1_234_567n],
  ['AED', 123_450n],
] as const

/** Each amount above in each language; spaces and directions are tested below. */
const GOLDEN: Readonly<Record<string, readonly string[]>> = {
  en: ['€128.40', '$1,234,567.89', 'HUF 12,345.50', '¥12,345', 'KWD 1,234.567', 'AED 1,234.50'],
  de: ['128,40 €', '1.234.567,89 $', '12.345,50 HUF', '12.345 ¥', '1.234,567 KWD', '1.234,50 AED'],
  fr: ['128,40 €', '1 234 567,89 $US', '12 345,50 HUF', '12 345 JPY', '1 234,567 KWD', '1 234,50 AED'],
  es: ['128,40 €', '1.234.567,89 US$', '12.345,50 HUF', '12.345 JPY', '1234,567 KWD', '1234,50 AED'],
  pt: ['€ 128,40', 'US$ 1.234.567,89', 'HUF 12.345,50', 'JP¥ 12.345', 'KWD 1.234,567', 'AED 1.234,50'],
  it: ['128,40 €', '1.234.567,89 USD', '12.345,50 HUF', '12.345 JPY', '1234,567 KWD', '1234,50 AED'],
  nl: ['€ 128,40', 'US$ 1.234.567,89', 'HUF 12.345,50', 'JP¥ 12.345', 'KWD 1.234,567', 'AED 1.234,50'],
  pl: ['128,40 €', '1 234 567,89 USD', '12 345,50 HUF', '12 345 JPY', '1234,567 KWD', '1234,50 AED'],
  tr: ['€128,40', '$1.234.567,89', 'HUF 12.345,50', '¥12.345', 'KWD 1.234,567', 'AED 1.234,50'],
  ja: ['€128.40', '$1,234,567.89', 'HUF 12,345.50', '￥12,345', 'KWD 1,234.567', 'AED 1,234.50'],
  ar: ['128.40 €', '1,234,567.89 US$', '12,345.50 HUF', '12,345 JP¥', '1,234.567 د.ك.', '1,234.50 د.إ.'],
  he: ['128.40 €', '1,234,567.89 $', '12,345.50 HUF', '12,345 ¥', '1,234.567 KWD', '1,234.50 AED'],
}

const DIRECTIONS = /[\u061c\u200e\u200f\u2066-\u2069]/g

const plain = (text: string): string => text.replace(DIRECTIONS, '').replace(/\s/g, ' ')

describe.each(LANGUAGES)('money in $locale', (language) => {
  it('follows the notation of the language', () => {
    const texts = AMOUNTS.map(([currency, minor]) => plain(moneyText(language, minor, currency)))
    expect(texts).toEqual(GOLDEN[language.locale])
  })

  it('has the fraction digits of the project’s table, not those of ICU', () => {
    const wrong = [...CURRENCIES].filter(([currency, digits]) => {
      const figures = /\d[\d.,\s]*\d/.exec(plain(moneyText(language, 123_456_789n, currency)))?.[0] ?? ''
      return figures.replace(/\D/g, '') !== '123456789' || decimalsOf(figures, digits) !== digits
    })
    expect(wrong).toEqual([])
  })

  it('is not broken at the end of a line', () => {
    for (const [currency, minor] of AMOUNTS) expect(moneyText(language, minor, currency)).not.toContain(' ')
  })

  it('is exact beyond the precision of a double', () => {
    const figures = moneyText(language, 9_007_199_254_740_993_01n, 'EUR').replace(/\D/g, '')
    expect(figures).toBe('900719925474099301')
  })
})

/** Number of digits after the last separator; without decimals, this is a thousands separator. */
function decimalsOf(figures: string, expected: number): number {
  const after = /\d+$/.exec(figures)?.[0].length ?? 0
  return expected === 0 && after === 3 ? 0 : after
}

describe('money within a sentence', () => {
  it.each(['ar', 'he'])('is isolated in right-to-left text: %s', (locale) => {
    const language = chooseLanguage({ chosen: locale })
    const text = moneyText(language, 12_840n, 'EUR')
    expect(moneyInText(language, 12_840n, 'EUR')).toBe(`\u2068${text}\u2069`)
  })

  it('is not isolated in left-to-right text', () => {
    expect(moneyInText(chooseLanguage({ chosen: 'en' }), 12_840n, 'EUR')).toBe('€128.40')
  })
})

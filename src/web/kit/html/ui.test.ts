import { describe, expect, it } from 'vitest'
import { brandColours, contrast } from '../../../base/presentation/colour.ts'
import { moneyInText, moneyText } from '../format/money.tsx'
import { chooseLanguage, LANGUAGES } from '../i18n/languages.ts'
import { originsOf, pageHeaders } from './headers.ts'

const speaking = (intl: string) => ({ intl })

describe('money has the fraction digits of the currency', () => {
  it.each([
    ['en', 12_840n, 'EUR', '€128.40'],
    ['de', 12_840n, 'EUR', '128,40 €'],
    ['en', 100_000n, 'HUF', 'HUF 1,000.00'],
    ['en', 1_000n, 'JPY', '¥1,000'],
    ['en', 1_234n, 'KWD', 'KWD 1.234'],
    ['en', 500n, 'AED', 'AED 5.00'],
    ['en', 150_000n, 'IDR', 'IDR 1,500.00'],
    ['fr', 99_999_999_999n, 'USD', '999 999 999,99 $US'],
    ['en', -1_000n, 'EUR', '-€10.00'],
  ])('%s %s %s', (intl, minor, currency, text) => {
    expect(moneyText(speaking(intl), minor, currency).replace(/[\u00a0\u202f]/g, ' ')).toBe(text)
  })

  it('is isolated in right-to-left text', () => {
    const rtl = { ...(LANGUAGES[0] as (typeof LANGUAGES)[number]), dir: 'rtl' as const }
    expect(moneyInText(rtl, 12_840n, 'EUR')).toBe('\u2068€128.40\u2069')
  })
})

describe('any brand colour stays readable', () => {
  it.each(['#3b5bdb', '#ffffff', '#000000', '#ffff00', '#808080', '#0b6e4f', '#ff0000', '#171b21'])(
    '%s',
    (hex) => {
      const made = brandColours(hex)
      expect(contrast(made.fill, made.onFill)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(made.fillDark, made.onFillDark)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(made.fill, '#ffffff')).toBeGreaterThanOrEqual(3)
      expect(contrast(made.fillDark, '#171b21')).toBeGreaterThanOrEqual(3)
      expect(contrast(made.textLight, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(made.textDark, '#171b21')).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('an invalid colour is replaced by the default', () => {
    expect(brandColours('red;}body{')).toEqual(brandColours('#3b5bdb'))
  })
})

describe('the language', () => {
  it('is the payer’s choice, else the app’s, else the browser’s, else English', () => {
    const locale = (asked: Parameters<typeof chooseLanguage>[0]) => chooseLanguage(asked).locale
    expect(locale({})).toBe('en')
    expect(locale({ acceptLanguage: 'xx, en;q=0.1' })).toBe('en')
    expect(locale({ chosen: 'en-XA', isSandbox: true })).toBe('en-XA')
    expect(locale({ chosen: 'ar-XB', isSandbox: true })).toBe('ar-XB')
    expect(locale({ chosen: 'zz', app: 'en', acceptLanguage: '<script>' })).toBe('en')
  })

  it('can be a pseudo language in sandboxes only', () => {
    expect(chooseLanguage({ chosen: 'en-XA' }).locale).toBe('en')
  })
})

describe('the content security policy', () => {
  it('names other origins only where a page needs them', () => {
    const policy = (security: Parameters<typeof pageHeaders>[0]) =>
      pageHeaders(security)['content-security-policy']
    expect(policy({})).not.toContain('frame-src')
    expect(policy({ frameOrigins: originsOf('https://bank.example/a?b') })).toContain(
      'frame-src https://bank.example;',
    )
    expect(policy({ formOrigins: ['https://pay.example'] })).toContain(
      "form-action 'self' https://pay.example;",
    )
    expect(originsOf('not an address', null, undefined)).toEqual([])
    expect(originsOf('https://a;sandbox/', "https://a'b/")).toEqual([])
  })
})

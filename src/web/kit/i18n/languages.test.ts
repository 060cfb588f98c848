import { describe, expect, it } from 'vitest'
import { chooseLanguage, LANGUAGES, type LanguagePreferences, type PageTexts } from './languages.ts'

describe.each(LANGUAGES)('the texts in $locale', ({ texts }) => {
  it('fit on the buttons of a narrow phone', () => {
    const { buttons, common, notices } = texts
    const labels = [
      buttons.pay({ amount: '€128.40' }),
      buttons.payWith({ amount: '€128.40', method: '•••• 4242' }),
      buttons.authorise({ amount: '€128.40' }),
      buttons.continueTo({ provider: 'PayPal' }),
      buttons.showAddress({ amount: '€128.40' }),
      buttons.cancelOnly,
      buttons.cancelYes,
      buttons.tryAgain,
      buttons.receipt,
      common.returnTo({ merchant: 'Acme' }),
      notices.resume({ provider: 'PayPal' }),
    ]
    expect(labels.filter((label) => label.length > 34)).toEqual([])
  })
})

const countingOf = ({ order, card, result }: PageTexts): ((count: number) => string)[] => [
  (items) => order.details({ items }),
  (minutes) => order.minutesLeft({ minutes }),
  (seconds) => order.secondsLeft({ seconds }),
  (digits) => card.codeWrong({ digits }),
  (count) => result.countdown({ merchant: 'Acme', seconds: count }),
]

describe('counting', () => {
  it.each(LANGUAGES)('has a text for every count in $locale', ({ texts }) => {
    for (const text of countingOf(texts))
      for (const count of [0, 1, 2, 3, 5, 11, 21, 100]) {
        expect(text(count)).toMatch(/\S/)
        // One and two may be words of their own; the digits are Western in every language.
        if (count > 2) expect(text(count)).toContain(String(count))
      }
  })

  it.each([
    ['en', 1, '1 minute left to pay.'],
    ['en', 5, '5 minutes left to pay.'],
    ['de', 1, 'Noch 1 Minute Zeit zum Bezahlen.'],
    ['fr', 0, 'Il vous reste 0 minute pour payer.'],
    ['fr', 2, 'Il vous reste 2 minutes pour payer.'],
    ['pl', 1, 'Na płatność pozostała 1 minuta.'],
    ['pl', 3, 'Na płatność pozostały 3 minuty.'],
    ['pl', 5, 'Na płatność pozostało 5 minut.'],
    ['pl', 21, 'Na płatność pozostało 21 minut.'],
    ['ja', 1, 'お支払い期限まであと1分です。'],
    ['ar', 2, 'تبقّت دقيقتان للدفع.'],
    ['ar', 3, 'تبقّت 3 دقائق للدفع.'],
    ['ar', 11, 'تبقّت 11 دقيقة للدفع.'],
    ['he', 2, 'נותרו שתי דקות לתשלום.'],
  ])('uses the forms of the language: %s, %i', (locale, minutes, text) => {
    expect(chooseLanguage({ chosen: locale }).texts.order.minutesLeft({ minutes })).toBe(text)
  })
})

describe('the languages', () => {
  it('are twelve, English first, each with its native name', () => {
    expect(LANGUAGES.map(({ locale, name }) => `${locale} ${name}`)).toEqual([
      'en English',
      'de Deutsch',
      'fr Français',
      'es Español',
      'pt Português',
      'it Italiano',
      'nl Nederlands',
      'pl Polski',
      'tr Türkçe',
      'ja 日本語',
      'ar العربية',
      'he עברית',
    ])
  })

  it('use their own catalogue', () => {
    const names = LANGUAGES.map(({ texts }) => `${texts.common.language} ${texts.panel.signedOut}`)
    expect(new Set(names).size).toBe(LANGUAGES.length)
  })

  it('are right-to-left for Arabic and Hebrew only', () => {
    const rightToLeft = LANGUAGES.filter(({ dir }) => dir === 'rtl')
    expect(rightToLeft.map(({ locale }) => locale)).toEqual(['ar', 'he'])
  })

  it('use Western digits, for comparison with bank statements', () => {
    for (const { intl } of LANGUAGES) expect(new Intl.NumberFormat(intl).format(7)).toBe('7')
  })

  it('isolate a name within right-to-left text', () => {
    const said = (locale: string) =>
      chooseLanguage({ chosen: locale }).texts.common.returnTo({ merchant: 'Acme Inc.' })
    expect(said('he')).toBe('חזרה אל \u2068Acme Inc.\u2069')
    expect(said('ar')).toBe('العودة إلى \u2068Acme Inc.\u2069')
    expect(said('en')).toBe('Return to Acme Inc.')
  })

  it('do not isolate a value twice', () => {
    const { texts } = chooseLanguage({ chosen: 'he' })
    expect(texts.buttons.pay({ amount: '\u2068128.40 €\u2069' })).toBe('תשלום \u2068128.40 €\u2069')
  })
})

const chosen = (preferences: LanguagePreferences): string => chooseLanguage(preferences).locale

describe('the choice of a language', () => {
  it.each<[string, LanguagePreferences, string]>([
    ['the payer’s choice', { chosen: 'fr', app: 'de', acceptLanguage: 'es' }, 'fr'],
    ['else the app’s setting', { app: 'de', acceptLanguage: 'es' }, 'de'],
    ['else the browser’s language', { app: null, acceptLanguage: 'es' }, 'es'],
    ['else English', {}, 'en'],
    ['the app’s after an unsupported choice', { chosen: 'xx', app: 'de' }, 'de'],
    ['the browser’s after an unsupported app setting', { app: 'xx', acceptLanguage: 'nl' }, 'nl'],
    ['English for an unsupported browser language', { acceptLanguage: 'xx, yy;q=0.5' }, 'en'],
  ])('is %s', (_, preferences, locale) => {
    expect(chosen(preferences)).toBe(locale)
  })

  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt'],
    ['ar-EG', 'ar'],
    ['den', 'en'],
    ['', 'en'],
  ])('serves %s in %s', (tag, locale) => {
    expect(chosen({ chosen: tag })).toBe(locale)
  })

  it.each([
    ['fr;q=0.5, ja;q=0.9', 'ja'],
    ['xx, pl;q=0.8, de;q=0.7', 'pl'],
    ['tr;q=0, he', 'he'],
    ['*', 'en'],
    [';;q=,,=', 'en'],
    [`${'xx,'.repeat(100_000)}de`, 'en'],
  ])('uses the preferred supported language of the browser', (header, locale) => {
    expect(chosen({ acceptLanguage: header })).toBe(locale)
  })

  it('offers pseudo languages in the sandbox only', () => {
    const long = chooseLanguage({ chosen: 'en-XA', isSandbox: true })
    const mirrored = chooseLanguage({ chosen: 'ar-XB', isSandbox: true })
    expect(long.texts.card.number.length).toBeGreaterThan(chooseLanguage({}).texts.card.number.length * 1.4)
    expect(mirrored.dir).toBe('rtl')
    expect(chosen({ chosen: 'en-XA' })).toBe('en')
    expect(chosen({ chosen: 'ar-XB' })).toBe('ar')
  })
})

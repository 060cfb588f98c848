import { describe, expect, it } from 'vitest'
import { Secret } from '../../base/secret.ts'
import type { App } from '../../merchants/app.ts'
import { LANGUAGES } from '../../web/kit/i18n/languages.ts'
import { readAddress } from '../address.ts'
import { isPayerMail, MAIL_KINDS, type Mail } from '../kinds.ts'
import { PAYER_LANGUAGES } from '../texts/languages.ts'
import { composeMail } from './compose.ts'
import { sampleMail } from './samples.ts'

const ctx = {
  config: {
    publicUrl: 'https://pay.test',
    mail: {
      smtpUrl: new Secret('smtp://x'),
      from: { name: 'Pay', address: 'mail@pay.test' },
      perAppDay: 10,
    },
  },
} as unknown as Parameters<typeof composeMail>[0]

const appNamed = (friendlyName: string, more: object = {}) =>
  ({
    appId: 'app_1',
    friendlyName,
    isSandbox: false,
    timeZone: 'Europe/Berlin',
    branding: { color: '#ffee00', support: null, logoHash: null },
    mails: { fromName: null, replyTo: null },
    ...more,
  }) as unknown as App

const sample = (kind: Mail['kind'], locale: string | null, app = appNamed('Corner Bookshop')) =>
  composeMail(ctx, sampleMail(kind, 'https://pay.test/x?a=1&b=2'), { app, locale })

describe('every e-mail', () => {
  it.each(MAIL_KINDS)('has a subject, text and HTML: %s', (kind) => {
    const { subject, text, html } = sample(kind, 'en')
    expect(subject).toMatch(/^[^\r\n]{5,150}$/)
    expect(text.length).toBeGreaterThan(80)
    expect(html).toMatch(/^<!doctype html>/)
    expect(html).toContain('name="color-scheme" content="light dark"')
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\[object|NaN|null/)
    // No script, and nothing that is loaded when it is read.
    expect(html).not.toMatch(/<script|src="http|url\(|@import|<link/)
  })

  it('escapes what merchants and payers typed, and keeps it on one line', () => {
    const evil = '"><script>alert(1)</script>\r\nBcc: eve@example.com\u202e'
    const app = appNamed(evil, { mails: { fromName: evil, replyTo: null } })
    for (const kind of MAIL_KINDS) {
      const { data } = sampleMail(kind, 'https://pay.test')
      const hostile = Object.fromEntries(
        Object.entries(data).map(([key, value]) => {
          const isText = ['description', 'reference', 'method', 'label', 'business', 'role'].includes(key)
          const isWord = ['invitedBy', 'device', 'address', 'error', 'profile', 'says', 'endpoint'].includes(
            key,
          )
          return [key, isText || isWord ? evil : value]
        }),
      )
      const { subject, html, text } = composeMail(ctx, { kind, data: hostile } as Mail, { app, locale: 'en' })
      expect(html).not.toContain('<script')
      expect(subject + html + text).not.toContain('\u202e')
      expect(subject).not.toMatch(/[\r\n]/)
      expect(text).not.toMatch(/^Bcc/m)
    }
  })

  it('of payers names the method in their language, and the wallet before its card', () => {
    const textOf = (more: object, locale: string) => {
      const { kind, data } = sampleMail('receipt', 'https://pay.test')
      return composeMail(ctx, { kind, data: { ...data, ...more } } as Mail, { app: appNamed('Shop'), locale })
        .text
    }
    expect(textOf({ methodId: 'sepa-debit', method: null }, 'de-AT')).toContain('SEPA-Lastschrift')
    expect(textOf({ methodId: 'bank-transfer', method: null }, 'pl')).toContain('Przelew bankowy')
    expect(textOf({ methodId: 'ideal', method: null }, 'nl')).toContain('iDEAL')
    expect(textOf({ methodId: 'apple-pay' }, 'fr')).toContain('Apple Pay, Visa •••• 4242')
    // Written by an earlier version.
    expect(textOf({ method: 'Multibanco' }, 'en')).toContain('Multibanco')
  })

  it('of payers is in every language of the checkout, with its direction and notation', () => {
    expect(PAYER_LANGUAGES.map(({ locale, dir }) => [locale, dir])).toEqual(
      LANGUAGES.map(({ locale, dir }) => [locale, dir]),
    )
    for (const { locale, dir } of PAYER_LANGUAGES)
      for (const kind of MAIL_KINDS.filter(isPayerMail)) {
        const { html, locale: written, subject } = sample(kind, locale)
        expect(written).toBe(locale)
        expect(html).toContain(`<html lang="${locale}" dir="${dir}">`)
        expect(subject).toContain('Corner Bookshop')
      }
    expect(sample('receipt', 'de-AT').text).toContain('128,40\u00a0€')
    expect(sample('receipt', 'de').text).toContain('14. März 2027 um 16:09 MEZ')
    expect(sample('receipt', 'xx').locale).toBe('en')
  })

  it('isolates names within right-to-left text', () => {
    expect(sample('receipt', 'he').subject).toBe('הקבלה שלך מ־\u2068Corner Bookshop\u2069')
    expect(sample('receipt', 'ar').html).toContain('\u2068')
  })

  it('of a sandbox app says that it is a test', () => {
    const app = appNamed('Shop', { isSandbox: true })
    expect(sample('receipt', 'en', app).subject).toBe('[Test] Your receipt from Shop')
    expect(sample('receipt', 'de', app).text).toContain('Es wurde kein Geld bewegt')
  })

  it('has readable buttons whatever the colour', () => {
    expect(sample('payment-failed', 'en').html).toMatch(/background:#[0-9a-f]{6};color:#000000/)
  })
})

describe('an address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' ada+tag@example.com ', 'ada+tag@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('%s is sent to as %s', (text, address) => expect(readAddress(text)).toBe(address))

  it.each([
    '',
    'ada',
    '@example.com',
    'a@b@c.example',
    'a b@c.example',
    'a@',
    'a,b@c.example',
    'a@c.example\n'.repeat(2),
  ])('%j is none', (text) => expect(readAddress(text)).toBeUndefined())
})

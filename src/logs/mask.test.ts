import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Masking, maskedJson, maskedText, shortened } from './mask.ts'

const SANDBOX: Masking = { isPersonal: false }
const LIVE: Masking = { isPersonal: true }
const RUNS = { seed: 20_261_115, numRuns: 500 }

const secret = fc.stringMatching(/^[A-Za-z0-9+/_-]{12,60}$/)
const filler = fc.string({ maxLength: 40 })

/** A number of 16 digits with right check digits, in one of the ways people write it. */
const card = fc
  .tuple(fc.stringMatching(/^4[0-9]{14}$/), fc.constantFrom('', ' ', '-'))
  .map(([digits, gap]) => {
    const number = `${digits}${checkDigit(digits)}`
    return gap === '' ? number : (number.match(/.{4}/g) ?? []).join(gap)
  })

function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, char, place) => {
    const doubled = place % 2 === 0 ? Number(char) * 2 : Number(char)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** Puts the value somewhere into a JSON document. */
const around = (value: unknown) =>
  fc.tuple(fc.json({ maxDepth: 3 }), filler, fc.nat(3)).map(([json, name, where]) => {
    const other: unknown = JSON.parse(json)
    const members = { a: other, [`x${name}`]: value, z: other }
    return [value, [other, value], members, { deep: [members] }][where]
  })

describe('masked JSON', () => {
  it('never shows a given secret, wherever it stands', () => {
    const documents = fc
      .tuple(secret, filler, filler)
      .chain(([text, before, after]) => fc.tuple(fc.constant(text), around(`${before} ${text} ${after}`)))
    fc.assert(
      fc.property(documents, fc.integer({ min: 10, max: 500 }), ([text, document], most) => {
        const masked = maskedJson(document, { ...SANDBOX, secrets: [text] }, most)
        expect(masked).not.toContain(text)
        expect(() => JSON.parse(masked)).not.toThrow()
      }),
      RUNS,
    )
  })

  it('never shows a card number, as text or as a number', () => {
    const documents = card.chain((number) => {
      const bare = Number(number.replace(/\D/g, ''))
      return fc.oneof(around(`pay ${number}`), around(bare)).map((document) => [number, document] as const)
    })
    fc.assert(
      fc.property(documents, ([number, document]) => {
        const masked = maskedJson(document, SANDBOX, 8_192)
        expect(masked).not.toContain(number)
        expect(masked).not.toContain(number.replace(/\D/g, ''))
      }),
      RUNS,
    )
  })

  it('hides the values of members with the names of secrets, with everything in them', () => {
    const names = fc.constantFrom(
      ...['secretKey', 'client_secret', 'webhookSecret', 'apiKey', 'access_token', 'token', 'password'],
      ...['authorization', 'authorizationCode', 'settings', 'credentials', 'signature', 'otpCode', 'cvc'],
      ...['webhookAuthorizationHeaderParameter', 'paymentKey', 'account_number', 'instrument', 'privateKey'],
    )
    fc.assert(
      fc.property(names, secret, (name, text) => {
        const masked = maskedJson({ [name]: text, [name.toUpperCase()]: { any: [text] } }, SANDBOX, 8_192)
        expect(masked).not.toContain(text)
      }),
      RUNS,
    )
  })

  it('shows ids and results that only look like secrets by their names', () => {
    const shown = { tokenId: 4, token_type: 'Bearer', cvc_check: 'pass', authorizations: [{ id: 'A1' }] }
    expect(JSON.parse(maskedJson(shown, SANDBOX, 8_192))).toEqual(shown)
  })

  it('hides personal data of live apps only', () => {
    const customer = {
      firstName: 'Dana',
      email: 'dana@example.com',
      mobileNumber: '+1 555 0100',
      city: 'Oslo',
    }
    const body = { customer, note: 'write to dana@example.com', amount: 5, country: 'NO' }
    expect(JSON.parse(maskedJson(body, SANDBOX, 8_192))).toEqual(body)
    expect(JSON.parse(maskedJson(body, LIVE, 8_192))).toEqual({
      customer: { firstName: '***', email: '***', mobileNumber: '***', city: '***' },
      note: 'write to ***',
      amount: 5,
      country: 'NO',
    })
  })

  it('is JSON of bounded length, however large and deep the value is', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    const wide = Array.from({ length: 10_000 }, (_one, index) => ({ [`name${index}`]: 'x'.repeat(100) }))
    for (const value of [deep, wide, 'y'.repeat(1_000_000), { ['k'.repeat(100_000)]: 1 }]) {
      const masked = maskedJson(value, LIVE, 8_192)
      expect(masked.length).toBeLessThan(8_192 + 512)
      expect(() => JSON.parse(masked)).not.toThrow()
    }
  })
})

describe('a cut text', () => {
  it('has no part of a secret at its end', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 0, max: 120 }), fc.nat(700), (text, room, tail) => {
        const value = `${' '.repeat(60)}${text}${' '.repeat(tail)}`
        const masked = shortened(value, room, { ...SANDBOX, secrets: [text] })
        expect(masked).not.toContain(text.slice(0, 8))
      }),
      RUNS,
    )
  })
})

describe('a masked text', () => {
  it.each([
    ['sk_live_abcdefgh12345678', 'sk_***'],
    ['Bearer abcdef0123456789', 'Bearer ***'],
    ['https://user:password@host.example/x', 'https://***@host.example/x'],
    [
      'https://host.example/x?webhookKey=abc123&profileId=3',
      'https://host.example/x?webhookKey=***&profileId=3',
    ],
    [`https://pay.example/c/${'k3v9tq2m8x1c'.repeat(3)}00`, 'https://pay.example/c/***'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_***'],
  ])('%s is shown as %s', (text, masked) => {
    expect(maskedText(text, SANDBOX)).toBe(masked)
  })

  it.each([
    ['to dana.ro+1@example.com, now', 'to ***, now'],
    ['/customers/dana%40example.com/x', '/customers/***/x'],
    ['one@example.com two@example.org', '*** ***'],
    ['a @ b, @home', 'a @ b, @home'],
    ['jürgen@bücher.example', '***'],
  ])('%s of a live app is shown as %s', (text, masked) => {
    expect(maskedText(text, LIVE)).toBe(masked)
  })

  it('keeps ordinary texts as they are', () => {
    const text = 'Order 10042 of customer dana, 128.40 EUR, see https://shop.example.com/orders/10042'
    expect(maskedText(text, SANDBOX)).toBe(text)
  })
})

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { hasCardNumber, maskCardNumbers } from './find.ts'
import { isCardNumber } from './number.ts'

const CARDS = [
  '4242424242424242', // Visa
  '4222222222222', // Visa of 13 digits
  '5555555555554444', // Mastercard
  '2223003122003222', // Mastercard, 2-series
  '378282246310005', // American Express
  '6011111111111117', // Discover
  '30569309025904', // Diners Club
  '3566002020360505', // JCB
  '6205500000000000004', // UnionPay of 19 digits
  '6759649826438453', // Maestro
]

/** A number of this length in a Visa or Mastercard range, with its check digit. */
const cards = fc
  .tuple(fc.constantFrom('4', '51', '55', '2221', '2720'), fc.stringMatching(/^\d{15}$/))
  .map(([prefix, rest]) => withCheckDigit((prefix + rest).slice(0, 15)))

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) if (luhn(digits + check) === 0) return digits + check
  throw new Error('one of ten digits always fits')
}

function luhn(digits: string): number {
  const doubled = [...digits].reverse().map((digit, place) => Number(digit) * (place % 2 === 1 ? 2 : 1))
  return doubled.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10
}

const SEPARATORS = [
  '',
  ' ',
  '  ',
  '   ',
  '\u00a0',
  '\u2009',
  '\u3000',
  '\t',
  '\n',
  '\r\n',
  '.',
  '\u00b7',
  '-',
  ' - ',
  '\u2010',
  '\u2011',
  '\u2013',
  '\u2014',
  '\u2212',
  '\u200b',
  '\u2060',
  '_',
  '/',
  ', ',
]

describe('a card number is found', () => {
  it.each(CARDS)('in %s', (card) => {
    expect(isCardNumber(card)).toBe(true)
    for (const text of [card, `card: ${card}.`, `"${card}"`, `card${card}`, `${card}€`, `x=${card}&y`])
      expect(hasCardNumber(text)).toBe(true)
  })

  it.each(SEPARATORS)('in groups with %j between them', (separator) => {
    for (const groups of [
      ['4242', '4242', '4242', '4242'],
      ['3782', '822463', '10005'],
      ['42424242', '42424242'],
    ]) {
      const text = groups.join(separator)
      for (const around of [text, `card ${text}, thanks`, `Order 17\n${text}\n12/30`, `x${text}y`])
        expect([around, hasCardNumber(around)]).toEqual([around, true])
    }
  })

  it('in groups with different separators', () => {
    const any = fc.constantFrom(...SEPARATORS.filter((separator) => separator !== ''))
    fc.assert(
      fc.property(cards, fc.tuple(any, any, any), (card, gaps) => {
        const groups = [card.slice(0, 4), card.slice(4, 8), card.slice(8, 12), card.slice(12)]
        return hasCardNumber(groups.map((group, place) => group + (gaps[place] ?? '')).join(''))
      }),
    )
  })

  it('digit by digit, and in pairs', () => {
    for (const separator of [' ', '  ', '\u00a0', '\t', '\n', '-', '\u2013', '.', '\u200b']) {
      expect([separator, hasCardNumber([...'4242424242424242'].join(separator))]).toEqual([separator, true])
      expect([separator, hasCardNumber(Array(8).fill('42').join(separator))]).toEqual([separator, true])
    }
  })

  it('in digits of other scripts', () => {
    for (const text of [
      '\uff14\uff12'.repeat(8), // full-width
      '\u0664\u0662'.repeat(8), // Arabic
      '\u096a\u0968'.repeat(8), // Devanagari
      '\u{1d7dc}\u{1d7da}'.repeat(8), // mathematical
      '\u2074\u00b2'.repeat(8), // superscript
      '4\ufe0f\u20e32\ufe0f\u20e3'.repeat(8), // keycaps
      '\uff14\uff12\uff14\uff12\u3000'.repeat(4),
      '4242\uff14\uff12\uff14\uff1242424242',
    ])
      expect([text, hasCardNumber(text)]).toEqual([text, true])
  })

  it('in an address, escaped or not', () => {
    for (const text of [
      'https://shop.example/back?card=4242424242424242&x=1',
      'https://shop.example/back?card=4242%204242%204242%204242',
      'https://shop.example/back?card=4242%C2%A04242%C2%A04242%C2%A04242',
      'https://shop.example/back?card=4242+4242+4242+4242',
      'https://shop.example/back?card=%34%32%34%32%34%32%34%32%34%32%34%32%34%32%34%32',
    ])
      expect([text, hasCardNumber(text)]).toEqual([text, true])
  })

  it('in a word, and after a phone number', () => {
    for (const text of [
      'mycardnumberis4242424242424242',
      'mycardnumberis4242424242424242thankyouverymuch',
      '+49 151 1234567, 4242 4242 4242 4242',
      '+4242424242424242',
    ])
      expect([text, hasCardNumber(text)]).toEqual([text, true])
  })

  it('grouped by single spaces or dashes', () => {
    for (const text of [
      '4242 4242 4242 4242',
      '4242-4242-4242-4242',
      '3782-822463-10005',
      '4 242424242424242',
    ])
      expect(hasCardNumber(`pay with ${text} please`)).toBe(true)
  })

  it('beside other numbers', () => {
    for (const text of ['1234 4242424242424242', '4242424242424242 12/30 123', '12-4242-4242-4242-4242-7'])
      expect(hasCardNumber(text)).toBe(true)
  })

  it('at any position in any text without digits', () => {
    const around = fc.string().map((text) => text.replace(/[\d+\- a-zA-Z]/g, ''))
    fc.assert(
      fc.property(around, cards, around, (before, card, after) => hasCardNumber(`${before}${card}${after}`)),
    )
  })
})

describe('a card number is not found', () => {
  it('where a digit is wrong', () => {
    fc.assert(
      fc.property(cards, fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), (card, place, shift) => {
        const digit = (Number(card[place]) + shift) % 10
        return !hasCardNumber(card.slice(0, place) + digit + card.slice(place + 1))
      }),
    )
  })

  it('in a longer run of digits', () => {
    fc.assert(
      fc.property(cards, fc.stringMatching(/^\d{4,20}$/), (card, more) => {
        expect(hasCardNumber(card + more)).toBe(false)
        expect(hasCardNumber(more + card)).toBe(false)
      }),
    )
  })

  it('in phone numbers, times, amounts, addresses and ids', () => {
    const texts = [
      '+424242424242424',
      '+378282246310005',
      '+44 20 7123 4567',
      '48.85661400000001',
      '4.352439999999999, 50.84667',
      '45.00 19.99 20.00 30.50 40.00 12.00',
      'DE89 3704 0044 0532 0130 00',
      '2026-01-01T00:00:00.000Z',
      '1767225600000',
      '999999999.99',
      '192.168.100.200',
      'ORDER-2026-000123',
      '4242 4242',
      '9999999999999999',
      '0000000000000000',
      '',
      '424242424242424242424242',
      '4242 or 4242 or 4242 or 4242',
      '4242     4242     4242     4242',
    ]
    for (const text of texts) expect([text, hasCardNumber(text)]).toEqual([text, false])
  })

  it('in any UUID, hash or other long identifier', () => {
    fc.assert(fc.property(fc.uuid(), (id) => !hasCardNumber(id) && !hasCardNumber(`order ${id}!`)))
    expect(hasCardNumber('42424242-4242-4242-8242-424242424242')).toBe(false)
    expect(hasCardNumber('a4242424242424242bcdef0123456789')).toBe(false)
    const hex = fc.stringMatching(/^[0-9a-f]{32,64}$/).filter((text) => /[a-f]/.test(text))
    fc.assert(fc.property(hex, (text) => !hasCardNumber(text)))
  })
})

it('masks card numbers at any position, and nothing else', () => {
  const text = 'a 4242\u00a0 4242\n4242.4242 b +49 151 1234567 c 5555555555554444, 12 d'
  expect(maskCardNumbers(text, '[card]')).toBe('a [card] b +49 151 1234567 c [card], 12 d')
  expect(maskCardNumbers('?n=%34242424242424242&x', '[card]')).toBe('?n=[card]&x')
  expect(maskCardNumbers('order 1234567890123', '[card]')).toBe('order 1234567890123')
})

it('terminates for the largest body with any content', () => {
  for (const piece of [
    '4 ',
    '91-',
    '1',
    'a1',
    '4242424242424241 ',
    '0-0 ',
    '\uff14',
    '%34',
    'DE8937040044 ',
    '4\u200b',
  ])
    expect(hasCardNumber(piece.repeat(Math.floor(250_000 / piece.length)))).toBe(false)
})

it('reads no character of a long text one by one and copies no piece of it, whatever it holds', () => {
  const reads = (['charCodeAt', 'codePointAt', 'slice', 'replace'] as const).map((name) =>
    vi.spyOn(String.prototype, name),
  )
  try {
    for (const piece of ['4+1+', '5018 ', '6 7 5 9 ', '4242424242424241 ', '%34a', '\u0664', 'DE12 '])
      hasCardNumber(piece.repeat(Math.floor(250_000 / piece.length)))
    const calls = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    // Those of the tables of other scripts.
    expect(calls).toBeLessThan(1_000)
  } finally {
    vi.restoreAllMocks()
  }
})

it('finds a number that follows an account number without a space', () => {
  expect(maskCardNumbers('DE89 3704 0044 0532 0130 004111-1111-1111-1111 x', '#')).toBe(
    'DE89 3704 0044 0532 0130 00# x',
  )
})

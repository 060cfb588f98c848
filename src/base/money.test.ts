import currencyCodes from 'currency-codes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES } from './currencies.ts'
import { decimalText, majorNumber, parseMinor } from './money.ts'

describe('money', () => {
  it.each([
    [10.23, 'EUR', 1023n],
    ['25.00', 'USD', 2500n],
    [1, 'USD', 100n],
    ['10.00', 'JPY', 10n],
    [0.1, 'KWD', 100n],
    ['1.234', 'KWD', 1234n],
    [999999999.99, 'USD', 99999999999n],
    [0.29, 'EUR', 29n],
  ])('reads %s %s as %s minor units', (value, currency, minor) => {
    expect(parseMinor(value, currency)).toBe(minor)
  })

  it.each([
    [10.5, 'JPY'],
    ['10.235', 'EUR'],
    ['1e2', 'EUR'],
    ['-1', 'EUR'],
    [-1, 'EUR'],
    ['', 'EUR'],
    [' 1', 'EUR'],
    ['1,00', 'EUR'],
    [Number.NaN, 'EUR'],
    [1e21, 'EUR'],
    ['0x10', 'EUR'],
  ])('does not read %s %s', (value, currency) => {
    expect(parseMinor(value, currency)).toBeUndefined()
  })

  it('returns exactly the number that was sent, for every amount and currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 99_999_999_999n }),
        fc.constantFrom(...CURRENCIES.keys()),
        (minor, code) => {
          expect(parseMinor(majorNumber(minor, code), code)).toBe(minor)
          expect(parseMinor(decimalText(minor, code), code)).toBe(minor)
        },
      ),
    )
  })

  it('has the ISO 4217 digits of every active currency', () => {
    const published = new Map(currencyCodes.data.map((row) => [row.code, row.digits]))
    for (const [code, digits] of CURRENCIES)
      if (code !== 'XCG') expect([code, published.get(code)]).toEqual([code, digits])
    const cannotBePaidIn = [
      'XXX',
      'XTS',
      'XAU',
      'XAG',
      'XPT',
      'XPD',
      'XBA',
      'XBB',
      'XBC',
      'XBD',
      'XDR',
      'XSU',
      'XUA',
    ]
    expect([...published.keys()].filter((code) => !CURRENCIES.has(code)).sort()).toEqual(
      cannotBePaidIn.sort(),
    )
  })
})

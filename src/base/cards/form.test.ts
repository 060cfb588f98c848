import { describe, expect, it } from 'vitest'
import {
  CARD_BRANDS,
  cardBrandOf,
  checkCard,
  checkCode,
  checkExpiry,
  checkNumber,
  formatExpiry,
  formatNumber,
  readExpiry,
} from './form.ts'

const ALL = CARD_BRANDS.map(({ name }) => name)
const NOW = new Date('2026-11-15T12:00:00Z')

describe('the first digits determine the brand', () => {
  it.each([
    ['4', 'Visa'],
    ['51', 'Mastercard'],
    ['55', 'Mastercard'],
    ['2221', 'Mastercard'],
    ['2720', 'Mastercard'],
    ['34', 'American Express'],
    ['37', 'American Express'],
    ['6011', 'Discover'],
    ['644', 'Discover'],
    ['65', 'Discover'],
    ['300', 'Diners Club'],
    ['3095', 'Diners Club'],
    ['36', 'Diners Club'],
    ['38', 'Diners Club'],
    ['3528', 'JCB'],
    ['3589', 'JCB'],
    ['62', 'UnionPay'],
    ['81', 'UnionPay'],
    ['50', 'Maestro'],
    ['6759', 'Maestro'],
  ])('%s is %s', (digits, name) => expect(cardBrandOf(digits)?.name).toBe(name))

  it.each(['', '1', '2220', '2721', '7', '9', '352'])('%s has no brand yet', (digits) =>
    expect(cardBrandOf(digits)).toBeUndefined(),
  )
})

describe('a number is grouped as on the card', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 4242.4242', '4242 4242 4242 4242'],
    ['42424', '4242 4'],
    ['378282246310005', '3782 822463 10005'],
    ['30569309025904', '3056 930902 5904'],
    ['3056930009020004', '3056 9300 0902 0004'],
    ['4000000000000000006', '4000 0000 0000 0000 006'],
    ['55555555555544449', '5555 5555 5555 4444'],
    ['3782822463100051', '3782 822463 10005'],
    ['', ''],
    ['abc', ''],
  ])('%s → %s', (typed, shown) => expect(formatNumber(typed)).toBe(shown))

  it('and grouping it again changes nothing', () => {
    for (const typed of ['4242424242424242', '378282246310005', '30569309025904'])
      expect(formatNumber(formatNumber(typed))).toBe(formatNumber(typed))
  })
})

describe('an expiry is completed while it is typed', () => {
  it.each([
    ['1', '1'],
    ['2', '02 / '],
    ['9', '09 / '],
    ['12', '12 / '],
    ['123', '12 / 3'],
    ['1230', '12 / 30'],
    ['1/', '01 / '],
    ['4/29', '04 / 29'],
    ['04/2029', '04 / 29'],
    ['042029', '04 / 29'],
    ['04-29', '04 / 29'],
    ['04 / 29', '04 / 29'],
  ])('%s → %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))

  it('and read as month and year', () => {
    expect(readExpiry('04 / 29')).toEqual({ month: 4, year: 2029 })
    expect(readExpiry('13 / 29')).toBeUndefined()
    expect(readExpiry('00 / 29')).toBeUndefined()
    expect(readExpiry('04')).toBeUndefined()
  })
})

describe('validation reports errors by field', () => {
  it.each([
    ['', 'numberEmpty'],
    [' - ', 'numberEmpty'],
    ['4242', 'numberIncomplete'],
    ['424242424242424', 'numberIncomplete'],
    ['4242 4242 4242 4241', 'numberWrong'],
    ['9999 9999 9999 9999 9999', 'numberWrong'],
    ['4242 4242 4242 4242', undefined],
    ['4222222222222', undefined],
    ['378282246310005', undefined],
  ])('number %s: %s', (text, problem) => expect(checkNumber(text, ALL)).toBe(problem))

  it('an unsupported brand is refused at the sixth digit', () => {
    expect(checkNumber('37828', ['Visa'])).toBe('numberIncomplete')
    expect(checkNumber('378282', ['Visa'])).toBe('brandRefused')
  })

  it.each([
    ['', 'expiryEmpty'],
    ['12', 'expiryWrong'],
    ['13 / 29', 'expiryWrong'],
    ['10 / 26', 'expiryPast'],
    ['11 / 26', undefined],
    ['12 / 2031', undefined],
  ])('expiry %s: %s', (text, problem) => expect(checkExpiry(text, NOW)).toBe(problem))

  it('a card is good to the end of its month, in every time zone', () => {
    expect(checkExpiry('11 / 26', new Date('2026-12-01T11:59:00Z'))).toBeUndefined()
    expect(checkExpiry('11 / 26', new Date('2026-12-01T12:00:00Z'))).toBe('expiryPast')
  })

  it.each([
    ['', '4242', 'codeEmpty'],
    ['12', '4242', 'codeWrong'],
    ['123', '4242', undefined],
    ['1234', '4242', 'codeWrong'],
    ['1234', '3782', undefined],
    ['123', '3782', 'codeWrong'],
    ['123', '', undefined],
    ['1234', '', undefined],
  ])('code %s on %s: %s', (text, number, problem) => expect(checkCode(text, number)).toBe(problem))

  it('all errors together, in the order of the fields', () => {
    const empty = { number: '', expiry: '', code: '', name: ' ' }
    expect(checkCard(empty, ALL, NOW)).toEqual(['numberEmpty', 'expiryEmpty', 'codeEmpty', 'nameEmpty'])
    const right = { number: '4242424242424242', expiry: '12/30', code: '123', name: 'Dana' }
    expect(checkCard(right, ALL, NOW)).toEqual([])
  })
})

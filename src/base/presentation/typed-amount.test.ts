import { expect, it } from 'vitest'
import { decimalSign, plainDecimal, typedDecimal } from './typed-amount.ts'

it('an amount is read as people of either notation write it', () => {
  for (const sign of ['.', ',']) {
    const read = (text: string) => plainDecimal(text, sign)
    expect(['1.234,50', '1,234.50', '1 234,50', "1'234.50", '1234,5'].map(read)).toEqual([
      ...Array(4).fill('1234.50'),
      '1234.5',
    ])
    expect(['12', '12,5', '12.5', '1.234.567', '1,234,567.8'].map(read)).toEqual([
      ...['12', '12.5', '12.5', '1234567', '1234567.8'],
    ])
    const wrong = ['', '-1', '1e3', '1.2.3', '1,23,456', '1.234.56', '.5', '5.', 'ten', '1,2.3,4']
    expect(wrong.map(read)).toEqual(wrong.map(() => undefined))
  }
})

it('digits and signs of Arabic, Persian and Japanese keyboards are read', () => {
  const typed = ['١٬٢٣٤٫٥٠', '۱۲۳۴٫۵۰', '１，２３４．５０']
  expect(typed.map((text) => plainDecimal(text, '.'))).toEqual(['1234.50', '1234.50', '1234.50'])
})

it('a sign that could be either is refused', () => {
  expect([plainDecimal('1.234', ','), plainDecimal('1,234', '.')]).toEqual([undefined, undefined])
  expect([plainDecimal('1.234', '.'), plainDecimal('1234.567', ',')]).toEqual(['1.234', '1234.567'])
})

it('a field shows the decimal sign of its language', () => {
  expect([decimalSign('de'), decimalSign('en')]).toEqual([',', '.'])
  expect([typedDecimal('25.50', 'de'), typedDecimal('25', 'de')]).toEqual(['25,50', '25'])
})

import { expect, it } from 'vitest'
import { amountText } from './amount.ts'

const text = (value: string, currency = 'EUR', digits = 2) =>
  amountText(value, { currency, digits, lang: 'en' })

it('writes an entered amount as money', () => {
  expect(text('10')).toBe('€10.00')
  expect(text('12,5')).toBe('€12.50')
  expect(text(' 1 234.50 ')).toBe('€1,234.50')
  expect(text('1000', 'JPY', 0)).toBe('¥1,000')
})

it('leaves alone what is not an amount of the currency', () => {
  expect(text('')).toBeUndefined()
  expect(text('-5')).toBeUndefined()
  expect(text('1.005')).toBeUndefined()
  expect(text('10.5', 'JPY', 0)).toBeUndefined()
})

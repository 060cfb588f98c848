import { expect, it } from 'vitest'
import { ApiError } from '../../base/errors.ts'
import { amountIn } from './request.ts'

const refusal = (value: number | string, currency: string): string | undefined => {
  try {
    amountIn(currency, value)
    return undefined
  } catch (error) {
    return error instanceof ApiError ? error.message : String(error)
  }
}

it('says what is wrong with an amount', () => {
  const bounds = 'amount must be an amount from 0.01 to 999999999.99.'
  const places = 'amount must be an amount with at most 2 decimal places in EUR.'
  const units = 'amount must be an amount in units of the currency, such as 25.50.'
  for (const [value, message] of [
    [0, bounds],
    [-0, bounds],
    [-1, bounds],
    ['-1.50', bounds],
    [1e9, bounds],
    [1e21, bounds],
    ['99999999999999999999', bounds],
    [1.005, places],
    [1e-7, places],
    ['10.000', places],
    ['abc', units],
    [' ', units],
    ['1e1', units],
    ['1,50', units],
    ['٣', units],
    [10.5, undefined],
    ['10.50', undefined],
  ] as const)
    expect([value, refusal(value, 'EUR')]).toEqual([value, message])
  expect(refusal('10.5', 'JPY')).toBe('amount must be an amount with at most 0 decimal places in JPY.')
  expect(refusal('1000000000', 'JPY')).toBe('amount must be an amount from 1 to 999999999.')
})

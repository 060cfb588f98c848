import { expect, it } from 'vitest'
import { readAmountField } from './actions.ts'
import { curlOf, headersOf } from './curl.ts'
import { offsetText, prettyJson } from './words.ts'

it.each([
  [-5, '+0.000 s'],
  [4, '+0.004 s'],
  [41_234, '+41.2 s'],
  [12 * 60_000, '+12 min'],
  [5 * 3_600_000, '+5 h'],
  [50 * 3_600_000, '+2 d'],
])('%d ms after the creation is %s', (ms, says) => {
  expect(offsetText(ms)).toBe(says)
})

it('reads an amount as people write it, and no other text', () => {
  expect(readAmountField('10', 'EUR')).toBe(1000n)
  expect(readAmountField('10,5', 'EUR')).toBe(1050n)
  expect(readAmountField(' 1 234.50', 'EUR')).toBe(123450n)
  // A comma before three digits may be a thousand.
  expect(readAmountField('1,000', 'EUR')).toBeUndefined()
  expect(readAmountField('10.5', 'JPY')).toBeUndefined()
  expect(readAmountField('-1', 'EUR')).toBeUndefined()
  expect(readAmountField('1e3', 'EUR')).toBeUndefined()
})

it('a request as a command cannot end its quotes', () => {
  const curl = curlOf({
    method: 'POST',
    url: "https://a.example/'",
    headers: { a: 'b' },
    body: `{"x":"'$(id)'"}`,
  })
  expect(curl).toBe(
    `curl -X POST 'https://a.example/'\\''' \\\n  -H 'a: b' \\\n  --data-raw '{"x":"'\\''$(id)'\\''"}'`,
  )
})

it('stored headers and bodies need not be JSON', () => {
  expect(headersOf('[cut')).toEqual({})
  expect(headersOf('{"a":1}')).toEqual({ a: '1' })
  expect(prettyJson('[cut')).toBe('[cut')
})

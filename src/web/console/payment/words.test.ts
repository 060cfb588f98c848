import { expect, it } from 'vitest'
import { DECLINES, NOT_DONE } from '../../../payments/provider/merge-facts.ts'
import { DECLINE_REASONS } from '../../../providers/outcome.ts'
import { de } from '../../kit/texts/german.ts'
import { en } from '../../kit/texts/texts.ts'
import { readAmountField } from './actions.ts'
import { curlOf, headersOf } from './curl.ts'
import { offsetText, prettyJson, reasonText, saidText } from './words.ts'

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

it('what the service says is read in the language of the page, also with the words of a provider', () => {
  for (const text of [...Object.values(DECLINES), ...Object.values(NOT_DONE)]) {
    expect(saidText(en, text)).toBe(text)
    expect(saidText(de, text)).not.toBe(text)
  }
  expect(saidText(de, `${NOT_DONE['bad-request']} (No such "price")`)).toBe(
    'Der Anbieter hat die Anfrage nicht angenommen. (No such "price")',
  )
  for (const text of ['The buyer called.', '(', `${DECLINES.generic} (more)`])
    expect(saidText(de, text)).toBe(text)
})

it('every decline reason has a name', () => {
  for (const texts of [en, de])
    expect(DECLINE_REASONS.filter((reason) => texts.said.reasons[reason] === undefined)).toEqual([])
  expect(reasonText(de, 'insufficient-funds')).toBe('Konto nicht gedeckt')
  expect(reasonText(de, 'something_new')).toBe('something new')
})

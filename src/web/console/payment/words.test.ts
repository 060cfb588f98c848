import { expect, it } from 'vitest'
import { ENGLISH, type PaymentProblem } from '../../../payments/problems.ts'
import { DECLINE_REASONS } from '../../../providers/outcome.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { de } from '../../kit/texts/german.ts'
import { consoleLanguage } from '../../kit/texts/languages.ts'
import { en } from '../../kit/texts/texts.ts'
import { readAmountField } from './actions.ts'
import { curlOf, headersOf } from './exchange.tsx'
import { offsetText, prettyJson, problemText, reasonText } from './words.ts'

it.each([
  [-5, '+0.000 s'],
  [4, '+0.004 s'],
  [41_234, '+41.2 s'],
  [12 * 60_000, '+12 min'],
  [5 * 3_600_000, '+5 h'],
  [50 * 3_600_000, '+2 d'],
])('%d ms after the creation is %s', (ms, text) => {
  expect(offsetText({ language: consoleLanguage('en', undefined, undefined) }, ms)).toBe(text)
  expect(offsetText({ language: consoleLanguage('de', undefined, undefined) }, ms)).toBe(
    text.replace('.', ','),
  )
})

it('reads an amount as people write it, and no other text', () => {
  expect(readAmountField('10', 'EUR', 'en')).toBe(1000n)
  expect(readAmountField('10,5', 'EUR', 'en')).toBe(1050n)
  expect(readAmountField(' 1 234.50', 'EUR', 'en')).toBe(123450n)
  // A comma before three digits may be a thousand.
  expect(readAmountField('1.234,50', 'EUR', 'de')).toBe(123450n)
  expect(readAmountField('1,000', 'EUR', 'en')).toBeUndefined()
  expect(readAmountField('10.5', 'JPY', 'en')).toBeUndefined()
  // Two decimals at most, as the API takes them, also where the currency has three.
  expect(readAmountField('10.500', 'KWD', 'en')).toBe(10_500n)
  expect(readAmountField('10.505', 'KWD', 'en')).toBeUndefined()
  expect(readAmountField('-1', 'EUR', 'en')).toBeUndefined()
  expect(readAmountField('1e3', 'EUR', 'en')).toBeUndefined()
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

const keysOf = <T extends object>(words: T) => Object.keys(words) as (keyof T & string)[]

/** One problem of each kind, and each of those that differ by a value. */
const PROBLEMS: readonly PaymentProblem[] = [
  ...DECLINE_REASONS.map((reason) => ({ code: 'declined', reason }) as const),
  ...keysOf(ENGLISH.notDone).map((why) => ({ code: 'not-done', why }) as const),
  ...keysOf(ENGLISH.ending).map((code) => ({ code })),
  ...keysOf(ENGLISH.plain).map((code) => ({ code })),
  ...keysOf(ENGLISH.amount).map((code) => ({ code, minor: '1050', currency: 'EUR' })),
  ...keysOf(ENGLISH.refusedStep).flatMap((step) => [
    { code: 'refused', step, because: { code: 'no-reason' } } as const,
    { code: 'step-unreached', step } as const,
    { code: 'step-impossible', step } as const,
  ]),
  ...keysOf(ENGLISH.awaitedStep).map((step) => ({ code: 'waiting', provider: 'Acme', step }) as const),
  { code: 'part-arrived', minor: '1050', wholeMinor: '2000', currency: 'EUR' },
  { code: 'part-arrived', minor: '1050', wholeMinor: '2000', currency: 'EUR', until: '2026-11-20T12:00:00Z' },
  {
    ...{ code: 'captured-late', minor: '1050', currency: 'EUR' },
    also: { code: 'refund-failed-later', minor: '200', currency: 'EUR' },
  },
  { code: 'capture-repeated' },
  { code: 'capture-repeated', detail: 'Scheme refused' },
]

const person = { timeZone: 'Europe/Berlin' } as PersonRequest['person']
const english = { texts: en, language: consoleLanguage('en', undefined, undefined), person }
const german = { texts: de, language: consoleLanguage('de', undefined, undefined), person }

it('every problem has words in each language, with its values as the language writes them', () => {
  for (const problem of PROBLEMS) {
    expect(problemText(english, problem)).toMatch(/^[^{}[\]]{10,}\S$/)
    expect(problemText(german, problem)).not.toBe(problemText(english, problem))
    expect(problemText(german, problem)).not.toContain('undefined')
  }
  expect(problemText(german, PROBLEMS.find(({ code }) => code === 'part-paid') as PaymentProblem)).toMatch(
    /^Nur 10,50\s€ wurden bezahlt/,
  )
})

it('the words of others stay as they are, also inside a sentence', () => {
  expect(problemText(german, { code: 'text', text: 'The buyer called.' })).toBe('The buyer called.')
  expect(problemText(german, { code: 'not-done', why: 'bad-request', detail: 'No such "price"' })).toBe(
    'Der Anbieter hat die Anfrage nicht angenommen. (No such "price")',
  )
  const because = { code: 'text', text: 'Scheme refused' } as const
  expect(problemText(german, { code: 'refused', step: 'capture', because })).toBe(
    'Der Einzug wurde abgelehnt: Scheme refused',
  )
})

it('every decline reason has a name', () => {
  for (const texts of [en, de])
    expect(DECLINE_REASONS.filter((reason) => texts.problems.reasons[reason] === undefined)).toEqual([])
  expect(reasonText(de, 'insufficient-funds')).toBe('Konto nicht gedeckt')
  expect(reasonText(de, 'something_new')).toBe('something new')
})

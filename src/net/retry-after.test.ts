import { expect, it } from 'vitest'
import { retryAfterIn } from './retry-after.ts'

const NOW = new Date('2027-01-04T09:00:00.000Z')
const after = (text: string) => retryAfterIn({ 'retry-after': text }, NOW).retryAfter?.toISOString()

it('reads seconds and dates', () => {
  expect(after('30')).toBe('2027-01-04T09:00:30.000Z')
  expect(after('Mon, 04 Jan 2027 09:05:00 GMT')).toBe('2027-01-04T09:05:00.000Z')
})

it('ignores anything else', () => {
  for (const text of ['', 'soon', '-1', '12345678', 'Mon, 99 Jan 2027 09:05:00 GMT', '2027-01-04'])
    expect(after(text), text).toBeUndefined()
  expect(retryAfterIn({}, NOW)).toEqual({})
})

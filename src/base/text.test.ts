import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, folded, parseUrl } from './text.ts'

it('folds lines, tabs and control characters into single spaces', () => {
  expect(folded('  Web hosting\r\n\tPlan:  Business\u2028\u0085\u0001Total\u00a0 5 ')).toBe(
    'Web hosting Plan: Business Total 5',
  )
  expect(folded('\n\t\u0001')).toBe('')
})

it('cuts between visible characters', () => {
  const family = '👩‍👩‍👧‍👦'
  expect(cut('abc', 3)).toBe('abc')
  expect(cut('abcd', 3)).toBe('abc')
  expect(cut(`ab${family}`, 5)).toBe('ab')
  expect(cut(`ab${family}c`, 2 + family.length)).toBe(`ab${family}`)
  expect(cut('Zoe\u0308 x', 3)).toBe('Zo')
  expect(cut('ab cd', 3)).toBe('ab')
})

it('returns a well-formed prefix within the maximum length', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const beginning = cut(text, most)
      expect(beginning.length).toBeLessThanOrEqual(most)
      expect(text.startsWith(beginning) && beginning.isWellFormed()).toBe(true)
    }),
  )
  // One visible character of 60 units: it cannot be kept whole.
  expect(cut(`a${'\u0301'.repeat(60)}`, 10)).toHaveLength(10)
  expect(cut('😀'.repeat(5), 1)).toBe('')
})

it('reads URLs with letters such as ä, however often', () => {
  const read = () => parseUrl('https://käse.example/zurück')?.host
  for (let time = 0; time < 20_000; time++) if (!read()) expect.fail(`refused at time ${time}`)
  expect(read()).toBe('xn--kse-qla.example')
  expect(parseUrl('//käse')).toBeUndefined()
})

import { expect, it } from 'vitest'
import { type Result, tableOf, withFigures } from './table.ts'

const result = (bench: string, value: string): Result => ({ bench, what: 'how many', value, numbers: {} })
const page = (between: string) =>
  `# A page\n\nBefore.\n\n<!-- figures -->${between}<!-- /figures -->\n\nAfter.\n`
const order = ['create', 'life', 'read']

it('figures replace those of the same benches and leave the rest of the page unchanged', () => {
  const old = tableOf([result('create', '1'), result('life', '2')])
  const expected = page(
    `\n\n${tableOf([result('create', '1'), result('life', '20'), result('read', '30')])}\n\n`,
  )
  const fresh = [result('read', '30'), result('life', '20')]
  // Any number of empty lines between a mark and the table.
  for (const space of ['\n', '\n\n']) {
    const written = withFigures(page(`${space}${old}${space}`), fresh, order)
    expect(written).toBe(expected)
    expect(withFigures(written, fresh, order)).toBe(expected)
  }
  expect(withFigures(page('\n'), fresh, order)).toContain('| 20 ')
})

it('a page without marks is not written', () => {
  expect(() => withFigures('# A page\n', [result('life', '1')], order)).toThrow('no marks')
})

import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it('a cell that a spreadsheet would run is text, whatever it begins with', () => {
  for (const sign of ['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠'])
    for (const spaces of ['', ' ', '\u00a0 '])
      expect(csvLine([`${spaces}${sign}HYPERLINK(A1)`])).toBe(`'${spaces}${sign}HYPERLINK(A1)\r\n`)
  expect(csvLine(["'=1", "''-5", "'plain"])).toBe("''=1,'''-5,'plain\r\n")
  expect(csvLine(['\tcmd'])).toBe(`'\tcmd\r\n`)
  expect(csvLine(['\rcmd', '\ncmd'])).toBe(`"'\rcmd","'\ncmd"\r\n`)
})

it('amounts, numbers and other texts stay as they are', () => {
  const cells = ['-12.50', '7', -3, { decimal: '-1.5' }, 'a=b', '', null]
  expect(csvLine(cells)).toBe('-12.50,7,-3,-1.5,a=b,,\r\n')
  expect(csvLine(['-12.50', { decimal: '-1.5' }, 'a,b'], ';')).toBe('-12.50;-1,5;"a,b"\r\n')
  expect(csvLine(['say "hi"', 'two\nlines'])).toBe('"say ""hi""","two\nlines"\r\n')
})

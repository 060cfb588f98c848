import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_ROWS, readRows } from './csv.ts'
import { fileProblemText } from './file-problem.ts'

const read = async (text: string) => {
  const file = await readRows(Buffer.from(text))
  if (file.kind !== 'rows') throw new Error(file.problem.code)
  return file
}
const cellsOf = async (text: string) =>
  (await read(text)).rows.map(({ row, cells }) => [row, ...Object.values(cells)])
const problemOf = async (text: string) => {
  const file = await readRows(Buffer.from(text))
  return file.kind === 'rows' ? undefined : fileProblemText(file.problem)
}

describe('a CSV file', () => {
  it('has rows by the names of its header, with the numbers of their lines', async () => {
    expect(await read('\ufeff Id ,"Gross, EUR"\r\na,"1 ""net"""\r\n\r\nb,"two\nlines"\r\nc,\r\n')).toEqual({
      kind: 'rows',
      columns: ['Id', 'Gross, EUR'],
      rows: [
        { row: 2, cells: { Id: 'a', 'Gross, EUR': '1 "net"' } },
        { row: 4, cells: { Id: 'b', 'Gross, EUR': 'two\nlines' } },
        { row: 6, cells: { Id: 'c', 'Gross, EUR': '' } },
      ],
      bad: [],
      isCut: false,
    })
  })

  it('may mix line breaks and end without one', async () => {
    expect(await cellsOf('a,b\r\n1,2\n3,4\r\n5,6')).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ])
    expect((await read('a,b\n1,2')).isCut).toBe(false)
    expect((await read('a,b\n')).rows).toEqual([])
  })

  it('is read back as it was written', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 })
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 })
    const line = (cells: readonly string[]) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (written, end) => {
        const file = await read([['x', 'y', 'z'], ...written].map(line).join(end))
        expect(file.rows.map(({ cells }) => [cells.x, cells.y, cells.z])).toEqual(written)
      }),
    )
  })

  it('has a bounded number of rows, as a short one takes as much memory as a long one', async () => {
    expect(await problemOf(`a,b\n${',\n'.repeat(MAX_ROWS)}`)).toBeUndefined()
    expect(await problemOf(`a,b\n${',\n'.repeat(MAX_ROWS + 1)}`)).toMatch(/more than 500000 rows/)
  })

  it.each([
    ['fewer cells', '1', /1 cells, the header 2/],
    ['more cells', '1,2,3', /3 cells, the header 2/],
    ['a quotation mark inside a cell', '1,x"y', /inside a cell/],
    ['text after a quotation mark', '1,"x"y', /after a closing/],
    ['a quotation mark that is not closed', '1,"x', /not closed/],
    ['a line that is too long', `1,${'x'.repeat(70_000)}`, /longer than/],
    ['a quoted cell that is too long', `1,"x\n${'x'.repeat(70_000)}"`, /longer than/],
  ])('with %s in one row has its other rows', async (_what, row, problem) => {
    const { rows, bad } = await read(`a,b\n1,2\n${row}\n3,4\n`)
    expect(rows.map(({ cells }) => cells.a)).toEqual(['1', '3'])
    expect(bad[0]?.row).toBe(3)
    expect(bad[0] && fileProblemText(bad[0].problem)).toMatch(problem)
  })

  it('that ends inside a row is cut', async () => {
    for (const end of ['3', '3,"4', '3,"'])
      expect(await read(`a,b\n1,2\n${end}`), end).toMatchObject({ isCut: true })
    for (const end of ['3,4', '3\n5,6', '3\n'])
      expect((await read(`a,b\n1,2\n${end}`)).isCut, end).toBe(false)
  })

  it('without a header, with a column twice, or of another kind is not read', async () => {
    expect(await problemOf('')).toMatch(/no header/)
    expect(await problemOf('\n1,2\n')).toMatch(/no header/)
    expect(await problemOf('a,b,a\n1,2,3\n')).toMatch(/column "a" twice/)
    expect(await problemOf(`a,"b\n${'1,2\n'.repeat(20_000)}`)).toMatch(/header is not CSV/)
    expect(await problemOf('x'.repeat(25 * 1024 * 1024))).toMatch(/header is not CSV/)
    expect(await problemOf(`a,b\n${'x\n'.repeat(1_001)}`)).toMatch(/1000 rows/)
    expect(await problemOf(`${','.repeat(300)}\n`)).toMatch(/header is not CSV/)
  })

  it('has no column that its header does not name', async () => {
    const [row] = (await read('__proto__,b\n1,2\n')).rows
    expect(Object.keys(row?.cells ?? {})).toEqual(['__proto__', 'b'])
    expect(Object.getPrototypeOf(row?.cells)).toBe(Object.prototype)
  })

  it('is read whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '\0', 'é') }),
        async (text) => {
          const file = await readRows(Buffer.from(text))
          if (file.kind !== 'rows') return
          const lines = text.split('\n').length
          for (const { row } of [...file.rows, ...file.bad]) expect(row).toBeLessThanOrEqual(lines)
        },
      ),
    )
  })
})

import { expect, it } from 'vitest'
import { parseGeneralCsv } from './csv.ts'

const HEAD = 'line_id,kind,gross,currency,time,account'
const row = (id: string, more = 'acct_ours', currency = 'EUR') =>
  `${id},sale,10.00,${currency},2026-11-18T12:00:00Z,${more}`
const parse = (lines: readonly string[], { account = 'acct_ours' as string | null, end = '\n' } = {}) =>
  parseGeneralCsv(Buffer.from(`${[HEAD, ...lines].join('\n')}${end}`), account)

it('a file of another account is refused as a whole, wherever it says so', async () => {
  expect(await parse([row('a'), row('b', 'acct_other')])).toEqual({
    ...{ kind: 'wrong', why: 'other-account' },
    problem: { code: 'account', values: { row: 3, account: 'acct_other' } },
  })
})

it('a file of the account counts, and so does one that names none, or one of a profile without', async () => {
  for (const read of [await parse([row('a')]), await parse([row('a', '')])])
    expect(read).toMatchObject({ kind: 'page', lines: [{ id: 'a' }], bad: [] })
  expect(await parse([row('a', 'acct_other')], { account: null })).toMatchObject({ kind: 'page' })
})

it('a file that ends inside its last row is refused as a whole', async () => {
  expect(await parse([row('a'), row('b')], { end: '' })).toMatchObject({ kind: 'wrong', why: 'incomplete' })
})

it('a line without a currency is a bad row, and the others count', async () => {
  const read = await parse([row('a', 'acct_ours', ''), row('b')])
  expect(read).toMatchObject({
    lines: [{ id: 'b' }],
    bad: [{ row: '2', problem: { code: 'currency' } }],
  })
})

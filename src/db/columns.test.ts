import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { arrayText, columnsOf, unnested } from './columns.ts'
import { sql } from './database.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

const COLUMNS = { text: 'text', minor: 'bigint', time: 'timestamptz', is: 'boolean', texts: 'text' } as const
const READ = sql<object>(
  'test.columns',
  `select x.text, x.minor as amount_minor, x.time, x.is, x.texts::text[] as texts
   from ${unnested(COLUMNS, 1)}`,
)

/** What arrays give a meaning to, and what they do not. */
const textOf = fc.oneof(
  fc.constantFrom('NULL', '', ' ', '{}', '{a,b}', '\\', '"', "'", 'a\\"b', '$1', 'é\n\t'),
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', 'N', '\n', '€') }),
)

it('rows come back as they were sent, whatever their texts hold', async () => {
  const rowOf = fc.record({
    text: fc.option(textOf),
    minor: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    time: fc.option(fc.date({ min: new Date(0), max: new Date('9000-01-01'), noInvalidDate: true })),
    is: fc.boolean(),
    texts: fc.array(textOf, { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(rowOf, { maxLength: 20 }), async (rows) => {
      const sent = rows.map(({ texts, ...row }) => ({ ...row, texts: arrayText(texts) }))
      const expected = rows.map(({ minor, ...row }) => ({ ...row, amountMinor: minor }))
      expect(await ctx.db.query(READ, columnsOf(COLUMNS, sent))).toEqual(expected)
    }),
    { seed: 178 },
  )
})

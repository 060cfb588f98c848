import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { sql } from './database.ts'
import { analyseYoungTables } from './statistics.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
  await ctx.db.query(sql('test.young', 'create table young (id integer)'))
})
afterAll(() => ctx.close())

const GROW = sql('test.grow', 'insert into young select generate_series(1, $1::integer)')
const ROWS = sql<{ rows: number }>(
  'test.rows',
  `select reltuples as rows from pg_class where oid = 'young'::regclass`,
)
const rowsKnown = async () => (await ctx.db.query(ROWS))[0]?.rows

it('a table that has doubled is analysed before autovacuum does it, and only once', async () => {
  await ctx.db.query(GROW, [500])
  // PostgreSQL updates its change counters with a delay of about a second.
  await expect.poll(() => analyseYoungTables(ctx.db)).toBe(1)
  expect(await rowsKnown()).toBe(500)
  expect(await analyseYoungTables(ctx.db)).toBe(0)

  await ctx.db.query(GROW, [1_000])
  await expect.poll(() => analyseYoungTables(ctx.db)).toBe(1)
  expect(await rowsKnown()).toBe(1_500)
})

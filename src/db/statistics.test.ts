import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { sql } from './database.ts'
import { analyseYoungTables } from './statistics.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
  // Autovacuum must not be faster than the test.
  await ctx.db.query(sql('test.young', 'create table young (id integer) with (autovacuum_enabled = false)'))
})
afterAll(() => ctx.close())

const GROW = sql('test.grow', 'insert into young select generate_series(1, $1::integer)')
const KNOWN = sql<{ rows: number; times: number }>(
  'test.known',
  `select c.reltuples as rows, pg_stat_get_analyze_count(c.oid)::integer as times
   from pg_class c where c.oid = 'young'::regclass`,
)

/** What the planner knows of the table after one more look at it. */
async function analysed() {
  await analyseYoungTables(ctx.db)
  return (await ctx.db.query(KNOWN))[0]
}

it('a table that has doubled is analysed before autovacuum does it, and only once', async () => {
  await ctx.db.query(GROW, [500])
  // PostgreSQL updates its change counters with a delay of about a second.
  await expect.poll(analysed, { timeout: 20_000 }).toEqual({ rows: 500, times: 1 })
  expect(await analysed()).toEqual({ rows: 500, times: 1 })

  await ctx.db.query(GROW, [1_000])
  await expect.poll(analysed, { timeout: 20_000 }).toEqual({ rows: 1_500, times: 2 })
})

const CHURN = sql('test.churn', 'update young set id = id + 1')
const CHANGED = sql<{ changed: number }>(
  'test.changed',
  `select pg_stat_get_mod_since_analyze('young'::regclass)::integer as changed`,
)

it('a table that changes and stays as small is not analysed: plans of it stay', async () => {
  const before = await analysed()
  for (let time = 0; time < 3; time++) await ctx.db.query(CHURN)
  const changed = async () => (await ctx.db.query(CHANGED))[0]?.changed
  await expect.poll(changed, { timeout: 20_000 }).toBeGreaterThanOrEqual(4_500)
  expect(await analysed()).toEqual(before)
})

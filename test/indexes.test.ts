import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allStatements, sql } from '../src/db/database.ts'
import { printStatements } from '../src/generate-docs.ts'
import { type TestContext, testContext } from './support/context.ts'

/** The table of indexes in docs/guides/performance.md: each has a statement that needs it. */

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

/** The tables that the payments of a shop write. */
const TABLES = [
  ...['payments', 'customers', 'events', 'operations', 'timers', 'provider_notifications'],
  ...['deliveries', 'delivery_attempts', 'log_batches', 'api_log_minutes'],
  ...[
    'payment_search',
    'payment_rollups',
    'day_rollups',
    'country_rollups',
    'latency_rollups',
    'rollup_queue',
  ],
]

/** The indexes in the plan of a statement, as the service's connections plan it. */
const PLANNER = sql<never>(
  'test.planner',
  `create function pg_temp.indexes_of(statement text) returns text[] language plpgsql as $$
   declare plan jsonb;
   begin
     execute 'explain (generic_plan, format json) ' || statement into plan;
     return array(select distinct name #>> '{}' from jsonb_path_query(plan, '$.**."Index Name"') name);
   end $$`,
)
const PLAN = sql<{ indexes: string[] }>('test.plan', 'select pg_temp.indexes_of($1) as indexes')
const INDEXES = sql<{ name: string; isUnique: boolean }>(
  'test.indexes',
  `select i.indexrelid::regclass::text as name, i.indisunique as is_unique from pg_index i
   where i.indrelid = any ($1::regclass[]) order by 1`,
)

interface Row {
  readonly index: string
  /** `unique`: it guards what it names; else the name of a statement. */
  readonly need: string
}

async function tableOfGuide(): Promise<Row[]> {
  const guide = await readFile('docs/guides/performance.md', 'utf8')
  const [, table = ''] = guide.split(/<!-- \/?indexes -->/)
  const rows = [...table.matchAll(/^\| `(\w+)` +\|[^|]+\| (?:`([\w.]+)`|(unique))/gm)]
  return rows.map(([, index = '', statement, unique]) => ({ index, need: statement ?? unique ?? '' }))
}

it('the guide names each index that a payment may write', async () => {
  const indexes = await ctx.db.query(INDEXES, [TABLES])
  expect((await tableOfGuide()).map(({ index }) => index).sort()).toEqual(
    indexes.map(({ name }) => name).sort(),
  )
})

it('each of them guards something, or is in the plan of the statement that the guide names', async () => {
  printStatements()
  const unique = new Map((await ctx.db.query(INDEXES, [TABLES])).map((each) => [each.name, each.isUnique]))
  const wrong: string[] = []
  await ctx.db.transaction(async (tx) => {
    await tx.query(PLANNER)
    for (const { index, need } of await tableOfGuide()) {
      const text = allStatements().get(need)
      const [row] = text === undefined ? [] : await tx.query(PLAN, [text])
      if (need === 'unique' ? !unique.get(index) : !row?.indexes.includes(index))
        wrong.push(`${index}: ${need}`)
    }
  })
  expect(wrong).toEqual([])
})

const MIXED = sql<{ name: string; tables: string }>(
  'test.collations',
  `select column_name::text as name, string_agg(table_name::text, ', ' order by table_name)
     filter (where collation_name is null) as tables
   from information_schema.columns
   where table_schema = 'public' and data_type = 'text' and column_name ~ '_(id|key)$'
   group by 1 having count(distinct coalesce(collation_name, '')) > 1`,
)

/** A join of columns with different collations reads a whole index for each row of the other table. */
it('ids of one name have one collation in all tables', async () => {
  expect(await ctx.db.query(MIXED)).toEqual([])
})

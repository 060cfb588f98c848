import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense, testPolicy } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import type { Queryable, Statement } from '../db/database.ts'
import { type CustomerFilter, listCustomers, selectCustomer } from './store.ts'

let ctx: TestContext
let client: pg.Client
let appId = ''

beforeAll(async () => {
  ctx = await testContext()
  client = new pg.Client({ connectionString: ctx.databaseUrl })
  await client.connect()
  appId = (await testLicense(ctx)).sandbox.appId
  const other = (await testLicense(ctx)).sandbox.appId
  for (const app of [appId, other]) await testPolicy(ctx, app, 7)
  await client.query(
    `insert into customers (app_id, customer_id, first_name, email, is_blocked, fraud_policy_id, created_time)
     select app, 'customer ' || n, 'First' || n, 'mail' || n || '@shop.example', n % 100 = 0,
       case when n % 100 = 1 then 7 end, now()
     from unnest($1::text[]) app, generate_series(1, 5000) n`,
    [[appId, other]],
  )
  await client.query('vacuum analyze customers')
})
afterAll(async () => {
  await client.end()
  await ctx.close()
})

/** Runs each statement and records its query plan. */
function explaining(plans: string[]): Queryable {
  return {
    async query<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
      // Uses a generic plan, like a statement that has run many times.
      await client.query('set plan_cache_mode = force_generic_plan')
      const { rows } = await client.query({
        name: `explain ${statement.name}`,
        text: `explain ${statement.text}`,
        values: [...values],
      })
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return ctx.db.query(statement, values)
    },
  }
}

const page = { offset: 0, limit: 101 }

it.each<[string, Partial<CustomerFilter>, RegExp, number]>([
  ['all', {}, /Index Scan using customers_pkey/, 101],
  ['a search', { search: 'first77' }, /customers_search/, 11],
  ['the blocked', { isBlocked: true }, /customers_blocked/, 50],
  ['a policy', { fraudPolicyId: 7 }, /customers_of_policy/, 50],
  ['a search among the blocked', { search: 'mail', isBlocked: true }, /customers_search/, 50],
])('lists %s by an index, of this app only', async (_name, filter, index, count) => {
  const plans: string[] = []
  const found = await listCustomers(explaining(plans), appId, { ...page, ...filter })
  expect(found).toHaveLength(count)
  expect(plans[0]).toMatch(index)
  expect(plans[0]).not.toMatch(/Seq Scan/)
})

it('finds a customer by the primary key', async () => {
  const plans: string[] = []
  expect(await selectCustomer(explaining(plans), appId, 'customer 7')).toMatchObject({ firstName: 'First7' })
  expect(plans[0]).toMatch(/customers_pkey/)
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { DAY } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import { countUses, selectStanding } from './store.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())

const APP = 'app_000000000000'
const SINCE = new Date('2026-01-02T00:00:00.000Z')
const at = (ms: number) => new Date(SINCE.getTime() + ms)

const INSERT = sql<never>(
  'test.verdict',
  `insert into fraud_verdicts (app_id, payment_id, attempt, customer_id, verdict_time, policy_id,
     policy_version, currency, amount_minor, profile_id, card, decision, outcome, checks)
   values ($1, $2, $3, $4, $5, 1, 1, $6, $7, $8, $9, 'Accept', $10, '[]')`,
)

interface Use {
  readonly payment: number
  readonly attempt?: number
  readonly customer?: string
  readonly time?: Date
  readonly currency?: string
  readonly minor?: number
  readonly profile?: number
  readonly card?: string
  readonly outcome?: string
}

const use = (one: Use) =>
  ctx.db.query(INSERT, [
    APP,
    one.payment,
    one.attempt ?? 1,
    one.customer ?? 'c',
    one.time ?? at(1),
    one.currency ?? 'EUR',
    one.minor ?? 100,
    one.profile ?? 1,
    one.card ?? null,
    one.outcome ?? 'paid',
  ])

const count = async (window: object = {}, more: object = {}) => {
  const windows = [{ place: 1, since: SINCE, currency: null, profiles: null, ...window }]
  const asked = { appId: APP, customerId: 'c', paymentId: 99, currency: 'EUR', card: null, ...more }
  return (await countUses(ctx.db, { ...asked, windows })).get(1)
}

beforeEach(() => ctx.db.query(sql('test.forget', 'delete from fraud_verdicts')))

it('counts activity after the start of the window, exclusive', async () => {
  await use({ payment: 1, time: at(-1) })
  await use({ payment: 2, time: at(0) })
  await use({ payment: 3, time: at(1) })
  await use({ payment: 4, time: at(DAY) })
  expect(await count()).toEqual({ payments: 2, totalMinor: 200n, rejects: 0, cards: 0 })
})

it('counts payments that are being paid or were paid, and declines apart', async () => {
  for (const [index, outcome] of ['open', 'paid', 'declined', 'ended', 'rejected'].entries())
    await use({ payment: index + 1, outcome })
  expect(await count()).toEqual({ payments: 2, totalMinor: 200n, rejects: 1, cards: 0 })
})

it('leaves out the current payment, but not the declines of its earlier attempts', async () => {
  await use({ payment: 99, attempt: 1, outcome: 'declined' })
  await use({ payment: 99, attempt: 2, outcome: 'open' })
  expect(await count()).toEqual({ payments: 0, totalMinor: 0n, rejects: 1, cards: 0 })
})

it('counts by the currency and profiles of the rule, and sums one currency only', async () => {
  await use({ payment: 1, currency: 'EUR', minor: 100, profile: 1 })
  await use({ payment: 2, currency: 'USD', minor: 200, profile: 2 })
  expect(await count()).toMatchObject({ payments: 2, totalMinor: 100n })
  expect(await count({}, { currency: 'USD' })).toMatchObject({ payments: 2, totalMinor: 200n })
  expect(await count({ currency: 'USD' })).toMatchObject({ payments: 1, totalMinor: 0n })
  expect(await count({ profiles: [2, 3] })).toMatchObject({ payments: 1 })
  expect(await count({ profiles: [3] })).toMatchObject({ payments: 0 })
})

it('counts distinct cards of all attempts, without the current one', async () => {
  await use({ payment: 1, card: 'a' })
  await use({ payment: 2, card: 'a', outcome: 'declined' })
  await use({ payment: 3, card: 'b', outcome: 'declined' })
  await use({ payment: 4, card: 'c', outcome: 'rejected' })
  await use({ payment: 5 })
  expect((await count())?.cards).toBe(3)
  expect((await count({}, { card: 'a' }))?.cards).toBe(2)
  expect((await count({}, { card: 'z' }))?.cards).toBe(3)
})

it('counts one customer of one app', async () => {
  await use({ payment: 1, customer: 'd' })
  expect(await count()).toMatchObject({ payments: 0 })
  expect(await count({}, { appId: 'app_111111111111' })).toMatchObject({ payments: 0 })
})

it('is one index query for any number of rules', async () => {
  const text = `insert into fraud_verdicts
    select app_id, n, 1, 'customer ' || n % 500, verdict_time, policy_id, policy_version, currency,
      amount_minor, profile_id, card, decision, outcome, checks
    from fraud_verdicts, generate_series(1000, 30000) n`
  await use({ payment: 1 })
  await ctx.db.query(sql('test.many', text))
  await ctx.db.query(sql('test.analyze', 'analyze fraud_verdicts'))
  const plans: string[] = []
  const explaining = {
    async query<Row>(statement: { name: string; text: string }, values: readonly unknown[] = []) {
      const explained = sql<{ 'QUERY PLAN': string }>(
        `explain ${statement.name}`,
        `explain ${statement.text}`,
      )
      const rows = await ctx.db.query(explained, values)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return [] as Row[]
    },
  }
  const windows = [1, 2, 3].map((place) => ({ place, since: SINCE, currency: null, profiles: null }))
  const asked = { appId: APP, customerId: 'customer 7', paymentId: 99, currency: 'EUR', card: null }
  await countUses(explaining, { ...asked, windows })
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('fraud_verdicts_of_customer')
  expect(plans[0]).not.toContain('Seq Scan on fraud_verdicts')
})

it('a customer without verdicts has an empty fraud state', async () => {
  expect(await selectStanding(ctx.db, APP, 'nobody')).toEqual({
    policyId: null,
    isBlocked: false,
    email: null,
    version: 0,
    resetTime: null,
  })
})

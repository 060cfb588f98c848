import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { searchCatchUpJob } from '../../../src/payments/search/writing/catch-up.ts'
import { pendingSearch } from '../../../src/payments/search/writing/pending.ts'
import {
  good,
  nextPath,
  type Reply,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_search_api', { rateLimit: 100_000, role: 'web' })
})
afterAll(() => tender?.stop())

const newShop = async (): Promise<TestApp> => (await tender.newMerchant()).sandbox
const idsIn = (reply: Reply): number[] => good(reply).map(({ paymentId }: { paymentId: number }) => paymentId)

/** Every page from the first on; `between` runs after each. */
async function walk(shop: TestApp, query: string, between = async () => {}): Promise<number[][]> {
  const pages: number[][] = []
  let path: string | undefined = `payments?${query}`
  while (path) {
    const reply = await shop.call('GET', path)
    pages.push(idsIn(reply))
    path = nextPath(reply)
    await between()
  }
  return pages
}

describe('GET payments', () => {
  it('lists whole payments and follows its cursor while payments are added', async () => {
    const shop = await newShop()
    const made: number[] = []
    for (let n = 0; n < 7; n++) made.unshift((await shop.create()).paymentId)
    const pages = await walk(shop, 'pageSize=3', async () => void (await shop.create()))
    expect(pages).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)])
    const [first] = good(await shop.call('GET', 'payments?pageSize=1'))
    expect(first).toEqual(await shop.read(first.paymentId))
  })

  it('filters, keeps the filter in the link, and does not show other apps', async () => {
    const shop = await newShop()
    const paid: number[] = []
    for (let n = 0; n < 3; n++) {
      await shop.create()
      paid.unshift((await shop.paid()).paymentId)
    }
    expect(await walk(shop, 'state=Captured&pageSize=2')).toEqual([paid.slice(0, 2), paid.slice(2)])
    expect(await walk(shop, 'q=state:captured%20-currency:usd&pageSize=2')).toEqual([
      paid.slice(0, 2),
      paid.slice(2),
    ])
    const other = await newShop()
    expect(await walk(other, '')).toEqual([[]])
    expect(await walk(other, `q=${paid[0]}`)).toEqual([[]])
  })

  it('shows the state of now: a payment that has left the state is not listed', async () => {
    const shop = await newShop()
    const { paymentId } = await shop.create()
    expect(await walk(shop, 'state=Created')).toEqual([[paymentId]])
    good(await shop.pay(paymentId))
    // The row that lists are found by is as old as when another node made the change.
    const { ctx } = tender.service
    const { db } = ctx
    await expect.poll(() => pendingSearch(ctx).count()).toBe(0)
    await db.query(AGE, [shop.appId, paymentId])
    expect(await walk(shop, 'state=Created')).toEqual([[]])
  })

  it('refuses what it does not understand, naming it', async () => {
    const shop = await newShop()
    for (const [query, field] of [
      ['q=state:faild', 'q'],
      ['state=nothing', 'state'],
      ['from=yesterday', 'from'],
      ['min=x', 'min'],
      ['cursor=1', 'cursor'],
      ['pageSize=501', 'pageSize'],
      ['timeZoneName=Mars', 'timeZoneName'],
    ] as const) {
      const { status, body } = await shop.call('GET', `payments?${query}`)
      expect([query, status, body.errors?.[0]?.field]).toEqual([query, 400, field])
      expect(body.detail).toMatch(new RegExp(`^${field} .*\\.$`))
    }
  })

  it('leaves the neighbouring paths as they were', async () => {
    const shop = await newShop()
    expect((await shop.call('GET', 'payments/1')).status).toBe(404)
    expect((await shop.call('POST', 'payments/summary')).status).toBe(405)
    expect((await shop.call('DELETE', 'payments')).status).toBe(405)
  })
})

const AGE = sql(
  'test.age',
  `update payment_search set state = 'Created', version = 1 where app_id = $1 and payment_id = $2`,
)

describe('GET payments/summary', () => {
  it('lists summaries by state ids, text, customer and time, in pages with numbers', async () => {
    const shop = await newShop()
    const paid = await shop.paid({ referenceId: 'S-1' })
    const open = await shop.create({ customerOrder: { customer: { customerId: 'lee, kim' } } })
    const [summary] = good(await shop.call('GET', 'payments/summary?paymentStates=7,14'))
    expect(summary).toEqual({
      paymentId: paid.paymentId,
      paymentProvider: expect.objectContaining({ provider: 'sandbox' }),
      currency: 'EUR',
      createdTime: paid.createdTime,
      paymentStateId: 7,
      paymentState: 'Captured',
      amount: 25.5,
      customerId: 'dana',
      redactedPayerPaymentMethodNumber: '•••• 4242',
      autoPayment: 'None',
    })
    const ids = async (query: string) => idsIn(await shop.call('GET', `payments/summary?${query}`))
    expect(await ids('pageSize=1&pageNumber=2')).toEqual([paid.paymentId])
    expect(await ids('pageSize=1&pageNumber=3')).toEqual([])
    expect(await ids('searchCriteria=s-1')).toEqual([paid.paymentId])
    expect(await ids('searchCriteria=state:failed')).toEqual([])
    expect(await ids('customerId=lee,%20kim')).toEqual([open.paymentId])
    expect(await ids('endTime=2020-01-01T00:00:00Z')).toEqual([])
    expect(await ids('beginTime=2020-01-01T00:00:00Z&paymentProfileId=999999')).toEqual([])
  })

  it('ends at 10,000 rows and points to the cursor', async () => {
    const shop = await newShop()
    expect(good(await shop.call('GET', 'payments/summary?pageSize=100&pageNumber=100'))).toEqual([])
    const { status, body } = await shop.call('GET', 'payments/summary?pageSize=100&pageNumber=101')
    expect(status).toBe(400)
    expect(body.errors[0]).toMatchObject({ field: 'pageNumber', message: expect.stringContaining('cursor') })
  })
})

describe('figures', () => {
  it('are told by overview, dashboard-payments and dashboard-rejected-payments', async () => {
    const shop = await newShop()
    const paid = await shop.paid()
    const declined = await shop.create({ amount: 10 })
    good(await shop.pay(declined.paymentId, { outcome: 'insufficient-funds' }))
    const policy = {
      name: 'Nothing passes',
      rules: [
        { action: 'RejectPayment', measure: 'SingleAmount', period: 'Daily', periodCount: 1, threshold: 1 },
      ],
    }
    const { fraudPolicyId } = good(await shop.call('POST', 'fraud-policies', policy))
    const blocked = await shop.create({ amount: 99, fraudPolicyId })
    await shop.pay(blocked.paymentId)
    expect((await shop.read(blocked.paymentId)).failure.code).toBe('fraud_rejected')
    const shown = good(await shop.call('GET', 'payments/overview'))
    expect(shown).toMatchObject({
      granularity: 'day',
      kpi: { approvalRate: 33.3, capturedCount: 1, totalAttempts: 3, declinedCount: 1, fraudBlockedCount: 1 },
      previousKpi: { totalAttempts: 0, approvalRate: 0 },
      currencyStats: [{ currency: 'EUR', volume: 25.5, paymentCount: 3, fraudProtectedAmount: 99 }],
      declinedByCurrency: [{ currency: 'EUR', count: 1, amount: 10 }],
      fraud: { paymentsBlocked: 1, customersBlocked: 0 },
    })
    expect(shown.volumeSeries.length).toBeGreaterThanOrEqual(30)
    const dashboard = good(await shop.call('GET', 'payments/dashboard-payments?timeZoneName=Asia/Tokyo'))
    expect(dashboard).toMatchObject({
      providerIncomes: [{ provider: 'sandbox', currency: 'EUR', recordCount: 1, incomeAmount: 25.5 }],
      paymentCurrencies: [{ currency: 'EUR', totalAmount: 134.5, recordCount: 3 }],
    })
    expect(dashboard.paymentDaily.at(-1).recordCount + dashboard.paymentDaily.at(-2).recordCount).toBe(3)
    const { paymentProfileId } = dashboard.providerIncomes[0]
    const of = (id: number) => shop.call('GET', `payments/dashboard-payments?paymentProfileId=${id}`)
    expect(good(await of(paymentProfileId)).providerIncomes).toHaveLength(1)
    expect(good(await of(paymentProfileId + 1)).paymentState).toEqual([])
    const rejected = good(await shop.call('GET', 'fraud-policies/dashboard-rejected-payments'))
    expect(rejected.rejectedCurrencies).toEqual([{ currency: 'EUR', totalAmount: 99, recordCount: 1 }])
    expect(paid.paymentState).toBe('Captured')
  })

  it('are refused for periods that end before they begin, or are too long', async () => {
    const shop = await newShop()
    const ask = async (query: string) => (await shop.call('GET', `payments/overview?${query}`)).status
    expect(await ask('beginTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z')).toBe(400)
    expect(await ask('beginTime=2020-01-01T00:00:00Z&endTime=2026-01-01T00:00:00Z')).toBe(400)
    expect(await ask('beginTime=0001-01-01T00:00:00Z&endTime=0001-01-02T00:00:00Z')).toBe(200)
    expect(await ask('beginTime=9999-12-31T00:00:00Z&endTime=9999-12-31T23:59:59.999Z')).toBe(200)
  })
})

const FORGET = sql('test.forgetSearch', 'delete from payment_search where app_id = $1')
const REMAINING = sql<{ count: number }>(
  'test.searchRows',
  'select count(*)::integer as count from payment_search where app_id = $1',
)
const RESTART = sql(
  'test.restartSearch',
  `update payment_search_progress set backfill_below = $2, event_time = $3, due_time = '-infinity'
   where app_id = $1`,
)

describe('after a crash', () => {
  async function shopWithLostRows(): Promise<{ shop: TestApp; ids: number[] }> {
    const shop = await newShop()
    const ids: number[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await shop.create()).paymentId)
    const { ctx } = tender.service
    const { db } = ctx
    await searchCatchUpJob(ctx).runOnce()
    await expect.poll(() => pendingSearch(ctx).count()).toBe(0)
    // A flush that was under way when the count became 0 may write them once more.
    await expect
      .poll(async () => {
        await db.query(FORGET, [shop.appId])
        return walk(shop, '')
      })
      .toEqual([[]])
    return { shop, ids }
  }

  it('the rows that a node had still to write are found by their events', async () => {
    const { db } = tender.service.ctx
    const { shop, ids } = await shopWithLostRows()
    await db.query(RESTART, [shop.appId, null, new Date(Date.now() - 60_000)])
    while ((await searchCatchUpJob(tender.service.ctx).runOnce()) > 0);
    expect(await walk(shop, '')).toEqual([ids])
  })

  it('payments without events are copied from the newest to the oldest', async () => {
    const { db } = tender.service.ctx
    const { shop, ids } = await shopWithLostRows()
    await db.query(RESTART, [shop.appId, ids[0], new Date(Date.now() + 60_000)])
    while ((await searchCatchUpJob(tender.service.ctx).runOnce()) > 0);
    expect((await db.query(REMAINING, [shop.appId]))[0]?.count).toBe(2)
    await db.query(RESTART, [shop.appId, Number.MAX_SAFE_INTEGER, new Date(Date.now() + 60_000)])
    while ((await searchCatchUpJob(tender.service.ctx).runOnce()) > 0);
    expect(await walk(shop, '')).toEqual([ids])
  })
})

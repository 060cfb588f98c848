import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, after as plus } from '../../../src/base/clock.ts'
import { wallTime } from '../../../src/base/time/zone.ts'
import { sql } from '../../../src/db/database.ts'
import { rollupsJob } from '../../../src/insights/jobs.ts'
import { LISTED_BY, type Overview, overview } from '../../../src/insights/overview.ts'
import { type App, appNow } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { STATES, type State } from '../../../src/payments/machine.ts'
import type { ListedPayment, PaymentFilter } from '../../../src/payments/search/filter.ts'
import { outcomeOf } from '../../../src/payments/search/outcome.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { RANGES, rangeFilter, readRange, slotFilter } from '../../../src/web/console/overview/range.ts'
import { ENDS, life, live, policiesOf } from '../../support/histories.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_figures', { rateLimit: 100_000, role: 'web' })
})
afterAll(() => tender?.stop())

const BY_NAME = ['ideal', 'klarna', 'apple-pay']

/** Payments with methods by their own names. */
async function payByName(app: TestApp): Promise<void> {
  const profile = { provider: 'sandbox', name: 'By name', methods: BY_NAME, currency: 'EUR' }
  good(await app.call('POST', 'payment-profiles', profile))
  for (const method of BY_NAME) {
    const { paymentId } = await app.create({ amount: 30, currency: 'EUR' })
    good(await app.pay(paymentId, { method }))
  }
}

async function countAll(): Promise<void> {
  const { db, clock } = tender.service.ctx
  const later = { ...clock, now: () => plus(clock.now(), HOUR) }
  while ((await rollupsJob({ db, clock: later }).runOnce()) > 0);
}

async function listed(app: App, filter: PaymentFilter, timeZone: string): Promise<ListedPayment[]> {
  const page = await listPayments(tender.service.ctx, app, filter, { timeZone, pageSize: 100 })
  expect(page.notUnderstood).toEqual([])
  expect(page.next).toBeUndefined()
  return [...page.payments]
}

const sumOf = (payments: readonly ListedPayment[], what: 'capturedMinor' | 'refundedMinor'): bigint =>
  payments.reduce((sum, payment) => sum + payment[what], 0n)

/** Every figure against the payments that its list shows. */
async function compare(app: App, shown: Overview, days: PaymentFilter, timeZone: string): Promise<void> {
  const list = (more: PaymentFilter) => listed(app, { ...days, ...more }, timeZone)
  for (const [figure, q] of Object.entries(LISTED_BY))
    expect([figure, (await list({ q })).length]).toEqual([
      figure,
      shown.kpi[figure as keyof typeof LISTED_BY],
    ])
  for (const { reason, count } of shown.reasons)
    expect((await list({ q: `state:declined reason:${reason}` })).length).toBe(count)
  for (const sum of shown.currencies) {
    const { currency, capturedMinor, refundedMinor, feeMinor, disputedMinor } = sum
    const payments = await list({ currency })
    expect(payments.length).toBe(sum.payments)
    expect(sumOf(payments, 'capturedMinor')).toBe(capturedMinor)
    expect(sumOf(payments, 'refundedMinor')).toBe(refundedMinor)
    expect(sum.netMinor).toBe(capturedMinor - refundedMinor - feeMinor - disputedMinor)
  }
}

/** Every column and bar of the charts against the list that it opens. */
async function compareCharts(app: App, shown: Overview, days: PaymentFilter): Promise<void> {
  const { timeZone, series, shares } = shown
  const list = (filter: PaymentFilter) => listed(app, filter, timeZone)
  for (const [place, point] of series.entries()) {
    if (point.created === 0) continue
    const slot = slotFilter(shown, place)
    const counts = { captured: LISTED_BY.capturedCount, declined: LISTED_BY.declinedCount }
    for (const [name, q] of Object.entries(counts))
      expect((await list({ q, ...slot })).length).toBe(point[name as keyof typeof counts])
    for (const { currency, capturedMinor } of point.money) {
      const paid = await list({ q: LISTED_BY.capturedCount, currency, ...slot })
      expect(sumOf(paid, 'capturedMinor')).toBe(capturedMinor)
    }
  }
  const filters = {
    profiles: (profile: string) => ({ q: 'state:paid', profile }),
    methods: (method: string) => ({ q: `state:paid method:${method}` }),
    countries: (country: string) => ({ q: `state:paid country:${country}` }),
  }
  for (const [kind, filterOf] of Object.entries(filters)) {
    // What has no country opens no list.
    const rows = shares[kind as keyof typeof filters].filter(({ name, captured }) => name && captured > 0)
    expect(rows.length).toBeGreaterThan(0)
    if (kind === 'methods') expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(BY_NAME))
    for (const { name, currency, captured, capturedMinor } of rows) {
      const paid = await list({ ...filterOf(name), currency, ...days })
      expect([kind, name, paid.length]).toEqual([kind, name, captured])
      expect(sumOf(paid, 'capturedMinor')).toBe(capturedMinor)
    }
  }
}

describe('a figure of the overview', () => {
  it('is the number of payments in the list behind it, in every zone and period', async () => {
    const { sandbox } = await tender.newMerchant()
    const policies = await policiesOf(sandbox)
    const drawn = fc.sample(life, { seed: 7, numRuns: ENDS.length })
    // Each end is in the last day, and a few more days are before it.
    for (const one of drawn) await live(sandbox, policies, one)
    for (const end of ENDS)
      await live(sandbox, policies, { amount: 999, currency: 'EUR', end, pauseHours: 0 })
    await payByName(sandbox)
    const { ctx } = tender.service
    let app = (await loadApp(ctx, sandbox.appId)) as App
    const check = async (range: (typeof RANGES)[number], timeZone: string, monthStartsOn = 1) => {
      app = { ...app, monthStartsOn }
      const period = readRange({ range }, appNow(ctx, app), { timeZone, monthStartsOn })
      const shown = await overview(ctx, app, { ...period, timeZone })
      if (range !== 'last-month') expect(shown.kpi.disputedCount).toBeGreaterThan(0)
      await compare(app, shown, rangeFilter(period, timeZone), timeZone)
      return { shown, days: rangeFilter(period, timeZone) }
    }
    // Before the rollups have counted it, too.
    await check('today', 'UTC')
    await countAll()
    for (const timeZone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns'])
      for (const range of RANGES) await check(range, timeZone, range.endsWith('month') ? 12 : 1)
    for (const [range, timeZone] of [
      ['today', 'UTC'],
      ['7d', 'Asia/Kathmandu'],
    ] as const) {
      const { shown, days } = await check(range, timeZone)
      await compareCharts(app, shown, days)
    }
  })

  it('stands beside that of the period before, in its column and its bar', async () => {
    const { sandbox } = await tender.newMerchant()
    const paid = { currency: 'EUR', end: 'paid', pauseHours: 0 } as const
    const policies = await policiesOf(sandbox)
    await live(sandbox, policies, { ...paid, amount: 1_000 })
    await sandbox.advance('7d')
    await live(sandbox, policies, { ...paid, amount: 2_500 })
    const { ctx } = tender.service
    const app = (await loadApp(ctx, sandbox.appId)) as App
    const { series, previousSeries, shares } = await overview(
      ctx,
      app,
      readRange({}, appNow(ctx, app), { timeZone: 'UTC', monthStartsOn: 1 }),
    )
    const captured = (points: typeof series) => points.map(({ money }) => money[0]?.capturedMinor ?? 0n)
    expect(captured(series)).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 2_500n])
    expect(captured(previousSeries)).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 1_000n])
    for (const rows of Object.values(shares))
      expect(rows).toMatchObject([
        { currency: 'EUR', capturedMinor: 2_500n, previousMinor: 1_000n, share: 1 },
      ])
  })

  it('is that of the months of the app where a column is a month', async () => {
    const { sandbox } = await tender.newMerchant()
    const policies = await policiesOf(sandbox)
    const paid = { amount: 1_000, currency: 'EUR', end: 'paid' } as const
    for (let place = 0; place < 7; place++) await live(sandbox, policies, { ...paid, pauseHours: 15 * 24 })
    await countAll()
    const { ctx } = tender.service
    const loaded = (await loadApp(ctx, sandbox.appId)) as App
    for (const [monthStartsOn, timeZone] of [
      [1, 'UTC'],
      [20, 'Asia/Kathmandu'],
    ] as const) {
      const app = { ...loaded, monthStartsOn }
      const to = appNow(ctx, app)
      const shown = await overview(ctx, app, {
        from: plus(to, -100 * DAY),
        to,
        timeZone,
        granularity: 'month',
      })
      expect(shown.series.reduce((sum, { captured }) => sum + captured, 0)).toBe(7)
      for (const [place, { startTime, captured }] of shown.series.entries()) {
        const begins = wallTime(startTime, timeZone)
        expect([monthStartsOn, begins.getUTCDate(), begins.getUTCHours()]).toEqual([
          monthStartsOn,
          monthStartsOn,
          0,
        ])
        const behind = await listed(app, { q: 'state:paid', ...slotFilter(shown, place) }, timeZone)
        expect([monthStartsOn, place, behind.length]).toEqual([monthStartsOn, place, captured])
      }
      for (const { startTime } of shown.previousSeries)
        expect(wallTime(startTime, timeZone).getUTCDate()).toBe(monthStartsOn)
    }
  })

  it('counts open disputes against the net, and lost ones once', async () => {
    const { sandbox } = await tender.newMerchant()
    const policies = await policiesOf(sandbox)
    const one = { amount: 1_000, currency: 'EUR', pauseHours: 0 }
    for (const end of ['paid', 'part disputed', 'lost'] as const)
      await live(sandbox, policies, { ...one, end })
    const { ctx } = tender.service
    const app = (await loadApp(ctx, sandbox.appId)) as App
    const period = readRange({ range: 'today' }, appNow(ctx, app), { timeZone: 'UTC', monthStartsOn: 1 })
    const { currencies, kpi } = await overview(ctx, app, period)
    const [sum] = currencies
    expect(sum).toMatchObject({ capturedMinor: 3_000n, refundedMinor: 500n, disputedMinor: 500n })
    expect(sum?.netMinor).toBe(2_000n - (sum?.feeMinor ?? 0n))
    expect(kpi).toMatchObject({ disputedCount: 1, refundedCount: 1 })
  })
})

const OUTCOME = sql<{ outcome: string }>(
  'test.outcome',
  'select payment_outcome($1, $2, $3::bigint) as outcome',
)

it('stands alike for the database and for what is shown', async () => {
  const reasons = [
    null,
    'insufficient-funds',
    'authorization_expired',
    'fraud_rejected',
    'expired',
    'cancelled',
  ]
  for (const state of Object.keys(STATES) as State[])
    for (const reason of reasons)
      for (const capturedMinor of [0n, 5n]) {
        const [row] = await tender.service.ctx.db.query(OUTCOME, [state, reason, capturedMinor])
        expect([state, reason, row?.outcome]).toEqual([
          state,
          reason,
          outcomeOf({ state, reason, capturedMinor }),
        ])
      }
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, after as plus } from '../../../src/base/clock.ts'
import { sql } from '../../../src/db/database.ts'
import { rollupsJob } from '../../../src/insights/jobs.ts'
import { type Overview, overview } from '../../../src/insights/overview.ts'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { LOGS } from '../../../src/logs/limits.ts'
import { notePageView } from '../../../src/logs/page-views/commands.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_rollups', { rateLimit: 100_000, role: 'web' })
})
afterAll(() => tender?.stop())

const appOf = async ({ appId }: TestApp): Promise<App> => {
  const found = await loadApp(tender.service.ctx, appId)
  if (!found) throw new Error('no app')
  return found
}

/** Counts every queued quarter, also those that are not due yet. */
async function countAll(): Promise<void> {
  const { db, clock } = tender.service.ctx
  const later = { ...clock, now: () => plus(clock.now(), HOUR) }
  while ((await rollupsJob({ db, clock: later }).runOnce()) > 0);
}

const REMOVE_VISITS = sql('test.removeVisits', 'delete from page_visits where app_id = $1')
const LEFT = sql<{ left: number }>('test.queued', 'select count(*)::integer as left from rollup_queue')

/** A payment every hour of ten days: one of three is in dollars, one of five is given back. */
const HOURLY = sql<never>(
  'test.hourly',
  `with made as (
     insert into payment_search (app_id, payment_id, version, state, flow, currency, amount, amount_minor,
       captured_minor, refunded_minor, fee_minor, method, country, customer_id, reference_id, fraud_status,
       attempt, created_time)
     select $1, n, 1, 'Captured', 'Direct', case when n % 3 = 0 then 'USD' else 'EUR' end, n, n * 100,
       n * 100,
       case when n % 5 = 0 then n else 0 end, 1, case when n % 2 = 0 then 'Paypal' else 'CreditCard' end,
       'DE', 'c', n::text, 'Unknown', 1, $2::timestamptz + n * interval '1 hour'
     from generate_series(1, 240) n returning app_id, created_time)
   insert into rollup_queue (app_id, bucket_time, due_time)
   select app_id, date_bin('15 minutes', created_time, 'epoch'), now() from made`,
)
const LATE = sql<never>(
  'test.lateRefund',
  `with late as (
     update payment_search set refunded_minor = 7 where app_id = $1 and payment_id = 100
     returning app_id, created_time)
   insert into rollup_queue (app_id, bucket_time, due_time)
   select app_id, date_bin('15 minutes', created_time, 'epoch'), now() from late`,
)

interface Truth {
  currency: string
  payments: number
  captured: number
  amountMinor: bigint
  capturedMinor: bigint
  refundedMinor: bigint
  feeMinor: bigint
}

const TRUTH = sql<Truth>(
  'test.truth',
  `select currency, count(*)::integer as payments,
     count(*) filter (where captured_minor > 0)::integer as captured, sum(amount_minor) as amount_minor,
     sum(captured_minor) as captured_minor, sum(refunded_minor) as refunded_minor,
     coalesce(sum((pay_info ->> 'feeMinor')::bigint), 0) as fee_minor
   from payments where app_id = $1 and created_time >= $2 and created_time < $3
   group by currency order by currency`,
)
const STATES = sql<{ state: string; count: number }>(
  'test.states',
  `select state, count(*)::integer as count from payments
   where app_id = $1 and created_time >= $2 and created_time < $3 group by state order by state`,
)

async function truthOf(appId: string, { from, to }: { from: Date; to: Date }) {
  const { db } = tender.service.ctx
  const [money, states] = [
    await db.query(TRUTH, [appId, from, to]),
    await db.query(STATES, [appId, from, to]),
  ]
  return { money, states }
}

const shownBy = ({ currencies, states }: Overview) => ({
  money: currencies
    .map(({ currency, payments, captured, amountMinor, capturedMinor, refundedMinor, feeMinor }) => ({
      ...{ currency, payments, captured, amountMinor, capturedMinor, refundedMinor, feeMinor },
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  states: [...states].sort((a, b) => (a.state < b.state ? -1 : 1)),
})

const life = fc.record({
  amount: fc.integer({ min: 1, max: 9_999 }),
  currency: fc.constantFrom('EUR', 'USD', 'GBP'),
  end: fc.constantFrom('open', 'paid', 'declined', 'cancelled', 'refunded', 'part'),
  pauseMinutes: fc.integer({ min: 0, max: 40 }),
})

async function live(
  app: TestApp,
  one: { amount: number; currency: string; end: string; pauseMinutes: number },
) {
  const { amount, currency, end, pauseMinutes } = one
  if (pauseMinutes > 0) await app.advance(`${pauseMinutes}m`)
  const { paymentId } = await app.create({ amount: amount / 100, currency })
  if (end === 'open') return
  if (end === 'cancelled') return good(await app.act(paymentId, 'cancel'))
  good(await app.pay(paymentId, end === 'declined' ? { outcome: 'insufficient-funds' } : {}))
  if (end === 'refunded') good(await app.act(paymentId, 'refund'))
  if (end === 'part' && amount > 1)
    good(await app.call('POST', `payments/${paymentId}/refund?amount=${(amount >> 1) / 100}`))
}

describe('the overview', () => {
  it('equals the sums over the payments, before and after they were counted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 8 }), fc.nat(100), async (lives, cut) => {
        const { sandbox } = await tender.newMerchant()
        const start = tender.service.ctx.clock.now()
        for (const one of lives) await live(sandbox, one)
        const app = await appOf(sandbox)
        const end = plus(tender.service.ctx.clock.now(), app.clockOffsetMs + 1)
        // Also with an end in the middle of a quarter.
        const middle = plus(start, Math.floor(((end.getTime() - start.getTime()) * cut) / 100) + 1)
        const periods = [
          { from: plus(start, -DAY), to: plus(end, DAY) },
          { from: start, to: middle },
        ]
        const check = async () => {
          for (const period of periods)
            expect(shownBy(await overview(tender.service.ctx, app, period))).toEqual(
              await truthOf(app.appId, period),
            )
        }
        await check()
        await countAll()
        expect((await tender.service.ctx.db.query(LEFT))[0]?.left).toBe(0)
        await check()
        // What comes late is counted again.
        await live(sandbox, { amount: 777, currency: 'EUR', end: 'paid', pauseMinutes: 0 })
        const last = { from: plus(start, -DAY), to: plus(end, DAY) }
        expect(shownBy(await overview(tender.service.ctx, app, last))).toEqual(await truthOf(app.appId, last))
        await countAll()
        expect(shownBy(await overview(tender.service.ctx, app, last))).toEqual(await truthOf(app.appId, last))
      }),
      { numRuns: 6 },
    )
  }, 120_000)

  it('shows days of the time zone without gaps, and compares with the period before', async () => {
    const { sandbox } = await tender.newMerchant()
    await sandbox.paid()
    await sandbox.advance('2d')
    await sandbox.paid()
    const app = await appOf(sandbox)
    const now = plus(tender.service.ctx.clock.now(), app.clockOffsetMs)
    const shown = await overview(tender.service.ctx, app, {
      from: plus(now, -DAY - MINUTE),
      to: plus(now, 2 * DAY),
      timeZone: 'Asia/Kathmandu',
      granularity: 'day',
    })
    expect(shown.kpi).toMatchObject({ capturedCount: 1, totalAttempts: 1, approvalRate: 1 })
    expect(shown.previousKpi.capturedCount).toBe(1)
    expect(shown.series.reduce((sum, { captured }) => sum + captured, 0)).toBe(1)
    expect(shown.series.length).toBeGreaterThanOrEqual(4)
    expect(shown.latencies).toHaveLength(0)
    await countAll()
    const counted = await overview(tender.service.ctx, app, { from: plus(now, -DAY), to: plus(now, DAY) })
    expect(counted.latencies[0]?.p95Ms).toBeGreaterThan(0)
    expect(counted.funnel).toMatchObject({ created: 1, submitted: 1, paid: 1 })
    expect(counted.providers[0]).toMatchObject({ payments: 1, share: 1, approvalRate: 1 })
  })

  it('is the same by whole days as by quarters, in every zone and after a late change', async () => {
    const { sandbox } = await tender.newMerchant()
    const { ctx } = tender.service
    const app = await appOf(sandbox)
    const from = new Date('2026-03-24T00:00:00Z')
    await ctx.db.query(HOURLY, [app.appId, from])
    await countAll()
    const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Auckland']
    const check = async (late: boolean) => {
      for (const timeZone of zones) {
        const period = { from: plus(from, 5 * HOUR), to: plus(from, 9 * DAY + 7 * HOUR) }
        const shown = await overview(ctx, app, { ...period, timeZone, granularity: 'day' })
        const numbers = Array.from({ length: 240 }, (_, place) => place + 1)
        const isIn = (n: number, start: Date, end: Date) =>
          plus(from, n * HOUR) >= start && plus(from, n * HOUR) < end
        const all = numbers.filter((n) => isIn(n, period.from, period.to))
        for (const [place, { startTime, created, money }] of shown.series.entries()) {
          const end = shown.series[place + 1]?.startTime ?? period.to
          const here = all.filter((n) => isIn(n, startTime, end))
          expect([timeZone, place, created]).toEqual([timeZone, place, here.length])
          const euros = here.filter((n) => n % 3 > 0).reduce((sum, n) => sum + n * 100, 0)
          expect(money.find(({ currency }) => currency === 'EUR')?.capturedMinor ?? 0n).toBe(BigInt(euros))
        }
        const refunded = all.reduce((sum, n) => sum + (n === 100 && late ? 7 : n % 5 === 0 ? n : 0), 0)
        const sums = shown.currencies.map(({ refundedMinor }) => Number(refundedMinor))
        expect(sums.reduce((sum, minor) => sum + minor, 0)).toBe(refunded)
        expect(shown.kpi.capturedCount).toBe(all.length)
        for (const shares of [shown.shares.countries, shown.shares.methods])
          expect(shares.reduce((sum, { captured }) => sum + captured, 0)).toBe(all.length)
      }
    }
    await check(false)
    await ctx.db.query(LATE, [app.appId])
    await check(true)
    await countAll()
    await check(true)
  })

  it('counts payments whose page was opened, and those whose payer chose a method', async () => {
    const { sandbox } = await tender.newMerchant()
    const { ctx } = tender.service
    const app = await appOf(sandbox)
    const opened = await sandbox.create()
    const chosen = await sandbox.create()
    await sandbox.create()
    const now = ctx.clock.now()
    const funnel = async () =>
      (await overview(ctx, app, { from: plus(now, -DAY), to: plus(now, DAY) })).funnel
    const note = async (paymentId: number, step: 'opened' | 'chosen' | 'submitted') => {
      notePageView(ctx, app, { paymentId, step, language: 'en', isMobile: false })
      await writeLogs(ctx)
    }
    await countAll()
    // A visit queues the quarter again; the second one of a payment counts no more.
    await note(opened.paymentId, 'opened')
    await note(opened.paymentId, 'opened')
    await note(chosen.paymentId, 'opened')
    await note(chosen.paymentId, 'chosen')
    expect(await funnel()).toEqual({ created: 3, opened: 2, method: 1, submitted: 0, paid: 0 })
    await countAll()
    expect(await funnel()).toEqual({ created: 3, opened: 2, method: 1, submitted: 0, paid: 0 })
  })

  it('keeps the steps of a quarter whose visits were removed by age', async () => {
    const { sandbox } = await tender.newMerchant()
    const { ctx } = tender.service
    const app = await appOf(sandbox)
    const { paymentId } = await sandbox.create()
    notePageView(ctx, app, { paymentId, step: 'opened', language: 'en', isMobile: false })
    await writeLogs(ctx)
    const from = plus(ctx.clock.now(), -DAY)
    const shown = () => overview(ctx, app, { from, to: plus(from, 2 * DAY) })
    expect((await shown()).funnel.opened).toBe(1)
    await countAll()
    const { db, clock } = ctx
    await db.query(REMOVE_VISITS, [app.appId])
    good(await sandbox.act(paymentId, 'cancel'))
    expect((await shown()).funnel).toMatchObject({ created: 1, opened: 0 })
    const later = { ...clock, now: () => plus(clock.now(), LOGS.visits.keptMs + DAY) }
    while ((await rollupsJob({ db, clock: later }).runOnce()) > 0);
    expect((await shown()).funnel).toMatchObject({ created: 1, opened: 1 })
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { after as plus, SECOND } from '../base/clock.ts'
import { DatabaseAwayError } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import { countIfUnlisted } from '../payments/provider/outcome/unlisted.ts'
import { meteredLog } from './log.ts'
import { createMetrics } from './registry.ts'
import { scraperOf } from './scrape.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

const AGES = `select $1 - s * interval '1 second' as due_time from unnest(array[10, 30]) s`

/** Two rows that are due for 30 s and 10 s at the time of the clock. */
const job: Job = {
  name: 'chores',
  everyMs: SECOND,
  due: [(now) => `(${AGES.replace('$1', now)}) r where due_time <= ${now}`],
  runOnce: async () => 0,
}

interface Counted {
  away: boolean
  reads: number
}

async function scraping() {
  const counted: Counted = { away: false, reads: 0 }
  const db: TestContext['db'] = {
    ...ctx.db,
    query(statement, values) {
      if (statement.name === 'system.queues') counted.reads++
      if (counted.away) return Promise.reject(new DatabaseAwayError('away'))
      return ctx.db.query(statement, values)
    },
  }
  const metrics = await createMetrics({ role: 'all' }, '1.2.3')
  return { metrics, counted, scrape: scraperOf({ ...ctx, db }, metrics, [job]) }
}

it('reads the queues once in ten seconds, however often it is scraped', async () => {
  const { counted, scrape } = await scraping()
  await Promise.all([scrape(), scrape(), scrape()])
  ctx.clock.advance(9_999)
  await scrape()
  expect(counted.reads).toBe(1)
  ctx.clock.advance(1)
  await scrape()
  expect(counted.reads).toBe(2)
})

it('shows the due rows of each queue and the age of the oldest', async () => {
  const { scrape } = await scraping()
  const text = await scrape()
  expect(text).toContain('tender_queue_due_rows{queue="chores"} 2\n')
  expect(text).toContain('tender_queue_oldest_due_seconds{queue="chores"} 30\n')
  expect(text).toContain('tender_database_up 1\n')
  expect(text).toContain('tender_build_info{version="1.2.3",role="all"} 1\n')
})

const EXCEPTION = `insert into settlement_exceptions
  (app_id, profile_id, kind, subject, details, opened_time) values ($1, 1, 'payout', $2, '{}', $3)`

it('shows open exceptions of settlements with the age of the oldest, and lines by provider', async () => {
  const { metrics, scrape } = await scraping()
  const { live: app } = await testLicense(ctx)
  for (const [subject, seconds] of [
    ['a', 90],
    ['b', 30],
  ] as const) {
    const values = [app.appId, subject, plus(ctx.clock.now(), -seconds * SECOND)]
    await ctx.db.query({ name: '', text: EXCEPTION }, values)
  }
  metrics.meter.settled('plain', 7)
  const text = await scrape()
  expect(text).toContain('tender_settlement_exceptions_open{kind="payout",mode="live"} 2\n')
  expect(text).toContain('tender_settlement_exception_oldest_seconds{kind="payout",mode="live"} 90\n')
  expect(text).toContain('tender_settlement_exceptions_open{kind="fee",mode="live"} 0\n')
  expect(text).toContain('tender_settlement_lines_total{provider="plain"} 7\n')
})

it('answers while the database is away, without old values', async () => {
  const { counted, scrape } = await scraping()
  await scrape()
  counted.away = true
  ctx.clock.advance(10 * SECOND)
  const text = await scrape()
  expect(text).toContain('tender_database_up 0\n')
  expect(text).not.toContain('queue="chores"')
  expect(text).not.toMatch(/^tender_webhook(s_ready|_lag_seconds) /m)
  counted.away = false
  ctx.clock.advance(10 * SECOND)
  expect(await scrape()).toContain('tender_queue_due_rows{queue="chores"} 2\n')
})

it('shows connections, and the batches of each statement since the start', async () => {
  const { scrape } = await scraping()
  const count = async () =>
    Number(/batches_total\{statement="jobs.due"\} (\d+)/.exec(await scrape())?.[1] ?? 0)
  const before = await count()
  const { withDueChecks } = await import('../jobs/due-work-store.ts')
  const [checked] = withDueChecks(ctx, [job])
  await checked?.runOnce()
  expect(await count()).toBe(before + 1)
  expect(await count()).toBe(before + 1)
  expect(await scrape()).toContain('tender_database_connections_max 4\n')
})

it('counts unlisted decline codes by provider, without the code', async () => {
  const { metrics, scrape } = await scraping()
  expect(await scrape()).toContain('tender_provider_unlisted_codes_total{provider="plain"} 0\n')
  const [profile] = [{ provider: 'plain' }] as unknown as Parameters<typeof countIfUnlisted>[1][]
  if (profile)
    countIfUnlisted({ ...ctx, meter: metrics.meter }, profile, { isUnlisted: true, raw: { code: 'odd' } })
  const text = await scrape()
  expect(text).toContain('tender_provider_unlisted_codes_total{provider="plain"} 1\n')
  expect(text).not.toContain('odd')
})

it('counts warnings and errors of the log by event', async () => {
  const { metrics, scrape } = await scraping()
  const log = meteredLog(ctx.log, metrics.meter)
  log.warn('job.failed', { job: 'chores' })
  log.error('request.failed')
  log.info('request')
  const text = await scrape()
  expect(text).toContain('tender_log_events_total{level="warn",event="job.failed"} 1\n')
  expect(text).toContain('tender_log_events_total{level="error",event="request.failed"} 1\n')
  expect(text).not.toContain('level="info"')
})

it('counts a request as 0 s when the clock was set back during it', async () => {
  const { metrics, scrape } = await scraping()
  metrics.meter.answered({ method: 'GET', route: '/back', status: 200, ms: -5_000 })
  expect(await scrape()).toContain('tender_http_request_duration_seconds_sum{method="GET",route="/back"} 0\n')
})

it('bounds methods and outcomes', async () => {
  const { metrics, scrape } = await scraping()
  metrics.meter.answered({ method: 'PROPFIND', route: 'none', status: 404, ms: 1 })
  const call = (work: () => Promise<unknown>) => metrics.meter.call('plain', 'read', work)
  await expect(call(() => Promise.reject(new Error('defect')))).rejects.toThrow('defect')
  expect(await call(async () => ({ kind: 'snapshot' }))).toEqual({ kind: 'snapshot' })
  await call(async () => undefined)
  const text = await scrape()
  expect(text).toContain('tender_http_requests_total{method="other",route="none",status="4xx"} 1\n')
  for (const outcome of ['error', 'snapshot', 'done'])
    expect(text).toContain(
      `tender_provider_calls_total{provider="plain",step="read",outcome="${outcome}"} 1\n`,
    )
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { after, DAY, HOUR, MINUTE } from '../base/clock.ts'
import { sql } from '../db/database.ts'
import type { AnsweredRequest } from '../http/answered.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { recordApiCall } from './api/record.ts'
import { logRemovalJobs, writeLogs } from './jobs.ts'
import { LOGS } from './limits.ts'
import { notePageView } from './page-views/commands.ts'
import { insertProviderLines } from './provider/store.ts'
import { logs } from './state.ts'

let ctx: TestContext
let app: App
let other: App
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())
beforeEach(async () => {
  const { sandbox, live } = await testLicense(ctx)
  app = (await loadApp(ctx, sandbox.appId)) as App
  other = (await loadApp(ctx, live.appId)) as App
  ctx.clock.advance(1_000)
})

const answered = (caller: unknown, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  method: 'GET',
  url: '/api/apps/x/payments/1',
  route: '/api/apps/{appId}/payments/{paymentId}',
  params: { paymentId: '1' },
  status: 200,
  startedMs: ctx.clock.now().getTime(),
  ms: 3,
  requestId: 'req_1',
  address: '192.0.2.1',
  caller,
  keyId: 'key_1',
  idempotencyKey: undefined,
  isReplayed: false,
  requestBody: Buffer.alloc(0),
  answer: '{}',
  isSecret: false,
  ...more,
})

const COUNT = sql<{ api: number; minutes: number; leftOut: number; provider: number; visits: number }>(
  'test.count',
  `select (select coalesce(sum(line_count), 0) from log_batches
       where app_id = $1 and kind = 'api')::integer as api,
     (select coalesce(sum(succeeded + refused + failed), 0) from api_log_minutes where app_id = $1)::integer
       as minutes,
     (select coalesce(sum(left_out), 0) from api_log_minutes where app_id = $1)::integer as left_out,
     (select count(*) from log_batches where app_id = $1 and kind = 'provider')::integer as provider,
     (select count(*) from page_visits where app_id = $1)::integer as visits`,
)

async function stored({ appId }: App) {
  await writeLogs(ctx)
  const [row] = await ctx.db.query(COUNT, [appId])
  return row
}

it('a busy app is logged in part and counted completely, and another app is not affected', async () => {
  for (let count = 0; count < 400; count++) recordApiCall(ctx, answered(app))
  for (let count = 0; count < 5; count++) recordApiCall(ctx, answered(other))
  const { perSecond } = LOGS.api
  expect(await stored(app)).toMatchObject({ api: perSecond, minutes: 400, leftOut: 400 - perSecond })
  expect(await stored(other)).toMatchObject({ api: 5, minutes: 5, leftOut: 0 })
})

it('nothing is logged when the setting is off, or when the caller is no app', async () => {
  recordApiCall({ ...ctx, config: { ...ctx.config, apiLog: false } }, answered(app))
  recordApiCall(ctx, answered(undefined))
  recordApiCall(ctx, answered('lic_1'))
  expect(await stored(app)).toMatchObject({ api: 0, minutes: 0 })
})

it('a line that cannot be stored does not keep the others from being written', async () => {
  recordApiCall(ctx, answered(app, { startedMs: Number.NaN }))
  recordApiCall(ctx, answered(app, { url: '/api/\0/\ud800?a=\0' }))
  recordApiCall(ctx, answered(app))
  expect(await stored(app)).toMatchObject({ api: 2 })
})

it('lines that wait while the database is away are lost and counted, and no later line is', async () => {
  recordApiCall(ctx, answered(app))
  const before = logs(ctx).leftOut
  const away = { ...ctx.db, query: () => Promise.reject(new Error('away')) }
  expect(await writeLogs({ ...ctx, db: away })).toBe(0)
  expect(logs(ctx).leftOut).toBeGreaterThan(before)
  recordApiCall(ctx, answered(app))
  expect(await stored(app)).toMatchObject({ api: 1 })
})

it('old lines are removed in small steps, those of each kind after its own time', async () => {
  const startTime = ctx.clock.now()
  const line = { appId: app.appId, profileId: 1, paymentId: 1, attempt: 1, step: 'start' }
  const exchange = { method: 'GET', url: 'https://x', requestHeaders: '{}', requestBody: null, ms: 1 }
  const reply = { outcome: 'reply', status: 200, responseBody: null } as const
  // So far apart that each is a batch of its own.
  const lines = Array.from({ length: LOGS.removalBatch + 1 }, (_one, index) => ({
    ...{ ...line, startTime: after(startTime, -2 * index * MINUTE) },
    ...exchange,
    ...reply,
  }))
  await insertProviderLines(ctx.db, lines)
  recordApiCall(ctx, answered(app))
  notePageView(ctx, app, { paymentId: 1, step: 'opened', language: 'en', isMobile: false })
  expect(await stored(app)).toMatchObject({ api: 1, minutes: 1, provider: lines.length, visits: 1 })
  const [api, provider, visits] = logRemovalJobs(ctx)

  ctx.clock.advance(LOGS.api.keptMs + HOUR)
  recordApiCall(ctx, answered(app))
  await writeLogs(ctx)
  expect(await api?.runOnce()).toBeGreaterThan(0)
  expect([await api?.runOnce(), await provider?.runOnce()]).toEqual([0, 0])
  expect(await stored(app)).toMatchObject({ api: 1, minutes: 1, provider: lines.length, visits: 1 })

  ctx.clock.advance(LOGS.provider.keptMs - LOGS.api.keptMs)
  expect([await provider?.runOnce(), await provider?.runOnce()]).toEqual([LOGS.removalBatch, 1])
  expect(await visits?.runOnce()).toBe(0)
  ctx.clock.advance(60 * DAY)
  expect(await visits?.runOnce()).toBe(1)
  expect(await stored(app)).toMatchObject({ provider: 0, visits: 0 })
})

it('the first visit of a payment, step and day counts', async () => {
  const visit = { paymentId: 7, language: 'de', isMobile: true, country: 'DE' } as const
  for (const step of ['opened', 'opened', 'chosen', 'submitted'] as const)
    notePageView(ctx, app, { ...visit, step })
  notePageView(ctx, app, { ...visit, step: 'submitted', country: 'not a country' })
  expect(await stored(app)).toMatchObject({ visits: 3 })
  ctx.clock.advance(DAY)
  notePageView(ctx, app, { ...visit, step: 'opened' })
  expect(await stored(app)).toMatchObject({ visits: 4 })
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { type LedgerRows, ledgerRows } from '../../test/support/ledger.ts'
import { createFakeProvider } from '../../test/support/provider.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import type { Job } from '../jobs/loop.ts'
import { ledgerJob } from '../ledger/jobs.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import type { Settlements } from '../providers/port.ts'
import { setSource } from './commands.ts'
import { settlementJobs } from './jobs.ts'

/** Work of one app that fails each time: the work of the app after it is done all the same. */

const page = { kind: 'page', lines: [], payouts: [], bad: [] } as const
const settlements: Settlements = {
  ...{ usualDelayDays: 2, overlapDays: 3, maxWindowDays: 10, hasFees: true, hasPayouts: true },
  read: async () => page,
}

let ctx: TestContext
let failing: LedgerRows
let other: LedgerRows
let apps: { readonly failing: App; readonly other: App }
beforeAll(async () => {
  const { adapter } = createFakeProvider({ id: 'sandbox' })
  ctx = await testContext({ providers: new Map([['sandbox', { ...adapter, settlements }]]) })
})
afterAll(() => ctx?.close())

beforeEach(async () => {
  apps = { failing: await appWithSource(), other: await appWithSource() }
  failing = ledgerRows(ctx.db, apps.failing.appId)
  other = ledgerRows(ctx.db, apps.other.appId)
  ctx.lines.length = 0
})

async function appWithSource(): Promise<App> {
  const { sandbox } = await testLicense(ctx)
  const app = (await loadApp(ctx, sandbox.appId)) as App
  const [profile] = app.profiles
  if (!profile) throw new Error('a sandbox app has a profile')
  await setSource(ctx, app, profile, { isActive: true })
  return app
}

const profileOf = (app: App) => app.profiles[0]?.profileId ?? 0

/** A captured payment of each app, the first of which no job can read. */
async function payments(paymentId: number): Promise<void> {
  const time = ctx.clock.now()
  const sums = { sequence: 4, captured: 1_000n, returned: 0n, disputes: [] }
  for (const [rows, app] of [[failing, apps.failing] as const, [other, apps.other] as const]) {
    const payment = { paymentId, profileId: profileOf(app), currency: 'EUR', ...sums }
    await rows.payment(payment, time)
    await rows.event(payment, time)
  }
  await failing.query(
    `with broken as (update events set body = 'no JSON' where app_id = $1)
     update payments set pay_info = '{"disputes": [{"amountMinor": "many"}]}' where app_id = $1`,
    apps.failing.appId,
  )
}

/** The app that fails comes first. */
async function firstTurn(table: 'settlement_progress' | 'ledger_progress'): Promise<void> {
  const text = `update ${table} set due_time = case when app_id = $1 then '2000-01-01'::timestamptz
    when app_id = $2 then '2000-01-02' else 'infinity' end`
  await failing.query(text, apps.failing.appId, apps.other.appId)
}

const jobOf = (name: string) => settlementJobs(ctx).find((one) => one.name === name) as Job
const failures = (job: string) =>
  ctx.lines
    .filter(({ event, data }) => event === 'job.row_failed' && data.job === job)
    .map(({ data }) => data.appId)
const statesOf = (rows: LedgerRows, app: App) =>
  rows.query('select payment_id from settlement_states where app_id = $1', app.appId)

it('events of payments are read', async () => {
  await payments(1)
  await firstTurn('settlement_progress')
  await jobOf('settlement progress').runOnce()
  expect(failures('settlement progress')).toEqual([apps.failing.appId])
  expect(await statesOf(other, apps.other)).toHaveLength(1)
  expect(await statesOf(failing, apps.failing)).toHaveLength(0)
  // And for some minutes it takes no place from others.
  await jobOf('settlement progress').runOnce()
  expect(failures('settlement progress')).toHaveLength(1)
  ctx.clock.advance(6 * MINUTE)
  await jobOf('settlement progress').runOnce()
  expect(failures('settlement progress')).toHaveLength(2)
})

it('missing lines are found', async () => {
  await payments(2)
  for (const [rows, app] of [[failing, apps.failing] as const, [other, apps.other] as const])
    await rows.query(
      `with covered as (update settlement_sources set covered_until = $3 where app_id = $1)
       insert into settlement_states (app_id, payment_id, profile_id, state, difference_minor, due_time)
       values ($1, 2, $2, 'unsettled', 0, $3)`,
      ...[app.appId, profileOf(app), ctx.clock.now()],
    )
  ctx.clock.advance(3 * DAY)
  await jobOf('missing settlements').runOnce()
  expect(failures('missing settlements')).toContain(apps.failing.appId)
  const text = 'select due_time from settlement_states where app_id = $1'
  expect(await other.query(text, apps.other.appId)).not.toEqual([{ dueTime: ctx.clock.now() }])
})

it('lines are matched again', async () => {
  await payments(3)
  const [first, second] = [await waiting(failing, apps.failing), await waiting(other, apps.other)]
  await jobOf('settlement matching').runOnce()
  expect(failures('settlement matching')).toContain(apps.failing.appId)
  const matched = (rows: LedgerRows, app: App) =>
    rows.query<{ lineId: number }>('select line_id from settlement_matches where app_id = $1', app.appId)
  expect(await matched(other, apps.other)).toEqual([{ lineId: second }])
  expect(await matched(failing, apps.failing)).toEqual([])
  expect(first).toBeGreaterThan(0)
})

/** A line that names its payment by our reference. */
async function waiting(rows: LedgerRows, app: App): Promise<number> {
  const at = { profileId: profileOf(app), currency: 'EUR', time: ctx.clock.now() }
  const lineId = await rows.line({ ...at, gross: 1_000n })
  await rows.query(
    `with named as (update settlement_lines set reference = 'ref-3' where app_id = $1 and line_id = $3)
     insert into settlement_waiting (app_id, profile_id, line_id, due_time) values ($1, $2, $3, $4)`,
    ...[app.appId, profileOf(app), lineId, ctx.clock.now()],
  )
  return lineId
}

it('the ledger is derived', async () => {
  await payments(4)
  const job = ledgerJob(ctx)
  await job.runOnce()
  ctx.clock.advance(MINUTE)
  ctx.lines.length = 0
  await payments(5)
  await firstTurn('ledger_progress')
  await job.runOnce()
  expect(failures('ledger')).toEqual([apps.failing.appId])
  const text = 'select kind from ledger_entries where app_id = $1 and payment_id = 5'
  expect(await other.query(text, apps.other.appId)).toEqual([{ kind: 'capture' }])
  expect(await failing.query(text, apps.failing.appId)).toEqual([])
})

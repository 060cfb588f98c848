import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { ledgerRows } from '../../test/support/ledger.ts'
import { createFakeProvider } from '../../test/support/provider.ts'
import { after, DAY, HOUR, MINUTE } from '../base/clock.ts'
import { sql } from '../db/database.ts'
import type { App, Profile } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { unlistedCodes } from '../payments/provider/outcome/unlisted.ts'
import type { NotDone, Unknown } from '../providers/outcome.ts'
import type { Settlements } from '../providers/port.ts'
import type { SettledLine, SettledPage, SettlementWindow } from '../providers/settlement.ts'
import { findSource, setSource } from './commands.ts'
import { settlementJobs } from './jobs.ts'
import { SETTLEMENTS } from './limits.ts'
import { sourcesJob } from './sources.ts'
import { pageOfExceptions, pageOfLines } from './store/lists.ts'

/** A provider with a list of answers; without one it has nothing to report. */
const asked: { window: SettlementWindow; cursor: string | undefined }[] = []
const retrieved: string[] = []
let answers: (SettledPage | NotDone | Unknown)[] = []
const page = (more: Partial<SettledPage> = {}): SettledPage => {
  return { kind: 'page', lines: [], payouts: [], bad: [], ...more }
}
const settlements: Settlements = {
  usualDelayDays: 2,
  overlapDays: 3,
  maxWindowDays: 10,
  hasFees: true,
  hasPayouts: true,
  read: async (_ctx, window, cursor) => {
    asked.push({ window, cursor })
    return answers.shift() ?? page()
  },
}

let ctx: TestContext
let app: App
let profile: Profile
beforeAll(async () => {
  const { adapter } = createFakeProvider({ id: 'sandbox' })
  const retrieve: typeof adapter.retrieve = (provider, key, ...more) => {
    retrieved.push(key)
    return adapter.retrieve(provider, key, ...more)
  }
  ctx = await testContext({ providers: new Map([['sandbox', { ...adapter, retrieve, settlements }]]) })
})
afterAll(() => ctx?.close())

beforeEach(async () => {
  const { sandbox } = await testLicense(ctx)
  app = (await loadApp(ctx, sandbox.appId)) as App
  profile = app.profiles[0] as Profile
  asked.length = 0
  retrieved.length = 0
  answers = []
})

const line = (id: string, more: Partial<SettledLine> = {}): SettledLine => ({
  ...{ id, kind: 'fee', ids: [], raw: id, time: ctx.clock.now() },
  gross: { minor: 0n, currency: 'EUR' },
  net: { minor: -10n, currency: 'EUR' },
  ...more,
})
const turnOn = () => setSource(ctx, app, profile, { isActive: true })
async function run(): Promise<void> {
  await sourcesJob(ctx).runFor?.(app.appId)
  await ctx.background.settled()
}
const linesOf = async () => (await pageOfLines(ctx.db, app.appId, { limit: 50 })).items

it('reads nothing until it is turned on, then from some days back, and again after an hour', async () => {
  await run()
  expect(asked).toEqual([])
  const start = ctx.clock.now()
  await turnOn()
  await run()
  expect(asked).toEqual([{ window: { from: after(start, -3 * DAY), until: start }, cursor: undefined }])
  await run()
  expect(asked).toHaveLength(1)
  await ctx.clock.advance(HOUR)
  await run()
  expect(asked[1]?.window).toEqual({ from: after(start, -3 * DAY), until: ctx.clock.now() })
  await setSource(ctx, app, profile, { isActive: false })
  await ctx.clock.advance(DAY)
  await run()
  expect(asked).toHaveLength(2)
})

it('reads pages of one window by their cursors, and stores each line once', async () => {
  await turnOn()
  answers = [page({ lines: [line('a')], next: 'p2' }), page({ lines: [line('b')] })]
  await run()
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'p2'])
  expect(asked[1]?.window).toEqual(asked[0]?.window)
  expect(await linesOf()).toHaveLength(2)
  await ctx.clock.advance(HOUR)
  answers = [page({ lines: [line('a', { time: after(ctx.clock.now(), -HOUR) })] })]
  await run()
  expect(await linesOf()).toHaveLength(2)
})

it('reads a long time in windows that the provider allows', async () => {
  const start = ctx.clock.now()
  await turnOn()
  await run()
  asked.length = 0
  await ctx.clock.advance(20 * DAY)
  await run()
  const windows = asked.map(({ window }) => [window.from, window.until])
  expect(windows).toEqual([
    [after(start, -3 * DAY), after(start, 7 * DAY)],
    [after(start, 4 * DAY), after(start, 14 * DAY)],
    [after(start, 11 * DAY), after(start, 20 * DAY)],
  ])
})

it('waits as long as the provider asks, else with growing pauses, and goes on at the same page', async () => {
  await turnOn()
  const retryAfter = after(ctx.clock.now(), 10 * MINUTE)
  answers = [
    page({ lines: [line('a')], next: 'p2' }),
    { kind: 'not-done', why: 'rate-limited', retryAfter },
    { kind: 'unknown', why: 'timeout' },
  ]
  await run()
  await ctx.clock.advance(9 * MINUTE)
  await run()
  expect(asked).toHaveLength(2)
  expect(await findSource(ctx, app, profile)).toMatchObject({ problem: { code: 'rate-limited' }, tries: 1 })
  await ctx.clock.advance(MINUTE)
  await run()
  expect(await findSource(ctx, app, profile)).toMatchObject({ problem: { code: 'timeout' }, tries: 2 })
  await ctx.clock.advance(2 * MINUTE)
  await run()
  // The window of before is read to its end, then another up to now.
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'p2', 'p2', 'p2', undefined])
  expect(await findSource(ctx, app, profile)).toMatchObject({ problem: null, tries: 0, pageCursor: null })
})

it('a line that is in no payout after 35 days is unpaid until it is reported with its payout', async () => {
  await turnOn()
  const time = after(ctx.clock.now(), -HOUR)
  const kinds = async (isOpen: boolean) =>
    (await pageOfExceptions(ctx.db, app.appId, { isOpen, limit: 9 })).items.map(({ kind }) => kind)
  answers = [page({ lines: [line('a', { time }), line('b', { time, payout: 'po' })] })]
  await run()
  const unpaid = settlementJobs(ctx).find(({ name }) => name === 'unpaid settlements')
  await ctx.clock.advance(34 * DAY)
  await unpaid?.runFor?.(app.appId)
  expect(await kinds(true)).toEqual([])
  await ctx.clock.advance(DAY)
  await unpaid?.runFor?.(app.appId)
  const { items } = await pageOfExceptions(ctx.db, app.appId, { isOpen: true, limit: 9 })
  expect(items).toMatchObject([{ kind: 'unpaid', details: { currency: 'EUR', actualMinor: '-10' } }])
  answers = [page({ lines: [line('a', { time, payout: 'po' })] })]
  await run()
  expect(await kinds(true)).toEqual([])
  expect(await kinds(false)).toEqual(['unpaid'])
  expect((await linesOf()).map(({ payoutId }) => payoutId)).toEqual([expect.any(Number), expect.any(Number)])
})

it('lines of any age are checked for a payout: the first of all, and older ones that come late', async () => {
  const time = after(ctx.clock.now(), -40 * DAY)
  await turnOn()
  const unpaid = async () => {
    await settlementJobs(ctx)
      .find(({ name }) => name === 'unpaid settlements')
      ?.runFor?.(app.appId)
    const { items } = await pageOfExceptions(ctx.db, app.appId, { kind: 'unpaid', limit: 9 })
    return items.length
  }
  answers = [page({ lines: [line('first', { time })] })]
  await run()
  expect(await unpaid()).toBe(1)
  await ctx.clock.advance(HOUR)
  answers = [page({ lines: [line('older', { time: after(time, -DAY) })] })]
  await run()
  expect(await unpaid()).toBe(2)
})

it('counts types of lines that the adapter does not list', async () => {
  await turnOn()
  answers = [page({ unlisted: ['line type newest'] })]
  await run()
  expect(unlistedCodes(ctx).add('sandbox line type newest')).toBe(2)
})

it('reads a payment at its provider once when a line has a dispute that Tender has not seen', async () => {
  await turnOn()
  const rows = ledgerRows(ctx.db, app.appId)
  const { profileId } = profile
  const sums = { sequence: 4, captured: 1_000n, returned: 0n, disputes: [] }
  await rows.payment({ paymentId: 77, profileId, currency: 'EUR', ...sums }, ctx.clock.now())
  await rows.query(
    `update payments set attempt = 1, attempt_key = 'ATTEMPT77', method = 'CreditCard',
       reference_id = 'order 77' where app_id = $1`,
    app.appId,
  )
  const gross = { minor: -1_000n, currency: 'EUR' }
  const dispute = line('d', { kind: 'dispute', gross, net: gross, reference: 'order 77' })
  answers = [page({ lines: [dispute] })]
  await run()
  expect(retrieved).toEqual(['ATTEMPT77'])
  await ctx.clock.advance(HOUR)
  answers = [page({ lines: [dispute, line('other')] })]
  await run()
  expect(retrieved).toEqual(['ATTEMPT77'])
})

it('takes a second line of a refund for doubled, also where both came before the refund', async () => {
  await turnOn()
  const rows = ledgerRows(ctx.db, app.appId)
  const sums = { sequence: 4, captured: 1_000n, returned: 0n, disputes: [] }
  const payment = { paymentId: 78, profileId: profile.profileId, currency: 'EUR', ...sums }
  await rows.payment(payment, ctx.clock.now())
  await rows.query(
    `update payments set attempt = 1, attempt_key = 'ATTEMPT78', method = 'CreditCard',
       reference_id = 'order 78' where app_id = $1`,
    app.appId,
  )
  const of = (id: string, kind: SettledLine['kind'], minor: bigint): SettledLine =>
    line(id, { kind, ids: [`${kind}-id`], reference: 'order 78', gross: { minor, currency: 'EUR' } })
  answers = [page({ lines: [of('s', 'sale', 1_000n), of('r', 'refund', -300n), of('r2', 'refund', -300n)] })]
  await run()
  const kinds = async () =>
    (await pageOfExceptions(ctx.db, app.appId, { isOpen: true, limit: 9 })).items.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['unseen', 'unseen'])
  await ctx.clock.advance(MINUTE)
  await rows.query(
    `with refund as (insert into refunds (app_id, payment_id, refund_id, amount_minor, state, created_time)
       values ($1, 78, 'REFUND78', 300, 'done', $2))
     update payments set refunded_minor = 300, handles = '{"refundREFUND78": "refund-id"}' where app_id = $1`,
    ...[app.appId, ctx.clock.now()],
  )
  await rows.event({ ...payment, sequence: 5, returned: 300n }, ctx.clock.now())
  await settlementJobs(ctx)
    .find(({ name }) => name === 'settlement progress')
    ?.runFor?.(app.appId)
  expect(await kinds()).toEqual(['doubled'])
})

it('finds payments whose events were written by a clock that was an hour behind', async () => {
  await turnOn()
  await run()
  const rows = ledgerRows(ctx.db, app.appId)
  const progress = settlementJobs(ctx).find(({ name }) => name === 'settlement progress')
  const paid = async (paymentId: number, time: Date) => {
    const sums = { sequence: 4, captured: 1_000n, returned: 0n, disputes: [] }
    const payment = { paymentId, profileId: profile.profileId, currency: 'EUR', ...sums }
    await rows.payment(payment, time)
    await rows.event(payment, time)
  }
  const judged = async () => {
    await progress?.runFor?.(app.appId)
    const text = 'select payment_id from settlement_states where app_id = $1 order by payment_id'
    return (await rows.query<{ paymentId: number }>(text, app.appId)).map(({ paymentId }) => paymentId)
  }
  await ctx.clock.advance(HOUR)
  await paid(81, ctx.clock.now())
  await ctx.clock.advance(MINUTE)
  expect(await judged()).toEqual([81])
  await paid(82, after(ctx.clock.now(), -HOUR))
  expect(await judged()).toEqual([81])
  await ctx.clock.advance(2 * HOUR)
  expect(await judged()).toEqual([81, 82])
})

it('removes raw rows after 13 months, and keeps the lines', async () => {
  await turnOn()
  answers = [page({ lines: [line('a')] })]
  await run()
  const removal = settlementJobs(ctx).find(({ name }) => name === 'settlement row removal')
  const count = async () => {
    const text = 'select count(*) as rows from settlement_rows where app_id = $1'
    return (await ctx.db.query(sql<{ rows: number }>('test.count', text), [app.appId]))[0]?.rows
  }
  await ctx.clock.advance(SETTLEMENTS.rawKeptMs - MINUTE)
  await removal?.runOnce()
  expect(await count()).toBe(1)
  await ctx.clock.advance(2 * MINUTE)
  await removal?.runOnce()
  expect(await count()).toBe(0)
  expect(await linesOf()).toHaveLength(1)
})

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { type LedgerPayment, type LedgerRows, ledgerRows, type TestLine } from '../../test/support/ledger.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import type { LineKind } from '../providers/settlement.ts'
import { balancesAt, closeMonth } from './commands.ts'
import { ledgerJob } from './jobs.ts'

let ctx: TestContext
let app: App
let live: string
let rows: LedgerRows
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())
beforeEach(() => newApp())

async function newApp(): Promise<void> {
  const license = await testLicense(ctx)
  const found = await loadApp(ctx, license.sandbox.appId)
  if (!found) throw new Error('a licence has apps')
  app = found
  live = license.live.appId
  rows = ledgerRows(ctx.db, app.appId)
}

const derive = () => ledgerJob(ctx).runFor?.(app.appId)
const now = () => appNow(ctx, app)

/** `clearing:1 EUR` → minor units. */
async function balances(day = '2999-12-31'): Promise<Record<string, bigint>> {
  const { accounts } = await balancesAt(ctx, app, day)
  return Object.fromEntries(
    accounts.map((one) => [
      `${one.account}${one.profileId === null ? '' : `:${one.profileId}`} ${one.currency}`,
      one.balanceMinor,
    ]),
  )
}

const start: LedgerPayment = {
  paymentId: 1,
  profileId: 1,
  currency: 'EUR',
  sequence: 1,
  captured: 0n,
  returned: 0n,
  disputes: [],
}

/** Writes what happened to a payment, with its event. */
async function happen(payment: LedgerPayment, time = now()): Promise<LedgerPayment> {
  await rows.payment(payment, time)
  await rows.event(payment, time)
  return payment
}

const sale = (more: Partial<TestLine> = {}): TestLine => ({
  profileId: 1,
  currency: 'EUR',
  gross: 1000n,
  fee: 29n,
  net: 971n,
  time: now(),
  paymentId: 1,
  ...more,
})

describe('a ledger', () => {
  it('is empty without settlements', async () => {
    await happen({ ...start, captured: 1000n })
    expect(await derive()).toBe(0)
    expect(await balances()).toEqual({})
    expect(await rows.query('select from ledger_progress where app_id = $1', app.appId)).toEqual([])
  })

  it('of a live app begins with its source, and takes older payments with their first line', async () => {
    const found = await loadApp(ctx, live)
    if (!found) throw new Error('a licence has a live app')
    app = found
    rows = ledgerRows(ctx.db, live)
    await happen({ ...start, captured: 1000n })
    await happen({ ...start, paymentId: 2, captured: 500n })
    ctx.clock.advance(HOUR)
    await rows.line(sale())
    ctx.clock.advance(SECOND)
    expect(await balances()).toEqual({ 'clearing:1 EUR': 971n, 'sales EUR': -1000n, 'fees:1 EUR': 29n })
  })

  it('follows a payment from the capture to the bank', async () => {
    const captured = await happen({ ...start, captured: 1000n })
    const payoutId = await rows.payout({ profileId: 1, currency: 'EUR', amount: 671n, time: now() })
    await rows.line(sale({ payoutId }))
    await happen({ ...captured, sequence: 2, returned: 300n })
    await rows.line(sale({ kind: 'refund', gross: -300n, fee: 0n, net: -300n, payoutId }))
    await rows.line(sale({ kind: 'payout', gross: -671n, fee: 0n, net: -671n, payoutId }))
    expect(await balances()).toEqual({
      'clearing:1 EUR': 0n,
      'bank EUR': 671n,
      'sales EUR': -1000n,
      'refunds EUR': 300n,
      'fees:1 EUR': 29n,
    })
    expect(await derive()).toBe(0)
  })

  it('books each event with the sums of its time, whatever has happened to the payment since', async () => {
    const captured = { ...start, captured: 1000n }
    await rows.event(captured, now())
    const [day, later] = [now().toISOString().slice(0, 10), new Date(now().getTime() + 2 * DAY)]
    await rows.payment({ ...captured, sequence: 2, returned: 300n }, later)
    await rows.event({ ...captured, sequence: 2, returned: 300n }, later)
    await rows.line(sale())
    ctx.clock.advance(3 * DAY)
    expect(await balances(day)).toMatchObject({ 'clearing:1 EUR': 971n, 'sales EUR': -1000n })
    expect((await balances(day))['refunds EUR']).toBeUndefined()
    expect(await balances()).toMatchObject({ 'clearing:1 EUR': 671n, 'refunds EUR': 300n })
  })

  it.each([
    ['its event', 2],
    ['the payment', 1],
  ])('of a dispute that was won late has no refund, by what %s says', async (_what, newest) => {
    const disputes = [{ state: 'won', minor: 400n, isWonLate: true }]
    const won = { ...start, captured: 1000n, returned: 400n, disputes }
    await rows.payment({ ...won, sequence: newest }, now())
    await rows.event(won, now())
    await rows.line(sale())
    ctx.clock.advance(MINUTE)
    expect(await balances()).toEqual({ 'clearing:1 EUR': 971n, 'sales EUR': -1000n, 'fees:1 EUR': 29n })
  })

  it('is not booked by its job while lines arrive, for two minutes at most', async () => {
    const job = ledgerJob(ctx)
    const booked = async () =>
      (await rows.query('select from ledger_entries where app_id = $1', app.appId)).length
    await happen({ ...start, captured: 1000n })
    await rows.line(sale())
    await job.runOnce()
    expect(await booked()).toBe(0)
    ctx.clock.advance(6 * SECOND)
    await job.runOnce()
    expect(await booked()).toBe(2)
    ctx.clock.advance(MINUTE)
    await rows.line(sale())
    ctx.clock.advance(2 * MINUTE + SECOND)
    await rows.line(sale())
    await job.runOnce()
    expect(await booked()).toBe(4)
  })

  it('takes back a payout that fails, and follows one whose amount changes', async () => {
    await rows.line(sale({ kind: 'adjustment', gross: 900n, fee: 0n, net: 900n }))
    const payoutId = await rows.payout({ profileId: 1, currency: 'EUR', amount: null, time: now() })
    expect((await balances())['bank EUR']).toBeUndefined()
    await rows.line(sale({ kind: 'payout', gross: -700n, fee: 0n, net: -700n, payoutId }))
    await rows.query(`update payouts set currency = null where app_id = $1`, app.appId)
    expect((await balances())['bank EUR']).toBe(700n)
    await rows.query(`update payouts set amount_minor = 800, currency = 'EUR' where app_id = $1`, app.appId)
    expect(await balances()).toMatchObject({ 'bank EUR': 800n, 'clearing:1 EUR': 100n })
    await rows.query(`update payouts set state = 'failed' where app_id = $1`, app.appId)
    expect(await balances()).toMatchObject({ 'bank EUR': 0n, 'clearing:1 EUR': 900n })
  })

  it('books a payout once when a line of it had no payout at first', async () => {
    const lineId = await rows.line(sale({ kind: 'payout', gross: -700n, fee: 0n, net: -700n }))
    expect((await balances())['bank EUR']).toBe(700n)
    const payoutId = await rows.payout({ profileId: 1, currency: 'EUR', amount: 700n, time: now() })
    await rows.query('update settlement_lines set payout_id = $1 where line_id = $2', payoutId, lineId)
    expect((await balances())['bank EUR']).toBe(700n)
  })

  it('moves an unknown line out of the differences when its payment is found', async () => {
    await happen({ ...start, captured: 1000n })
    const { paymentId: _none, ...unknown } = sale()
    const lineId = await rows.line(unknown)
    await rows.match(lineId, 1, 'suggested')
    expect(await balances()).toMatchObject({ 'clearing:1 EUR': 1971n, 'differences EUR': -1000n })
    await rows.query(`update settlement_matches set match = 'exact' where app_id = $1`, app.appId)
    expect(await balances()).toMatchObject({ 'clearing:1 EUR': 971n, 'differences EUR': 0n })
  })

  it('keeps a line of another currency or profile apart from the payment that it names', async () => {
    await happen({ ...start, captured: 1000n })
    await rows.line(sale({ currency: 'USD' }))
    await rows.line(sale({ profileId: 2 }))
    expect(await balances()).toMatchObject({
      'clearing:1 EUR': 1000n,
      'clearing:1 USD': 971n,
      'clearing:2 EUR': 971n,
      'differences EUR': -1000n,
      'differences USD': -1000n,
    })
  })

  it('finds events and lines that were committed after later ones', async () => {
    const early = now()
    await rows.line(sale({ lineId: 2000 }))
    ctx.clock.advance(SECOND)
    await happen({ ...start, captured: 1000n })
    await derive()
    for (const paymentId of [2, 3]) await happen({ ...start, paymentId, captured: 500n }, early)
    await rows.line(sale({ gross: 500n, fee: 5n, net: 495n, lineId: 1999, paymentId: 2, received: early }))
    ctx.clock.advance(3 * HOUR)
    expect(await balances()).toEqual({
      'clearing:1 EUR': 1966n,
      'sales EUR': -2000n,
      'fees:1 EUR': 34n,
    })
  })

  it('reads on after pages of which nothing is to be booked, also the second time', async () => {
    await rows.query(
      `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
       select $1, 9000 + n, 1, 'payment.created', 'Created', $2, '{}' from generate_series(1, 1100) n`,
      ...[app.appId, now()],
    )
    await rows.query(
      `insert into settlement_lines (app_id, line_id, profile_id, provider_line_id, report_id, kind,
         provider_ids, gross_minor, currency, line_time, received_time)
       overriding system value
       select $1, n, 1, 'n' || n, 1, 'adjustment', '{}', 1, 'EUR', $2, $2
       from generate_series(500001, 501200) n where n <> 501150`,
      ...[app.appId, now()],
    )
    ctx.clock.advance(SECOND)
    await happen({ ...start, captured: 1000n })
    expect(await balances()).toEqual({
      ...{ 'clearing:1 EUR': 2199n, 'sales EUR': -1000n, 'adjustments EUR': -1199n },
    })
    await rows.line(sale({ lineId: 501_150, kind: 'adjustment', gross: 1n, fee: 0n, net: 1n }))
    ctx.clock.advance(3 * HOUR)
    expect((await balances())['adjustments EUR']).toBe(-1200n)
  })

  it('ignores an event that is older than what is booked', async () => {
    await rows.line(sale({ kind: 'fee', gross: 0n, net: -29n }))
    const older = { ...start, captured: 1000n, sequence: 2 }
    const newer = { ...older, returned: 400n, sequence: 3 }
    ctx.clock.advance(SECOND)
    await happen(newer)
    await derive()
    await rows.event(older, now())
    ctx.clock.advance(3 * HOUR)
    expect(await balances()).toMatchObject({ 'sales EUR': -1000n, 'refunds EUR': 400n })
  })

  it("books on days of the app's time zone", async () => {
    await rows.query(`update apps set time_zone = 'Asia/Tokyo' where app_id = $1`, app.appId)
    ctx.clock.advance(SECOND)
    app = (await loadApp(ctx, app.appId)) ?? app
    await rows.line(sale({ kind: 'fee', gross: 0n, net: -29n, time: new Date('2025-12-30T15:30:00Z') }))
    expect(await balances('2025-12-30')).toEqual({})
    expect(await balances('2025-12-31')).toEqual({ 'clearing:1 EUR': -29n, 'fees:1 EUR': 29n })
  })
})

describe('a closed month', () => {
  const december = new Date('2025-12-20T12:00:00Z')

  it('stays as it is: what comes late is booked on the first open day and names the month', async () => {
    await rows.line(sale({ kind: 'fee', gross: 0n, net: -29n, time: december }))
    const closed = await closeMonth(ctx, app, '2025-12')
    expect(await closeMonth(ctx, app, '2025-12')).toEqual(closed)
    await rows.line(sale({ kind: 'fee', gross: 0n, fee: 5n, net: -5n, time: december }))
    await rows.line(
      sale({ kind: 'fee', gross: 0n, fee: 1n, net: -1n, time: new Date('2025-11-02T00:00:00Z') }),
    )
    expect(await balances('2025-12-31')).toMatchObject({ 'fees:1 EUR': 29n })
    expect(await balances('2026-01-01')).toMatchObject({ 'fees:1 EUR': 35n })
    const text = `select booking_day::text as day, late_for::text as late from ledger_entries
      where app_id = $1 order by entry_id`
    expect(await rows.query(text, app.appId)).toEqual([
      { day: '2025-12-20', late: null },
      { day: '2026-01-01', late: '2025-12-01' },
      { day: '2026-01-01', late: '2025-11-01' },
    ])
  })

  it('can be closed only when it has ended, and only where there is a ledger', async () => {
    const month = now().toISOString().slice(0, 7)
    await expect(closeMonth(ctx, app, month)).rejects.toMatchObject({ code: 'not_possible' })
    await expect(closeMonth(ctx, app, '2025-11')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('takes no entry, whatever writes it', async () => {
    await rows.line(sale({ kind: 'fee', gross: 0n, net: -29n, time: december }))
    await closeMonth(ctx, app, '2025-12')
    const text = `insert into ledger_entries (app_id, entry_id, entry_key, booking_day, occurred_time, kind)
      values ($1, 99, 'x', $2, now(), 'line')`
    await expect(rows.query(text, app.appId, '2025-12-31')).rejects.toThrow('closed month')
    await expect(rows.query(text, app.appId, '2024-01-01')).rejects.toThrow('closed month')
    await rows.query(text, app.appId, '2026-01-01')
  })
})

describe('the database', () => {
  const unbalanced = `insert into ledger_postings (app_id, entry_id, place, account, currency, amount_minor)
    values ($1, 1, 7, 'sales', 'EUR', 5), ($1, 1, 8, 'refunds', $2, -5)`

  it('refuses an entry that does not sum to zero in each currency', async () => {
    await rows.line(sale({ kind: 'fee', gross: 0n, net: -29n }))
    await derive()
    await expect(rows.query(unbalanced, app.appId, 'USD')).rejects.toThrow('sum to zero')
    await rows.query(unbalanced, app.appId, 'EUR')
  })

  it('refuses a posting without its entry', async () => {
    await expect(rows.query(unbalanced, app.appId, 'EUR')).rejects.toThrow('belongs to an entry')
  })

  it.each([
    'update ledger_postings set amount_minor = 1 where app_id = $1',
    'update ledger_entries set booking_day = $$2020-01-01$$ where app_id = $1',
    'delete from ledger_postings where app_id = $1',
    'delete from ledger_entries where app_id = $1',
    'delete from ledger_months where app_id = $1',
    'truncate ledger_postings',
    'truncate ledger_entries',
  ])('refuses to %s', async (text) => {
    rows = ledgerRows(ctx.db, live)
    await rows.query(
      `insert into ledger_entries (app_id, entry_id, entry_key, booking_day, occurred_time, kind)
       values ($1, 1, 'x', '2026-01-01', now(), 'line')`,
      live,
    )
    await rows.query(unbalanced, live, 'EUR')
    await rows.query(
      "insert into ledger_months (app_id, month, closed_time) values ($1, '2020-01-01', now())",
      live,
    )
    await expect(rows.query(text, ...(text.includes('$1') ? [live] : []))).rejects.toThrow('append-only')
  })
})

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const
const minor = fc.bigInt({ min: 1n, max: 5_000n })
const place = { at: fc.nat(3), minor }
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ on: fc.constant('capture' as const), ...place }) },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('refund' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('capture-failure' as const), ...place }) },
  { weight: 2, arbitrary: fc.record({ on: fc.constantFrom('lose' as const, 'win' as const), ...place }) },
  {
    weight: 6,
    arbitrary: fc.record({
      on: fc.constant('line' as const),
      ...place,
      kind: fc.constantFrom<LineKind>('sale', 'refund', 'return', 'dispute', 'dispute-reversal'),
      fee: fc.bigInt({ min: 0n, max: 50n }),
      isMatched: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      on: fc.constant('other' as const),
      ...place,
      kind: fc.constantFrom<LineKind>('fee', 'reserve', 'adjustment'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ on: fc.constantFrom('payout' as const, 'derive' as const), ...place }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What a history should lead to, added up without the rules. */
interface Model {
  payment: LedgerPayment
  sales: bigint
  refunds: bigint
  disputes: bigint
  /** Unmatched lines, fees, reserves, adjustments and payouts. */
  rest: bigint
}

const lost = ({ disputes }: LedgerPayment): bigint =>
  disputes.filter(({ state }) => state === 'lost').reduce((sum, one) => sum + one.minor, 0n)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

function changed(payment: LedgerPayment, { on, minor }: Step): LedgerPayment {
  const { captured, returned, disputes } = payment
  const left = captured - returned
  if (on === 'capture') return { ...payment, captured: captured + minor }
  if (on === 'capture-failure') return returned === 0n ? { ...payment, captured: 0n } : payment
  if (on === 'refund') return { ...payment, returned: returned + least(minor, left) }
  if (on === 'lose' && left >= minor)
    return { ...payment, returned: returned + minor, disputes: [...disputes, { state: 'lost', minor }] }
  if (on === 'win' && disputes.length > 0)
    return { ...payment, returned: returned - lost(payment), disputes: [] }
  return payment
}

async function play(model: Model, one: Step): Promise<void> {
  const { payment } = model
  const { profileId, currency, paymentId } = payment
  ctx.clock.advance(MINUTE)
  const at = { profileId, currency, time: now() }
  if (one.on === 'derive') return void (await derive())
  if (one.on === 'payout') {
    model.rest -= one.minor
    return void (await rows.payout({ ...at, amount: one.minor }))
  }
  if (one.on === 'other') {
    const fee = one.kind === 'fee' ? one.minor : 0n
    const net = one.kind === 'fee' ? -one.minor : one.minor
    model.rest += net
    return void (await rows.line({ ...at, kind: one.kind, gross: net + fee, fee, net }))
  }
  if (one.on === 'line') {
    const isPlus = one.kind === 'sale' || one.kind === 'dispute-reversal'
    const gross = isPlus ? one.minor : -one.minor
    await rows.line({
      ...{ ...at, kind: one.kind, gross, fee: one.fee, net: gross - one.fee },
      ...(one.isMatched ? { paymentId } : {}),
    })
    model.rest -= one.fee
    if (!one.isMatched) model.rest += gross
    else if (one.kind === 'sale') model.sales += gross
    else if (one.kind === 'refund' || one.kind === 'return') model.refunds += gross
    else model.disputes += gross
    return
  }
  model.payment = await happen({ ...changed(payment, one), sequence: payment.sequence + 1 })
}

/** Clearing = captured − refunded − disputed, or what lines say beyond it, and the rest. */
function clearingOf({ payment, sales, refunds, disputes, rest }: Model): bigint {
  const { captured, returned } = payment
  const refunded = returned - lost(payment)
  return most(captured, sales) + least(-refunded, refunds) + least(-lost(payment), disputes) + rest
}

const AFTER_ANY_HISTORY =
  'after any history clearing is captured − refunded − fees − disputed − paid out, and all sums to zero'

it(AFTER_ANY_HISTORY, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await newApp()
      const models = Array.from({ length: 4 }, (_, at): Model => {
        const currency = CURRENCIES[at % 3] ?? 'EUR'
        const payment = { ...start, paymentId: at + 1, profileId: at < 3 ? 1 : 2, currency }
        return { payment, sales: 0n, refunds: 0n, disputes: 0n, rest: 0n }
      })
      for (const { payment } of models) await happen(payment)
      await rows.line({ profileId: 9, currency: 'EUR', kind: 'fee', fee: 1n, net: -1n, time: now() })
      for (const one of steps) await play(models[one.at] as Model, one)
      ctx.clock.advance(DAY)
      const found = await balances()
      for (const model of models) {
        const { profileId, currency } = model.payment
        expect(found[`clearing:${profileId} ${currency}`] ?? 0n).toBe(clearingOf(model))
      }
      for (const currency of CURRENCIES) {
        const own = Object.entries(found).filter(([name]) => name.endsWith(currency))
        expect(own.reduce((sum, [, balance]) => sum + balance, 0n)).toBe(0n)
      }
      const days = `select from (select account, profile_id, currency, sum(amount_minor) from ledger_postings
          where app_id = $1 group by 1, 2, 3
        except select account, nullif(profile_id, 0), currency, sum(amount_minor) from ledger_days
          where app_id = $1 group by 1, 2, 3) d`
      expect(await rows.query(days, app.appId)).toEqual([])
      expect(await derive()).toBe(0)
    }),
    { numRuns: 25, seed: 41, endOnFailure: true },
  )
})

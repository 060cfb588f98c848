import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesAgainstLedger } from '../../test/support/bank-lines.ts'
import { type Merchant, merchant, type SandboxWorld, sandboxWorld, till } from '../../test/support/sandbox.ts'
import { DAY, HOUR, MINUTE, after as plus } from '../base/clock.ts'
import { money } from '../base/money.ts'
import { sql } from '../db/database.ts'
import type { SettledLine, SettledPage } from '../providers/settlement.ts'
import { feeOf } from './bank/rules/methods.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await sandboxWorld()
})
afterAll(async () => {
  await world.close()
})

/** A shop, and its source as the service reads it: each window begins where the last one ended. */
function shopWithSource() {
  const shop = merchant(world)
  let offsetMs = 0
  const now = () => plus(world.clock.now(), offsetMs)
  let from = plus(now(), -DAY)
  const read = world.sandbox.adapter.settlements?.read
  async function page(window: { from: Date; until: Date }, cursor?: string, context = shop.context()) {
    const result = await read?.(context, window, cursor)
    if (result?.kind !== 'page') throw new Error(`no page: ${JSON.stringify(result)}`)
    return result
  }
  async function wait(ms: number): Promise<void> {
    offsetMs += ms
    await shop.control.advanceClock(ms)
  }
  async function report(): Promise<SettledPage[]> {
    await wait(1)
    const window = { from, until: now() }
    const pages = [await page(window)]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await page(window, next))
    from = window.until
    return pages
  }
  return {
    ...shop,
    ...till(world, shop),
    now,
    page,
    report,
    lines: async () => (await report()).flatMap(({ lines }) => lines),
    wait,
    /** A captured payment by card. */
    async sell(minor = 1_000n, number?: string, currency = 'EUR') {
      const card = number === undefined ? {} : { number }
      const { reference } = await till(world, shop).payWith(card, {
        amount: money(minor, currency),
        sale: true,
      })
      return reference
    },
  }
}

const short = ({ kind, gross, fee, net, payout }: SettledLine) => ({
  kind,
  gross: Number(gross.minor),
  fee: Number(fee?.minor),
  net: Number(net?.minor),
  ...(payout === undefined ? {} : { payout }),
})

const sumOf = (lines: readonly SettledLine[]) => lines.reduce((sum, { net }) => sum + (net?.minor ?? 0n), 0n)

const broken = ({ appId }: Merchant) => linesAgainstLedger(world.db, appId)

describe('lines', () => {
  it('report a sale with its fee, and a refund without one', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell()
    const handles = (await shop.see(reference)).handles
    await shop.refund(reference, 400n)
    const lines = await shop.lines()
    expect(lines.map(short)).toEqual([
      { kind: 'sale', gross: 1_000, fee: 59, net: 941 },
      { kind: 'refund', gross: -400, fee: 0, net: -400 },
    ])
    const [sale, refund] = lines
    expect(sale).toMatchObject({ reference, ids: [handles.capture, handles.payment] })
    const made = (await shop.see(reference)).refunds?.[0]
    expect(refund).toMatchObject({ reference: made?.operationKey, ids: [made?.id, handles.payment] })
    expect(await broken(shop)).toEqual([])
  })

  it('are the same in every read of a window, and none comes twice in two windows', async () => {
    const shop = shopWithSource()
    await shop.sell()
    await shop.wait(HOUR)
    const window = { from: plus(shop.now(), -DAY), until: shop.now() }
    const first = await shop.page(window)
    expect(first.lines).toHaveLength(1)
    await shop.wait(HOUR)
    await shop.sell()
    expect(await shop.page(window)).toEqual(first)
    const next = await shop.page({ from: window.until, until: shop.now() })
    const ids = [...first.lines, ...next.lines].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('take back a refund that fails after it was done', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell(1_000n, '4000000000005126')
    await shop.refund(reference, 1_000n)
    await shop.wait(MINUTE)
    expect((await shop.lines()).map(short)).toMatchObject([
      { kind: 'sale', gross: 1_000 },
      { kind: 'refund', gross: -1_000 },
      { kind: 'refund', gross: 1_000, fee: 0 },
    ])
    expect(await broken(shop)).toEqual([])
  })

  it('take a disputed amount and a fee of 15.00, and give the amount back when it is won', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell()
    await shop.control.dispute(reference, { outcome: 'open', amount: 600 })
    await shop.control.dispute(reference, { outcome: 'won' })
    await shop.control.dispute(reference, { outcome: 'open', isFurther: true, isInquiry: true })
    expect((await shop.lines()).map(short)).toEqual([
      { kind: 'sale', gross: 1_000, fee: 59, net: 941 },
      { kind: 'dispute', gross: -600, fee: 1_500, net: -2_100 },
      { kind: 'dispute-reversal', gross: 600, fee: 0, net: 600 },
    ])
    expect(await broken(shop)).toEqual([])
  })

  it('take a debit that was returned', async () => {
    const shop = shopWithSource()
    const instrument = await shop.token('ElectronicCheck', 'returned-later')
    await shop.start({ method: 'ElectronicCheck', instrument, sale: true })
    await shop.wait(2 * MINUTE)
    expect((await shop.lines()).map(short)).toEqual([
      { kind: 'sale', gross: 1_000, fee: 8, net: 992 },
      { kind: 'return', gross: -1_000, fee: 1_500, net: -2_500 },
    ])
    expect(await broken(shop)).toEqual([])
  })

  it('hold 5 % of a sale of 1,000.00 or more for seven days', async () => {
    const shop = shopWithSource()
    await shop.sell(99_999n)
    await shop.sell(100_000n)
    await shop.sell(1_000n, undefined, 'JPY')
    const held = (lines: readonly SettledLine[]) =>
      lines
        .filter(({ kind }) => kind === 'reserve')
        .map(short)
        .sort((one, other) => one.gross - other.gross)
    expect(held(await shop.lines())).toEqual([
      { kind: 'reserve', gross: -5_000, fee: 0, net: -5_000 },
      { kind: 'reserve', gross: -50, fee: 0, net: -50 },
    ])
    await shop.wait(7 * DAY - MINUTE)
    expect(held(await shop.lines()).filter(({ gross }) => gross > 0)).toEqual([])
    await shop.wait(MINUTE)
    expect(held(await shop.lines())).toMatchObject([{ gross: 50 }, { gross: 5_000 }])
    expect(await broken(shop)).toEqual([])
  })

  it('belong to the profile of the payment, also where profiles share an account', async () => {
    const shop = shopWithSource()
    await shop.sell()
    const other = shop.context({ notifyUrl: 'http://tender.test/api/provider-webhook?profileId=2' })
    const window = { from: plus(shop.now(), -DAY), until: shop.now() }
    expect((await shop.page(window, undefined, other)).lines).toEqual([])
    const moved = shop.context({ notifyUrl: world.notifyUrl.replace('127.0.0.1', 'tender.test') })
    expect((await shop.page(window, undefined, moved)).lines).toHaveLength(1)
  })

  it('of a payment from an earlier version are made of what the bank knows of it', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell()
    await shop.refund(reference, 300n)
    await shop.control.dispute(reference, { outcome: 'open', amount: 200 })
    await world.db.query(
      sql(
        'test.lines_unknown',
        `update sandbox_bank.payments set document = (document::jsonb - 'lines')::json where account = $1`,
      ),
      [shop.appId],
    )
    const fee = feeOf('CreditCard', 1_000, 'EUR')
    const before = [
      { kind: 'sale', gross: 1_000, fee },
      { kind: 'refund', gross: -300 },
      { kind: 'dispute', gross: -200, fee: 1_500 },
    ]
    expect((await shop.lines()).map(short)).toMatchObject(before)
    await shop.wait(HOUR)
    const node = await sandboxWorld(world)
    await node.sandbox.control(node.http, shop.appId).dispute(reference, { outcome: 'won' })
    await node.close()
    expect((await shop.lines()).map(short)).toMatchObject([{ kind: 'dispute-reversal', gross: 200 }])
    expect(await broken(shop)).toEqual([])
  })

  it('that become known late come with the next report, not with one that was read', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell()
    await shop.wait(3 * DAY)
    await shop.lines()
    const late = sql(
      'test.late_line',
      `update sandbox_bank.payments set version = version + 1,
         document = jsonb_set(document::jsonb, '{lines}', document::jsonb -> 'lines' || $3::jsonb)::json
       where account = $1 and reference = $2`,
    )
    const line = { kind: 'refund', movement: 'ref_late', amount: -100, fee: 0, time: world.clock.now() }
    await world.db.query(late, [shop.appId, reference, JSON.stringify([line])])
    expect((await shop.lines()).map(short)).toEqual([{ kind: 'refund', gross: -100, fee: 0, net: -100 }])
  })

  it('are read in pages', async () => {
    const shop = shopWithSource()
    for (let n = 0; n < 5; n++) await shop.sell(BigInt(1_000 + n))
    await shop.lines()
    const many = sql(
      'test.many_lines',
      `insert into sandbox_bank.lines (account, line_id, shop, kind, payment_id, amount_minor, fee_minor,
         currency, line_time, available_time, first_time, report_time, recorded_time)
       select account, line_id || '_' || n, shop, kind, payment_id, 1, 0, currency, line_time, available_time,
         first_time, report_time, recorded_time
       from sandbox_bank.lines, generate_series(1, 99) n where account = $1`,
    )
    await world.db.query(many, [shop.appId])
    const window = { from: plus(shop.now(), -DAY), until: shop.now() }
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const { lines, next } = await shop.page(window, cursor)
      expect(lines.length).toBeLessThanOrEqual(200)
      ids.push(...lines.map(({ id }) => id))
      cursor = next
    } while (cursor)
    expect(new Set(ids).size).toBe(500)
    expect(ids).toHaveLength(500)
  })
})

describe('payouts', () => {
  it('are made at midnight of what is two days old, and add up', async () => {
    const shop = shopWithSource()
    await shop.control.payOut('Europe/Berlin')
    await shop.sell(1_000n)
    await shop.sell(2_000n)
    await shop.lines()
    await shop.wait(2 * DAY)
    expect((await shop.report()).flatMap(({ payouts }) => payouts)).toEqual([])
    await shop.wait(DAY)
    const pages = await shop.report()
    const [payout, ...others] = pages.flatMap(({ payouts }) => payouts)
    expect(others).toEqual([])
    expect(payout?.time.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('00:00:00')
    const lines = pages.flatMap((page) => page.lines).filter((line) => line.payout === payout?.id)
    const [own, rest] = [lines.filter(isPayout), lines.filter((line) => !isPayout(line))]
    expect(rest).toHaveLength(2)
    expect(payout?.amount).toEqual(money(sumOf(rest), 'EUR'))
    expect(own.map(({ gross }) => -gross.minor)).toEqual([payout?.amount.minor])
    expect(await broken(shop)).toEqual([])
  })

  it('are the same whether the account is read every day or once', async () => {
    const courses = await Promise.all(
      [1, 12].map(async (days) => {
        const shop = shopWithSource()
        await shop.wait(HOUR)
        await shop.sell(200_000n)
        await shop.wait(DAY)
        await shop.sell(500n)
        await shop.sell(700n, undefined, 'USD')
        const paid: unknown[] = []
        for (let day = 0; day < 12; day += days) {
          await shop.wait(days * DAY)
          const pages = await shop.report()
          paid.push(
            ...pages.flatMap(({ payouts }) => payouts).map(({ id, amount, time }) => [id, amount, time]),
          )
        }
        expect(await broken(shop)).toEqual([])
        return paid
      }),
    )
    expect(courses[0]).toHaveLength(4)
    expect(courses[1]).toEqual(courses[0])
  })

  it('wait while the balance is below zero, and pay the rest later', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell(1_000n)
    await shop.wait(4 * DAY)
    expect(await shop.control.payOut()).toMatchObject([{ amountMinor: 941n }])
    await shop.control.dispute(reference, { outcome: 'open' })
    await shop.wait(4 * DAY)
    expect(await shop.control.payOut()).toEqual([])
    await shop.sell(10_000n)
    await shop.wait(4 * DAY)
    expect(await shop.control.payOut()).toMatchObject([{ amountMinor: 9_680n - 2_500n }])
    expect(await broken(shop)).toEqual([])
  })

  it('can be made without waiting for midnight, once', async () => {
    const shop = shopWithSource()
    await shop.sell(1_000n)
    await shop.sell(1_000n, undefined, 'USD')
    expect(await shop.control.payOut()).toEqual([])
    await shop.wait(2 * DAY)
    const made = await shop.control.payOut()
    expect(made).toMatchObject([
      { amountMinor: 941n, currency: 'EUR', time: shop.now() },
      { amountMinor: 941n, currency: 'USD' },
    ])
    expect(await shop.control.payOut()).toEqual([])
    const read = (await shop.report()).flatMap(({ payouts }) => payouts)
    expect(read.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
    expect(await broken(shop)).toEqual([])
  })

  it('are answered once more by the helper when the clock made them', async () => {
    const shop = shopWithSource()
    await shop.sell(1_000n)
    await shop.wait(5 * DAY)
    const [read] = (await shop.report()).flatMap(({ payouts }) => payouts)
    expect(read).toBeDefined()
    expect(await shop.control.payOut()).toMatchObject([{ id: read?.id }])
  })

  it('are made once by two nodes at the same time', async () => {
    const shop = shopWithSource()
    for (let n = 0; n < 3; n++) await shop.sell()
    await shop.wait(3 * DAY)
    const there = await sandboxWorld(world)
    const other = there.sandbox.control(there.http, shop.appId)
    const made = await Promise.all([shop.control, other, shop.control, other].map((one) => one.payOut()))
    await there.close()
    expect(made.flat()).toHaveLength(1)
    expect(await broken(shop)).toEqual([])
  })
})

it('lines that do not agree with the ledger of the bank are found', async () => {
  const shop = shopWithSource()
  const reference = await shop.sell()
  await shop.refund(reference, 100n)
  await shop.control.dispute(reference, { outcome: 'open', amount: 50 })
  await shop.sell(200_000n)
  await shop.wait(4 * DAY)
  await shop.control.payOut()
  expect(await broken(shop)).toEqual([])
  const alter = sql(
    'test.alter_lines',
    'update sandbox_bank.lines set amount_minor = amount_minor + 1 where account = $1 and line_id = $2',
  )
  const kinds = sql<{ lineId: string }>(
    'test.lines_by_kind',
    'select distinct on (kind) line_id from sandbox_bank.lines where account = $1 order by kind, line_id',
  )
  const found: string[] = []
  for (const { lineId } of await world.db.query(kinds, [shop.appId])) {
    await world.db.query(alter, [shop.appId, lineId])
    found.push(...(await broken(shop)).map((problem) => problem.replace(/ (of payment )?\S+: .*/, '')))
  }
  expect(new Set(found)).toEqual(new Set(['sale', 'refund', 'disputes', 'reserve', 'payout']))
})

const isPayout = ({ kind }: SettledLine): boolean => kind === 'payout'

describe('a planted fault', () => {
  it('leaves a line out until the faults are cleared', async () => {
    const shop = shopWithSource()
    const [first, second] = [await shop.sell(1_000n), await shop.sell(2_000n)]
    await shop.control.plantSettlementFault({ kind: 'missing', reference: second })
    expect((await shop.lines()).map(({ reference }) => reference)).toEqual([first])
    await shop.wait(4 * DAY)
    const paid = await shop.lines()
    expect(paid.map(({ reference }) => reference)).toEqual([first, undefined])
    expect(paid.filter(isPayout).map(short)).toMatchObject([{ gross: -941 - 1_912 }])
    await shop.control.clearSettlementFaults()
    const late = await shop.lines()
    expect(late).toMatchObject([{ reference: second, payout: paid.at(-1)?.payout }])
    expect(await broken(shop)).toEqual([])
  })

  it('doubles a line under another id', async () => {
    const shop = shopWithSource()
    await shop.sell()
    await shop.control.plantSettlementFault({ kind: 'doubled' })
    const [line, again, ...rest] = await shop.lines()
    expect(rest).toEqual([])
    expect(again?.id).not.toBe(line?.id)
    expect(again).toMatchObject({ ids: line?.ids, reference: line?.reference, gross: line?.gross })
  })

  it('alters the gross amount, or the charged currency, of the next line only', async () => {
    const shop = shopWithSource()
    await shop.control.plantSettlementFault({ kind: 'altered' })
    await shop.control.plantSettlementFault({ kind: 'currency' })
    expect(await shop.lines()).toEqual([])
    for (let n = 0; n < 3; n++) {
      await shop.wait(1_000)
      await shop.sell()
    }
    expect(await shop.lines()).toMatchObject([
      { gross: money(1_100n, 'EUR'), net: money(1_041n, 'EUR') },
      { gross: money(1_000n, 'USD'), net: money(941n, 'EUR'), rate: '1' },
      { gross: money(1_000n, 'EUR'), net: money(941n, 'EUR') },
    ])
    expect(await broken(shop)).toEqual([])
  })

  it('does not touch a line that was reported, and waits for the next one of the payment', async () => {
    const shop = shopWithSource()
    const reference = await shop.sell()
    const [sale] = await shop.lines()
    await shop.control.plantSettlementFault({ kind: 'altered', reference })
    await shop.wait(4 * DAY)
    expect((await shop.lines()).find(({ id }) => id === sale?.id)?.gross).toEqual(sale?.gross)
    await shop.refund(reference, 400n)
    expect((await shop.lines()).map(short)).toMatchObject([{ kind: 'refund', gross: -300 }])
  })

  it('cuts a report in half, and the rest comes with the next one', async () => {
    const shop = shopWithSource()
    const sold: string[] = []
    for (let n = 0; n < 5; n++) {
      await shop.wait(1_000)
      sold.push(await shop.sell())
    }
    await shop.control.plantSettlementFault({ kind: 'cut' })
    expect((await shop.lines()).map(({ reference }) => reference)).toEqual(sold.slice(0, 3))
    await shop.wait(1_000)
    expect((await shop.lines()).map(({ reference }) => reference).sort()).toEqual(sold.slice(3).sort())
    await shop.wait(1_000)
    expect(await shop.lines()).toEqual([])
  })

  it('turns the order of a report around', async () => {
    const shop = shopWithSource()
    const sold: string[] = []
    for (let n = 0; n < 3; n++) {
      await shop.wait(1_000)
      sold.push(await shop.sell())
    }
    await shop.control.plantSettlementFault({ kind: 'order' })
    expect((await shop.lines()).map(({ reference }) => reference)).toEqual(sold.toReversed())
  })

  it('is refused above a hundred, and where it is not one', async () => {
    const shop = shopWithSource()
    await expect(shop.control.plantSettlementFault({ kind: 'other' as 'cut' })).rejects.toThrow(
      'kind must be',
    )
    for (let n = 0; n < 100; n++) await shop.control.plantSettlementFault({ kind: 'missing' })
    await expect(shop.control.plantSettlementFault({ kind: 'cut' })).rejects.toThrow('At most 100')
  })
})

it.each([
  'from=2026-01-01T00:00:00Z&until=2026-03-01T00:00:00Z&shop=a',
  'from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z&shop=a',
  'from=now&until=2026-01-01T00:00:00Z&shop=a',
  'from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z&shop=%00',
  "from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z&shop=a&cursor=f.1.'",
])('the bank refuses a report of %s', async (query) => {
  const headers = { authorization: `Bearer ${merchant(world).settings.apiKey}` }
  const url = `${world.browser.bankUrl}/v1/settled?${query}`
  expect(await world.http.call({ method: 'GET', url, headers })).toMatchObject({ kind: 'reply', status: 422 })
})

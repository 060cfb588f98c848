import { describe, expect, it } from 'vitest'
import { decimalText } from '../../base/money.ts'
import type { SettledPage } from '../settlement.ts'
import type { AdyenSettings } from './manifest.ts'
import { timeIn } from './report-time.ts'
import { settlements } from './settlements.ts'

const COLUMNS = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Payment Method'],
  ...['Creation Date', 'TimeZone', 'Type', 'Modification Reference', 'Gross Currency', 'Gross Debit (GC)'],
  ...['Gross Credit (GC)', 'Exchange Rate', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'],
  ...['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'],
  ...['Modification Merchant Reference', 'Batch Number'],
]
type Row = Readonly<Record<string, string>>

const row = (type: string, more: Row = {}): Row => ({
  ...{ 'Company Account': 'Shop', 'Merchant Account': 'ShopEU', 'Batch Number': '7', Type: type },
  ...{ 'Creation Date': '2026-11-01 12:00:00', TimeZone: 'CET', 'Net Currency': 'EUR' },
  ...more,
})
const payment = (type: string, side: 'Debit' | 'Credit', more: Row = {}): Row =>
  row(type, {
    ...{ 'Psp Reference': 'PSP0000000000001', 'Modification Reference': `MOD000000000${type.length}` },
    ...{ 'Gross Currency': 'EUR', [`Gross ${side} (GC)`]: '10.00', [`Net ${side} (NC)`]: '9.80' },
    ...more,
  })
const PAYOUT = row('MerchantPayout', { 'Modification Reference': 'TX1 batch 7', 'Net Debit (NC)': '9.80' })

const csv = (rows: readonly Row[], columns = COLUMNS) =>
  [columns, ...rows.map((one) => columns.map((name) => one[name] ?? ''))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')
const parse = (text: string | Uint8Array, merchantAccount = 'ShopEU') => {
  const config = { merchantAccount } as AdyenSettings
  return settlements.parse?.(typeof text === 'string' ? Buffer.from(text) : text, { config })
}
const pageOf = async (rows: readonly Row[]): Promise<SettledPage> => {
  const page = await parse(csv(rows))
  if (page?.kind !== 'page') throw new Error(JSON.stringify(page))
  return page
}
const sumsOf = async (rows: readonly Row[]) =>
  (await pageOf(rows)).lines.map(({ kind, gross, fee, net }) =>
    [kind, ...[gross, fee, net].map((one) => one && decimalText(one.minor, one.currency))].join(' '),
  )

describe('a settlement details report of Adyen', () => {
  it('has modifications of one payment as lines of their own', async () => {
    const rows = [
      payment('Settled', 'Credit'),
      payment('Refunded', 'Debit'),
      payment('RefundedReversed', 'Credit'),
      payment('Chargeback', 'Debit'),
      payment('ChargebackReversed', 'Credit'),
      payment('SecondChargeback', 'Debit'),
      PAYOUT,
    ]
    expect(await sumsOf(rows)).toEqual([
      'sale 10.00 0.20 9.80',
      'refund -10.00 -0.20 -9.80',
      'refund 10.00 0.20 9.80',
      'dispute -10.00 -0.20 -9.80',
      'dispute-reversal 10.00 0.20 9.80',
      'dispute -10.00 -0.20 -9.80',
      'payout -9.80 0.00 -9.80',
    ])
    const { lines, payouts } = await pageOf(rows)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(7)
    expect(new Set(lines.map(({ payout }) => payout))).toEqual(new Set(['7/EUR']))
    expect(payouts).toMatchObject([{ id: '7/EUR', amount: { minor: 980n }, bankReference: 'TX1 batch 7' }])
  })

  it('has rows of installments, the sales day and other acquirers, and of new types', async () => {
    const rows = [
      payment('SettledInstallment', 'Credit'),
      payment('SentForSettle', 'Credit'),
      payment('CaptureFailed', 'Debit'),
      payment('RefundedExternallyWithInfo', 'Debit'),
      payment('ChargebackReversedExternallyWithInfo', 'Credit'),
      payment('XASTransfer', 'Credit'),
      payment('NewestType', 'Debit'),
      row('AcquirerPayout', { 'Net Debit (NC)': '19.60' }),
    ]
    const { lines, payouts, bad, unlisted } = await pageOf(rows)
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['sale', 'sale', 'sale', 'refund', 'dispute-reversal', 'adjustment', 'adjustment', 'payout'],
    ])
    expect(payouts).toMatchObject([{ amount: { minor: 1_960n } }])
    expect([bad, unlisted]).toEqual([[], ['journal type newesttype']])
  })

  it('has rows about the batch without a reference', async () => {
    const fee = row('Fee', {
      'Modification Reference': 'Transaction Fees October 2026',
      'Net Debit (NC)': '12.50',
    })
    const { lines } = await pageOf([
      fee,
      fee,
      row('DepositCorrection', { 'Net Credit (NC)': '5.00' }),
      PAYOUT,
    ])
    expect(lines.map(({ kind, ids }) => [kind, ...ids])).toEqual([['fee'], ['fee'], ['reserve'], ['payout']])
    expect(lines[1]?.id).toBe(`${lines[0]?.id}/2`)
    expect((await sumsOf([fee, PAYOUT]))[0]).toBe('fee 0.00 12.50 -12.50')
  })

  it('has converted rows in the currency of the charge, with the rate and the sum of the fees', async () => {
    const dollars = { 'Gross Currency': 'USD', 'Exchange Rate': '0.92', 'Net Credit (NC)': '9.00' }
    const fees = { 'Markup (NC)': '0.10', 'Scheme Fees (NC)': '0.04', 'Interchange (NC)': '0.06' }
    const { lines } = await pageOf([payment('Settled', 'Credit', { ...dollars, ...fees }), PAYOUT])
    const [line] = lines
    expect(line).toMatchObject({
      gross: { minor: 1_000n, currency: 'USD' },
      ...{ fee: { minor: 20n, currency: 'EUR' }, net: { minor: 900n, currency: 'EUR' }, rate: '0.92' },
    })
  })

  it('is read by the names of its columns, in any order and with others', async () => {
    const columns = ['Shopper Email', ...COLUMNS.toReversed()]
    const shopper = { 'Shopper Email': 'jenny@example.com' }
    const page = await parse(csv([payment('Settled', 'Credit', shopper), PAYOUT], columns))
    expect(page).toMatchObject({ kind: 'page', lines: [{ kind: 'sale' }, { kind: 'payout' }] })
    expect(
      JSON.stringify(page, (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain('jenny')
  })

  it('names the operation, else the payment', async () => {
    const [reference, key] = ['A0000000000000000001', 'B0000000000000000002']
    const { lines } = await pageOf([
      payment('Settled', 'Credit', {
        'Merchant Reference': reference,
        'Modification Merchant Reference': `${reference}-${key}`,
      }),
      payment('Refunded', 'Debit', { 'Merchant Reference': reference }),
      payment('Chargeback', 'Debit', { 'Merchant Reference': 'order 5' }),
      PAYOUT,
    ])
    expect(lines.map(({ reference: named }) => named)).toEqual([key, reference, undefined, undefined])
  })

  it('of another merchant account is refused, and rows of others are left out', async () => {
    const other = { 'Merchant Account': 'ShopUS' }
    expect(await parse(csv([payment('Settled', 'Credit', other)]))).toMatchObject({
      kind: 'wrong',
      why: 'other-account',
    })
    const { lines } = await pageOf([
      payment('Settled', 'Credit', other),
      payment('Settled', 'Credit'),
      PAYOUT,
    ])
    expect(lines).toHaveLength(2)
  })

  it('that was cut is refused, wherever it was cut', async () => {
    const whole = csv([payment('Settled', 'Credit'), payment('Refunded', 'Debit'), PAYOUT])
    const body = whole.indexOf('\r\n') + 2
    const kinds = new Set<string>()
    for (let length = body + 1; length < whole.length - 30; length++) {
      const report = await parse(whole.slice(0, length))
      kinds.add(report?.kind === 'wrong' ? report.why : 'page')
    }
    expect([...kinds]).toEqual(['incomplete'])
    expect(await parse(csv([]))).toMatchObject({ kind: 'wrong', why: 'incomplete' })
  })

  it('of another kind is refused', async () => {
    for (const text of ['', 'a,b\n1,2\n', '{"a":1}', 'PK\u0003\u0004', 'x'.repeat(1024 * 1024)])
      expect(await parse(text), text.slice(0, 20)).toMatchObject({ kind: 'wrong', why: 'format' })
  })

  it('has bad rows beside its others', async () => {
    const page = await pageOf([
      payment('Settled', 'Credit', { 'Net Currency': '' }),
      payment('Settled', 'Credit', { 'Gross Credit (GC)': '10.005' }),
      payment('Settled', 'Credit', { TimeZone: 'XYZ' }),
      payment('Settled', 'Credit'),
      payment('SomethingNew', 'Credit'),
      PAYOUT,
    ])
    expect(page.bad.map(({ row: at }) => at)).toEqual(['2', '3', '4'])
    expect(page.lines.map(({ kind }) => kind)).toEqual(['sale', 'adjustment', 'payout'])
    expect(page.unlisted).toEqual(['journal type somethingnew'])
  })

  it('may have a byte-order mark, quotes and a line that is far too long', async () => {
    const long = `"${'x'.repeat(25 * 1024 * 1024)}"\r\n`
    const text = csv([payment('Settled', 'Credit', { 'Payment Method': '"visa, ""gold"""' }), PAYOUT])
    const page = await parse(`\ufeff${text}${long}`)
    expect(page).toMatchObject({ kind: 'page', bad: [{ row: '4' }] })
    expect(page?.kind === 'page' && page.lines.map(({ kind }) => kind)).toEqual(['sale', 'payout'])
  })
})

describe('times of reports', () => {
  it.each([
    ['2026-11-01 12:00:00', 'CET', '2026-11-01T11:00:00.000Z'],
    ['2026-07-01 12:00:00', 'CEST', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01 12:00:00', 'BST', '2026-07-01T11:00:00.000Z'],
    ['2026-11-01 12:00:00', 'PST', '2026-11-01T20:00:00.000Z'],
    ['2026-07-01 12:00:00', 'Europe/Amsterdam', '2026-07-01T10:00:00.000Z'],
    ['2026-11-01 12:00:00', 'XYZ', undefined],
    ['2026-06-31 12:00:00', 'CET', undefined],
    ['01/11/2026 12:00', 'CET', undefined],
    ['2026-11-01 12:00:00', 'constructor', undefined],
    ['2026-11-01 12:00:00', 'No/Where', undefined],
  ])('%s %s', (text, zone, expected) => {
    expect(timeIn(text, zone)?.toISOString()).toBe(expected)
  })
})

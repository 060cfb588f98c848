import { describe, expect, it } from 'vitest'
import { decimalText } from '../../base/money.ts'
import type { Json } from '../kit/json.ts'
import type { SettledLine } from '../settlement.ts'
import { pageOf } from './settlements.ts'

const item = (more: object): Json => ({
  ...{
    id: 'txn_1',
    object: 'balance_transaction',
    created: 1_790_000_000,
    currency: 'eur',
    exchange_rate: null,
  },
  ...{ amount: 1_000, fee: 59, net: 941, type: 'charge', reporting_category: 'charge', source: 'ch_1' },
  ...more,
})
const linesOf = (...items: Json[]) => pageOf(items, {}).lines
const sums = ({ kind, gross, fee, net }: SettledLine) =>
  [kind, ...[gross, fee, net].map((one) => one && decimalText(one.minor, one.currency))].join(' ')

describe('balance transactions of Stripe', () => {
  it('of a partial capture add up to what was captured', () => {
    const source = { id: 'ch_1', object: 'charge', amount: 1_000, amount_captured: 400, currency: 'eur' }
    const lines = linesOf(
      item({ source, fee: 42, net: 958 }),
      item({
        id: 'txn_2',
        source,
        amount: -600,
        fee: 0,
        net: -600,
        reporting_category: 'partial_capture_reversal',
      }),
    )
    expect(lines.map(sums)).toEqual(['sale 10.00 0.42 9.58', 'sale -6.00 0.00 -6.00'])
    expect(lines.map(({ ids }) => ids[0])).toEqual(['ch_1', 'ch_1'])
  })

  it('of a partial capture that is converted add up in the currency of the charge', () => {
    const source = { id: 'ch_1', object: 'charge', amount: 1_000, amount_captured: 400, currency: 'gbp' }
    const converted = { source, exchange_rate: 1.2, fee: 0 }
    const lines = linesOf(
      item({ ...converted, amount: 1_200, net: 1_200 }),
      item({ ...converted, amount: -720, net: -720, reporting_category: 'partial_capture_reversal' }),
    )
    expect(
      lines.map(({ gross, rate }) => [decimalText(gross.minor, gross.currency), gross.currency, rate]),
    ).toEqual([
      ['10.00', 'GBP', '1.2'],
      ['-6.00', 'GBP', '1.2'],
    ])
  })

  it('with the type adjustment are disputes by their category', () => {
    const source = { id: 'dp_1', object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1', amount: 1_000 }
    const type = { type: 'adjustment', source }
    const lines = linesOf(
      item({ ...type, amount: -1_000, fee: 1_500, net: -2_500, reporting_category: 'dispute' }),
      item({
        ...type,
        id: 'txn_2',
        amount: 1_000,
        fee: -1_500,
        net: 2_500,
        reporting_category: 'dispute_reversal',
      }),
      item({ ...type, id: 'txn_3', amount: 5, fee: 0, net: 5, reporting_category: 'other_adjustment' }),
    )
    expect(lines.map(sums)).toEqual([
      'dispute -10.00 15.00 -25.00',
      'dispute-reversal 10.00 -15.00 25.00',
      'adjustment 0.05 0.00 0.05',
    ])
    expect(lines[0]?.ids).toEqual(['dp_1', 'ch_1', 'pi_1'])
  })

  it('that are fees alone have no gross amount', () => {
    const fees = { amount: -200, fee: 0, net: -200, type: 'stripe_fee', source: null }
    expect(linesOf(item({ ...fees, reporting_category: 'fee' })).map(sums)).toEqual(['fee 0.00 2.00 -2.00'])
    expect(linesOf(item({ ...fees, reporting_category: 'tax' })).map(sums)).toEqual(['fee 0.00 2.00 -2.00'])
  })

  it('are in the decimals of their currency', () => {
    const grosses = linesOf(
      item({ currency: 'jpy', amount: 500, fee: 18, net: 482 }),
      item({ currency: 'kwd', amount: 12_340, fee: 100, net: 12_240 }),
      item({ currency: 'isk', amount: 50_000, fee: 100, net: 49_900 }),
    ).map(({ gross }) => `${decimalText(gross.minor, gross.currency)} ${gross.currency}`)
    expect(grosses).toEqual(['500 JPY', '12.340 KWD', '500 ISK'])
  })

  it('have the key of the refund, and the reference of the payment', () => {
    const refund = {
      id: 're_1',
      charge: 'ch_1',
      payment_intent: 'pi_1',
      metadata: { reference: 'A', operation: 'R' },
    }
    const charge = { id: 'ch_1', payment_intent: 'pi_1', metadata: { reference: 'A' } }
    const lines = linesOf(
      item({ source: refund, amount: -1_000, fee: 0, net: -1_000, reporting_category: 'refund' }),
      item({ id: 'txn_2', source: charge }),
    )
    expect(lines.map(({ kind, ids, reference }) => [kind, ids.join(' '), reference])).toEqual([
      ['refund', 're_1 ch_1 pi_1', 'R'],
      ['sale', 'ch_1 pi_1', 'A'],
    ])
  })

  it('of a payout belong to it, and the payout itself is a line of its own', () => {
    const out = item({
      source: 'po_1',
      amount: -941,
      fee: 0,
      net: -941,
      type: 'payout',
      reporting_category: 'payout',
    })
    expect(linesOf(out)).toMatchObject([{ kind: 'payout', payout: 'po_1' }])
    expect(pageOf([item({}), out], { payout: 'po_2' }).lines.map(({ payout }) => payout)).toEqual([
      'po_2',
      'po_2',
    ])
  })

  it('that cannot be read are bad rows, and the others count', () => {
    const page = pageOf(
      [
        item({ id: 'txn_a', currency: 'xxx' }),
        item({ id: 'txn_b', amount: '1000' }),
        item({ id: 'txn_c', created: null }),
        item({ id: 'txn_d', exchange_rate: 1.1 }),
        item({}),
      ],
      {},
    )
    expect(page.bad.map(({ row }) => row)).toEqual(['txn_a', 'txn_b', 'txn_c', 'txn_d'])
    expect(page.lines).toHaveLength(1)
  })

  it('of an unknown category are adjustments and counted; those of another balance are no lines', () => {
    const page = pageOf([item({ reporting_category: 'invented' }), item({ balance_type: 'issuing' })], {})
    expect(page.lines.map(({ kind }) => kind)).toEqual(['adjustment'])
    expect(page.unlisted).toEqual(['reporting category invented'])
  })

  it('are stored without what Stripe knows about the payer', () => {
    const source = {
      id: 'ch_1',
      amount: 1_000,
      currency: 'eur',
      billing_details: { name: 'Jenny', email: 'j@example.com' },
    }
    const [line] = linesOf(item({ source, description: 'Jenny Rosen' }))
    expect(line?.raw).not.toMatch(/Jenny|example\.com/)
    expect(JSON.parse(line?.raw ?? '')).toMatchObject({ id: 'txn_1', 'source.id': 'ch_1', amount: 1_000 })
  })
})

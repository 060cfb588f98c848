import { describe, expect, it } from 'vitest'
import { decimalText } from '../../base/money.ts'
import type { Json } from '../kit/json.ts'
import { entriesPage, payoutPage } from './settlements.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const entry = (
  type: string,
  [gross, fee, net]: readonly [number, number, number],
  more: object = {},
): Json => ({
  ...{ id: `poe_${type}`, payout_id: 'po_1', effective_at: '2026-11-01T10:00:00Z', type },
  ...{ gross_amount_money: usd(gross), fee_amount_money: usd(fee), net_amount_money: usd(net) },
  ...more,
})
const sumsOf = (...items: Json[]) =>
  entriesPage(items).lines.map(({ kind, gross, fee, net }) =>
    [kind, ...[gross, fee, net].map((one) => one && decimalText(one.minor, one.currency))].join(' '),
  )

describe('payout entries of Square', () => {
  it('that hold and release a payment are reserves', () => {
    const about = { type_hold_adjustment_details: { payment_id: 'P1' } }
    const lines = entriesPage([
      entry('HOLD_ADJUSTMENT', [-500, 0, -500], about),
      entry('RELEASE_ADJUSTMENT', [500, 0, 500]),
    ])
    expect(lines.lines.map(({ kind, ids }) => [kind, ...ids])).toEqual([['reserve', 'P1'], ['reserve']])
  })

  it('about a dispute take its amount, or give it back', () => {
    const about = { type_dispute_details: { payment_id: 'P1', dispute_id: 'D1' } }
    const page = entriesPage([
      entry('DISPUTE', [-500, 0, -500], about),
      entry('DISPUTE', [500, 0, 500], about),
    ])
    expect(page.lines.map(({ kind }) => kind)).toEqual(['dispute', 'dispute-reversal'])
    expect(page.lines[0]?.ids).toEqual(['D1', 'P1'])
  })

  it('that are fees alone have no gross amount, whichever member has it', () => {
    expect(
      sumsOf(entry('SUBSCRIPTION_FEE', [-900, 0, -900]), entry('PROCESSING_FEE_REFUND', [0, -30, 30])),
    ).toEqual(['fee 0.00 9.00 -9.00', 'fee 0.00 -0.30 0.30'])
  })

  it('that cannot be read are bad rows; an unknown type is an adjustment and counted', () => {
    const page = entriesPage([
      entry('CHARGE', [1, 0, 1], { net_amount_money: null }),
      entry('NEW', [1, 0, 1]),
    ])
    expect(page.bad).toEqual([{ row: 'poe_CHARGE', problem: { code: 'unreadable' } }])
    expect(page.lines.map(({ kind }) => kind)).toEqual(['adjustment'])
    expect(page.unlisted).toEqual(['activityType NEW'])
  })
})

it('a payout without entries is part of a later one, so it is not reported', () => {
  const payout = { id: 'po_1', status: 'PAID', created_at: '2026-11-01T10:00:00Z', amount_money: usd(100) }
  expect(payoutPage({ ...payout, type: 'SIMPLE' })).toMatchObject({ payouts: [], lines: [] })
  expect(payoutPage({ ...payout, type: 'BATCH' }).payouts).toHaveLength(1)
  expect(payoutPage({ ...payout, type: 'BATCH', amount_money: null }).bad).toHaveLength(1)
  expect(payoutPage(undefined)).toEqual({ kind: 'page', lines: [], payouts: [], bad: [] })
})

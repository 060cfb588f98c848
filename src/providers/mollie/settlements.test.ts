import { describe, expect, it } from 'vitest'
import type { Json } from '../kit/json.ts'
import { pageOf } from './settlements.ts'

const WINDOW = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-11-02T00:00:00Z') }
const eur = (value: string) => ({ currency: 'EUR', value })
const item = (more: object): Json => ({
  ...{
    id: 'baltr_1',
    type: 'payment',
    createdAt: '2026-11-01T10:00:00+00:00',
    context: { paymentId: 'tr_1' },
  },
  ...{ initialAmount: eur('10.00'), resultAmount: eur('9.71') },
  ...more,
})

describe('balance transactions of Mollie', () => {
  it('add up to what the balance changed by, whatever was deducted', () => {
    const deductionDetails = { fees: eur('-0.11'), reservations: eur('-0.09'), repayments: eur('-0.09') }
    const { lines } = pageOf([item({ deductions: eur('-0.29'), deductionDetails })], WINDOW)
    expect(lines.reduce((sum, { net }) => sum + (net?.minor ?? 0n), 0n)).toBe(971n)
    for (const { gross, fee, net } of lines) expect(gross.minor - (fee?.minor ?? 0n)).toBe(net?.minor)
  })

  it('have ids in the context, or below its type', () => {
    const contexts = [
      { refundId: 're_1', paymentId: 'tr_1' },
      { refund: { refundId: 're_1', paymentId: 'tr_1', refundDescription: 'For Jenny' } },
    ]
    for (const context of contexts) {
      const [line] = pageOf([item({ type: 'refund', context })], WINDOW).lines
      expect(line?.ids).toEqual(['re_1', 'tr_1'])
      expect(line?.raw).not.toContain('Jenny')
    }
  })

  it('of another day are of another window', () => {
    const times = ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
    const page = pageOf(
      times.map((createdAt, at) => item({ id: `baltr_${at}`, createdAt })),
      WINDOW,
    )
    expect(page.lines.map(({ id }) => id)).toEqual(['baltr_1'])
  })

  it('are of the kind of their type', () => {
    const types = [
      'capture',
      'returned-refund',
      'chargeback',
      'chargeback-reversal',
      'outgoing-transfer',
      'new',
    ]
    const page = pageOf(
      types.map((type) => item({ type })),
      WINDOW,
    )
    expect(page.lines.map(({ kind }) => kind)).toEqual([
      ...['sale', 'refund', 'dispute', 'dispute-reversal', 'payout', 'adjustment'],
    ])
    expect(page.unlisted).toEqual(['balanceTransactionType new'])
  })

  it('that cannot be read are bad rows', () => {
    const page = pageOf(
      [
        item({ resultAmount: eur('x') }),
        item({ initialAmount: { currency: 'USD', value: '1.00' } }),
        item({ createdAt: 7 }),
      ],
      WINDOW,
    )
    expect([page.lines.length, page.bad.length]).toEqual([0, 3])
  })
})

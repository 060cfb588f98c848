import { describe, expect, it } from 'vitest'
import { linesOf } from './settlements.ts'
import { type Invoice, invoiceIn, payoutIn, pullPaymentIn } from './wire.ts'

const NOW = new Date('2026-11-05T00:00:00Z')
const KEY = 'R0000000000000000001'
const invoice = (more: object = {}): Invoice => {
  const found = invoiceIn({
    ...{ id: 'I1', amount: '10.00', paidAmount: '10.00', currency: 'EUR', status: 'Settled' },
    ...{ createdTime: 1_793_000_000, metadata: { orderId: 'A0000000000000000001', buyerName: 'Jenny' } },
    ...more,
  })
  if (!found) throw new Error('the invoice cannot be read')
  return found
}
const refund = (state: string, amount = '4.00') => {
  const pull = pullPaymentIn({
    id: 'P1',
    name: 'Refund I1',
    amount: '4.00',
    currency: 'EUR',
    description: `Reference ${KEY}`,
  })
  const payout = payoutIn({ originalAmount: amount, originalCurrency: 'EUR', state, date: 1_793_100_000 })
  if (!pull || !payout) throw new Error('the refund cannot be read')
  return { pull, payouts: [payout] }
}
const lines = (of: Invoice, ...refunds: ReturnType<typeof refund>[]) =>
  linesOf({ invoice: of, now: NOW }, refunds, new Map())

describe('invoices of BTCPay', () => {
  it('are sales in the currency of the invoice, also if more was paid', () => {
    const [line] = lines(invoice({ paidAmount: '10.40' }))
    expect(line).toMatchObject({
      id: 'I1',
      kind: 'sale',
      ids: ['I1'],
      gross: { minor: 1_000n, currency: 'EUR' },
    })
    expect(line?.reference).toBe('A0000000000000000001')
    expect(line?.raw).not.toContain('Jenny')
  })

  it('are no lines before they are settled', () => {
    for (const status of ['New', 'Processing', 'Expired', 'Invalid'])
      expect(lines(invoice({ status, paidAmount: '0' })), status).toEqual([])
  })

  it('have refunds that the customer has claimed, at that time and with the key of the operation', () => {
    const of = invoice()
    expect(lines(of, refund('AwaitingPayment'))).toHaveLength(1)
    expect(lines(of, refund('Completed'))[1]).toMatchObject({
      ...{
        id: 'I1/P1',
        kind: 'refund',
        ids: ['P1', 'I1'],
        reference: KEY,
        gross: { minor: -400n, currency: 'EUR' },
      },
      time: new Date(1_793_100_000_000),
    })
  })
})

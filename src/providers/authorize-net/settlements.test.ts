import { describe, expect, it } from 'vitest'
import { batchIn, pageOf } from './settlements.ts'

const BATCH = { id: '7', time: new Date('2026-11-02T03:00:00Z'), state: 'settledSuccessfully' }
const transaction = (transactionStatus: string, more: object = {}) => ({
  ...{ transId: '42', transactionStatus, settleAmount: '10.50', invoiceNumber: 'A0000000000000000001' },
  ...more,
})
const linesOf = (...items: object[]) => pageOf(items, BATCH, 'USD').lines

describe('a batch of Authorize.Net', () => {
  it('has gross amounts only, with the sign that they have for the merchant', () => {
    const statuses = [
      'settledSuccessfully',
      'refundSettledSuccessfully',
      'returnedItem',
      'chargeback',
      'chargebackReversal',
    ]
    const lines = linesOf(...statuses.map((status) => transaction(status)))
    expect(lines.map(({ kind, gross }) => [kind, gross.minor])).toEqual([
      ['sale', 1_050n],
      ['refund', -1_050n],
      ['return', -1_050n],
      ['dispute', -1_050n],
      ['dispute-reversal', 1_050n],
    ])
    for (const line of lines) expect('fee' in line || 'net' in line || 'payout' in line).toBe(false)
  })

  it('keeps the sale of a debit that was returned: the return is in a later batch', () => {
    const sale = transaction('settledSuccessfully', { hasReturnedItems: true })
    const later = { ...BATCH, id: '9' }
    const back = transaction('returnedItem', { transId: '77' })
    expect(linesOf(sale).map(({ id, kind }) => [id, kind])).toEqual([['7/42', 'sale']])
    expect(pageOf([back], later, 'USD').lines).toMatchObject([{ id: '9/77', kind: 'return', ids: ['77'] }])
  })

  it('has no lines for what did not move money, nor if it failed', () => {
    expect(
      linesOf(...['voided', 'declined', 'settlementError', 'expired'].map((one) => transaction(one))),
    ).toEqual([])
    const failed = pageOf([transaction('settledSuccessfully')], { ...BATCH, state: 'settlementError' }, 'USD')
    expect(failed).toMatchObject({ lines: [], bad: [], unlisted: [] })
  })

  it('has bad rows beside its others, and counts a new status', () => {
    const page = pageOf(
      [
        transaction('settledSuccessfully', { settleAmount: 'ten' }),
        transaction('settledSuccessfully'),
        transaction('new'),
      ],
      BATCH,
      'USD',
    )
    expect([page.bad, page.lines.length]).toEqual([[{ row: '42', problem: { code: 'batch-line' } }], 1])
    expect(page.unlisted).toEqual(['transactionStatus new'])
  })

  it('is stored without names and digits of cards', () => {
    const payer = {
      firstName: 'Jenny',
      lastName: 'Rosen',
      accountNumber: 'XXXX1111',
      customerIP: '192.0.2.1',
    }
    expect(linesOf(transaction('settledSuccessfully', payer))[0]?.raw).not.toMatch(/Jenny|Rosen|1111|192/)
  })

  it('needs an id and a time', () => {
    expect(
      batchIn({ batchId: '7', settlementTimeUTC: '2026-11-02T03:00:00Z', settlementState: 'x' }),
    ).toBeDefined()
    expect(batchIn({ batchId: '0', settlementTimeUTC: '2026-11-02T03:00:00Z' })).toBeUndefined()
    expect(batchIn({ batchId: '7' })).toBeUndefined()
  })
})

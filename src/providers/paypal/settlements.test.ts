import { describe, expect, it } from 'vitest'
import { decimalText } from '../../base/money.ts'
import { pageOf } from './settlements.ts'

const usd = (value: string) => ({ currency_code: 'USD', value })
const transaction = (code: string, amount: string, more: object = {}) => ({
  transaction_info: {
    ...{ transaction_id: 'T1', transaction_event_code: code, transaction_status: 'S' },
    ...{ transaction_initiation_date: '2026-11-01T10:00:00Z', transaction_amount: usd(amount) },
    ...more,
  },
})
const kindOf = (code: string, amount: string) => pageOf([transaction(code, amount)]).lines[0]?.kind

describe('transactions of PayPal', () => {
  it.each([
    ['T0006', '10.00', 'sale'],
    ['T0003', '10.00', 'sale'],
    ['T0006', '-10.00', 'adjustment'],
    ['T1107', '-10.00', 'refund'],
    ['T1106', '-10.00', 'dispute'],
    ['T1118', '-10.00', 'dispute'],
    ['T1118', '10.00', 'dispute-reversal'],
    ['T1201', '-10.00', 'dispute'],
    ['T1202', '10.00', 'dispute-reversal'],
    ['T0106', '-20.00', 'fee'],
    ['T1108', '0.59', 'fee'],
    ['T0200', '-10.00', 'conversion'],
    ['T0400', '-10.00', 'payout'],
    ['T1700', '-10.00', 'payout'],
    ['T1701', '-10.00', 'payout'],
    ['T2301', '-10.00', 'adjustment'],
    ['T1101', '10.00', 'payout'],
    ['T1110', '-10.00', 'reserve'],
    ['T1111', '10.00', 'reserve'],
    ['T2101', '-10.00', 'reserve'],
    ['T1900', '10.00', 'adjustment'],
    ['T1199', '10.00', 'adjustment'],
  ])('with the code %s and %s are of the kind %s', (code, amount, kind) => {
    expect(kindOf(code, amount)).toBe(kind)
  })

  it('that are pending, denied, authorised or shown only are no lines', () => {
    const waiting = { transaction_status: 'P' }
    const denied = { transaction_status: 'D' }
    const page = pageOf([
      transaction('T0006', '10.00', waiting),
      transaction('T0006', '10.00', denied),
      transaction('T1300', '10.00'),
      transaction('T9800', '10.00'),
    ])
    expect(page).toMatchObject({ lines: [], bad: [], unlisted: [] })
    expect(pageOf([transaction('T0006', '10.00', { transaction_status: 'V' })]).lines).toHaveLength(1)
  })

  it('that are fees alone have no gross amount', () => {
    const [line] = pageOf([transaction('T0106', '-20.00')]).lines
    expect([line?.gross, line?.fee, line?.net].map((one) => one && decimalText(one.minor, 'USD'))).toEqual([
      ...['0.00', '20.00', '-20.00'],
    ])
  })

  it('have whole amounts in currencies without decimals', () => {
    const yen = {
      transaction_amount: { currency_code: 'JPY', value: '500' },
      fee_amount: { currency_code: 'JPY', value: '-58' },
    }
    const [line] = pageOf([transaction('T0006', '0', yen)]).lines
    expect([line?.gross.minor, line?.fee?.minor, line?.net?.minor]).toEqual([500n, 58n, 442n])
  })

  it('name the operation, else the payment, where these are ours', () => {
    const key = 'R0000000000000000001'
    const reference = 'A0000000000000000001'
    const references = pageOf([
      transaction('T1107', '-1.00', { custom_field: key, invoice_id: reference }),
      transaction('T0006', '1.00', { custom_field: 'Thank you', invoice_id: reference }),
      transaction('T0006', '1.00', { invoice_id: 'Invoice-005' }),
    ]).lines.map((line) => line.reference)
    expect(references).toEqual([key, reference, undefined])
  })

  it('of one id with two codes are two lines', () => {
    const ids = pageOf([transaction('T1503', '-5.00'), transaction('T1105', '5.00')]).lines.map(
      ({ id }) => id,
    )
    expect(ids).toEqual(['T1/T1503', 'T1/T1105'])
  })

  it('that cannot be read are bad rows; an unknown group is counted', () => {
    const page = pageOf([
      transaction('T0006', 'ten'),
      transaction('T0006', '1.00', { fee_amount: { currency_code: 'EUR', value: '-0.10' } }),
      transaction('T0006', '1.00', { fee_amount: null }),
      transaction('T7700', '1.00'),
      transaction('T0006', '1.00', { transaction_status: 'X' }),
      {},
    ])
    expect(page.bad).toHaveLength(5)
    expect(page.unlisted).toContain('transactionStatus X')
    expect(page.lines.map(({ kind }) => kind)).toEqual(['adjustment'])
    expect(page.unlisted).toContain('eventGroup T77')
  })

  it('are stored without notes and accounts of the payer', () => {
    const secret = {
      transaction_note: 'For Jenny',
      paypal_account_id: '6STWC2LSUYYYE',
      transaction_subject: 'Jenny',
    }
    expect(pageOf([transaction('T0006', '1.00', secret)]).lines[0]?.raw).not.toMatch(/Jenny|6STWC/)
  })
})

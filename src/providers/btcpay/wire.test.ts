import { describe, expect, it } from 'vitest'
import { convertedMinor, exactMinor, invoiceIn, listIn, payoutIn, pullPaymentIn } from './wire.ts'

const INVOICE = {
  id: 'HMprBnL9BTXWuPvpoKBS6e',
  status: 'New',
  additionalStatus: 'None',
  amount: '5.00',
  paidAmount: '0.0',
  currency: 'USD',
  checkoutLink: 'https://pay.example.com/i/HMprBnL9BTXWuPvpoKBS6e',
  expirationTime: 1_592_312_018,
  metadata: { orderId: 'A0000000000000000001' },
}

describe('amounts of the server', () => {
  it.each<[string, string, bigint | undefined]>([
    ['5.00', 'USD', 500n],
    ['5', 'USD', 500n],
    ['5.00000000', 'USD', 500n],
    ['0.5', 'JPY', undefined],
    ['500.0', 'JPY', 500n],
    ['12.345', 'KWD', 12_345n],
    ['5.001', 'USD', undefined],
    ['-5', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['', 'USD', undefined],
  ])('%s %s is %s minor units', (text, currency, minor) => {
    expect(exactMinor(text, currency)).toBe(minor)
  })

  it.each([
    ['0.00021000', '50000', 'EUR', 1050n],
    ['0.00020999', '50000', 'EUR', 1050n],
    ['1', '9123456.78', 'JPY', 9_123_457n],
  ])('%s coins at %s are worth %s %s', (coins, rate, currency, minor) => {
    expect(convertedMinor(coins, rate, currency)).toBe(minor)
  })
})

describe('an invoice', () => {
  it('is read with our reference and what was paid', () => {
    expect(invoiceIn({ ...INVOICE, paidAmount: '1.239' })).toMatchObject({
      orderId: 'A0000000000000000001',
      amount: { minor: 500n, currency: 'USD' },
      paidMinor: 123n,
      expiresAt: new Date(1_592_312_018_000),
    })
  })

  it.each([{ amount: 5 }, { amount: null }, { currency: 'BTC' }, { id: undefined }])(
    'with %o is not read',
    (wrong) => {
      expect(invoiceIn({ ...INVOICE, ...wrong })).toBeUndefined()
    },
  )

  it.each([null, 'text', [], 7])('is not %o', (body) => expect(invoiceIn(body)).toBeUndefined())

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not an address'])(
    'has no page at %s',
    (checkoutLink) => {
      expect(invoiceIn({ ...INVOICE, checkoutLink })).not.toHaveProperty('checkoutLink')
    },
  )

  it.each([
    ['Settled', 'None', 500n],
    ['Processing', 'None', 500n],
    ['Expired', 'PaidLate', 500n],
    ['Expired', 'PaidPartial', 0n],
    ['New', 'None', 0n],
  ])('%s %s has been paid %s, if an old server does not tell', (status, additionalStatus, paidMinor) => {
    const { paidAmount: _untold, ...old } = INVOICE
    expect(invoiceIn({ ...old, status, additionalStatus })).toMatchObject({ paidMinor })
  })
})

describe('lists', () => {
  it('leave out what cannot be read', () => {
    expect(listIn([INVOICE, null, {}], invoiceIn)).toHaveLength(1)
    expect(listIn({ items: [] }, invoiceIn)).toBeUndefined()
    expect(pullPaymentIn({ id: 'x', amount: '1', currency: 'EUR', viewLink: 'javascript:1' })).toEqual({
      ...{ id: 'x', amount: '1', currency: 'EUR', name: '', description: '', archived: false },
    })
    expect(payoutIn({ amount: '1', state: 'Completed' })).toEqual({
      amount: '1',
      state: 'Completed',
      currency: '',
    })
  })
})

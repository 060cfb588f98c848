import { describe, expect, it } from 'vitest'
import { type Money, money } from '../../base/money.ts'
import type { Breakdown } from '../amounts.ts'
import { operation, purchase } from '../contract/core.ts'
import type { Purchase } from '../port.ts'
import { refundCall, startCall } from './calls.ts'
import { manifest } from './manifest.ts'
import { moneyIn, wireMoney } from './money.ts'
import { orderIn } from './wire.ts'

const eur = (minor: bigint): Money => money(minor, 'EUR')

interface Sent {
  readonly purchase_units: readonly [
    {
      readonly description?: string
      readonly amount: { readonly breakdown?: object }
      readonly items?: object[]
    },
  ]
  readonly payment_source: { readonly paypal: { readonly email_address?: string } }
}

const sent = (overrides: Partial<Purchase>): Sent =>
  startCall(operation('start'), purchase({ method: 'Paypal', ...overrides }))?.json as unknown as Sent

describe('amounts', () => {
  it.each([
    [eur(1_050n), '10.50'],
    [money(500n, 'JPY'), '500'],
    [money(50_000n, 'HUF'), '500'],
    [money(100n, 'TWD'), '1'],
  ])('%o is sent as %s and read again', (amount, value) => {
    expect(wireMoney(amount)).toEqual({ currency_code: amount.currency, value })
    expect(moneyIn(wireMoney(amount))).toEqual(amount)
  })

  it('that PayPal cannot express or that are no amounts are refused', () => {
    expect(wireMoney(money(50_050n, 'HUF'))).toBeUndefined()
    expect(manifest.amountLimits?.('HUF', 'Paypal').multipleOf).toBe(100n)
    for (const value of [
      { currency_code: 'EUR', value: '-1.00' },
      { currency_code: 'EUR', value: '1.001' },
      '1',
      null,
    ])
      expect(moneyIn(value)).toBeUndefined()
    expect(moneyIn({ currency_code: 'XXX', value: '1.00' })).toBeUndefined()
  })
})

describe('an order', () => {
  const breakdown: Breakdown = {
    items: [{ name: 'Shoe', quantity: 2, unitAmount: eur(400n) }],
    tax: eur(150n),
    shipping: eur(200n),
    discount: eur(100n),
  }

  it('lists items, tax, shipping and discount if they add up', () => {
    const [unit] = sent({ breakdown }).purchase_units
    expect(unit.amount.breakdown).toEqual({
      item_total: { currency_code: 'EUR', value: '8.00' },
      tax_total: { currency_code: 'EUR', value: '1.50' },
      shipping: { currency_code: 'EUR', value: '2.00' },
      discount: { currency_code: 'EUR', value: '1.00' },
    })
    expect(unit.items).toEqual([
      { name: 'Shoe', quantity: '2', unit_amount: { currency_code: 'EUR', value: '4.00' } },
    ])
  })

  it('lists nothing if they do not add up, or PayPal cannot express a part', () => {
    const huf = (minor: bigint) => money(minor, 'HUF')
    const split: Breakdown = {
      items: [{ name: 'Shoe', quantity: 1, unitAmount: huf(950n) }],
      ...{ tax: huf(50n), shipping: huf(0n), discount: huf(0n) },
    }
    for (const wrong of [
      { breakdown: { ...breakdown, tax: eur(151n) } },
      { breakdown: { ...breakdown, items: [] } },
      { breakdown: { ...breakdown, items: [{ name: ' ', quantity: 2, unitAmount: eur(400n) }] } },
      { breakdown: { ...breakdown, items: [{ name: 'Shoe', quantity: 0.5, unitAmount: eur(1_600n) }] } },
      { amount: huf(1_000n), breakdown: split },
    ]) {
      const [unit] = sent(wrong).purchase_units
      expect(unit.amount).not.toHaveProperty('breakdown')
      expect(unit).not.toHaveProperty('items')
    }
  })

  it('has a description of at most 127 bytes on one line', () => {
    const [unit] = sent({ description: 'Größe\n'.repeat(100) }).purchase_units
    expect(Buffer.byteLength(unit.description ?? '')).toBeLessThanOrEqual(127)
    expect(unit.description).toMatch(/^Größe Größe/)
    expect(sent({ orderId: '17' }).purchase_units[0].description).toBe('Order 17')
  })

  it.each([
    ['ada@example.com', true],
    ['ada.love+lace@mail.example.co', true],
    ['ada@my-shop.example.com', true],
    ['ada@localhost', false],
    ['ada@my-shop', false],
    ['"ada"@example.com', false],
    ['ada@exämple.com', false],
    ['ada..b@example.com', false],
  ])('sends the address %s only if PayPal accepts it: %s', (email, isSent) => {
    const { paypal } = sent({ customer: { id: 'c', email } }).payment_source
    expect(paypal.email_address).toBe(isSent ? email : undefined)
  })
})

it('a refund carries the text of the merchant on one line', () => {
  const call = refundCall({ ...operation('refund'), description: 'sorry\nfor that' }, 'CAPTURE1', eur(100n))
  expect(call?.json).toMatchObject({ note_to_payer: 'sorry for that' })
})

describe('reading an order', () => {
  const order = {
    id: 'ORDER1',
    intent: 'CAPTURE',
    status: 'CREATED',
    purchase_units: [{ amount: { currency_code: 'EUR', value: '1.00' } }],
  }

  it('accepts a plain order and refuses one with a part that it cannot read', () => {
    expect(orderIn(order)).toMatchObject({ id: 'ORDER1', amount: eur(100n), captures: [] })
    const payments = { captures: [{ id: 'C1', status: 'COMPLETED' }] }
    for (const wrong of [
      undefined,
      'text',
      { ...order, id: '../other' },
      { ...order, intent: 'SALE' },
      { ...order, purchase_units: [] },
      { ...order, purchase_units: [...order.purchase_units, ...order.purchase_units] },
      { ...order, purchase_units: [{ ...order.purchase_units[0], payments }] },
    ])
      expect(orderIn(wrong)).toBeUndefined()
  })
})

describe('settings', () => {
  const parse = (value: unknown) => manifest.settings.parse(value, { isSandbox: true })

  it('need the id and the secret of a REST app; the webhook follows', () => {
    expect(parse({ clientId: 'A1', clientSecret: 'E1' })).toMatchObject({ ok: true })
    expect(parse({ clientId: 'A1', clientSecret: 'E1', webhookId: 'W1' })).toMatchObject({
      config: { webhookId: 'W1' },
    })
    for (const wrong of [
      undefined,
      {},
      { clientId: 'a:b', clientSecret: 'E1' },
      { clientId: 'A1', clientSecret: '' },
    ])
      expect(parse(wrong)).toMatchObject({ ok: false })
    expect(parse({ clientId: 'A1', clientSecret: 'E1', webhookId: '../1' })).toMatchObject({ ok: false })
  })
})

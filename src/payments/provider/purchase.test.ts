import { describe, expect, it } from 'vitest'
import { newPayment } from '../../../test/support/payment.ts'
import { money } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import { createProviders } from '../../providers/registry.ts'
import { addressOf, breakdownOf, purchaseOf } from './purchase.ts'

const eur = (minor: bigint) => money(minor, 'EUR')
const total = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
const ITEMS = [
  { name: 'Book', amount: 10, quantity: 2 },
  { name: 'Pen', amount: 1.5, quantity: 1 },
]

describe('the breakdown of a purchase', () => {
  it('has items, tax, shipping and discount when they add up', () => {
    const amount = { items: ITEMS, totalTax: 4.09, shipping: 5, discount: 1 }
    expect(breakdownOf(total(2_959n), { amount })).toEqual({
      items: [
        { name: 'Book', quantity: 2, unitAmount: eur(1_000n) },
        { name: 'Pen', quantity: 1, unitAmount: eur(150n) },
      ],
      tax: eur(409n),
      shipping: eur(500n),
      discount: eur(100n),
    })
  })

  it.each([
    ['does not add up', 2_151n, { amount: { items: ITEMS } }],
    ['has no items', 500n, { amount: { shipping: 5 } }],
    ['has another part', 2_150n, { amount: { items: ITEMS, handling: 1 } }],
    ['has a part of a cent', 2_150n, { amount: { items: [{ name: 'Book', amount: 21.505, quantity: 1 }] } }],
    ['has half an item', 1_500n, { items: [{ name: 'Book', amount: 10, quantity: 1.5 }] }],
    ['has an item without a name', 1_000n, { items: [{ amount: 10, quantity: 1 }] }],
  ])('is absent when the order %s', (_why, minor, order) =>
    expect(breakdownOf(total(minor), order)).toBeUndefined(),
  )
})

describe('the address of a purchase', () => {
  const address = { streetAddressLine1: 'Main St 1', city: 'Oslo', countryCode: 'no' }
  const customer = { firstName: 'Dana', lastName: 'Ro' }

  it('is that of the order', () => {
    const whole = { ...address, streetAddressLine2: '2nd floor', state: 'Oslo', zipCode: '0150' }
    expect(addressOf({ customer: { ...customer, address: whole } })).toEqual({
      ...{ name: 'Dana Ro', line1: 'Main St 1', line2: '2nd floor', city: 'Oslo', state: 'Oslo' },
      ...{ postalCode: '0150', country: 'NO' },
    })
    expect(addressOf({ customer: { address } })).toEqual({
      ...{ line1: 'Main St 1', city: 'Oslo', country: 'NO' },
    })
    const { countryCode: _code, ...other } = address
    const named = { ...other, country: 'NO' }
    expect(addressOf({ customer: { address: named } })).toMatchObject({ country: 'NO' })
  })

  it.each<[string, object]>([
    ['a street', { streetAddressLine1: ' ' }],
    ['a city', { city: undefined }],
    ['a country of two letters', { countryCode: 'Norway' }],
  ])('is absent without %s', (_what, missing) => {
    expect(addressOf({ customer: { ...customer, address: { ...address, ...missing } } })).toBeUndefined()
    expect(addressOf({})).toBeUndefined()
  })
})

describe('the wish to store the method', () => {
  const config = { publicUrl: 'https://pay.example.com' }
  const ctx = { providers: createProviders([]), config } as unknown as Context
  const stores = (provider: string, method: AnyMethod): boolean => {
    const app = { friendlyName: 'Shop', profiles: [{ profileId: 1, provider }] } as unknown as App
    return purchaseOf(ctx, app, newPayment({ autoPayment: 'Register', profileId: 1, method, attempt: 1 }), {})
      .storeMethod
  }

  it('is sent for the kinds, and for methods by name that can be stored', () => {
    expect([stores('adyen', 'CreditCard'), stores('adyen', 'apple-pay')]).toEqual([true, true])
    // The adapter refuses what it cannot store.
    expect(stores('btcpay', 'Crypto')).toBe(true)
  })

  it.each<[string, AnyMethod]>([
    ['stripe', 'eps'],
    ['mollie', 'blik'],
    ['adyen', 'klarna'],
    ['mollie', 'apple-pay'],
    ['square', 'cash-app'],
  ])('is not sent to %s for %s: it would refuse the page', (provider, method) => {
    expect(stores(provider, method)).toBe(false)
  })
})

import { expect, it } from 'vitest'
import { money } from '../base/money.ts'
import { fitPurchase } from './fit.ts'
import type { Purchase } from './port.ts'

const LIMITS = { description: 20, name: 10, email: 20, phone: 12, customerId: 40 }
const purchase = (more: Partial<Purchase>): Purchase => ({
  amount: money(100n, 'EUR'),
  sale: true,
  customerPresent: true,
  backUrl: 'https://tender.example/back',
  storeMethod: false,
  method: 'CreditCard',
  customer: { id: 'dana' },
  ...more,
})
const customerOf = (customer: Purchase['customer']) => fitPurchase(purchase({ customer }), LIMITS).customer

it('leaves texts within the limits unchanged', () => {
  const whole = purchase({
    customer: { id: 'dana', firstName: 'Dana', lastName: 'Ro', email: 'd@e.example', phone: '+4915112345' },
    description: 'A mug, blue',
    orderId: '7',
  })
  expect(fitPurchase(whole, LIMITS)).toEqual(whole)
})

it('joins lines and truncates descriptions and names, and omits empty results', () => {
  const { description } = fitPurchase(purchase({ description: 'Mug\r\n\tblue,  large, with a lid' }), LIMITS)
  expect(description).toBe('Mug blue, large, wit')
  expect(fitPurchase(purchase({ description: '\n\t' }), LIMITS)).not.toHaveProperty('description')
  expect(customerOf({ id: 'x', firstName: 'Anna\nMaria Theresia', lastName: ' ' })).toEqual({
    id: 'x',
    firstName: 'Anna Maria',
  })
})

it('omits an e-mail address or phone number that does not fit', () => {
  expect(customerOf({ id: 'x', email: 'a-very-long-name@shop.example', phone: '+49 151\n12' })).toEqual({
    id: 'x',
  })
})

it('keeps different customer ids different', () => {
  const ids = ['a\nb', 'a b', 'a\tb', `${'x'.repeat(41)}1`, `${'x'.repeat(41)}2`].map(
    (id) => customerOf({ id }).id,
  )
  expect(new Set(ids).size).toBe(5)
  expect(ids[1]).toBe('a b')
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(40)
})

it('omits a shipping address that does not fit, and never cuts one', () => {
  const shipping = { name: 'Anna Maria Theresia', line1: 'Main\nSt 1', city: 'Oslo', country: 'NO' }
  const fitted = (more: object) =>
    fitPurchase(purchase({ shipping: { ...shipping, ...more } }), LIMITS).shipping
  expect(fitted({ line2: ' ' })).toEqual({
    name: 'Anna Maria',
    line1: 'Main St 1',
    city: 'Oslo',
    country: 'NO',
  })
  for (const part of ['line1', 'line2', 'city', 'state', 'postalCode'])
    expect(fitted({ [part]: 'x'.repeat(301) })).toBeUndefined()
  expect(fitted({ city: '\n' })).toBeUndefined()
})

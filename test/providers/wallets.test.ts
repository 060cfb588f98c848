import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/providers/kit/json.ts'
import { METHOD_IDS } from '../../src/providers/methods/method.ts'
import { createProviders } from '../../src/providers/registry.ts'
import { storedMethodOf } from '../../src/providers/stripe/facts.ts'
import { enumerationIn, hasDescriptions, NO_DESCRIPTIONS } from './kit/descriptions.ts'

/** Cards in wallets, as they are stored. What pages offer is in the tests of each adapter. */

describe(`a stored card at Stripe (${hasDescriptions ? 'judged' : NO_DESCRIPTIONS})`, () => {
  const stored = (wallet: Json | null) =>
    storedMethodOf({
      ...{ id: 'pm_1', object: 'payment_method', type: 'card', customer: 'cus_1' },
      card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2034, fingerprint: 'F1', wallet },
    })

  it('says in which wallet it was', () => {
    expect(stored({ type: 'apple_pay', dynamic_last4: '1234', apple_pay: {} })).toMatchObject({
      ...{ label: 'Apple Pay, Visa •••• 4242', method: 'CreditCard', fingerprint: 'F1' },
      card: { brand: 'Visa', last4: '4242', wallet: 'apple-pay' },
    })
    expect(stored({ type: 'google_pay' })?.label).toBe('Google Pay, Visa •••• 4242')
  })

  it('without a wallet, or in another, says nothing of it', () => {
    for (const wallet of [null, { type: 'link' }, { type: 'invented' }]) {
      expect(stored(wallet)?.label).toBe('Visa •••• 4242')
      expect(stored(wallet)?.card).not.toHaveProperty('wallet')
    }
  })

  it.skipIf(!hasDescriptions)('the wallets are named as in the description', () => {
    const types = enumerationIn(
      'stripe-payments-2023-08-16.json',
      ...['components', 'schemas', 'payment_method_card_wallet', 'properties', 'type'],
    )
    expect(types).toEqual(expect.arrayContaining(['apple_pay', 'google_pay']))
  })
})

/** How Adyen charges them is in its own shop plugin: docs/guides/methods.md. */
it('wallets by name are stored at Adyen, as cards, and nowhere else', () => {
  const storing = [...createProviders([]).values()].flatMap(({ manifest: { id, methods } }) =>
    METHOD_IDS.filter((method) => methods[method]?.storeMethod).map((method) => [id, method]),
  )
  expect(storing).toEqual([
    ['adyen', 'apple-pay'],
    ['adyen', 'google-pay'],
  ])
})

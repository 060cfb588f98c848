import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../src/providers/methods/catalogue.ts'
import { METHOD_IDS } from '../../src/providers/methods/method.ts'
import { enumerationIn, hasDescriptions, NO_DESCRIPTIONS, textOf } from './kit/descriptions.ts'

/** Each id at a provider is compared with the provider's own description. */

const idsOf = (provider: 'adyen' | 'square' | 'stripe'): string[] =>
  METHOD_IDS.flatMap((id) => CATALOGUE[id].at[provider] ?? [])

describe.skipIf(!hasDescriptions)(
  `ids of methods at providers (${hasDescriptions ? 'judged' : NO_DESCRIPTIONS})`,
  () => {
    it('are types of the page at Stripe', () => {
      const types = enumerationIn(
        'stripe-requests-2026-10-28.endive.json',
        ...['components', 'schemas', 'Checkout.SessionCreateParams.AllowedPaymentMethodType'],
      )
      expect(types.length).toBeGreaterThan(40)
      expect(idsOf('stripe').filter((id) => !types.includes(id))).toEqual([])
    })

    it('are types of payment methods at Adyen', () => {
      const description = textOf('adyen-checkout-v72.json')
      expect(idsOf('adyen').filter((id) => !description.includes(`"${id}"`))).toEqual([])
    })

    it('are accepted methods of a link at Square', () => {
      const description = textOf('square-payments-2025-08-20.json')
      expect(idsOf('square').filter((id) => !description.includes(`"${id}"`))).toEqual([])
    })
  },
)

it('every method is at a provider, and has countries with codes and currencies with codes', () => {
  for (const id of METHOD_IDS) {
    const { at, countries, currencies, name } = CATALOGUE[id]
    expect(Object.keys(at).length, id).toBeGreaterThan(0)
    expect(name, id).not.toBe('')
    expect(countries.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true)
    expect(currencies.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
  }
})

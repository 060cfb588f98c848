import { expect, it } from 'vitest'
import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import type { AnyMethod } from '../providers/methods/method.ts'
import { mollie } from '../providers/mollie/adapter.ts'
import type { ProviderAdapter } from '../providers/port.ts'
import { stripe } from '../providers/stripe/adapter.ts'
import { candidateOf, methodsOf, obstacle } from './offers.ts'

/** A provider whose card fields are on the checkout. */
const fields = { ...stripe, manifest: { ...stripe.manifest, methods: { CreditCard: withFields() } } }
const ADAPTERS = { mollie, stripe, fields } as Record<string, unknown> as Record<string, ProviderAdapter>
const ctx = { providers: new Map(Object.entries(ADAPTERS)) } as unknown as Context

/** Why an active profile of the provider does not offer the method. */
function why(provider: string, method: AnyMethod, request: object, more: Partial<Profile> = {}): unknown {
  const profile = { profileId: 1, isActive: true, provider, currency: 'EUR', methods: [method], ...more }
  const app = { appId: 'app_1', profiles: [profile], routing: null, isSandbox: true } as unknown as App
  const abilities = ADAPTERS[provider]?.manifest.methods[method]
  if (!abilities) throw new Error(`${provider} has no ${method}`)
  const offer = { profile: profile as unknown as Profile, method, abilities }
  return obstacle(ctx, app, offer, { autoCapture: true, currency: 'EUR', ...request } as never)
}

it('a method by name is offered in its own currencies only', () => {
  expect(why('mollie', 'ideal', {})).toBeUndefined()
  expect(why('mollie', 'ideal', { currency: 'USD' })).toEqual({ kind: 'currency', currency: 'USD' })
  expect(why('mollie', 'blik', {})).toEqual({ kind: 'currency', currency: 'EUR' })
})

it('a bank account at a provider that knows those of one country is offered to payers there', () => {
  const usd = { currency: 'USD' }
  expect(why('stripe', 'ElectronicCheck', { ...usd, country: 'US' })).toBeUndefined()
  expect(why('stripe', 'ElectronicCheck', usd)).toBeUndefined()
  expect(why('stripe', 'ElectronicCheck', { ...usd, country: 'DE' })).toEqual({
    kind: 'country',
    country: 'DE',
  })
  // A stored account was accepted before.
  expect(why('stripe', 'ElectronicCheck', { ...usd, country: 'DE', isStored: true })).toBeUndefined()
  expect(why('stripe', 'CreditCard', { ...usd, country: 'DE' })).toBeUndefined()
})

it('a method by name is offered in its countries only, and where the country is not known', () => {
  expect(why('mollie', 'ideal', { country: 'NL' })).toBeUndefined()
  expect(why('mollie', 'ideal', { country: 'DE' })).toEqual({ kind: 'country', country: 'DE' })
  expect(why('mollie', 'apple-pay', { country: 'DE' })).toBeUndefined()
})

it('a method by name is offered up to the largest amount that it takes', () => {
  const francs = (amountMinor: bigint) => why('mollie', 'twint', { currency: 'CHF', amountMinor }, CHF)
  const CHF = { currency: 'CHF' }
  expect(francs(500_000n)).toBeUndefined()
  expect(francs(500_001n)).toMatchObject({ kind: 'largest', minor: 500_000n })
})

it('a method by name that the account lacks is not offered, the four kinds are', () => {
  const account = (...accountMethods: AnyMethod[]): Partial<Profile> => ({ accountMethods })
  expect(why('mollie', 'ideal', {}, account('eps'))).toEqual({ kind: 'off' })
  expect(why('mollie', 'ideal', {}, account('ideal'))).toBeUndefined()
  expect(why('mollie', 'CreditCard', {}, account('eps'))).toBeUndefined()
})

it('the checkout methods of a payment select as the groups of payment-checkout-methods do', () => {
  const wants = (provider: string, method: AnyMethod, methods: string[], more: object = {}) =>
    why(provider, method, { methods, ...more }) === undefined
  expect(why('stripe', 'CreditCard', { methods: ['Crypto'] })).toEqual({ kind: 'method' })
  const groups = ['CreditCard', 'ElectronicCheck', 'VerifiedPaymentMethod', 'ProviderHostedPage']
  expect(wants('mollie', 'Paypal', groups)).toBe(true)
  expect(wants('mollie', 'Paypal', ['CreditCard', 'VerifiedPaymentMethod'])).toBe(false)
  for (const method of ['Paypal', 'ideal', 'CreditCard'] as const)
    expect(wants('mollie', method, ['ProviderHostedPage'])).toBe(true)
  expect(wants('fields', 'CreditCard', ['ProviderHostedPage'])).toBe(false)
  expect(wants('fields', 'CreditCard', ['ProviderHostedPage'], { isStored: true })).toBe(false)
  expect(wants('fields', 'CreditCard', ['VerifiedPaymentMethod', 'Paypal'], { isStored: true })).toBe(true)
  // A new customer has no stored method: this group alone restricts nothing.
  expect(wants('fields', 'CreditCard', ['VerifiedPaymentMethod'])).toBe(true)
  expect(wants('fields', 'CreditCard', [])).toBe(true)
})

it('without automatic capture only methods with two steps are offered', () => {
  const later = { autoCapture: false }
  expect(why('mollie', 'ideal', later)).toEqual({ kind: 'capture' })
  expect(why('stripe', 'ideal', later)).toEqual({ kind: 'capture' })
  expect(why('stripe', 'klarna', later)).toBeUndefined()
})

it('the methods of a profile are in the order of the merchant', () => {
  const methods = ['ideal', 'CreditCard', 'eps', 'bancontact'] as const
  const profile = { provider: 'mollie', methods } as unknown as Profile
  expect(methodsOf(ctx, profile).map(({ method }) => method)).toEqual(methods)
})

it('3-D Secure is a reason where it is required, else the place behind profiles that can be asked', () => {
  const asking = (threeDSecure: string) => ({ threeDSecure }) as object
  expect(why('mollie', 'CreditCard', asking('RequireChallenge'))).toEqual({ kind: 'three-d-secure' })
  expect(why('mollie', 'CreditCard', asking('RequestChallenge'))).toBeUndefined()
  expect(why('stripe', 'CreditCard', asking('RequireChallenge'))).toBeUndefined()
  expect(why('mollie', 'ideal', asking('RequireChallenge'))).toBeUndefined()
  const asked = (provider: string, method: AnyMethod) => {
    const [offer] = methodsOf(ctx, { provider, methods: [method] } as unknown as Profile)
    if (!offer) throw new Error(`${provider} has no ${method}`)
    return candidateOf({ ...offer, threeDSecure: 'RequestChallenge' }).lacksThreeDSecure
  }
  expect([asked('mollie', 'CreditCard'), asked('stripe', 'CreditCard')]).toEqual([true, false])
})

function withFields() {
  const { CreditCard } = stripe.manifest.methods
  if (!CreditCard) throw new Error('stripe has no cards')
  return { ...CreditCard, fields: true }
}

import { expect, it } from 'vitest'
import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import type { AnyMethod } from '../providers/methods/method.ts'
import { mollie } from '../providers/mollie/adapter.ts'
import type { ProviderAdapter } from '../providers/port.ts'
import { stripe } from '../providers/stripe/adapter.ts'
import { obstacle } from './offers.ts'

const ADAPTERS = { mollie, stripe } as Record<string, unknown> as Record<string, ProviderAdapter>
const ctx = { providers: new Map(Object.entries(ADAPTERS)) } as unknown as Context

/** Why an active profile of the provider does not offer the method. */
function why(provider: string, method: AnyMethod, request: object): unknown {
  const profile = { profileId: 1, isActive: true, provider, currency: 'EUR', methods: [method] }
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

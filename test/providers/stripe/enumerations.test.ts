import { describe, expect, it } from 'vitest'
import { isListed } from '../../../src/providers/enumerations.ts'
import { LOCALES } from '../../../src/providers/stripe/calls.ts'
import { ENUMERATIONS } from '../../../src/providers/stripe/enumerations.ts'
import { SUBSCRIBED } from '../../../src/providers/stripe/events/names.ts'
import { enumerationIn, hasDescriptions } from '../kit/descriptions.ts'

const FILE = 'stripe-payments-2023-08-16.json'
const SCHEMAS = ['components', 'schemas'] as const
const ENDPOINTS = ['paths', '/v1/webhook_endpoints', 'post', 'requestBody', 'content'] as const
const EVENTS = [
  'application/x-www-form-urlencoded',
  'schema',
  'properties',
  'enabled_events',
  'items',
] as const

describe('the values of Stripe', () => {
  it('are in one list each', () => {
    for (const { handled, ignored } of Object.values(ENUMERATIONS)) {
      const all: readonly string[] = [...handled, ...ignored]
      expect(new Set(all).size).toBe(all.length)
    }
    expect(isListed(ENUMERATIONS['dispute status'], 'invented')).toBe(false)
  })

  it.skipIf(!hasDescriptions).each([
    ['payment intent status', [...SCHEMAS, 'payment_intent', 'properties', 'status']],
    ['checkout session status', [...SCHEMAS, 'checkout.session', 'properties', 'status']],
    ['event', [...ENDPOINTS, ...EVENTS]],
  ] as const)('are those of the official description: %s', (name, path) => {
    const values = enumerationIn(FILE, ...path).filter((value) => value !== '*')
    expect(values.length).toBeGreaterThan(2)
    expect(values.filter((value) => !isListed(ENUMERATIONS[name], value))).toEqual([])
  })

  it.skipIf(!hasDescriptions)('include every language of the page', () => {
    const path = [...SCHEMAS, 'Checkout.SessionCreateParams.Locale'] as const
    const values = enumerationIn('stripe-requests-2026-10-28.endive.json', ...path)
    expect(['auto', ...LOCALES]).toEqual(values)
  })

  it('that are handled are told: connecting subscribes to them', () => {
    expect(SUBSCRIBED).toEqual(expect.arrayContaining([...ENUMERATIONS.event.handled]))
  })
})

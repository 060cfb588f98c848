import { expect, test } from 'vitest'
import { parseRanges } from './base/addresses.ts'
import type { Config } from './config.ts'
import { startWarnings, welcomeText } from './welcome.ts'

const url = 'http://localhost:8080'
const firstRun = { appId: 'app_1', apiKey: 'sk_sandbox_1' }

test('the first start shows the address, App ID, API key, docs and where the operator token is', () => {
  const text = welcomeText({ url, role: 'all', firstRun, operatorTokenFile: '/data/operator-token' })
  for (const part of [url, `${url}/docs`, 'app_1', 'sk_sandbox_1', '/data/operator-token'])
    expect(text).toContain(part)
})

test('the first start shows a curl line that creates a payment', () => {
  const text = welcomeText({ url, role: 'all', firstRun })
  expect(text).toContain(`curl ${url}/api/apps/app_1/payments/hosted-page \\\n`)
  expect(text).toContain(`-H 'Authorization: Bearer sk_sandbox_1'`)
  const [, body = ''] = /-d '(.+)'/.exec(text) ?? []
  expect(JSON.parse(body)).toEqual({
    referenceId: 'order-1',
    amount: 25,
    currency: 'USD',
    returnUrl: 'https://example.com/thank-you',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'customer-1' } },
  })
})

test('a later start names the address, the docs and the console', () => {
  expect(welcomeText({ url, role: 'web' })).toBe(
    `Tender is ready at ${url} (docs: ${url}/docs)\n\n  Console  ${url}/console\n`,
  )
})

test('a worker prints its health address', () => {
  expect(welcomeText({ url, role: 'worker' })).toMatch(/^Tender works in the background.+health\/ready$/)
})

test('a start in development says when SANDBOX_BANK prevents the demo licence', () => {
  const eventsOf = (config: Partial<Config>) =>
    startWarnings({ role: 'all', publicUrl: url, production: false, ...config } as Config).map(
      ({ event }) => event,
    )
  expect(eventsOf({ sandboxBank: false })).toEqual(['demo.not_made'])
  expect(eventsOf({ sandboxBank: true })).toEqual([])
  expect(eventsOf({ sandboxBank: false, role: 'worker' })).toEqual([])
  expect(eventsOf({ sandboxBank: false, production: true })).toEqual([])
})

test('a start warns when PUBLIC_URL is https and no proxy is trusted', () => {
  const eventsOf = (config: Partial<Config>) =>
    startWarnings({ role: 'all', ...config } as Config).map(({ event }) => event)
  expect(eventsOf({ publicUrl: 'https://pay.example.com' })).toEqual(['proxy.none_trusted'])
  expect(eventsOf({ publicUrl: 'https://pay.example.com', role: 'worker' })).toEqual([])
  expect(eventsOf({ publicUrl: 'http://localhost:8080' })).toEqual([])
  const trustedProxies = parseRanges('10.0.0.1') ?? []
  expect(eventsOf({ publicUrl: 'https://pay.example.com', trustedProxies })).toEqual([])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/people/access/roles.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/** Keys, bots and settings with which a caller would get or give more than the own role or key has. */

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_grants', { rateLimit: 100_000 })
})
afterAll(() => world?.stop())

async function call(role: Role, method: string, path: string, body?: object) {
  const reply = await fetch(`${world.origin}${path.replace('{app}', `/api/apps/${world.sandbox.appId}`)}`, {
    method,
    headers: { cookie: `console=${world.tokens[role]}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: reply.status, json: (await reply.json().catch(() => null)) as any }
}

const withKey = (apiKey: string, method: string, path: string, body?: object) =>
  world.sandbox.call(method, path, body, { authorization: `Bearer ${apiKey}` })

describe('a Developer', () => {
  it('makes no key that may do more than the role', async () => {
    const made = await call('Developer', 'POST', '{app}/api-keys', { name: 'Shop' })
    expect([made.status, made.json.scopes]).toEqual([201, ['read']])
    const payment = await world.sandbox.paid()
    const refund = await withKey(made.json.apiKey, 'POST', `payments/${payment.paymentId}/refund`)
    expect(refund.body).toMatchObject({ status: 403, code: 'key_scope' })
  })
})

it('an API key does not switch off the code that binds it', async () => {
  const settings = { isTwoFactorAuthenticationEnabled: true, requireOtpForApiKeys: true }
  good(await world.sandbox.call('PATCH', '', settings))
  const off = await world.sandbox.call('PATCH', '', { requireOtpForApiKeys: false })
  expect(off.body).toMatchObject({ status: 403, code: 'protected_setting' })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionsOf, ROLES, type Role } from '../../../src/people/access/roles.ts'
import { mayManage } from '../../../src/people/members/rules.ts'
import { AFTER_PROOFS, giveSecondFactor, startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/** Keys, bots and settings with which a caller would get or give more than the own role or key has. */

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_grants', { rateLimit: 100_000 })
})
afterAll(() => world?.stop())

/** The path may begin with `{app}` or `{team}`. */
async function call(role: Role, method: string, path: string, body?: object) {
  const { appId } = world.sandbox
  const full = path.replace('{app}', `/api/apps/${appId}`).replace('{team}', `/api/team/resources/${appId}`)
  const reply = await fetch(`${world.origin}${full}`, {
    method,
    headers: { cookie: `console=${world.tokens[role]}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: reply.status, json: (await reply.json().catch(() => null)) as any }
}

const withKey = (apiKey: string, method: string, path: string, body?: object) =>
  world.sandbox.call(method, path, body, { authorization: `Bearer ${apiKey}` })

const newKey = async (body: object) => good(await world.sandbox.call('POST', 'api-keys', body))

const FORBIDDEN = { status: 403, json: { code: 'forbidden' } }

describe('a Developer', () => {
  it('makes keys that read, and none that may do more than the role', async () => {
    const made = await call('Developer', 'POST', '{app}/api-keys', { name: 'Shop' })
    expect([made.status, made.json.scopes]).toEqual([201, ['read']])
    const { paymentId } = await world.sandbox.paid()
    const refund = await withKey(made.json.apiKey, 'POST', `payments/${paymentId}/refund`)
    expect(refund.body).toMatchObject({ status: 403, code: 'key_scope' })
    for (const access of [{ fullAccess: true }, { scopes: ['refunds'] }, { scopes: ['read', 'settings'] }])
      expect(await call('Developer', 'POST', '{app}/api-keys', access)).toMatchObject(FORBIDDEN)
  })

  it('makes no bot that may do more', async () => {
    expect(await call('Developer', 'POST', '{team}/bots?botName=x')).toMatchObject(FORBIDDEN)
    for (const role of ['Bot', 'Admin', 'Manager', 'Support'])
      expect([
        role,
        await call('Developer', 'POST', `{team}/roles/${role}/bots`, { name: 'x' }),
      ]).toMatchObject([role, FORBIDDEN])
    for (const role of ['Viewer', 'Developer'])
      expect((await call('Developer', 'POST', `{team}/roles/${role}/bots`, { name: 'x' })).status).toBe(200)
  })

  it('gets no such key by rolling it, and revokes it nevertheless', async () => {
    const { keyId, apiKey } = await newKey({ fullAccess: true })
    expect(await call('Developer', 'POST', `{app}/api-keys/${keyId}/rotate`)).toMatchObject(FORBIDDEN)
    expect(await call('Developer', 'POST', `/api/team/users/${keyId}/bot/reset-api-key`)).toMatchObject(
      FORBIDDEN,
    )
    const rolled = await world.post('Developer', `developers/keys/${keyId}/rotate`, { overlap: 'none' })
    expect([rolled.status, rolled.html.includes('sk_sandbox_')]).toEqual([403, false])
    expect((await withKey(apiKey, 'GET', '')).status).toBe(200)
    expect((await call('Developer', 'DELETE', `{app}/api-keys/${keyId}`)).status).toBe(200)
    const reading = await newKey({})
    expect((await call('Developer', 'POST', `{app}/api-keys/${reading.keyId}/rotate`)).status).toBe(201)
  })

  it('is offered what the role may give', async () => {
    const form = async (role: Role) => (await world.get(role, 'developers/keys/new')).html
    const offered = (html: string) =>
      [...html.matchAll(/name="scope" value="(\w+)"/g)].map(([, name]) => name)
    expect(offered(await form('Developer'))).toEqual(['read'])
    expect(await form('Developer')).not.toContain('value="all"')
    expect(offered(await form('Owner'))).toHaveLength(6)
    expect(await form('Owner')).toContain('value="all"')
    const fields = { name: 'x', access: 'all' }
    const made = await world.post('Developer', 'developers/keys', fields, 'developers/keys/new')
    expect([made.status, made.html.includes('sk_sandbox_')]).toEqual([403, false])
  })

  it('does not redirect money', async () => {
    const profile = { provider: 'sandbox', name: 'Mine', currency: 'USD' }
    const tries: readonly [string, string, object][] = [
      ['POST', '{app}/payment-profiles', profile],
      ['PATCH', '{app}/payment-profiles/1', { settings: { accountKey: 'x' } }],
      ['POST', '{app}/payment-profiles/1/connect', {}],
      ['PUT', '{app}/routing', { routes: [], defaults: [] }],
      ['PATCH', '{app}', { paymentWebhookUrl: 'https://evil.example/' }],
      ['PATCH', '{app}/checkout-page', { domain: 'pay.evil.example' }],
    ]
    for (const [method, path, body] of tries)
      expect([path, await call('Developer', method, path, body)]).toMatchObject([path, FORBIDDEN])
    for (const path of ['providers/add', 'routing/route'])
      expect((await world.get('Developer', path)).status).toBe(403)
    const webhooks = await world.post('Developer', 'developers/webhooks', { url: 'https://evil.example/' })
    expect(webhooks.status).toBe(403)
  })
})

it('owners and admins give full access, and bots get what their role has', async () => {
  for (const role of ['Owner', 'Admin'] as const)
    expect((await call(role, 'POST', '{app}/api-keys', { fullAccess: true })).json.scopes).toBe(null)
  const scopesOf = async (path: string) => {
    const { userId } = (await call('Admin', 'POST', path, { name: 'x' })).json
    const keys = good(await world.sandbox.call('GET', 'api-keys'))
    return keys.find(({ keyId }: { keyId: string }) => keyId === userId)?.scopes
  }
  expect(await scopesOf('{team}/bots?botName=x')).toBe(null)
  expect(await scopesOf('{team}/roles/Bot/bots')).toBe(null)
  expect(await scopesOf('{team}/roles/Manager/bots')).toEqual([
    ...['read', 'payments', 'refunds', 'reviews', 'customers'],
  ])
  expect(await scopesOf('{team}/roles/Developer/bots')).toEqual(['read'])
  expect(await scopesOf('{team}/roles/Viewer/bots')).toEqual(['read'])
})

it('no role gives a role that may do more', () => {
  for (const by of ROLES)
    for (const other of ROLES.filter((role) => mayManage(by, role))) {
      const own = permissionsOf(by)
      expect([by, other, [...permissionsOf(other)].filter((one) => !own.has(one))]).toEqual([by, other, []])
    }
})

const PROTECTED = {
  isTwoFactorAuthenticationEnabled: true,
  requireOtpForApiKeys: true,
  maxThresholdRefundCountDaily: 5,
  refundProcessReceiverEmails: ['a@shop.example', 'b@shop.example'],
}
const LOOSER = [
  { isTwoFactorAuthenticationEnabled: false },
  { isTwoFactorAuthenticationEnabled: { value: null } },
  { requireOtpForApiKeys: false },
  { maxThresholdRefundCountDaily: 6 },
  { maxThresholdRefundCountDaily: { value: null } },
  { refundProcessReceiverEmails: ['a@shop.example', 'evil@shop.example'] },
  { refundProcessReceiverEmails: { value: null } },
]

describe('what protects refunds', () => {
  it('is tightened by a key, and loosened by none', async () => {
    const { apiKey } = await newKey({ scopes: ['settings'] })
    good(await withKey(apiKey, 'PATCH', '', PROTECTED))
    for (const key of [apiKey, world.sandbox.apiKey])
      for (const body of LOOSER)
        expect([body, (await withKey(key, 'PATCH', '', body)).body]).toMatchObject([
          body,
          { status: 403, code: 'forbidden' },
        ])
    const tighter = {
      maxThresholdRefundCountDaily: 4,
      refundProcessReceiverEmails: ['c@shop.example', ...PROTECTED.refundProcessReceiverEmails],
    }
    expect((await withKey(apiKey, 'PATCH', '', { ...PROTECTED, ...tighter })).status).toBe(200)
    expect((await withKey(apiKey, 'PATCH', '', { friendlyName: 'Shop' })).status).toBe(200)
  })

  it('is loosened by a person with a code', async () => {
    await world.sandbox.settings(PROTECTED)
    for (const body of LOOSER)
      expect([body, (await call('Owner', 'PATCH', '{app}', body)).json]).toMatchObject([
        body,
        { status: 403, TypeName: 'NeedToActive2FaException' },
      ])
    // The sign-in was before the second factor, so its proof had no code.
    const codeNow = await giveSecondFactor(world, 'Owner', AFTER_PROOFS)
    const limit = { maxThresholdRefundCountDaily: 6 }
    expect((await call('Owner', 'PATCH', '{app}', limit)).json).toMatchObject({
      status: 403,
      TypeName: 'Need2FaException',
    })
    expect((await call('Owner', 'PATCH', `{app}?otpCode=${codeNow()}`, limit)).status).toBe(200)
    await giveSecondFactor(world, 'Owner')
    for (const body of LOOSER) {
      await world.sandbox.settings(PROTECTED)
      expect([body, (await call('Owner', 'PATCH', '{app}', body)).status]).toEqual([body, 200])
    }
  })
})

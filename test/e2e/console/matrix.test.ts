import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../../src/app.ts'
import { parseRanges } from '../../../src/base/addresses.ts'
import type { Route } from '../../../src/http/route.ts'
import { KEY_SCOPES, type KeyScope } from '../../../src/merchants/keys/scopes.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../src/people/access/roles.ts'
import { APP_RULES, accessOf } from '../../../src/people/access/table.ts'
import { testHelperRoutes } from '../../../src/sandbox/helpers/routes.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/** Every route of an app, in the API and in the console, for every role, in the own and a foreign licence. */

let world: TestConsole
let foreignId: string
let routes: readonly Route[]
beforeAll(async () => {
  const config = { trustedProxies: parseRanges('127.0.0.1') ?? [] }
  world = await startTestConsole('console_matrix', { rateLimit: 100_000, config })
  foreignId = (await world.tender.newMerchant()).sandbox.appId
  const { sharedLimits: _, ...ctx } = world.tender.service.ctx
  // The helpers of the sandbox are added with a bank only, which nothing here calls.
  const helpers = testHelperRoutes(world.tender.service.ctx, {} as Sandbox, [])
  routes = [...composeServer(ctx, undefined).routes(), ...helpers]
    // Routes for people alone are about the person of the session, whatever app the path names.
    .filter(
      ({ path, auth }) =>
        auth !== 'person' && /^\/(?:api\/apps|console|api\/team\/resources)\/\{appId\}/.test(path),
    )
})
afterAll(() => world?.stop())

const permissionFor = (method: string, path: string) => accessOf(routes).get(`${method} ${path}`)?.permission

const filled = (path: string, appId: string): string =>
  path.replace('{appId}', appId).replaceAll(/\{\w+\}/g, '999999999')

/** Each request has an address of its own, so that they share no limit. */
let clients = 0
const newClient = () => {
  clients++
  return { 'x-forwarded-for': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` }
}

const ask = (role: (typeof ROLES)[number], { method, path }: Route, appId: string) =>
  fetch(`${world.origin}${filled(path, appId)}`, {
    method,
    redirect: 'manual',
    headers: {
      ...newClient(),
      cookie: `console=${world.tokens[role]}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })

it('every route of an app has a permission', () => {
  const missing = routes
    .filter(({ method, path }) => permissionFor(method, path) === undefined)
    .map(({ method, path }) => `${method} ${path}`)
  expect(missing).toEqual([])
})

it('every row of the table is a route', () => {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  expect([...APP_RULES.keys()].filter((row) => !known.has(row))).toEqual([])
})

it('every permission is of use, and every role has less than the one above', () => {
  const used = new Set(routes.map(({ method, path }) => permissionFor(method, path)))
  // RoleWriteOwner is asked for by the command; LicenseManagement by the page that connects shops.
  const elsewhere = ['RoleWriteOwner', 'LicenseManagement']
  expect(PERMISSIONS.filter((one) => !used.has(one) && !elsewhere.includes(one))).toEqual([])
  expect(permissionsOf('Owner').size).toBeGreaterThan(permissionsOf('Admin').size)
  expect(permissionsOf('Admin').size).toBeGreaterThan(permissionsOf('Manager').size)
})

/** A form that is refused for its missing id was allowed by the role. */
const isForged = (html: string): boolean => html.includes('The form was out of date')

describe.each(ROLES)('%s', (role) => {
  it('may call exactly the routes of the role', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const permission = permissionFor(route.method, route.path)
      const reply = await ask(role, route, world.sandbox.appId)
      const text = await reply.text()
      const isRefused = reply.status === 403 && !isForged(text) && !text.includes('sandbox_only')
      const isAllowed = permission !== undefined && permissionsOf(role).has(permission)
      if (isRefused === isAllowed || reply.status === 401 || reply.status >= 500)
        wrong.push(`${route.method} ${route.path} ${reply.status}`)
    }
    expect(wrong).toEqual([])
  })
})

// The other roles may do less than an owner, also where they are no member.
it.each(['Owner', 'Support'] as const)('%s may call no route of another licence', async (role) => {
  const wrong: string[] = []
  for (const route of routes) {
    const { status } = await ask(role, route, foreignId)
    if (![403, 404].includes(status)) wrong.push(`${route.method} ${route.path} ${status}`)
  }
  expect(wrong).toEqual([])
})

const callWith = (apiKey: string, { method, path }: Route, appId: string) =>
  fetch(`${world.origin}${filled(path, appId)}`, {
    method,
    headers: {
      ...newClient(),
      authorization: `Bearer ${apiKey}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })

/**
 * What each scope may call, written by hand and not read from the table that the service uses. Relative to
 * `/api/apps/{appId}`. What another scope or none may call is refused.
 */
const READ_PAYMENTS = [
  ...['GET /payments', 'GET /payments/{paymentId}', 'GET /payments/{paymentId}/provider-log'],
  ...['GET /payments/summary', 'GET /payments/referenceId:{referenceId}'],
]
const READ_PROVIDERS = ['GET /payment-profiles', 'GET /payment-providers', 'GET /routing']
const READ_CUSTOMERS = ['GET /customers', 'GET /customers/{customerId}/payment-methods']
const READ_POLICIES = ['GET /fraud-policies', 'POST /fraud-policies/{fraudPolicyId}/simulate']
const ALLOWED: Readonly<Record<KeyScope, readonly string[]>> = {
  read: [
    ...[...READ_PAYMENTS, ...READ_PROVIDERS, ...READ_CUSTOMERS, ...READ_POLICIES, 'GET ', 'GET /panel-link'],
    ...['GET /payments/overview', 'GET /events', 'GET /webhooks', 'GET /api-log', 'GET /api-keys'],
    'GET /webhook-endpoints',
  ],
  payments: [
    ...[...READ_PAYMENTS, ...READ_PROVIDERS, 'GET ', 'GET /panel-link'],
    ...['POST /payments/hosted-page', 'POST /payments/auto-payment', 'POST /payments/{paymentId}/capture'],
    ...['POST /payments/{paymentId}/cancel', 'POST /payments/{paymentId}/mark-as-refund'],
  ],
  refunds: [...READ_PAYMENTS, 'POST /payments/{paymentId}/refund'],
  reviews: [...READ_PAYMENTS, 'POST /payments/{paymentId}/unhold'],
  customers: [
    ...[...READ_CUSTOMERS, 'POST /customers', 'PATCH /customers/{customerId}'],
    ...['GET /customers/{customerId}/panel-link'],
    'DELETE /customers/{customerId}/payment-methods/{paymentMethodId}',
  ],
  settings: [
    ...[...READ_PROVIDERS, ...READ_POLICIES, 'GET ', 'GET /panel-link', 'PATCH ', 'PATCH /checkout-page'],
    ...['POST /clear-all', 'POST /payment-profiles', 'PATCH /payment-profiles/{paymentProfileId}'],
    ...['PUT /routing', 'POST /fraud-policies', 'PATCH /fraud-policies/{fraudPolicyId}/rules'],
    ...['POST /webhook-endpoints', 'PATCH /webhook-endpoints/{endpointId}'],
  ],
}
const NEVER = [
  ...['POST /api-keys', 'POST /api-keys/{keyId}/rotate', 'DELETE /api-keys/{keyId}'],
  ...['POST /webhook-signing-secret', 'POST /webhooks/{eventId}/resend', 'POST /test-helpers/clock'],
  ...['POST /customers/{customerId}/erase', 'POST /webhook-endpoints/{endpointId}/secret'],
]
const SAMPLES = [...new Set([...Object.values(ALLOWED).flat(), ...NEVER])]

const full = (sample: string): string => sample.replace(' ', ' /api/apps/{appId}')

/** What a key meets on every API route: refused for its scopes, or not. */
async function refusedByScope(apiKey: string): Promise<{ refused: string[]; wrong: string[] }> {
  const refused: string[] = []
  const wrong: string[] = []
  for (const route of routes.filter(({ path }) => path.startsWith('/api/'))) {
    const reply = await callWith(apiKey, route, world.sandbox.appId)
    const { code } = ((await reply.json().catch(() => null)) ?? {}) as { code?: string }
    const name = `${route.method} ${route.path}`
    if (code === 'key_scope') refused.push(name)
    if (reply.status === 401 || reply.status >= 500) wrong.push(`${name} ${reply.status}`)
  }
  return { refused, wrong }
}

const newKey = async (scopes: readonly string[] | null): Promise<string> =>
  good(await world.sandbox.call('POST', 'api-keys', scopes ? { scopes } : { fullAccess: true })).apiKey

describe('an API key', () => {
  it.each(KEY_SCOPES)('with the scope %s may call its routes and no others', async (scope) => {
    const { refused, wrong } = await refusedByScope(await newKey([scope]))
    const refusedOf = (samples: readonly string[]) => samples.filter((one) => refused.includes(full(one)))
    expect(refusedOf(ALLOWED[scope])).toEqual([])
    const others = SAMPLES.filter((sample) => !ALLOWED[scope].includes(sample))
    expect(refusedOf(others)).toEqual(others)
    expect(wrong).toEqual([])
  })

  it('is tried on samples that exist', () => {
    const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
    expect(SAMPLES.filter((sample) => !known.has(full(sample)))).toEqual([])
  })

  it('without scopes may call all of them', async () => {
    expect(await refusedByScope(await newKey(null))).toEqual({ refused: [], wrong: [] })
  })

  it('with all scopes may not make keys, erase customers, change the team or move the clock', async () => {
    const { refused } = await refusedByScope(await newKey(KEY_SCOPES))
    expect(NEVER.filter((sample) => !refused.includes(full(sample)))).toEqual([])
    expect(refused.filter((name) => name.startsWith('GET '))).toEqual([
      'GET /api/team/resources/{appId}/user-roles',
      'GET /api/team/resources/{appId}/roles',
    ])
  })
})

it('nothing is open without a session or key', async () => {
  const wrong: string[] = []
  for (const { method, path } of routes) {
    const reply = await fetch(`${world.origin}${filled(path, world.sandbox.appId)}`, {
      method,
      redirect: 'manual',
      headers: newClient(),
    })
    const isClosed =
      reply.status === 401 || (reply.status === 303 && reply.headers.get('location')?.includes('/sign-in'))
    if (!isClosed) wrong.push(`${method} ${path} ${reply.status}`)
  }
  expect(wrong).toEqual([])
})

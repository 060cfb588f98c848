import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../../src/app.ts'
import { parseRanges } from '../../../src/base/addresses.ts'
import type { Route } from '../../../src/http/route.ts'
import { KEY_SCOPES } from '../../../src/merchants/keys/scopes.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../src/people/access/roles.ts'
import { scopeAllows, scopesFor } from '../../../src/people/access/scopes.ts'
import { permissionFor } from '../../../src/people/access/table.ts'
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
  routes = composeServer(ctx, undefined)
    .routes()
    // Routes for people alone are about the person of the session, whatever app the path names.
    .filter(
      ({ path, auth }) =>
        auth !== 'person' && /^\/(?:api\/apps|console|api\/team\/resources)\/\{appId\}/.test(path),
    )
})
afterAll(() => world?.stop())

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

  it('may call no route of another licence', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const { status } = await ask(role, route, foreignId)
      if (![403, 404].includes(status)) wrong.push(`${route.method} ${route.path} ${status}`)
    }
    expect(wrong).toEqual([])
  })
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

/** What a key meets on every API route: refused for its scopes, or not. */
async function refusedByScope(apiKey: string): Promise<{ refused: string[]; wrong: string[] }> {
  const refused: string[] = []
  const wrong: string[] = []
  for (const route of routes.filter(({ path }) => path.startsWith('/api/'))) {
    const reply = await callWith(apiKey, route, world.sandbox.appId)
    const { code } = (await reply.json().catch(() => ({}))) as { code?: string }
    const name = `${route.method} ${route.path}`
    if (code === 'key_scope') refused.push(name)
    if (reply.status === 401 || reply.status >= 500) wrong.push(`${name} ${reply.status}`)
  }
  return { refused, wrong }
}

const newKey = async (scopes: readonly string[] | null): Promise<string> =>
  good(await world.sandbox.call('POST', 'api-keys', { scopes })).apiKey

describe('an API key', () => {
  it.each(KEY_SCOPES)('with the scope %s may call exactly its routes', async (scope) => {
    const { refused, wrong } = await refusedByScope(await newKey([scope]))
    const expected = routes
      .filter(({ path }) => path.startsWith('/api/'))
      .filter(({ method, path }) => !scopeAllows(scope, permissionFor(method, path) ?? 'LicenseManagement'))
      .map(({ method, path }) => `${method} ${path}`)
    expect(refused).toEqual(expected)
    expect(expected.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it('without scopes may call all of them', async () => {
    expect(await refusedByScope(await newKey(null))).toEqual({ refused: [], wrong: [] })
  })

  it('with any scopes may not make keys, erase customers or change the team', () => {
    for (const permission of ['DeveloperWrite', 'CustomerErase', 'RoleWrite', 'LicenseManagement'] as const)
      expect(scopesFor(permission)).toEqual([])
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

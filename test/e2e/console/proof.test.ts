import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../../src/app.ts'
import { parseRanges } from '../../../src/base/addresses.ts'
import { HOUR, MINUTE } from '../../../src/base/clock.ts'
import { sql } from '../../../src/db/database.ts'
import type { Route } from '../../../src/http/route.ts'
import { accessOf } from '../../../src/people/access/table.ts'
import { sessions } from '../../../src/people/sessions/cache.ts'
import { selectTotp } from '../../../src/people/store/secrets.ts'
import { codeOf, stepOf } from '../../../src/people/totp/totp.ts'
import { giveSecondFactor, startTestConsole, type TestConsole } from '../../support/console.ts'

/** What a session may do when its proof is two hours old, and when it is fresh. */

let world: TestConsole
let routes: readonly Route[]
beforeAll(async () => {
  const config = { trustedProxies: parseRanges('127.0.0.1') ?? [] }
  world = await startTestConsole('console_proof', { rateLimit: 100_000, config })
  const { sharedLimits: _, ...ctx } = world.tender.service.ctx
  routes = composeServer(ctx, undefined).routes()
})
afterAll(() => world?.stop())

const AGE = sql('test.age', 'update person_sessions set proven_time = $1')

/** Sets when all people gave their last proof. */
async function proven(msAgo: number): Promise<void> {
  const { ctx } = world.tender.service
  await ctx.db.query(AGE, [new Date(ctx.clock.now().getTime() - msAgo)])
  sessions(ctx).clear()
}

let clients = 0
async function call(method: string, path: string, body?: object, token = world.tokens.Owner) {
  clients++
  const reply = await fetch(`${world.origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      // Each request has an address of its own, so that they share no limit.
      'x-forwarded-for': `10.9.${clients >> 8}.${clients & 255}`,
      cookie: `console=${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = /json/.test(reply.headers.get('content-type') ?? '')
  const { status, headers } = reply
  const json = isJson ? JSON.parse(text) : undefined
  return { status, location: headers.get('location'), headers, text, json }
}

const REFUSED = { status: 403, json: { code: 'otp_required', TypeName: 'Need2FaException' } }

type Request = readonly [method: string, path: string, body?: object]

/** What a stolen session could turn into lasting access. */
const lasting = (live: string): readonly Request[] => [
  ['POST', `/api/team/resources/${live}/roles/Owner/users/email:evil@example.com`],
  ['POST', `/api/team/resources/${live}/roles/Owner/users/usr_viewer`],
  ['POST', `/api/team/resources/${live}/bots?botName=evil`],
  ['POST', `/api/apps/${live}/twofactor/qr-code`],
  ['POST', `/api/apps/${live}/twofactor/activate?otpCode=123456`],
  ['GET', '/api/licenses/best-license?generateBot=true'],
  ['POST', `/api/apps/${live}/api-keys`, { name: 'evil' }],
  ['PATCH', `/api/apps/${live}`, { isTwoFactorAuthenticationEnabled: false }],
]

describe('with a proof that is two hours old', () => {
  it('a session gets no lasting access by the API', async () => {
    await proven(2 * HOUR)
    for (const [method, path, body] of lasting(world.live.appId))
      expect([path, await call(method, path, body)]).toMatchObject([path, REFUSED])
  })

  it('it reads as before, and API keys are bound by their scopes instead', async () => {
    await proven(2 * HOUR)
    for (const path of ['/api/licenses/best-license', `/api/apps/${world.live.appId}/api-keys`])
      expect((await call('GET', path)).status).toBe(200)
    expect((await world.sandbox.call('POST', 'api-keys', { name: 'Shop' })).status).toBe(201)
  })
})

it('a complete sign-in of the last five minutes is a proof', async () => {
  await proven(0)
  const app = `/api/apps/${world.live.appId}`
  expect((await call('GET', '/api/licenses/best-license?generateBot=true')).status).toBe(200)
  expect((await call('POST', `${app}/api-keys`, { name: 'Shop' })).status).toBe(201)
  expect((await call('PATCH', app, { friendlyName: 'Acme' })).status).toBe(200)
})

const APP = '/api/apps/{appId}'
const TEAM = '/api/team/resources/{appId}'
const CONSOLE = '/console/{appId}'
const PROFILE = '/console/profile'
const both = (...paths: readonly string[]) => paths.flatMap((path) => [`GET ${path}`, `POST ${path}`])

/** Written by hand and not read from the table that the service uses. */
const SENSITIVE: readonly string[] = [
  'DELETE /api/team/resources/{appId}/roles/{roleId}',
  'GET /console/{appId}/approvals/{approvalId}/approve',
  'GET /console/{appId}/books/journal',
  'GET /console/{appId}/disputes/{disputeId}/accept',
  'GET /console/{appId}/payouts/export',
  'GET /console/{appId}/payouts/{payoutId}/lines',
  'GET /console/{appId}/team/roles/new',
  'GET /console/{appId}/team/roles/{roleId}',
  'GET /console/{appId}/team/roles/{roleId}/remove',
  'POST /api/apps/{appId}/disputes/{disputeId}/accept',
  'POST /api/apps/{appId}/refund-approvals/{approvalId}/approve',
  'POST /api/team/resources/{appId}/roles',
  'POST /console/{appId}/approvals/{approvalId}/approve',
  'POST /console/{appId}/disputes/{disputeId}/accept',
  'POST /console/{appId}/team/roles/new',
  'POST /console/{appId}/team/roles/{roleId}',
  'POST /console/{appId}/team/roles/{roleId}/remove',
  'PUT /api/team/resources/{appId}/roles/{roleId}',
  // keys, secrets, settings, providers, routing, erasure
  ...[`POST ${APP}/api-keys`, `POST ${APP}/api-keys/{keyId}/rotate`, `DELETE ${APP}/api-keys/{keyId}`],
  ...[`POST ${APP}/webhook-signing-secret`, `DELETE ${APP}/webhook-signing-secret`],
  ...[`POST ${APP}/webhook-endpoints`, `POST ${APP}/webhook-endpoints/{endpointId}/secret`],
  ...[`PATCH ${APP}/webhook-endpoints/{endpointId}`, `DELETE ${APP}/webhook-endpoints/{endpointId}`],
  ...[`PATCH ${APP}`, `PATCH ${APP}/checkout-page`, `DELETE ${APP}/checkout-domain`],
  ...[`POST ${APP}/payment-profiles`, `PATCH ${APP}/payment-profiles/{paymentProfileId}`],
  `DELETE ${APP}/payment-profiles/{paymentProfileId}`,
  ...[`POST ${APP}/payment-profiles/{paymentProfileId}/connect`, `PUT ${APP}/routing`],
  ...[`POST ${APP}/customers/{customerId}/erase`, `POST ${APP}/exports`, `POST ${APP}/export-schedules`],
  ...[`POST ${APP}/customers/{customerId}/payment-methods/import`, `POST ${APP}/imports`],
  ...[`GET ${APP}/exports/{exportId}/file`, `PATCH ${APP}/export-schedules/{scheduleId}`],
  // people, roles, bots, second factor, licence keys
  ...[`POST ${TEAM}/roles/{roleId}/users/email:{email}`, `POST ${TEAM}/roles/{roleId}/users/{userId}`],
  ...[`DELETE ${TEAM}/roles/{roleId}/users/{userId}`, `POST ${TEAM}/roles/{roleId}/bots`],
  ...[`POST ${TEAM}/bots`, 'POST /api/team/users/{userId}/bot/reset-api-key'],
  ...['PATCH /api/team/users/{userId}/bot', 'GET /api/licenses/best-license'],
  ...['qr-code', 'activate', 'deactivate'].map((step) => `POST ${APP}/twofactor/${step}`),
  // the console: exports, erasure, providers, routing
  ...[`GET ${CONSOLE}/payments/export`, `GET ${CONSOLE}/audit/export`],
  ...both(`${CONSOLE}/exports/imports/new`, `${CONSOLE}/exports/everything`),
  ...both(`${CONSOLE}/exports/new`, `${CONSOLE}/exports/schedules/new`),
  ...[`GET ${CONSOLE}/exports/{exportId}/file`, `POST ${CONSOLE}/exports/schedules/{scheduleId}/pause`],
  `POST ${CONSOLE}/exports/schedules/{scheduleId}/resume`,
  ...both(`${CONSOLE}/customers/{customerId}/erase`, `${CONSOLE}/providers/add/{provider}`),
  ...both(`${CONSOLE}/providers/{profileId}/credentials`, `${CONSOLE}/providers/{profileId}/disable`),
  ...both(`${CONSOLE}/providers/{profileId}/enable`, `${CONSOLE}/providers/{profileId}/remove`),
  ...['', '/methods', '/fees', '/connect'].map((end) => `POST ${CONSOLE}/providers/{profileId}${end}`),
  ...both(`${CONSOLE}/routing/route`, `${CONSOLE}/routing/remove`),
  ...['move', 'default', 'failover'].map((end) => `POST ${CONSOLE}/routing/${end}`),
  // developers, team, settings
  ...[`GET ${CONSOLE}/developers/keys/new`, `POST ${CONSOLE}/developers/keys`],
  ...both(`${CONSOLE}/developers/keys/{keyId}/rotate`, `${CONSOLE}/developers/keys/{keyId}/revoke`),
  ...[`POST ${CONSOLE}/developers/webhooks`, ...both(`${CONSOLE}/developers/webhooks/secret`)],
  ...[`POST ${CONSOLE}/developers/endpoints/{endpointId}`, ...both(`${CONSOLE}/developers/endpoints/new`)],
  ...both(...['secret', 'remove'].map((end) => `${CONSOLE}/developers/endpoints/{endpointId}/${end}`)),
  ...both(`${CONSOLE}/team/invite`, `${CONSOLE}/team/leave`, `${CONSOLE}/team/shops/{host}/disconnect`),
  ...[`POST ${CONSOLE}/team/invitations/{linkId}/withdraw`, `POST ${CONSOLE}/team/members/{personId}/enable`],
  ...['role', 'remove', 'reset-password', 'reset-second-factor', 'sign-out', 'disable'].flatMap((end) =>
    both(`${CONSOLE}/team/members/{personId}/${end}`),
  ),
  ...['', '/host', '/data'].map((end) => `POST ${CONSOLE}/settings${end}`),
  ...both(...['host/remove', 'danger/block', 'danger/unblock'].map((end) => `${CONSOLE}/settings/${end}`)),
  // the person
  ...both(...['', '/off', '/codes'].map((end) => `${PROFILE}/second-factor${end}`)),
  ...both(`${PROFILE}/passkeys/new`, `${PROFILE}/passkeys/remove`, '/auth/signin'),
  ...[`GET ${PROFILE}/passkeys/new/options`, `POST ${PROFILE}/password`],
  // the operator
  ...both(
    ...['new', '{licenseId}/invite', '{licenseId}/enter'].map((end) => `/console/system/licenses/${end}`),
  ),
]

/** These change nothing without a parameter of the query. */
const QUERY: Readonly<Record<string, string>> = {
  'GET /api/licenses/best-license': '?generateBot=true',
  'GET /auth/signin': '?grantAuthorization=true&returnUrl=https%3A%2F%2Fshop.example%2F',
  'POST /auth/signin': '?grantAuthorization=true&returnUrl=https%3A%2F%2Fshop.example%2F',
}

/** Sign-out would end the session; the event streams do not end. */
const LEFT_OUT = ['POST /console/sign-out', `GET ${CONSOLE}/payments/{paymentId}/events`]

/** Routes that a session opens. */
const sessionRoutes = (): string[] =>
  routes
    .filter(({ path, auth }) => auth === 'app' || auth === 'person' || /^\/(?:console|auth)\//.test(path))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !LEFT_OUT.includes(name))

async function asksForProof(name: string): Promise<boolean> {
  const [method = '', path = ''] = name.split(' ')
  const filled = path.replace('{appId}', world.sandbox.appId).replaceAll(/\{\w+\}/g, '999999999')
  const { location, json } = await call(method, filled + (QUERY[name] ?? ''))
  if (location?.startsWith('/console/profile/proof?next=')) return true
  return json?.code === 'otp_required' && json.TypeName === 'Need2FaException'
}

it('every route of the tables asks for a fresh proof, or does not, as it must', async () => {
  const names = sessionRoutes()
  expect(SENSITIVE.filter((name) => !names.includes(name))).toEqual([])
  await proven(2 * HOUR)
  const asking: string[] = []
  for (const name of names) if (await asksForProof(name)) asking.push(name)
  expect(asking.sort()).toEqual([...SENSITIVE].sort())
})

it('no route asks for a proof that was just given', async () => {
  const asking: string[] = []
  for (const name of sessionRoutes()) {
    // What it does to the own session is not looked at here.
    await proven(0)
    if (await asksForProof(name)) asking.push(name)
  }
  expect(asking).toEqual([])
})

it('leads back to the page that asked, or to the page of the form', async () => {
  await giveSecondFactor(world, 'Owner')
  await proven(2 * HOUR)
  const base = `/console/${world.sandbox.appId}`
  const asked = async (method: string, path: string) => {
    const { location } = await call(method, base + path)
    const page = await call('GET', location ?? '')
    const next = new URL(location ?? '', world.origin).searchParams.get('next')
    // The form of the proof keeps it, so it is a page of this service.
    expect(page.text).toContain(`name="next" value="${next?.replaceAll('&', '&amp;')}"`)
    return next?.replace(base, '')
  }
  expect(await asked('GET', '/payments/export?q=state%3Afailed&x=1')).toBe(
    '/payments/export?q=state%3Afailed&x=1',
  )
  expect(await asked('GET', "/customers/d'ana(1)*/erase")).toBe('/customers/d%27ana%281%29%2A/erase')
  expect(await asked('POST', '/developers/keys')).toBe('/developers/keys/new')
  expect(await asked('POST', '/providers/7/fees')).toBe('/providers/7')
  expect(await asked('POST', '/routing/route?place=2')).toBe('/routing/route?place=2')
})

it('pages of the operator do not exist for others, who are not asked for a proof either', async () => {
  await proven(2 * HOUR)
  const pages = [...accessOf(routes)].filter(([name]) => name.includes('/console/system/'))
  expect(pages).toHaveLength(7)
  for (const [name] of pages) {
    const [method = '', path = ''] = name.split(' ')
    const { status } = await call(method, path.replace('{licenseId}', 'lic_x'), undefined, world.tokens.Admin)
    expect([name, status]).toEqual([name, 404])
  }
})

it('every proof of the console leads back to a page', () => {
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const lost = [...accessOf(routes)]
    .filter(([name, { proof }]) => proof && /^(?:GET|POST) \/(?:console|auth)\//.test(name))
    .map(([name, { page }]) => {
      const [, path = ''] = name.split(' ')
      const root = path.startsWith(CONSOLE) ? CONSOLE : '/console'
      return page === undefined ? path : root + page
    })
    .filter((path) => !pages.has(path))
  expect(lost).toEqual([])
})

describe('a second factor', () => {
  /** The code that is valid now, and was not used before. */
  async function codeNow(personId: string): Promise<string> {
    const { ctx } = world.tender.service
    const found = await selectTotp(ctx.db, personId)
    await ctx.db.query(sql('test.step', 'update people set totp_last_step = 0'))
    const secret = Buffer.from(ctx.vault.open(found?.totpSecret ?? new Uint8Array()), 'base64')
    return codeOf(secret, stepOf(ctx.clock.now()))
  }

  const PROVEN = sql<{ provenTime: Date }>(
    'test.proven',
    'select proven_time from person_sessions where person_id = $1',
  )
  const provenTime = async (personId: string) =>
    (await world.tender.service.ctx.db.query(PROVEN, [personId]))[0]?.provenTime

  it('proves nothing by being set up, and each of its codes is a proof for one request', async () => {
    const twofactor = `/api/apps/${world.sandbox.appId}/twofactor`
    await proven(MINUTE)
    const before = await provenTime('usr_admin')
    expect((await call('POST', `${twofactor}/qr-code`, undefined, world.tokens.Admin)).status).toBe(200)
    const activate = `${twofactor}/activate?otpCode=${await codeNow('usr_admin')}`
    const active = await call('POST', activate, undefined, world.tokens.Admin)
    expect(active.status).toBe(200)
    const token = /console=([\w-]+)/.exec(active.headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(await provenTime('usr_admin')).toEqual(before)

    await proven(2 * HOUR)
    const keys = `/api/apps/${world.sandbox.appId}/api-keys`
    expect(await call('POST', keys, {}, token)).toMatchObject(REFUSED)
    const wrong = await call('POST', `${keys}?otpCode=000000`, {}, token)
    expect(wrong.json).toMatchObject({ status: 403, TypeName: 'Invalid2FaException' })
    const right = await call('POST', `${keys}?otpCode=${await codeNow('usr_admin')}`, {}, token)
    expect(right.status).toBe(201)
    expect(await call('POST', keys, {}, token)).toMatchObject(REFUSED)
  })
})

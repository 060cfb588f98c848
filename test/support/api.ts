import { request } from 'undici'
import { afterAll, beforeAll } from 'vitest'
import type { Context } from '../../src/context.ts'
import { sql } from '../../src/db/database.ts'
import type { Repeats } from '../../src/http/answer.ts'
import type { ProxyTrust } from '../../src/http/client/address.ts'
import type { Route } from '../../src/http/route.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { type ApiLimitOptions, apiLimits, createApiLimits } from '../../src/merchants/api-limits.ts'
import { createGuards } from '../../src/merchants/guards.ts'
import { createLicense } from '../../src/merchants/licenses/commands.ts'
import { type FindSignedIn, withSessions } from '../../src/people/guard.ts'
import { type TestContext, testContext } from './context.ts'
import { withPart } from './node.ts'

interface ApiReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

interface Ask {
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestApi {
  readonly server: Server
  /** Sends a request; a body that is no text is sent as JSON. */
  ask(method: string, path: string, options?: Ask): Promise<ApiReply>
  close(): Promise<void>
}

interface TestApiOptions extends ApiLimitOptions {
  readonly trust?: ProxyTrust
  readonly repeats?: Repeats
  readonly routes: readonly Route[]
  readonly findSignedIn?: FindSignedIn
}

const WIDE = { perSecond: 1_000_000, burst: 1_000_000 }

/** Only these routes, on a real server with the real guards. Rate limits are wide unless given. */
export async function testApi(ctx: Context, options: TestApiOptions): Promise<TestApi> {
  const limits = createApiLimits(ctx, {
    keyPolicy: options.keyPolicy ?? { name: 'key', ...WIDE },
    appPolicy: options.appPolicy ?? { name: 'app', ...WIDE },
    strangerPolicy: options.strangerPolicy ?? { name: 'address', ...WIDE },
  })
  const limited = withPart(ctx, apiLimits, limits)
  const server = createServer({
    ...ctx,
    guards: withSessions(limited, createGuards(limited), options.findSignedIn ?? (async () => undefined)),
    ready: () => ctx.db.query(sql('test.ready', 'select 1')),
    version: '0.0.0',
    publicUrl: ctx.config.publicUrl,
    ...(options.trust ? { trust: options.trust } : {}),
    ...(options.repeats ? { repeats: options.repeats } : {}),
  })
  server.add(options.routes)
  const origin = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`
  return {
    server,
    ask: (method, path, ask = {}) => send(origin + path, method, ask),
    close: () => server.close(),
  }
}

async function send(url: string, method: string, { body, key, headers }: Ask): Promise<ApiReply> {
  const reply = await request(url, {
    method: method as 'GET',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.body.text()
  const isJson = /json/.test(String(reply.headers['content-type']))
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

/** A merchant with both apps, ready to be called. */
export async function testLicense(ctx: Context, licenseName = 'Corner Bookshop') {
  const license = await createLicense(ctx, licenseName)
  const [sandbox, live] = license.apps
  if (!sandbox || !live) throw new Error('a licence has two apps')
  return { license, sandbox, live }
}

/** A fraud policy that allows everything, with this id. */
export async function testPolicy(ctx: Context, appId: string, policyId: number): Promise<void> {
  const text = `insert into fraud_policies (app_id, policy_id, version, name, rules, firewall, created_time)
    overriding system value values ($1, $2, 1, 'Any', '[]', '{}', now())`
  await ctx.db.query(sql('test.policy', text), [appId, policyId])
}

type ShownApp = Awaited<ReturnType<typeof testLicense>>['sandbox']

interface ApiWorld {
  readonly ctx: TestContext
  readonly api: TestApi
  readonly sandbox: ShownApp
  readonly live: ShownApp
  /** A request of the sandbox app, its path relative to the app. */
  ask(method: string, path: string, body?: unknown, key?: string): Promise<ApiReply>
}

/** A database, a server with these routes and a merchant, for all tests of a file; there by the first one. */
export function apiWorld(routesOf: (ctx: TestContext) => readonly Route[]): ApiWorld {
  const world = {} as ApiWorld
  beforeAll(async () => {
    const ctx = await testContext()
    const api = await testApi(ctx, { routes: routesOf(ctx) })
    const { sandbox, live } = await testLicense(ctx)
    const ask: ApiWorld['ask'] = (method, path, body, key = sandbox.apiKey) =>
      api.ask(method, `/api/apps/${sandbox.appId}${path}`, { key, ...(body === undefined ? {} : { body }) })
    Object.assign(world, { ctx, api, sandbox, live, ask })
  })
  afterAll(async () => {
    await world.api.close()
    await world.ctx.close()
  })
  return world
}

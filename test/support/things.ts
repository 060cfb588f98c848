import { connect } from 'node:net'
import Type from 'typebox'
import { request } from 'undici'
import { afterAll, beforeAll } from 'vitest'
import { ApiError } from '../../src/base/errors.ts'
import { systemRandom } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { bearerToken, type Guard, unauthorized } from '../../src/http/guard.ts'
import { type Route, route } from '../../src/http/route.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { MoneyInput, maybe, name } from '../../src/http/wire.ts'
import { createFakeClock } from './clock.ts'

/** Everything that the server logged. */
export const lines: { event: string; data: Record<string, unknown> }[] = []
const keep = (event: string, data: object = {}) => void lines.push({ event, data: data as never })
export const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
/** One key opens every app. */
export const guard: Guard = async ({ authorization, params }) => {
  if (bearerToken(authorization) !== 'good') throw unauthorized()
  return { scope: params.appId ?? 'operator', caller: params.appId, headers: { ratelimit: '"key";r=1;t=1' } }
}

class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
}

const Body = Type.Object({
  reference: name(5),
  amount: MoneyInput,
  nested: Type.Object({ customerId: name(200) }),
  items: maybe(Type.Array(Type.Object({ sku: Type.String() }), { maxItems: 2 })),
})

export const common = { tag: 'Test', summary: 'Test', auth: 'app', status: 200 } as const
const routes: Route[] = [
  route({
    ...common,
    method: 'POST',
    path: '/api/apps/{appId}/things',
    status: 201,
    body: Body,
    handler: (app, { body }) => ({ app, body }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/apps/{appId}/things/act',
    handler: (_, call) => call.query,
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/apps/{appId}/things/named:{name}',
    handler: (_app, { params }) => params as object,
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/apps/{appId}/things/{thingId}',
    handler: (_app, { params }) => params as object,
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/apps/{appId}/raw',
    rawBody: true,
    handler: (_app, { body }) => ({ length: (body as Buffer).length }),
  }),
  route({ ...common, method: 'GET', path: '/api/apps/{appId}/text', handler: () => '{"ready":true}' }),
  route({ ...common, method: 'DELETE', path: '/api/apps/{appId}/text', handler: () => undefined }),
  route({
    ...common,
    method: 'POST',
    path: '/api/apps/{appId}/fail/{how}',
    params: Type.Object({ how: Type.String() }),
    handler: (_app, { params }) => {
      if (params.how === 'away')
        throw new DatabaseAwayError('secret host', { cause: new Error('too many clients') })
      if (params.how === 'nul') throw Object.assign(new Error('pg'), { code: '22021' })
      if (params.how === 'range') throw Object.assign(new Error('pg'), { code: '22003' })
      if (params.how === 'state')
        throw new ApiError('payment_not_held', 'Not held.', { members: { allowedActions: ['refund'] } })
      throw new Error('select secret from wallet')
    },
  }),
]

export interface Things {
  readonly port: number
  /** What the readiness check finds. */
  ready: () => Promise<unknown>
}

/** A server with routes for every case, for all tests of a file. Filled before the first one. */
export function thingsServer(): Things {
  const things = { port: 0, ready: async () => undefined as unknown }
  let server: Server
  beforeAll(async () => {
    server = createServer({
      clock: createFakeClock(),
      random: systemRandom,
      log,
      guards: { app: guard, person: guard, operator: guard, license: guard },
      ready: () => things.ready(),
      version: '1.2.3',
      publicUrl: 'http://localhost',
      requestMs: 1_000,
    })
    server.add(routes)
    things.port = await server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())
  return things
}

type Init = Parameters<typeof request>[1]

export async function askThings({ port }: Things, method: string, path: string, init: Init = {}) {
  const reply = await request(`http://127.0.0.1:${port}${path}`, {
    ...init,
    method: method as 'GET',
    headers: { authorization: 'Bearer good', ...(init?.headers as Record<string, string>) },
  })
  const text = await reply.body.text()
  return { status: reply.statusCode, headers: reply.headers, text, json: text ? JSON.parse(text) : undefined }
}

export const JSON_HEADERS = { 'content-type': 'application/json' }
export const goodThing = {
  reference: 'r1',
  amount: '25.00',
  nested: { customerId: 'c' },
  unknown: { deep: [1] },
}

/** Says it byte for byte and hears everything until the other side hangs up. */
export function sayRaw({ port }: Things, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => resolve(heard))
    socket.on('close', () => resolve(heard))
  })
}

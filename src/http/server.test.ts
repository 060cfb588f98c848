import { connect } from 'node:net'
import Type from 'typebox'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeClock } from '../../test/support/clock.ts'
import { ApiError } from '../base/errors.ts'
import { systemRandom } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { bearerToken, type Guard, unauthorized } from './guard.ts'
import { type Route, route } from './route.ts'
import { createServer, type Server } from './server.ts'
import { MoneyInput, maybe, name } from './wire.ts'

const lines: { event: string; data: Record<string, unknown> }[] = []
const keep = (event: string, data: object = {}) => void lines.push({ event, data: data as never })
const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
const guard: Guard = async ({ authorization, params }) => {
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

const common = { tag: 'Test', summary: 'Test', auth: 'app', status: 200 } as const
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
      if (params.how === 'away') throw new DatabaseAwayError('secret host')
      if (params.how === 'nul') throw Object.assign(new Error('pg'), { code: '22021' })
      if (params.how === 'range') throw Object.assign(new Error('pg'), { code: '22003' })
      if (params.how === 'state')
        throw new ApiError('payment_not_held', 'Not held.', { members: { allowedActions: ['refund'] } })
      throw new Error('select secret from wallet')
    },
  }),
]

let server: Server
let origin: string
let port: number
let ready: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  server = createServer({
    clock: createFakeClock(),
    random: systemRandom,
    log,
    guards: { app: guard, operator: guard, license: guard },
    ready: () => ready(),
    version: '1.2.3',
    publicUrl: 'http://localhost',
    requestMs: 1_000,
  })
  server.add(routes)
  port = await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => server.close())

type Init = Parameters<typeof request>[1]

async function ask(method: string, path: string, init: Init = {}) {
  const reply = await request(origin + path, {
    ...init,
    method: method as 'GET',
    headers: { authorization: 'Bearer good', ...(init?.headers as Record<string, string>) },
  })
  const text = await reply.body.text()
  return { status: reply.statusCode, headers: reply.headers, text, json: text ? JSON.parse(text) : undefined }
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const post = (body: string | Buffer, path = '/api/apps/a1/things') =>
  ask('POST', path, { body, headers: JSON_HEADERS })
const good = { reference: 'r1', amount: '25.00', nested: { customerId: 'c' }, unknown: { deep: [1] } }

/** Says it byte for byte and hears everything until the other side hangs up. */
function raw(text: string): Promise<string> {
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

describe('routing', () => {
  it('serves every route under /api and /api/v1', async () => {
    for (const prefix of ['/api', '/api/v1']) {
      const { status, json } = await post(JSON.stringify(good), `${prefix}/apps/a1/things`)
      expect(status).toBe(201)
      expect(json).toMatchObject({ app: 'a1', body: { reference: 'r1' } })
    }
  })

  it('answers JSON whatever Accept says', async () => {
    for (const accept of ['text/plain', 'text/html', 'image/png', '*/*', 'nonsense']) {
      const { status, headers } = await ask('GET', '/api/apps/a1/text', { headers: { accept } })
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    }
  })

  it('answers prebuilt JSON text as it is, and nothing with an empty body', async () => {
    expect((await ask('GET', '/api/apps/a1/text')).text).toBe('{"ready":true}')
    expect(await ask('DELETE', '/api/apps/a1/text')).toMatchObject({ status: 200, text: '' })
  })

  it('answers an unknown path with 404 and another method with 405 and Allow', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/apps/a1/nothing',
      '/api/v2/apps/a1/things',
      '/api/apps/a1/things/',
    ])
      expect(await ask('GET', path)).toMatchObject({ status: 404, json: { code: 'not_found' } })
    const other = await ask('PUT', '/api/v1/apps/a1/text', { body: '{bad', headers: JSON_HEADERS })
    expect(other).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
    expect(other.headers.allow).toBe('GET, HEAD, DELETE')
    expect(await ask('GET', '/api/apps/a1/things/act')).toMatchObject({ status: 405 })
    expect(await ask('HEAD', '/api/apps/a1/text')).toMatchObject({ status: 200, text: '' })
  })

  it('reads any percent-decoded text after a literal colon', async () => {
    const names = ['a/b', 'a:b', '100%', '%2F', 'a b+c', '?&=#;', '👍'.repeat(200), '..', 'ä', '\\', '\'"<>']
    for (const value of names) {
      const { status, json } = await ask('GET', `/api/apps/a1/things/named:${encodeURIComponent(value)}`)
      expect([status, json]).toEqual([200, { appId: 'a1', name: value }])
    }
    const other = await ask('GET', '/api/apps/a1/things/name%3Ax')
    expect(other.json).toEqual({ appId: 'a1', thingId: 'name:x' })
  })

  it('refuses a path that is not percent-encoded UTF-8, or holds NUL', async () => {
    for (const bad of ['%', '%zz', '%C3%28', '%ED%A0%80', '%00']) {
      const { status, json, headers } = await ask('GET', `/api/apps/a1/things/named:x${bad}`)
      expect([status, json.code]).toEqual([400, 'malformed_request'])
      expect(headers['x-request-id']).toBe(json.requestId)
    }
  })

  it('refuses a card number in a path or a query', async () => {
    const inPath = await ask('GET', '/api/apps/a1/things/named:4242424242424242')
    expect(inPath).toMatchObject({ status: 422, json: { errors: [{ field: 'name' }] } })
    const inQuery = await ask('POST', '/api/apps/a1/things/act?description=card%204242%204242%204242%204242')
    expect(inQuery.json).toMatchObject({
      code: 'card_number_not_allowed',
      errors: [{ field: 'description' }],
    })
    expect(inPath.text + inQuery.text).not.toContain('4242')
  })

  it('refuses a query key given twice, and treats an empty value as absent', async () => {
    const twice = await ask('POST', '/api/apps/a1/things/act?amount=1&amount=2')
    expect(twice.json).toMatchObject({ status: 400, errors: [{ field: 'amount' }] })
    const empty = await ask('POST', '/api/apps/a1/things/act?amount=&x=a+b%2B')
    expect(empty.json).toEqual({ x: 'a b+' })
    for (const bad of ['%', '%ED%A0%80', '%00'])
      expect(await ask('POST', `/api/apps/a1/things/act?x=${bad}`)).toMatchObject({ status: 400 })
  })
})

describe('bodies', () => {
  it('takes an empty JSON body as no body, also chunked, also with Expect, also on GET', async () => {
    expect(await post('', '/api/apps/a1/things/act')).toMatchObject({ status: 200 })
    const head = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\nconnection: close\r\n` +
      'content-type: application/json\r\n'
    const chunked = 'transfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n0\r\n\r\n'
    expect(await raw(head('POST', '/api/apps/a1/things/act') + chunked)).toContain('HTTP/1.1 200')
    expect(await raw(head('GET', '/api/apps/a1/text') + chunked)).toContain('HTTP/1.1 200')
    expect(await raw(`${head('GET', '/api/apps/a1/text')}content-length: 0\r\n\r\n`)).toContain(
      'HTTP/1.1 200',
    )
  })

  it('takes no body with any content type, and refuses a body that is not JSON', async () => {
    for (const type of ['text/plain', 'nonsense', ' ']) {
      const headers = { 'content-type': type }
      expect(await ask('POST', '/api/apps/a1/things/act', { headers })).toMatchObject({ status: 200 })
      const body = await ask('POST', '/api/apps/a1/things', { headers, body: '{}' })
      expect(body.json).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    }
    expect(await ask('POST', '/api/apps/a1/things', { body: '{}' })).toMatchObject({ status: 415 })
    const other = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
    const reply = await ask('POST', '/api/apps/a1/things', { body: JSON.stringify(good), headers: other })
    expect(reply.status).toBe(201)
  })

  it('gives a raw route its bytes, of any content type', async () => {
    const reply = await ask('POST', '/api/apps/a1/raw', { body: 'a=1', headers: { 'content-type': 'x/y' } })
    expect(reply.json).toEqual({ length: 3 })
  })

  it('refuses what cannot be read with 400, never 500', async () => {
    const bad = [
      '{',
      'nope',
      '{"a":NaN}',
      '{"a":1e400}',
      '{"__proto__":{"x":1}}',
      '{"a":{"__proto__":1}}',
      '['.repeat(20_000) + ']'.repeat(20_000),
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      '{"\\udc00":1}',
      '{"a\\u0000":1}',
      `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
    ]
    for (const body of bad)
      expect((await post(body)).json).toMatchObject({ status: 400, code: 'malformed_request' })
    const utf8 = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
    expect(utf8.json).toMatchObject({ status: 400, detail: 'The body is not valid UTF-8.' })
    expect((await post(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`, '/api/apps/a1/things/act')).status).toBe(
      200,
    )
  })

  it('refuses a body over 256 KiB with 413', async () => {
    for (const size of [256 * 1024 + 1, 5_000_000]) {
      const { status, json } = await post(`"${'x'.repeat(size - 2)}"`)
      expect([status, json.code]).toEqual([413, 'payload_too_large'])
    }
    const most = await post(`"${'x'.repeat(256 * 1024 - 2)}"`, '/api/apps/a1/things/act')
    expect(most.status).toBe(200)
  })

  it('refuses a card number in any text, naming the field and not the number', async () => {
    const { json, text } = await post(JSON.stringify({ ...good, items: [{ sku: 'my 4111-1111-1111-1111' }] }))
    expect(json).toMatchObject({
      status: 422,
      code: 'card_number_not_allowed',
      errors: [{ field: 'items[0].sku' }],
    })
    expect(text).not.toContain('1111')
    expect((await post('{"4111111111111111":1}')).status).toBe(422)
    expect((await post('{"n":4111111111111111}')).status).toBe(422)
  })

  it('lists every bad field', async () => {
    const { json } = await post(JSON.stringify({ reference: 'too long', nested: {}, items: [{}, 1, 2] }))
    expect(json).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(json.errors).toEqual(
      expect.arrayContaining([
        { field: 'reference', message: 'must be a string of 1 to 5 characters' },
        { field: 'amount', message: 'is required' },
        { field: 'nested.customerId', message: 'is required' },
        { field: 'items', message: 'must be an array of at most 2 items' },
      ]),
    )
    expect(json.errors).toHaveLength(7)
    expect((await post('')).json.errors).toHaveLength(3)
    expect((await post('[]')).json.errors).toEqual([{ field: 'body', message: 'must be an object' }])
  })
})

describe('answers', () => {
  it('says no as problem+json with every member', async () => {
    const { status, headers, json } = await ask('POST', '/api/apps/a1/fail/state', {
      headers: { 'x-request-id': 'my.Req-1_' },
    })
    expect(status).toBe(409)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(json).toEqual({
      type: '/docs/errors#payment_not_held',
      title: 'The payment is not held',
      status: 409,
      detail: 'Not held.',
      code: 'payment_not_held',
      requestId: 'my.Req-1_',
      TypeName: 'PaymentNotHeld',
      Message: 'Not held.',
      allowedActions: ['refund'],
    })
  })

  it('echoes a well-formed request id and makes one otherwise', async () => {
    const echo = async (id: string) =>
      (await ask('GET', '/health/live', { headers: { 'x-request-id': id } })).headers['x-request-id']
    expect(await echo('abc-1.2_3')).toBe('abc-1.2_3')
    for (const bad of ['', 'a b', 'x'.repeat(65), '4242424242424242', 'ä'])
      expect(await echo(bad)).toMatch(/^req_[0-9a-z]{20}$/)
  })

  it('answers 503 with Retry-After when the database is away, and 400 when it refuses the data', async () => {
    const away = await ask('POST', '/api/apps/a1/fail/away')
    expect(away).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(away.headers['retry-after']).toBe('1')
    expect(away.text).not.toContain('secret')
    expect((await ask('POST', '/api/apps/a1/fail/nul')).status).toBe(400)
    expect((await ask('POST', '/api/apps/a1/fail/range')).status).toBe(400)
  })

  it('tells nothing about its own failures and logs them with their stack', async () => {
    const broken = await ask('POST', '/api/apps/a1/fail/else')
    expect(broken).toMatchObject({ status: 500, json: { code: 'internal_error' } })
    expect(broken.text).not.toMatch(/select|wallet|stack/)
    const line = lines.find(({ event }) => event === 'request.failed')
    expect(line?.data).toMatchObject({
      requestId: broken.json.requestId,
      stack: expect.stringContaining('wallet'),
    })
  })

  it('asks the guard before it reads the body, and passes its headers on', async () => {
    const stranger = await ask('POST', '/api/apps/a1/things', {
      body: '{',
      headers: { authorization: 'Bearer bad' },
    })
    expect(stranger).toMatchObject({ status: 401, json: { code: 'unauthorized' } })
    expect(stranger.headers['www-authenticate']).toBe('Bearer')
    expect((await ask('GET', '/api/apps/a1/text')).headers.ratelimit).toBe('"key";r=1;t=1')
  })

  it('logs one line for each request, without query, body or headers', async () => {
    lines.length = 0
    await ask('POST', '/api/v1/apps/a1/things/act?note=private', { headers: { 'x-secret': 'hidden' } })
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toEqual({
      event: 'request',
      data: {
        method: 'POST',
        route: '/api/v1/apps/{appId}/things/act',
        status: 200,
        ms: 0,
        requestId: expect.any(String),
        appId: 'a1',
      },
    })
  })
})

describe('connections', () => {
  it('cuts off a slow body with 408', async () => {
    const started = Date.now()
    const heard = await raw(
      'POST /api/apps/a1/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n' +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    )
    expect(heard).toMatch(/^HTTP\/1.1 408 /)
    expect(heard).toContain('request_timeout')
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  it('answers what is not HTTP with 400 and too large headers with 431', async () => {
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_request/)
    expect(await raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /)
  })

  it('is ready only while the database answers', async () => {
    expect(await ask('GET', '/health/live')).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect((await ask('GET', '/health/ready')).status).toBe(200)
    ready = async () => {
      throw new Error('away')
    }
    expect(await ask('GET', '/health/ready')).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    ready = async () => undefined
  })
})

it('finishes requests in flight when it closes', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const other = createServer({
    clock: createFakeClock(),
    random: systemRandom,
    log,
    guards: { app: guard, operator: guard, license: guard },
    ready: async () => undefined,
    version: '1',
    publicUrl: 'http://localhost',
  })
  const slow = { ...common, auth: 'none', method: 'GET', path: '/slow' } as const
  other.add([route({ ...slow, handler: () => finished.then(() => ({ done: true })) })])
  const at = await other.listen({ host: '127.0.0.1', port: 0 })
  const waiting = request(`http://127.0.0.1:${at}/slow`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const closing = other.close()
  finish()
  const reply = await waiting
  expect([reply.statusCode, await reply.body.json()]).toEqual([200, { done: true }])
  await closing
})

import { request } from 'undici'
import { expect, it } from 'vitest'
import { createFakeClock } from '../../test/support/clock.ts'
import {
  askThings,
  common,
  goodThing,
  guard,
  JSON_HEADERS,
  lines,
  log,
  sayRaw,
  thingsServer,
} from '../../test/support/things.ts'
import { systemRandom } from '../base/ids.ts'
import { route } from './route.ts'
import { createServer } from './server.ts'

const things = thingsServer()
type Init = Parameters<typeof askThings>[3]
const ask = (method: string, path: string, init: Init = {}) => askThings(things, method, path, init)
const raw = (text: string) => sayRaw(things, text)
const post = (body: string | Buffer, path = '/api/apps/a1/things') =>
  ask('POST', path, { body, headers: JSON_HEADERS })

it('serves every route under /api and /api/v1', async () => {
  for (const prefix of ['/api', '/api/v1']) {
    const { status, json } = await post(JSON.stringify(goodThing), `${prefix}/apps/a1/things`)
    expect(status).toBe(201)
    expect(json).toMatchObject({ app: 'a1', body: { reference: 'r1' } })
  }
})

it('returns JSON for any Accept header', async () => {
  for (const accept of ['text/plain', 'text/html', 'image/png', '*/*', 'nonsense']) {
    const { status, headers } = await ask('GET', '/api/apps/a1/text', { headers: { accept } })
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  }
})

it('returns prebuilt JSON text unchanged, and an empty body for undefined', async () => {
  expect((await ask('GET', '/api/apps/a1/text')).text).toBe('{"ready":true}')
  expect(await ask('DELETE', '/api/apps/a1/text')).toMatchObject({ status: 200, text: '' })
})

it('returns 404 for an unknown path, and 405 with Allow for another method', async () => {
  for (const path of ['/', '/api', '/api/apps/a1/nothing', '/api/v2/apps/a1/things', '/api/apps/a1/things/'])
    expect(await ask('GET', path)).toMatchObject({ status: 404, json: { code: 'not_found' } })
  const other = await ask('PUT', '/api/v1/apps/a1/text', { body: '{bad', headers: JSON_HEADERS })
  expect(other).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
  expect(other.headers.allow).toBe('GET, HEAD, DELETE')
  expect(await ask('GET', '/api/apps/a1/things/act')).toMatchObject({ status: 405 })
  expect(await ask('TRACE', '/api/apps/a1/text')).toMatchObject({ status: 405 })
  // The framework requires a Content-Type for this method.
  expect(await ask('QUERY', '/api/apps/a1/text')).toMatchObject({ status: 405 })
  expect(await ask('HEAD', '/api/apps/a1/text')).toMatchObject({ status: 200, text: '' })
  // Methods that the router does not know.
  for (const method of ['PROPFIND', 'PURGE', 'LINK']) {
    const refused = await ask(method, '/api/apps/a1/text')
    expect(refused).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
    expect(refused.headers.allow).toBe('GET, HEAD, DELETE')
    expect(await ask(method, '/api/apps/a1/nothing')).toMatchObject({ status: 404 })
  }
})

it('reads any percent-decoded text after a literal colon', async () => {
  const names = ['a/b', 'a:b', '100%', '%2F', 'a b+c', '?&=#;', '👍'.repeat(200), '..', 'ä', '\\', '\'"<>']
  for (const value of names) {
    const { status, json } = await ask('GET', `/api/apps/a1/things/named:${encodeURIComponent(value)}`)
    expect([status, json]).toEqual([200, { appId: 'a1', name: value }])
  }
  for (const [path, name] of [
    ['a/b', 'a/b'],
    ['a/b%2Fc/', 'a/b/c/'],
    ['//x?unknown=/y:z', '//x'],
    ['%252F/named:x', '%2F/named:x'],
  ]) {
    const { status, json } = await ask('GET', `/api/v1/apps/a1/things/named:${path}`)
    expect([path, status, json]).toEqual([path, 200, { appId: 'a1', name }])
  }
  const other = await ask('GET', '/api/apps/a1/things/name%3Ax')
  expect(other.json).toEqual({ appId: 'a1', thingId: 'name:x' })
})

it('refuses a path that is not percent-encoded UTF-8, or holds NUL', async () => {
  for (const bad of ['%', '%zz', '%C3%28', '%ED%A0%80', '%00']) {
    const { status, json, headers } = await ask('GET', `/api/apps/a1/things/named:x${bad}`)
    expect([status, json.code]).toEqual([400, 'malformed_request'])
    expect(json.errors).toMatchObject([{ field: bad === '%00' ? 'name' : 'path' }])
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

it('returns errors as problem+json with every member', async () => {
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

it('returns 503 with Retry-After if the database is away, and 400 if it rejects the data', async () => {
  const away = await ask('POST', '/api/apps/a1/fail/away')
  expect(away).toMatchObject({ status: 503, json: { code: 'unavailable' } })
  expect(away.headers['retry-after']).toBe('1')
  expect(away.text).not.toContain('secret')
  const logged = lines.find(({ event }) => event === 'request.unavailable')
  expect(logged?.data).toMatchObject({ requestId: away.json.requestId, cause: 'Error: too many clients' })
  expect((await ask('POST', '/api/apps/a1/fail/nul')).status).toBe(400)
  expect((await ask('POST', '/api/apps/a1/fail/range')).status).toBe(400)
})

it('returns no details of internal errors and logs them with their stack', async () => {
  const broken = await ask('POST', '/api/apps/a1/fail/else')
  expect(broken).toMatchObject({ status: 500, json: { code: 'internal_error' } })
  expect(broken.text).not.toMatch(/select|wallet|stack/)
  const line = lines.find(({ event }) => event === 'request.failed')
  expect(line?.data).toMatchObject({
    requestId: broken.json.requestId,
    stack: expect.stringContaining('wallet'),
  })
})

it('calls the guard before it reads the body, and returns its headers', async () => {
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
      address: '127.0.0.1',
      appId: 'a1',
    },
  })
})

it('cuts off a slow body with 408', async () => {
  const received = await raw(
    'POST /api/apps/a1/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n' +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
  )
  expect(received).toMatch(/^HTTP\/1.1 408 /)
  expect(received).toContain('request_timeout')
})

it('returns 400 for invalid HTTP and 431 for too large headers', async () => {
  expect(await raw('CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed/)
  expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_request/)
  expect(await raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /)
})

it('refuses a request without Host and names the header', async () => {
  const received = await raw('GET /api/apps/a1/text HTTP/1.1\r\nconnection: close\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_request[\s\S]*"field":"Host"/)
  expect(await raw('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
})

it('names the query if it is unreadable or has a duplicate empty key', async () => {
  for (const query of ['a=%', '%ff=1', '=1&=2']) {
    const { status, json } = await ask('POST', `/api/apps/a1/things/act?${query}`)
    expect([status, json.errors?.[0]?.field]).toEqual([400, 'query'])
  }
})

it('is ready only while the database responds', async () => {
  expect(await ask('GET', '/health/live')).toMatchObject({ status: 200, json: { status: 'ok' } })
  expect((await ask('GET', '/health/ready')).status).toBe(200)
  things.ready = async () => {
    throw new Error('away')
  }
  expect(await ask('GET', '/health/ready')).toMatchObject({ status: 503, json: { code: 'unavailable' } })
  things.ready = async () => undefined
})

it('finishes requests in flight when it closes', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const other = createServer({
    clock: createFakeClock(),
    random: systemRandom,
    log,
    guards: { app: guard, person: guard, operator: guard, license: guard },
    ready: async () => undefined,
    version: '1',
    publicUrl: 'http://localhost',
  })
  const slow = { ...common, auth: 'none', method: 'GET', path: '/slow' } as const
  const handler = () => {
    arrive()
    return finished.then(() => ({ done: true }))
  }
  other.add([route({ ...slow, handler })])
  const at = await other.listen({ host: '127.0.0.1', port: 0 })
  const waiting = request(`http://127.0.0.1:${at}/slow`)
  await arrived
  const closing = other.close()
  finish()
  const reply = await waiting
  expect([reply.statusCode, await reply.body.json()]).toEqual([200, { done: true }])
  await closing
})

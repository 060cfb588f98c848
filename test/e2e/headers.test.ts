import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestService, type TestService } from '../support/tender.ts'

/** Counts compressions. */
const work = vi.hoisted(() => ({ compressed: 0 }))
vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof import('node:zlib')>()
  const counted = <Work extends (...args: never[]) => unknown>(run: Work): Work =>
    ((...args: never[]) => {
      work.compressed++
      return run(...args)
    }) as Work
  return {
    ...zlib,
    gzip: counted(zlib.gzip as never),
    gzipSync: counted(zlib.gzipSync as never),
    brotliCompress: counted(zlib.brotliCompress as never),
    brotliCompressSync: counted(zlib.brotliCompressSync as never),
  }
})

let tender: TestService
let assets: string[]
beforeAll(async () => {
  tender = await startTestService('e2e_headers')
  const pages = await Promise.all(
    [(await tender.sandbox.create()).redirectUrl, `${tender.url}/docs`].map(text),
  )
  assets = [...new Set(pages.flatMap((html) => html.match(/\/assets\/[\w.]+\.(?:css|js)/g) ?? []))]
})
afterAll(() => tender?.stop())

const text = async (url: string): Promise<string> => (await fetch(url)).text()

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await request(`${tender.url}${path}`, { headers })
  return { ...reply, bytes: Buffer.from(await reply.body.arrayBuffer()) }
}

/** Sends raw bytes; returns the status and the headers of the response. */
function raw(bytes: string): Promise<{ status: number; head: string }> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(tender.url).port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (data) => {
      received += data
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      socket.destroy()
      resolve({ status: Number(received.slice(9, 12)), head: received.slice(0, end).toLowerCase() })
    })
    socket.on('close', () => resolve({ status: 0, head: received }))
    socket.on('error', () => {})
  })
}

const line = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`

const JSON_BODY = 'content-type: application/json\r\n'

/** The raw request for each kind of response, with the expected status. */
async function kinds(): Promise<Record<string, [number, string]>> {
  const { appId, apiKey } = tender.sandbox
  const { redirectUrl } = await tender.sandbox.create()
  const checkout = new URL(redirectUrl).pathname
  const key = `authorization: Bearer ${apiKey}\r\n`
  const customers = `/api/apps/${appId}/customers`
  return {
    'an answer of the API': [200, line('GET', customers, key)],
    'a list that is streamed': [200, line('GET', `/api/apps/${appId}/events`, key)],
    'no key': [401, line('GET', customers)],
    'an unknown path': [404, line('GET', '/nothing')],
    'an unknown path of an asset': [404, line('GET', '/assets/nothing.css')],
    'an unknown logo': [404, line('GET', '/assets/logos/a/b')],
    'another method': [405, line('PUT', customers, key)],
    'a method of another protocol': [404, line('PROPFIND', '/nothing')],
    'a body that is no JSON': [
      415,
      `${line('POST', customers, `${key}content-type: x/y\r\ncontent-length: 2\r\n`)}{}`,
    ],
    'an invalid body': [400, `${line('POST', customers, `${key}${JSON_BODY}content-length: 2\r\n`)}{}`],
    'a body that is too large': [
      413,
      line('POST', customers, `${key}${JSON_BODY}content-length: 999999999\r\n`),
    ],
    'a path that cannot be decoded': [400, line('GET', '/%zz')],
    'a parameter that is too long': [404, line('GET', `/c/${'x'.repeat(9_000)}`)],
    'headers that are too large': [431, line('GET', '/', `x: ${'y'.repeat(20_000)}\r\n`)],
    'no HTTP': [400, 'nonsense\r\n\r\n'],
    'a method that there is not': [400, line('NONSENSE', '/')],
    'no Host': [400, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'],
    'an expectation that cannot be met': [400, line('GET', '/health', 'expect: a miracle\r\n')],
    'a page': [200, line('GET', checkout)],
    'a page that there is not': [404, line('GET', '/c/nothing')],
    'a redirection': [302, line('GET', '/')],
    'the state of a page': [200, line('GET', `${checkout}/state`)],
    'the live updates of a page': [200, line('GET', `${checkout}/events`)],
    'the live updates of no page': [404, line('GET', '/c/nothing/events')],
    'the documentation': [200, line('GET', '/docs')],
    'the OpenAPI document': [200, line('GET', '/openapi.json')],
  }
}

it('every kind of response has nosniff and no-store', async () => {
  for (const [kind, [status, bytes]] of Object.entries(await kinds())) {
    const answer = await raw(bytes)
    expect(answer.status, kind).toBe(status)
    expect(answer.head, kind).toContain('x-content-type-options: nosniff')
    expect(answer.head, kind).toContain('cache-control: no-store')
  }
})

describe('assets', () => {
  it('are cacheable without limit and have nosniff', async () => {
    expect(assets).toHaveLength(4)
    for (const path of assets) {
      const { headers } = await get(path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  })

  it('are compressed once for each coding, for any query', async () => {
    const ask = (path: string, coding: string) => get(path, { 'accept-encoding': coding })
    const first = await Promise.all(
      assets.flatMap((path) => ['br', 'gzip'].map((coding) => ask(path, coding))),
    )
    work.compressed = 0
    for (let n = 0; n < 50; n++) {
      const again = await Promise.all(
        assets.flatMap((path) => ['br', 'gzip'].map((coding) => ask(`${path}?n=${n}`, coding))),
      )
      expect(again.map(({ bytes }) => bytes.length)).toEqual(first.map(({ bytes }) => bytes.length))
    }
    expect(work.compressed).toBe(0)
  })
})

describe.each(['/docs', '/openapi.json'])('%s', (path) => {
  it('is sent with the preferred coding', async () => {
    const plain = await get(path)
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    const gzip = await get(path, { 'accept-encoding': 'br;q=0.5, gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 4)
  })

  it('is compressed once', async () => {
    await get(path, { 'accept-encoding': 'br' })
    work.compressed = 0
    for (let n = 0; n < 5; n++) await get(`${path}?n=${n}`, { 'accept-encoding': 'br' })
    expect(work.compressed).toBe(0)
  })

  it('returns 304 for a matching ETag', async () => {
    const headers = { 'accept-encoding': 'br' }
    const { etag } = (await get(path, headers)).headers
    const again = await get(path, { ...headers, 'if-none-match': String(etag) })
    expect([again.statusCode, again.bytes.length]).toEqual([304, 0])
    expect((await get(path, { ...headers, 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

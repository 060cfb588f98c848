import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttp, type HttpReply } from '../../../src/net/http.ts'
import { actsUnder, createFaultProxy, FAULTS, type FaultKind, type FaultProxy } from './fault-proxy.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent }

let acted: string[]
let closers: (() => Promise<void>)[]
let proxy: FaultProxy
let http: ReturnType<typeof createHttp>

beforeEach(async () => {
  acted = []
  const server = createServer((request, response) => {
    acted.push(`${request.method} ${request.url}`)
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.setHeader('x-provider', 'yes')
    response.end(JSON.stringify({ number: acted.length }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await createFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  http = createHttp(silent as never)
  closers = [
    () => proxy.close(),
    () => http.close(),
    () => new Promise((resolve) => server.close(() => resolve())),
  ]
})

afterEach(async () => {
  for (const close of closers) await close()
})

const post = (path = '/payments', signal?: AbortSignal): Promise<HttpReply> =>
  http.call({ method: 'POST', url: `${proxy.origin}${path}`, json: { a: 1 }, ...(signal ? { signal } : {}) })

/** A request without an answer is aborted as soon as the proxy has done its part. */
async function hung(kind: FaultKind): Promise<HttpReply> {
  const giveUp = new AbortController()
  const reply = post('/payments', giveUp.signal)
  await expect.poll(() => proxy.exchanges[0]?.status).toBe(actsUnder(kind) ? 200 : undefined)
  await expect.poll(() => proxy.exchanges.length).toBe(1)
  giveUp.abort()
  return reply
}

const SEEN: Readonly<Record<FaultKind, object>> = {
  'cut-before': { kind: 'no-answer', why: 'connection-lost' },
  'cut-after': { kind: 'no-answer', why: 'connection-lost' },
  'hang-before': { kind: 'no-answer' },
  'hang-after': { kind: 'no-answer' },
  'error-after': { kind: 'reply', status: 502 },
  'error-before': { kind: 'reply', status: 502 },
  'half-body': { kind: 'no-answer', why: 'connection-lost' },
  garbage: { kind: 'no-answer', why: 'unreadable-reply' },
  html: { kind: 'reply', status: 200 },
  'rate-limited': { kind: 'reply', status: 429, headers: { 'retry-after': '7' } },
  slow: { kind: 'reply', status: 200, body: { number: 1 } },
}

describe('the fault proxy', () => {
  it.each(FAULTS)('%s: the transport sees it, and the provider acted or not', async (kind) => {
    proxy.arm({ kind, retryAfterSeconds: 7, delayMs: 10 })
    const reply = kind.startsWith('hang') ? await hung(kind) : await post()
    expect(reply).toMatchObject(SEEN[kind])
    expect(acted).toEqual(actsUnder(kind) ? ['POST /payments'] : [])
    expect(proxy.exchanges).toMatchObject([
      { method: 'POST', path: '/payments', body: '{"a":1}', fault: kind },
    ])
    expect(proxy.disarm()).toBe(0)
  })

  it('passes other requests on unchanged', async () => {
    expect(await post('/one?q=1')).toMatchObject({
      kind: 'reply',
      body: { number: 1 },
      headers: { 'x-provider': 'yes' },
    })
    expect(proxy.exchanges).toEqual([expect.objectContaining({ path: '/one?q=1', status: 200 })])
  })

  it('damages the chosen one of the matching requests only', async () => {
    proxy.arm({ kind: 'error-after', status: 500, nth: 2, match: ({ path }) => path === '/refunds' })
    const statuses = []
    for (const path of ['/refunds', '/payments', '/refunds', '/refunds'])
      statuses.push(await post(path).then((reply) => reply.kind === 'reply' && reply.status))
    expect(statuses).toEqual([200, 200, 500, 200])
    expect(acted).toHaveLength(4)
  })

  it('uses several faults in the order of arming', async () => {
    proxy.arm({ kind: 'error-before', status: 500 })
    proxy.arm({ kind: 'error-before', status: 503, nth: 2 })
    proxy.arm({ kind: 'error-before', status: 504, nth: 9 })
    expect(await post()).toMatchObject({ status: 500 })
    expect(await post()).toMatchObject({ status: 503 })
    expect(await post()).toMatchObject({ status: 200 })
    expect(proxy.disarm()).toBe(1)
  })
})

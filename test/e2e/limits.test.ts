import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRanges } from '../../src/base/addresses.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { createServer } from '../../src/http/server.ts'
import { merchantRoutes } from '../../src/merchants/routes.ts'
import { testValues } from '../../src/sandbox/values/sheets.ts'
import { docsRoutes } from '../../src/web/docs/routes.ts'
import { hostedPage, startTestService, type TestService } from '../support/tender.ts'

/** The clock is fixed, so no token bucket refills during the test. */
const startTime = new Date()
const fixedClock: Clock = { now: () => startTime, sleep: systemClock.sleep }

let tender: TestService
beforeAll(async () => {
  const config = { trustedProxies: parseRanges('127.0.0.1') ?? [] }
  tender = await startTestService('e2e_limits', { clock: fixedClock, config })
})
afterAll(() => tender?.stop())

const noGuard = async () => {
  throw new Error('no guarded route is called')
}
const bare = {
  guards: { app: noGuard, person: noGuard, operator: noGuard, license: noGuard },
  ready: async () => {},
  version: '0.0.0',
}

/** Each test uses its own client addresses, so tests do not share limits. */
let networks = 0
const newNetwork = (): string => `198.51.${++networks}`

const ask = (address: string, path: string, init: RequestInit = {}) =>
  fetch(tender.url + path, { redirect: 'manual', ...init, headers: { 'x-forwarded-for': address } })

/** Below the share of one profile: notifications beyond it are stored unverified and answered 200. */
const AT_ONCE = 25

async function statusesOf(count: number, one: (n: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => one(from + n))
    for (const reply of await Promise.all(some)) {
      statuses.push(reply.status)
      await reply.arrayBuffer()
    }
  }
  return statuses
}

const counted = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].map((one) => [one, statuses.filter((each) => each === one).length]),
  )

const wrongLink = (n: number): string => `/c/${tender.sandbox.appId.slice(4)}${String(n).padStart(26, '0')}`

describe('wrong links', () => {
  it('are limited by address and do not reduce the limit of payers at that address', async () => {
    const { redirectUrl } = await tender.sandbox.create()
    const { pathname } = new URL(redirectUrl)
    const at = `${newNetwork()}.1`
    expect(counted(await statusesOf(210, (n) => ask(at, wrongLink(n))))).toEqual({ 404: 200, 429: 10 })
    for (const path of [pathname, `${pathname}/state`]) expect((await ask(at, path)).status).toBe(200)
    const posts = (n: number) => ask(at, `${wrongLink(n)}/pay`, { method: 'POST' })
    expect(counted(await statusesOf(80, posts))).toEqual({ 404: 60, 429: 20 })
    expect((await ask(at, `${pathname}/pay`, { method: 'POST' })).status).toBe(303)
    // Signed links with an invalid signature.
    const body = new URLSearchParams({ token: 'wrong.signature' })
    const opens = () => ask(at, '/p/open', { method: 'POST', body })
    expect(counted(await statusesOf(70, opens))).toEqual({ 401: 60, 429: 10 })
  })

  it('do not affect payers behind one address: each link has its own limit', async () => {
    const at = `${newNetwork()}.1`
    const press = (page: string, address = at) => ask(address, `${page}/cancel`, { method: 'POST' })
    const pages: string[] = []
    for (let n = 0; n < 2; n++) pages.push(new URL((await tender.sandbox.create()).redirectUrl).pathname)
    for (const page of pages)
      expect(counted(await statusesOf(61, () => press(page)))).toEqual({ 303: 60, 429: 1 })
    // The same link at another address, for example on a phone.
    expect((await press(pages[0] ?? '', `${newNetwork()}.1`)).status).toBe(303)
  })
})

describe('notifications of providers', () => {
  it('are accepted by the hundred from one address; only a few with a wrong key are', async () => {
    const at = `${newNetwork()}.1`
    const profiles = await tender.sandbox.call('GET', 'payment-profiles')
    const { webhookUrl } = profiles.body[0]
    const right = webhookUrl.slice(tender.url.length)
    const send = (path: string, n: number) => ask(at, path, { method: 'POST', body: JSON.stringify({ n }) })
    // The address is right and the signature is wrong.
    expect(counted(await statusesOf(250, (n) => send(right, n)))).toEqual({ 401: 250 })
    const wrong = await statusesOf(210, (n) => send(right.replace(/webhookKey=\w+/, `webhookKey=${n}`), n))
    expect(counted(wrong)).toEqual({ 404: 200, 429: 10 })
    expect((await send(right, -1)).status).toBe(401)
  })
})

it('every route without a key is limited', async () => {
  const { ctx } = tender.service
  const taken: (string | undefined)[] = []
  const limitAnonymous = (template: string | undefined) => void taken.push(template)
  const server = createServer({ ...ctx, ...bare, publicUrl: tender.url, limitAnonymous })
  server.add(merchantRoutes(ctx))
  server.add(
    docsRoutes({
      describe: server.describe,
      root: new URL('../../', import.meta.url),
      testValues: testValues(),
    }),
  )
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const open = server.routes().filter(({ auth, hasOwnLimit }) => auth === 'none' && !hasOwnLimit)
  for (const { path } of open) await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
  await fetch(`http://127.0.0.1:${port}/nowhere`)
  await server.close()
  expect(taken).toEqual([...open.map(({ path }) => path), undefined])
  for (const path of ['/health/ready', '/docs', '/openapi.json', '/api/apps/providers'])
    expect(taken).toContain(path)
})

it('Strict-Transport-Security is in every response if PUBLIC_URL is https, else in none', async () => {
  const config = { publicUrl: 'https://pay.example.com' }
  const secure = await startTestService('e2e_hsts', { config })
  const port = secure.service.ctx.config.port
  const { paymentKey } = (await secure.sandbox.call('POST', 'payments/hosted-page', hostedPage())).body
  const url = `http://127.0.0.1:${port}`
  const ended = new AbortController()
  const paths = ['/health/live', '/docs', '/nowhere', '/%zz', '/c/wrong', `/c/${paymentKey}/events`, '/p']
  for (const path of paths) {
    const reply = await fetch(url + path, { signal: ended.signal })
    expect([path, reply.headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    const plain = await fetch(tender.url + path, { signal: ended.signal })
    expect([path, plain.headers.get('strict-transport-security')]).toEqual([path, null])
  }
  ended.abort()
  expect(await sendRaw(port, 'nonsense\r\n\r\n')).toContain(
    '\r\nstrict-transport-security: max-age=31536000\r\n',
  )
  await secure.stop()
})

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (received += chunk))
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

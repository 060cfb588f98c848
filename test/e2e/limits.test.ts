import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRanges } from '../../src/base/addresses.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { hostedPage, startTestService, type TestService } from '../support/tender.ts'

/** No bucket fills while time stands still, however long the test takes. */
const startTime = new Date()
const standing: Clock = { now: () => startTime, sleep: systemClock.sleep }

let tender: TestService
beforeAll(async () => {
  const config = { trustedProxies: parseRanges('127.0.0.1') ?? [] }
  tender = await startTestService('e2e_limits', { clock: standing, config })
})
afterAll(() => tender?.stop())

/** Each test has clients of its own: what one used up is not the next one's. */
let networks = 0
const newNetwork = (): string => `198.51.${++networks}`

const ask = (address: string, path: string, init: RequestInit = {}) =>
  fetch(tender.url + path, { redirect: 'manual', ...init, headers: { 'x-forwarded-for': address } })

async function statusesOf(count: number, one: (n: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, n) => one(from + n))
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
  it('are limited by address and never use up the share of payers there', async () => {
    const { redirectUrl } = await tender.sandbox.create()
    const { pathname } = new URL(redirectUrl)
    const at = `${newNetwork()}.1`
    expect(counted(await statusesOf(300, (n) => ask(at, wrongLink(n))))).toEqual({ 404: 200, 429: 100 })
    for (const path of [pathname, `${pathname}/state`]) expect((await ask(at, path)).status).toBe(200)
    const posts = (n: number) => ask(at, `${wrongLink(n)}/pay`, { method: 'POST' })
    expect(counted(await statusesOf(80, posts))).toEqual({ 404: 60, 429: 20 })
    expect((await ask(at, `${pathname}/pay`, { method: 'POST' })).status).toBe(303)
    // Sessions and signed links that are not ours.
    expect(counted(await statusesOf(300, (n) => ask(at, `/p/wrong${n}.signature`)))).toEqual({
      401: 200,
      429: 100,
    })
    expect(counted(await statusesOf(300, (n) => ask(at, `${wrongLink(n)}/state`)))).toEqual({
      404: 200,
      429: 100,
    })
  })

  it('and payers behind one address have a share for each link', async () => {
    const at = `${newNetwork()}.1`
    const pages = await Promise.all(
      Array.from({ length: 3 }, async () => new URL((await tender.sandbox.create()).redirectUrl).pathname),
    )
    for (const page of pages)
      expect(counted(await statusesOf(201, () => ask(at, `${page}/return`)))).toEqual({ 303: 200, 429: 1 })
    // The same link at another address, as on a payer's phone.
    expect((await ask(`${newNetwork()}.1`, `${pages[0]}/return`)).status).toBe(303)
  })
})

describe('routes without a key', () => {
  it.each(['/docs', '/openapi.json', '/api/apps/providers', '/nowhere', '/checkout?paymentKey=x'])(
    '%s are limited by address',
    async (path) => {
      const network = newNetwork()
      const statuses = await statusesOf(1_010, () => ask(`${network}.1`, path, { method: 'HEAD' }))
      expect(statuses.filter((status) => status === 429)).toHaveLength(10)
      const refused = await ask(`${network}.1`, path)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
      expect((await ask(`${network}.2`, path)).status).not.toBe(429)
      // Documentation does not use up what pages and load balancers need.
      expect((await ask(`${network}.1`, '/health/ready')).status).toBe(200)
    },
  )

  it('takes hundreds of notifications a second from one address, and few with a wrong key', async () => {
    const at = `${newNetwork()}.1`
    const profiles = await tender.sandbox.call('GET', 'payment-profiles')
    const { webhookUrl } = profiles.body[0]
    const right = webhookUrl.slice(tender.url.length)
    const send = (path: string, n: number) => ask(at, path, { method: 'POST', body: JSON.stringify({ n }) })
    // Of a wrong signature: the address is right.
    expect(counted(await statusesOf(600, (n) => send(right, n)))).toEqual({ 401: 600 })
    const wrong = await statusesOf(300, (n) => send(right.replace(/webhookKey=\w+/, `webhookKey=${n}`), n))
    expect(counted(wrong)).toEqual({ 404: 200, 429: 100 })
    expect((await send(right, -1)).status).toBe(401)
  })
})

it('Strict-Transport-Security is in every answer when PUBLIC_URL is https, and in none otherwise', async () => {
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
  expect(await sayRaw(port, 'nonsense\r\n\r\n')).toContain(
    '\r\nstrict-transport-security: max-age=31536000\r\n',
  )
  await secure.stop()
})

function sayRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (heard += chunk))
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
  })
}

import { createHmac } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/tender.ts'
import { type Driver, INSTALLED, programDriver, type Target, typescriptDriver } from './drivers.ts'

/** Answers that Tender never gives: of a proxy, of another service, of somebody between. */
const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  'no-list': (response) => response.end('{"code":"a","detail":"b"}'),
  'null-list': (response) => response.end('null'),
  html: (response) => response.end('<html>Sign in</html>'),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'odd-problem': (response) => response.writeHead(400).end('{"code":"x","detail":"y","errors":"boom"}'),
  'text-problem': (response) => response.writeHead(400).end('"boom"'),
  'cut-off': (response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('{"a":')
    response.destroy()
  },
  'ends-early': (response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.socket?.end())
  },
  'far-retry': (response) => response.writeHead(429, { 'retry-after': '99999999999999999999' }).end('{}'),
  deep: (response) => response.end(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  escapes: (response) => response.end(JSON.stringify({ text: '\n"\\'.repeat(300_000), amount: 0 })),
}

const seen: { url: string; key: string }[] = []
let server: Server
let target: Target
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? ''
    seen.push({ url, key: String(request.headers['idempotency-key'] ?? '') })
    const name = /(?:payments\/|exports\/|q=)([a-z-]+)/.exec(url)?.[1] ?? ''
    ;(ANSWERS[name] ?? (() => response.end('{}')))(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  target = { url, appId: 'app_1', apiKey: 'sk_sandbox_secret' }
})
afterAll(() => void server?.close())

const DRIVERS: Record<string, readonly [boolean, (to: Target) => Driver]> = {
  TypeScript: [true, typescriptDriver],
  Python: [INSTALLED.Python, (to) => programDriver('python3', ['test/clients/drive.py'], to)],
  PHP: [INSTALLED.PHP, (to) => programDriver('php', ['test/clients/drive.php'], to)],
  'PHP, streaming': [INSTALLED.PHP, (to) => programDriver('php', ['test/clients/drive.php', 'stream'], to)],
}

describe.each(Object.entries(DRIVERS))('the client in %s', (_language, [isInstalled, drive]) => {
  const using = async (run: (driver: Driver) => Promise<void>, to = target) => {
    const driver = drive(to)
    await run(driver).finally(driver.stop)
  }

  it.skipIf(!isInstalled)('reads hostile answers as failures', () =>
    using(async (driver) => {
      const codeOf = async (call: string, args: Answer[]) => {
        const { error, waits } = await driver.run({ call, args })
        return [error?.code, error?.fields, waits.length]
      }
      expect(await codeOf('payments.list', [{ q: 'no-list' }])).toEqual(['unreadable_answer', [], 0])
      expect(await codeOf('payments.list', [{ q: 'null-list' }])).toEqual(['unreadable_answer', [], 0])
      expect(await codeOf('payments.list', [{ q: 'html' }])).toEqual(['unreadable_answer', [], 0])
      expect(await codeOf('payments.get', ['redirect'])).toEqual(['unreadable_answer', [], 0])
      expect(await codeOf('payments.get', ['odd-problem'])).toEqual(['x', [], 0])
      expect(await codeOf('payments.get', ['text-problem'])).toEqual(['unreadable_answer', [], 0])
      expect(await codeOf('payments.get', ['cut-off'])).toEqual(['no_answer', [], 3])
      expect(await codeOf('payments.get', ['ends-early'])).toEqual(['no_answer', [], 3])
      expect(await codeOf('payments.get', ['far-retry'])).toEqual(['unreadable_answer', [], 0])
      expect(seen.some(({ url }) => url.includes('elsewhere'))).toBe(false)
    }),
  )

  it.skipIf(!isInstalled)('never gives a file that was cut off for a whole one', () =>
    using(async (driver) => {
      const { error, result } = await driver.run({ call: 'exports.file', args: ['ends-early'] })
      expect([error?.code, result]).toEqual(['no_answer', undefined])
    }),
  )

  it.skipIf(!isInstalled)('reads a very long text, and survives a very deep answer', () =>
    using(async (driver) => {
      const { result } = await driver.run({ call: 'payments.get', args: ['escapes'] })
      expect(result.text).toHaveLength(900_000)
      const { error, result: read } = await driver.run({ call: 'payments.get', args: ['deep'] })
      expect(error?.code ?? Array.isArray(read)).toEqual(error ? 'unreadable_answer' : true)
    }),
  )

  it.skipIf(!isInstalled)('never shows a key that cannot be sent', () =>
    using(
      async (driver) => {
        const before = seen.length
        const outcome = await driver.run({ call: 'payments.get', args: [1] })
        expect(outcome.error).toBeDefined()
        expect(JSON.stringify(outcome)).not.toContain('secret')
        expect(seen).toHaveLength(before)
      },
      { ...target, apiKey: 'sk_sandbox_secret\n' },
    ),
  )

  it.skipIf(!isInstalled)('tells a signed text that is no event', () =>
    using(async (driver) => {
      const body = '"text"'
      const key = Buffer.alloc(24, 7)
      const mac = createHmac('sha256', key).update(`evt_1.1000.${body}`).digest('base64')
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1000', 'webhook-signature': `v1,${mac}` }
      const secret = `whsec_${key.toString('base64')}`
      const args = [{ body, headers, secret, now: 1_000 }]
      expect((await driver.run({ call: 'verifyWebhook', args })).error?.problem).toBe('not-json')
    }),
  )
})

it.skipIf(!INSTALLED.Python)(
  'the client in Python refuses a webhook with bytes that are no text',
  async () => {
    const driver = programDriver('python3', ['test/clients/drive.py'], target)
    const headers = {
      'webhook-id': 'evt_\udc80',
      'webhook-timestamp': '1000',
      'webhook-signature': 'v1,AA==',
    }
    const args = [
      { body: '{}', headers, secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, now: 1_000 },
    ]
    const { error } = await driver.run({ call: 'verifyWebhook', args })
    await driver.stop()
    expect(error).toMatchObject({ problem: 'wrong-signature' })
  },
)

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { build } from '../../scripts/build.js'
import { freePort } from '../../src/net/free-port.ts'
import { createDatabase } from '../support/database.ts'
import { PROCESS_TOKEN, pause, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { hostedPage, type TestApp, testMerchant } from '../support/tender.ts'

const running: ServiceProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'tender-workers-'))

beforeAll(() => build())
afterAll(async () => {
  for (const service of running) await service.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = startProcess({ port: await freePort('127.0.0.1'), env: { WORKERS: '2', ...env } })
  running.push(service)
  await service.ready()
  while (!service.output().includes('Tender is ready')) await pause(20)
  return service
}

/** Child processes, without PostgreSQL. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .filter((name) => fileOf(name, 'cmdline').includes('main.js'))
    .map(Number)

const parentOf = (pid: string): number =>
  Number(
    fileOf(pid, 'stat')
      .replace(/^.*\) \S+ /s, '')
      .split(' ')[0],
  )
const isAlive = (pid: number): boolean => fileOf(String(pid), 'cmdline') !== ''

function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const isCharge = ({ kind }: { readonly kind?: unknown }): boolean => kind === 'sale'

/** Uses a new connection, so that consecutive calls reach different processes. */
function statusOf(url: string, method: string, key = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, origin: new URL(url).origin }
    const outgoing = request(url, { method, agent: false, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject).end()
  })
}

describe.runIf(process.platform === 'linux')('WORKERS', () => {
  it('share a port and the database of the parent, and exit when the parent is killed', async () => {
    const service = await start({ DATA_DIR: join(folder, 'data'), NODE_ENV: 'development' })
    const children = childrenOf(service.pid)
    expect(children).toHaveLength(2)
    expect(service.output().match(/A demo licence was made/g)).toHaveLength(1)
    await service.kill('SIGKILL')
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })

  it('exit with a message if they cannot start', async () => {
    const port = await freePort('127.0.0.1')
    const env = { WORKERS: '2', DATABASE_URL: inject('databaseUrl'), HOST: '203.0.113.1' }
    const service = startProcess({ port, env })
    expect(await service.exited).toBe(1)
    expect(service.output()).toContain('HOST 203.0.113.1 is not an address of this machine.')
  })
})

describe.runIf(process.platform === 'linux')('several processes on one port', () => {
  let service: ServiceProcess
  let app: TestApp
  let metricsUrl: string

  beforeAll(async () => {
    const port = await freePort('127.0.0.1')
    metricsUrl = `http://127.0.0.1:${port}/metrics`
    service = await start({
      METRICS_PORT: String(port),
      DATABASE_URL: await createDatabase(inject('databaseUrl'), 'workers', 'template'),
      RATE_LIMIT: '300',
    })
    app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
  })

  it('create one payment per reference across processes', async () => {
    const body = hostedPage()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => app.call('POST', 'payments/hosted-page', body)),
    )
    expect(new Set(replies.map((reply) => reply.body.paymentId)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') !== 'true')).toHaveLength(1)
  })

  it('apply an injected fault across processes, exactly as often as configured', async () => {
    await Promise.all(Array.from({ length: 6 }, () => app.paid()))
    await app.fault('authorise', 'decline', { times: 3 })
    const made = await Promise.all(Array.from({ length: 8 }, () => app.create()))
    await Promise.all(made.map(({ paymentId }) => app.pay(paymentId)))
    // The other process may have received the notification first and may still be capturing.
    const states = async () =>
      (await Promise.all(made.map(({ paymentId }) => app.read(paymentId))))
        .map((now) => now.paymentState)
        .sort()
    await expect.poll(states).toEqual([...Array(5).fill('Captured'), ...Array(3).fill('Created')])
  })

  it('all refuse a revoked key', async () => {
    const { keyId, apiKey } = (await app.call('POST', 'api-keys', { name: 'second' })).body
    const url = `${service.url}/api/apps/${app.appId}/customers`
    const both = async () => [await statusOf(url, 'GET', apiKey), await statusOf(url, 'GET', apiKey)]
    expect(await both()).toEqual([200, 200])
    await app.call('DELETE', `api-keys/${keyId}`)
    await expect.poll(both).toEqual([401, 401])
  })

  it('apply RATE_LIMIT to a key', async () => {
    const { headers } = await app.call('GET', 'customers')
    expect(headers.get('ratelimit-policy')).toBe('"key";q=600;w=2')
  })

  it('share the rate limit of an address', async () => {
    const startMs = performance.now()
    let accepted = 0
    while ((await statusOf(`${service.url}/c/nobody/cancel`, 'POST')) !== 429) accepted++
    const seconds = (performance.now() - startMs) / 1_000
    // 60 at once, 4 a second, and a few between two synchronisations; separate limits would allow 120.
    expect(accepted).toBeGreaterThanOrEqual(60)
    expect(accepted).toBeLessThan(60 + 4 * seconds + 30)
  })

  it('answer one scrape together, each with its own series', async () => {
    const url = `${service.url}/health/live`
    while (!(await isAnsweredByBoth())) await statusOf(url, 'GET')
    const text = await (await fetch(metricsUrl)).text()
    expect(text.match(/^# HELP tender_http_requests_total /gm)).toHaveLength(1)
    expect(text).toMatch(/^tender_build_info\{.*worker="1"\} 1$/m)
    expect(text).toMatch(/^tender_build_info\{.*worker="2"\} 1$/m)

    async function isAnsweredByBoth(): Promise<boolean> {
      const lines = (await (await fetch(metricsUrl)).text()).match(
        /^tender_http_requests_total\{.*"\/health\/live".*/gm,
      )
      return lines?.length === 2
    }
  })

  it('replace a process that exits, and log it', async () => {
    const [first = 0] = childrenOf(service.pid)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => childrenOf(service.pid).filter((pid) => pid !== first)).toHaveLength(2)
    const line = service
      .output()
      .split('\n')
      .find((text) => text.includes('worker.ended'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', pid: first, why: 'SIGKILL' })
    const live = () => statusOf(`${service.url}/health/ready`, 'GET')
    await expect.poll(async () => [await live(), await live()]).toEqual([200, 200])
  })

  it('complete requests in flight on SIGTERM', async () => {
    await app.fault('authorise', 'reply-late', { delayMs: 4_000, times: 4 })
    const made = await Promise.all(Array.from({ length: 4 }, () => app.create()))
    const paying = made.map(({ paymentId }) => app.pay(paymentId))
    const charges = async () =>
      (await Promise.all(made.map(({ paymentId }) => app.ledger(paymentId)))).flat().filter(isCharge)
    await expect.poll(charges).toHaveLength(4)
    service.child.kill('SIGTERM')
    const states = (await Promise.all(paying)).map(({ body }) => body.paymentState)
    expect(states).toEqual(Array(4).fill('Captured'))
    expect(await service.exited).toBe(0)
  })
})

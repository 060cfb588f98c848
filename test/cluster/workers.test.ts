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

/** The processes that this one started, without PostgreSQL. */
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

const isCharge = ({ kind }: { readonly kind?: unknown }): boolean => kind === 'authorise'

/** On a connection of its own, and so at the other process than the one before. */
function statusOf(url: string, method: string, key = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, origin: new URL(url).origin }
    const asking = request(url, { method, agent: false, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asking.on('error', reject).end()
  })
}

describe.runIf(process.platform === 'linux')('WORKERS', () => {
  it('share a port and a database that the parent owns, and end with it when it is killed', async () => {
    const service = await start({ DATA_DIR: join(folder, 'data'), NODE_ENV: 'development' })
    const children = childrenOf(service.pid)
    expect(children).toHaveLength(2)
    expect(service.output().match(/A demo licence was made/g)).toHaveLength(1)
    await service.kill('SIGKILL')
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })

  it('say when they cannot start, and leave nothing behind', async () => {
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

  beforeAll(async () => {
    service = await start({
      DATABASE_URL: await createDatabase(inject('databaseUrl'), 'workers', 'template'),
      RATE_LIMIT: '300',
    })
    app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
  })

  it('make one payment for each reference, whichever of them is asked', async () => {
    const body = hostedPage()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => app.call('POST', 'payments/hosted-page', body)),
    )
    expect(new Set(replies.map((reply) => reply.body.paymentId)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') !== 'true')).toHaveLength(1)
  })

  it('meet a fault armed at one at whichever takes the payment, as often as it was armed', async () => {
    await Promise.all(Array.from({ length: 6 }, () => app.paid()))
    await app.fault('authorise', 'decline', { times: 3 })
    const made = await Promise.all(Array.from({ length: 8 }, () => app.create()))
    await Promise.all(made.map(({ paymentId }) => app.pay(paymentId)))
    // The other process may have heard of a payment from the bank first, and be capturing it still.
    const states = async () =>
      (await Promise.all(made.map(({ paymentId }) => app.read(paymentId))))
        .map((now) => now.paymentState)
        .sort()
    await expect.poll(states).toEqual([...Array(5).fill('Captured'), ...Array(3).fill('Created')])
  })

  it('refuse a revoked key at each of them', async () => {
    const { keyId, apiKey } = (await app.call('POST', 'api-keys', { name: 'second' })).body
    const url = `${service.url}/api/apps/${app.appId}/customers`
    const both = async () => [await statusOf(url, 'GET', apiKey), await statusOf(url, 'GET', apiKey)]
    expect(await both()).toEqual([200, 200])
    await app.call('DELETE', `api-keys/${keyId}`)
    await expect.poll(both).toEqual([401, 401])
  })

  it('give a key as much as RATE_LIMIT says', async () => {
    const { headers } = await app.call('GET', 'customers')
    expect(headers.get('ratelimit-policy')).toBe('"key";q=600;w=2')
  })

  it('give one address together what one process would give it, not each as much', async () => {
    const startMs = performance.now()
    let given = 0
    while ((await statusOf(`${service.url}/c/nobody/cancel`, 'POST')) !== 429) given++
    const seconds = (performance.now() - startMs) / 1_000
    // 60 at once and 4 a second, and a little more between two words; two limits would have given 120.
    expect(given).toBeGreaterThanOrEqual(60)
    expect(given).toBeLessThan(60 + 4 * seconds + 30)
  })

  it('are joined by another when one ends, and the log says so', async () => {
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

  it('let requests in flight end on SIGTERM', async () => {
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

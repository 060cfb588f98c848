import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import type { LoadApp } from './load/plan.ts'

/** The kinds of load of the other merchant. */
export type NoiseKind = 'keys' | 'events' | 'names' | 'hanging' | 'forms' | 'digits' | 'sign-ins'

export interface Noise {
  readonly kind: NoiseKind
  readonly url: string
  readonly app: LoadApp
}

/** Number of requests of each kind before the measurement. */
const DEAD_NAMES = 120
const HANGING = 1_100
const READERS = 16
const KEYS = 200
/** Bytes of digits in a form or a body. */
const DIGITS = 250_000
/** Concurrent requests during the measurement. */
const AT_ONCE = 8
const PAUSE_MS = 50

let next = 0
let isOver = false

/** A noisy merchant in a separate process, so that its CPU time is not counted for the healthy shop. */
process.on('message', (message: Noise | 'stop') => {
  if (message === 'stop') isOver = true
  else void run(message)
})

async function run(noise: Noise): Promise<void> {
  isOver = false
  const pool = new Pool(noise.url, { connections: 64 })
  const goOn = await BEGIN[noise.kind](noise, pool)
  process.send?.('begun')
  await Promise.all(goOn.map((work) => untilOver(work)))
  await pool.destroy()
  process.send?.('ended')
}

type Work = () => Promise<unknown>

/** Ignores the response and errors. */
async function untilOver(work: Work): Promise<void> {
  while (!isOver) await work().catch(() => pause(PAUSE_MS))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const BEGIN: Readonly<Record<NoiseKind, (noise: Noise, pool: Pool) => Promise<readonly Work[]>>> = {
  /** Names that never resolve. */
  async names(noise, pool) {
    const one = () => create(noise, pool, `http://dead-${++next}.neighbours.invalid/hook`)
    await runConcurrently(DEAD_NAMES, one)
    return [() => one().then(() => pause(PAUSE_MS))]
  },

  /** Anonymous forms of 250 KB of digits. */
  async forms(_noise, pool) {
    const body = `email=${'4+1+'.repeat(DIGITS / 4)}`
    return Array.from({ length: AT_ONCE }, () => () => postForm(pool, body))
  },

  /** The same in members of the API, known and unknown. */
  async digits({ app }, pool) {
    const text = '4 1 '.repeat(DIGITS / 4)
    const items = Array.from({ length: DIGITS / 1_000 }, () => ({ name: text.slice(0, 1_000) }))
    const bodies = [{ other: text }, { referenceId: text }, { customerOrder: { items } }]
    const path = `/api/apps/${app.appId}/payments/hosted-page`
    const one = async () => {
      const reply = await send(pool, app.apiKey, path, JSON.stringify(bodies[++next % bodies.length]))
      await reply.body.dump()
    }
    return Array.from({ length: AT_ONCE }, () => one)
  },

  /** Sign-ins with wrong passwords, each of which is hashed. */
  async 'sign-ins'(_noise, pool) {
    const one = () => postForm(pool, `email=person-${++next % 500}%40shop.example&password=wrong-${next}`)
    return Array.from({ length: AT_ONCE }, () => one)
  },

  /** Addresses that accept the connection and never respond. */
  async hanging(noise, pool) {
    const held: ServerResponse[] = []
    const server = createServer((request, response) => {
      held.push(response)
      request.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    const { port } = server.address() as AddressInfo
    const one = () => create(noise, pool, `http://127.0.0.1:${port}/${++next}/hook`)
    await runConcurrently(HANGING, one)
    return [() => one().then(() => pause(PAUSE_MS))]
  },

  /** Reads pages of maximum-size events in a loop. */
  async events({ app }, pool) {
    const read = async () => {
      const reply = await send(pool, app.apiKey, `/api/apps/${app.appId}/events?pageSize=500`)
      await reply.body.dump({ limit: 2 ** 30 })
      if (reply.statusCode >= 400) await pause(PAUSE_MS)
    }
    return Array.from({ length: READERS }, () => read)
  },

  /** Uses the maximum number of keys, each with its own limit, and unknown keys. */
  async keys({ app }, pool) {
    const keys = [app.apiKey]
    await runConcurrently(KEYS, async () => {
      const reply = await send(pool, app.apiKey, `/api/apps/${app.appId}/api-keys`, '{"name":"noise"}')
      const { apiKey } = (await reply.body.json()) as { apiKey?: string }
      if (apiKey) keys.push(apiKey)
    })
    const readWith = async (key: string) => {
      const reply = await send(pool, key, `/api/apps/${app.appId}/payments/1`)
      await reply.body.dump()
    }
    const known = () => readWith(keys[++next % keys.length] ?? '')
    const unknown = () => readWith(`sk_sandbox_${String(++next).padStart(40, '0')}`)
    return Array.from({ length: 2 * AT_ONCE }, (_, place) => (place % 2 === 0 ? known : unknown))
  },
}

async function postForm(pool: Pool, body: string): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await pool.request({ method: 'POST', path: '/console/sign-in', headers, body })
  await reply.body.dump()
}

async function runConcurrently(count: number, one: Work): Promise<void> {
  let left = count
  const work = async () => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Sends a POST if there is a body, else a GET. */
const send = (pool: Pool, key: string, path: string, body?: string) =>
  pool.request({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: body ?? null,
  })

/** Creates a payment; retries after 429. */
async function create({ app }: Noise, pool: Pool, webhookUrl: string): Promise<void> {
  const body = JSON.stringify({
    referenceId: `noise-${process.pid}-${++next}`,
    amount: 25.5,
    currency: 'EUR',
    returnUrl: 'https://shop.example/back',
    webhookUrl,
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: `customer-${next % 1_000}` } },
  })
  for (;;) {
    const reply = await send(pool, app.apiKey, `/api/apps/${app.appId}/payments/hosted-page`, body)
    await reply.body.dump()
    if (reply.statusCode < 429 || isOver) return
    await pause(PAUSE_MS)
  }
}

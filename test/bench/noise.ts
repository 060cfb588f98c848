import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import type { LoadApp } from './load/plan.ts'

/** What another merchant does meanwhile. */
export type NoiseKind = 'keys' | 'events' | 'names' | 'hanging'

export interface Noise {
  readonly kind: NoiseKind
  readonly url: string
  readonly app: LoadApp
}

/** As many of each before anything is measured. */
const DEAD_NAMES = 120
const HANGING = 1_100
const READERS = 16
const KEYS = 200
/** Requests that go on while the other shop is measured, in turns. */
const AT_ONCE = 8
const PAUSE_MS = 50

let next = 0
let isOver = false

/** A merchant with bad habits, as a process of its own: what it costs is not the healthy shop's. */
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

/** Whatever the answer is, and also without one. */
async function untilOver(work: Work): Promise<void> {
  while (!isOver) await work().catch(() => pause(PAUSE_MS))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const BEGIN: Readonly<Record<NoiseKind, (noise: Noise, pool: Pool) => Promise<readonly Work[]>>> = {
  /** Names that no server answers for. */
  async names(noise, pool) {
    const one = () => create(noise, pool, `http://dead-${++next}.neighbours.invalid/hook`)
    await inTurns(DEAD_NAMES, one)
    return [() => one().then(() => pause(PAUSE_MS))]
  },

  /** Addresses where the connection is taken and no answer ever comes. */
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
    await inTurns(HANGING, one)
    return [() => one().then(() => pause(PAUSE_MS))]
  },

  /** Pages of the largest events, read without an end. */
  async events({ app }, pool) {
    const read = async () => {
      const reply = await ask(pool, app.apiKey, `/api/apps/${app.appId}/events?pageSize=500`)
      await reply.body.dump({ limit: 2 ** 30 })
      if (reply.statusCode >= 400) await pause(PAUSE_MS)
    }
    return Array.from({ length: READERS }, () => read)
  },

  /** Every key that can be had, each with its own allowance, and keys that nobody has. */
  async keys({ app }, pool) {
    const keys = [app.apiKey]
    await inTurns(KEYS, async () => {
      const reply = await ask(pool, app.apiKey, `/api/apps/${app.appId}/api-keys`, '{"name":"noise"}')
      const { apiKey } = (await reply.body.json()) as { apiKey?: string }
      if (apiKey) keys.push(apiKey)
    })
    const readWith = async (key: string) => {
      const reply = await ask(pool, key, `/api/apps/${app.appId}/payments/1`)
      await reply.body.dump()
    }
    const known = () => readWith(keys[++next % keys.length] ?? '')
    const unknown = () => readWith(`sk_sandbox_${String(++next).padStart(40, '0')}`)
    return Array.from({ length: 2 * AT_ONCE }, (_, place) => (place % 2 === 0 ? known : unknown))
  },
}

async function inTurns(count: number, one: Work): Promise<void> {
  let left = count
  const work = async () => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** With a body it is a POST. */
const ask = (pool: Pool, key: string, path: string, body?: string) =>
  pool.request({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: body ?? null,
  })

/** Again when there were too many: each counts. */
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
    const reply = await ask(pool, app.apiKey, `/api/apps/${app.appId}/payments/hosted-page`, body)
    await reply.body.dump()
    if (reply.statusCode < 429 || isOver) return
    await pause(PAUSE_MS)
  }
}

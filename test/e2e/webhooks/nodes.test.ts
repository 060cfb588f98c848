import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../src/net/free-port.ts'
import { SENDING } from '../../../src/webhooks/delivery/topics.ts'
import { createDatabase } from '../../support/database.ts'
import { type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** One node that answers requests, two that send webhooks, on one database. */
let nodes: TestService[]
let app: TestApp
let shop: Receiver
beforeAll(async () => {
  const databaseUrl = await createDatabase(inject('databaseUrl'), 'e2e_webhooks_nodes', 'template')
  const web = await startTestService('web', { databaseUrl, role: 'web' })
  // Full nodes: worker nodes answer no requests, so the test could not create merchants on them.
  nodes = [
    web,
    await startTestService('one', { databaseUrl }),
    await startTestService('two', { databaseUrl }),
  ]
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))
beforeEach(async () => {
  shop = await startReceiver()
  app = (await (nodes[0] as TestService).newMerchant()).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterEach(() => shop.stop())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const distinct = (receiver: Receiver) => new Set(receiver.hooks.map(({ event }) => event.eventId)).size

describe('several nodes on one database', () => {
  it('send each event once, in order', async () => {
    const payments = await Promise.all(Array.from({ length: 60 }, () => app.paid()))
    await shop.count(180)
    await pause(500)
    expect([shop.hooks.length, distinct(shop)]).toEqual([180, 180])
    for (const { paymentId } of payments)
      expect(shop.states(paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
  })

  it('have at most 20 in flight for one endpoint in total', async () => {
    shop.answer = async (_hook, response) => {
      await pause(30)
      response.end()
    }
    await Promise.all(Array.from({ length: 200 }, () => app.create()))
    await shop.count(200)
    expect(shop.mostAtOnce).toBeLessThanOrEqual(20)
    expect(distinct(shop)).toBe(200)
  })

  it('are notified of webhooks of another node without waiting for the poll', async () => {
    // Both: the sending node may wake itself when an attempt ends.
    const woken = nodes
      .slice(1)
      .map(({ service }) => new Promise<void>((resolve) => service.ctx.signals.on(SENDING, resolve)))
    await app.create()
    await Promise.all(woken)
    await shop.count(1)
  })
})

describe('thirty dead endpoints', () => {
  const hanging = new Set<Server>()
  afterEach(() => {
    for (const server of hanging) server.close()
    hanging.clear()
  })

  /** Accepts connections and never responds. */
  async function hangingUrl(n: number): Promise<string> {
    const server = createServer((socket) => socket.on('error', () => {}).unref())
    hanging.add(server)
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    return `http://127.0.0.1:${port}/dead/${n}`
  }

  // Shorter than the timeout of fifteen seconds for a dead endpoint.
  it('do not delay a healthy one', async () => {
    const refused = await freePort('127.0.0.1')
    const fill = (webhookUrl: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => app.create({ webhookUrl })))
    // More than the in-flight and failure limits of an endpoint, fewer than the rate limit of a key.
    for (let n = 0; n < 15; n++) await fill(await hangingUrl(n), 21)
    for (let n = 0; n < 15; n++) await fill(`http://127.0.0.1:${refused}/dead/${n}`, 5)
    for (let n = 0; n < 20; n++) {
      await app.create()
      await shop.count(n + 1)
      await pause(100)
    }
    expect((await readApp(app)).webhookHealth.endpoints.length).toBeGreaterThanOrEqual(15)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Killable, killableService, killUnderLoad } from '../../support/killable.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { PROCESS_TOKEN, pause } from '../../support/service-process.ts'
import { type TestApp, testMerchant } from '../../support/tender.ts'

/** Kills the real process repeatedly while it sends, on one database. */
let service: Killable
let shop: Receiver
let app: TestApp

beforeAll(async () => {
  service = await killableService('e2e_webhooks_crash')
  shop = await startReceiver()
  await service.start()
  app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterAll(async () => {
  await service?.kill()
  await shop?.stop()
})

/** Leases of 20 s must expire, possibly on a busy machine. */
const SLOW = { timeout: 120_000 }

it('kill -9 under load, three times: every acknowledged change is delivered, in order', SLOW, async () => {
  shop.answer = async (_hook, response) => {
    await pause(Math.random() * 40)
    response.end()
  }
  const acknowledged = new Map<number, string>()
  for (let round = 0; round < 3; round++)
    await killUnderLoad(service, app, { acknowledged, afterMs: 100 + 100 * round })
  // Deliveries in flight at the kill are taken over when their lease expires.
  const delivered = (paymentId: number) => new Set(shop.states(paymentId))
  for (const [paymentId, state] of acknowledged)
    await expect.poll(() => delivered(paymentId).has(state), { timeout: 60_000 }).toBe(true)
  for (const paymentId of acknowledged.keys()) {
    const firsts = [...delivered(paymentId)]
    const order = ['Created', 'SaleInProgress', 'Captured']
    expect([paymentId, firsts]).toEqual([paymentId, order.filter((state) => firsts.includes(state))])
    expect(firsts[0]).toBe('Created')
  }
})

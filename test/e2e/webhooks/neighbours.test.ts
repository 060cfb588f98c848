import { afterAll, beforeAll, expect, it } from 'vitest'
import { WEBHOOKS } from '../../../src/webhooks/schedule.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let hanging: Receiver
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_neighbours')
  hanging = await startReceiver()
  shop = await startReceiver()
})
afterAll(async () => {
  await hanging?.stop()
  await shop?.stop()
  await tender?.stop()
})

const ADDRESSES = 1_100

/** One webhook to each of many addresses, written in one statement: requests would take a while. */
async function queueForEach(appId: string, base: string): Promise<void> {
  const { db } = tender.service.ctx
  const events = {
    name: 'test.events',
    text: `insert into events (app_id, payment_id, sequence, type, created_time, body)
      select $1, 900000000 + n, 1, 'webhook.test', now(), '{}' from generate_series(1, $2::integer) n`,
  }
  const deliveries = {
    name: 'test.deliveries',
    text: `insert into deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time)
      select app_id, payment_id, 1, $2 || payment_id, $2 || payment_id, 'ready', now(), now()
      from events where app_id = $1`,
  }
  await db.query(events, [appId, ADDRESSES])
  await db.query(deliveries, [appId, `${base}/`])
}

it('1,100 hanging addresses of one merchant do not keep the webhooks of another waiting', async () => {
  let ended = 0
  hanging.answer = (_hook, response) => void response.on('close', () => ended++)
  const { sandbox: healthy } = await tender.newMerchant()
  await settings(healthy, { paymentWebhookUrl: shop.url })
  await queueForEach(tender.sandbox.appId, hanging.url)
  await hanging.count(WEBHOOKS.perApp)
  const { paymentId } = await healthy.paid()
  await expect
    .poll(() => shop.states(paymentId), { timeout: 20_000 })
    .toEqual(['Created', 'Authorizing', 'Capturing', 'Captured'])
  // None of the hanging ones has made room.
  expect([ended, hanging.hooks.length]).toEqual([0, WEBHOOKS.perApp])
}, 60_000)

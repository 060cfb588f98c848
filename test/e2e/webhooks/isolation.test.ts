import { afterAll, beforeAll, expect, it } from 'vitest'
import { WEBHOOKS } from '../../../src/webhooks/schedule.ts'
import { type DnsServer, startDns } from '../../support/dns.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

let dns: DnsServer
let tender: TestService
let hanging: Receiver
let shop: Receiver
beforeAll(async () => {
  dns = await startDns()
  tender = await startTestService('e2e_webhooks_neighbours', { dnsServers: [dns.server] })
  hanging = await startReceiver()
  shop = await startReceiver()
})
afterAll(async () => {
  await hanging?.stop()
  await shop?.stop()
  await tender?.stop()
  await dns?.stop()
})

/** Inserts one webhook for each of many addresses; `$n` in `url` is a number. Faster than API requests. */
async function queueForEach(appId: string, addresses: number, url: string): Promise<void> {
  const { db } = tender.service.ctx
  const events = {
    name: 'test.events',
    text: `insert into events (app_id, payment_id, sequence, type, created_time, body)
      select $1, 900000000 + n, 1, 'webhook.test', now(), '{}' from generate_series(1, $2::integer) n`,
  }
  const deliveries = {
    name: 'test.deliveries',
    text: `insert into deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time)
      select app_id, payment_id, 1, address, address, 'ready', now(), now()
      from events, lateral (select replace($2, '$n', payment_id::text)) a (address) where app_id = $1`,
  }
  await db.query(events, [appId, addresses])
  await db.query(deliveries, [appId, url])
}

it('1,100 hanging addresses of one merchant do not delay the webhooks of another', async () => {
  let ended = 0
  hanging.answer = (_hook, response) => void response.on('close', () => ended++)
  const { sandbox: healthy } = await tender.newMerchant()
  await settings(healthy, { paymentWebhookUrl: shop.url })
  await queueForEach(tender.sandbox.appId, 1_100, `${hanging.url}/$n`)
  await hanging.count(WEBHOOKS.perApp)
  const { paymentId } = await healthy.paid()
  await expect
    .poll(() => shop.states(paymentId), { timeout: 20_000 })
    .toEqual(['Created', 'SaleInProgress', 'Captured'])
  // None of the hanging requests has ended.
  expect([ended, hanging.hooks.length]).toEqual([0, WEBHOOKS.perApp])
}, 60_000)

it('80 unresolvable names of one merchant do not delay the webhooks of another', async () => {
  const dead = new Set<string>()
  dns.answer = (name) => {
    if (name === 'shop.test') return ['127.0.0.1']
    dead.add(name)
    return 'silent'
  }
  const { sandbox: noisy } = await tender.newMerchant()
  const { sandbox: healthy } = await tender.newMerchant()
  await settings(healthy, { paymentWebhookUrl: `http://shop.test:${shop.port}/hooks` })
  await queueForEach(noisy.appId, 80, 'http://dead-$n.test/hooks')
  await expect.poll(() => dead.size, { timeout: 20_000 }).toBeGreaterThan(0)
  const { paymentId } = await healthy.create()
  await expect.poll(() => shop.states(paymentId), { timeout: 20_000 }).toEqual(['Created'])
  // Before the last of them is queried.
  expect(dead.size).toBeLessThan(80)
}, 60_000)

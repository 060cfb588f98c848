import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { SECOND } from '../../../src/base/clock.ts'
import { createFakeClock } from '../../support/clock.ts'
import { createDatabase } from '../../support/database.ts'
import { answerWith, type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService } from '../../support/tender.ts'

let databaseUrl: string
let shop: Receiver
beforeAll(async () => {
  databaseUrl = await createDatabase(inject('databaseUrl'), 'e2e_webhooks_shutdown', 'template')
  shop = await startReceiver()
})
afterAll(() => shop?.stop())

it('a webhook interrupted by a shutdown is not an attempt; the next process sends it at once', async () => {
  shop.answer = () => {}
  const clock = createFakeClock(new Date())
  const first = await startTestService('first', { databaseUrl, clock })
  const { sandbox: app } = first
  await settings(app, { paymentWebhookUrl: shop.url })
  const { paymentId } = await app.create()
  await shop.count(1)
  let isStopped = false
  const stopped = first.stop().then(() => {
    isStopped = true
  })
  await expect
    .poll(() => {
      // The grace period of a shutdown, in steps too small to expire the lease first.
      clock.advance(SECOND / 10)
      return isStopped
    })
    .toBe(true)
  await stopped
  shop.answer = answerWith(200)
  // Its clock is fixed from here: nothing that is due later is sent.
  const next = await startTestService('next', { databaseUrl, clock })
  const call = (path: string) => {
    const headers = { authorization: `Bearer ${app.apiKey}` }
    return fetch(`${next.url}/api/apps/${app.appId}${path}`, { headers }).then((reply) => reply.json())
  }
  await shop.count(2)
  const hook = `/webhooks/evt_${paymentId}_1`
  await expect.poll(async () => (await call(hook)).status).toBe('delivered')
  expect((await call(hook)).attempts).toMatchObject([{ httpStatus: 200, error: null }])
  expect((await call('')).webhookHealth).toEqual({ exhaustedCount: 0, endpoints: [] })
  expect(shop.hooks[1]?.headers['webhook-id']).toBe(shop.hooks[0]?.headers['webhook-id'])
  await next.stop()
}, 90_000)

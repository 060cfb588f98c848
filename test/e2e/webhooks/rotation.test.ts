import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY, HOUR, SECOND } from '../../../src/base/clock.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { signedHeaders } from '../../../src/webhooks/delivery/sign.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

/** Advances the real clock only: the app's clock helper would change the app's row. */
let clock: FakeClock
let tender: TestService
let shop: Receiver
beforeAll(async () => {
  clock = createFakeClock(new Date())
  tender = await startTestService('e2e_webhooks_rotation', { clock })
  shop = await startReceiver()
  await settings(tender.sandbox, { paymentWebhookUrl: shop.url })
})
afterAll(async () => {
  await shop?.stop()
  await tender?.stop()
})

const rotate = async (): Promise<string> => good(await tender.sandbox.call('POST', 'webhook-signing-secret'))

/** The signatures of the webhook of a new payment, and the expected ones for the secrets. */
async function nextSignatures(secrets: readonly string[]) {
  const { paymentId } = await tender.sandbox.create()
  // An earlier webhook may be sent again: the day passes before its try is recorded.
  const hook = () => shop.hooks.find(({ body }) => body?.includes(`"paymentId":${paymentId},`))
  await expect
    .poll(() => {
      // Wakes the sender, which sleeps on this clock.
      clock.advance(20)
      return hook()
    })
    .toBeDefined()
  const { body, headers = {} } = hook() ?? {}
  const id = headers['webhook-id'] ?? ''
  const now = new Date(Number(headers['webhook-timestamp']) * SECOND)
  const expected = signedHeaders({ id, body: body ?? '', now, secrets })
  return { sent: headers['webhook-signature'], expected: expected['webhook-signature'] }
}

it('a rotated secret expires after a day on a running node without other changes', async () => {
  const { ctx } = tender.service
  const old = await rotate()
  const fresh = await rotate()
  const both = await nextSignatures([fresh, old])
  expect(both.sent).toBe(both.expected)
  const app = () => loadApp(ctx, tender.sandbox.appId)
  // The first acknowledged webhook is noted in the app's row after the receiver has answered.
  await expect.poll(async () => (await app())?.firstWebhookTime, { timeout: 20_000 }).toBeInstanceOf(Date)
  const before = await app()
  clock.advance(DAY - HOUR)
  const still = await nextSignatures([fresh, old])
  expect(still.sent).toBe(still.expected)
  clock.advance(2 * HOUR)
  const alone = await nextSignatures([fresh])
  expect(alone.sent).toBe(alone.expected)
  // An app whose row is unchanged stays the same cached object.
  expect(await app()).toBe(before)
})

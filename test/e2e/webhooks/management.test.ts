import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../../src/base/log.ts'
import { answerWith, type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import {
  type Answer,
  good,
  nextPath,
  type Reply,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

const lines: string[] = []
const line =
  (level: string) =>
  (event: string, data: object = {}) =>
    void lines.push(JSON.stringify({ level, event, ...data }))
const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }

let tender: TestService
let app: TestApp
let other: TestApp
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_management', { log })
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = await startReceiver()
  app = (await tender.newMerchant()).sandbox
  other = (await tender.newMerchant()).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterEach(() => shop.stop())

const list = async (path: string): Promise<Answer[]> => good(await app.call('GET', path))
const settled = (status: string, count: number) =>
  expect.poll(async () => (await list(`webhooks?status=${status}`)).length).toBe(count)

/** Creates webhooks and retries them until they are exhausted. */
async function exhausted(count: number): Promise<number[]> {
  shop.answer = answerWith(500, {}, 'no')
  const made: number[] = []
  for (let n = 0; n < count; n++) made.push((await app.create()).paymentId)
  const statement = {
    name: 'test.exhaust',
    text: `update deliveries set tries = 11 where app_id = $1 and status <> 'delivered'`,
  }
  await shop.count(count)
  await expect.poll(async () => (await list('webhooks')).every((hook) => hook.attempts.length > 0)).toBe(true)
  await tender.service.ctx.db.query(statement, [app.appId])
  await app.advance('10s')
  await settled('exhausted', count)
  return made
}

describe('GET events', () => {
  it('lists every event with its webhook body, newest first, in pages', async () => {
    const { paymentId } = await app.paid()
    await shop.count(3)
    const all = await list('events')
    expect(all.map((event) => event.payment.paymentState)).toEqual(['Captured', 'SaleInProgress', 'Created'])
    expect(all).toEqual(shop.hooks.map(({ event }) => event).reverse())
    const paged: Answer[] = []
    for (let path: string | undefined = 'events?pageSize=2'; path; ) {
      const reply: Reply = await app.call('GET', path)
      paged.push(...good(reply))
      path = nextPath(reply)
    }
    expect(paged).toEqual(all)
    expect(await list(`events?paymentId=${paymentId}&pageSize=2`)).toEqual(all.slice(0, 2))
    expect(await list('events?paymentId=99')).toEqual([])
    expect(await list('events?since=2099-01-01T00:00:00Z')).toEqual([])
  })
})

describe('GET webhooks', () => {
  it('lists deliveries with their attempts, filtered by payment, status and time', async () => {
    const { paymentId } = await app.paid()
    await settled('delivered', 3)
    const all = await list('webhooks')
    expect(all[2]).toEqual({
      eventId: `evt_${paymentId}_1`,
      type: 'payment.state_changed',
      paymentId,
      paymentState: 'Created',
      sequence: 1,
      createdTime: expect.stringMatching(/Z$/),
      queuedTime: expect.stringMatching(/Z$/),
      url: shop.url,
      status: 'delivered',
      nextTryTime: null,
      attempts: [
        {
          attempt: 1,
          time: expect.stringMatching(/Z$/),
          httpStatus: 200,
          latencyMs: expect.any(Number),
          error: null,
          nextTryTime: null,
        },
      ],
    })
    shop.answer = answerWith(500)
    const waiting = await app.create()
    await settled('pending', 1)
    expect(await list('webhooks?status=pending')).toMatchObject([{ paymentId: waiting.paymentId }])
    expect(await list(`webhooks?paymentId=${waiting.paymentId}&status=delivered`)).toEqual([])
    expect(await list(`webhooks?paymentId=${paymentId}&status=delivered`)).toEqual(all)
    expect((await list(`webhooks?since=${waiting.createdTime}`)).length).toBe(1)
    expect(await list('webhooks?status=exhausted')).toEqual([])
  })

  it('lists those that are being sent among the pending ones, newest first', async () => {
    shop.answer = answerWith(500)
    const waiting = await app.create()
    await settled('pending', 1)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    shop.answer = async (_hook, response) => {
      await released
      response.writeHead(200).end()
    }
    const sent = await app.create({ webhookUrl: `${shop.url}/slow` })
    await shop.count(2)
    const pending = await list('webhooks?status=pending')
    const next = nextPath(await app.call('GET', 'webhooks?status=pending&pageSize=1')) ?? ''
    release()
    expect(pending.map(({ paymentId }) => paymentId)).toEqual([sent.paymentId, waiting.paymentId])
    expect(next).toMatch(/before=/)
  })

  it.each(['', 'status=delivered', 'status=pending'])(
    'is walked in pages by its Link header (%s)',
    async (filter) => {
      if (filter === 'status=pending') shop.answer = answerWith(500)
      const payments = []
      for (let n = 0; n < 7; n++) payments.push((await app.create()).paymentId)
      await settled(filter === 'status=pending' ? 'pending' : 'delivered', 7)
      const seen: number[] = []
      let pages = 0
      for (let path: string | undefined = `webhooks?pageSize=3&${filter}`; path; pages++) {
        const reply: Reply = await app.call('GET', path)
        seen.push(...good(reply).map((delivery: Answer) => delivery.paymentId))
        path = nextPath(reply)
      }
      expect([pages, seen]).toEqual([3, payments.reverse()])
    },
  )

  it('refuses invalid parameters and does not show data of another app', async () => {
    const { paymentId } = await app.create()
    await settled('delivered', 1)
    for (const query of ['status=lost', 'since=yesterday', 'pageSize=501', 'pageSize=0', 'before=x'])
      expect([query, (await app.call('GET', `webhooks?${query}`)).status]).toEqual([query, 400])
    expect((await app.call('GET', `webhooks/evt_${paymentId}_9`)).status).toBe(404)
    expect((await app.call('GET', 'webhooks/nonsense')).status).toBe(404)
    expect((await other.call('GET', `webhooks/evt_${paymentId}_1`)).status).toBe(404)
    expect((await other.call('POST', `webhooks/evt_${paymentId}_1/resend`)).status).toBe(404)
    expect(good(await other.call('GET', `webhooks?paymentId=${paymentId}`))).toEqual([])
    expect((await app.call('DELETE', `webhooks/evt_${paymentId}_1`)).status).toBe(405)
  })
})

describe('resending', () => {
  it('resends a delivered webhook with the same id and body', async () => {
    const { paymentId } = await app.create()
    await settled('delivered', 1)
    expect(good(await app.call('POST', `webhooks/evt_${paymentId}_1/resend`)).status).toMatch(
      /pending|delivered/,
    )
    await shop.count(2)
    expect(shop.hooks[1]).toMatchObject({
      body: shop.hooks[0]?.body,
      headers: { 'webhook-id': `evt_${paymentId}_1` },
    })
  })

  it('sends a waiting webhook immediately, and then those that wait behind it', async () => {
    shop.answer = answerWith(500)
    const { paymentId } = await app.paid()
    await expect.poll(async () => (await list('webhooks')).at(-1)?.attempts.length).toBe(1)
    await app.advance('6s')
    await app.advance('37s')
    await shop.count(3)
    shop.answer = answerWith(200)
    good(await app.call('POST', `webhooks/evt_${paymentId}_1/resend`))
    const states = ['Created', 'SaleInProgress', 'Captured']
    await expect.poll(() => shop.states(paymentId).slice(3)).toEqual(states)
    await settled('delivered', 3)
  })

  it('sends a webhook that had no address when it was created', async () => {
    await settings(app, { paymentWebhookUrl: '' })
    const { paymentId } = await app.create()
    expect((await app.call('GET', `webhooks/evt_${paymentId}_1`)).status).toBe(404)
    await settings(app, { paymentWebhookUrl: shop.url })
    good(await app.call('POST', `webhooks/evt_${paymentId}_1/resend`))
    await shop.count(1)
    expect(shop.states(paymentId)).toEqual(['Created'])
  })

  it('sends all failed since a time, oldest first, and no others', async () => {
    const [early] = await exhausted(1)
    await app.advance('1h')
    const since = (await app.create({ webhookUrl: 'http://127.0.0.1:1/' })).createdTime
    const late = await exhaustedLater(since)
    expect((await readApp(app)).webhookHealth.exhaustedCount).toBe(3)
    shop.answer = answerWith(200)
    const before = shop.hooks.length
    expect(good(await app.call('POST', `webhooks/resend-failed?since=${since}`))).toEqual({ resent: 2 })
    await shop.count(before + 2)
    expect(shop.hooks.slice(before).map(({ event }) => event.payment.paymentId)).toEqual(late)
    expect(good(await app.call('POST', 'webhooks/resend-failed'))).toEqual({ resent: 1 })
    await shop.count(before + 3)
    expect(shop.hooks.at(-1)?.event.payment.paymentId).toBe(early)
    expect(good(await app.call('POST', 'webhooks/resend-failed'))).toEqual({ resent: 0 })
    expect((await app.call('POST', 'webhooks/resend-failed?since=now')).status).toBe(400)
  })

  async function exhaustedLater(since: string): Promise<number[]> {
    const before = shop.hooks.length
    const late = [(await app.create()).paymentId, (await app.create()).paymentId]
    // The first tries are over, so that what arrives later was resent.
    await shop.count(before + 2)
    await expect
      .poll(async () => (await list('webhooks?status=pending')).every((hook) => hook.attempts.length > 0))
      .toBe(true)
    const statement = {
      name: 'test.exhaust_since',
      text: `update deliveries set status = 'exhausted', due_time = null, lease_token = null
             where app_id = $1 and payment_id = any ($2) and queued_time >= $3`,
    }
    await expect.poll(async () => (await list('webhooks?status=pending')).length).toBe(3)
    await tender.service.ctx.db.query(statement, [app.appId, late, since])
    return late
  }
})

describe('POST webhooks/test', () => {
  it('sends a test event once and returns the result', async () => {
    const sent = good(await app.call('POST', 'webhooks/test'))
    expect(sent).toMatchObject({
      type: 'webhook.test',
      status: 'delivered',
      paymentId: null,
      attempts: [{ httpStatus: 200 }],
    })
    expect(shop.hooks).toMatchObject([
      { event: { type: 'webhook.test', eventId: sent.eventId }, headers: { 'webhook-id': sent.eventId } },
    ])
    shop.answer = answerWith(404, {}, 'no such page')
    expect(good(await app.call('POST', 'webhooks/test'))).toMatchObject({
      status: 'exhausted',
      attempts: [{ httpStatus: 404, response: 'no such page', nextTryTime: null }],
    })
    await app.advance('1d')
    expect(shop.hooks.length).toBe(2)
    expect((await list('events')).map((event) => event.type)).toEqual(['webhook.test', 'webhook.test'])
  })

  it('returns 422 without an address', async () => {
    await settings(app, { paymentWebhookUrl: '' })
    expect((await app.call('POST', 'webhooks/test')).body).toMatchObject({
      status: 422,
      code: 'not_possible',
    })
  })
})

describe('secrets', () => {
  it('are in no log and no list: neither signing secrets nor the Authorization header', async () => {
    const first = await app.call('POST', 'webhook-signing-secret')
    const second = await app.call('POST', 'webhook-signing-secret')
    expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^whsec_/) })
    await settings(app, {
      paymentWebhookUrl: `${shop.url}?token=query-token-77`,
      webhookAuthorizationHeaderScheme: 'Bearer',
      webhookAuthorizationHeaderParameter: 'bearer-token-77',
    })
    shop.answer = ({ headers }, response) => response.writeHead(500).end(JSON.stringify(headers))
    await app.create()
    await shop.count(1)
    await settled('pending', 1)
    good(await app.call('POST', 'webhooks/test'))
    const [webhook] = await list('webhooks')
    const shown = [
      await list('webhooks'),
      await list('events'),
      good(await app.call('GET', `webhooks/${webhook?.eventId}`)),
      await readApp(app),
    ]
    expect(shop.hooks[0]?.headers.authorization).toBe('Bearer bearer-token-77')
    const secrets = ['bearer-token-77', first.body, second.body]
    for (const secret of [...secrets, ...secrets.map((text) => text.replace('whsec_', ''))]) {
      expect(JSON.stringify(shown)).not.toContain(secret)
      expect(lines.join('\n')).not.toContain(secret)
    }
    expect(lines.join('\n')).not.toContain('query-token-77')
    expect(JSON.stringify(shown.slice(0, 3))).not.toContain('query-token-77')
    expect(lines.some((text) => text.includes('webhook.failed'))).toBe(true)
  })
})

import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerWith, type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: TestApp
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = await startReceiver()
  app = (await tender.newMerchant()).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterEach(() => shop.stop())

const STATES = ['Created', 'SaleInProgress', 'Captured']
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const webhook = async (paymentId: number, sequence = 1) =>
  good(await app.call('GET', `webhooks/evt_${paymentId}_${sequence}`))
const rotate = async (): Promise<string> => good(await app.call('POST', 'webhook-signing-secret'))

describe('a webhook', () => {
  it('is sent for every state change, including Created, in order', async () => {
    const { paymentId } = await app.paid()
    await expect.poll(() => shop.states(paymentId)).toEqual(STATES)
    expect(await app.states(paymentId)).toEqual(STATES)
    const [first] = shop.hooks
    expect(first?.event).toMatchObject({
      type: 'payment.state_changed',
      eventId: `evt_${paymentId}_1`,
      sequence: 1,
      payment: { paymentId, paymentState: 'Created', amount: 25.5 },
    })
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': `evt_${paymentId}_1`,
      'user-agent': 'Tender-Webhooks/1',
    })
  })

  it('contains the payment after that change, byte for byte the same on every attempt', async () => {
    shop.answer = (_hook, response) => response.writeHead(shop.hooks.length < 3 ? 500 : 200).end()
    const { paymentId } = await app.create()
    await shop.count(1)
    await app.advance('6s')
    await app.act(paymentId, 'cancel')
    await app.advance('37s')
    await expect
      .poll(() => shop.states(paymentId))
      .toEqual([...Array(3).fill('Created'), 'Cancelling', 'Failed'])
    const [body, ...again] = shop.hooks.slice(0, 3).map((hook) => hook.body)
    expect(again).toEqual([body, body])
  })

  it('is sent to the payment’s webhookUrl with the app’s Authorization header', async () => {
    const own = await startReceiver()
    await settings(app, {
      webhookAuthorizationHeaderScheme: 'Bearer',
      webhookAuthorizationHeaderParameter: 'hook-token-1',
    })
    const { paymentId } = await app.create({ webhookUrl: `${own.url}?order=7` })
    await own.count(1)
    await app.create({ webhookUrl: '' })
    await shop.count(1)
    expect(own.hooks[0]).toMatchObject({
      path: '/hooks?order=7',
      headers: { authorization: 'Bearer hook-token-1' },
      event: { payment: { paymentId } },
    })
    expect(shop.hooks).toMatchObject([{ headers: { authorization: 'Bearer hook-token-1' } }])
    await own.stop()
  })

  it('has no Authorization header by default', async () => {
    await app.create()
    await shop.count(1)
    expect(shop.hooks[0]?.headers).not.toHaveProperty('authorization')
  })

  it('is listed but not sent without an address', async () => {
    await settings(app, { paymentWebhookUrl: { value: null } })
    const { paymentId } = await app.create()
    expect(good(await app.call('GET', `events?paymentId=${paymentId}`))).toMatchObject([
      { eventId: `evt_${paymentId}_1`, payment: { paymentState: 'Created' } },
    ])
    expect(good(await app.call('GET', `webhooks?paymentId=${paymentId}`))).toEqual([])
  })

  it('that waits for a retry is sent to the current address of the app', async () => {
    shop.answer = answerWith(500)
    const { paymentId } = await app.create()
    await shop.count(1)
    const fixed = await startReceiver()
    await settings(app, { paymentWebhookUrl: fixed.url })
    await app.advance('6s')
    await fixed.count(1)
    expect((await webhook(paymentId)).status).toBe('delivered')
    await fixed.stop()
  })

  it('that waits for a retry is dropped and marked if the app’s address is removed', async () => {
    shop.answer = answerWith(500)
    const { paymentId } = await app.create()
    await shop.count(1)
    await settings(app, { paymentWebhookUrl: '' })
    await app.advance('6s')
    expect(await webhook(paymentId)).toMatchObject({ status: 'dropped', attempts: [{ httpStatus: 500 }] })
  })
})

describe('order', () => {
  it('is FIFO for each payment, with one in flight, under concurrent load', async () => {
    const flying = new Map<number, number>()
    let most = 0
    shop.answer = async ({ event }, response) => {
      const { paymentId } = event.payment
      const now = (flying.get(paymentId) ?? 0) + 1
      flying.set(paymentId, now)
      most = Math.max(most, now)
      await pause(Math.random() * 20)
      flying.set(paymentId, (flying.get(paymentId) ?? 0) - 1)
      response.end()
    }
    const payments = await Promise.all(Array.from({ length: 30 }, () => app.paid()))
    await shop.count(90)
    for (const { paymentId } of payments)
      expect([paymentId, shop.states(paymentId)]).toEqual([paymentId, STATES])
    expect(most).toBe(1)
    expect(shop.hooks.length).toBe(90)
    expect(shop.mostAtOnce).toBeGreaterThan(1)
  })

  it('is kept when some fail: later webhooks of the payment wait', async () => {
    const refused = new Set<string>()
    shop.answer = ({ event }, response) => {
      const first = event.payment.paymentState === 'SaleInProgress' && !refused.has(event.eventId)
      refused.add(event.eventId)
      response.writeHead(first ? 500 : 200).end()
    }
    const { paymentId } = await app.paid()
    await expect.poll(() => shop.states(paymentId)).toEqual(['Created', 'SaleInProgress'])
    const other = await app.paid()
    await expect.poll(() => shop.states(other.paymentId)).toEqual(['Created', 'SaleInProgress'])
    await app.advance('6s')
    const all = ['Created', 'SaleInProgress', 'SaleInProgress', 'Captured']
    await expect.poll(() => shop.states(paymentId)).toEqual(all)
    await expect.poll(() => shop.states(other.paymentId)).toEqual(all)
  })

  it('is kept for changes while an earlier webhook waits', async () => {
    shop.answer = answerWith(503)
    const { paymentId } = await app.create()
    await shop.count(1)
    await app.pay(paymentId)
    await pause(100)
    expect(shop.states(paymentId)).toEqual(['Created'])
    shop.answer = answerWith(200)
    await app.advance('6s')
    await expect.poll(() => shop.states(paymentId)).toEqual(['Created', ...STATES])
  })

  it('never has more than 20 in flight for one endpoint', async () => {
    const waiting: (() => void)[] = []
    shop.answer = (_hook, response) => void waiting.push(() => response.end())
    await Promise.all(Array.from({ length: 50 }, () => app.create()))
    await shop.count(20)
    await pause(300)
    expect(shop.hooks.length).toBe(20)
    for (const answer of waiting) answer()
    shop.answer = answerWith(200)
    await shop.count(50)
    expect(shop.mostAtOnce).toBe(20)
  })
})

describe('retries', () => {
  it('keep the webhook-id, with new timestamps and growing delays', async () => {
    const webhookSecret = await rotate()
    shop.answer = (_hook, response) => response.writeHead(shop.hooks.length < 4 ? 500 : 204).end()
    const { paymentId } = await app.create()
    await shop.count(1)
    for (const [step, tries] of [
      ['6s', 2],
      ['36s', 3],
      ['144s', 4],
    ] as const) {
      await pause(1_000)
      await app.advance(step)
      await shop.count(tries)
    }
    const ids = shop.hooks.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([`evt_${paymentId}_1`]))
    const stamps = shop.hooks.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(new Set(stamps).size).toBe(4)
    for (const { body, headers } of shop.hooks) new Webhook(webhookSecret).verify(body, headers)
    const { status, attempts } = await webhook(paymentId)
    expect([status, attempts.map((a: { httpStatus: number }) => a.httpStatus)]).toEqual([
      'delivered',
      [500, 500, 500, 204],
    ])
    const times = attempts.map((attempt: { time: string }) => Date.parse(attempt.time))
    const gaps = times.slice(1).map((time: number, n: number) => time - times[n])
    expect(gaps[0]).toBeGreaterThanOrEqual(4_000)
    expect(gaps[1]).toBeGreaterThanOrEqual(24_000)
    expect(gaps[2]).toBeGreaterThanOrEqual(96_000)
  })

  it('end after three days: exhausted, visible on the app, resendable', async () => {
    shop.answer = answerWith(500)
    const { paymentId } = await app.create()
    await shop.count(1)
    for (let tries = 2; tries <= 12; tries++) {
      await app.advance('30h')
      await shop.count(tries)
    }
    await app.advance('30h')
    expect(shop.hooks.length).toBe(12)
    expect(await webhook(paymentId)).toMatchObject({ status: 'exhausted', nextTryTime: null })
    expect((await readApp(app)).webhookHealth).toMatchObject({
      exhaustedCount: 1,
      endpoints: [{ url: shop.url, status: 'paused', lastError: 'The endpoint answered 500.' }],
    })
    shop.answer = answerWith(200)
    good(await app.call('POST', `webhooks/evt_${paymentId}_1/resend`))
    await shop.count(13)
    await expect.poll(async () => (await webhook(paymentId)).status).toBe('delivered')
    expect((await webhook(paymentId)).attempts.length).toBe(13)
    expect((await readApp(app)).webhookHealth.exhaustedCount).toBe(0)
  })
})

describe('signatures', () => {
  it('verify with the official library, also after a rotation: both secrets for a day', async () => {
    const old = await rotate()
    await app.create()
    await shop.count(1)
    const fresh = await rotate()
    await app.create()
    await shop.count(2)
    await app.advance('25h')
    await app.create()
    await shop.count(3)
    const verdicts = [old, fresh].map((secret) =>
      shop.hooks.map(({ body, headers }) => {
        try {
          return Boolean(new Webhook(secret).verify(body, headers))
        } catch {
          return false
        }
      }),
    )
    expect(verdicts).toEqual([
      [true, true, false],
      [false, true, true],
    ])
    expect(fresh).not.toBe(old)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeLogs } from '../../../src/logs/jobs.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { type PersonItem, type TimelineItem, timelineOf } from '../../../src/payments/history/timeline.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_timeline')
  shop = await startReceiver()
  good(await tender.sandbox.call('PATCH', '', { paymentWebhookUrl: shop.url }))
})
afterAll(async () => {
  await tender?.stop()
  await shop?.stop()
})

const appOf = async (appId: string): Promise<App> => {
  const app = await loadApp(tender.service.ctx, appId)
  if (!app) throw new Error('the app exists')
  return app
}

/** A payment that was opened on the checkout, judged, captured, refunded and told of. */
async function wholePayment(): Promise<Answer> {
  const { sandbox } = tender
  const rule = { action: 'HoldPayment', measure: 'SingleAmount', threshold: 1_000 }
  const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', { name: 'All', rules: [rule] }))
  const payment = await sandbox.create({ fraudPolicyId, autoCapture: false })
  const headers = { 'sec-fetch-dest': 'document', 'accept-language': 'de', 'user-agent': 'A Mobile' }
  await (await fetch(`${tender.url}/c/${payment.paymentKey}`, { headers })).text()
  good(await sandbox.pay(payment.paymentId))
  good(await sandbox.act(payment.paymentId, 'capture'))
  good(await sandbox.act(payment.paymentId, 'refund'))
  const states = await sandbox.states(payment.paymentId)
  await expect.poll(() => shop.states(payment.paymentId).length).toBe(states.length)
  // An acknowledged delivery is recorded a moment later.
  const lastWebhook = async () =>
    good(await sandbox.call('GET', `payments/${payment.paymentId}/last-webhook-item`))
  await expect.poll(async () => (await lastWebhook()).attempts).toHaveLength(1)
  await writeLogs(tender.service.ctx)
  return payment
}

it('shows requests, visits, states, provider calls, verdicts, refunds and webhooks in order', async () => {
  const { ctx } = tender.service
  const { paymentId } = await wholePayment()
  const app = await appOf(tender.sandbox.appId)
  const person: PersonItem = {
    kind: 'person',
    time: ctx.clock.now(),
    actorId: 'p1',
    actorName: 'Ann',
    action: 'payment.refunded',
    note: null,
    hasSecondFactor: false,
  }
  const { items, isCut } = await timelineOf(ctx, app, paymentId, async () => [person])
  const times = items.map(({ time }) => time.getTime())
  expect(times).toEqual([...times].sort((one, other) => one - other))
  expect(isCut).toBe(false)
  const place = (is: (item: TimelineItem) => boolean): number => {
    const found = items.findIndex(is)
    expect(found, is.toString()).toBeGreaterThanOrEqual(0)
    return found
  }
  const places = [
    place((item) => item.kind === 'api' && item.method === 'POST' && item.status === 201),
    place((item) => item.kind === 'state' && item.state === 'Created'),
    place(
      (item) =>
        item.kind === 'page' && item.step === 'opened' && item.language === 'de' && item.device === 'mobile',
    ),
    place((item) => item.kind === 'provider' && item.step === 'start' && item.outcome === 'reply'),
    place((item) => item.kind === 'state' && item.state === 'Authorized'),
    place((item) => item.kind === 'api' && item.path.endsWith('/capture') && item.keyName === 'First key'),
    place((item) => item.kind === 'provider' && item.step === 'capture'),
    place((item) => item.kind === 'state' && item.state === 'Captured'),
    place((item) => item.kind === 'api' && item.path.endsWith('/refund')),
    place((item) => item.kind === 'refund' && item.state === 'done' && item.amountMinor === 2550n),
    place((item) => item.kind === 'state' && item.state === 'Refunded'),
    place((item) => item.kind === 'person' && item.actorName === 'Ann'),
  ]
  expect(places).toEqual([...places].sort((one, other) => one - other))
  place((item) => item.kind === 'fraud' && item.decision === 'Accept' && item.policyName === 'All')
  place((item) => item.kind === 'webhook' && item.attempt === 1 && item.httpStatus === 200)
})

it('another app has no timeline of the payment', async () => {
  const { paymentId } = await tender.sandbox.create()
  const live = await appOf(tender.live.appId)
  await expect(timelineOf(tender.service.ctx, live, paymentId)).rejects.toMatchObject({ code: 'not_found' })
})

it('the details of a payment have the shapes that existing consoles read', async () => {
  const { sandbox } = tender
  const { paymentId, referenceId } = await wholePayment()
  const read = async (path: string): Promise<Answer> =>
    good(await sandbox.call('GET', `payments/${paymentId}/${path}`))
  const states = await read('state-logs')
  expect(states.map(({ paymentState }: Answer) => paymentState)).toEqual(await sandbox.states(paymentId))
  expect(states[0]).toEqual({
    paymentStateLogId: 1,
    paymentState: 'Created',
    createdTime: expect.stringMatching(/^\d{4}-.*Z$/),
    lastError: null,
  })
  const webhook = await read('last-webhook-item')
  expect(webhook).toMatchObject({
    paymentId,
    paymentState: 'Refunded',
    attempts: [{ httpStatus: 200, error: null }],
  })
  const [first] = await read('provider-log')
  expect(Object.keys(first)).toEqual([
    'paymentId',
    'method',
    'createdTime',
    'paymentGateway',
    'message',
    'error',
  ])
  expect(first).toMatchObject({ paymentId: String(paymentId), method: 'start', paymentGateway: 'sandbox' })
  expect(JSON.parse((await read('provider-raw-info')).providerInfo)).toHaveProperty('payment')
  expect(await read('provider-link-info')).toEqual({
    orderUrl: null,
    orderField: 'id',
    orderValue: expect.any(String),
  })
  const path = `payments/referenceId:${referenceId}/ex`
  expect(good(await sandbox.call('GET', path))).toEqual(await sandbox.read(paymentId))
})

it('a payment without webhooks and provider calls has empty details', async () => {
  const { live } = tender
  good(await live.call('POST', 'payment-profiles', PROFILE))
  const body = {
    referenceId: 'bare',
    amount: 5,
    currency: 'USD',
    autoCapture: true,
    customerOrder: { customer: { customerId: 'a' } },
  }
  const { paymentId } = good(await live.call('POST', 'payments', body))
  const read = async (path: string) => good(await live.call('GET', `payments/${paymentId}/${path}`))
  expect(await read('last-webhook-item')).toBeNull()
  expect(await read('provider-log')).toEqual([])
  expect(await read('provider-raw-info')).toEqual({ providerInfo: null })
  expect(await read('provider-link-info')).toEqual({ orderUrl: null, orderField: null, orderValue: null })
  expect((await live.call('GET', 'payments/1/state-logs')).status).toBe(404)
})

const PROFILE = {
  name: 'Cards',
  provider: 'stripe',
  currency: 'USD',
  settings: { secretKey: 'sk_live_0123456789abcdef' },
}

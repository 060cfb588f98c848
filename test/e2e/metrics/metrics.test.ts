import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { freePort } from '../../../src/net/free-port.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

/** A clock that stands still refills no bucket. */
const startTime = new Date()

let tender: TestService
let shop: Receiver
let url: string
beforeAll(async () => {
  const metricsPort = await freePort('127.0.0.1')
  url = `http://127.0.0.1:${metricsPort}/metrics`
  tender = await startTestService('e2e_metrics', { config: { metricsPort } })
  shop = await startReceiver()
  await settings(tender.sandbox, { paymentWebhookUrl: shop.url })
})
afterAll(async () => {
  await tender?.stop()
  await shop?.stop()
})

const scrape = async (): Promise<string> => (await fetch(url)).text()

/** The value of the series with these labels, in any order. */
async function seriesValue(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const line = (await scrape())
    .split('\n')
    .find((text) => /^\w+/.exec(text)?.[0] === name && wanted.every((one) => text.includes(one)))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}

it('counts a payment from request to webhook', async () => {
  const { paymentId } = await tender.sandbox.paid()
  await expect.poll(() => shop.states(paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
  const create = { method: 'POST', route: '/api/apps/{appId}/payments/hosted-page' }
  expect(await seriesValue('tender_http_requests_total', { ...create, status: '2xx' })).toBe(1)
  expect(await seriesValue('tender_http_request_duration_seconds_count', create)).toBe(1)
  for (const state of ['Created', 'SaleInProgress', 'Captured'])
    expect(await seriesValue('tender_payment_state_changes_total', { state, mode: 'sandbox' })).toBe(1)
  expect(await seriesValue('tender_payment_state_changes_total', { state: 'Captured', mode: 'live' })).toBe(0)
  const call = { provider: 'sandbox', step: 'start' }
  expect(await seriesValue('tender_provider_calls_total', { ...call, outcome: 'approved' })).toBe(1)
  expect(await seriesValue('tender_provider_call_duration_seconds_count', call)).toBe(1)
  await expect.poll(() => seriesValue('tender_webhook_tries_total', { result: 'delivered' })).toBe(3)
  expect(await seriesValue('tender_webhook_try_duration_seconds_count')).toBe(3)
})

it('tells declines from calls without a result', async () => {
  const declined = await tender.sandbox.create()
  await tender.sandbox.fault('authorise', 'decline')
  await tender.sandbox.pay(declined.paymentId)
  const lost = await tender.sandbox.create()
  await tender.sandbox.fault('authorise', 'unreadable')
  await tender.sandbox.pay(lost.paymentId)
  const call = { provider: 'sandbox', step: 'start' }
  expect(await seriesValue('tender_provider_calls_total', { ...call, outcome: 'declined' })).toBe(1)
  expect(await seriesValue('tender_provider_calls_total', { ...call, outcome: 'unknown' })).toBe(1)
})

it('counts requests that a limit refused', async () => {
  const own = await startTestService('e2e_metrics_limits', {
    rateLimit: 1,
    config: { metricsPort: await freePort('127.0.0.1') },
    clock: { now: () => startTime, sleep: systemClock.sleep },
  })
  for (let n = 0; n < 4; n++) await own.sandbox.call('GET', 'customers')
  expect(await own.service.scrape?.()).toContain('tender_limits_hit_total{limit="key"} 2\n')
  await own.stop()
})

it('has no ids in labels: unknown paths and other parameters make no new series', async () => {
  const { appId } = tender.sandbox
  for (const path of ['/nowhere/1', '/nowhere/2', `/api/apps/${appId}/payments/1`])
    await fetch(tender.url + path)
  const text = await scrape()
  expect(
    text.match(/^tender_http_requests_total\{method="GET",route="none",status="4xx"\} 2$/m),
  ).not.toBeNull()
  expect(text).not.toContain(appId)
  expect(text).not.toContain('nowhere')
})

it('answers GET /metrics only', async () => {
  const reply = await fetch(url)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(`${tender.url}/metrics`)).status).toBe(404)
})

it('does not start on a port that is in use', async () => {
  const metricsPort = Number(new URL(url).port)
  await expect(startTestService('e2e_metrics_port', { config: { metricsPort } })).rejects.toThrow(
    `METRICS_PORT ${metricsPort} on 127.0.0.1 cannot be opened (EADDRINUSE).`,
  )
})

it('is off without METRICS_PORT', async () => {
  const off = await startTestService('e2e_metrics_off')
  expect(off.service.ctx.meter).toBeUndefined()
  expect(off.service.scrape).toBeUndefined()
  await off.stop()
})

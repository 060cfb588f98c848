import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRanges } from '../../../src/base/addresses.ts'
import { inSpan } from '../../../src/base/tracing/tracer.ts'
import type { Config } from '../../../src/config.ts'
import type { BatchStatement } from '../../../src/db/database.ts'
import { type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts'
import { freePort } from '../../support/free-port.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { good, hostedPage, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const CREATE = 'POST /api/apps/{appId}/payments/hosted-page'
const LOOPBACK = parseRanges('127.0.0.0/8') ?? []

let collector: Collector
let shop: Receiver
let tender: TestService
beforeAll(async () => {
  collector = await startCollector()
  shop = await startReceiver()
  tender = await startTraced('e2e_traces')
  await settings(tender.sandbox, { paymentWebhookUrl: shop.url })
})
afterAll(async () => {
  await tender?.stop()
  await shop?.stop()
  await collector?.stop()
})

const tracesTo = (endpoint: string, more: object = {}): NonNullable<Config['traces']> => {
  return { endpoint, ratio: 1, trustsParent: false, ...more }
}

const startTraced = (name: string, more: Partial<Config> = {}) =>
  startTestService(name, { config: { traces: tracesTo(collector.endpoint), ...more } })

const order = () => hostedPage({ customerOrder: { customer: { customerId: 'payer-77' } } })

const createWith = async (app: TestApp, headers: Record<string, string>) =>
  good(await app.call('POST', 'payments/hosted-page', order(), headers))

const parent = (flags = '01', traceId = TRACE) => ({ traceparent: `00-${traceId}-${CALLER}-${flags}` })
const isOf = (traceId: string, name: string) => (span: CollectedSpan) =>
  span.traceId === traceId && span.name === name

/** The names from the root of its trace to the span. A span comes after its parts. */
async function pathOf(span: CollectedSpan): Promise<string[]> {
  const { parentSpanId } = span
  if (parentSpanId === undefined || parentSpanId === CALLER) return [span.name]
  return [...(await pathOf(await collector.wait(({ spanId }) => spanId === parentSpanId))), span.name]
}

it('follows a payment from the request to the webhook, in the trace of the caller', async () => {
  const state = { ...parent(), tracestate: 'vendor=abc' }
  const { paymentId } = await createWith(tender.sandbox, state)
  const created = await collector.wait(isOf(TRACE, CREATE))
  expect(created).toMatchObject({ parentSpanId: CALLER, kind: 2, traceState: 'vendor=abc' })
  expect(created.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api/apps/{appId}/payments/hosted-page',
    'http.response.status_code': 201,
  })
  const statement = await collector.wait(isOf(TRACE, 'payments.create'))
  expect(statement).toMatchObject({
    kind: 3,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'payments.create' },
  })
  const command = 'Create a payment on the hosted checkout'
  expect(await pathOf(statement)).toEqual([CREATE, command, 'lane payments.create', 'payments.create'])
  const hook = await collector.wait((span) => isOf(TRACE, 'POST')(span) && span.kind === 3)
  expect(await pathOf(hook)).toEqual([CREATE, command, 'webhook payment.state_changed', 'POST'])
  expect(hook.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 })
  const received = shop.hooks.find(({ event }) => event.payment.paymentId === paymentId)
  expect(received?.headers).toMatchObject({
    traceparent: `00-${TRACE}-${hook.spanId}-01`,
    tracestate: 'vendor=abc',
  })
})

it('shows calls to the provider with their outcome, and the webhooks of a capture', async () => {
  const { paymentId } = await tender.sandbox.paid({ autoCapture: false })
  const traceId = '1af7651916cd43dd8448eb211c80319c'
  const path = `payments/${paymentId}/capture`
  good(await tender.sandbox.call('POST', path, undefined, parent('01', traceId)))
  const call = await collector.wait(isOf(traceId, 'sandbox capture'))
  expect(await pathOf(call)).toEqual([
    'POST /api/apps/{appId}/payments/{paymentId}/capture',
    'Capture an authorised payment',
    'sandbox capture',
  ])
  expect(call.attributes).toMatchObject({ 'tender.provider': 'sandbox', 'tender.outcome': 'approved' })
  const request = await collector.wait((span) => span.parentSpanId === call.spanId && span.name === 'POST')
  expect(request).toMatchObject({ kind: 3, attributes: { 'server.address': '127.0.0.1' } })
  await expect.poll(() => shop.states(paymentId)).toContain('Captured')
  const captured = shop.hooks.filter(({ event }) => event.payment.paymentState === 'Captured')
  expect(captured.map(({ headers }) => headers.traceparent?.slice(3, 35))).toEqual([traceId])
})

const BATCHED: BatchStatement<number, object> = {
  name: 'test.batched',
  text: 'select n from json_to_recordset($1) as i (n integer)',
  encode: () => '{"a":0}',
}

it('links the statement of a batch to every request in it', async () => {
  const { db, tracer } = tender.service.ctx
  const ask = (name: string) => inSpan(tracer, { name, parent: null }, () => db.batch(BATCHED, 0))
  await Promise.all(['ask 1', 'ask 2', 'ask 3'].map(ask))
  const batch = await collector.wait(({ name }) => name === 'test.batched')
  expect(batch.attributes['db.operation.batch.size']).toBe(3)
  for (const wanted of ['ask 1', 'ask 2', 'ask 3']) await collector.wait(({ name }) => name === wanted)
  const lanes = collector.spans().filter(({ name }) => name === 'lane test.batched')
  expect(await Promise.all(lanes.map(pathOf))).toEqual(
    ['ask 1', 'ask 2', 'ask 3'].map((name) => [name, 'lane test.batched']),
  )
  const [first, ...others] = lanes
  expect([batch.traceId, batch.parentSpanId]).toEqual([first?.traceId, first?.spanId])
  expect(batch.links).toMatchObject(lanes.map(({ traceId, spanId }) => ({ traceId, spanId })))
  expect(first?.links).toEqual([])
  for (const { links } of others) expect(links).toMatchObject([{ spanId: batch.spanId }])
})

it('contains no key, id of a payer, query or address of a payer', async () => {
  const { paymentKey } = await createWith(tender.sandbox, {})
  await fetch(`${tender.url}/c/${paymentKey}?token=hidden-token`)
  await collector.wait(({ name }) => name === 'GET /c/{paymentKey}')
  const text = collector.text()
  const { apiKey, appId } = tender.sandbox
  for (const hidden of [apiKey, appId, 'payer-77', paymentKey, 'hidden-token', '127.0.0.1:'])
    expect(text).not.toContain(hidden)
})

it('begins a trace of its own where traceparent is invalid', async () => {
  const bad = { traceparent: `00-${TRACE}-${CALLER}-01-more`, tracestate: 'vendor=invalid' }
  await createWith(tender.sandbox, bad)
  await tender.sandbox.call('GET', 'customers', undefined, parent('01', '0'.repeat(32)))
  await collector.wait(({ name }) => name === 'GET /api/apps/{appId}/customers')
  expect(collector.text()).not.toContain('vendor=invalid')
  expect(collector.spans().filter(({ traceId }) => traceId === '0'.repeat(32))).toEqual([])
})

it('lets callers choose nothing: with a ratio of 0 their sampled flag does not count', async () => {
  const traces = tracesTo(collector.endpoint, { ratio: 0, trustsParent: true })
  const own = await startTraced('e2e_traces_ratio', { traces })
  const traceId = '2af7651916cd43dd8448eb211c80319c'
  await createWith(own.sandbox, parent('01', traceId))
  await own.stop()
  expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([])
})

it('follows the flag of a trusted proxy', async () => {
  const traces = tracesTo(collector.endpoint, { ratio: 0, trustsParent: true })
  const own = await startTraced('e2e_traces_proxy', { traces, trustedProxies: LOOPBACK })
  const [on, off] = ['3af7651916cd43dd8448eb211c80319c', '4af7651916cd43dd8448eb211c80319c'] as const
  await createWith(own.sandbox, parent('00', off))
  await createWith(own.sandbox, parent('01', on))
  await own.stop()
  const seen = new Set(collector.spans().map(({ traceId }) => traceId))
  expect([seen.has(on), seen.has(off)]).toEqual([true, false])
})

it('works as before while the collector is away, and counts the spans', async () => {
  const metricsPort = await freePort()
  const traces = tracesTo(`http://127.0.0.1:${await freePort()}`)
  const own = await startTraced('e2e_traces_away', { traces, metricsPort })
  expect(await own.sandbox.paid()).toMatchObject({ paymentState: 'Captured' })
  const { service } = own
  await own.stop()
  const lost = /^tender_trace_spans_total\{result="(?:dropped|failed)"\} [1-9]/m
  expect(await service.scrape?.()).toMatch(lost)
})

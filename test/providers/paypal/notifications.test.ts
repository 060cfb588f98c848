import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import type { HttpReply } from '../../../src/net/http.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles } from '../../../src/providers/outcome.ts'
import { createPaypal } from '../../../src/providers/paypal/adapter.ts'
import type { PaypalSettings } from '../../../src/providers/paypal/manifest.ts'
import type { InboundCall, ProviderAdapter, Purchase } from '../../../src/providers/port.ts'
import { createPaypalClient, NOTIFY_URL, type PaypalClient } from './client.ts'

const DOWN: HttpReply = { kind: 'no-answer', why: 'timeout', cause: 'timeout' }

let client: PaypalClient
let paypal: ProviderAdapter<PaypalSettings>

beforeEach(async () => {
  client = await createPaypalClient()
  paypal = createPaypal()
})
afterEach(() => client.close())

const ctx = () => client.context()

async function paid(overrides: Partial<Purchase> = {}): Promise<{ reference: string; handles: Handles }> {
  const start = operation('start')
  const wanted = purchase({ method: 'Paypal', ...overrides })
  const opened = await paypal.start(ctx(), start, wanted)
  if (opened.kind !== 'redirect') throw new Error(`not opened: ${opened.kind}`)
  await client.simulator.payer(opened.url, { kind: 'pay' })
  const resumed = await paypal.resume(ctx(), operation('resume', start.reference), wanted, opened.handles)
  if (resumed.kind !== 'approved') throw new Error(`not paid: ${resumed.kind}`)
  return { reference: start.reference, handles: resumed.handles }
}

interface Reported extends InboundCall {
  readonly type: string
}

const reported = (): Reported[] =>
  client.simulator.takeNotifications().map(({ headers, body }) => {
    const { event_type: type } = JSON.parse(body) as { event_type: string }
    return { type, headers, rawBody: Buffer.from(body), url: NOTIFY_URL }
  })

async function connected(): Promise<void> {
  expect(await paypal.connect?.(ctx())).toMatchObject({ ok: true })
}

async function captureReported(): Promise<{ reference: string; call: Reported }> {
  await connected()
  const { reference } = await paid()
  const call = reported().find(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED')
  if (!call) throw new Error('nothing was told')
  return { reference, call }
}

const CERTIFICATE = /notifications\/certs/
const VERIFY = /verify-webhook-signature$/

describe('connecting a profile', () => {
  it('registers one webhook for the address, and adds missing events to it', async () => {
    await connected()
    await connected()
    expect(client.simulator.webhookEndpoints).toEqual([
      { url: NOTIFY_URL, secret: client.simulator.settings.webhookId },
    ])
  })

  it('says in a sentence what is wrong', async () => {
    const config = client.simulator.wrongSettings as unknown as PaypalSettings
    const wrong = client.context({ config })
    expect(await paypal.check(wrong)).toEqual({
      ok: false,
      problem: expect.stringMatching(/rejects the client id/),
      code: 'credentials',
    })
    expect(await paypal.connect?.(wrong)).toMatchObject({ ok: false })
    const other = { ...(client.simulator.settings as unknown as PaypalSettings), webhookId: 'OTHER123' }
    expect(await paypal.check(client.context({ config: other }))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/no webhook with this id/),
      code: 'not-found',
    })
  })
})

describe('a notification', () => {
  it('names the attempt, and the stage that our own reply already told', async () => {
    const { reference, call } = await captureReported()
    expect(await paypal.receive(ctx(), call)).toEqual({
      kind: 'events',
      hints: [{ reference, reportedStage: 'captured' }],
    })
  })

  it('of a capture in the dashboard is always followed by a read: it may be one of several', async () => {
    await connected()
    const { reference } = await paid({ sale: false })
    reported()
    client.simulator.dashboard(reference, { kind: 'capture', amountMinor: 300n })
    const call = reported().find(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED')
    if (!call) throw new Error('nothing was told')
    expect(await paypal.receive(ctx(), call)).toEqual({ kind: 'events', hints: [{ reference }] })
  })

  it('is verified with a certificate that is fetched once', async () => {
    const { call } = await captureReported()
    await Promise.all([paypal.receive(ctx(), call), paypal.receive(ctx(), call)])
    await paypal.receive(ctx(), call)
    const paths = client.simulator.requests.map(({ path }) => path)
    expect(paths.filter((path) => CERTIFICATE.test(path))).toHaveLength(1)
    expect(paths.filter((path) => VERIFY.test(path))).toHaveLength(0)
  })

  it('is verified by PayPal if the certificate cannot be had, or later', async () => {
    const { reference, call } = await captureReported()
    client.answer(CERTIFICATE, DOWN)
    expect(await paypal.receive(ctx(), call)).toMatchObject({ kind: 'events', hints: [{ reference }] })
    const changed = Buffer.from(call.rawBody.toString().replace('10.50', '10.51'))
    expect(await paypal.receive(ctx(), { ...call, rawBody: changed })).toEqual({ kind: 'forged' })
    client.answer(VERIFY, DOWN)
    await expect(paypal.receive(ctx(), call)).rejects.toThrow('cannot be verified now')
  })

  it('is forged if its certificate is not at PayPal; nothing is fetched from there', async () => {
    const { call } = await captureReported()
    const before = client.simulator.requests.length
    for (const url of [
      'https://paypal.com.example/v1/notifications/certs/CERT-1',
      'https://api.paypal.com@example.com/v1/notifications/certs/CERT-1',
      'https://api.paypal.com/v1/notifications/certs/CERT-1',
      'http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
      `${client.simulator.origin}/v2/checkout/orders`,
      'not a url',
    ]) {
      const headers = { ...call.headers, 'paypal-cert-url': url }
      expect(await paypal.receive(ctx(), { ...call, headers })).toEqual({ kind: 'forged' })
    }
    expect(client.simulator.requests.length).toBe(before)
  })

  it('is forged for another webhook, and for a profile that is not connected', async () => {
    const { call } = await captureReported()
    const { webhookId: _, ...config } = client.simulator.settings as unknown as PaypalSettings
    expect(await paypal.receive(client.context({ config }), call)).toEqual({ kind: 'forged' })
    const other = { ...config, webhookId: 'OTHER123' }
    expect(await paypal.receive(client.context({ config: other }), call)).toEqual({ kind: 'forged' })
  })

  it('of a refund or a dispute leads to the payment by its capture', async () => {
    await connected()
    const { reference, handles } = await paid()
    const refund = operation('refund', reference)
    await paypal.refund(ctx(), refund, handles, money(100n, 'EUR'))
    client.simulator.dashboard(reference, { kind: 'refund', amountMinor: 100n })
    client.simulator.dashboard(reference, { kind: 'dispute', state: 'lost' })
    const news = reported().filter(({ type }) => /REFUNDED|DISPUTE/.test(type))
    expect(news).toHaveLength(4)
    for (const call of news)
      expect(await paypal.receive(ctx(), call)).toEqual({ kind: 'events', hints: [{ reference }] })
    client.answer(/payments\/captures/, DOWN)
    await expect(paypal.receive(ctx(), news[0] as Reported)).rejects.toThrow()
  })

  it('about a payment of another system is ignored', async () => {
    await connected()
    const start = { ...operation('start'), reference: 'shop order 17' }
    const opened = await paypal.start(ctx(), start, purchase({ method: 'Paypal' }))
    if (opened.kind === 'redirect') await client.simulator.payer(opened.url, { kind: 'pay' })
    const [call] = reported()
    expect(await paypal.receive(ctx(), call as Reported)).toEqual({ kind: 'ignored' })
  })
})

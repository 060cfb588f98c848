import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../support/tender.ts'
import { loadPlugin } from './support/plugin.ts'

/** Rare moments that a shop day does not meet: the sources of the plugins, the real service, and no host. */
let service: TestService
beforeAll(async () => {
  service = await startTestService('shop_plugins')
})
afterAll(() => service?.stop())

const access = () => {
  const { appId, apiKey } = service.sandbox
  return { url: service.url, appId, apiKey, returnUrl: 'https://shop.example/{code}' }
}

describe('the provider for Medusa', () => {
  const key = Buffer.alloc(24, 7)
  const webhookSecret = `whsec_${key.toString('base64')}`
  let Provider: Answer
  beforeAll(async () => {
    ;({ TenderPaymentProvider: Provider } = await loadPlugin('packages/medusa/src/provider.ts'))
  })

  /** A payment of a session, and a provider that reads the session's rows. */
  async function paidSession(amount: number) {
    const sessionId = `payses_${newReference()}`
    const payment = await service.sandbox.paid({ referenceId: sessionId, amount, autoCapture: false })
    const { paymentId, paymentKey } = payment
    const data = { session_id: sessionId, paymentId, paymentKey }
    const row = {
      ...{ id: sessionId, status: 'pending', provider_id: 'pp_tender_tender', data, payment: null },
      payment_collection: { id: 'paycol_1', amount, payment_sessions: [] },
    }
    const none = { list: async () => [] }
    const cradle = {
      paymentSessionService: { list: async () => [row] },
      captureService: none,
      refundService: none,
    }
    const provider = new Provider(cradle, { ...access(), webhookSecret })
    return { sessionId, payment, data, row, provider }
  }

  function signed(body: string) {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const mac = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  }

  it('counts the part that was captured in the console before the order is made, not the whole', async () => {
    const { sessionId, payment, data, provider } = await paidSession(20)
    good(await service.sandbox.call('POST', `payments/${payment.paymentId}/capture?amount=5`))
    const context = { idempotency_key: sessionId }
    // Medusa takes "captured" for a capture of everything.
    expect(await provider.authorizePayment({ data, context })).toMatchObject({ status: 'authorized' })
    const body = JSON.stringify({ type: 'payment.state_changed', payment })
    const told = await provider.getWebhookActionAndData({ rawData: body, headers: signed(body) })
    expect(told).toMatchObject({ action: 'captured', data: { session_id: sessionId, amount: 5 } })
  })

  it('counts a whole capture at once', async () => {
    const { sessionId, payment, data, provider } = await paidSession(20)
    good(await service.sandbox.call('POST', `payments/${payment.paymentId}/capture`))
    const context = { idempotency_key: sessionId }
    expect(await provider.authorizePayment({ data, context })).toMatchObject({ status: 'captured' })
  })

  it('gives no payment of another cart back, whose id and key a browser wrote into a session', async () => {
    const bought = await paidSession(30)
    const { sessionId, data, row, provider } = await paidSession(20)
    const forged = { ...row, id: 'payses_other', data: { ...bought.data, session_id: 'payses_other' } }
    Object.assign(row.payment_collection, { payment_sessions: [row, forged] })
    const context = { idempotency_key: sessionId }
    expect(await provider.authorizePayment({ data, context })).toMatchObject({ status: 'authorized' })
    const { paymentId } = bought.payment
    expect(await service.sandbox.read(paymentId)).toMatchObject({ paymentState: 'Authorized' })
  })

  it('refuses a webhook without a body', async () => {
    const { provider } = await paidSession(20)
    const refused = provider.getWebhookActionAndData({ headers: signed('{}') })
    await expect(refused).rejects.toMatchObject({ name: 'WebhookError', problem: 'wrong-signature' })
  })
})

describe('the plugin for Vendure', () => {
  const method = {
    handler: { code: 'tender', args: [{ name: 'autoCapture', value: 'true' }] },
    code: 'tender',
  }
  let plugin: Answer
  beforeAll(async () => {
    const { TenderService } = await loadPlugin('packages/vendure/src/tender-service.ts')
    plugin = Object.assign(new TenderService(), {
      settings: { ...access(), serverUrl: 'http://127.0.0.1:3000', savedMethods: true },
      methods: { getActivePaymentMethods: async () => [method] },
      config: { entityOptions: {} },
    })
  })

  const orderOf = (code: string) => ({
    ...{ code, totalWithTax: 3000, currencyCode: 'EUR', payments: [], state: 'ArrangingPayment' },
  })

  it('opens a new page for a changed cart while the old payment is taken and under review', async () => {
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
    const policy = good(await service.sandbox.call('POST', 'fraud-policies', { name: 'Review', rules }))
    const code = newReference()
    const held = await service.sandbox.create({
      ...{ referenceId: `${code}-2000EUR`, amount: 20, fraudPolicyId: policy.fraudPolicyId },
    })
    await service.sandbox.pay(held.paymentId, { method: 'ElectronicCheck' })
    await service.sandbox.advance('10s')
    expect(await service.sandbox.read(held.paymentId)).toMatchObject({ paymentState: 'CapturedHold' })
    expect(await plugin.open({}, orderOf(code))).toMatch(/^http/)
    expect(await service.sandbox.read(held.paymentId)).toMatchObject({
      ...{ paymentState: 'Failed', refundedAmount: 20 },
    })
  })

  it('tells the merchant of money that could not be given back', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const code = newReference()
    const paid = async (refusal?: string) => {
      const payment = await service.sandbox.paid({
        referenceId: `${code}-${refusal ?? ''}2000EUR`,
        amount: 20,
      })
      if (refusal) await service.sandbox.fault('refund', 'decline')
      await plugin.follow({}, orderOf(code), payment)
      return service.sandbox.read(payment.paymentId)
    }
    expect(await paid()).toMatchObject({ paymentState: 'Refunded' })
    expect(told).not.toHaveBeenCalled()
    expect(await paid('refused-')).toMatchObject({ paymentState: 'Captured' })
    expect(told.mock.calls).toEqual([
      [expect.stringMatching(/refused-2000EUR was not: .* console.*refund/is)],
    ])
    told.mockRestore()
  })
})

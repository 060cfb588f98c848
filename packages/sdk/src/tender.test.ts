import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/tender.ts'
import { createTender, type Payment, type Tender, TenderError } from './tender.ts'

let service: TestService
let tender: Tender
beforeAll(async () => {
  service = await startTestService('sdk')
  const { appId, apiKey } = service.sandbox
  tender = createTender({ url: service.url, appId, apiKey })
})
afterAll(() => service?.stop())

const order = (referenceId: string) => ({
  referenceId,
  amount: 25,
  currency: 'EUR',
  autoCapture: true,
  showPayRecurringInCheckout: false,
  returnUrl: 'https://shop.example/thanks',
  customerOrder: { customer: { customerId: 'ada' } },
})

const refusalOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

describe('the SDK against the service', () => {
  it('creates, pays, reads and refunds a payment', async () => {
    const created: Payment = await tender.payments.createHostedPage(order('sdk-1'))
    expect(created.redirectUrl).toContain(service.url)
    expect(await tender.testHelpers.pay(created.paymentId)).toMatchObject({ paymentState: 'Captured' })
    const refunded = await tender.payments.refund(created.paymentId, {
      amount: 5.5,
      description: 'späte Ware',
    })
    expect(refunded).toMatchObject({ paymentState: 'Captured', refundedAmount: 5.5 })
    expect(await tender.payments.getByReference('sdk-1')).toEqual(refunded)
    const kinds = (await tender.testHelpers.ledger({ paymentId: created.paymentId })).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['refund', 'sale'])
  })

  it('repeats a refund with the same key without a second effect', async () => {
    const { paymentId } = await tender.payments.createHostedPage(order('sdk-2'))
    await tender.testHelpers.pay(paymentId)
    const options = { idempotencyKey: 'refund-of-sdk-2' }
    await tender.payments.refund(paymentId, { amount: 5 }, options)
    const again = await tender.payments.refund(paymentId, { amount: 5 }, options)
    expect(again.refundedAmount).toBe(5)
  })

  it('survives an answer that is lost on the way: one refund', async () => {
    const { paymentId } = await tender.payments.createHostedPage(order('sdk-3'))
    await tender.testHelpers.pay(paymentId)
    let lost = 0
    const unlucky = createTender({
      url: service.url,
      appId: service.sandbox.appId,
      apiKey: service.sandbox.apiKey,
      wait: async () => {},
      async fetch(url, init) {
        const response = await fetch(url, init)
        if (lost++ === 0) throw new TypeError('terminated')
        return response
      },
    })
    expect(await unlucky.payments.refund(paymentId, { amount: 5 })).toMatchObject({ refundedAmount: 5 })
    expect(lost).toBe(2)
    const ledger = await tender.testHelpers.ledger({ paymentId })
    expect(ledger.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  })

  it('throws problems as typed errors', async () => {
    const bad = await refusalOf(tender.payments.createHostedPage({ ...order('sdk-4'), amount: -1 }))
    expect(bad).toBeInstanceOf(TenderError)
    expect(bad).toMatchObject({ code: 'invalid_request', status: 400, fields: [{ field: 'amount' }] })
    const { paymentId } = await tender.payments.createHostedPage(order('sdk-5'))
    expect(await refusalOf(tender.payments.capture(paymentId))).toMatchObject({
      code: 'payment_not_capturable',
      problem: { paymentState: 'Created' },
    })
    expect(await refusalOf(tender.payments.get(1))).toMatchObject({ code: 'not_found' })
  })

  it('iterates over lists with small pages: every row once', async () => {
    for (const customerId of ['c1', 'c2', 'c3', 'c4', 'c5'])
      await tender.customers.create({ customerId, firstName: 'Cleo' })
    const ids: string[] = []
    for await (const customer of tender.customers.list({ searchCriteria: 'Cleo', pageSize: 2 }))
      ids.push(customer.customerId)
    expect(ids).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])

    const { paymentId } = await tender.payments.getByReference('sdk-1')
    const events = tender.events.list({ paymentId, pageSize: 1 })
    const states: unknown[] = []
    for await (const { payment } of events) states.push(payment?.paymentState)
    expect(states).toEqual(['Captured', 'Refunding', 'Captured', 'SaleInProgress', 'Created'])
    expect(await tender.payments.list({ state: 'Captured' }).take(1)).toHaveLength(1)
  })

  it('reads what belongs to no app, changes settings, and accepts empty answers', async () => {
    expect(await tender.service.ready()).toEqual({ status: 'ok' })
    expect(await tender.service.openapi()).toMatchObject({ openapi: '3.1.0' })
    const app = await tender.app.update({ friendlyName: 'The corner shop' })
    expect(app.friendlyName).toBe('The corner shop')
    expect(await tender.webhooks.rotateSecret()).toMatch(/^whsec_/)
    expect(await tender.webhooks.removeSecret()).toBeUndefined()
  })
})

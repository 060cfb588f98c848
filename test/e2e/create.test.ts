import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostedPage, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_create')
})
afterAll(() => tender?.stop())

describe('creating a payment on the hosted page', () => {
  it('answers 201 with the payment, Created, and where to send the customer', async () => {
    const request = hostedPage()
    const { status, body } = await tender.sandbox.call('POST', 'payments/hosted-page', request)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      appId: tender.sandbox.appId,
      paymentState: 'Created',
      paymentStateId: 1,
      amount: 25.5,
      capturedAmount: 0,
      refundedAmount: 0,
      referenceId: request.referenceId,
      currency: 'EUR',
      paymentFlow: 'HostedPage',
      autoPayment: 'None',
      fraudStatus: 'Unknown',
      customerId: 'dana',
    })
    expect(body.redirectUrl).toBe(`${tender.url}/c/${body.paymentKey}`)
  })

  it('is paid by the customer and captured', async () => {
    const payment = await tender.sandbox.paid()
    expect(payment).toMatchObject({ paymentState: 'Captured', paymentStateId: 7, capturedAmount: 25.5 })
    expect(await tender.sandbox.states(payment.paymentId)).toEqual(['Created', 'Authorizing', 'Capturing', 'Captured'])
    expect(await tender.sandbox.ledger(payment.paymentId)).toMatchObject([
      { kind: 'authorise', status: 'done' },
      { kind: 'capture', status: 'done', amount: 25.5, currency: 'EUR' },
    ])
  })
})

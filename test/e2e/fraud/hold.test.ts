import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let policyId: number
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_hold')
  shop = await startReceiver()
  policyId = await policy({ rules: [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }] })
})
afterAll(async () => {
  await tender?.stop()
  await shop?.stop()
})

async function policy(body: object): Promise<number> {
  const made = await tender.sandbox.call('POST', 'fraud-policies', { name: 'Policy', ...body })
  return good(made).fraudPolicyId
}

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

async function paid(more: object = {}, payOptions: object = { outcome: 'elevated-risk' }): Promise<Answer> {
  const { paymentId } = await tender.sandbox.create({
    fraudPolicyId: policyId,
    webhookUrl: shop.url,
    ...order(newReference()),
    ...more,
  })
  return good(await tender.sandbox.pay(paymentId, payOptions))
}

const done = async (paymentId: number) =>
  (await tender.sandbox.ledger(paymentId)).filter((row) => row.status === 'done').map((row) => row.kind)

describe('a fraud rule that holds payments', () => {
  it('authorises without capturing, also with autoCapture', async () => {
    const held = await paid()
    expect(held).toMatchObject({
      paymentState: 'ProviderAuthorizedHold',
      paymentStateId: 11,
      fraudStatus: 'Suspicious',
      fraudPolicyId: policyId,
      fraudPolicyName: 'Policy',
      capturedAmount: 0,
      canUnhold: true,
      canCapture: false,
      canCancel: true,
    })
    expect(await done(held.paymentId)).toEqual(['authorise'])
    expect((await tender.sandbox.act(held.paymentId, 'capture')).body.code).toBe('payment_not_capturable')
    await tender.sandbox.act(held.paymentId, 'recheck')
    await tender.sandbox.advance('1h')
    expect((await tender.sandbox.read(held.paymentId)).paymentState).toBe('ProviderAuthorizedHold')
    expect(await done(held.paymentId)).toEqual(['authorise'])
  })

  it('hold → unhold → captured, with the webhooks in order', async () => {
    const { paymentId } = await paid()
    const { status, body } = await tender.sandbox.act(paymentId, 'unhold')
    expect([status, body.paymentState, body.fraudStatus]).toEqual([200, 'Captured', 'Ignored'])
    await expect
      .poll(() => shop.states(paymentId))
      .toEqual(['Created', 'Authorizing', 'ProviderAuthorizedHold', 'Capturing', 'Captured'])
    expect(await done(paymentId)).toEqual(['authorise', 'capture'])
    expect((await tender.sandbox.act(paymentId, 'unhold')).status).toBe(200)
  })

  it('without autoCapture unhold leaves the payment Authorized', async () => {
    const { paymentId } = await paid({ autoCapture: false })
    expect((await tender.sandbox.act(paymentId, 'unhold')).body.paymentState).toBe('Authorized')
    expect((await tender.sandbox.act(paymentId, 'capture')).body.paymentState).toBe('Captured')
  })

  it('hold → cancel voids, with the webhooks in order', async () => {
    const { paymentId } = await paid()
    const { body } = await tender.sandbox.act(paymentId, 'cancel')
    expect(body).toMatchObject({ paymentState: 'Failed', failure: { code: 'cancelled' } })
    await expect
      .poll(() => shop.states(paymentId))
      .toEqual(['Created', 'Authorizing', 'ProviderAuthorizedHold', 'Cancelling', 'Failed'])
    expect(await done(paymentId)).toEqual(['authorise', 'void'])
  })

  it('hold → expiry: the authorisation window still applies, with the webhooks in order', async () => {
    const { paymentId } = await paid()
    await tender.sandbox.advance('8d')
    expect(await tender.sandbox.read(paymentId)).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'authorization_expired' },
    })
    await expect
      .poll(() => shop.states(paymentId))
      .toEqual(['Created', 'Authorizing', 'ProviderAuthorizedHold', 'Failed'])
    expect(await done(paymentId)).toEqual(['authorise'])
  })

  it('a held one-step sale is CapturedHold: unhold releases it, cancel refunds it', async () => {
    const large = await policy({ rules: [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }] })
    const pay = async () => {
      const { paymentId } = await paid({ fraudPolicyId: large }, { method: 'ElectronicCheck' })
      await tender.sandbox.advance('10s')
      return tender.sandbox.read(paymentId)
    }
    const [first, second] = [await pay(), await pay()]
    expect(first).toMatchObject({ paymentState: 'CapturedHold', fraudStatus: 'Suspicious' })
    expect((await tender.sandbox.act(first.paymentId, 'unhold')).body.paymentState).toBe('Captured')
    expect((await tender.sandbox.act(second.paymentId, 'cancel')).body).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'cancelled' },
      refundedAmount: 25.5,
    })
    expect(await done(second.paymentId)).toEqual(['sale', 'refund'])
  })

  it('a held payment whose provider returns no money is not cancelled, and says so', async () => {
    const large = await policy({ rules: [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }] })
    const held = await paid({ fraudPolicyId: large }, { method: 'Crypto' })
    expect(held).toMatchObject({ paymentState: 'CapturedHold', canCancel: false, canUnhold: true })
    const { status, body } = await tender.sandbox.act(held.paymentId, 'cancel')
    expect([status, body.code]).toEqual([409, 'payment_not_cancellable'])
    expect(body).toMatchObject({ detail: 'The provider of this payment cannot refund.' })
    expect(body.allowedActions).toEqual(['unhold', 'recheck'])
    expect((await tender.sandbox.act(held.paymentId, 'unhold')).body.paymentState).toBe('Captured')
  })

  it('sets Verified on payments that do not match', async () => {
    const fine = await paid({}, {})
    expect(fine).toMatchObject({ paymentState: 'Captured', fraudStatus: 'Verified' })
  })

  it('also holds a payment whose reply was lost', async () => {
    await tender.sandbox.fault('authorise', 'reply-lost')
    const { paymentId } = await tender.sandbox.create({ fraudPolicyId: policyId, ...order(newReference()) })
    const moving = good(await tender.sandbox.pay(paymentId, { outcome: 'high-risk' }))
    expect(moving.paymentState).toBe('Authorizing')
    await tender.sandbox.act(paymentId, 'recheck')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('ProviderAuthorizedHold')
    expect(await done(paymentId)).toEqual(['authorise'])
  })

  it('explains the verdict', async () => {
    const { paymentId } = await paid()
    const { verdicts, fraudStatus } = good(await tender.sandbox.call('GET', `payments/${paymentId}/fraud`))
    expect(fraudStatus).toBe('Suspicious')
    expect(verdicts).toMatchObject([
      {
        attempt: 1,
        fraudPolicyId: policyId,
        fraudPolicyName: 'Policy',
        version: 1,
        decision: 'Hold',
        checks: [
          {
            stage: 'After',
            name: 'ProviderRiskScore',
            rule: 1,
            action: 'HoldPayment',
            seen: '65',
            limit: '60',
            result: 'Violated',
            explanation: "Rule 1: the provider's own risk score of this payment: 65; at most 60. Violated.",
          },
        ],
      },
    ])
    const other = (await tender.newMerchant()).sandbox
    expect((await other.call('GET', `payments/${paymentId}/fraud`)).status).toBe(404)
    expect((await other.call('GET', `payments/${paymentId}/attempts`)).status).toBe(404)
  })
})

describe('a rule that rejects by facts of the provider', () => {
  it('voids immediately: Failed, fraud_rejected, and a void in the ledger', async () => {
    const strict = await policy({
      rules: [
        { action: 'RejectPayment', measure: 'ProviderRiskScore', threshold: 80, message: 'Please call us.' },
      ],
    })
    const rejected = await paid({ fraudPolicyId: strict }, { outcome: 'high-risk' })
    expect(rejected).toMatchObject({
      paymentState: 'Failed',
      fraudStatus: 'Fraudulent',
      failure: { code: 'fraud_rejected', message: 'Please call us.' },
    })
    expect(await tender.sandbox.states(rejected.paymentId)).toEqual([
      'Created',
      'Authorizing',
      'ProviderAuthorizedHold',
      'Cancelling',
      'Failed',
    ])
    expect(await done(rejected.paymentId)).toEqual(['authorise', 'void'])
  })

  it('applies the firewall: maximum score, card country, countries', async () => {
    const address = (countryCode: string) => ({
      customerOrder: { customer: { customerId: newReference(), address: { countryCode } } },
    })
    const byScore = await policy({ firewall: { maxRiskScore: 60 } })
    expect(await paid({ fraudPolicyId: byScore }, { outcome: 'elevated-risk' })).toMatchObject({
      failure: { code: 'fraud_rejected' },
    })
    const byCard = await policy({ firewall: { matchCardCountry: true } })
    expect(await paid({ fraudPolicyId: byCard, ...address('DE') }, {})).toMatchObject({
      failure: { code: 'fraud_rejected' },
    })
    expect(await paid({ fraudPolicyId: byCard, ...address('US') }, {})).toMatchObject({
      paymentState: 'Captured',
    })
    expect(await paid({ fraudPolicyId: byCard }, {})).toMatchObject({ paymentState: 'Captured' })
    const sure = await policy({ firewall: { matchCardCountry: true, whenUnavailable: 'Reject' } })
    expect(await paid({ fraudPolicyId: sure }, {})).toMatchObject({ failure: { code: 'fraud_rejected' } })
    const notUs = await policy({ firewall: { blockedCountries: ['us'] } })
    expect(await paid({ fraudPolicyId: notUs }, {})).toMatchObject({ failure: { code: 'fraud_rejected' } })
  })

  it('does not store the method of a rejected payment', async () => {
    const strict = await policy({ firewall: { maxRiskScore: 50 } })
    const customerId = newReference()
    const more = { fraudPolicyId: strict, registerAutoPayment: true, ...order(customerId) }
    await paid(more, { outcome: 'high-risk' })
    expect(good(await tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))).toEqual([])
  })
})

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_auto')
})
afterAll(() => tender?.stop())

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })
const charge = (customerId: string, more: object = {}) =>
  tender.sandbox.call('POST', 'payments/auto-payment', {
    referenceId: newReference(),
    amount: 9.99,
    autoCapture: true,
    ...order(customerId),
    ...more,
  })

/** A customer with a stored method, created with the card for this outcome. */
async function registered(
  outcome = 'approved',
  more: object = {},
): Promise<{ customerId: string; payment: Answer }> {
  const customerId = newReference()
  const { paymentId } = await tender.sandbox.create({
    ...order(customerId),
    registerAutoPayment: true,
    ...more,
  })
  return { customerId, payment: good(await tender.sandbox.pay(paymentId, { outcome })) }
}
const methodsOf = async (customerId: string) =>
  good(await tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))
const chargesOf = async (paymentId: number) =>
  (await tender.sandbox.ledger(paymentId)).filter((row) => row.status === 'done').map((row) => row.kind)

describe('registering a method', () => {
  it('with registerAutoPayment sets Register on the payment and stores a masked method', async () => {
    const { customerId, payment } = await registered()
    expect(payment).toMatchObject({ autoPayment: 'Register', paymentState: 'Captured' })
    const [method, ...others] = await methodsOf(customerId)
    expect(others).toEqual([])
    expect(method).toMatchObject({ paymentMethodType: 'CreditCard', isDefault: true, cardBrand: 'Visa' })
    expect(method.paymentMethodNumber).toContain('4242')
    expect(method.paymentMethodNumber).not.toMatch(/\d{5}/)
    expect(method.paymentMethodId).toBe(payment.paymentMethodId)
    expect(method.providerProfiles[0].paymentMethodProviderProfileId).toBe(
      payment.paymentMethodProviderProfileId,
    )
  })

  it('with the consent of the customer, if it is offered', async () => {
    const customerId = newReference()
    const { paymentId } = await tender.sandbox.create({
      ...order(customerId),
      showPayRecurringInCheckout: true,
    })
    await tender.sandbox.pay(paymentId, { saveMethod: true })
    expect(await methodsOf(customerId)).toHaveLength(1)
  })

  it('does not happen without either', async () => {
    const customerId = newReference()
    await tender.sandbox.paid(order(customerId))
    expect(await methodsOf(customerId)).toEqual([])
  })

  it('works with PayPal and bank accounts too', async () => {
    for (const method of ['Paypal', 'ElectronicCheck']) {
      const customerId = newReference()
      const { paymentId } = await tender.sandbox.create({ ...order(customerId), registerAutoPayment: true })
      await tender.sandbox.pay(paymentId, { method })
      await tender.sandbox.advance('10s')
      expect((await methodsOf(customerId))[0]?.paymentMethodType).toBe(method)
      await charge(customerId)
    }
  })
})

describe('POST payments/auto-payment', () => {
  it('returns 200 with the state Captured', async () => {
    const { customerId } = await registered()
    const { status, body } = await charge(customerId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      paymentState: 'Captured',
      paymentFlow: 'AutoPayment',
      autoPayment: 'Use',
      amount: 9.99,
      capturedAmount: 9.99,
      currency: 'EUR',
    })
    expect(body).not.toHaveProperty('redirectUrl')
    expect(await tender.sandbox.states(body.paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
    expect(await chargesOf(body.paymentId)).toEqual(['sale'])
  })

  it('only authorises if autoCapture is false', async () => {
    const { customerId } = await registered()
    const { body } = await charge(customerId, { autoCapture: false, currency: 'EUR' })
    expect([body.paymentState, body.currency]).toEqual(['Authorized', 'EUR'])
    expect((await tender.sandbox.act(body.paymentId, 'capture')).body.paymentState).toBe('Captured')
  })

  it('without a currency uses the currency of the payment that registered the method', async () => {
    const { customerId, payment } = await registered('approved', { currency: 'GBP' })
    const { paymentMethodId, paymentMethodProviderProfileId } = payment
    for (const more of [{}, { paymentMethodId }, { paymentMethodProviderProfileId }])
      expect((await charge(customerId, more)).body.currency).toBe('GBP')
    expect((await charge(customerId, { currency: 'USD' })).body.currency).toBe('USD')
    // Charges in other currencies register nothing.
    expect((await charge(customerId)).body.currency).toBe('GBP')
  })

  it('without a currency uses the newest registration, not an older one that is reported again', async () => {
    const { customerId, payment } = await registered('approved', { currency: 'GBP' })
    const again = await tender.sandbox.create({
      ...order(customerId),
      registerAutoPayment: true,
      currency: 'CHF',
    })
    const second = good(await tender.sandbox.pay(again.paymentId))
    expect(second.paymentMethodId).toBe(payment.paymentMethodId)
    expect((await charge(customerId)).body.currency).toBe('CHF')
    await tender.sandbox.act(payment.paymentId, 'recheck')
    expect((await charge(customerId)).body.currency).toBe('CHF')
  })

  it('without a currency supports registrations that have no stored currency', async () => {
    const { customerId } = await registered('approved', { currency: 'GBP' })
    const { customerId: other } = await registered('approved', { currency: 'CHF' })
    good(await charge(customerId, { currency: 'USD' }))
    const { db } = tender.service.ctx
    await db.query({
      name: 'test.forget',
      text: 'update payment_method_tokens set currency = null, currency_time = null',
    })
    expect((await charge(customerId)).body.currency).toBe('USD')
    const file = await readFile('migrations/0012_registration_currency.sql', 'utf8')
    await db.query({ name: 'test.backfill', text: file.slice(file.indexOf('update')) })
    expect((await charge(customerId)).body.currency).toBe('GBP')
    expect((await charge(other)).body.currency).toBe('CHF')
  })

  it('without a currency is refused if no profile of the method still supports that currency', async () => {
    const { sandbox } = await tender.newMerchant()
    const made = await sandbox.create({ ...order('mover'), registerAutoPayment: true, currency: 'GBP' })
    const { payInfo } = good(await sandbox.pay(made.paymentId))
    const profile = `payment-profiles/${payInfo.paymentProfile.paymentProfileId}`
    good(await sandbox.call('PATCH', profile, { currencies: ['USD', 'EUR'] }))
    const requestBody = { referenceId: newReference(), amount: 5, autoCapture: true, ...order('mover') }
    const { status, body } = await sandbox.call('POST', 'payments/auto-payment', requestBody)
    expect([status, body.code]).toEqual([422, 'no_profile_for_currency'])
    expect(body.Message).toContain('Can not find any profile for the app for specific currency GBP')
    const named = await sandbox.call('POST', 'payments/auto-payment', { ...requestBody, currency: 'EUR' })
    expect([named.status, named.body.paymentState]).toEqual([200, 'Captured'])
  })

  it('returns 200 with Failed if the charge is declined', async () => {
    const { customerId } = await registered('stored-charge-declined')
    const { status, body } = await charge(customerId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ paymentState: 'Failed', failure: { code: 'declined' } })
    expect(body.failure.declineCode).toBeTypeOf('string')
    expect(await chargesOf(body.paymentId)).toEqual([])
  })

  it('returns 200 with Failed and charges nothing if the provider is down', async () => {
    const { customerId } = await registered()
    await tender.sandbox.fault('charge', 'outage')
    expect((await charge(customerId)).body).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'provider_rejected' },
    })
  })

  it.each(['reply-lost', 'request-lost', 'http-500-after-acting', 'unreadable'])(
    '%s: a moving state, and one charge when the truth is found',
    async (effect) => {
      const { customerId } = await registered()
      await tender.sandbox.fault('charge', effect)
      const { status, body } = await charge(customerId)
      expect(status).toBe(200)
      expect(['SaleInProgress', 'Captured']).toContain(body.paymentState)
      await tender.sandbox.act(body.paymentId, 'recheck')
      await expect.poll(async () => (await tender.sandbox.read(body.paymentId)).paymentState).toBe('Captured')
      expect(await chargesOf(body.paymentId)).toEqual(['sale'])
    },
  )

  it('with the same referenceId returns the first charge, also after the method is removed', async () => {
    const { customerId, payment } = await registered()
    const referenceId = newReference()
    const first = await charge(customerId, { referenceId })
    const again = await charge(customerId, { referenceId })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    good(
      await tender.sandbox.call(
        'DELETE',
        `customers/${customerId}/payment-methods/${payment.paymentMethodId}`,
      ),
    )
    expect((await charge(customerId, { referenceId })).body).toEqual(first.body)
    expect((await charge(customerId, { referenceId, amount: 10 })).status).toBe(409)
  })

  it('uses the requested method, else the default', async () => {
    const { customerId, payment } = await registered()
    const { paymentMethodId, paymentMethodProviderProfileId } = payment
    for (const more of [
      { paymentMethodId },
      { paymentMethodProviderProfileId },
      { paymentMethodId: String(paymentMethodId) },
    ])
      expect((await charge(customerId, more)).body).toMatchObject({
        paymentMethodId,
        paymentMethodProviderProfileId,
      })
  })

  it("returns 422 without a stored method and 404 for another customer's method", async () => {
    const unknown = await charge(newReference())
    expect([unknown.status, unknown.body.code]).toEqual([422, 'no_stored_method'])
    const { payment } = await registered()
    const other = await registered()
    const stolen = await charge(other.customerId, { paymentMethodId: payment.paymentMethodId })
    expect(stolen.status).toBe(404)
    expect((await charge(other.customerId, { paymentMethodId: 999_999 })).status).toBe(404)
  })

  it('refuses a blocked customer and a stopped registration', async () => {
    const { customerId, payment } = await registered()
    good(await tender.sandbox.call('PATCH', `customers/${customerId}`, { isBlocked: true }))
    expect((await charge(customerId)).body.code).toBe('customer_blocked')
    const without = newReference()
    good(await tender.sandbox.call('POST', 'customers', { customerId: without }))
    expect((await charge(without)).body.code).toBe('no_stored_method')
    good(await tender.sandbox.call('PATCH', `customers/${without}`, { isBlocked: true }))
    expect((await charge(without)).body.code).toBe('customer_blocked')
    good(await tender.sandbox.call('PATCH', `customers/${customerId}`, { isBlocked: false }))
    const registration = `customers/${customerId}/auto-payments/${payment.paymentMethodProviderProfileId}`
    good(await tender.sandbox.call('DELETE', registration))
    expect((await charge(customerId)).body.code).toBe('no_stored_method')
  })

  it('charges once for twenty concurrent requests with one reference', async () => {
    const { customerId } = await registered()
    const referenceId = newReference()
    const replies = await Promise.all(Array.from({ length: 20 }, () => charge(customerId, { referenceId })))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    const [paymentId] = new Set(replies.map((reply) => reply.body.paymentId))
    await expect.poll(async () => (await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
    expect(await chargesOf(paymentId)).toEqual(['sale'])
  })

  it('lists every invalid field', async () => {
    const { status, body } = await tender.sandbox.call('POST', 'payments/auto-payment', { amount: -1 })
    expect(status).toBe(400)
    const fields = body.errors.map((error: { field: string }) => error.field)
    expect(fields).toEqual(expect.arrayContaining(['referenceId', 'autoCapture', 'customerOrder']))
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'
import { createFaultProxy, type FaultProxy } from '../kit/fault-proxy.ts'
import { createStripeSimulator, type StripeSimulator } from './simulator.ts'

/** Charges whose reply is lost, while the customer removes the method. Without workers: the test rechecks. */

let stripe: StripeSimulator
let proxy: FaultProxy
let tender: TestService
let profileId: number
let customers = 0
let customerId: string

beforeAll(async () => {
  stripe = await createStripeSimulator()
  proxy = await createFaultProxy(stripe.origin)
  const config = { providerOrigins: { stripe: proxy.origin } }
  tender = await startTestService('stripe_lost_charge', { role: 'web', config })
  const { secretKey } = stripe.settings
  const profile = { provider: 'stripe', name: 'Cards', currency: 'USD', methods: ['CreditCard'] }
  const created = { ...profile, settings: { secretKey } }
  profileId = good(await tender.sandbox.call('POST', 'payment-profiles', created)).paymentProfileId
  good(await tender.sandbox.call('POST', `payment-profiles/${profileId}/connect`))
})
afterAll(async () => {
  await tender.stop()
  await proxy.close()
  await stripe.close()
  expect(stripe.violations).toEqual([])
})

beforeEach(async () => {
  customerId = `customer-${++customers}`
  const page = good(
    await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
      ...{ referenceId: newReference(), amount: 20, currency: 'USD', autoCapture: true },
      ...{ customerOrder: { customer: { customerId } }, registerAutoPayment: true },
      ...{ returnUrl: 'https://shop.example.com/back', paymentProfileId: profileId },
    }),
  )
  await stripe.payer(page.redirectUrl, { kind: 'pay' })
  expect(await recheck(page)).toMatchObject({ paymentState: 'Captured' })
  stripe.takeNotifications()
})

const recheck = async ({ paymentId }: Answer): Promise<Answer> =>
  good(await tender.sandbox.act(paymentId, 'recheck'))

const isCharge = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'POST' && path === '/v1/payment_intents'

/** Stripe takes the money, and the answer does not come back. */
async function chargeWithLostReply(): Promise<Answer> {
  proxy.arm({ kind: 'cut-after', match: isCharge })
  const customerOrder = { customer: { customerId } }
  const request = { referenceId: newReference(), amount: 9, autoCapture: true, customerOrder }
  const charge = good(await tender.sandbox.call('POST', 'payments/auto-payment', request))
  expect(charge.paymentState).toBe('SaleInProgress')
  return charge
}

const movements = () => {
  const reference = stripe.allEntries().at(-1)?.reference ?? ''
  return stripe.ledger(reference).map(({ kind }) => kind)
}

const useKey = async ({ secretKey }: Readonly<Record<string, string>>): Promise<Answer> =>
  good(await tender.sandbox.call('PATCH', `payment-profiles/${profileId}`, { settings: { secretKey } }))

/** Answered when Tender has stored it; what it leads to follows. */
async function deliver(): Promise<void> {
  for (const { url, headers, body } of stripe.takeNotifications())
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
}

describe('a charge at Stripe whose reply is lost', () => {
  it('is captured once, although the customer has removed the method since', async () => {
    const charge = await chargeWithLostReply()
    const path = `customers/${customerId}/payment-methods`
    const [method] = good(await tender.sandbox.call('GET', path))
    good(await tender.sandbox.call('DELETE', `${path}/${method.paymentMethodId}`))
    expect(await recheck(charge)).toMatchObject({ paymentState: 'Captured', capturedAmount: 9 })
    expect(movements()).toEqual(['sale'])
  })

  it('is captured by the notification, which names the payment at Stripe', async () => {
    const charge = await chargeWithLostReply()
    const sent = proxy.exchanges.filter(isCharge).length
    await deliver()
    await expect.poll(() => tender.sandbox.read(charge.paymentId)).toMatchObject({ paymentState: 'Captured' })
    expect(movements()).toEqual(['sale'])
    expect(proxy.exchanges.filter(isCharge).length).toBe(sent)
  })

  it('stays open while Stripe does not accept the key, and is captured once it does', async () => {
    const charge = await chargeWithLostReply()
    await useKey(stripe.wrongSettings)
    expect(await recheck(charge)).toMatchObject({ paymentState: 'SaleInProgress' })
    await useKey(stripe.settings)
    expect(await recheck(charge)).toMatchObject({ paymentState: 'Captured', capturedAmount: 9 })
    expect(movements()).toEqual(['sale'])
  })

  it('is found without a second request, because its customer is known', async () => {
    const charge = await chargeWithLostReply()
    const sent = proxy.exchanges.filter(isCharge).length
    expect(await recheck(charge)).toMatchObject({ paymentState: 'Captured' })
    expect(proxy.exchanges.filter(isCharge).length).toBe(sent)
  })
})

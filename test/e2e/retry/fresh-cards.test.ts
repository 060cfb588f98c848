import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewedAtProvider } from '../../../src/customers/refresh-method.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { freshenCards } from '../../../src/occasions/methods.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: App
beforeAll(async () => {
  tender = await startTestService('e2e_fresh')
  good(await tender.sandbox.call('PATCH', '', { emails: { payer: ['card-expiring'] } }))
  app = (await loadApp(tender.service.ctx, tender.sandbox.appId)) as App
})
afterAll(() => tender?.stop())

const methodOf = async (customerId: string): Promise<Answer> =>
  good(await tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))[0]

async function customerWithCard(): Promise<{ customerId: string; token: string }> {
  const customerId = newReference()
  const customer = { customerId, email: `${customerId}@example.com` }
  const { paymentId } = await tender.sandbox.create({
    customerOrder: { customer },
    registerAutoPayment: true,
  })
  good(await tender.sandbox.pay(paymentId))
  const text = `select document ->> 'stored' as token from sandbox_bank.payments
    where document -> 'customer' ->> 'id' = $1`
  const [row] = await tender.service.ctx.db.query<{ token: string }>({ name: 'test.token', text }, [
    customerId,
  ])
  return { customerId, token: row?.token ?? '' }
}

/** The bank renews the card, as an account updater does. */
const renew = (token: string, members: object) =>
  tender.service.ctx.db.query(
    {
      name: 'test.renew',
      text: `update sandbox_bank.stored_methods set document = (document::jsonb || jsonb_build_object(
        'instrument', (document -> 'instrument')::jsonb || '{"expiryMonth": 7, "expiryYear": 2050}')
        || $2::jsonb)::json where token = $1`,
    },
    [token, JSON.stringify(members)],
  )

describe('a stored card that its provider has renewed', () => {
  it('is read before a reminder, and others keep their expiry', async () => {
    const [renewed, other] = [await customerWithCard(), await customerWithCard()]
    const { cardExpiryYear } = await methodOf(renewed.customerId)
    await renew(renewed.token, {})
    const until = new Date(Date.UTC(cardExpiryYear, 11, 20))
    await freshenCards(tender.service.ctx, app, { after: { time: until, id: 0, part: 0 }, until, limit: 100 })
    expect(await methodOf(renewed.customerId)).toMatchObject({ cardExpiryMonth: 7, cardExpiryYear: 2050 })
    expect(await methodOf(other.customerId)).toMatchObject({ cardExpiryMonth: 12, cardExpiryYear })
  })

  it('is read after a decline as expired, which then forbids no further charge', async () => {
    const { customerId, token } = await customerWithCard()
    const charge = () =>
      tender.sandbox.call('POST', 'payments/auto-payment', {
        ...{ referenceId: newReference(), amount: 4, autoCapture: true },
        customerOrder: { customer: { customerId } },
      })
    await renew(token, { behaviour: { storedCharge: { reason: 'expired-card', retry: 'never' } } })
    expect((await charge()).body.failure).toMatchObject({ declineCode: 'expired-card', retry: 'never' })
    await tender.service.ctx.background.settled()
    expect((await methodOf(customerId)).cardExpiryYear).toBe(2050)
    await renew(token, { behaviour: {} })
    expect((await charge()).body.paymentState).toBe('Captured')
  })

  it('is read when the provider reports it, by its token at that profile only', async () => {
    const { customerId, token } = await customerWithCard()
    await renew(token, {})
    const [profile] = app.profiles
    const { ctx } = tender.service
    expect(await renewedAtProvider(ctx, app, profile?.profileId ?? 0, 'met_unknown')).toBe(true)
    expect((await methodOf(customerId)).cardExpiryYear).not.toBe(2050)
    expect(await renewedAtProvider(ctx, app, profile?.profileId ?? 0, token)).toBe(true)
    expect(await methodOf(customerId)).toMatchObject({ cardExpiryMonth: 7, cardExpiryYear: 2050 })
  })
})

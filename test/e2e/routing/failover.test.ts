import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
let app: TestApp
/** Three card profiles, in the order of attempts. */
let cards: readonly number[]
beforeAll(async () => {
  tender = await startTestService('e2e_failover')
})
// Failing profiles move to the end of the order, so each test starts with healthy ones.
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
  const [first] = good(await app.call('GET', 'payment-profiles')).filter((profile: { methods: string[] }) =>
    profile.methods.includes('CreditCard'),
  )
  cards = [first.paymentProfileId, await profile('Second cards'), await profile('Third cards')]
})
afterAll(() => tender?.stop())

async function profile(name: string, more: object = {}): Promise<number> {
  const body = { provider: 'sandbox', name, methods: ['CreditCard'], currency: 'EUR', ...more }
  return good(await app.call('POST', 'payment-profiles', body)).paymentProfileId
}

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })
const attempts = async (paymentId: number): Promise<Answer[]> =>
  good(await app.call('GET', `payments/${paymentId}/attempts`))
const tried = async (paymentId: number) =>
  (await attempts(paymentId)).map((one) => [one.paymentProfileId, one.status])
const charges = async (paymentId: number) =>
  (await app.ledger(paymentId)).filter((row) => row.status === 'done' && row.kind === 'sale')

async function pay(payOptions: object = {}, more: object = {}) {
  const { paymentId } = await app.create({ ...order(newReference()), ...more })
  return good(await app.pay(paymentId, payOptions))
}

/** A customer whose card is registered at these profiles. */
async function registered(profiles: readonly number[]): Promise<string> {
  const customerId = newReference()
  for (const paymentProfileId of profiles) {
    const more = { ...order(customerId), registerAutoPayment: true, paymentProfileId }
    expect((await pay({}, more)).paymentState).toBe('Captured')
  }
  return customerId
}

const charge = (customerId: string, more: object = {}) =>
  app.call('POST', 'payments/auto-payment', {
    referenceId: newReference(),
    amount: 9.99,
    currency: 'EUR',
    autoCapture: true,
    ...order(customerId),
    ...more,
  })

describe('failover of checkout payments', () => {
  it('after an outage: uses the next profile, lists each attempt, charges once', async () => {
    await app.fault('authorise', 'outage')
    const paid = await pay()
    expect(paid.paymentState).toBe('Captured')
    expect(paid.payInfo.paymentProfile.paymentProfileId).toBe(cards[1])
    expect(await app.states(paid.paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
    expect(await attempts(paid.paymentId)).toMatchObject([
      {
        attempt: 1,
        paymentProfileId: cards[0],
        paymentMethodType: 'CreditCard',
        status: 'NotDone',
        explanation: 'The provider could not be reached. Nothing was charged.',
        undone: null,
      },
      { attempt: 2, paymentProfileId: cards[1], status: 'Approved', explanation: 'The provider approved.' },
    ])
    expect(await charges(paid.paymentId)).toHaveLength(1)
  })

  it('not after a cause that the app has switched off', async () => {
    good(await app.call('PUT', 'routing', { noFailoverAfter: ['not-sent'] }))
    await app.fault('authorise', 'outage')
    const failed = await pay()
    expect(failed.paymentState).toBe('Created')
    expect(await tried(failed.paymentId)).toEqual([[cards[0], 'NotDone']])
    const { status } = await app.call('PUT', 'routing', { noFailoverAfter: ['unknown'] })
    expect(status).toBe(400)
  })

  it('tries at most two more profiles', async () => {
    const fourth = await profile('Fourth cards')
    await app.fault('authorise', 'outage', { times: 3 })
    const failed = await pay()
    expect(failed).toMatchObject({
      paymentState: 'Created',
      lastError: expect.stringContaining('could not be reached'),
    })
    expect(await tried(failed.paymentId)).toEqual(cards.map((id) => [id, 'NotDone']))
    expect(await charges(failed.paymentId)).toHaveLength(0)
    good(await app.call('PATCH', `payment-profiles/${fourth}`, { isActive: false }))
    expect(good(await app.pay(failed.paymentId)).paymentState).toBe('Captured')
    expect(await charges(failed.paymentId)).toHaveLength(1)
  })

  it('not after an unknown outcome: the payment stays with its profile until it is resolved', async () => {
    await app.fault('authorise', 'reply-lost')
    const moving = await pay()
    expect(moving.paymentState).toBe('SaleInProgress')
    good(await app.act(moving.paymentId, 'recheck'))
    await expect.poll(async () => (await app.read(moving.paymentId)).paymentState).toBe('Captured')
    expect(await tried(moving.paymentId)).toEqual([[cards[0], 'Approved']])
    expect(await charges(moving.paymentId)).toHaveLength(1)
  })

  it('not after a hard decline', async () => {
    await app.fault('authorise', 'decline')
    const declined = await pay()
    expect(declined.paymentState).toBe('Created')
    expect(await tried(declined.paymentId)).toEqual([[cards[0], 'Declined']])
    const again = good(await app.pay(declined.paymentId))
    expect(again.paymentState).toBe('Captured')
    expect(await charges(declined.paymentId)).toHaveLength(1)
  })

  it('not after a decline of a new card, whose token is used', async () => {
    const declined = await pay({ outcome: 'processing-error' })
    expect(await tried(declined.paymentId)).toEqual([[cards[0], 'Declined']])
    expect((await attempts(declined.paymentId))[0]).toMatchObject({ declineCode: 'processing-error' })
  })

  it('only among the profiles that the payment allows', async () => {
    await app.fault('authorise', 'outage')
    const failed = await pay({}, { paymentProfiles: [cards[0]] })
    expect(failed.paymentState).toBe('Created')
    expect(await tried(failed.paymentId)).toEqual([[cards[0], 'NotDone']])
  })

  it('applies the fraud rules to the next profile too', async () => {
    const rules = [
      { action: 'RejectPayment', measure: 'SingleAmount', threshold: 10, paymentProfiles: [cards[1]] },
    ]
    const { fraudPolicyId } = good(await app.call('POST', 'fraud-policies', { name: 'Second', rules }))
    await app.fault('authorise', 'outage')
    const failed = await pay({}, { fraudPolicyId })
    expect(failed.paymentState).toBe('Created')
    expect(await tried(failed.paymentId)).toEqual([[cards[0], 'NotDone']])
    const paid = good(await app.pay(failed.paymentId))
    expect(paid.paymentState).toBe('Captured')
  })
})

describe('failover of auto payments', () => {
  it('after an outage: uses a profile for which the method has a token, charges once', async () => {
    const customerId = await registered([cards[0] ?? 0, cards[1] ?? 0])
    const methods = good(await app.call('GET', `customers/${customerId}/payment-methods`))
    expect(methods).toHaveLength(1)
    expect(methods[0].providerProfiles).toHaveLength(2)
    await app.fault('charge', 'outage')
    const { body } = await charge(customerId)
    expect(body.paymentState).toBe('Captured')
    expect(await tried(body.paymentId)).toEqual([
      [cards[1], 'NotDone'],
      [cards[0], 'Approved'],
    ])
    expect(await charges(body.paymentId)).toHaveLength(1)
  })

  it('not to a profile for which the method has no token', async () => {
    const customerId = await registered([cards[0] ?? 0])
    await app.fault('charge', 'outage')
    const { body } = await charge(customerId)
    expect(body).toMatchObject({ paymentState: 'Failed', failure: { code: 'provider_rejected' } })
    expect(await tried(body.paymentId)).toEqual([[cards[0], 'NotDone']])
  })

  it('not if the request names the registration', async () => {
    const customerId = await registered([cards[0] ?? 0, cards[1] ?? 0])
    const [method] = good(await app.call('GET', `customers/${customerId}/payment-methods`))
    const paymentMethodProviderProfileId = method.providerProfiles[0].paymentMethodProviderProfileId
    await app.fault('charge', 'outage')
    const { body } = await charge(customerId, { paymentMethodProviderProfileId })
    expect(body.paymentState).toBe('Failed')
    expect(await attempts(body.paymentId)).toHaveLength(1)
  })

  it('after a soft decline, not after a hard one', async () => {
    const magic = await profile('Amounts decide', { settings: { magicAmounts: true } })
    const customerId = await registered([cards[0] ?? 0, magic])
    const soft = await charge(customerId, { amount: 3000 })
    expect(soft.body.paymentState).toBe('Captured')
    expect(await tried(soft.body.paymentId)).toEqual([
      [magic, 'Declined'],
      [cards[0], 'Approved'],
    ])
    expect(await charges(soft.body.paymentId)).toHaveLength(1)
    const hard = await charge(customerId, { amount: 2001 })
    expect(hard.body).toMatchObject({ paymentState: 'Failed', failure: { code: 'declined' } })
    expect(await attempts(hard.body.paymentId)).toHaveLength(1)
    good(await app.call('PATCH', `payment-profiles/${magic}`, { isActive: false }))
  })

  it('after a soft decline that a notification reports before the answer', async () => {
    const magic = await profile('Amounts decide late', { settings: { magicAmounts: true } })
    const customerId = await registered([cards[0] ?? 0, magic])
    await app.fault('charge', 'reply-late', { delayMs: 2_000 })
    const { body } = await charge(customerId, { amount: 3000 })
    expect(body.paymentState).toBe('Captured')
    expect(await tried(body.paymentId)).toEqual([
      [magic, 'Declined'],
      [cards[0], 'Approved'],
    ])
    expect(await charges(body.paymentId)).toHaveLength(1)
    good(await app.call('PATCH', `payment-profiles/${magic}`, { isActive: false }))
  })

  it.each(['reply-lost', 'http-500-after-acting', 'unreadable'])(
    'not after an unknown outcome (%s): one charge',
    async (effect) => {
      const customerId = await registered([cards[0] ?? 0, cards[1] ?? 0])
      await app.fault('charge', effect)
      const { body } = await charge(customerId)
      good(await app.act(body.paymentId, 'recheck'))
      await expect.poll(async () => (await app.read(body.paymentId)).paymentState).toBe('Captured')
      expect(await attempts(body.paymentId)).toHaveLength(1)
      expect(await charges(body.paymentId)).toHaveLength(1)
    },
  )

  it('not after an injected decline: Failed, nothing charged', async () => {
    const customerId = await registered([cards[0] ?? 0, cards[1] ?? 0])
    await app.fault('charge', 'decline')
    const { body } = await charge(customerId)
    expect(body).toMatchObject({ paymentState: 'Failed', failure: { code: 'declined' } })
    expect(await attempts(body.paymentId)).toHaveLength(1)
    expect(await charges(body.paymentId)).toHaveLength(0)
  })
})

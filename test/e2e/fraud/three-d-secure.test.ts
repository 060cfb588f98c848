import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseStoredMethod } from '../../../src/customers/choose-method.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { getPayment } from '../../../src/payments/actions.ts'
import { pay } from '../../../src/payments/pay.ts'
import { offersOf, payWithStored } from '../../../src/payments/provider/failover.ts'
import { purchaseOf } from '../../../src/payments/provider/purchase.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, hostedPage, newReference, type TestApp } from '../../support/tender.ts'
import { type Scripted, startScripted } from '../providers/scripted.ts'

/** `scripted` is a provider that cannot be asked for 3-D Secure, the sandbox is one that can. */
let world: Scripted
let app: TestApp
let shop: Receiver
let cards = 0
beforeAll(async () => {
  world = await startScripted('e2e_three_d_secure')
  app = world.tender.sandbox
  shop = await startReceiver()
  const profiles = good(await app.call('GET', 'payment-profiles'))
  cards = profiles.find(
    (one: Answer) => one.methods.includes('CreditCard') && one.paymentProfileId !== world.profileId,
  ).paymentProfileId
})
afterAll(async () => {
  await world?.tender.stop()
  await shop?.stop()
})

const CHALLENGED = {
  ...{ requested: 'challenge', result: 'authenticated-by-challenge' },
  ...{ version: '2.2.0', liabilityShift: true },
}
const order = () => ({ customerOrder: { customer: { customerId: newReference() } } })
const here = () => ({ paymentProfileId: cards })
const asks = (requested: string, more: object = {}) => ({ threeDSecure: { requested, ...more } })

async function paid(more: object = {}, outcome = 'approved'): Promise<Answer> {
  const { paymentId } = await app.create({ ...here(), ...order(), ...more })
  return good(await app.pay(paymentId, { method: 'CreditCard', outcome }))
}

async function ownerOf({ tender }: Scripted): Promise<App> {
  const found = await loadApp(tender.service.ctx, app.appId)
  if (!found) throw new Error('the app is gone')
  return found
}

async function policy(...rules: readonly object[]): Promise<{ fraudPolicyId: number }> {
  const body = { name: 'Policy', rules: rules.map((rule) => ({ measure: 'SingleAmount', ...rule })) }
  return { fraudPolicyId: good(await app.call('POST', 'fraud-policies', body)).fraudPolicyId }
}

describe('3-D Secure as the merchant asks at creation', () => {
  it('is not shown when nobody asks and nobody tells', async () => {
    const plain = await paid()
    expect(plain.paymentState).toBe('Captured')
    expect(plain).not.toHaveProperty('threeDSecure')
  })

  it('is shown when the bank uses it unasked', async () => {
    expect((await paid({}, 'challenge')).threeDSecure).toEqual({ ...CHALLENGED, requested: null })
    expect((await paid({}, 'frictionless')).threeDSecure).toEqual({
      ...{ requested: null, result: 'frictionless', version: '2.2.0', liabilityShift: true },
    })
  })

  it.each([
    ['challenge', 'approved', 'authenticated-by-challenge', '2.2.0', true],
    ['challenge', 'frictionless', 'frictionless', '2.2.0', true],
    ['challenge', 'three-d-secure-not-supported', 'not-supported', null, false],
    ['exemption', 'approved', 'exempted', null, false],
    ['exemption', 'challenge', 'exempted', null, false],
    ['exemption', 'exemption-refused', 'authenticated-by-challenge', '2.2.0', true],
  ])('%s of a card that is %s: %s', async (requested, outcome, result, version, liabilityShift) => {
    const payment = await paid(asks(requested), outcome)
    expect(payment.paymentState).toBe('Captured')
    expect(payment.threeDSecure).toEqual({ requested, result, version, liabilityShift })
  })

  it('is sent in webhooks, and stays when the payment is read again', async () => {
    const { paymentId } = await paid({ ...asks('challenge'), webhookUrl: shop.url })
    await expect.poll(() => shop.states(paymentId)).toContain('Captured')
    const last = shop.hooks.findLast(({ event }) => event.payment.paymentId === paymentId)
    expect(last?.event.payment.threeDSecure).toEqual(CHALLENGED)
    expect((await app.read(paymentId)).threeDSecure).toEqual(CHALLENGED)
  })

  it('is no part of what a repeated creation is compared with', async () => {
    const body = hostedPage({ ...here(), ...asks('challenge') })
    const first = good(await app.call('POST', 'payments/hosted-page', body))
    const again = good(await app.call('POST', 'payments/hosted-page', body))
    expect(again.paymentId).toBe(first.paymentId)
  })

  it.each([{ requested: 'always' }, {}, 'challenge'])('refuses %j', async (threeDSecure) => {
    const reply = await app.call('POST', 'payments/hosted-page', hostedPage({ threeDSecure }))
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  })
})

describe('a provider that cannot be asked', () => {
  const there = () => ({ paymentProfileId: world.profileId })

  it('takes the payment without, and says so', async () => {
    const payment = await world.create(asks('challenge'))
    expect(payment.threeDSecure).toEqual({
      ...{ requested: 'challenge', result: 'not-supported', version: null, liabilityShift: null },
    })
  })

  it('is not offered where a challenge is required', async () => {
    const required = asks('challenge', { isRequired: true })
    const body = { ...hostedPage(order()), ...there(), ...required, checkoutMethods: ['CreditCard'] }
    expect((await app.call('POST', 'payments/hosted-page', body)).body.code).toBe('no_profile_for_currency')
    const other = good(await app.call('POST', 'payments/hosted-page', { ...body, ...here(), ...order() }))
    expect(other.paymentState).toBe('Created')
  })

  it('comes behind those that can', async () => {
    const explained = async (routes: readonly object[]) => {
      good(await app.call('PUT', 'routing', { routes }))
      const asked = { currency: 'EUR', amount: 25, method: 'CreditCard' }
      const { profiles, excluded } = good(await app.call('POST', 'routing/explain', asked))
      const out = excluded.filter((one: Answer) => one.method === 'CreditCard')
      return [profiles.map((one: Answer) => one.paymentProfileId), out, profiles] as const
    }
    const profiles = [{ paymentProfileId: world.profileId }, { paymentProfileId: cards }]
    expect((await explained([{ profiles }]))[0].slice(0, 2)).toEqual([world.profileId, cards])
    const [wished, , ranked] = await explained([{ profiles, threeDSecure: 'RequestChallenge' }])
    expect([wished[0], wished.at(-1)]).toEqual([cards, world.profileId])
    expect(ranked.at(-1).reasons).toContain('put behind those that can be asked for 3-D Secure')
    expect(ranked[0].reasons[0]).toBe('place 2 of route 1, asks for a challenge')
    const [required, excluded] = await explained([{ profiles, threeDSecure: 'RequireChallenge' }])
    expect(required).not.toContain(world.profileId)
    expect(excluded).toContainEqual({
      ...{ paymentProfileId: world.profileId, method: 'CreditCard' },
      reason: 'cannot ask for 3-D Secure, which the payment requires',
    })
    good(await app.call('PUT', 'routing', { routes: [] }))
  })

  it('is left for one that can when a fraud rule wants a challenge', async () => {
    for (const action of ['RequestChallenge', 'RequireChallenge']) {
      const rule = await policy({ action, threshold: 10 })
      const both = { paymentProfiles: [world.profileId, cards], checkoutMethods: ['CreditCard'] }
      const { paymentId } = await app.create({ ...order(), ...both, ...rule })
      const { ctx } = world.tender.service
      const owner = await ownerOf(world)
      const payment = await getPayment(ctx, owner, paymentId)
      const offer = offersOf(ctx, owner, payment).find(({ profile }) => profile.provider === 'scripted')
      if (!offer) throw new Error('the provider that cannot be asked is not offered')
      const started = await pay(ctx, owner, payment, { offer })
      expect([started.profileId, started.payInfo?.threeDSecure]).toEqual([cards, { requested: 'challenge' }])
      // A request that is repeated after the provider has reported a result has the same body.
      const told = { requested: 'challenge', result: 'failed' } as const
      const later = { ...started, payInfo: { ...started.payInfo, threeDSecure: told } }
      expect(purchaseOf(ctx, owner, later, {}).threeDSecure).toBe('challenge')
      const there = { ...later, profileId: world.profileId }
      expect(purchaseOf(ctx, owner, there, {})).not.toHaveProperty('threeDSecure')
    }
  })
})

describe('3-D Secure as a fraud rule asks', () => {
  it('is asked above the threshold, and stops nothing', async () => {
    const rule = await policy({ action: 'RequestChallenge', threshold: 10 })
    const asked = await paid({ ...rule, amount: 10.01 })
    expect(asked).toMatchObject({
      paymentState: 'Captured',
      fraudStatus: 'Verified',
      threeDSecure: CHALLENGED,
    })
    const verdicts = good(await app.call('GET', `payments/${asked.paymentId}/fraud`)).verdicts
    expect(verdicts).toMatchObject([
      { decision: 'Accept', checks: [{ action: 'RequestChallenge', result: 'Violated' }] },
    ])
    expect(await paid({ ...rule, amount: 10 })).not.toHaveProperty('threeDSecure')
  })

  it('is what the strictest of merchant, rules and route asks', async () => {
    const small = { action: 'RequestExemption', threshold: 0 }
    const rule = await policy(small, { action: 'RequestChallenge', threshold: 30 })
    expect((await paid({ ...rule, amount: 20 })).threeDSecure.result).toBe('exempted')
    expect((await paid({ ...rule, amount: 40 })).threeDSecure.requested).toBe('challenge')
    expect((await paid({ ...rule, ...asks('challenge') })).threeDSecure.requested).toBe('challenge')
    const profiles = [{ paymentProfileId: cards }]
    good(await app.call('PUT', 'routing', { routes: [{ profiles, threeDSecure: 'RequestChallenge' }] }))
    expect((await paid({ ...rule, amount: 20 })).threeDSecure.requested).toBe('challenge')
    expect((await paid(asks('exemption'))).threeDSecure.requested).toBe('challenge')
    good(await app.call('PUT', 'routing', { routes: [] }))
  })

  it('rejects the payment if it is required and no profile can ask, with the words of the rule', async () => {
    const rule = await policy(
      { action: 'RequestExemption', threshold: 0, message: 'Not this.' },
      { action: 'RequireChallenge', threshold: 10, message: 'Please call us.' },
    )
    const stopped = await world.create(rule)
    expect(stopped).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'fraud_rejected', message: expect.stringContaining('Please call us.') },
    })
    expect(stopped).not.toHaveProperty('threeDSecure')
    expect(await world.create({ ...rule, amount: 5 })).toMatchObject({ paymentState: 'Created' })
  })

  it('concerns neither other methods nor charges without the payer', async () => {
    const rule = await policy({ action: 'RequireChallenge', threshold: 10 })
    const customer = order()
    const stored = await app.create({ ...customer, ...here(), registerAutoPayment: true })
    good(await app.pay(stored.paymentId, { method: 'CreditCard' }))
    good(
      await app.call('PUT', 'routing', {
        routes: [{ profiles: [{ paymentProfileId: cards }], threeDSecure: 'RequireChallenge' }],
      }),
    )
    const charge = { referenceId: newReference(), amount: 25, autoCapture: true, ...customer, ...rule }
    const charged = good(await app.call('POST', 'payments/auto-payment', charge))
    expect(charged.paymentState).toBe('Captured')
    expect(charged).not.toHaveProperty('threeDSecure')
    good(await app.call('PUT', 'routing', { routes: [] }))
    const { verdicts } = good(await app.call('GET', `payments/${charged.paymentId}/fraud`))
    expect(verdicts[0].checks[0].result).toBe('NotApplicable')
    const { paymentId } = await app.create({ ...order(), ...rule })
    const crypto = good(await app.pay(paymentId, { method: 'Crypto' }))
    expect(crypto.paymentState).toBe('Captured')
    expect(crypto).not.toHaveProperty('threeDSecure')
  })

  it('cannot depend on a score that is known only afterwards', async () => {
    const rules = [{ action: 'RequestChallenge', measure: 'ProviderRiskScore', threshold: 50 }]
    const reply = await app.call('POST', 'fraud-policies', { name: 'Late', rules })
    expect(reply.status).toBe(400)
    expect(reply.body.errors[0].message).toBe(
      'rules[0].action must be another action, because the risk score is known only after the payment.',
    )
  })

  it('is counted by a simulation', async () => {
    const other = (await world.tender.newMerchant()).sandbox
    for (const amount of [5, 20, 50, 200]) await other.paid({ ...order(), amount })
    const rules = [
      { action: 'RequestExemption', measure: 'SingleAmount', threshold: 10 },
      { action: 'RequireChallenge', measure: 'SingleAmount', threshold: 30 },
      { action: 'RejectPayment', measure: 'SingleAmount', threshold: 100 },
    ]
    const { fraudPolicyId } = good(await other.call('POST', 'fraud-policies', { name: 'Would it?', rules }))
    const result = good(await other.call('POST', `fraud-policies/${fraudPolicyId}/simulate`, { days: 30 }))
    expect(result).toMatchObject({
      payments: 4,
      stopped: { count: 1 },
      threeDSecure: { RequestExemption: 1, RequestChallenge: 0, RequireChallenge: 1 },
    })
  })
})

it('a stored card that the payer uses is challenged when that is asked', async () => {
  const customer = order()
  const first = await app.create({ ...customer, ...here(), registerAutoPayment: true })
  good(await app.pay(first.paymentId, { method: 'CreditCard' }))
  const { ctx } = world.tender.service
  const owner = await ownerOf(world)
  const { customerId } = customer.customerOrder.customer
  const stored = await chooseStoredMethod(ctx, owner, customerId, {})
  const { paymentId } = await app.create({ ...customer, ...here(), ...asks('challenge') })
  const payment = await getPayment(ctx, owner, paymentId)
  const offer = offersOf(ctx, owner, payment, { isStored: true }).find(
    ({ profile, method }) => profile.profileId === cards && method === 'CreditCard',
  )
  if (!offer) throw new Error('cards are not offered')
  const started = await pay(ctx, owner, payment, payWithStored(offer, stored))
  const url = started.redirectUrl ?? ''
  expect(url).toContain('/sandbox/3ds/')
  const answer = await fetch(url, {
    ...{ method: 'POST', body: new URLSearchParams({ outcome: 'code', code: '123456' }), redirect: 'manual' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringContaining(`/back/${started.attempt}`),
  ])
  good(await app.act(paymentId, 'recheck'))
  expect(await app.read(paymentId)).toMatchObject({ paymentState: 'Captured', threeDSecure: CHALLENGED })
})

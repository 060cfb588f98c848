import { afterEach, describe, expect, it } from 'vitest'
import { adyen } from '../../src/providers/adyen/adapter.ts'
import { factsIn } from '../../src/providers/adyen/facts.ts'
import { operation, purchase } from '../../src/providers/contract/core.ts'
import type { Json } from '../../src/providers/kit/json.ts'
import type { ThreeDSecureRequest } from '../../src/providers/methods/three-d-secure.ts'
import type { Handles } from '../../src/providers/outcome.ts'
import type { Purchase } from '../../src/providers/port.ts'
import { createProviders } from '../../src/providers/registry.ts'
import { openPage } from '../../src/providers/stripe/calls.ts'
import { factsOf } from '../../src/providers/stripe/facts.ts'
import { type AdyenAccount, openAccount as openAdyen } from './adyen/account.ts'
import { enumerationIn, hasDescriptions, judgeRequest, NO_DESCRIPTIONS } from './kit/descriptions.ts'
import type { SeenRequest } from './kit/simulator.ts'
import { openAccount as openStripe, type StripeAccount } from './stripe/account.ts'
import { createShop } from './stripe/shop.ts'

/** What each adapter asks of 3-D Secure and reads of it. Official descriptions judge the requests. */

const judged = (provider: string, request: SeenRequest | undefined) => {
  if (!request) throw new Error('nothing was sent')
  if (hasDescriptions) expect(judgeRequest(provider, request)).toEqual([])
  return request
}
const { challenge, exemption } = { challenge: 'challenge', exemption: 'exemption' } as const

it('the manifests say what can be asked, for cards only', () => {
  const asked = [...createProviders([]).values()].flatMap(({ manifest: { id, methods } }) =>
    Object.entries(methods).flatMap(([method, { threeDSecure }]) =>
      threeDSecure ? [[id, method, ...threeDSecure]] : [],
    ),
  )
  expect(asked.sort()).toEqual([
    ['adyen', 'CreditCard', 'challenge', 'exemption'],
    ['stripe', 'CreditCard', 'challenge'],
  ])
})

describe(`Stripe (${hasDescriptions ? 'judged' : NO_DESCRIPTIONS})`, () => {
  let account: StripeAccount
  let opened: StripeAccount | undefined
  const open = async () => {
    account = await openStripe()
    opened = account
  }
  const shop = createShop(() => account)
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })

  it('asks for a challenge on the page, and reads what came of it', async () => {
    await open()
    const paid = await shop.pay({ threeDSecure: challenge }, { kind: 'challenge' })
    const sent = account.simulator.requests.find(({ path }) => path === '/v1/checkout/sessions')
    expect(judged('stripe', sent).body).toContain(
      'payment_method_options%5Bcard%5D%5Brequest_three_d_secure%5D=challenge',
    )
    expect(paid.seen.facts.threeDSecure).toEqual({
      ...{ result: 'authenticated-by-challenge', version: '2.2.0', liabilityShift: true },
    })
  })

  it('asks for it when a stored card is charged with the payer present, not without', async () => {
    await open()
    const { seen } = await shop.pay({ storeMethod: true }, { kind: 'challenge' })
    const token = seen.facts.stored?.token ?? ''
    const bodies: string[] = []
    for (const customerPresent of [true, false]) {
      const asked = purchase({ ...{ customerPresent, threeDSecure: challenge }, storeMethod: false })
      await stripeCharge(account, asked, token)
      const sent = account.simulator.requests.findLast(
        ({ method, path }) => method === 'POST' && path === '/v1/payment_intents',
      )
      bodies.push(judged('stripe', sent).body)
    }
    expect(bodies.map((body) => body.includes('request_three_d_secure'))).toEqual([true, false])
  })

  it('is asked nothing else: for no exemption, and for no other method', () => {
    const op = operation('start')
    const form = (more: Partial<Purchase>) => JSON.stringify(openPage(op, purchase(more))?.form)
    expect(form({ threeDSecure: exemption })).not.toContain('three_d_secure')
    expect(form({ threeDSecure: challenge, method: 'ideal' })).not.toContain('three_d_secure')
  })

  const seenAs = (three_d_secure: Json | null) =>
    factsOf({ latest_charge: { payment_method_details: { type: 'card', card: { three_d_secure } } } })
      .threeDSecure

  it.each([
    ['authenticated', 'frictionless', '05', 'frictionless', true],
    ['authenticated', null, '02', 'authenticated', true],
    ['attempt_acknowledged', null, '06', 'attempted', true],
    ['exempted', 'frictionless', '07', 'exempted', false],
    ['failed', 'challenge', null, 'failed', undefined],
    ['not_supported', null, null, 'not-supported', undefined],
    ['processing_error', null, null, 'not-authenticated', undefined],
  ])('%s, %s, ECI %s: %s', (result, authentication_flow, eci, read, liabilityShift) => {
    const told = { result, authentication_flow, electronic_commerce_indicator: eci, version: '2.1.0' }
    expect(seenAs(told)).toEqual({
      ...{ result: read, version: '2.1.0' },
      ...(liabilityShift === undefined ? {} : { liabilityShift }),
    })
  })

  it('tells nothing of a card without 3-D Secure, or what is not known', () => {
    expect(seenAs(null)).toBeUndefined()
    expect(seenAs({ result: null, version: null })).toBeUndefined()
    expect(seenAs({ result: 'invented', version: '2.1.0' })).toBeUndefined()
    expect(seenAs({ result: 'failed', version: '<script>' })).toEqual({ result: 'failed' })
  })

  it.skipIf(!hasDescriptions)('every result in the description is read', () => {
    const at = ['components', 'schemas', 'three_d_secure_details_charge', 'properties', 'result']
    const results = enumerationIn('stripe-payments-2023-08-16.json', ...at)
    expect(results.length).toBeGreaterThan(4)
    for (const result of results) expect(seenAs({ result })?.result, result).toBeDefined()
  })
})

const stripeCharge = async (account: StripeAccount, asked: Purchase, token: string) => {
  const { stripe } = await import('../../src/providers/stripe/adapter.ts')
  const paying = { ...asked, amount: { ...asked.amount, currency: 'USD' } }
  return stripe.charge(account.context(), operation('charge'), paying, token)
}

describe(`Adyen (${hasDescriptions ? 'judged' : NO_DESCRIPTIONS})`, () => {
  let account: AdyenAccount
  let used: AdyenAccount | undefined
  const open = async () => {
    account = await openAdyen()
    used = account
  }
  afterEach(async () => {
    await used?.close()
    used = undefined
  })

  const read = async (reference: string, handles: Handles) => {
    const about = { currency: 'EUR', reported: await account.reported(reference) }
    const seen = await adyen.retrieve(account.context(), reference, handles, about)
    if (seen.kind !== 'snapshot') throw new Error(seen.kind)
    return seen.facts
  }
  const lastLink = () =>
    judged(
      'adyen',
      account.simulator.requests.findLast(({ path }) => path === '/v72/paymentLinks'),
    )

  it.each<[ThreeDSecureRequest, string, object]>([
    [challenge, '04', { result: 'authenticated-by-challenge', version: '2.2.0', liabilityShift: true }],
    [exemption, '02', { result: 'exempted', liabilityShift: false }],
  ])('asks for a %s on the page, and reads what came of it', async (threeDSecure, wish, told) => {
    await open()
    const op = operation('start')
    const opened = await adyen.start(account.context(), op, purchase({ threeDSecure }))
    if (opened.kind !== 'redirect') throw new Error(opened.kind)
    const sent = JSON.parse(lastLink().body)
    expect(sent.threeDS2RequestData).toEqual({ threeDSRequestorChallengeInd: wish })
    await account.simulator.payer(opened.url, { kind: 'pay' })
    expect((await read(op.reference, opened.handles)).threeDSecure).toEqual(told)
  })

  it('challenges a stored card on a page, and charges nothing before', async () => {
    await open()
    const first = operation('start')
    const opened = await adyen.start(account.context(), first, purchase({ storeMethod: true }))
    if (opened.kind !== 'redirect') throw new Error(opened.kind)
    await account.simulator.payer(opened.url, { kind: 'save' })
    const { stored } = await read(first.reference, opened.handles)
    const op = operation('charge')
    const asked = purchase({ customerPresent: true, threeDSecure: challenge })
    const page = await adyen.charge(account.context(), op, asked, stored?.token ?? '')
    if (page.kind !== 'redirect') throw new Error(page.kind)
    expect(account.simulator.requests.filter(({ path }) => path === '/v72/payments')).toEqual([])
    expect(JSON.parse(lastLink().body)).toMatchObject({
      shopperReference: stored?.token.split('/')[0],
      threeDS2RequestData: { threeDSRequestorChallengeInd: '04' },
    })
    await account.simulator.payer(page.url, { kind: 'pay' })
    expect((await read(op.reference, page.handles)).threeDSecure?.result).toBe('authenticated-by-challenge')
  })

  it('is asked nothing for other methods', async () => {
    await open()
    await adyen.start(
      account.context(),
      operation('start'),
      purchase({ threeDSecure: challenge, method: 'ideal' }),
    )
    expect(lastLink().body).not.toContain('threeDS2RequestData')
  })

  const offered = (more: object) => ({ threeDOffered: 'true', threeDSVersion: '2.2.0', ...more })
  const done = (more: object) => offered({ threeDAuthenticated: 'true', ...more })

  it.each<[object, string | undefined]>([
    [done({ threeDOfferedResponse: 'Y', threeDAuthenticatedResponse: 'Y' }), 'frictionless'],
    [done({ threeDOfferedResponse: 'C', threeDAuthenticatedResponse: 'Y' }), 'authenticated-by-challenge'],
    [done({ threeDAuthenticatedResponse: 'A' }), 'attempted'],
    [done({ threeDSVersion: '1.0.2', threeDOfferedResponse: 'Y' }), 'authenticated'],
    [done({}), 'authenticated'],
    [offered({ threeDAuthenticated: 'false', threeDAuthenticatedResponse: 'N' }), 'failed'],
    [offered({ threeDAuthenticated: 'false', threeDAuthenticatedResponse: 'U' }), 'not-authenticated'],
    [offered({ threeDAuthenticated: 'false', scaExemptionRequested: 'lowValue' }), 'exempted'],
    [done({ scaExemptionRequested: 'lowValue' }), 'authenticated'],
    [{ scaExemptionRequested: 'transactionRiskAnalysis' }, 'exempted'],
    [{ threeDOffered: 'false', liabilityShift: 'false' }, undefined],
  ])('%j is %s', (data, result) => {
    expect(factsIn(data as Json, 'visa').threeDSecure?.result).toBe(result)
  })
})

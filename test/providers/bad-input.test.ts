import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { unlistedCodes } from '../../src/payments/provider/outcome/unlisted.ts'
import {
  type Answer,
  good,
  hostedPage,
  newReference,
  startTestService,
  type TestService,
} from '../support/tender.ts'
import { type AdyenSimulator, createAdyenSimulator } from './adyen/simulator.ts'
import { createAuthorizeNetSimulator } from './authorize-net/simulator.ts'
import { createBtcpaySimulator } from './btcpay/simulator.ts'
import type { ArmedBehaviour, ProviderSimulator } from './kit/simulator.ts'
import { createMollieSimulator, type MollieSimulator } from './mollie/simulator.ts'
import { createPaypalSimulator } from './paypal/simulator.ts'
import { createSquareSimulator, type SquareSimulator } from './square/simulator.ts'
import { createStripeSimulator } from './stripe/simulator.ts'

/**
 * What a merchant can get wrong at a real account: each is a clear 4xx, or an attempt that ends with a
 * sentence for the merchant and one for the payer. The payment can be paid when the cause is gone.
 */

let tender: TestService
const simulators: Record<string, ProviderSimulator> = {}
let powerlessKey = ''
const logged: object[] = []

beforeAll(async () => {
  const stripe = await createStripeSimulator()
  powerlessKey = stripe.powerlessKey
  const adyen = await createAdyenSimulator()
  Object.assign(simulators, {
    adyen,
    stripe,
    paypal: await createPaypalSimulator(),
    btcpay: await createBtcpaySimulator(),
    'authorize-net': await createAuthorizeNetSimulator({ currencies: ['EUR', 'USD'] }),
    mollie: await createMollieSimulator(),
    square: await createSquareSimulator(),
  })
  const providerOrigins = Object.fromEntries(
    ['stripe', 'paypal', 'adyen', 'authorize-net', 'mollie', 'square'].map((id) => [
      id,
      simulators[id]?.origin ?? '',
    ]),
  )
  const warn = (event: string, data: object = {}) => {
    if (event === 'provider.unlisted_code') logged.push(data)
  }
  const log = { ...silentLog, warn }
  tender = await startTestService('bad_input', { config: { providerOrigins }, log })
})
afterAll(async () => {
  await tender?.stop()
  for (const { violations, close } of Object.values(simulators)) {
    expect(violations).toEqual([])
    await close()
  }
})

/** Good settings. A profile of Adyen takes no payment before its notifications can be verified. */
const goodSettings = (provider: string) => ({
  ...(provider === 'adyen' ? { hmacKey: 'AB'.repeat(32) } : {}),
  ...simulators[provider]?.settings,
})

const saveProfile = (provider: string, settings: object | undefined, currency = 'EUR') =>
  tender.sandbox.call('POST', 'payment-profiles', {
    ...{ provider, currency, settings: settings ?? goodSettings(provider) },
  })

const check = async ({ paymentProfileId }: Answer): Promise<Answer> =>
  good(await tender.sandbox.call('POST', `payment-profiles/${paymentProfileId}/check`))

/** Chooses the only method on our page, as a browser without script does. Returns where it leads. */
async function choose(payUrl: string): Promise<string> {
  const html = await (await fetch(payUrl)).text()
  const [, action = ''] = /<form class="pay-form" method="post" action="([^"]+)"/.exec(html) ?? []
  const hidden = [...html.matchAll(/<input type="hidden" name="(attempt|way)" value="([^"]+)"/g)].slice(0, 2)
  const body = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
  const origin = new URL(payUrl).origin
  const reply = await fetch(new URL(action, payUrl), {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { origin },
  })
  return new URL(reply.headers.get('location') ?? '', payUrl).href
}

const textOf = async (url: string): Promise<string> =>
  (await (await fetch(url)).text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

interface Refused {
  /** `lastError`, for the merchant. */
  readonly merchant: RegExp
  readonly payer: RegExp
  readonly declineCode?: string
}

/** The payer tries to pay, and reads why it did not work. Once `repair` is done, it works. */
async function expectRefused(
  profile: Answer,
  refused: Refused,
  repair: () => Promise<void>,
): Promise<Answer> {
  const body = { ...hostedPage({ referenceId: newReference() }), currency: profile.currency }
  const paymentProfiles = [profile.paymentProfileId]
  const { paymentId, redirectUrl } = good(
    await tender.sandbox.call('POST', 'payments/hosted-page', { ...body, paymentProfiles }),
  )
  const back = await choose(redirectUrl)
  expect(back).toContain(redirectUrl)
  const page = await textOf(back)
  expect(page).toMatch(refused.payer)
  expect(page).toContain('You have not been charged.')
  const payment = await tender.sandbox.read(paymentId)
  expect(payment).toMatchObject({ paymentState: 'Created', capturedAmount: 0 })
  expect(payment.lastError).toMatch(refused.merchant)
  const [attempt] = good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))
  expect(attempt.status).toBe(refused.declineCode ? 'Declined' : 'NotDone')
  expect(attempt.declineCode).toBe(refused.declineCode ?? null)
  await repair()
  await choose(redirectUrl)
  const attempts = good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))
  expect(attempts.at(-1)).toMatchObject({ attempt: 2, status: 'Waiting' })
  return attempt
}

const CREDENTIALS: Refused = {
  merchant: /did not accept the profile's credentials/,
  payer: /Something went wrong on the way to your bank/,
}
const CURRENCY: Refused = {
  merchant: /currency is not supported/,
  payer: /cannot be used here/,
  declineCode: 'currency-not-supported',
}
const nothing = async () => {}
const armed = (provider: string, behaviour: ArmedBehaviour) => simulators[provider]?.arm(behaviour)

/** Settings that do not work: `check` says so, and attempts end until they are repaired. */
async function expectWrongSettings(provider: string, settings: object, problem: RegExp): Promise<void> {
  const profile = good(await saveProfile(provider, settings))
  const checked = await check(profile)
  expect([checked.ok, checked.problem]).toEqual([false, expect.stringMatching(problem)])
  await expectRefused(profile, CREDENTIALS, async () => {
    const path = `payment-profiles/${profile.paymentProfileId}`
    good(await tender.sandbox.call('PATCH', path, { settings: goodSettings(provider) }))
  })
}

describe('Stripe', () => {
  it('wrong keys', () =>
    expectWrongSettings('stripe', { secretKey: 'sk_test_0000000000000000000000000000' }, /key/))

  it('keys of the other mode', async () => {
    const reply = await saveProfile('stripe', { secretKey: 'sk_live_0000000000000000000000000000' })
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0]).toMatchObject({ message: expect.stringContaining('needs a test key') })
  })

  it('missing permissions', () => expectWrongSettings('stripe', { secretKey: powerlessKey }, /no permission/))

  it('a restricted account', async () => {
    const profile = good(await saveProfile('stripe', undefined))
    armed('stripe', { kind: 'error', operation: 'start', status: 403, code: 'account_invalid' })
    await expectRefused(profile, CREDENTIALS, nothing)
  })

  it('a currency that the account does not take', async () => {
    const profile = good(await saveProfile('stripe', undefined))
    armed('stripe', { kind: 'error', operation: 'start', status: 400, code: 'currency_not_supported' })
    await expectRefused(profile, CURRENCY, nothing)
  })

  it('an amount below the minimum', () => expectTooSmall('stripe', 0.49, 'at least 0.50 EUR'))
})

describe('a code that is in no table', () => {
  const UNLISTED: Refused = {
    merchant: /^The payment was declined\.$/,
    payer: /declined the payment/,
    declineCode: 'generic',
  }

  it('of an answer is generic, kept and counted', async () => {
    const profile = good(await saveProfile('paypal', undefined))
    armed('paypal', { kind: 'decline', operation: 'start', code: 'SOMETHING_NEW' })
    const attempt = await expectRefused(profile, UNLISTED, nothing)
    expect(attempt.providerCode).toBe('SOMETHING_NEW')
    expect(logged).toContainEqual({ provider: 'paypal', code: 'SOMETHING_NEW', count: 1 })
    expect(unlistedCodes(tender.service.ctx).add('paypal SOMETHING_NEW')).toBe(2)
  })

  it('of a decline on the provider’s page is counted once', async () => {
    const profile = good(await saveProfile('stripe', undefined))
    const body = { ...hostedPage({ referenceId: newReference() }), currency: 'EUR' }
    const { paymentId, redirectUrl } = good(
      await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
        ...{ ...body, paymentProfileId: profile.paymentProfileId },
      }),
    )
    await simulators.stripe?.payer(redirectUrl, { kind: 'decline', code: 'something_new' })
    const seen = good(await tender.sandbox.act(paymentId, 'recheck'))
    good(await tender.sandbox.act(paymentId, 'recheck'))
    expect(seen.lastError).toBe('The payment was declined.')
    expect(logged.filter((one) => 'code' in one && one.code === 'something_new')).toEqual([
      { provider: 'stripe', code: 'something_new', count: 1 },
    ])
  })
})

describe('PayPal', () => {
  const wrong = () => ({ ...simulators.paypal?.wrongSettings })

  it('wrong keys', () => expectWrongSettings('paypal', wrong(), /./))

  it('keys of the other mode are wrong keys: they do not tell their mode', () =>
    expectWrongSettings('paypal', { ...wrong(), clientId: 'ALiveClientId' }, /./))

  it('missing permissions', async () => {
    const profile = good(await saveProfile('paypal', undefined))
    armed('paypal', { kind: 'error', operation: 'start', status: 403, code: 'PERMISSION_DENIED' })
    await expectRefused(profile, CREDENTIALS, nothing)
  })

  it('a restricted account', async () => {
    const profile = good(await saveProfile('paypal', undefined))
    armed('paypal', { kind: 'decline', operation: 'start', code: 'PAYEE_ACCOUNT_RESTRICTED' })
    await expectRefused(profile, CREDENTIALS, nothing)
  })

  it('a currency that the account does not take', async () => {
    const profile = good(await saveProfile('paypal', undefined))
    armed('paypal', { kind: 'decline', operation: 'start', code: 'CURRENCY_NOT_SUPPORTED_FOR_COUNTRY' })
    await expectRefused(profile, CURRENCY, nothing)
  })

  it('a currency that PayPal does not have', async () => {
    const { paymentProfileId } = good(await saveProfile('paypal', undefined))
    const body = {
      ...hostedPage({ referenceId: newReference() }),
      currency: 'KWD',
      paymentProfiles: [paymentProfileId],
    }
    const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
    expect([reply.status, reply.body.code]).toEqual([422, 'no_profile_for_currency'])
  })

  it('an amount below the minimum', () => expectTooSmall('paypal', 0.5, 'at least 1', 'HUF'))
})

describe('BTCPay', () => {
  it('wrong keys', () => expectWrongSettings('btcpay', { ...simulators.btcpay?.wrongSettings }, /API key/))

  it('missing permissions', async () => {
    const profile = good(await saveProfile('btcpay', undefined))
    armed('btcpay', { kind: 'error', operation: 'start', status: 403, code: 'missing-permission' })
    await expectRefused(profile, CREDENTIALS, nothing)
  })

  it('another store', () =>
    expectWrongSettings(
      'btcpay',
      { ...simulators.btcpay?.settings, storeId: 'AnotherStore00000000000000000000000000000000' },
      /store/,
    ))

  it('a currency without a rate', async () => {
    const profile = good(await saveProfile('btcpay', undefined))
    armed('btcpay', { kind: 'error', operation: 'start', status: 400, code: 'currency' })
    const merchant = /The provider (?:cannot do this|did not accept the request)/
    await expectRefused(profile, { ...CREDENTIALS, merchant }, nothing)
  })
})

describe('Adyen', () => {
  const wrong = () => ({ ...simulators.adyen?.wrongSettings })

  it('wrong keys', () => expectWrongSettings('adyen', wrong(), /does not accept the API key/))

  it('missing permissions', () => {
    const { powerlessKey: apiKey } = simulators.adyen as AdyenSimulator
    return expectWrongSettings('adyen', { ...wrong(), apiKey }, /no permission/)
  })

  it('another merchant account', () =>
    expectWrongSettings('adyen', { ...goodSettings('adyen'), merchantAccount: 'Other' }, /account/))

  it('settings of the wrong form', async () => {
    const reply = await saveProfile('adyen', { apiKey: 'x', merchantAccount: '' })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toHaveLength(2)
  })

  it('a currency that the account does not take', async () => {
    const profile = good(await saveProfile('adyen', undefined))
    armed('adyen', { kind: 'decline', operation: 'start', code: '138' })
    await expectRefused(profile, CURRENCY, nothing)
  })

  it('an amount with decimals that Adyen does not have', async () => {
    const { paymentProfileId } = good(await saveProfile('adyen', undefined, 'IDR'))
    const body = { ...hostedPage({ referenceId: newReference() }), amount: 1500.5, currency: 'IDR' }
    const paymentProfiles = [paymentProfileId]
    const reply = await tender.sandbox.call('POST', 'payments/hosted-page', { ...body, paymentProfiles })
    expect(reply.status).toBe(422)
  })
})

describe('Authorize.Net', () => {
  const id = 'authorize-net'

  it('wrong keys', () => expectWrongSettings(id, { ...simulators[id]?.wrongSettings }, /Transaction Key/))

  it('an account without the permission to read', async () => {
    const profile = good(await saveProfile(id, undefined))
    armed(id, { kind: 'error', operation: 'read', status: 200, code: 'E00011' })
    const checked = await check(profile)
    expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining('Transaction Details API') })
    armed(id, { kind: 'error', operation: 'start', status: 200, code: 'E00010' })
    await expectRefused(profile, CREDENTIALS, nothing)
  })

  it('a currency that the account does not take', async () => {
    const profile = good(await saveProfile(id, undefined))
    armed(id, { kind: 'error', operation: 'start', status: 200, code: 'E00013' })
    await expectRefused(profile, { ...CREDENTIALS, merchant: /did not accept the request/ }, nothing)
  })

  it('a currency that Authorize.Net does not have', async () => {
    const { paymentProfileId } = good(await saveProfile(id, undefined))
    const wanted = { ...hostedPage({ referenceId: newReference() }), currency: 'JPY' }
    const body = { ...wanted, amount: 500, paymentProfiles: [paymentProfileId] }
    const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
    expect([reply.status, reply.body.code]).toEqual([422, 'no_profile_for_currency'])
  })
})

describe('Mollie', () => {
  const id = 'mollie'

  it('wrong keys', () =>
    expectWrongSettings(id, { ...simulators[id]?.wrongSettings }, /does not accept the API key/))

  it('missing permissions', () => {
    const { powerlessKey: apiKey } = simulators[id] as MollieSimulator
    return expectWrongSettings(id, { apiKey }, /no permission/)
  })

  it('keys of the other mode', async () => {
    const reply = await saveProfile(id, { apiKey: 'live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' })
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0]).toMatchObject({ message: expect.stringContaining('needs a test key') })
  })

  it('a currency that the account does not take', async () => {
    const profile = good(await saveProfile(id, undefined))
    armed(id, { kind: 'decline', operation: 'start', code: 'amount.currency' })
    await expectRefused(profile, CURRENCY, nothing)
  })

  it('a method that is not turned on', async () => {
    const profile = good(await saveProfile(id, undefined))
    armed(id, { kind: 'decline', operation: 'start', code: 'method' })
    await expectRefused(profile, { ...CREDENTIALS, merchant: /cannot do this/ }, nothing)
  })

  it('a currency that Mollie does not have', async () => {
    const { paymentProfileId } = good(await saveProfile(id, undefined))
    const wanted = { ...hostedPage({ referenceId: newReference() }), currency: 'KWD' }
    const body = { ...wanted, paymentProfiles: [paymentProfileId] }
    const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
    expect([reply.status, reply.body.code]).toEqual([422, 'no_profile_for_currency'])
  })
})

describe('Square', () => {
  const settings = (more: object) => ({ ...simulators.square?.settings, ...more })

  it('a wrong token', () =>
    expectWrongSettings(
      'square',
      { ...simulators.square?.wrongSettings },
      /does not accept the access token/,
    ))

  it('missing permissions', () => {
    const { powerlessToken: accessToken } = simulators.square as SquareSimulator
    return expectWrongSettings('square', settings({ accessToken }), /no permission/)
  })

  it('a location of another account', () =>
    expectWrongSettings('square', settings({ locationId: 'LOTHER' }), /location/))

  it('settings of the wrong form', async () => {
    const reply = await saveProfile('square', { accessToken: 'x', locationId: '../x' })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toHaveLength(2)
  })

  it('a currency that the location does not take', async () => {
    const profile = good(await saveProfile('square', undefined))
    armed('square', { kind: 'decline', operation: 'start', code: 'CURRENCY_MISMATCH' })
    await expectRefused(profile, CURRENCY, nothing)
  })

  it('a currency that Square does not have', async () => {
    const { paymentProfileId } = good(await saveProfile('square', undefined))
    const wanted = { ...hostedPage({ referenceId: newReference() }), currency: 'CHF' }
    const body = { ...wanted, paymentProfiles: [paymentProfileId] }
    const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
    expect([reply.status, reply.body.code]).toEqual([422, 'no_profile_for_currency'])
  })
})

async function expectTooSmall(provider: string, amount: number, least: string, currency = 'EUR') {
  const { paymentProfileId } = good(await saveProfile(provider, undefined, currency))
  const body = {
    ...hostedPage({ referenceId: newReference() }),
    amount,
    currency,
    paymentProfiles: [paymentProfileId],
  }
  const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
  expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining(least)])
}

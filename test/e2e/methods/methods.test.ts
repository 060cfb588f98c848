import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/base/clock.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { createFakeClock } from '../../support/clock.ts'
import {
  type Answer,
  good,
  hostedPage,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

/** Methods by their own name, from the profile to the payment, with the six of the sandbox. */

const SIX = ['ideal', 'klarna', 'sepa-debit', 'apple-pay', 'multibanco', 'bank-transfer']
const clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
let tender: TestService
let app: TestApp
let profileId: number

beforeAll(async () => {
  tender = await startTestService('e2e_named_methods', { clock })
  app = (await tender.newMerchant()).sandbox
  const body = { provider: 'sandbox', name: 'By name', methods: SIX, currency: 'EUR' }
  profileId = good(await app.call('POST', 'payment-profiles', body)).paymentProfileId
})
afterAll(() => tender?.stop())

const create = async (more: object = {}): Promise<Answer> =>
  good(await app.call('POST', 'payments/hosted-page', hostedPage({ currency: 'EUR', ...more })))
const payBy = async ({ paymentId }: Answer, method: string, outcome = 'approved'): Promise<Answer> =>
  good(await app.call('POST', `test-helpers/payments/${paymentId}/pay`, { method, outcome }))
const checkout = async ({ redirectUrl }: Answer): Promise<string> => (await fetch(redirectUrl)).text()

describe('a profile', () => {
  it('takes ids of methods beside the kinds, and tells each with its currencies and countries', async () => {
    const profile = good(await app.call('GET', `payment-profiles/${profileId}`))
    expect(profile).toMatchObject({ methods: SIX, paymentMethodTypeString: 'ProviderHostedPage' })
    const methods = good(await app.call('GET', `payment-profiles/${profileId}/methods`))
    expect(methods.map(({ id }: Answer) => id).slice(0, 6)).toEqual(SIX)
    expect(methods[0]).toEqual({
      ...{ id: 'ideal', name: 'iDEAL', isEnabledAtProvider: true, isOffered: true },
      ...{ currencies: ['EUR'], countries: ['NL'] },
    })
    expect(methods.find(({ id }: Answer) => id === 'CreditCard')).toMatchObject({ isOffered: false })
    const wrong = await app.call('PATCH', `payment-profiles/${profileId}`, { methods: ['pix'] })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'profile_not_usable' } })
    expect((await app.call('PATCH', `payment-profiles/${profileId}`, { methods: ['sofort'] })).status).toBe(
      400,
    )
  })
})

describe('the checkout', () => {
  it('offers six at once, in the order of the merchant, and the rest behind a summary', async () => {
    const page = await checkout(await create())
    const shown = page.slice(0, page.indexOf('<details class="more'))
    const ids = (html: string) => [...html.matchAll(/id="way-\d+\.([\w-]+)"/g)].map(([, id]) => id)
    expect(ids(shown)).toHaveLength(6)
    expect(ids(page)).toHaveLength(10)
    expect(ids(page).filter((id) => SIX.includes(id ?? ''))).toEqual(SIX)
  })

  it('offers a method up to the largest amount that it takes', async () => {
    const { sandbox } = await tender.newMerchant()
    for (const own of good(await sandbox.call('GET', 'payment-profiles')))
      good(await sandbox.call('PATCH', `payment-profiles/${own.paymentProfileId}`, { isActive: false }))
    const settings = { apiKey: `test_${'a'.repeat(30)}` }
    const body = { provider: 'mollie', name: 'Swiss', currency: 'CHF', methods: ['twint'], settings }
    good(await sandbox.call('POST', 'payment-profiles', body))
    const make = (amount: number) =>
      sandbox.call('POST', 'payments/hosted-page', hostedPage({ currency: 'CHF', amount }))
    good(await make(5000))
    expect((await make(5000.01)).body.code).toBe('amount_out_of_bounds')
  })

  it('offers only what currency, country and the request allow', async () => {
    const address = { country: 'DE' }
    const customer = { customerId: 'de-1', address }
    const german = await checkout(await create({ customerOrder: { customer } }))
    expect(german).not.toContain('.ideal"')
    expect(german).toContain('.sepa-debit"')
    const dutch = await checkout(await create({ country: 'NL', customerOrder: { customer } }))
    expect(dutch).toContain('.ideal"')
    const polish = await app.call('POST', 'payments/hosted-page', {
      ...hostedPage({ currency: 'EUR', checkoutMethods: ['ideal'] }),
      country: 'PL',
    })
    expect(polish).toMatchObject({ status: 422, body: { code: 'no_profile_for_currency' } })
    const dollars = await checkout(await create({ currency: 'USD' }))
    expect(dollars).not.toContain('.sepa-debit"')
    expect(dollars).toContain('.klarna"')
    const only = await checkout(await create({ checkoutMethods: ['ideal', 'CreditCard'] }))
    expect(only).toContain('.ideal"')
    expect(only).not.toContain('.klarna"')
    const reserved = await checkout(await create({ autoCapture: false }))
    expect(reserved).toContain('.klarna"')
    expect(reserved).not.toContain('.ideal"')
  })
})

it('nobody continues at a bank transfer: a page of the sandbox has its own name then', async () => {
  const page = await checkout(await create())
  expect(page).toContain('You continue at Sandbox. It can take up to 14 days')
  expect(page).toContain('Continue to Apple Pay')
  expect(page).not.toContain('Continue to Bank transfer')
})

describe('a payment', () => {
  it('by name is a provider page for clients of before, with id and name beside it', async () => {
    const paid = await payBy(await create(), 'ideal')
    expect(paid).toMatchObject({
      ...{ paymentState: 'Captured', paymentMethodId: 'ideal', paymentMethodName: 'iDEAL' },
      payInfo: { paymentProfile: { paymentMethodTypeString: 'ProviderHostedPage' } },
    })
    const [attempt] = good(await app.call('GET', `payments/${paid.paymentId}/attempts`))
    expect(attempt).toMatchObject({ paymentMethodType: 'ProviderHostedPage', paymentMethodId: 'ideal' })
    const card = await app.paid()
    expect(card).toMatchObject({ paymentMethodId: null })
    expect('paymentMethodName' in card).toBe(false)
  })

  it('in a wallet tells the wallet and the card in it', async () => {
    const paid = await payBy(await create(), 'apple-pay')
    expect(paid).toMatchObject({
      ...{ paymentState: 'Captured', paymentMethodId: 'apple-pay', paymentMethodName: 'Apple Pay' },
      payInfo: { card: { cardBrand: 'Visa', cardLast4: '4242' } },
    })
    const { ctx } = tender.service
    const owner = await loadApp(ctx, app.appId)
    const listed = owner && (await listPayments(ctx, owner, { q: `"${paid.referenceId}"` }))
    expect(listed?.payments).toMatchObject([{ brand: 'Visa', wallet: 'apple-pay' }])
  })

  it('that is to store its method can be paid by one that cannot be stored', async () => {
    const paid = await payBy(await create({ registerAutoPayment: true }), 'ideal')
    expect(paid).toMatchObject({ paymentState: 'Captured', paymentMethodId: 'ideal' })
    expect(good(await app.call('GET', `customers/${paid.customerId}/payment-methods`))).toEqual([])
  })

  it('to be paid later is reserved and captured in two steps', async () => {
    const reserved = await payBy(await create({ autoCapture: false }), 'klarna')
    expect(reserved).toMatchObject({ paymentState: 'Authorized', paymentMethodId: 'klarna' })
    const captured = good(await app.call('POST', `payments/${reserved.paymentId}/capture`))
    expect(captured.paymentState).toBe('Captured')
  })
})

describe('slow money', () => {
  const later = async (paymentId: number, ms: number): Promise<Answer> => {
    good(await app.call('POST', 'test-helpers/clock', { advance: `${ms / HOUR}h` }))
    return good(await app.call('POST', `payments/${paymentId}/recheck`))
  }

  it('keeps the payment in progress with its expected end, and the link stays', async () => {
    const { now } = good(await app.call('POST', 'test-helpers/clock', { advance: '1s' }))
    const expirationTime = new Date(Date.parse(now) + HOUR).toISOString()
    const made = await create({ expirationTime })
    const slow = await payBy(made, 'bank-transfer')
    expect(slow).toMatchObject({ paymentState: 'SaleInProgress', paymentMethodId: 'bank-transfer' })
    expect(Date.parse(slow.expectedTime) - Date.parse(now)).toBe(14 * DAY)
    const page = await checkout(made)
    expect(page).toContain('Your payment is on its way')
    expect(page).toContain('If you still have to send the money')
    expect((await later(slow.paymentId, DAY)).paymentState).toBe('SaleInProgress')
    expect(await later(slow.paymentId, DAY)).toMatchObject({ paymentState: 'Captured' })
  })

  it('asks who comes back from an open page of a slow method whether the money was sent', async () => {
    const left = await create()
    good(
      await app.call('POST', `test-helpers/payments/${left.paymentId}/pay`, {
        method: 'multibanco',
        outcome: 'abandon',
      }),
    )
    expect(await checkout(left)).toContain('Have you already sent the money by Multibanco?')
    const fast = await create()
    good(
      await app.call('POST', `test-helpers/payments/${fast.paymentId}/pay`, {
        method: 'ideal',
        outcome: 'abandon',
      }),
    )
    expect(await checkout(fast)).toContain('without paying')
  })

  it('ends the attempt when the money never came, and gives back a debit that returns', async () => {
    const voucher = await payBy(await create(), 'multibanco', 'expired')
    expect(voucher.paymentState).toBe('SaleInProgress')
    const made = await create()
    const debit = await payBy(made, 'sepa-debit', 'returned')
    const page = await checkout(made)
    expect(page).toContain('With SEPA Direct Debit it can take until')
    expect(page).not.toContain('If you still have to')
    expect(await later(debit.paymentId, 3 * DAY)).toMatchObject({ paymentState: 'Captured' })
    expect(await later(debit.paymentId, HOUR)).toMatchObject({ paymentState: 'Refunded' })
    expect(await later(voucher.paymentId, 5 * DAY)).toMatchObject({
      ...{ paymentState: 'Created', capturedAmount: 0 },
    })
  })
})

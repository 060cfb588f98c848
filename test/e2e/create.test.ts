import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good, hostedPage, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_create')
})
afterAll(() => tender?.stop())

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  tender.sandbox.call('POST', path, body, headers)
const hosted = (more?: object) => post('payments/hosted-page', hostedPage(more))
const { showPayRecurringInCheckout: _offer, ...DIRECT } = hostedPage()
const direct = (more: object = {}) => ({ ...DIRECT, referenceId: newReference(), ...more })

async function profileId(method: string): Promise<number> {
  const profiles = good(await tender.sandbox.call('GET', 'payment-profiles'))
  return profiles.find((profile: { methods: string[] }) => profile.methods.includes(method)).paymentProfileId
}

describe('POST payments/hosted-page', () => {
  it('opens the checkout in the language of the payer that the merchant names', async () => {
    const inEnglish = { headers: { 'accept-language': 'en' } }
    const langOf = async (more: object, query = '') => {
      const { redirectUrl } = good(await hosted(more))
      return /<html[^>]* lang="([^"]+)"/.exec(
        await (await fetch(`${redirectUrl}${query}`, inEnglish)).text(),
      )?.[1]
    }
    expect(await langOf({})).toBe('en')
    expect(await langOf({ locale: 'de-AT', country: 'AT', statementDescriptor: 'Order 7' })).toBe('de')
    expect(await langOf({ locale: 'de' }, '?lang=fr')).toBe('fr')
    expect(await langOf({ locale: 'sv' })).toBe('en')
    for (const wrong of [{ locale: 'de_AT' }, { locale: '<b>' }, { country: 'Austria' }, { country: 'at' }])
      expect(await hosted(wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ field: Object.keys(wrong)[0] }] },
      })
  })

  it('returns 201 with the payment in state Created and the redirectUrl', async () => {
    const request = hostedPage()
    const { status, body } = await post('payments/hosted-page', request)
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
      autoCapture: true,
      paymentFlow: 'HostedPage',
      autoPayment: 'None',
      fraudStatus: 'Unknown',
      returnUrl: request.returnUrl,
      customerId: 'dana',
      failure: null,
      lastError: null,
      feeBreakdown: null,
      canCancel: true,
      canCapture: false,
      canCaptured: false,
      canRefund: false,
    })
    expect(body.redirectUrl).toBe(`${tender.url}/c/${body.paymentKey}`)
    expect(body.createdTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body).not.toHaveProperty('payInfo')
    expect(body.paymentKey.length).toBeGreaterThanOrEqual(26)
  })

  it('serves the same route under /api/v1', async () => {
    const headers = { authorization: `Bearer ${tender.sandbox.apiKey}`, 'content-type': 'application/json' }
    const url = `${tender.url}/api/v1/apps/${tender.sandbox.appId}/payments/hosted-page`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(hostedPage()) })
    expect(response.status).toBe(201)
  })

  it('can be read by paymentId and by referenceId, including redirectUrl', async () => {
    const created = await tender.sandbox.create()
    expect(await tender.sandbox.read(created.paymentId)).toEqual(created)
    const path = `payments/referenceId:${encodeURIComponent(created.referenceId)}`
    expect(good(await tender.sandbox.call('GET', path))).toEqual(created)
  })

  it.each([
    'a b/c?d#e%f:g',
    'référence №1 🧾',
    'x'.repeat(200),
    '🧾'.repeat(100),
    ' lead and trail ',
    '..',
    '%2F',
  ])('reads back any reference it accepted: %s', async (value) => {
    const referenceId = value
    expect((await hosted({ referenceId })).status).toBe(201)
    const read = await tender.sandbox.call('GET', `payments/referenceId:${encodeURIComponent(referenceId)}`)
    expect([read.status, read.body.referenceId]).toEqual([200, referenceId])
  })

  it('ignores unknown fields at any depth', async () => {
    const customerOrder = { customer: { customerId: 'dana', shoeSize: 43 }, gift: { wrap: true } }
    const { status, body } = await hosted({ customerOrder, surprise: [1, 2] })
    expect(status).toBe(201)
    expect(body.customerOrder).toEqual({ customer: { customerId: 'dana' } })
  })

  it('accepts amounts as numbers or decimal strings and returns numbers', async () => {
    const customerOrder = {
      customer: { customerId: 'dana' },
      amount: {
        total: '25.50',
        totalTax: '1.00',
        items: [{ name: 'Mug', amount: '25.50', quantity: '1', category: 'PhysicalGoods' }],
      },
    }
    const { body } = await hosted({ amount: '25.50', customerOrder })
    expect(body.amount).toBe(25.5)
    expect(body.customerOrder.amount).toEqual({
      total: 25.5,
      totalTax: 1,
      items: [{ name: 'Mug', amount: 25.5, quantity: 1, category: 'PhysicalGoods' }],
    })
  })

  it('validates line items loosely beside the breakdown and strictly inside it', async () => {
    const customer = { customerId: 'dana' }
    const items = [{ name: 'Setup', amount: 5, category: 'Service' }, { name: 'Mug' }]
    expect((await hosted({ customerOrder: { customer, items } })).status).toBe(201)
    const strict = await hosted({
      customerOrder: { customer, amount: { items: [{ name: 'Mug', amount: 1 }] } },
    })
    expect(strict.status).toBe(400)
    const fields = strict.body.errors.map((error: { field: string }) => error.field)
    expect(fields).toEqual(
      expect.arrayContaining([
        'customerOrder.amount.items[0].quantity',
        'customerOrder.amount.items[0].category',
      ]),
    )
    for (const quantity of [0, '0', '0.00']) {
      const none = await hosted({ customerOrder: { customer, items: [{ name: 'Mug', quantity }] } })
      expect(none.body.errors).toMatchObject([{ field: 'customerOrder.items[0].quantity' }])
    }
    const some = { customer, items: [{ name: 'Mug', quantity: '0.5' }] }
    expect((await hosted({ customerOrder: some })).status).toBe(201)
  })

  it('accepts a single paymentProfileId, number or string, as a list of one', async () => {
    const id = await profileId('CreditCard')
    expect((await hosted({ paymentProfileId: String(id) })).status).toBe(201)
    expect((await hosted({ paymentProfiles: [id, String(id)] })).status).toBe(201)
  })

  it('lists every invalid field', async () => {
    const { status, headers, body } = await post('payments/hosted-page', {
      amount: 'ten',
      autoCapture: 'yes',
    })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({ code: 'invalid_request', status: 400, Message: body.detail })
    expect(body.TypeName).toBeTypeOf('string')
    expect(body.requestId).toBe(headers.get('x-request-id'))
    const fields = body.errors.map((error: { field: string }) => error.field)
    for (const field of ['referenceId', 'amount', 'currency', 'returnUrl', 'autoCapture', 'customerOrder'])
      expect(fields).toContain(field)
  })

  it.each([
    ['three decimals', { amount: 10.235 }],
    ['decimals that the currency does not have', { amount: 10.5, currency: 'JPY' }],
    ['three decimals even where the currency has them', { amount: 1.234, currency: 'KWD' }],
    ['zero', { amount: 0 }],
    ['less than nothing', { amount: -1 }],
    ['more than 999999999.99', { amount: 1000000000 }],
    ['a text that is no number', { amount: '1e3' }],
    ['an unknown currency', { currency: 'ZZZ' }],
    ['a currency in lower case', { currency: 'eur' }],
    ['a returnUrl that is not http', { returnUrl: 'javascript:alert(1)' }],
    ['a returnUrl with credentials', { returnUrl: 'https://a:b@example.com/' }],
    ['a returnUrl of 2,049 characters', { returnUrl: `https://example.com/${'x'.repeat(2029)}` }],
    ['a relative webhookUrl', { webhookUrl: '/hook' }],
    ['an unknown checkout method', { checkoutMethods: ['Cheque'] }],
    ['an empty reference', { referenceId: '' }],
    ['a reference of 201 characters', { referenceId: 'x'.repeat(201) }],
    ['a missing customer', { customerOrder: {} }],
    ['an expirationTime that is no instant', { expirationTime: 'tomorrow' }],
  ])('refuses %s with 400', async (_what, more) => {
    const { status, body } = await hosted(more)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors.length).toBeGreaterThan(0)
  })

  it('accepts the largest and the smallest amount, and currencies with 0, 2 and 3 digits', async () => {
    for (const [amount, currency] of [
      [999999999.99, 'USD'],
      [0.01, 'USD'],
      [1, 'JPY'],
      [999999999, 'JPY'],
      [1.25, 'KWD'],
    ])
      expect((await hosted({ amount, currency })).body).toMatchObject({
        amount,
        currency,
        paymentState: 'Created',
      })
  })

  it('treats an empty webhookUrl as none', async () => {
    const { status, body } = await hosted({ webhookUrl: '' })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('webhookUrl')
  })

  it('returns 422 for a card number in any text field and stores nothing', async () => {
    const referenceId = newReference()
    const customerOrder = { customer: { customerId: 'dana' }, description: 'card 4242 4242 4242 4242' }
    const { status, body } = await hosted({ referenceId, customerOrder })
    expect([status, body.code]).toEqual([422, 'card_number_not_allowed'])
    expect(JSON.stringify(body)).not.toContain('4242')
    expect((await tender.sandbox.call('GET', `payments/referenceId:${referenceId}`)).status).toBe(404)
  })

  it('returns 422 for a currency that no active profile supports', async () => {
    const { live, sandbox } = await tender.newMerchant()
    const none = await live.call('POST', 'payments/hosted-page', hostedPage())
    expect([none.status, none.body.code]).toEqual([422, 'no_profile_for_currency'])
    expect(none.body.Message).toContain('Can not find any profile for the app for specific currency')
    const profiles = good(await sandbox.call('GET', 'payment-profiles'))
    for (const { paymentProfileId } of profiles)
      good(await sandbox.call('PATCH', `payment-profiles/${paymentProfileId}`, { currencies: ['USD'] }))
    expect((await sandbox.call('POST', 'payments/hosted-page', hostedPage({ currency: 'USD' }))).status).toBe(
      201,
    )
    const other = await sandbox.call('POST', 'payments/hosted-page', hostedPage({ currency: 'EUR' }))
    expect([other.status, other.body.code]).toEqual([422, 'no_profile_for_currency'])
  })

  it('returns 422 for a profile of another app', async () => {
    const { status, body } = await hosted({ paymentProfiles: [999_999] })
    expect([status, body.code]).toEqual([422, 'profile_not_usable'])
  })

  it('returns 422 for a link that has already expired', async () => {
    const { status, body } = await hosted({ expirationTime: '2020-01-01T00:00:00Z' })
    expect([status, body.code]).toEqual([422, 'not_possible'])
  })

  it('returns 422 customer_blocked for a blocked customer', async () => {
    const customerOrder = { customer: { customerId: 'mallory' } }
    const first = hostedPage({ customerOrder })
    expect((await post('payments/hosted-page', first)).status).toBe(201)
    good(await tender.sandbox.call('PATCH', 'customers/mallory', { isBlocked: true }))
    const second = await hosted({ customerOrder })
    expect([second.status, second.body.code]).toEqual([422, 'customer_blocked'])
    const again = await post('payments/hosted-page', first)
    expect(again.status).toBe(201)
    const paid = await tender.sandbox.pay(again.body.paymentId)
    expect([paid.status, paid.body.code]).toEqual([422, 'customer_blocked'])
    expect(await tender.sandbox.ledger(again.body.paymentId)).toEqual([])
  })

  it('creates the customer, adds details, and does not overwrite them with empty values', async () => {
    const customerId = newReference()
    const order = (customer: object) => ({ customerOrder: { customer: { customerId, ...customer } } })
    await tender.sandbox.create(
      order({ firstName: 'Dana', phoneNumber: '+49 30 1234567', email: 'd@example.com' }),
    )
    await tender.sandbox.create(order({ firstName: '', email: 'dana@example.com' }))
    expect(good(await tender.sandbox.call('GET', `customers/${customerId}`))).toMatchObject({
      customerId,
      firstName: 'Dana',
      email: 'dana@example.com',
      mobileNumber: '+49 30 1234567',
    })
  })

  it('keeps address, accountCreatedTime and customId that a later order lacks or leaves empty', async () => {
    const customerId = newReference()
    const ordered = async (customer: object) => {
      await tender.sandbox.create({ customerOrder: { customer: { customerId, ...customer } } })
      return good(await tender.sandbox.call('GET', `customers/${customerId}`))
    }
    const known = {
      address: { streetAddressLine1: '1 Mill Lane', city: 'York', countryCode: 'GB' },
      accountCreatedTime: '2020-01-01T00:00:00Z',
      customId: 'c1',
      firstName: 'Dana',
    }
    expect(await ordered(known)).toMatchObject(known)
    for (const empty of [
      { address: {} },
      { address: { city: '', zipCode: null, streetAddressLine1: ' ' } },
      { accountCreatedTime: '', customId: ' ', firstName: ' ' },
    ]) {
      const { address, ...others } = await ordered(empty)
      expect({ address, ...others }).toMatchObject(known)
      expect(address).toEqual(known.address)
    }
    expect(await ordered({ customId: 'c2' })).toMatchObject({ ...known, customId: 'c2' })
    const moved = await ordered({ address: { city: 'Leeds', streetAddressLine1: '' } })
    expect(moved).toMatchObject({ accountCreatedTime: known.accountCreatedTime, customId: 'c2' })
    expect(moved.address).toEqual({ city: 'Leeds' })
  })

  it('keeps the details of orders of one customer that arrive together', async () => {
    const details = {
      firstName: 'Dana',
      lastName: 'Roe',
      email: 'dana@example.com',
      mobileNumber: '+4930123',
    }
    for (let round = 0; round < 3; round++) {
      const customerId = newReference()
      const parts = Object.entries(details).map(([name, value]) => ({ [name]: value }))
      const orders = [...parts, {}, { customId: 'c1' }, {}]
      await Promise.all(
        orders.map((part) => tender.sandbox.create({ customerOrder: { customer: { customerId, ...part } } })),
      )
      const customer = good(await tender.sandbox.call('GET', `customers/${customerId}`))
      expect(customer).toMatchObject({ ...details, customId: 'c1' })
    }
  })
})

describe('a referenceId', () => {
  it('reused with the same amount returns the same payment with 201 and Idempotent-Replayed', async () => {
    const request = hostedPage()
    const first = await post('payments/hosted-page', request)
    const customerOrder = { customer: { customerId: 'guest-2' }, description: 'another' }
    const again = await post('payments/hosted-page', { ...request, customerOrder })
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  it('reused returns the current state of the payment', async () => {
    const request = hostedPage()
    const { body } = await post('payments/hosted-page', request)
    await tender.sandbox.pay(body.paymentId)
    expect((await post('payments/hosted-page', request)).body.paymentState).toBe('Captured')
  })

  it.each([
    ['amount', { amount: 26 }],
    ['currency', { currency: 'USD' }],
    ['autoCapture', { autoCapture: false }],
  ])('used again with another %s is refused with 409 and changes nothing', async (_what, more) => {
    const request = hostedPage()
    const first = await post('payments/hosted-page', request)
    const customerOrder = { customer: { customerId: 'dana', firstName: 'Changed' } }
    const other = await post('payments/hosted-page', { ...request, ...more, customerOrder })
    expect([other.status, other.body.code]).toEqual([409, 'reference_id_reused'])
    expect(other.body.Message).toContain('ProviderReferenceId already used')
    expect(other.body.Message).toContain(String(first.body.paymentId))
    expect(await tender.sandbox.read(first.body.paymentId)).toEqual(first.body)
    expect(good(await tender.sandbox.call('GET', 'customers/dana')).firstName).not.toBe('Changed')
  })

  it('reused in another flow returns 409', async () => {
    const request = hostedPage()
    await post('payments/hosted-page', request)
    expect((await post('payments', request)).status).toBe(409)
  })

  it('is compared by code points: no trimming, no case folding', async () => {
    const base = newReference()
    const ids = []
    for (const referenceId of [base, `${base} `, base.toUpperCase(), `${base}\u00e9`, `${base}e\u0301`])
      ids.push((await hosted({ referenceId })).body.paymentId)
    expect(new Set(ids).size).toBe(5)
  })

  it('is scoped to the app: another app can use the same value', async () => {
    const request = hostedPage()
    const other = (await tender.newMerchant()).sandbox
    const mine = await post('payments/hosted-page', request)
    const theirs = await other.call('POST', 'payments/hosted-page', request)
    expect(theirs.status).toBe(201)
    expect(theirs.body.paymentId).not.toBe(mine.body.paymentId)
    expect((await other.call('GET', `payments/${mine.body.paymentId}`)).status).toBe(404)
  })
})

describe('POST payments', () => {
  it('returns 201 without a redirectUrl; a payment link can be requested', async () => {
    const { status, body } = await post('payments', direct())
    expect([status, body.paymentState, body.paymentFlow]).toEqual([201, 'Created', 'Direct'])
    expect(body).not.toHaveProperty('redirectUrl')
    const link = await tender.sandbox.call('GET', `payments/${body.paymentId}/payment-link`)
    expect(link.body).toEqual({ url: `${tender.url}/c/${body.paymentKey}` })
    const page = await fetch(link.body.url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    await tender.sandbox.pay(body.paymentId)
    expect((await tender.sandbox.call('GET', `payments/${body.paymentId}/payment-link`)).status).toBe(409)
  })
})

describe('POST payments/provider-hosted-page', () => {
  it("returns 201 with the provider's page as redirectUrl, where it can be paid", async () => {
    const paymentProfileId = await profileId('CreditCard')
    const { status, body } = await post('payments/provider-hosted-page', direct({ paymentProfileId }))
    expect([status, body.paymentState, body.paymentFlow]).toEqual([201, 'Created', 'ProviderHostedPage'])
    expect(body.redirectUrl).toContain('/sandbox/pay/')
    const paid = good(await tender.sandbox.pay(body.paymentId))
    expect(paid).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    expect(paid).not.toHaveProperty('redirectUrl')
  })

  it('requires an active profile of this app', async () => {
    expect((await post('payments/provider-hosted-page', direct())).status).toBe(400)
    const unknown = await post('payments/provider-hosted-page', direct({ paymentProfileId: 999_999 }))
    expect([unknown.status, unknown.body.code]).toEqual([422, 'profile_not_usable'])
  })

  it('opens the page when repeated after a provider outage', async () => {
    const request = direct({ paymentProfileId: await profileId('CreditCard') })
    await tender.sandbox.fault('any', 'outage')
    const first = await post('payments/provider-hosted-page', request)
    expect([first.status, first.body.redirectUrl]).toEqual([201, undefined])
    expect(first.body.lastError).toContain('could not be reached')
    const again = await post('payments/provider-hosted-page', request)
    expect([again.status, again.body.paymentId]).toEqual([201, first.body.paymentId])
    expect(again.body.redirectUrl).toContain('/sandbox/pay/')
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let profileId: number
beforeAll(async () => {
  tender = await startTestService('e2e_import_method')
  profileId = good(await tender.sandbox.call('GET', 'payment-profiles'))[0].paymentProfileId
})
afterAll(() => tender?.stop())

const CONSENT = { consentTime: '2026-01-02T03:04:05Z', consentText: 'Terms of 2026-01' }

async function newCustomer(): Promise<string> {
  const customerId = newReference()
  good(await tender.sandbox.call('POST', 'customers', { customerId }))
  return customerId
}

const importToken = (customerId: string, token: string, members: object = {}): Promise<Answer> =>
  tender.sandbox.call('POST', `customers/${customerId}/payment-methods/import`, {
    ...{ paymentProfileId: profileId, token, ...CONSENT, ...members },
  })

const methodsOf = async (customerId: string): Promise<Answer[]> =>
  good(await tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))

it('a token is read at its provider, stored with its consent and charged; again gives 200', async () => {
  const customerId = await newCustomer()
  const token = `met_test_visa_${customerId}`
  const first = await importToken(customerId, token)
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    ...{ paymentMethodNumber: 'Visa •••• 4242', isDefault: true, verificationState: 'Verified' },
    ...{ cardExpiryYear: 2049, importedTime: expect.any(String), providerProfiles: [{ profileId }] },
  })
  const again = await importToken(customerId, token, { consentText: 'another' })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(await methodsOf(customerId)).toEqual([first.body])

  const [row] = await tender.service.ctx.db.query<Record<string, unknown>>(
    {
      name: 'test.consent',
      text: `select consent_text, consent_time
       from payment_methods where app_id = $1 and customer_id = $2`,
    },
    [tender.sandbox.appId, customerId],
  )
  expect(row).toMatchObject({ consentText: CONSENT.consentText })
  expect(row?.consentTime).toEqual(new Date(CONSENT.consentTime))

  const charged = await tender.sandbox.call('POST', 'payments/auto-payment', {
    ...{ referenceId: newReference(), amount: 4, autoCapture: true },
    customerOrder: { customer: { customerId } },
  })
  expect(charged.body.paymentState).toBe('Captured')
})

it('of requests with one token at once one stores it; others are 200, of another customer 409', async () => {
  const [ada, bob] = [await newCustomer(), await newCustomer()]
  const token = `met_test_visa_${ada}`
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => importToken(index % 2 === 0 ? ada : bob, token)),
  )
  const statuses = [ada, bob].map((_, who) =>
    answers
      .filter((_answer, index) => index % 2 === who)
      .map(({ status }) => status)
      .sort(),
  )
  const others = Array(7).fill(200)
  expect(statuses).toContainEqual([...others, 201])
  expect(statuses).toContainEqual(Array(8).fill(409))
  expect((await methodsOf(ada)).length + (await methodsOf(bob)).length).toBe(1)
})

it('names why a token is refused, and stores nothing', async () => {
  const [owner, customerId] = [await newCustomer(), await newCustomer()]
  good(await importToken(owner, `met_test_visa_${owner}`))
  const refusals: [token: string, members: object, status: number, code: string][] = [
    ['met_unknown', {}, 422, 'token_not_known'],
    ['met_test_nothing', {}, 422, 'token_not_known'],
    ['4242424242424242', {}, 422, 'card_number_not_allowed'],
    // Twelve digits with a right check digit, of no issuer.
    ['123456789015', {}, 422, 'card_number_not_allowed'],
    [`met_test_visa_${owner}`, {}, 409, 'token_in_use'],
    ['met_test_visa', { paymentProfileId: 999_999 }, 404, 'not_found'],
    ['met_test_visa', { consentTime: '2999-01-01T00:00:00Z' }, 400, 'invalid_request'],
    ['met_test_visa', { consentText: '' }, 400, 'invalid_request'],
    ['x'.repeat(401), {}, 400, 'invalid_request'],
  ]
  for (const [token, members, status, code] of refusals) {
    const answer = await importToken(customerId, token, members)
    expect([token, answer.status, answer.body.code]).toEqual([token, status, code])
    expect(JSON.stringify(answer.body)).not.toContain('4242424242424242')
  }
  expect(await methodsOf(customerId)).toEqual([])
  expect((await importToken('missing', 'met_test_visa')).status).toBe(404)
})

it('a method that the customer removed after the consent stays removed', async () => {
  const customerId = await newCustomer()
  const token = `met_test_mastercard_${customerId}`
  const { paymentMethodId } = good(await importToken(customerId, token))
  good(await tender.sandbox.call('DELETE', `customers/${customerId}/payment-methods/${paymentMethodId}`))
  expect((await importToken(customerId, token)).body.code).toBe('token_not_known')
  expect(await methodsOf(customerId)).toEqual([])
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good, newReference, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: TestApp
let other: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_block_list')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
  other = (await tender.newMerchant()).sandbox
})

const block = async (kind: string, value: string, more: object = {}) =>
  good(await app.call('POST', 'block-list', { kind, value, ...more }))

interface Payer {
  readonly customer?: object
  readonly wish?: object
}

async function pay(shop: TestApp, { customer = {}, wish = {} }: Payer = {}) {
  const customerOrder = { customer: { customerId: newReference(), ...customer } }
  const { paymentId } = await shop.create({ customerOrder })
  return good(await shop.pay(paymentId, wish))
}

const resultOf = async (shop: TestApp, payer: Payer = {}) => {
  const { paymentState, failure } = await pay(shop, payer)
  return failure ? failure.code : paymentState
}

const verdictOf = async (paymentId: number) =>
  good(await app.call('GET', `payments/${paymentId}/fraud`)).verdicts[0]

describe('a payment is stopped by an entry', () => {
  it.each<[string, string, Payer]>([
    ['Email', ' Pat@Example.COM ', { customer: { email: 'pat@example.com' } }],
    ['EmailDomain', '@example.com', { customer: { email: 'other@mail.example.com' } }],
    ['Address', '203.0.113.77/24', { wish: { payerIp: '203.0.113.9' } }],
    ['Address', '2001:DB8::/32', { wish: { payerIp: '2001:db8:1::5' } }],
    ['Customer', 'cust-1', { customer: { customerId: 'cust-1' } }],
    ['Country', 'fr', { customer: { address: { countryCode: 'FR' } } }],
  ])('of the kind %s with the value %s, before a provider is called', async (kind, value, payer) => {
    const { entryId } = await block(kind, value, { reason: 'Known' })
    const stopped = await pay(app, payer)
    expect(stopped).toMatchObject({ paymentState: 'Failed', failure: { code: 'fraud_rejected' } })
    expect(await app.ledger(stopped.paymentId)).toEqual([])
    expect(await verdictOf(stopped.paymentId)).toMatchObject({
      fraudPolicyId: null,
      decision: 'Reject',
      checks: [{ stage: 'Before', name: `Listed${kind}`, seen: String(entryId), result: 'Violated' }],
    })
    expect(await resultOf(app)).toBe('Captured')
    expect(await resultOf(other, payer)).toBe('Captured')
  })

  it('with its card, of which nothing is captured', async () => {
    const first = await pay(app)
    const { cardBrand, cardLast4, cardExpiryMonth, cardExpiryYear } = first.payInfo.card
    const value = `${cardBrand} ${cardLast4} ${cardExpiryMonth}/${cardExpiryYear}`
    const entry = await block('Card', value)
    const stopped = await pay(app)
    expect(stopped).toMatchObject({ paymentState: 'Failed', failure: { code: 'fraud_rejected' } })
    const rows = await app.ledger(stopped.paymentId)
    expect(rows.map(({ kind }) => kind)).toEqual(['authorise', 'void'])
    expect((await verdictOf(stopped.paymentId)).checks).toMatchObject([
      { stage: 'Before', name: 'BlockList', result: 'Passed' },
      { stage: 'After', name: 'ListedCard', seen: String(entry.entryId), result: 'Violated' },
    ])
    expect(await resultOf(app, { wish: { method: 'Paypal' } })).toBe('Captured')
  })

  it('whatever the policy of the app says, with the message of neither', async () => {
    const firewall = { blockedCountries: ['KP'], message: 'Not from there.' }
    const policy = { name: 'All pass', isDefault: true, rules: [], firewall }
    good(await app.call('POST', 'fraud-policies', policy))
    await block('Customer', 'listed')
    const { failure } = await pay(app, { customer: { customerId: 'listed' } })
    expect(failure.code).toBe('fraud_rejected')
    expect(failure.message).not.toContain('Not from there')
  })

  it('also when a stored method is charged', async () => {
    const customer = { customerId: 'stored', email: 'stored@example.com' }
    const { paymentId } = await app.create({ customerOrder: { customer }, registerAutoPayment: true })
    good(await app.pay(paymentId))
    await block('Email', 'stored@example.com')
    const charge = { referenceId: 'renewal', amount: 5, autoCapture: true }
    const order = { customerOrder: { customer: { customerId: 'stored' } } }
    const { status, body } = await app.call('POST', 'payments/auto-payment', { ...charge, ...order })
    expect([status, body.failure.code]).toEqual([200, 'fraud_rejected'])
  })
})

describe('entries', () => {
  it('end at their time or when they are removed', async () => {
    const payer = { customer: { customerId: 'c' } }
    const endTime = new Date(Date.now() + 3_600_000).toISOString()
    await block('Customer', 'c', { endTime })
    expect(await resultOf(app, payer)).toBe('fraud_rejected')
    await app.advance('2h')
    expect(await resultOf(app, payer)).toBe('Captured')
    const { entryId } = await block('Customer', 'c')
    expect(await resultOf(app, payer)).toBe('fraud_rejected')
    good(await app.call('DELETE', `block-list/${entryId}`))
    expect(await resultOf(app, payer)).toBe('Captured')
    expect((await app.call('DELETE', `block-list/${entryId}`)).status).toBe(404)
  })

  it('are listed by their own app only, newest first, and once', async () => {
    const first = await block('Country', 'FR', { reason: 'One' })
    const again = await block('Country', 'fr', { reason: 'Two' })
    expect(again).toMatchObject({ entryId: first.entryId, value: 'FR', reason: 'Two', endTime: null })
    const second = await block('EmailDomain', 'example.com')
    const idsOf = async (query = '') =>
      good(await app.call('GET', `block-list${query}`)).map(({ entryId }: { entryId: number }) => entryId)
    expect(await idsOf()).toEqual([second.entryId, first.entryId])
    expect(await idsOf('?kind=Country')).toEqual([first.entryId])
    expect(await idsOf(`?before=${second.entryId}`)).toEqual([first.entryId])
    expect(good(await other.call('GET', 'block-list'))).toEqual([])
    expect((await other.call('DELETE', `block-list/${first.entryId}`)).status).toBe(404)
  })

  it('are refused where the value is not of the kind', async () => {
    const wrong = [
      ['Card', 'visa 4242'],
      ['Card', '4242'],
      ['Email', 'example.com'],
      ['EmailDomain', 'pat@example.com'],
      ['Address', '0.0.0.0/0'],
      ['Address', '203.0.113.300'],
      ['Country', 'France'],
      ['Planet', 'Mars'],
    ]
    for (const [kind, value] of wrong) {
      const { status } = await app.call('POST', 'block-list', { kind, value })
      expect([kind, value, status]).toEqual([kind, value, 400])
    }
  })

  it('keep no card number and no end in the past', async () => {
    const number = '4242 4242 4242 4242'
    expect((await app.call('POST', 'block-list', { kind: 'Customer', value: number })).body.code).toBe(
      'card_number_not_allowed',
    )
    const past = { kind: 'Country', value: 'FR', endTime: '2001-01-01T00:00:00Z' }
    expect((await app.call('POST', 'block-list', past)).body.errors[0].field).toBe('endTime')
  })

  it('still apply when the customer was erased, without the value', async () => {
    const customer = { customerId: 'gone', email: 'gone@example.com' }
    good(await app.call('POST', 'customers', customer))
    await block('Email', 'GONE@example.com', { reason: 'Pat Gone, three disputes' })
    good(await app.call('POST', 'customers/gone/erase'))
    const [entry] = good(await app.call('GET', 'block-list'))
    expect(entry).toMatchObject({ kind: 'Email', value: null, reason: null })
    expect(await resultOf(app, { customer: { email: 'gone@example.com' } })).toBe('fraud_rejected')
  })
})

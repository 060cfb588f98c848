import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMollieSimulator, type MollieSimulator } from './simulator.ts'

const REFERENCE = 'A0000000000000000001'
const HOOK = 'https://tender.example/hook?profileId=1'
const HOUR = 3_600_000
const amount = { currency: 'EUR', value: '25.50' }

let simulator: MollieSimulator
beforeEach(async () => {
  simulator = await createMollieSimulator()
})
afterEach(() => simulator.close())

async function call(method: string, path: string, json?: object, headers: Record<string, string> = {}) {
  const body = json === undefined ? null : JSON.stringify(json)
  const reply = await fetch(`${simulator.origin}/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${simulator.settings.apiKey}`,
      'idempotency-key': randomUUID(),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body,
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}

const PAYMENT = {
  ...{ amount, description: 'Shoes', method: 'creditcard', redirectUrl: 'https://shop.example/back' },
  ...{ cancelUrl: 'https://shop.example/left', webhookUrl: HOOK, metadata: { reference: REFERENCE } },
}

const open = async (more: object = {}) => (await call('POST', '/payments', { ...PAYMENT, ...more })).body

async function paid(more: object = {}): Promise<string> {
  const payment = await open(more)
  await simulator.payer(payment._links.checkout.href, { kind: 'pay' })
  return payment.id
}

const read = async (id: string) =>
  (await call('GET', `/payments/${id}?embed=captures,refunds,chargebacks`)).body
const reported = () => simulator.takeNotifications().map(({ url, body }) => `${url} ${body}`)
const kinds = () =>
  simulator.ledger(REFERENCE).map(({ kind, amountMinor, state }) => `${kind} ${amountMinor} ${state}`)

describe('a payment', () => {
  it('is paid on its page, which sends the payer back; its notification names only its id', async () => {
    const payment = await open()
    expect(payment).toMatchObject({ status: 'open', isCancelable: true, sequenceType: 'oneoff' })
    const page = payment._links.checkout.href
    expect(await (await fetch(page)).text()).toContain('25.50 EUR Shoes')
    expect(await simulator.payer(page, { kind: 'pay' })).toBe('https://shop.example/back')
    expect(await read(payment.id)).toMatchObject({ status: 'paid', details: { cardNumber: '6787' } })
    expect(reported()).toEqual([`${HOOK} id=${payment.id}`])
    expect(kinds()).toEqual(['sale 2550 done'])
  })

  it('fails, is cancelled or expires', async () => {
    const failed = await open()
    await simulator.payer(failed._links.checkout.href, { kind: 'decline', code: 'insufficient_funds' })
    expect(await read(failed.id)).toMatchObject({
      ...{ status: 'failed', details: { failureReason: 'insufficient_funds' } },
    })
    const left = await open()
    const page = left._links.checkout.href
    expect(await simulator.payer(page, { kind: 'abandon' })).toBe('https://shop.example/left')
    expect((await read(left.id)).status).toBe('canceled')
    const closed = await open()
    expect((await call('DELETE', `/payments/${closed.id}`)).body.status).toBe('canceled')
    const opened = await open()
    await simulator.open(opened._links.checkout.href)
    expect((await call('DELETE', `/payments/${opened.id}`)).status).toBe(422)
    simulator.advance(4 * HOUR)
    expect((await read(opened.id)).status).toBe('expired')
    expect(reported()).toHaveLength(4)
    expect(kinds()).toEqual([])
  })

  it('is reserved, captured in part and released for the rest', async () => {
    const id = await paid({ captureMode: 'manual' })
    expect(await read(id)).toMatchObject({ status: 'authorized', captureBefore: expect.any(String) })
    const part = { amount: { currency: 'EUR', value: '10.00' }, metadata: { key: 'KEY1' } }
    const { body } = await call('POST', `/payments/${id}/captures`, part)
    expect(body).toMatchObject({ status: 'succeeded', metadata: { key: 'KEY1' }, paymentId: id })
    expect((await call('POST', `/payments/${id}/captures`, { amount })).status).toBe(422)
    expect((await call('POST', `/payments/${id}/release-authorization`)).status).toBe(202)
    expect(await read(id)).toMatchObject({ status: 'paid', amountCaptured: part.amount })
    expect(kinds()).toEqual(['authorise 2550 done', 'capture 1000 done', 'void 1550 done'])
  })

  it('is refunded, which takes some time and may fail', async () => {
    const id = await paid()
    const half = { amount: { currency: 'EUR', value: '12.75' } }
    expect((await call('POST', `/payments/${id}/refunds`, half)).body.status).toBe('pending')
    simulator.advance(61_000)
    expect((await read(id))._embedded.refunds).toMatchObject([{ status: 'refunded' }])
    await call('POST', `/payments/${id}/refunds`, half)
    expect((await call('POST', `/payments/${id}/refunds`, half)).status).toBe(422)
    expect(simulator.dashboard(REFERENCE, { kind: 'fail-refund' })).toBe(true)
    expect((await call('GET', `/payments/${id}/refunds`)).body._embedded.refunds).toMatchObject([
      { status: 'refunded' },
      { status: 'failed' },
    ])
    expect(kinds()).toEqual(['sale 2550 done', 'refund 1275 done', 'refund 1275 failed'])
  })

  it('is charged back, and the chargeback is reversed', async () => {
    const id = await paid()
    expect(simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'open' })).toBe(true)
    expect((await read(id))._embedded.chargebacks).toMatchObject([{ amount, reversedAt: null }])
    expect(simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'won' })).toBe(true)
    expect((await read(id))._embedded.chargebacks).toMatchObject([{ reversedAt: expect.any(String) }])
    expect(simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'lost' })).toBe(false)
  })
})

it('a first payment makes a mandate, which is charged, read and revoked', async () => {
  const { body: customer } = await call('POST', '/customers', { metadata: { reference: REFERENCE } })
  const id = await paid({ customerId: customer.id, sequenceType: 'first' })
  const { mandateId } = await read(id)
  const path = `/customers/${customer.id}/mandates/${mandateId}`
  expect((await call('GET', path)).body).toMatchObject({ status: 'valid', method: 'creditcard' })
  const charge = {
    ...{ amount, description: 'Again', customerId: customer.id, mandateId, sequenceType: 'recurring' },
    metadata: { reference: 'B0000000000000000001' },
  }
  expect((await call('POST', '/payments', charge)).body.status).toBe('paid')
  simulator.arm({ kind: 'decline', operation: 'charge', code: 'card_expired' })
  expect((await call('POST', '/payments', charge)).body).toMatchObject({
    ...{ status: 'failed', details: { failureReason: 'card_expired' } },
  })
  const { body: list } = await call('GET', `/customers/${customer.id}/payments?limit=250`)
  expect(list).toMatchObject({ count: 3, _links: { next: null } })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('POST', '/payments', charge)).body).toMatchObject({ status: 422, field: 'mandateId' })
  expect(simulator.violations).toEqual([])
})

describe('requests', () => {
  it('need the key of the account', async () => {
    const headers = { authorization: `Bearer ${simulator.wrongSettings.apiKey}` }
    expect((await call('GET', '/methods', undefined, headers)).status).toBe(401)
    const powerless = { authorization: `Bearer ${simulator.powerlessKey}` }
    expect((await call('GET', '/methods', undefined, powerless)).status).toBe(403)
    expect((await call('GET', '/methods')).status).toBe(200)
  })

  it('with the same key are done once, for an hour', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await call('POST', '/payments', PAYMENT, headers)
    expect((await call('POST', '/payments', PAYMENT, headers)).body.id).toBe(first.body.id)
    simulator.advance(HOUR + 1)
    expect((await call('POST', '/payments', PAYMENT, headers)).body.id).not.toBe(first.body.id)
    expect(simulator.violations).toEqual([])
    await call('POST', '/payments', { ...PAYMENT, description: 'Other' }, headers)
    expect(simulator.violations).toHaveLength(1)
  })

  it.each([
    ['an unknown member', { ...PAYMENT, cardNumber: 'x' }],
    ['an amount without its decimals', { ...PAYMENT, amount: { currency: 'EUR', value: '25.5' } }],
    ['decimals that the currency does not have', { ...PAYMENT, amount: { currency: 'JPY', value: '25.00' } }],
    ['a number as amount', { ...PAYMENT, amount: { currency: 'EUR', value: 25.5 } }],
    ['no description', { ...PAYMENT, description: '' }],
    ['no place to return to', { ...PAYMENT, redirectUrl: undefined }],
    ['a page for a recurring payment', { ...PAYMENT, sequenceType: 'recurring', customerId: 'cst_1' }],
    ['a reservation by PayPal', { ...PAYMENT, method: 'paypal', captureMode: 'manual' }],
    ['metadata of more than a kilobyte', { ...PAYMENT, metadata: { x: 'y'.repeat(1_024) } }],
  ])('with %s are refused', async (_what, json) => {
    expect((await call('POST', '/payments', json)).status).toBe(422)
    expect(simulator.violations).toHaveLength(1)
  })

  it('without a UUID, to another path or with another query are refused', async () => {
    expect((await call('POST', '/payments', PAYMENT, { 'idempotency-key': 'A1' })).status).toBe(400)
    expect((await call('GET', '/orders')).status).toBe(404)
    expect((await call('GET', '/payments/tr_1?embed=everything')).status).toBe(422)
    expect((await call('GET', '/payments/tr_1')).status).toBe(404)
    expect(simulator.violations).toHaveLength(3)
  })

  it('can be made to fail', async () => {
    simulator.arm({ kind: 'error', operation: 'start', status: 429, retryAfterSeconds: 3 })
    expect((await call('POST', '/payments', PAYMENT)).status).toBe(429)
    expect((await call('POST', '/payments', PAYMENT)).status).toBe(201)
  })
})

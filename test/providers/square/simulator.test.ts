import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasDescriptions, judgeReply, judgeRequest } from '../kit/descriptions.ts'
import { createSquareSimulator, type SquareSimulator } from './simulator.ts'

/** The simulated account, driven without the adapter. */

const REFERENCE = 'A0000000000000000001'
const HOOK = 'https://tender.example/hook?profile=1'
const money = (amount: number) => ({ amount, currency: 'EUR' })
const DAY = 86_400_000

let simulator: SquareSimulator
beforeEach(async () => {
  simulator = await createSquareSimulator({ webhookUrl: HOOK })
})
afterEach(() => simulator.close())

async function call(method: string, path: string, json?: object, token = simulator.settings.accessToken) {
  const body = json === undefined ? '' : JSON.stringify(json)
  const headers: Record<string, string> = {
    ...{ authorization: `Bearer ${token}`, 'square-version': '2025-08-20' },
    ...(json ? { 'content-type': 'application/json' } : {}),
  }
  const reply = await fetch(`${simulator.origin}/v2${path}`, { method, headers, body: json ? body : null })
  const answer = { status: reply.status, body: await reply.json() }
  if (hasDescriptions && answer.status < 300) {
    const request = { method, path: `/v2${path}`, headers, body }
    expect(judgeRequest('square', request)).toEqual([])
    expect(judgeReply('square', request, answer)).toEqual([])
  }
  return answer
}

let keys = 0
const key = (): string => `KEY${++keys}`

const openLink = (more: object = {}) =>
  call('POST', '/online-checkout/payment-links', {
    idempotency_key: key(),
    order: {
      ...{ location_id: simulator.settings.locationId, reference_id: REFERENCE },
      line_items: [{ name: 'Tea', quantity: '1', base_price_money: money(2550) }],
    },
    checkout_options: { redirect_url: 'https://shop.example/back' },
    payment_note: REFERENCE,
    ...more,
  })

/** The id of a payment on a page. */
async function paid(): Promise<string> {
  const { body } = await openLink()
  await simulator.payer(body.payment_link.url, { kind: 'pay' })
  const order = await call('GET', `/orders/${body.payment_link.order_id}`)
  return order.body.order.tenders[0].payment_id
}

async function stored(): Promise<{ customer_id: string; source_id: string }> {
  const { body } = await call('POST', '/customers', { idempotency_key: key(), given_name: 'Dana' })
  const customer_id: string = body.customer.id
  const card = { idempotency_key: key(), source_id: await paid(), card: { customer_id } }
  return { customer_id, source_id: (await call('POST', '/cards', card)).body.card.id }
}

const charge = (more: object) =>
  call('POST', '/payments', {
    ...{ idempotency_key: key(), amount_money: money(2550), autocomplete: false },
    ...{ location_id: simulator.settings.locationId, reference_id: 'CHARGE' },
    ...more,
  })

const kinds = (reference: string) => simulator.ledger(reference).map(({ kind, state }) => `${kind} ${state}`)
const codeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.errors?.[0]?.code]

describe('a payment link', () => {
  it('is paid once, and sends the customer back with the ids', async () => {
    const { body } = await openLink()
    const { url, order_id } = body.payment_link
    expect((await call('GET', `/orders/${order_id}`)).body.order.state).toBe('DRAFT')
    expect(await simulator.payer(url, { kind: 'decline', code: 'CVV_FAILURE' })).toBeUndefined()
    const failed = (await call('GET', `/orders/${order_id}`)).body.order
    expect(failed.tenders[0].card_details.status).toBe('FAILED')
    expect(await simulator.payer(url, { kind: 'pay' })).toContain(`?orderId=${order_id}&transactionId=`)
    await expect(simulator.payer(url, { kind: 'pay' })).rejects.toThrow('410')
    expect((await call('GET', `/orders/${order_id}`)).body.order).toMatchObject({ state: 'OPEN' })
    expect(kinds(REFERENCE)).toEqual(['sale failed', 'sale done'])
    expect(simulator.violations).toEqual([])
  })

  it('is deleted with its order, unless it was paid', async () => {
    const { id, order_id } = (await openLink()).body.payment_link
    const path = `/online-checkout/payment-links/${id}`
    expect((await call('DELETE', path)).body).toEqual({ id, cancelled_order_id: order_id })
    expect(codeOf(await call('DELETE', path))).toEqual([404, 'NOT_FOUND'])
    expect((await call('GET', `/orders/${order_id}`)).body.order.state).toBe('CANCELED')
    const other = (await openLink()).body.payment_link
    await simulator.payer(other.url, { kind: 'pay' })
    const refused = await call('DELETE', `/online-checkout/payment-links/${other.id}`)
    expect(codeOf(refused)).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('a key', () => {
  it('makes one payment for a day, and refuses another request', async () => {
    const card = await stored()
    const one = { ...card, idempotency_key: 'SAME' }
    const first = await charge(one)
    expect((await charge(one)).body).toEqual(first.body)
    expect(codeOf(await charge({ ...one, amount_money: money(1) }))).toEqual([400, 'IDEMPOTENCY_KEY_REUSED'])
    expect(simulator.violations).toHaveLength(1)
    simulator.advance(DAY)
    expect((await charge(one)).body.payment.id).not.toBe(first.body.payment.id)
  })

  it('cancels the payment that it made, and is no error without one', async () => {
    const card = await stored()
    await charge({ ...card, idempotency_key: 'LOST' })
    const cancel = () => call('POST', '/payments/cancel', { idempotency_key: 'LOST' })
    expect(await cancel()).toEqual({ status: 200, body: {} })
    expect(await cancel()).toEqual({ status: 200, body: {} })
    expect(kinds('CHARGE')).toEqual(['authorise done', 'void done'])
  })
})

describe('a stored card', () => {
  it('is changed, completed once in the version that was read, and not cancelled then', async () => {
    const { body } = await charge(await stored())
    const { id, version_token } = body.payment
    const changed = await call('PUT', `/payments/${id}`, {
      ...{ idempotency_key: key(), payment: { amount_money: money(1000) } },
    })
    expect(changed.body.payment).toMatchObject({ amount_money: money(1000), approved_money: money(2550) })
    const complete = (version: string) => call('POST', `/payments/${id}/complete`, { version_token: version })
    expect(codeOf(await complete(version_token))).toEqual([409, 'CONFLICT'])
    expect((await complete(changed.body.payment.version_token)).body.payment.status).toBe('COMPLETED')
    expect(codeOf(await complete(version_token))).toEqual([400, 'BAD_REQUEST'])
    expect(codeOf(await call('POST', `/payments/${id}/cancel`))).toEqual([400, 'BAD_REQUEST'])
    expect(simulator.ledger('CHARGE').map(({ amountMinor }) => amountMinor)).toEqual([2550n, 1000n])
  })

  it('lapses after seven days, and is refused after it was disabled', async () => {
    const card = await stored()
    const { id } = (await charge(card)).body.payment
    simulator.advance(7 * DAY)
    expect((await call('GET', `/payments/${id}`)).body.payment.status).toBe('CANCELED')
    const path = `/cards/${encodeURIComponent(card.source_id)}/disable`
    expect((await call('POST', path)).body.card.enabled).toBe(false)
    expect(codeOf(await charge(card))).toEqual([404, 'NOT_FOUND'])
    expect(simulator.storedCards()).toBe(0)
  })

  it('is declined with a code and the failed payment', async () => {
    const card = await stored()
    simulator.arm({ kind: 'decline', operation: 'charge', code: 'INSUFFICIENT_FUNDS' })
    const { status, body } = await charge(card)
    expect([status, body.errors[0].category]).toEqual([402, 'PAYMENT_METHOD_ERROR'])
    expect(body.payment.status).toBe('FAILED')
  })
})

it('refunds in parts, pending first, and never more than was paid', async () => {
  const payment_id = await paid()
  const refund = (amount: number) =>
    call('POST', '/refunds', { idempotency_key: key(), payment_id, amount_money: money(amount) })
  const { body } = await refund(2000)
  expect(body.refund.status).toBe('PENDING')
  expect(codeOf(await refund(551))).toEqual([400, 'REFUND_AMOUNT_INVALID'])
  simulator.advance(60_000)
  expect((await call('GET', `/refunds/${body.refund.id}`)).body.refund.status).toBe('COMPLETED')
  expect((await call('GET', `/payments/${payment_id}`)).body.payment.refund_ids).toEqual([body.refund.id])
})

it('signs notifications over the address and the body', async () => {
  await paid()
  const [sent] = simulator.takeNotifications()
  const [{ secret } = { secret: '' }] = simulator.webhookEndpoints
  const expected = createHmac('sha256', secret).update(`${HOOK}${sent?.body}`).digest('base64')
  expect(sent?.headers['x-square-hmacsha256-signature']).toBe(expected)
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    ...{ type: 'payment.created', data: { object: { payment: { note: REFERENCE } } } },
  })
  expect(simulator.takeNotifications().map(({ body }) => JSON.parse(body).type)).toEqual([])
})

it('refuses wrong tokens, unknown members, wrong types and unknown paths', async () => {
  expect(codeOf(await call('GET', '/payments', undefined, 'x'))).toEqual([401, 'UNAUTHORIZED'])
  const { powerlessToken } = simulator
  expect(codeOf(await call('GET', '/payments', undefined, powerlessToken))).toEqual([
    403,
    'INSUFFICIENT_SCOPES',
  ])
  expect(simulator.violations).toEqual([])
  expect((await openLink({ invented: 1 })).status).toBe(400)
  expect((await charge({ source_id: 'x', amount_money: money(1.5) })).status).toBe(400)
  expect((await call('GET', '/payments?invented=1')).status).toBe(400)
  expect((await call('GET', '/nothing')).status).toBe(404)
  expect(simulator.violations).toHaveLength(4)
})

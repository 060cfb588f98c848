import { createVerify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SignedNotification } from '../kit/simulator.ts'
import { createPaypalSimulator, type PaypalSimulator } from './simulator.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let simulator: PaypalSimulator
let token: string
let keys = 0

beforeEach(async () => {
  simulator = await createPaypalSimulator()
  token = await newToken()
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await simulator.close()
})

interface Answer {
  readonly status: number
  readonly body: Wire
}
interface Wire {
  readonly id: string
  readonly status: string
  readonly [member: string]: unknown
}

async function newToken(secret = simulator.settings.clientSecret): Promise<string> {
  const basic = Buffer.from(`${simulator.settings.clientId}:${secret}`).toString('base64')
  const answer = await fetch(`${simulator.origin}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const { access_token: issued } = (await answer.json()) as { access_token: string }
  return issued
}

async function send(method: string, path: string, body?: object | string, key?: string): Promise<Answer> {
  const answer = await fetch(simulator.origin + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'content-type': 'application/json', prefer: 'return=representation' } : {}),
      ...(key === undefined ? {} : { 'paypal-request-id': key }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Wire }
}

const post = (path: string, body: object, key = `KEY${++keys}`): Promise<Answer> =>
  send('POST', path, body, key)
const get = (path: string): Promise<Answer> => send('GET', path)

const eur = (value: string) => ({ currency_code: 'EUR', value })

const orderOf = (intent: 'AUTHORIZE' | 'CAPTURE', wallet: object = {}) => ({
  intent,
  purchase_units: [{ custom_id: 'REF1', invoice_id: 'REF1', amount: eur('10.50') }],
  payment_source: {
    paypal: {
      experience_context: {
        return_url: 'https://shop.example/back',
        cancel_url: 'https://shop.example/back',
        user_action: 'PAY_NOW',
      },
      ...wallet,
    },
  },
})

const pageOf = ({ body }: Answer): string =>
  (body.links as { rel: string; href: string }[]).find(({ rel }) => rel === 'payer-action')?.href ?? ''

const paymentsOf = ({ body }: Answer) =>
  (body.purchase_units as { payments: Record<'authorizations' | 'captures' | 'refunds', Wire[]> }[])[0]
    ?.payments

async function approved(intent: 'AUTHORIZE' | 'CAPTURE', wallet: object = {}): Promise<string> {
  const order = await post('/v2/checkout/orders', orderOf(intent, wallet))
  expect(order).toMatchObject({ status: 201, body: { status: 'PAYER_ACTION_REQUIRED' } })
  await simulator.payer(pageOf(order), { kind: 'pay' })
  return order.body.id
}

async function authorised(): Promise<string> {
  const id = await approved('AUTHORIZE')
  const answer = await post(`/v2/checkout/orders/${id}/authorize`, {})
  return paymentsOf(answer)?.authorizations[0]?.id ?? ''
}

async function captured(): Promise<string> {
  const id = await approved('CAPTURE')
  const answer = await post(`/v2/checkout/orders/${id}/capture`, {})
  return paymentsOf(answer)?.captures[0]?.id ?? ''
}

const issueOf = ({ body }: Answer): unknown => (body.details as { issue: string }[])[0]?.issue

describe('the PayPal simulator', () => {
  it('authorises, captures in parts and shows all of it in the order', async () => {
    const authorization = await authorised()
    const path = `/v2/payments/authorizations/${authorization}/capture`
    const first = await post(path, { amount: eur('4.00'), final_capture: false })
    expect(first).toMatchObject({ status: 201, body: { status: 'COMPLETED', amount: eur('4.00') } })
    expect((await get(`/v2/payments/authorizations/${authorization}`)).body.status).toBe('PARTIALLY_CAPTURED')
    expect(await post(path, { amount: eur('2.00'), final_capture: true })).toMatchObject({ status: 201 })
    expect(issueOf(await post(path, { amount: eur('1.00') }))).toBe('AUTHORIZATION_ALREADY_CAPTURED')
    expect(simulator.ledger('REF1').map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['authorise', 1_050n],
      ['capture', 400n],
      ['capture', 200n],
    ])
  })

  it('voids once, and lets an authorisation lapse after 29 days', async () => {
    const first = await authorised()
    expect((await send('POST', `/v2/payments/authorizations/${first}/void`, {})).status).toBe(200)
    expect(issueOf(await send('POST', `/v2/payments/authorizations/${first}/void`, {}))).toBe(
      'PREVIOUSLY_VOIDED',
    )
    const second = await authorised()
    simulator.advance(29 * DAY)
    token = await newToken()
    expect((await get(`/v2/payments/authorizations/${second}`)).body.status).toBe('VOIDED')
  })

  it('asks for a new authorisation after the honour period of three days', async () => {
    const old = await authorised()
    simulator.advance(4 * DAY)
    token = await newToken()
    expect(issueOf(await post(`/v2/payments/authorizations/${old}/capture`, {}))).toBe('PAYER_CANNOT_PAY')
    const renewed = await post(`/v2/payments/authorizations/${old}/reauthorize`, { amount: eur('10.50') })
    expect(renewed).toMatchObject({ status: 201, body: { status: 'CREATED' } })
    expect(renewed.body.id).not.toBe(old)
    expect((await post(`/v2/payments/authorizations/${renewed.body.id}/capture`, {})).status).toBe(201)
  })

  it('refunds in parts, never more than was captured', async () => {
    const path = `/v2/payments/captures/${await captured()}/refund`
    expect((await post(path, { amount: eur('4.00'), custom_id: 'R1' })).body).toMatchObject({
      custom_id: 'R1',
    })
    expect(issueOf(await post(path, { amount: eur('6.51') }))).toBe('REFUND_AMOUNT_EXCEEDED')
    expect((await post(path, { amount: eur('6.50') })).status).toBe(201)
    expect(issueOf(await post(path, {}))).toBe('CAPTURE_FULLY_REFUNDED')
  })

  it('acts once for a request id, refuses another body, and forgets ids of orders', async () => {
    const first = await post('/v2/checkout/orders', orderOf('CAPTURE'), 'SAME')
    const again = await post('/v2/checkout/orders', orderOf('CAPTURE'), 'SAME')
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id])
    expect(issueOf(await post('/v2/checkout/orders', orderOf('AUTHORIZE'), 'SAME'))).toBe(
      'DUPLICATE_REQUEST_ID',
    )
    simulator.advance(6 * HOUR)
    const late = await post('/v2/checkout/orders', orderOf('CAPTURE'), 'SAME')
    expect(late.status).toBe(201)
    expect(late.body.id).not.toBe(first.body.id)
  })

  it('takes one effect from parallel requests with one id', async () => {
    const path = `/v2/payments/captures/${await captured()}/refund`
    const answers = await Promise.all([1, 2, 3].map(() => post(path, { amount: eur('1.00') }, 'PARALLEL')))
    expect(answers.map(({ status }) => status).sort()).toContain(201)
    for (const answer of answers)
      if (answer.status !== 201) expect(issueOf(answer)).toBe('PREVIOUS_REQUEST_IN_PROGRESS')
    expect(simulator.ledger('REF1').filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  })

  it('declines the funding source of a payer, who may approve again', async () => {
    const order = await post('/v2/checkout/orders', orderOf('CAPTURE'))
    const { id } = order.body
    expect(issueOf(await post(`/v2/checkout/orders/${id}/capture`, {}))).toBe('ORDER_NOT_APPROVED')
    await simulator.payer(pageOf(order), { kind: 'decline' })
    expect(issueOf(await post(`/v2/checkout/orders/${id}/capture`, {}))).toBe('INSTRUMENT_DECLINED')
    await simulator.payer(pageOf(order), { kind: 'challenge' })
    expect((await post(`/v2/checkout/orders/${id}/capture`, {})).status).toBe(201)
    expect(simulator.ledger('REF1').map(({ kind }) => kind)).toEqual(['sale'])
  })

  it('stores a wallet on success, charges it at once and refuses it when it was deleted', async () => {
    const vault = { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } }
    const id = await approved('CAPTURE', vault)
    const { body } = await post(`/v2/checkout/orders/${id}/capture`, {})
    const source = body.payment_source as { paypal: { attributes: { vault: { id: string } } } }
    const { vault: stored } = source.paypal.attributes
    const byVault = { payment_source: { paypal: { vault_id: stored.id } } }
    const charge = async () => {
      const { payment_source: _page, ...order } = orderOf('AUTHORIZE')
      const { body: opened } = await post('/v2/checkout/orders', order)
      expect(opened).toMatchObject({ status: 'CREATED' })
      return post(`/v2/checkout/orders/${opened.id}/authorize`, byVault)
    }
    expect(await charge()).toMatchObject({ status: 201, body: { status: 'COMPLETED' } })
    expect((await send('DELETE', `/v3/vault/payment-tokens/${stored.id}`)).status).toBe(204)
    expect(issueOf(await charge())).toBe('AGREEMENT_ALREADY_CANCELLED')
  })

  it('refuses a stored wallet where PayPal would charge it before its order has an id', async () => {
    const byVault = { ...orderOf('CAPTURE'), payment_source: { paypal: { vault_id: 'stored1' } } }
    expect((await post('/v2/checkout/orders', byVault)).status).toBe(400)
    const id = await approved('CAPTURE')
    const paid = await post(`/v2/checkout/orders/${id}/capture`, {
      payment_source: byVault.payment_source,
    })
    expect(issueOf(paid)).toBe('INCOMPATIBLE_PARAMETER_VALUE')
    expect(simulator.violations).toHaveLength(2)
    ;(simulator.violations as string[]).length = 0
  })

  it('refuses wrong credentials and tokens that are old or revoked', async () => {
    expect(await newToken('wrong')).toBeUndefined()
    simulator.revokeTokens()
    expect((await get('/v2/checkout/orders/1')).status).toBe(401)
    token = await newToken()
    expect((await get('/v2/checkout/orders/1')).status).toBe(404)
    simulator.advance(9 * HOUR)
    expect((await get('/v2/checkout/orders/1')).status).toBe(401)
  })

  it('behaves as it was armed: declined, pending until settled, an error', async () => {
    simulator.arm({ kind: 'pending', operation: 'resume' })
    const capture = await captured()
    expect((await get(`/v2/payments/captures/${capture}`)).body.status).toBe('PENDING')
    expect(simulator.dashboard('REF1', { kind: 'settle' })).toBe(true)
    expect((await get(`/v2/payments/captures/${capture}`)).body.status).toBe('COMPLETED')
    simulator.arm({ kind: 'decline', operation: 'refund', code: 'REFUND_FAILED_INSUFFICIENT_FUNDS' })
    const path = `/v2/payments/captures/${capture}/refund`
    expect(issueOf(await post(path, {}))).toBe('REFUND_FAILED_INSUFFICIENT_FUNDS')
    simulator.arm({ kind: 'error', operation: 'read', status: 503 })
    expect((await get(`/v2/payments/captures/${capture}`)).status).toBe(503)
  })

  it('names what a correct client never sends', async () => {
    const wrong = { ...orderOf('CAPTURE'), note: 'unknown member' }
    expect((await post('/v2/checkout/orders', wrong)).status).toBe(400)
    const sums = { item_total: eur('9.00') }
    const mismatch = { custom_id: 'REF1', amount: { ...eur('10.50'), breakdown: sums } }
    const order = { ...orderOf('CAPTURE'), purchase_units: [mismatch] }
    expect(issueOf(await post('/v2/checkout/orders', order))).toBe('AMOUNT_MISMATCH')
    expect((await send('POST', '/v2/checkout/orders', orderOf('CAPTURE'))).status).toBe(400)
    expect(simulator.violations).toHaveLength(3)
    ;(simulator.violations as string[]).length = 0
  })
})

describe('notifications of the PayPal simulator', () => {
  const events = '/v1/notifications/webhooks'
  const register = async () => {
    const wanted = { url: 'https://tender.example/hook', event_types: [{ name: '*' }] }
    return (await send('POST', events, wanted)).body.id
  }
  const eventOf = ({ body }: SignedNotification) =>
    JSON.parse(body) as { event_type: string; resource: Record<string, unknown> }

  it('are signed with the key of the certificate at their address', async () => {
    const webhookId = await register()
    expect(simulator.settings.webhookId).toBe(webhookId)
    await captured()
    const reported = simulator.takeNotifications()
    expect(reported.map((one) => eventOf(one).event_type)).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
      'CHECKOUT.ORDER.COMPLETED',
    ])
    for (const { headers, body } of reported) {
      const pem = await (await fetch(headers['paypal-cert-url'] ?? '')).text()
      const text = [
        headers['paypal-transmission-id'],
        headers['paypal-transmission-time'],
        webhookId,
        crc32(Buffer.from(body)),
      ].join('|')
      const verifier = createVerify('RSA-SHA256').update(text)
      const { publicKey } = new X509Certificate(pem)
      expect(verifier.verify(publicKey, headers['paypal-transmission-sig'] ?? '', 'base64')).toBe(true)
    }
    expect(simulator.takeNotifications()).toEqual([])
  })

  it('are verified by the API byte for byte', async () => {
    const webhookId = await register()
    await captured()
    const [first] = simulator.takeNotifications()
    if (!first) throw new Error('nothing was told')
    const claim = JSON.stringify({
      auth_algo: first.headers['paypal-auth-algo'],
      cert_url: first.headers['paypal-cert-url'],
      transmission_id: first.headers['paypal-transmission-id'],
      transmission_sig: first.headers['paypal-transmission-sig'],
      transmission_time: first.headers['paypal-transmission-time'],
      webhook_id: webhookId,
    })
    const verify = async (event: string) => {
      const body = `${claim.slice(0, -1)},"webhook_event":${event}}`
      return (await send('POST', '/v1/notifications/verify-webhook-signature', body)).body.verification_status
    }
    expect(await verify(first.body)).toBe('SUCCESS')
    expect(await verify(first.body.replace('10.50', '10.51'))).toBe('FAILURE')
    expect(await verify(first.body.replace('{', '{ '))).toBe('FAILURE')
  })

  it('tell of refunds, disputes and lapsed authorisations that no request caused', async () => {
    await register()
    const capture = await captured()
    simulator.takeNotifications()
    expect(simulator.dashboard('REF1', { kind: 'refund', amountMinor: 100n })).toBe(true)
    expect(simulator.dashboard('REF1', { kind: 'dispute', state: 'open' })).toBe(true)
    expect(simulator.dashboard('REF1', { kind: 'dispute', state: 'lost' })).toBe(true)
    const [refund, opened, reversed, lost] = simulator.takeNotifications().map(eventOf)
    expect(refund).toMatchObject({
      event_type: 'PAYMENT.CAPTURE.REFUNDED',
      resource: { amount: eur('1.00') },
    })
    expect(opened).toMatchObject({
      event_type: 'CUSTOMER.DISPUTE.CREATED',
      resource: { disputed_transactions: [{ seller_transaction_id: capture }] },
    })
    expect(reversed).toMatchObject({ event_type: 'PAYMENT.CAPTURE.REVERSED' })
    expect(lost).toMatchObject({ event_type: 'CUSTOMER.DISPUTE.RESOLVED', resource: { status: 'RESOLVED' } })
    await authorised()
    simulator.takeNotifications()
    simulator.advance(29 * DAY)
    expect(simulator.takeNotifications().map((one) => eventOf(one).event_type)).toEqual([
      'PAYMENT.AUTHORIZATION.VOIDED',
    ])
  })
})

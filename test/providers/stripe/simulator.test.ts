import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStripeSimulator, type StripeSimulator } from './simulator.ts'

const DAY = 86_400_000

let stripe: StripeSimulator
beforeEach(async () => {
  stripe = await createStripeSimulator({ webhookUrl: 'https://shop.example/notify' })
})
afterEach(() => stripe.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

async function call(
  method: string,
  path: string,
  options: { form?: object; key?: string } = {},
): Promise<Answer> {
  const { form, key } = options
  const response = await fetch(`${stripe.origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stripe.settings.secretKey}`,
      'stripe-version': '2026-10-28.endive',
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(form ? { body: new URLSearchParams({ ...form }).toString() } : {}),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const page = (reference: string, more: object = {}) => ({
  mode: 'payment',
  success_url: 'https://shop.example/back?id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/back',
  client_reference_id: reference,
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '2000',
  'line_items[0][price_data][product_data][name]': 'A thing',
  'allowed_payment_method_types[0]': 'card',
  'payment_intent_data[metadata][reference]': reference,
  ...more,
})

const open = async (reference: string, more: object = {}) =>
  (await call('POST', '/v1/checkout/sessions', { form: page(reference, more), key: `${reference}-start` }))
    .body

const MANUAL = { 'payment_intent_data[capture_method]': 'manual' }

const kinds = (reference: string) => stripe.ledger(reference).map(({ kind, state }) => `${kind} ${state}`)

const reported = () => stripe.takeNotifications().map(({ body }) => JSON.parse(body).type as string)

describe('the Stripe simulator', () => {
  it('takes a payment on its page, captures it in part and refunds in parts', async () => {
    const session = await open('R1', MANUAL)
    expect(session).toMatchObject({ status: 'open', payment_intent: null, amount_total: 2000 })
    await stripe.payer(session.url, { kind: 'pay' })
    const read = await call(
      'GET',
      `/v1/checkout/sessions/${session.id}?expand[]=payment_intent.latest_charge`,
    )
    expect(read.body).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    const { id, status, latest_charge: charge } = read.body.payment_intent
    expect(status).toBe('requires_capture')
    expect(charge.payment_method_details.card.capture_before).toBe(charge.created + 7 * 86_400)
    const form = { amount_to_capture: '1500' }
    const captured = await call('POST', `/v1/payment_intents/${id}/capture`, { form, key: 'R1-capture' })
    expect(captured.body).toMatchObject({ status: 'succeeded', amount_received: 1500 })
    for (const amount of ['600', '900'])
      await call('POST', '/v1/refunds', { form: { payment_intent: id, amount }, key: `R1-${amount}` })
    const more = await call('POST', '/v1/refunds', { form: { payment_intent: id }, key: 'R1-more' })
    expect(more.body.error.code).toBe('charge_already_refunded')
    expect(kinds('R1')).toEqual(['authorise done', 'capture done', 'refund done', 'refund done'])
    expect(reported()).toContain('payment_intent.amount_capturable_updated')
    expect(stripe.violations).toEqual([])
  })

  it('repeats the first reply for a key, also an error 500, and refuses another body', async () => {
    const first = await call('POST', '/v1/checkout/sessions', { form: page('K'), key: 'K' })
    const again = await call('POST', '/v1/checkout/sessions', { form: page('K'), key: 'K' })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await call('POST', '/v1/checkout/sessions', { form: page('L'), key: 'K' })
    expect(other).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } })
    stripe.arm({ kind: 'error', operation: 'start', status: 500 })
    for (const _ of [1, 2])
      expect((await call('POST', '/v1/checkout/sessions', { form: page('M'), key: 'M' })).status).toBe(500)
    stripe.advance(DAY)
    expect((await call('POST', '/v1/checkout/sessions', { form: page('M'), key: 'M' })).status).toBe(200)
    stripe.arm({ kind: 'error', operation: 'start', status: 429, retryAfterSeconds: 3 })
    const limited = await call('POST', '/v1/checkout/sessions', { form: page('N'), key: 'N' })
    expect(limited.headers.get('retry-after')).toBe('3')
    expect((await call('POST', '/v1/checkout/sessions', { form: page('N'), key: 'N' })).status).toBe(200)
  })

  it('answers 409 while the first request with a key is running', async () => {
    const held = stripe.holdNext('start')
    const first = call('POST', '/v1/checkout/sessions', { form: page('B'), key: 'B' })
    await held.arrived
    const busy = await call('POST', '/v1/checkout/sessions', { form: page('B'), key: 'B' })
    expect(busy).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_in_use' } } })
    held.release()
    expect((await first).status).toBe(200)
  })

  it('keeps the page open after a decline, and the payer may pay then', async () => {
    const session = await open('D')
    await stripe.payer(session.url, { kind: 'decline', code: 'insufficient_funds' })
    const read = await call('GET', `/v1/checkout/sessions/${session.id}?expand[]=payment_intent`)
    expect(read.body.status).toBe('open')
    expect(read.body.payment_intent.last_payment_error).toMatchObject({
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    })
    await stripe.payer(session.url, { kind: 'pay' })
    expect(kinds('D')).toEqual(['sale done'])
  })

  it('stores a method and charges it without the payer, or asks for authentication', async () => {
    const customer = await call('POST', '/v1/customers', { form: { email: 'ada@example.com' }, key: 'C' })
    const session = await open('S', {
      customer: customer.body.id,
      'payment_intent_data[setup_future_usage]': 'off_session',
    })
    await stripe.payer(session.url, { kind: 'pay' })
    const read = await call(
      'GET',
      `/v1/checkout/sessions/${session.id}?expand[]=payment_intent.payment_method`,
    )
    const charge = (key: string) =>
      call('POST', '/v1/payment_intents', {
        key,
        form: {
          ...{
            amount: '900',
            currency: 'usd',
            customer: customer.body.id,
            confirm: 'true',
            off_session: 'true',
          },
          payment_method: read.body.payment_intent.payment_method.id,
          'allowed_payment_method_types[0]': 'card',
          'metadata[reference]': key,
        },
      })
    expect((await charge('S1')).body.status).toBe('succeeded')
    stripe.arm({ kind: 'decline', operation: 'charge', code: 'authentication_required' })
    const declined = await charge('S2')
    expect(declined.status).toBe(402)
    expect(declined.body.error).toMatchObject({
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
    expect((await charge('S2')).body).toEqual(declined.body)
    expect(kinds('S2')).toEqual([])
    await call('POST', `/v1/payment_methods/${read.body.payment_intent.payment_method.id}/detach`)
    expect((await charge('S3')).body.error.code).toBe('resource_missing')
    expect(stripe.violations).toEqual([])
  })

  it('confirms a debit after days, and its bank may return it', async () => {
    const session = await open('A', { 'allowed_payment_method_types[0]': 'us_bank_account' })
    await stripe.payer(session.url, { kind: 'pay' })
    expect(kinds('A')).toEqual(['sale pending'])
    stripe.advance(4 * DAY)
    expect(kinds('A')).toEqual(['sale done'])
    expect(stripe.dashboard('A', { kind: 'return-debit' })).toBe(true)
    const types = reported()
    expect(types).toContain('checkout.session.async_payment_succeeded')
    expect(types.at(-1)).toBe('charge.dispute.closed')
  })

  it('signs notifications with every secret of an endpoint', async () => {
    const old = stripe.settings.webhookSecret as string
    stripe.rollSecrets()
    await stripe.payer((await open('N')).url, { kind: 'pay' })
    const [first] = stripe.takeNotifications()
    const header = first?.headers['stripe-signature'] ?? ''
    const at = /t=(\d+)/.exec(header)?.[1]
    for (const secret of [old, stripe.settings.webhookSecret as string]) {
      const expected = createHmac('sha256', secret).update(`${at}.${first?.body}`).digest('hex')
      expect(header).toContain(`v1=${expected}`)
    }
  })

  it('expires pages and authorisations by its clock', async () => {
    const session = await open('E', MANUAL)
    await stripe.payer(session.url, { kind: 'pay' })
    const unpaid = await open('U')
    stripe.advance(7 * DAY)
    expect(kinds('E')).toEqual(['authorise done', 'void done'])
    expect((await call('GET', `/v1/checkout/sessions/${unpaid.id}`)).body.status).toBe('expired')
    await expect(stripe.payer(unpaid.url, { kind: 'pay' })).rejects.toThrow('410')
  })

  it('creates an endpoint for notifications and shows its secret once', async () => {
    const form = { url: 'https://shop.example/other', 'enabled_events[0]': 'charge.refunded' }
    const made = await call('POST', '/v1/webhook_endpoints', { form })
    expect(made.body.secret).toBe(stripe.settings.webhookSecret)
    const listed = await call('GET', '/v1/webhook_endpoints?limit=100')
    expect(listed.body.data[0]).not.toHaveProperty('secret')
    expect(stripe.webhookEndpoints.at(-1)?.url).toBe(form.url)
  })
})

describe('a request that Stripe would not take', () => {
  const cases: readonly [string, object, string][] = [
    ['an unknown parameter', { colour: 'red' }, 'parameter_unknown'],
    ['an unknown member at depth', { 'payment_intent_data[colour]': 'red' }, 'parameter_unknown'],
    ['a parameter of an older version', { 'payment_method_types[0]': 'card' }, 'parameter_unknown'],
    ['a number that is none', { expires_at: 'soon' }, 'parameter_invalid_integer'],
    ['an empty text', { customer_email: '' }, 'parameter_invalid_empty'],
  ]
  for (const [description, more, code] of cases)
    it(`is refused for ${description} and is a violation`, async () => {
      const refused = await call('POST', '/v1/checkout/sessions', { form: page('X', more), key: 'X' })
      expect(refused).toMatchObject({ status: 400, body: { error: { code } } })
      expect(stripe.violations).toHaveLength(1)
    })

  it('is refused for a missing version, a wrong content type and a missing key', async () => {
    const headers = { authorization: `Bearer ${stripe.settings.secretKey}` }
    const url = `${stripe.origin}/v1/customers`
    const version = { 'stripe-version': '2026-10-28.endive' }
    expect((await fetch(url, { headers })).status).toBe(400)
    const json = { ...headers, ...version, 'content-type': 'application/json' }
    expect((await fetch(url, { method: 'POST', headers: json, body: '{}' })).status).toBe(400)
    expect((await fetch(url, { method: 'POST', headers: { ...headers, ...version } })).status).toBe(400)
    expect(stripe.violations).toHaveLength(3)
  })

  it('is refused for wrong credentials and for a small amount, without a violation', async () => {
    const version = { 'stripe-version': '2026-10-28.endive' }
    const status = async (key: string) => {
      const headers = { ...version, authorization: `Bearer ${key}` }
      return (await fetch(`${stripe.origin}/v1/customers`, { headers })).status
    }
    expect(await status('sk_test_wrong')).toBe(401)
    expect(await status(stripe.powerlessKey)).toBe(403)
    expect(await status(stripe.restrictedKey)).toBe(200)
    const small = { 'line_items[0][price_data][unit_amount]': '49' }
    const refused = await call('POST', '/v1/checkout/sessions', { form: page('X', small), key: 'X' })
    expect(refused.body.error.code).toBe('amount_too_small')
    expect(stripe.violations).toEqual([])
  })
})

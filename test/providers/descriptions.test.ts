import { describe, expect, it } from 'vitest'
import {
  compileAll,
  DESCRIBED,
  hasDescriptions,
  type JudgedRequest,
  judgeReply,
  judgeRequest,
  NO_DESCRIPTIONS,
} from './kit/descriptions.ts'
import { parseBrackets } from './kit/form.ts'

const json = (method: string, path: string, body: object): JudgedRequest => ({
  ...{ method, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
})
const form = (path: string, body: string): JudgedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const read = (path: string): JudgedRequest => ({ method: 'GET', path, headers: {}, body: '' })

const ORDER = {
  intent: 'AUTHORIZE',
  purchase_units: [{ custom_id: 'A1', amount: { currency_code: 'EUR', value: '10.50' } }],
}
const order = (more: object) => json('POST', '/v2/checkout/orders', { ...ORDER, ...more })
const SESSION =
  'mode=payment&success_url=https%3A%2F%2Fshop.example&line_items[0][quantity]=1' +
  '&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=1050' +
  '&line_items[0][price_data][product_data][name]=Tea&metadata[reference]=A1' +
  '&payment_intent_data[capture_method]=manual'
const invoice = (more: object) =>
  json('POST', '/api/v1/stores/S1/invoices', { amount: '10.50', currency: 'EUR', ...more })
const refund = (more: object) => json('POST', '/v2/payments/captures/3C679366HH908993F/refund', more)

const LINK = { merchantAccount: 'Shop', reference: 'A1', amount: { currency: 'EUR', value: 1050 } }
const link = (more: object) => json('POST', '/v72/paymentLinks', { ...LINK, ...more })
const STORED = { paymentMethod: { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' } }

const MONEY = { amount: 1050, currency: 'EUR' }
const ORDER_OF_LINK = {
  location_id: 'L1',
  line_items: [{ name: 'Tea', quantity: '1', base_price_money: MONEY }],
}
const squareLink = (more: object) =>
  json('POST', '/v2/online-checkout/payment-links', { order: ORDER_OF_LINK, ...more })
const CHARGE = { source_id: 'ccof:1', idempotency_key: 'A1', amount_money: MONEY }
const charge = (more: object) => json('POST', '/v2/payments', { ...CHARGE, ...more })

const GOOD: readonly [string, JudgedRequest][] = [
  ['stripe', form('/v1/checkout/sessions', SESSION)],
  ['stripe', form('/v1/refunds', 'payment_intent=pi_1&amount=100&reason=requested_by_customer')],
  ['stripe', read('/v1/payment_intents/pi_1?expand[]=latest_charge.balance_transaction')],
  ['stripe', form('/v1/webhook_endpoints', 'url=https%3A%2F%2Fa.example&enabled_events[]=charge.refunded')],
  ['paypal', order({})],
  ['paypal', refund({ amount: { currency_code: 'EUR', value: '1.00' }, note_to_payer: 'Sorry' })],
  ['paypal', read('/v2/checkout/orders/5O190127TN364715T')],
  [
    'btcpay',
    invoice({ metadata: { orderId: 'A1', anything: 1 }, checkout: { redirectURL: 'https://a.example' } }),
  ],
  ['btcpay', json('POST', '/api/v1/stores/S1/invoices/I1/refund', { refundVariant: 'Fiat' })],
  ['btcpay', read('/api/v1/stores/S1/invoices?orderId=A1')],
  ['adyen', link({ manualCapture: true, shopperReference: 'shopper_1' })],
  ['adyen', json('PATCH', '/v72/paymentLinks/PL61C53A8B97E6915A', { status: 'expired' })],
  ['adyen', json('POST', '/v72/payments', { ...LINK, returnUrl: 'https://a.example', ...STORED })],
  ['adyen', json('POST', '/v72/cancels', { merchantAccount: 'Shop', paymentReference: 'A1' })],
  ['adyen', read('/v72/storedPaymentMethods?merchantAccount=Shop&shopperReference=shopper_1')],
  ['square', squareLink({ payment_note: 'A1', checkout_options: { allow_tipping: false } })],
  ['square', charge({ autocomplete: false, customer_details: { customer_initiated: true } })],
  ['square', json('PUT', '/v2/payments/P1', { idempotency_key: 'A1', payment: { amount_money: MONEY } })],
  ['square', json('POST', '/v2/payments/cancel', { idempotency_key: 'A1' })],
  ['square', json('POST', '/v2/refunds', { idempotency_key: 'A1', payment_id: 'P1', amount_money: MONEY })],
  ['square', read('/v2/payments?location_id=L1&limit=1')],
]

/** The first line of each description is a member that does not exist at the top, the second one below it. */
const BAD: readonly [string, JudgedRequest, RegExp][] = [
  ['stripe', form('/v1/checkout/sessions', `${SESSION}&invented=1`), /invented/],
  ['stripe', form('/v1/checkout/sessions', `${SESSION}&payment_intent_data[invented]=1`), /invented/],
  ['stripe', form('/v1/refunds', 'payment_intent=pi_1&amount=ten'), /amount/],
  ['stripe', form('/v1/refunds', 'payment_intent=pi_1&reason=bored'), /reason/],
  ['stripe', form('/v1/webhook_endpoints', 'url=https%3A%2F%2Fa.example'), /enabled_events/],
  ['stripe', read('/v1/payment_intents/pi_1?invented=1'), /invented/],
  ['stripe', form('/v1/invented', 'a=1'), /no such operation/],
  ['paypal', order({ invented: 1 }), /invented/],
  ['paypal', order({ purchase_units: [{ ...ORDER.purchase_units[0], reason: 'x' }] }), /reason/],
  ['paypal', order({ purchase_units: [{ amount: { currency_code: 'EUR', value: 10.5 } }] }), /value/],
  ['paypal', order({ purchase_units: [{ amount: { currency_code: 'EURO', value: '1' } }] }), /currency_code/],
  ['paypal', order({ id: '5O190127TN364715T' }), /"id"/],
  ['paypal', { ...order({}), headers: { 'content-type': 'text/plain' } }, /content type/],
  ['paypal', refund({ reason: 'Sorry' }), /reason/],
  ['paypal', refund({ amount: { value: '1.00' } }), /currency_code/],
  ['paypal', json('POST', '/v3/vault/setup-tokens', { invented: 1 }), /invented|payment_source/],
  ['paypal', json('POST', '/v1/notifications/webhooks', { url: 'https://a.example' }), /event_types/],
  ['btcpay', invoice({ invented: 1 }), /invented/],
  ['btcpay', invoice({ checkout: { invented: 1 } }), /invented/],
  ['btcpay', invoice({ amount: 10.5 }), /amount/],
  ['btcpay', read('/api/v1/stores/S1/invoices?invented=1'), /invented/],
  ['btcpay', json('POST', '/api/v1/invoices/I1/status', { status: 'Paid' }), /status/],
  ['adyen', link({ invented: 1 }), /invented/],
  ['adyen', link({ amount: { ...LINK.amount, invented: 1 } }), /invented/],
  ['adyen', link({ amount: { currency: 'EUR', value: '1050' } }), /value/],
  ['adyen', link({ shopperReference: 'ab' }), /shopperReference/],
  ['adyen', json('PATCH', '/v72/paymentLinks/PL1', { status: 'completed' }), /status/],
  ['adyen', json('POST', '/v72/payments/P1/captures', { merchantAccount: 'Shop' }), /amount/],
  ['square', charge({ invented: 1 }), /invented/],
  ['square', squareLink({ checkout_options: { invented: 1 } }), /invented/],
  ['square', charge({ idempotency_key: 'A'.repeat(46) }), /idempotency_key/],
  ['square', charge({ amount_money: { amount: '10.50', currency: 'EUR' } }), /amount/],
  ['square', json('POST', '/v2/refunds', { idempotency_key: 'A1', payment_id: 'P1' }), /amount_money/],
  ['square', json('PUT', '/v2/payments/P1', { idempotency_key: 'A1', payment: { id: 'P1' } }), /payment\/id/],
  ['square', json('POST', '/v2/payments/P1/cancel', { reason: 'x' }), /body/],
  ['square', read('/v2/payments?invented=1'), /invented/],
]

if (!hasDescriptions) process.stderr.write(`${NO_DESCRIPTIONS}\n`)

describe.skipIf(!hasDescriptions)('the official descriptions as judges', () => {
  it.each(DESCRIBED)('%s: every schema compiles', (provider) => {
    expect(compileAll(provider)).toBeGreaterThan(50)
  })

  it.each(GOOD)('%s: accept a correct request (%#)', (provider, request) => {
    expect(judgeRequest(provider, request)).toEqual([])
  })

  it.each(BAD)('%s: refuse a wrong request (%#)', (provider, request, problem) => {
    expect(judgeRequest(provider, request).join('\n')).toMatch(problem)
  })

  it('refuse wrong replies', () => {
    const capture = read('/v2/payments/captures/3C679366HH908993F')
    const good = {
      id: '3C679366HH908993F',
      status: 'COMPLETED',
      amount: { currency_code: 'EUR', value: '1.00' },
    }
    const judged = (body: object) => judgeReply('paypal', capture, { status: 200, body })
    expect(judged(good)).toEqual([])
    expect(judged({ ...good, status: 'PAID' })).not.toEqual([])
    expect(judged({ ...good, invented: 1 })).not.toEqual([])
    expect(judgeReply('paypal', capture, { status: 202, body: good })).not.toEqual([])
    const intent = read('/v1/payment_intents/pi_1')
    expect(judgeReply('stripe', intent, { status: 200, body: { id: 'pi_1' } })).not.toEqual([])
  })
})

describe('a form with brackets', () => {
  it('has objects and lists', () => {
    expect(parseBrackets('a=1&b[c]=2&d[]=3&d[]=4&e[0][f]=5&e[1][f]=6&g=7&g=8')).toEqual({
      ...{ a: '1', b: { c: '2' }, d: ['3', '4'], e: [{ f: '5' }, { f: '6' }], g: ['7', '8'] },
    })
  })
})

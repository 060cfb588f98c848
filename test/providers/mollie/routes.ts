import type { Answer, GateCall, GateRoute } from '../kit/gate.ts'
import { listBalances, listTransactions } from './balances.ts'
import { capture, end, fail, pay, refund, refundable, release, reserved } from './money.ts'
import * as schemas from './schemas.ts'
import { type Amount, minorOf, newId, type Payment, type PaymentBody, type State } from './state.ts'
import { listOf, mandateView, movementView, paymentView } from './views.ts'

type Call = GateCall<State>

export interface Route extends GateRoute<State> {
  /** Needs an idempotency key. */
  readonly isKeyed?: true
}

const TITLES: Readonly<Record<number, string>> = {
  ...{ 401: 'Unauthorized Request', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict', 410: 'Gone' },
  ...{ 422: 'Unprocessable Entity', 429: 'Too Many Requests', 503: 'Service Unavailable' },
}

export const error = (status: number, detail: string, field?: string): Answer => ({
  status,
  body: {
    ...{ status, title: TITLES[status] ?? 'Error', detail },
    ...(field === undefined ? {} : { field }),
    _links: { documentation: { href: 'https://docs.mollie.com/errors', type: 'text/html' } },
  },
})

const absent = (what: string, id = ''): Answer => error(404, `No ${what} exists with token ${id}.`)

function createPayment(call: Call): Answer {
  const { state, refusal } = call
  const body = call.body as unknown as PaymentBody
  const { amount, sequenceType, customerId, mandateId } = body
  if (customerId !== undefined && !state.customers.has(customerId)) return absent('customer', customerId)
  if (body.method && ![body.method].flat().some((one) => state.methods.includes(one)))
    return error(422, 'The payment method is not enabled in your website profile', 'method')
  if (minorOf(amount) === 0n) return error(422, 'The amount is lower than the minimum', 'amount')
  const payment: Payment = {
    ...{ id: newId('tr'), body, amountMinor: minorOf(amount), status: 'open', isOpened: false },
    ...{ createdAt: state.now(), expiresAt: state.now() + state.pageMs },
    ...{ captures: [], refunds: [], chargebacks: [] },
  }
  if (sequenceType === 'recurring') {
    const mandate = state.mandates.get(mandateId ?? '')
    if (mandate?.customerId !== customerId || mandate?.status !== 'valid')
      return error(422, 'The mandate is invalid', 'mandateId')
    charge(call, payment)
  } else if (refusal !== undefined) return error(422, `The ${refusal} is refused`, refusal)
  state.payments.set(payment.id, payment)
  return { status: 201, body: paymentView(state, payment) }
}

function charge({ state, key, refusal, isDelayed }: Call, payment: Payment): void {
  if (refusal !== undefined) fail(state, payment, refusal)
  else if (!isDelayed) pay(state, payment, { key })
  else {
    payment.status = 'pending'
    state.delayed.push(() => pay(state, payment, { key }))
  }
}

const withPayment =
  (run: (call: Call, payment: Payment) => Answer) =>
  (call: Call): Answer => {
    const payment = call.state.payments.get(call.ids[0] ?? '')
    return payment ? run(call, payment) : absent('payment', call.ids[0])
  }

const readPayment = withPayment(({ state, query }, payment) => ({
  status: 200,
  body: paymentView(state, payment, (query.get('embed') ?? '').split(',').filter(Boolean)),
}))

const cancelPayment = withPayment(({ state }, payment) => {
  if (payment.status !== 'open' || payment.isOpened) return error(422, 'The payment cannot be canceled')
  end(state, payment, 'canceled')
  return { status: 200, body: paymentView(state, payment) }
})

const releasePayment = withPayment(({ state, key, isDelayed }, payment) => {
  if (reserved(payment) === 0n) return error(422, 'The payment has no authorization to release')
  release(state, payment, { key, isDelayed })
  return { status: 202 }
})

const capturePayment = withPayment(({ state, body, key, isDelayed, refusal }, payment) => {
  const wanted = body as { amount?: Amount; metadata?: unknown; description?: string }
  const { amount = payment.body.amount } = wanted
  if (payment.status !== 'authorized' || refusal !== undefined)
    return error(422, 'The payment is not in a state that can be captured')
  if (amount.currency !== payment.body.amount.currency)
    return error(422, 'The currency is that of another payment', 'amount.currency')
  if (minorOf(amount) > reserved(payment))
    return error(422, 'The amount is higher than the remaining amount', 'amount')
  const made = capture(state, payment, { ...wanted, amount, key, isDelayed })
  return { status: 201, body: movementView(state, payment, made, 'capture') }
})

const refundPayment = withPayment(({ state, body, key, refusal }, payment) => {
  const wanted = body as { amount: Amount; metadata?: unknown; description?: string }
  if (refusal !== undefined || refundable(payment) === 0n) return error(422, 'The payment cannot be refunded')
  if (wanted.amount.currency !== payment.body.amount.currency)
    return error(422, 'The currency is that of another payment', 'amount.currency')
  if (minorOf(wanted.amount) > refundable(payment))
    return error(422, 'The amount is higher than the maximum', 'amount')
  const made = refund(state, payment, { ...wanted, key })
  return { status: 201, body: movementView(state, payment, made, 'refund') }
})

const readList = (name: 'captures' | 'refunds' | 'chargebacks') =>
  withPayment(({ state }, payment) => {
    const items = listOf(state, payment, name)
    return { status: 200, body: { count: items.length, _embedded: { [name]: items }, _links: {} } }
  })

function createCustomer({ state, body }: Call): Answer {
  const customer = { id: newId('cst'), metadata: body.metadata ?? null }
  state.customers.set(customer.id, customer)
  return { status: 201, body: { resource: 'customer', mode: 'test', name: null, email: null, ...customer } }
}

function customerPayments({ state, ids: [id = ''], query }: Call): Answer {
  if (!state.customers.has(id)) return absent('customer', id)
  const all = [...state.payments.values()].filter(({ body }) => body.customerId === id).toReversed()
  const limit = Number(query.get('limit') ?? 50)
  const payments = all.slice(0, limit).map((payment) => paymentView(state, payment))
  const next = all.length > limit ? { next: { href: `${state.origin()}/v2/next` } } : { next: null }
  return { status: 200, body: { count: payments.length, _embedded: { payments }, _links: next } }
}

function mandate({ state, ids: [customerId, id = ''] }: Call) {
  const found = state.mandates.get(id)
  return found?.customerId === customerId ? found : undefined
}

function readMandate(call: Call): Answer {
  const found = mandate(call)
  return found ? { status: 200, body: mandateView(found) } : absent('mandate', call.ids[1])
}

function revokeMandate(call: Call): Answer {
  const found = mandate(call)
  if (!found) return absent('mandate', call.ids[1])
  if (found.status === 'invalid') return error(410, 'The mandate is no longer available')
  found.status = 'invalid'
  return { status: 204 }
}

function listMethods({ state }: Call): Answer {
  const methods = state.methods.map((id) => ({ resource: 'method', id, status: 'activated' }))
  return { status: 200, body: { count: methods.length, _embedded: { methods } } }
}

const PROFILE = {
  status: 200,
  body: { resource: 'profile', id: 'pfl_simulated', mode: 'test', name: 'Shop' },
}

const at = (path: string): RegExp => new RegExp(`^/v2${path}$`)
const ID = '([a-z]+_[A-Za-z0-9]+)'
const PAYMENT = `/payments/${ID}`
const WALLETS = { includeWallets: /^(applepay|googlepay)(,(applepay|googlepay))*$/ }
const EMBED = { embed: /^(captures|refunds|chargebacks)(,(captures|refunds|chargebacks))*$/ }
const LIST = { limit: /^\d{1,3}$/, from: /^[a-z]+_[A-Za-z0-9]+$/, testmode: /^true$/ }
const read = { method: 'GET', operation: 'read' } as const
const keyed = { method: 'POST', isKeyed: true } as const

export const ROUTES: readonly Route[] = [
  { method: 'GET', pattern: at('/methods'), query: WALLETS, run: listMethods },
  { method: 'GET', pattern: at('/profiles/me'), run: () => PROFILE },
  { ...read, pattern: at('/balances'), query: LIST, run: listBalances },
  { ...read, pattern: at(`/balances/${ID}/transactions`), query: LIST, run: listTransactions },
  {
    ...{ ...keyed, pattern: at('/payments'), check: schemas.PAYMENT, run: createPayment },
    operation: ({ sequenceType }) => (sequenceType === 'recurring' ? 'charge' : 'start'),
  },
  { ...read, pattern: at(PAYMENT), query: EMBED, run: readPayment },
  { method: 'DELETE', pattern: at(PAYMENT), operation: 'cancel', run: cancelPayment },
  {
    ...{ ...keyed, pattern: at(`${PAYMENT}/release-authorization`), operation: 'cancel' },
    run: releasePayment,
  },
  {
    ...{ ...keyed, pattern: at(`${PAYMENT}/captures`), operation: 'capture' },
    ...{ check: schemas.CAPTURE, run: capturePayment },
  },
  {
    ...{ ...keyed, pattern: at(`${PAYMENT}/refunds`), operation: 'refund' },
    ...{ check: schemas.REFUND, run: refundPayment },
  },
  ...(['captures', 'refunds', 'chargebacks'] as const).map((name) => ({
    ...{ ...read, pattern: at(`${PAYMENT}/${name}`), run: readList(name) },
  })),
  { ...keyed, pattern: at('/customers'), check: schemas.CUSTOMER, run: createCustomer },
  { ...read, pattern: at(`/customers/${ID}/payments`), query: { limit: /^\d{1,3}$/ }, run: customerPayments },
  { method: 'GET', pattern: at(`/customers/${ID}/mandates/${ID}`), run: readMandate },
  { method: 'DELETE', pattern: at(`/customers/${ID}/mandates/${ID}`), run: revokeMandate },
]

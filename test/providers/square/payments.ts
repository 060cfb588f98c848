import { cancel, complete, createPayment, payOrder, refund, refundable } from './money.ts'
import { type Answer, at, type Call, error, ID, missing, ok, type Route } from './route.ts'
import * as schemas from './schemas.ts'
import { type Amount, iso, type Link, newId, type Order, type State } from './state.ts'
import { linkView, orderView, paymentView, refundView } from './views.ts'

/** Pages, payments and refunds. */

const CURRENCIES = ['AUD', 'CAD', 'EUR', 'GBP', 'JPY', 'USD']

interface LinkBody {
  readonly order: {
    readonly location_id: string
    readonly reference_id?: string
    readonly line_items: readonly { readonly name: string; readonly base_price_money: Amount }[]
  }
  readonly checkout_options?: {
    readonly redirect_url?: string
    readonly accepted_payment_methods?: Readonly<Record<string, boolean>>
  }
  readonly payment_note?: string
}

function sourceOf(accepted: Readonly<Record<string, boolean>> = {}): Order['source'] {
  if (accepted.cash_app_pay) return 'WALLET'
  return accepted.afterpay_clearpay ? 'BUY_NOW_PAY_LATER' : 'CARD'
}

function createLink({ state, body, refusal }: Call): Answer {
  if (refusal !== undefined) return error(400, refusal)
  const { order: wanted, checkout_options: options, payment_note: note } = body as unknown as LinkBody
  const [item] = wanted.line_items
  if (wanted.location_id !== state.location) return error(400, 'INVALID_LOCATION')
  if (!item || !CURRENCIES.includes(item.base_price_money.currency)) return error(400, 'UNSUPPORTED_CURRENCY')
  const createdAt = state.now()
  const order: Order = {
    ...{ id: newId(28), reference: wanted.reference_id, name: item.name, total: item.base_price_money },
    ...{ createdAt, state: 'DRAFT', tenders: [], source: sourceOf(options?.accepted_payment_methods) },
  }
  const about = { note, returnUrl: options?.redirect_url, request: body, createdAt }
  const link: Link = { id: newId(16), order, ...about }
  state.orders.set(order.id, order)
  state.links.set(link.id, link)
  return ok({
    payment_link: linkView(state, link),
    related_resources: { orders: [orderView(state, order)] },
  })
}

function deleteLink({ state, id }: Call): Answer {
  const link = state.links.get(id)
  if (!link) return missing('The payment link')
  const { order } = link
  if (state.paidOnClose.delete(order.reference ?? '')) payOrder(state, order, link.note)
  if (order.state !== 'DRAFT') return error(400, 'BAD_REQUEST', 'The order is paid.')
  state.links.delete(id)
  order.state = 'CANCELED'
  return ok({ id, cancelled_order_id: order.id })
}

interface PaymentBody {
  readonly source_id: string
  readonly idempotency_key: string
  readonly amount_money: Amount
  readonly autocomplete?: boolean
  readonly customer_id?: string
  readonly location_id?: string
  readonly reference_id?: string
  readonly note?: string
}

function pay({ state, body, refusal, isDelayed }: Call): Answer {
  const wanted = body as unknown as PaymentBody
  const card = state.cards.get(wanted.source_id)
  if (!card?.isEnabled || card.customer !== wanted.customer_id) return missing('The card')
  if (wanted.location_id !== state.location) return error(400, 'INVALID_LOCATION')
  if (!CURRENCIES.includes(wanted.amount_money.currency)) return error(400, 'UNSUPPORTED_CURRENCY')
  const status =
    refusal === undefined
      ? isDelayed
        ? 'PENDING'
        : wanted.autocomplete === false
          ? 'APPROVED'
          : 'COMPLETED'
      : 'FAILED'
  const payment = createPayment(state, {
    ...{ status, amount: wanted.amount_money, key: wanted.idempotency_key, card: card.id },
    ...{ reference: wanted.reference_id, note: wanted.note, customer: card.customer, failure: refusal },
  })
  const shown = { payment: paymentView(state, payment) }
  return refusal === undefined ? ok(shown) : { status: 402, body: { ...error(402, refusal).body, ...shown } }
}

const NOT_APPROVED = error(400, 'BAD_REQUEST', 'The payment is in another state.')

function change({ state, id, body }: Call): Answer {
  const payment = state.payments.get(id)
  const { amount_money: amount } = body.payment as { amount_money?: Amount }
  if (!payment) return missing('The payment')
  if (payment.status !== 'APPROVED') return NOT_APPROVED
  if (amount && amount.currency !== payment.amount.currency) return error(400, 'CURRENCY_MISMATCH')
  if (amount && amount.amount > payment.approved.amount) return error(400, 'AMOUNT_TOO_HIGH')
  if (amount) Object.assign(payment, { amount, version: newId(32), updatedAt: state.now() })
  return ok({ payment: paymentView(state, payment) })
}

function finish({ state, id, body, refusal }: Call): Answer {
  const payment = state.payments.get(id)
  if (!payment) return missing('The payment')
  if (refusal !== undefined) return error(402, refusal)
  if (payment.status !== 'APPROVED') return NOT_APPROVED
  if (body.version_token !== undefined && body.version_token !== payment.version)
    return error(409, 'CONFLICT', 'The version is another.')
  complete(state, payment)
  return ok({ payment: paymentView(state, payment) })
}

function void_({ state, id, refusal }: Call): Answer {
  const payment = state.payments.get(id)
  if (!payment) return missing('The payment')
  if (refusal !== undefined) return error(400, refusal)
  if (payment.status !== 'APPROVED' && payment.status !== 'PENDING') return NOT_APPROVED
  cancel(state, payment)
  return ok({ payment: paymentView(state, payment) })
}

/** Without a payment of this key nothing is done, and that is no error. */
function voidByKey({ state, body }: Call): Answer {
  const payment = [...state.payments.values()].findLast(({ key }) => key === body.idempotency_key)
  if (payment?.status === 'COMPLETED') return NOT_APPROVED
  if (payment?.status === 'APPROVED') cancel(state, payment)
  return ok({})
}

function giveBack({ state, body, refusal }: Call): Answer {
  const { payment_id, amount_money, reason, idempotency_key } = body as Record<string, string> & {
    amount_money: Amount
  }
  const payment = state.payments.get(payment_id ?? '')
  if (!payment) return missing('The payment')
  if (refusal !== undefined) return error(400, refusal)
  if (payment.status !== 'COMPLETED') return error(400, 'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION')
  if (amount_money.currency !== payment.amount.currency) return error(400, 'CURRENCY_MISMATCH')
  if (amount_money.amount > refundable(payment)) return error(400, 'REFUND_AMOUNT_INVALID')
  const made = refund(state, payment, { amount: amount_money, reason, key: idempotency_key })
  return ok({ refund: refundView(state, made) })
}

const show =
  <T>(
    member: string,
    find: (state: State, id: string) => T | undefined,
    view: (state: State, one: T) => object,
  ) =>
  ({ state, id }: Call): Answer => {
    const found = find(state, id)
    return found ? ok({ [member]: view(state, found) }) : missing(`The ${member}`)
  }

function list({ state, query }: Call): Answer {
  if (query.get('location_id') !== state.location) return error(400, 'INVALID_LOCATION')
  const [begin, place] = [Date.parse(query.get('begin_time') ?? iso(0)), Number(query.get('cursor') ?? 0)]
  const all = [...state.payments.values()].filter(({ createdAt }) => createdAt >= begin).reverse()
  // A few on each page, so that the cursor is used.
  const end = place + Math.min(Number(query.get('limit') ?? 100), 3)
  const payments = all.slice(place, end).map((payment) => paymentView(state, payment))
  return ok({ payments, ...(end < all.length ? { cursor: String(end) } : {}) })
}

const LISTED = ['location_id', 'limit', 'begin_time', 'cursor']
const LINKS = '/online-checkout/payment-links'

export const PAYMENT_ROUTES: readonly Route[] = [
  { method: 'POST', pattern: at(LINKS), operation: 'start', check: schemas.LINK, run: createLink },
  { method: 'DELETE', pattern: at(`${LINKS}/${ID}`), operation: 'cancel', run: deleteLink },
  {
    ...{ method: 'GET', pattern: at(`/orders/${ID}`), operation: 'read' },
    run: show('order', ({ orders }, id) => orders.get(id), orderView),
  },
  { method: 'GET', pattern: at('/payments'), query: LISTED, run: list },
  { method: 'POST', pattern: at('/payments'), operation: 'charge', check: schemas.PAYMENT, run: pay },
  {
    ...{ method: 'POST', pattern: at('/payments/cancel'), operation: 'cancel' },
    ...{ check: schemas.CANCEL_BY_KEY, run: voidByKey },
  },
  {
    ...{ method: 'GET', pattern: at(`/payments/${ID}`), operation: 'read' },
    run: show('payment', ({ payments }, id) => payments.get(id), paymentView),
  },
  { method: 'PUT', pattern: at(`/payments/${ID}`), check: schemas.UPDATE, run: change },
  {
    ...{ method: 'POST', pattern: at(`/payments/${ID}/complete`), operation: 'capture' },
    ...{ check: schemas.COMPLETE, run: finish },
  },
  { method: 'POST', pattern: at(`/payments/${ID}/cancel`), operation: 'cancel', run: void_ },
  { method: 'POST', pattern: at('/refunds'), operation: 'refund', check: schemas.REFUND, run: giveBack },
  {
    ...{ method: 'GET', pattern: at(`/refunds/${ID}`) },
    run: show('refund', ({ refunds }, id) => refunds.get(id), refundView),
  },
]

import {
  type Amount,
  type Authorization,
  type Capture,
  type Dispute,
  moneyOf,
  newId,
  type Order,
  type Refund,
  type Reply,
  refundedFrom,
  type VaultToken,
  type World,
} from './world.ts'

/** Resources and errors as the API shows them. */

const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const PAYER = {
  name: { given_name: 'Pat', surname: 'Payer' },
  email_address: 'pat.payer@personal.example.com',
  payer_id: 'QYR5Z8XDVJNXQ',
  address: { country_code: 'US' },
} as const

export const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

const link = (href: string, rel: string, method: string) => ({ href, rel, method })

const stamps = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  create_time: instant(createdAt),
  update_time: instant(updatedAt),
})

export const approvalUrl = (world: World, order: Order): string =>
  `${world.origin}/checkoutnow?token=${order.id}`

export function orderLinks(world: World, order: Order) {
  const self = `${world.origin}/v2/checkout/orders/${order.id}`
  const links = [link(self, 'self', 'GET')]
  if (order.status === 'PAYER_ACTION_REQUIRED')
    links.push(link(approvalUrl(world, order), 'payer-action', 'GET'))
  if (order.status === 'CREATED') links.push(link(approvalUrl(world, order), 'approve', 'GET'))
  if (order.status === 'APPROVED') {
    const act = order.intent === 'CAPTURE' ? 'capture' : 'authorize'
    links.push(link(`${self}/${act}`, act, 'POST'))
  }
  return links
}

export function orderView(world: World, order: Order) {
  const { authorizations, captures, refunds } = order
  const payments = {
    ...(authorizations.length > 0
      ? { authorizations: authorizations.map((one) => inOrder(world, one)) }
      : {}),
    ...(captures.length > 0 ? { captures: captures.map((one) => inOrder(world, one)) } : {}),
    ...(refunds.length > 0 ? { refunds: refunds.map((one) => refundView(world, one)) } : {}),
  }
  const isPaid = Object.keys(payments).length > 0
  return {
    id: order.id,
    intent: order.intent,
    status: order.status,
    ...(order.pages || order.hasPayer ? { payment_source: { paypal: walletView(world, order) } } : {}),
    purchase_units: [{ reference_id: 'default', ...order.unit, ...(isPaid ? { payments } : {}) }],
    ...(order.hasPayer ? { payer: PAYER } : {}),
    ...stamps(order),
    links: orderLinks(world, order),
  }
}

function walletView(
  world: World,
  { id, hasPayer, vaultToken, storesMethod, captures, authorizations }: Order,
) {
  if (!hasPayer) return {}
  const isPaid = captures.length + authorizations.length > 0
  const { name, email_address, payer_id: account_id, address } = PAYER
  // An approved wallet is not stored yet.
  const up = [link(`${world.origin}/v2/checkout/orders/${id}`, 'up', 'GET')]
  const isShown = vaultToken && world.storesLate !== 'hidden'
  const stored = isShown ? vaultedView(world, vaultToken) : { status: 'APPROVED', links: up }
  const vault = storesMethod && isPaid ? { attributes: { vault: stored } } : {}
  return { name, email_address, account_id, account_status: 'VERIFIED', address, ...vault }
}

function vaultedView(world: World, { id, customerId }: VaultToken) {
  const self = `${world.origin}/v3/vault/payment-tokens/${id}`
  const links = [link(self, 'self', 'GET'), link(self, 'delete', 'DELETE')]
  return { id, status: 'VAULTED', customer: { id: customerId }, links }
}

export function tokenView(world: World, token: VaultToken) {
  const { name, email_address, payer_id, address } = PAYER
  const { links } = vaultedView(world, token)
  const paypal = { name, email_address, payer_id, address, usage_type: 'MERCHANT', account_id: payer_id }
  return { id: token.id, customer: { id: token.customerId }, payment_source: { paypal }, links }
}

/** Within an order, payments have no `supplementary_data`. */
function inOrder(world: World, movement: Authorization | Capture) {
  const { supplementary_data: _, ...view } =
    movement.kind === 'capture' ? captureView(world, movement) : authorizationView(world, movement)
  return view
}

const ours = ({ order }: Authorization | Capture, invoiceId: string | undefined) => ({
  ...(order.reference === '' ? {} : { custom_id: order.reference }),
  ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
})

export function authorizationView(world: World, one: Authorization) {
  const self = `${world.origin}/v2/payments/authorizations/${one.id}`
  return {
    id: one.id,
    status: one.status,
    ...(one.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: moneyOf(one.amount),
    ...ours(one, one.order.invoiceId),
    seller_protection: { status: 'NOT_ELIGIBLE' },
    expiration_time: instant(one.expiresAt),
    supplementary_data: { related_ids: { order_id: one.order.id } },
    ...stamps(one),
    links: [
      link(self, 'self', 'GET'),
      link(`${self}/capture`, 'capture', 'POST'),
      link(`${self}/void`, 'void', 'POST'),
      link(`${world.origin}/v2/checkout/orders/${one.order.id}`, 'up', 'GET'),
    ],
  }
}

/** The fee of a capture: 3.49 % and a fixed part, never more than the amount. */
function feeOf({ minor, currency }: Amount): Amount {
  const unit = currency === 'HUF' || currency === 'TWD' ? 100n : 1n
  const share = ((minor * 349n + 5_000n) / 10_000n / unit) * unit
  const fee = share + 49n * unit
  return { minor: fee < minor ? fee : minor, currency }
}

export function captureView(world: World, one: Capture) {
  const self = `${world.origin}/v2/payments/captures/${one.id}`
  const fee = feeOf(one.amount)
  const net = { minor: one.amount.minor - fee.minor, currency: fee.currency }
  const isPaid = one.status !== 'PENDING' && one.status !== 'DECLINED' && one.status !== 'FAILED'
  const up = one.authorization
    ? `${world.origin}/v2/payments/authorizations/${one.authorization.id}`
    : `${world.origin}/v2/checkout/orders/${one.order.id}`
  const related = {
    order_id: one.order.id,
    ...(one.authorization ? { authorization_id: one.authorization.id } : {}),
  }
  return {
    id: one.id,
    status: one.status,
    ...(one.reason === undefined ? {} : { status_details: { reason: one.reason } }),
    amount: moneyOf(one.amount),
    final_capture: one.isFinal,
    ...ours(one, one.invoiceId ?? one.order.invoiceId),
    seller_protection: { status: 'NOT_ELIGIBLE' },
    seller_receivable_breakdown: {
      gross_amount: moneyOf(one.amount),
      ...(isPaid ? { paypal_fee: moneyOf(fee), net_amount: moneyOf(net) } : {}),
    },
    supplementary_data: { related_ids: related },
    ...stamps(one),
    links: [link(self, 'self', 'GET'), link(`${self}/refund`, 'refund', 'POST'), link(up, 'up', 'GET')],
  }
}

export function refundView(world: World, one: Refund) {
  const total = { minor: refundedFrom(one.capture), currency: one.amount.currency }
  return {
    id: one.id,
    status: one.status,
    ...(one.status === 'PENDING' ? { status_details: { reason: 'ECHECK' } } : {}),
    amount: moneyOf(one.amount),
    ...(one.customId === undefined ? {} : { custom_id: one.customId }),
    ...(one.invoiceId === undefined ? {} : { invoice_id: one.invoiceId }),
    ...(one.note === undefined ? {} : { note_to_payer: one.note }),
    seller_payable_breakdown: {
      gross_amount: moneyOf(one.amount),
      net_amount: moneyOf(one.amount),
      total_refunded_amount: moneyOf(total),
    },
    ...stamps(one),
    links: [
      link(`${world.origin}/v2/payments/refunds/${one.id}`, 'self', 'GET'),
      link(`${world.origin}/v2/payments/captures/${one.capture.id}`, 'up', 'GET'),
    ],
  }
}

const ANSWERS = ['provide_evidence', 'accept_claim']

export function disputeView(world: World, one: Dispute) {
  const { capture } = one
  return {
    dispute_id: one.id,
    ...stamps(one),
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        create_time: instant(capture.createdAt),
        transaction_status: capture.status,
        gross_amount: moneyOf(capture.amount),
        seller: { merchant_id: 'RD465XN5VS364', name: 'Test Store' },
      },
    ],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: one.status,
    dispute_amount: moneyOf(one.amount),
    ...(one.outcome === undefined ? {} : { dispute_outcome: outcomeView(one) }),
    dispute_life_cycle_stage: one.stage,
    dispute_channel: 'INTERNAL',
    seller_response_due_date: instant(one.createdAt + 10 * DAY),
    ...(one.evidences.length === 0 ? {} : { evidences: one.evidences }),
    links: [
      link(`${world.origin}/v1/customer/disputes/${one.id}`, 'self', 'GET'),
      ...(one.status === 'WAITING_FOR_SELLER_RESPONSE' ? ANSWERS : []).map((rel) =>
        link(`${world.origin}/v1/customer/disputes/${one.id}/${rel.replaceAll('_', '-')}`, rel, 'POST'),
      ),
    ],
  }
}

const outcomeView = ({ outcome, returned }: Dispute) => ({
  outcome_code: outcome,
  ...(returned === undefined ? {} : { amount_refunded: moneyOf(returned) }),
})

/** Names and messages of PayPal's errors by status. */
const ERRORS: Readonly<Record<number, readonly [name: string, message: string]>> = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', "The server does not support the request payload's media type."],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable.'],
}

export interface Detail {
  readonly issue: string
  readonly field?: string
  readonly value?: string
  readonly location?: 'body' | 'path' | 'query'
}

interface Link {
  readonly href: string
  readonly rel: string
  readonly method?: string
}

export function problem(status: number, details: readonly Detail[] = [], links: readonly Link[] = []): Reply {
  const [name, message] = ERRORS[status] ?? ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.']
  const body = {
    name,
    message,
    debug_id: newId().toLowerCase(),
    ...(details.length > 0 ? { details } : {}),
    links,
  }
  return { status, body }
}

export const unprocessable = (issue: string, field?: string): Reply =>
  problem(422, [field === undefined ? { issue } : { issue, field, location: 'body' }])

export const notFound = (): Reply => problem(404, [{ issue: 'INVALID_RESOURCE_ID' }])

import { type Call, found, type Route, textOf } from './route.ts'
import { broken, refused, StripeError } from './wire/errors.ts'
import type { TypedHash } from './wire/params.ts'
import { SCHEMAS } from './wire/schemas.ts'
import { refund } from './world/after.ts'
import { checkAmount } from './world/currencies.ts'
import { newSecret } from './world/events.ts'
import { giveUp, updateDispute, uploadFile } from './world/evidence.ts'
import { cancel, capture, confirm, declineError, tell } from './world/flows.ts'
import { createSession, expireSession, metadataOf } from './world/sessions.ts'
import {
  type Customer,
  type Endpoint,
  type Intent,
  type Method,
  newId,
  type State,
  seconds,
} from './world/state.ts'
import { viewCustomer, viewEndpoint, viewIntent, viewMethod, viewSession } from './world/view.ts'
import { type Json, viewRefund } from './world/view-money.ts'

function newCustomer({ state, params }: Call): Json {
  const customer: Customer = {
    id: newId('cus', 14),
    created: seconds(state),
    email: textOf(params.email),
    name: textOf(params.name),
    phone: textOf(params.phone),
    description: textOf(params.description),
    metadata: metadataOf(params.metadata),
  }
  state.customers.set(customer.id, customer)
  return viewCustomer(state, customer)
}

/** The types are compared with the method's, and methods that redirect need an address to return to. */
function checkMethodTypes(params: TypedHash, method: Method): readonly string[] {
  const allowed = params.allowed_payment_method_types as readonly string[] | undefined
  const automatic = (params.automatic_payment_methods ?? {}) as TypedHash
  if (!allowed && automatic.allow_redirects !== 'never' && !params.return_url)
    throw broken(
      'This PaymentIntent accepts payment methods that might redirect: provide a `return_url`.',
      undefined,
      'return_url',
    )
  if (allowed && !allowed.includes(method.type))
    throw refused(`The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`)
  return allowed ?? ['card', 'us_bank_account']
}

function createIntent(call: Call): Json {
  const { state, params, key } = call
  const currency = String(params.currency).toLowerCase()
  checkAmount(Number(params.amount), currency)
  if (params.confirm !== true || params.payment_method === undefined)
    throw broken('Intents without confirm and payment_method are not simulated.')
  const customer = textOf(params.customer)
  if (customer) found(state.customers, 'customer', customer, 'customer')
  const method = found(state.methods, 'PaymentMethod', String(params.payment_method), 'payment_method')
  if (method.customer === null || method.customer !== customer)
    throw refused(
      `The customer does not have a payment method with the ID ${method.id}. It must be attached.`,
      'resource_missing',
      'payment_method',
    )
  const captureMethod = String(params.capture_method ?? 'automatic_async')
  if (method.type === 'us_bank_account' && (currency !== 'usd' || captureMethod === 'manual'))
    throw refused('The payment method us_bank_account is only supported in usd with automatic capture.')
  const metadata = metadataOf(params.metadata)
  const intent: Intent = {
    id: newId('pi'),
    amount: Number(params.amount),
    currency,
    captureMethod,
    types: checkMethodTypes(params, method),
    created: seconds(state),
    customer,
    description: textOf(params.description),
    metadata,
    reference: metadata.reference ?? Object.values(metadata)[0] ?? '',
    setupFutureUsage: textOf(params.setup_future_usage),
    ...(params.return_url && !params.off_session ? { returnUrl: String(params.return_url) } : {}),
    status: 'requires_confirmation',
    method: method.id,
    charge: null,
    received: 0,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
    review: null,
  }
  state.intents.set(intent.id, intent)
  tell(state, 'created', intent, key)
  confirm(state, intent, method, key)
  return answered(state, intent, method)
}

/** A payment that fails at once is an error 402 that has the intent in it. */
function answered(state: State, intent: Intent, method: Method): Json {
  const charge = state.charges.get(intent.charge ?? '')
  if (intent.status !== 'requires_payment_method' || !charge) return viewIntent(state, intent)
  const code = intent.lastError?.decline_code ?? 'generic_decline'
  throw new StripeError(402, {
    ...declineError(state, method, charge, code),
    payment_intent: viewIntent(state, intent),
  })
}

function createRefund({ state, params, key }: Call): Json {
  const id = textOf(params.payment_intent) ?? state.charges.get(String(params.charge))?.intent ?? ''
  const intent = found(state.intents, 'payment_intent', id, 'payment_intent')
  const made = refund(state, intent, {
    amount: params.amount as number | undefined,
    reason: textOf(params.reason),
    metadata: metadataOf(params.metadata),
    key,
  })
  return viewRefund(state, made)
}

function createEndpoint({ state, params }: Call): Json {
  if (state.endpoints.size >= 16) throw refused('You have reached the maximum of 16 test webhook endpoints.')
  const endpoint: Endpoint = {
    id: newId('we'),
    url: String(params.url),
    events: params.enabled_events as readonly string[],
    created: seconds(state),
    description: textOf(params.description),
    metadata: metadataOf(params.metadata),
    secrets: [newSecret()],
  }
  state.endpoints.set(endpoint.id, endpoint)
  return { ...viewEndpoint(state, endpoint), secret: endpoint.secrets[0] }
}

function updateEndpoint({ state, id, params }: Call): Json {
  const endpoint = found(state.endpoints, 'webhook_endpoint', id)
  endpoint.events = (params.enabled_events ?? endpoint.events) as readonly string[]
  return viewEndpoint(state, endpoint)
}

function detach({ state, id }: Call): Json {
  const method = found(state.methods, 'PaymentMethod', id)
  if (method.customer === null)
    throw refused(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  method.customer = null
  return viewMethod(state, method)
}

const CHANGES: readonly Omit<Route, 'method'>[] = [
  {
    path: '/v1/checkout/sessions',
    operation: 'start',
    schema: SCHEMAS.sessionCreate,
    needsKey: true,
    handle: ({ state, params, key }) => viewSession(state, createSession(state, params, key)),
  },
  {
    path: '/v1/checkout/sessions/:id/expire',
    operation: 'cancel',
    schema: SCHEMAS.onlyExpand,
    needsKey: true,
    handle({ state, id, key }) {
      const session = found(state.sessions, 'checkout.session', id)
      expireSession(state, session, key)
      return viewSession(state, session)
    },
  },
  {
    path: '/v1/payment_intents',
    operation: 'charge',
    schema: SCHEMAS.intentCreate,
    needsKey: true,
    handle: createIntent,
  },
  {
    path: '/v1/payment_intents/:id/capture',
    operation: 'capture',
    schema: SCHEMAS.intentCapture,
    needsKey: true,
    handle({ state, id, params, key }) {
      const intent = found(state.intents, 'payment_intent', id)
      capture(state, intent, params.amount_to_capture as number | undefined, key)
      return viewIntent(state, intent)
    },
  },
  {
    path: '/v1/payment_intents/:id/cancel',
    operation: 'cancel',
    schema: SCHEMAS.intentCancel,
    needsKey: true,
    handle({ state, id, params, key }) {
      const intent = found(state.intents, 'payment_intent', id)
      cancel(state, intent, textOf(params.cancellation_reason), key)
      return viewIntent(state, intent)
    },
  },
  {
    path: '/v1/refunds',
    operation: 'refund',
    schema: SCHEMAS.refundCreate,
    needsKey: true,
    handle: createRefund,
  },
  { path: '/v1/customers', schema: SCHEMAS.customerCreate, needsKey: true, handle: newCustomer },
  { path: '/v1/files', schema: SCHEMAS.fileCreate, needsKey: true, handle: uploadFile },
  { path: '/v1/disputes/:id', schema: SCHEMAS.disputeUpdate, needsKey: true, handle: updateDispute },
  { path: '/v1/disputes/:id/close', schema: SCHEMAS.onlyExpand, needsKey: true, handle: giveUp },
  { path: '/v1/payment_methods/:id/detach', schema: SCHEMAS.onlyExpand, handle: detach },
  { path: '/v1/webhook_endpoints', schema: SCHEMAS.endpointCreate, handle: createEndpoint },
  { path: '/v1/webhook_endpoints/:id', schema: SCHEMAS.endpointUpdate, handle: updateEndpoint },
]

export const WRITES: readonly Route[] = CHANGES.map((route) => ({ ...route, method: 'POST' }))

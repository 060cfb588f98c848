import { refused } from '../wire/errors.ts'
import type { Typed, TypedHash } from '../wire/params.ts'
import { checkAmount } from './currencies.ts'
import { emit } from './events.ts'
import { cancel, confirm, tell } from './flows.ts'
import {
  type Intent,
  type Metadata,
  type Method,
  newId,
  type Session,
  type Setup,
  type State,
  seconds,
} from './state.ts'
import { viewMethod, viewSession, viewSetup } from './view.ts'

const hashOf = (value: Typed | undefined): TypedHash => (value ?? {}) as TypedHash
const textOf = (value: Typed | undefined): string | null => (value === undefined ? null : String(value))
export const metadataOf = (value: Typed | undefined): Metadata => hashOf(value) as Metadata

const RESERVING = ['card', 'klarna', 'link']

/** The methods that fit the currency and the way of capture. */
function typesFor(params: TypedHash, currency: string | null, captureMethod: string): readonly string[] {
  const wanted = (params.allowed_payment_method_types ?? ['card', 'us_bank_account']) as readonly string[]
  const excluded = (params.excluded_payment_method_types ?? []) as readonly string[]
  const types = wanted.filter(
    (type) =>
      !excluded.includes(type) &&
      (type !== 'us_bank_account' || currency === 'usd') &&
      (captureMethod !== 'manual' || RESERVING.includes(type)),
  )
  if (types.length === 0)
    throw refused(
      'No payment method type is compatible with the other parameters of this request.',
      undefined,
      'allowed_payment_method_types',
    )
  return types
}

function expiryOf(state: State, params: TypedHash): number {
  const now = seconds(state)
  const at = Number(params.expires_at ?? now + 86_400)
  if (at < now + 1_800 || at > now + 86_400)
    throw refused(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    )
  return at
}

function totalOf(params: TypedHash): { amount: number; currency: string; name: string } {
  const items = (params.line_items ?? []) as readonly TypedHash[]
  if (items.length === 0)
    throw refused('You must pass line_items in payment mode.', 'parameter_missing', 'line_items')
  let amount = 0
  const currencies = new Set<string>()
  for (const item of items) {
    const price = hashOf(item.price_data)
    amount += Number(price.unit_amount) * Number(item.quantity)
    currencies.add(String(price.currency).toLowerCase())
  }
  const [currency = ''] = currencies
  if (currencies.size > 1) throw refused('All line items must have the same currency.')
  checkAmount(amount, currency, 'line_items')
  const first = hashOf(hashOf(items[0]?.price_data).product_data)
  return { amount, currency, name: String(first.name) }
}

function checkTogether(state: State, params: TypedHash): void {
  const setup = params.mode === 'setup'
  if (params.mode === 'subscription') throw refused('Subscriptions are not simulated.')
  if (!params.success_url)
    throw refused('Missing required param: success_url.', 'parameter_missing', 'success_url')
  if (params.customer && params.customer_email)
    throw refused('You may only specify one of these parameters: customer, customer_email.')
  if (params.customer && !state.customers.has(String(params.customer)))
    throw refused(`No such customer: '${params.customer}'`, 'resource_missing', 'customer')
  if (setup && (params.line_items || params.payment_intent_data))
    throw refused('You can not pass line_items or payment_intent_data in setup mode.')
  if (!setup && params.setup_intent_data) throw refused('You can not pass setup_intent_data in payment mode.')
  if (setup && !params.currency)
    throw refused('Missing required param: currency.', 'parameter_missing', 'currency')
}

export function createSession(state: State, params: TypedHash, key: string | undefined): Session {
  checkTogether(state, params)
  const setup = params.mode === 'setup'
  const data = hashOf(params.payment_intent_data)
  const total = setup ? undefined : totalOf(params)
  const currency = total?.currency ?? textOf(params.currency)
  const captureMethod = String(data.capture_method ?? 'automatic_async')
  const saving = hashOf(params.saved_payment_method_options).payment_method_save === 'enabled'
  const session: Session = {
    id: newId('cs_test', 58),
    mode: setup ? 'setup' : 'payment',
    amount: total?.amount ?? null,
    currency,
    captureMethod,
    challenges: hashOf(hashOf(params.payment_method_options).card).request_three_d_secure === 'challenge',
    types: typesFor(params, currency, captureMethod),
    created: seconds(state),
    expiresAt: expiryOf(state, params),
    customer: textOf(params.customer),
    customerEmail: textOf(params.customer_email),
    reference: textOf(params.client_reference_id),
    successUrl: String(params.success_url),
    cancelUrl: textOf(params.cancel_url),
    metadata: metadataOf(params.metadata),
    intentMetadata: metadataOf(setup ? hashOf(params.setup_intent_data).metadata : data.metadata),
    description: textOf(data.description),
    setupFutureUsage: textOf(data.setup_future_usage),
    offersSaving: saving,
    itemName: total?.name ?? 'Save a payment method',
    key,
    status: 'open',
    paymentStatus: setup ? 'no_payment_required' : 'unpaid',
    intent: null,
    setup: null,
  }
  if (setup) session.setup = newSetup(state, session).id
  state.sessions.set(session.id, session)
  return session
}

function newSetup(state: State, session: Session): Setup {
  const setup: Setup = {
    id: newId('seti'),
    created: session.created,
    customer: session.customer,
    types: session.types,
    metadata: session.intentMetadata,
    status: 'requires_payment_method',
    method: null,
    lastError: null,
  }
  state.setups.set(setup.id, setup)
  return setup
}

/** The intent of a session exists only after the first attempt to pay. */
function intentOf(state: State, session: Session): Intent {
  const existing = state.intents.get(session.intent ?? '')
  if (existing) return existing
  const intent: Intent = {
    id: newId('pi'),
    amount: session.amount ?? 0,
    currency: session.currency ?? '',
    captureMethod: session.captureMethod,
    types: session.types,
    created: seconds(state),
    customer: session.customer,
    description: session.description,
    metadata: session.intentMetadata,
    reference: session.reference ?? Object.values(session.intentMetadata)[0] ?? session.id,
    session: session.id,
    setupFutureUsage: session.setupFutureUsage,
    status: 'requires_payment_method',
    method: null,
    charge: null,
    received: 0,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
    review: null,
  }
  state.intents.set(intent.id, intent)
  session.intent = intent.id
  tell(state, 'created', intent)
  return intent
}

export interface PayerChoice {
  readonly declines?: string
  readonly authenticated?: boolean
  readonly saves?: boolean
}

function newMethod(state: State, session: Session, choice: PayerChoice): Method {
  const type = session.types.includes('card') ? 'card' : (session.types[0] ?? 'us_bank_account')
  const bank = type !== 'card'
  const method: Method = {
    id: newId('pm'),
    type,
    brand: bank ? 'bank' : 'visa',
    last4: bank ? '6789' : choice.authenticated ? '3155' : choice.declines ? '0002' : '4242',
    created: seconds(state),
    fingerprint: bank ? 'FFDMA0xfhBjWSZLu' : `Xt5EWLLDS7FJjR1${choice.authenticated ? 'd' : 'c'}`,
    authenticated: choice.authenticated ?? false,
    customer: null,
    expYear: 2034,
    ...(choice.declines ? { declines: choice.declines } : {}),
  }
  state.methods.set(method.id, method)
  return method
}

function attach(state: State, session: Session, method: Method): void {
  if (!session.customer || method.customer) return
  method.customer = session.customer
  emit(state, 'payment_method.attached', viewMethod(state, method))
}

/** The payer presses the button. Returns true if the session is complete. */
export function submit(state: State, session: Session, choice: PayerChoice): boolean {
  if (session.status !== 'open') return session.status === 'complete'
  const armed = state.nextPageDecline
  delete state.nextPageDecline
  const method = newMethod(state, session, armed ? { ...choice, declines: armed } : choice)
  return session.mode === 'setup'
    ? submitSetup(state, session, method)
    : submitPayment(state, session, method, choice)
}

function submitPayment(state: State, session: Session, method: Method, { saves }: PayerChoice): boolean {
  const intent = intentOf(state, session)
  confirm(state, intent, method, session.key)
  if (intent.status === 'requires_payment_method') return false
  session.status = 'complete'
  if (intent.status === 'succeeded') session.paymentStatus = 'paid'
  if (session.setupFutureUsage || (saves && session.offersSaving)) attach(state, session, method)
  emit(state, 'checkout.session.completed', viewSession(state, session))
  return true
}

function submitSetup(state: State, session: Session, method: Method): boolean {
  const setup = state.setups.get(session.setup ?? '') as Setup
  if (method.declines) {
    setup.lastError = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: method.declines,
      message: 'Your card was declined.',
      payment_method: viewMethod(state, method),
    }
    emit(state, 'setup_intent.setup_failed', viewSetup(state, setup))
    return false
  }
  setup.status = 'succeeded'
  setup.method = method.id
  setup.lastError = null
  session.status = 'complete'
  attach(state, session, method)
  emit(state, 'setup_intent.succeeded', viewSetup(state, setup))
  emit(state, 'checkout.session.completed', viewSession(state, session))
  return true
}

export function expireSession(state: State, session: Session, key?: string): void {
  if (session.status !== 'open')
    throw refused(`Only open Checkout Sessions can be expired. This one has a status of ${session.status}.`)
  session.status = 'expired'
  const intent = state.intents.get(session.intent ?? '')
  if (intent) cancel(state, intent, 'abandoned', key)
  emit(state, 'checkout.session.expired', viewSession(state, session), key)
}

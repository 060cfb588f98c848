import { viewPayout } from './payouts.ts'
import type { Customer, Dispute, Endpoint, Intent, Method, Session, Setup, State } from './state.ts'
import { EMPTY_ADDRESS, type Json, viewBalance, viewBilling, viewCharge, viewRefund } from './view-money.ts'

export const viewIntent = (state: State, intent: Intent): Json => ({
  id: intent.id,
  object: 'payment_intent',
  amount: intent.amount,
  amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
  amount_details: { tip: {} },
  amount_received: intent.received,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: intent.canceledAt,
  cancellation_reason: intent.cancellationReason,
  capture_method: intent.captureMethod,
  client_secret: `${intent.id}_secret_${intent.id.slice(-8)}`,
  confirmation_method: 'automatic',
  created: intent.created,
  currency: intent.currency,
  customer: intent.customer,
  description: intent.description,
  last_payment_error: intent.lastError,
  latest_charge: intent.charge,
  livemode: false,
  metadata: intent.metadata,
  next_action:
    intent.status === 'requires_action'
      ? {
          type: 'redirect_to_url',
          redirect_to_url: { return_url: intent.returnUrl, url: `${state.origin()}/3ds/${intent.id}` },
        }
      : null,
  on_behalf_of: null,
  payment_method: intent.method,
  payment_method_options: {},
  payment_method_types: intent.types,
  processing: null,
  receipt_email: null,
  review: intent.review,
  setup_future_usage: intent.setupFutureUsage,
  shipping: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: intent.status,
  transfer_data: null,
  transfer_group: null,
})

export const viewSetup = (_state: State, setup: Setup): Json => ({
  id: setup.id,
  object: 'setup_intent',
  application: null,
  cancellation_reason: null,
  client_secret: `${setup.id}_secret_${setup.id.slice(-8)}`,
  created: setup.created,
  customer: setup.customer,
  description: null,
  flow_directions: null,
  last_setup_error: setup.lastError,
  latest_attempt: null,
  livemode: false,
  mandate: null,
  metadata: setup.metadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: setup.method,
  payment_method_options: {},
  payment_method_types: setup.types,
  single_use_mandate: null,
  status: setup.status,
  usage: 'off_session',
})

export const viewCustomer = (_state: State, customer: Customer): Json => ({
  id: customer.id,
  object: 'customer',
  address: null,
  balance: 0,
  created: customer.created,
  currency: null,
  default_source: null,
  delinquent: false,
  description: customer.description,
  discount: null,
  email: customer.email,
  invoice_prefix: 'A1B2C3D4',
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata: customer.metadata,
  name: customer.name,
  next_invoice_sequence: 1,
  phone: customer.phone,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
})

function methodOf(method: Method): object {
  if (method.type === 'card') return cardOf(method)
  return method.type === 'us_bank_account' ? accountOf(method) : {}
}

export const viewMethod = (_state: State, method: Method): Json => ({
  id: method.id,
  object: 'payment_method',
  allow_redisplay: 'limited',
  billing_details: viewBilling(),
  created: method.created,
  customer: method.customer,
  livemode: false,
  metadata: {},
  type: method.type,
  [method.type]: methodOf(method),
})

const cardOf = (method: Method): Json => ({
  brand: method.brand,
  checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
  country: 'US',
  exp_month: 8,
  exp_year: method.expYear,
  fingerprint: method.fingerprint,
  funding: 'credit',
  generated_from: null,
  last4: method.last4,
  networks: { available: [method.brand], preferred: null },
  three_d_secure_usage: { supported: true },
  wallet: null,
})

const accountOf = (method: Method): Json => ({
  account_holder_type: 'individual',
  account_type: 'checking',
  bank_name: 'STRIPE TEST BANK',
  financial_connections_account: null,
  fingerprint: method.fingerprint,
  last4: method.last4,
  networks: { preferred: 'ach', supported: ['ach'] },
  routing_number: '110000000',
  status_details: {},
})

export const viewSession = (state: State, session: Session): Json => ({
  id: session.id,
  object: 'checkout.session',
  after_expiration: null,
  allow_promotion_codes: null,
  amount_subtotal: session.amount,
  amount_total: session.amount,
  automatic_tax: { enabled: false, status: null },
  billing_address_collection: null,
  cancel_url: session.cancelUrl,
  client_reference_id: session.reference,
  consent: null,
  consent_collection: null,
  created: session.created,
  currency: session.currency,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: session.customer,
  customer_creation: null,
  customer_details: customerDetails(session),
  customer_email: session.customerEmail,
  expires_at: session.expiresAt,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  metadata: session.metadata,
  mode: session.mode,
  payment_intent: session.intent,
  payment_link: null,
  payment_method_collection: null,
  payment_method_options: {},
  payment_method_types: session.types,
  payment_status: session.paymentStatus,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  setup_intent: session.setup,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: session.status,
  submit_type: null,
  subscription: null,
  success_url: session.successUrl,
  total_details:
    session.mode === 'payment' ? { amount_discount: 0, amount_shipping: 0, amount_tax: 0 } : null,
  url: session.status === 'open' ? `${state.origin()}/c/pay/${session.id}` : null,
})

const customerDetails = (session: Session): Json | null =>
  session.status === 'complete'
    ? {
        address: EMPTY_ADDRESS,
        email: session.customerEmail ?? 'jenny@example.com',
        name: 'Jenny Rosen',
        phone: null,
        tax_exempt: 'none',
        tax_ids: [],
      }
    : null

/** The account of the key. */
export const viewAccount = ({ achCapability }: State): Json => ({
  id: ACCOUNT_ID,
  object: 'account',
  business_type: 'company',
  capabilities: {
    card_payments: 'active',
    transfers: 'active',
    ...(achCapability === 'absent' ? {} : { us_bank_account_ach_payments: achCapability }),
  },
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: 'shop@example.com',
  payouts_enabled: true,
  type: 'standard',
})

export const ACCOUNT_ID = 'acct_1SimulatorAccount01'

const INQUIRY = /^warning_/

export const viewDispute = (state: State, dispute: Dispute): Json => ({
  id: dispute.id,
  object: 'dispute',
  amount: dispute.amount,
  balance_transactions: dispute.movements.flatMap((id) => {
    const found = state.balances.get(id)
    return found ? [viewBalance(state, found)] : []
  }),
  charge: dispute.charge,
  created: dispute.created,
  currency: dispute.currency,
  evidence: dispute.evidence,
  evidence_details: {
    due_by: dispute.dueBy,
    has_evidence: Object.keys(dispute.evidence).length > 0,
    past_due: false,
    submission_count: dispute.submissions,
  },
  is_charge_refundable: INQUIRY.test(dispute.status) && dispute.status !== 'warning_closed',
  livemode: false,
  metadata: {},
  payment_intent: dispute.intent,
  reason: dispute.reason,
  status: dispute.status,
})

/** The secret is shown only in the reply to its creation. */
export const viewEndpoint = (_state: State, endpoint: Endpoint): Json => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  api_version: '2026-10-28.endive',
  application: null,
  created: endpoint.created,
  description: endpoint.description,
  enabled_events: endpoint.events,
  livemode: false,
  metadata: endpoint.metadata,
  status: 'enabled',
  url: endpoint.url,
})

type View = (state: State, id: string) => Json | undefined

const viewer =
  <T>(map: (state: State) => ReadonlyMap<string, T>, view: (state: State, object: T) => Json): View =>
  (state, id) => {
    const found = map(state).get(id)
    return found === undefined ? undefined : view(state, found)
  }

const BY_PREFIX: Readonly<Record<string, View>> = {
  pi: viewer((state) => state.intents, viewIntent),
  seti: viewer((state) => state.setups, viewSetup),
  ch: viewer((state) => state.charges, viewCharge),
  py: viewer((state) => state.charges, viewCharge),
  re: viewer((state) => state.refunds, viewRefund),
  pm: viewer((state) => state.methods, viewMethod),
  cus: viewer((state) => state.customers, viewCustomer),
  txn: viewer((state) => state.balances, viewBalance),
  dp: viewer((state) => state.disputes, viewDispute),
  po: viewer((state) => state.payouts, viewPayout),
}

/** The object with this id, for `expand`. */
export const viewById = (state: State, id: string): Json | undefined =>
  BY_PREFIX[id.split('_')[0] ?? '']?.(state, id)

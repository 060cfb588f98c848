import type { Balance, Charge, Method, Refund, State, StoredEvent } from './state.ts'

export type Json = { [name: string]: unknown }

export const EMPTY_ADDRESS = {
  city: null,
  country: 'US',
  line1: null,
  line2: null,
  postal_code: '94107',
  state: null,
}

export const viewBilling = () => ({
  address: EMPTY_ADDRESS,
  email: 'jenny@example.com',
  name: 'Jenny Rosen',
  phone: null,
})

export function viewCharge(state: State, charge: Charge): Json {
  const method = state.methods.get(charge.method)
  const intent = state.intents.get(charge.intent)
  const failed = charge.status === 'failed'
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.amountCaptured,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.balance,
    billing_details: viewBilling(),
    calculated_statement_descriptor: 'TEST SHOP',
    captured: charge.captured,
    created: charge.created,
    currency: charge.currency,
    customer: intent?.customer ?? null,
    description: intent?.description ?? null,
    disputed: charge.disputed,
    failure_balance_transaction: charge.failureBalance,
    failure_code: charge.failureCode,
    failure_message: charge.failureCode ? 'The payment failed.' : null,
    fraud_details: {},
    livemode: false,
    metadata: intent?.metadata ?? {},
    on_behalf_of: null,
    outcome: outcomeOf(charge),
    paid: !failed,
    payment_intent: charge.intent,
    payment_method: charge.method,
    payment_method_details: method ? detailsOf(charge, method) : null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.amountCaptured > 0 && charge.amountRefunded === charge.amountCaptured,
    review: intent?.review ?? null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

const outcomeOf = (charge: Charge): Json => ({
  network_status: charge.status === 'failed' ? 'declined_by_network' : 'approved_by_network',
  reason: charge.status === 'failed' ? charge.failureCode : null,
  risk_level: 'normal',
  risk_score: 12,
  seller_message: charge.status === 'failed' ? 'The bank declined.' : 'Payment complete.',
  type: charge.outcome,
  ...(charge.status === 'failed' ? { network_decline_code: '05' } : {}),
})

function detailsOf(charge: Charge, method: Method): Json {
  if (method.type === 'us_bank_account')
    return {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'STRIPE TEST BANK',
        fingerprint: method.fingerprint,
        last4: method.last4,
        routing_number: '110000000',
      },
    }
  if (method.type !== 'card') return { type: method.type, [method.type]: {} }
  const secured = method.authenticated
    ? {
        ...{ authentication_flow: 'challenge', electronic_commerce_indicator: '05' },
        ...{ result: 'authenticated', result_reason: null, version: '2.2.0' },
      }
    : null
  return {
    type: 'card',
    card: {
      amount_authorized: charge.amount,
      brand: method.brand,
      ...(charge.captureBefore === null ? {} : { capture_before: charge.captureBefore }),
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      country: 'US',
      exp_month: 8,
      exp_year: method.expYear,
      fingerprint: method.fingerprint,
      funding: 'credit',
      installments: null,
      last4: method.last4,
      mandate: null,
      network: method.brand,
      three_d_secure: secured,
      wallet: null,
    },
  }
}

export const viewRefund = (_state: State, refund: Refund): Json => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  balance_transaction: null,
  charge: refund.charge,
  created: refund.created,
  currency: refund.currency,
  ...(refund.failureReason ? { failure_reason: refund.failureReason } : {}),
  metadata: refund.metadata,
  payment_intent: refund.intent,
  reason: refund.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: refund.status,
  transfer_reversal: null,
})

/** Categories that are not called like their type. */
const CATEGORIES: Readonly<Record<string, string>> = {
  payment: 'charge',
  payment_failure_refund: 'charge_failure',
}

export const viewBalance = (_state: State, balance: Balance): Json => ({
  id: balance.id,
  object: 'balance_transaction',
  amount: balance.amount,
  available_on: balance.created + 172_800,
  created: balance.created,
  currency: balance.currency,
  description: null,
  exchange_rate: null,
  fee: balance.fee,
  fee_details: [
    {
      amount: balance.fee,
      application: null,
      currency: balance.currency,
      description: 'Processing fees',
      type: 'stripe_fee',
    },
  ],
  net: balance.amount - balance.fee,
  reporting_category: balance.category ?? CATEGORIES[balance.type] ?? balance.type,
  source: balance.source,
  status: 'pending',
  type: balance.type,
})

export const viewEvent = (event: StoredEvent): Json => ({
  id: event.id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: event.created,
  data: { object: event.object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: event.key ? `req_${event.id.slice(-14)}` : null, idempotency_key: event.key ?? null },
  type: event.type,
})

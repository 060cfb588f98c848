import { type ErrorBody, refused, type StripeError } from '../wire/errors.ts'
import { emit } from './events.ts'
import { addBalance } from './payouts.ts'
import {
  type Charge,
  type Intent,
  type Method,
  move,
  newId,
  type State,
  seconds,
  settleMovement,
} from './state.ts'
import { viewIntent, viewMethod, viewSession } from './view.ts'
import { viewCharge } from './view-money.ts'

const DAY = 86_400

export function tell(state: State, type: string, intent: Intent, key?: string): void {
  emit(state, `payment_intent.${type}`, viewIntent(state, intent), key)
}
export function tellCharge(state: State, type: string, charge: Charge, key?: string): void {
  emit(state, `charge.${type}`, viewCharge(state, charge), key)
}

export function chargeOf(state: State, intent: Intent): Charge {
  const charge = state.charges.get(intent.charge ?? '')
  if (!charge) throw refused(`This PaymentIntent's charge does not exist`, 'payment_intent_unexpected_state')
  return charge
}

const feeOf = (method: Method, amount: number): number =>
  method.type === 'card' ? Math.round(amount * 0.029) + 30 : Math.min(500, Math.ceil(amount * 0.008))

/** A capture of a part is the whole amount, and the rest of it back. */
function addChargeBalance(state: State, charge: Charge): void {
  const method = state.methods.get(charge.method) as Method
  const { amount, amountCaptured, currency, id: source } = charge
  const fee = Math.min(amountCaptured, feeOf(method, amountCaptured))
  charge.balance = addBalance(state, { amount, fee, currency, source, type: 'charge' })
  if (amountCaptured < amount) {
    const rest = { amount: amountCaptured - amount, fee: 0, currency, source, type: 'refund' }
    addBalance(state, { ...rest, category: 'partial_capture_reversal' })
  }
  delete charge.balanceAt
}

/** With asynchronous capture the balance transaction appears later. */
export function addDueBalance(state: State, charge: Charge): void {
  addChargeBalance(state, charge)
  tellCharge(state, 'updated', charge)
}

function newCharge(state: State, intent: Intent, method: Method, key: string | undefined): Charge {
  const manual = intent.captureMethod === 'manual'
  const charge: Charge = {
    id: newId(method.type === 'card' ? 'ch' : 'py'),
    intent: intent.id,
    amount: intent.amount,
    currency: intent.currency,
    method: method.id,
    created: seconds(state),
    captureBefore: manual ? seconds(state) + 7 * DAY : null,
    key,
    status: 'succeeded',
    captured: !manual,
    amountCaptured: manual ? 0 : intent.amount,
    amountRefunded: 0,
    disputed: false,
    failureCode: null,
    failureBalance: null,
    outcome: 'authorized',
    balance: null,
  }
  state.charges.set(charge.id, charge)
  intent.charge = charge.id
  intent.method = method.id
  return charge
}

/** Codes that are errors of their own. Every other code is a decline of the bank. */
const OWN_CODES = [
  'authentication_required',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'payment_intent_authentication_failure',
  'processing_error',
]

export function declineError(state: State, method: Method, charge: Charge, code: string): ErrorBody {
  const bank = method.type === 'us_bank_account'
  return {
    type: bank ? 'invalid_request_error' : 'card_error',
    code: bank ? 'payment_intent_payment_attempt_failed' : OWN_CODES.includes(code) ? code : 'card_declined',
    decline_code: code,
    ...(bank ? {} : { advice_code: code === 'insufficient_funds' ? 'try_again_later' : 'confirm_card_data' }),
    ...(bank ? {} : { network_decline_code: '05' }),
    doc_url: 'https://stripe.com/docs/error-codes/card-declined',
    message: bank ? 'The payment failed.' : 'Your card was declined.',
    charge: charge.id,
    payment_method: viewMethod(state, method),
  }
}

function fail(state: State, intent: Intent, charge: Charge, code: string): void {
  const method = state.methods.get(charge.method) as Method
  Object.assign(charge, {
    status: 'failed',
    captured: false,
    amountCaptured: 0,
    failureCode: code,
    outcome: 'issuer_declined',
  })
  intent.status = 'requires_payment_method'
  intent.method = null
  intent.lastError = declineError(state, method, charge, code)
  tellCharge(state, 'failed', charge, charge.key)
  tell(state, 'payment_failed', intent, charge.key)
}

/** Pays an intent with a method. The result is in the intent. */
export function confirm(state: State, intent: Intent, method: Method, key?: string): void {
  const declines = method.declines ?? state.nextChargeDecline
  delete state.nextChargeDecline
  intent.lastError = null
  if (declines === 'authentication_required' && intent.returnUrl) {
    intent.status = 'requires_action'
    tell(state, 'requires_action', intent, key)
    return
  }
  attempt(state, intent, method, { declines, key })
}

/** The payer passes or fails the authentication that an intent waits for. */
export function authenticate(state: State, intent: Intent, passes: boolean): void {
  const method = state.methods.get(intent.method ?? '') as Method
  const declines = passes ? undefined : 'payment_intent_authentication_failure'
  attempt(state, intent, method, { declines, key: undefined })
}

function attempt(
  state: State,
  intent: Intent,
  method: Method,
  { declines, key }: { readonly declines: string | undefined; readonly key: string | undefined },
): void {
  const charge = newCharge(state, intent, method, key)
  const { amount, currency, reference } = intent
  if (DEBITS.includes(method.type) || state.pendingNext.delete('charge')) {
    intent.status = 'processing'
    intent.settlesAt = seconds(state) + 4 * DAY
    if (declines) intent.settlesAs = declines
    Object.assign(charge, { status: 'pending', captured: false, amountCaptured: 0 })
    move(state, { reference, kind: kindOf(intent), amount, currency, state: 'pending', key })
    tellCharge(state, 'pending', charge, key)
    tell(state, 'processing', intent, key)
    return
  }
  if (declines) {
    fail(state, intent, charge, declines)
    return
  }
  move(state, { reference, kind: kindOf(intent), amount, currency, key })
  succeed(state, intent, charge)
}

/** Debits that the bank confirms days later. */
const DEBITS = ['us_bank_account', 'sepa_debit']

const kindOf = (intent: Intent) => (intent.captureMethod === 'manual' ? 'authorise' : 'sale')

function succeed(state: State, intent: Intent, charge: Charge): void {
  charge.status = 'succeeded'
  tellCharge(state, 'succeeded', charge, charge.key)
  if (intent.captureMethod === 'manual') {
    intent.status = 'requires_capture'
    tell(state, 'amount_capturable_updated', intent, charge.key)
    return
  }
  charge.captured = true
  charge.amountCaptured = intent.amount
  intent.status = 'succeeded'
  intent.received = intent.amount
  if (intent.captureMethod === 'automatic') addChargeBalance(state, charge)
  else charge.balanceAt = seconds(state) + 1
  tell(state, 'succeeded', intent, charge.key)
}

/** Ends a payment in processing: a debit after some days. */
export function settle(state: State, intent: Intent): void {
  if (intent.status !== 'processing') return
  const charge = chargeOf(state, intent)
  const { amount, currency, reference, settlesAs } = intent
  delete intent.settlesAt
  delete intent.settlesAs
  const movement = { reference, kind: kindOf(intent), amount, currency } as const
  const session = state.sessions.get(intent.session ?? '')
  settleMovement(state, movement, settlesAs ? 'failed' : 'done')
  if (settlesAs) fail(state, intent, charge, settlesAs)
  else succeed(state, intent, charge)
  if (!session) return
  if (!settlesAs) session.paymentStatus = 'paid'
  const result = settlesAs ? 'async_payment_failed' : 'async_payment_succeeded'
  emit(state, `checkout.session.${result}`, viewSession(state, session))
}

const unexpected = (intent: Intent, verb: string): StripeError =>
  refused(
    `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`,
    'payment_intent_unexpected_state',
  )

export function capture(state: State, intent: Intent, amount: number | undefined, key?: string): void {
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'captured')
  const taken = amount ?? intent.amount
  if (taken > intent.amount)
    throw refused(
      'The amount to capture is greater than the authorized amount',
      'amount_too_large',
      'amount_to_capture',
    )
  const charge = chargeOf(state, intent)
  const { reference, currency } = intent
  charge.captured = true
  charge.amountCaptured = taken
  intent.received = taken
  intent.status = 'succeeded'
  addChargeBalance(state, charge)
  move(state, { reference, kind: 'capture', amount: taken, currency, key })
  const session = state.sessions.get(intent.session ?? '')
  if (session) session.paymentStatus = 'paid'
  tellCharge(state, 'captured', charge, key)
  tell(state, 'succeeded', intent, key)
}

const CANCELLABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
]

export function cancel(state: State, intent: Intent, reason: string | null, key?: string): void {
  if (!CANCELLABLE.includes(intent.status)) throw unexpected(intent, 'canceled')
  const { reference, amount, currency } = intent
  const session = state.sessions.get(intent.session ?? '')
  if (session?.status === 'open')
    throw refused(
      'This PaymentIntent is part of an open Checkout Session. Expire the session instead.',
      'payment_intent_unexpected_state',
    )
  const reserved = intent.status === 'requires_capture'
  intent.status = 'canceled'
  intent.canceledAt = seconds(state)
  intent.cancellationReason = reason
  if (reserved) {
    move(state, { reference, kind: 'void', amount, currency, key })
    if (reason === 'expired') tellCharge(state, 'expired', chargeOf(state, intent))
  }
  tell(state, 'canceled', intent, key)
}

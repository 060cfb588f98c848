import type { DeclineReason, RetryAdvice } from '../outcome.ts'

/** Pure: what Stripe's codes mean in our words. */
interface Meaning {
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
}

const never = (reason: DeclineReason): Meaning => ({ reason, retry: 'never' })
const later = (reason: DeclineReason): Meaning => ({ reason, retry: 'later' })
const acts = (reason: DeclineReason): Meaning => ({ reason, retry: 'after-customer-acts' })

/** Codes of declines: `decline_code`, else `code`, else the charge's `failure_code`. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  // Cards
  approve_with_id: later('generic'),
  authentication_not_handled: acts('authentication-required'),
  authentication_required: acts('authentication-required'),
  call_issuer: acts('do-not-honour'),
  card_decline_rate_limit_exceeded: later('limit-exceeded'),
  card_declined: acts('generic'),
  card_not_supported: never('card-not-supported'),
  card_velocity_exceeded: later('limit-exceeded'),
  currency_not_supported: never('currency-not-supported'),
  do_not_honor: acts('do-not-honour'),
  do_not_try_again: never('do-not-honour'),
  duplicate_transaction: never('duplicate'),
  expired_card: never('expired-card'),
  fraudulent: never('suspected-fraud'),
  generic_decline: acts('generic'),
  highest_risk_level: never('blocked'),
  incorrect_address: acts('incorrect-address'),
  incorrect_cvc: acts('incorrect-cvc'),
  incorrect_number: acts('incorrect-number'),
  incorrect_pin: acts('authentication-failed'),
  incorrect_zip: acts('incorrect-address'),
  insufficient_funds: later('insufficient-funds'),
  invalid_account: never('no-account'),
  invalid_amount: never('limit-exceeded'),
  invalid_cvc: acts('incorrect-cvc'),
  invalid_expiry_month: acts('incorrect-number'),
  invalid_expiry_year: acts('incorrect-number'),
  invalid_number: acts('incorrect-number'),
  invalid_pin: acts('authentication-failed'),
  issuer_not_available: later('issuer-unavailable'),
  lost_card: never('lost-card'),
  merchant_blacklist: never('blocked'),
  mobile_device_authentication_required: acts('authentication-required'),
  new_account_information_available: acts('do-not-honour'),
  no_action_taken: acts('do-not-honour'),
  not_permitted: acts('do-not-honour'),
  offline_pin_required: acts('authentication-required'),
  online_or_offline_pin_required: acts('authentication-required'),
  payment_intent_authentication_failure: acts('authentication-failed'),
  pickup_card: never('stolen-card'),
  pin_try_exceeded: acts('authentication-failed'),
  previously_declined_do_not_retry: never('blocked'),
  processing_error: later('processing-error'),
  reenter_transaction: later('processing-error'),
  restricted_card: never('lost-card'),
  revocation_of_all_authorizations: never('mandate-revoked'),
  revocation_of_authorization: never('mandate-revoked'),
  rule: never('blocked'),
  security_violation: acts('do-not-honour'),
  service_not_allowed: acts('card-not-supported'),
  setup_intent_authentication_failure: acts('authentication-failed'),
  stolen_card: never('stolen-card'),
  stop_payment_order: never('mandate-revoked'),
  testmode_decline: never('generic'),
  transaction_not_allowed: acts('card-not-supported'),
  try_again_later: later('processing-error'),
  withdrawal_count_limit_exceeded: later('limit-exceeded'),
  // Bank debits
  account_closed: never('account-closed'),
  account_frozen: never('account-closed'),
  bank_account_exists: never('generic'),
  bank_account_restricted: never('debit-not-authorised'),
  bank_account_unusable: never('blocked'),
  bank_account_unverified: acts('authentication-required'),
  bank_ownership_changed: never('account-closed'),
  could_not_process: later('processing-error'),
  debit_not_authorized: never('debit-not-authorised'),
  invalid_account_number: never('no-account'),
  invalid_currency: never('currency-not-supported'),
  invalid_mandate: never('mandate-revoked'),
  no_account: never('no-account'),
  payment_method_bank_account_blocked: never('blocked'),
  payment_method_customer_decline: acts('customer-cancelled'),
  payment_method_microdeposit_failed: never('no-account'),
  payment_method_provider_decline: acts('do-not-honour'),
  payment_method_provider_timeout: later('issuer-unavailable'),
  payment_method_unactivated: never('card-not-supported'),
  payment_intent_payment_attempt_expired: acts('expired'),
  payment_intent_payment_attempt_failed: acts('generic'),
}

/** Stripe's advice about a retry wins over the table. */
const ADVICE: Readonly<Record<string, RetryAdvice>> = {
  confirm_card_data: 'after-customer-acts',
  do_not_try_again: 'never',
  try_again_later: 'later',
}

/** Undefined members were not in the reply. */
interface Codes {
  readonly declineCode?: string | undefined
  readonly code?: string | undefined
  readonly adviceCode?: string | undefined
}

export interface Decline extends Meaning {
  /** The most specific code of Stripe. */
  readonly stripeCode?: string
  readonly isUnlisted: boolean
}

export function declineOf({ declineCode, code, adviceCode }: Codes): Decline {
  const stripeCode = declineCode ?? code
  const meaning = meaningOf(declineCode) ?? meaningOf(code)
  const isAdvised = adviceCode !== undefined && Object.hasOwn(ADVICE, adviceCode)
  const advice = isAdvised ? ADVICE[adviceCode] : undefined
  return {
    reason: meaning?.reason ?? 'generic',
    retry: advice ?? meaning?.retry ?? 'unspecified',
    ...(stripeCode === undefined ? {} : { stripeCode }),
    isUnlisted: stripeCode !== undefined && meaningOf(stripeCode) === undefined,
  }
}

const meaningOf = (code: string | undefined): Meaning | undefined =>
  code !== undefined && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined

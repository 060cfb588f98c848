import { networkAdvice } from '../kit/advice.ts'
import { declineTable, type Meaning } from '../kit/declines.ts'
import { entryOf } from '../kit/json.ts'
import type { Declined, RetryAdvice } from '../outcome.ts'

/** Pure: what Stripe's codes mean in our words. */

/** Codes of declines: `decline_code`, else `code`, else the charge's `failure_code`. */
const MEANINGS = declineTable([
  // Cards
  [
    'authentication-failed',
    'after-customer-acts',
    'incorrect_pin invalid_pin payment_intent_authentication_failure pin_try_exceeded ' +
      'setup_intent_authentication_failure',
  ],
  [
    'authentication-required',
    'after-customer-acts',
    'authentication_not_handled authentication_required mobile_device_authentication_required ' +
      'offline_pin_required online_or_offline_pin_required',
  ],
  ['blocked', 'never', 'highest_risk_level merchant_blacklist previously_declined_do_not_retry rule'],
  ['card-not-supported', 'after-customer-acts', 'service_not_allowed transaction_not_allowed'],
  ['card-not-supported', 'never', 'card_not_supported'],
  ['currency-not-supported', 'never', 'currency_not_supported'],
  [
    'do-not-honour',
    'after-customer-acts',
    'call_issuer do_not_honor new_account_information_available no_action_taken not_permitted ' +
      'security_violation',
  ],
  ['do-not-honour', 'never', 'do_not_try_again'],
  ['duplicate', 'never', 'duplicate_transaction'],
  ['expired-card', 'never', 'expired_card'],
  ['generic', 'after-customer-acts', 'card_declined generic_decline'],
  ['generic', 'later', 'approve_with_id'],
  ['generic', 'never', 'testmode_decline'],
  ['incorrect-address', 'after-customer-acts', 'incorrect_address incorrect_zip'],
  ['incorrect-cvc', 'after-customer-acts', 'incorrect_cvc invalid_cvc'],
  [
    'incorrect-number',
    'after-customer-acts',
    'incorrect_number invalid_expiry_month invalid_expiry_year invalid_number',
  ],
  ['insufficient-funds', 'later', 'insufficient_funds'],
  ['issuer-unavailable', 'later', 'issuer_not_available'],
  [
    'limit-exceeded',
    'later',
    'card_decline_rate_limit_exceeded card_velocity_exceeded withdrawal_count_limit_exceeded',
  ],
  ['limit-exceeded', 'never', 'invalid_amount'],
  ['lost-card', 'never', 'lost_card restricted_card'],
  [
    'mandate-revoked',
    'never',
    'revocation_of_all_authorizations revocation_of_authorization stop_payment_order',
  ],
  ['no-account', 'never', 'invalid_account'],
  ['processing-error', 'later', 'processing_error reenter_transaction try_again_later'],
  ['stolen-card', 'never', 'pickup_card stolen_card'],
  ['suspected-fraud', 'never', 'fraudulent'],
  // Bank debits
  ['account-closed', 'never', 'account_closed account_frozen bank_ownership_changed'],
  ['authentication-required', 'after-customer-acts', 'bank_account_unverified'],
  ['blocked', 'never', 'bank_account_unusable payment_method_bank_account_blocked'],
  ['card-not-supported', 'never', 'payment_method_unactivated'],
  ['currency-not-supported', 'never', 'invalid_currency'],
  ['customer-cancelled', 'after-customer-acts', 'payment_method_customer_decline'],
  ['debit-not-authorised', 'never', 'bank_account_restricted debit_not_authorized'],
  ['do-not-honour', 'after-customer-acts', 'payment_method_provider_decline'],
  ['expired', 'after-customer-acts', 'payment_intent_payment_attempt_expired'],
  ['generic', 'after-customer-acts', 'payment_intent_payment_attempt_failed'],
  ['generic', 'never', 'bank_account_exists'],
  ['issuer-unavailable', 'later', 'payment_method_provider_timeout'],
  ['mandate-revoked', 'never', 'invalid_mandate'],
  ['no-account', 'never', 'invalid_account_number no_account payment_method_microdeposit_failed'],
  ['processing-error', 'later', 'could_not_process'],
])

/** Stripe's advice about a retry wins over the table, and that of the card network over both. */
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
  readonly networkAdviceCode?: string | undefined
  readonly networkDeclineCode?: string | undefined
  readonly brand?: string | undefined
}

export interface Decline extends Meaning, Pick<Declined, 'retryAfterMs' | 'byNetwork'> {
  /** The most specific code of Stripe. */
  readonly stripeCode?: string
  readonly isUnlisted: boolean
}

export function declineOf({ declineCode, code, adviceCode, brand, ...network }: Codes): Decline {
  const { networkAdviceCode: advice, networkDeclineCode: response } = network
  const stripeCode = declineCode ?? code
  const meaning = MEANINGS.get(declineCode ?? '') ?? MEANINGS.get(code ?? '')
  return {
    reason: meaning?.reason ?? 'generic',
    retry: entryOf(ADVICE, adviceCode) ?? meaning?.retry ?? 'unspecified',
    ...networkAdvice({ advice, response, brand }),
    ...(stripeCode === undefined ? {} : { stripeCode }),
    isUnlisted: stripeCode !== undefined && !MEANINGS.has(stripeCode),
  }
}

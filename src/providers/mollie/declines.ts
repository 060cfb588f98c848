import { declineOf as declineBy, declineTable } from '../kit/declines.ts'
import type { Snapshot } from '../outcome.ts'

/** Pure: what Mollie's reasons for a failed payment mean in our words. */

/** `details.failureReason` of cards, and `statusReason.code`, which names reasons of card networks. */
const REASONS = declineTable([
  ['insufficient-funds', 'later', 'insufficient_funds insufficient_balance'],
  ['expired-card', 'never', 'card_expired expired_card'],
  ['incorrect-cvc', 'after-customer-acts', 'invalid_cvv decline_for_cvv2_failure'],
  [
    'incorrect-number',
    'after-customer-acts',
    'invalid_card_number invalid_card_holder_name invalid_account_number invalid_issuer',
  ],
  [
    'lost-card',
    'never',
    'lost_card inactive_card restricted_card pickup_card pick_up_card_special_condition',
  ],
  ['stolen-card', 'never', 'stolen_card'],
  ['suspected-fraud', 'never', 'possible_fraud suspected_fraud fraud_security_related security_violation'],
  ['blocked', 'never', 'policy_related violation_of_law transaction_does_not_fulfill_aml_requirement'],
  [
    'card-not-supported',
    'never',
    'invalid_card_type transaction_not_permitted_to_cardholder transaction_not_allowed_at_terminal ' +
      'domestic_debit_transaction_not_allowed',
  ],
  ['authentication-required', 'after-customer-acts', 'authentication_required'],
  [
    'authentication-failed',
    'after-customer-acts',
    'authentication_failed authentication_abandoned authentication_unavailable_acs',
  ],
  [
    'do-not-honour',
    'after-customer-acts',
    'card_declined refused_by_issuer do_not_honor refer_to_card_issuer contact_card_issuer ' +
      'refer_to_card_issuer_special_condition',
  ],
  [
    'limit-exceeded',
    'later',
    'exceeds_withdrawal_amount_limit exceeds_withdrawal_count_limit invalid_amount',
  ],
  ['issuer-unavailable', 'later', 'issuer_unavailable credit_issuer_unavailable'],
  [
    'processing-error',
    'later',
    'error system_malfunction unable_to_route_transaction format_error re_enter_transaction',
  ],
  ['duplicate', 'never', 'duplicate_transaction'],
  ['account-closed', 'never', 'closed_account'],
  ['no-account', 'never', 'no_credit_account no_checking_account no_savings_account'],
  ['mandate-revoked', 'never', 'mandate_revoked transaction_reversed lifecycle_related'],
  ['generic', 'after-customer-acts', 'unknown_reason no_action_taken'],
])

/** How a payment ended that has no reason. */
const ENDS = declineTable([
  ['customer-cancelled', 'after-customer-acts', 'canceled'],
  ['expired', 'after-customer-acts', 'expired'],
  ['generic', 'unspecified', 'failed'],
])

interface Refusal {
  readonly status: string
  readonly code?: string | undefined
  readonly message?: string | undefined
}

export function declineOf({ status, code, message }: Refusal): NonNullable<Snapshot['decline']> {
  const meaning = code === undefined ? ENDS.get(status) : REASONS.get(code)
  return declineBy(meaning, { code: code ?? status, ...(message ? { message } : {}) })
}

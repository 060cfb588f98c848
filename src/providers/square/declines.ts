import type { DeclineReason, ProviderMessage, RetryAdvice, Snapshot } from '../outcome.ts'

/** Pure: what Square's error codes mean in our words. */
interface Meaning {
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
}

const never = (reason: DeclineReason): Meaning => ({ reason, retry: 'never' })
const later = (reason: DeclineReason): Meaning => ({ reason, retry: 'later' })
const acts = (reason: DeclineReason): Meaning => ({ reason, retry: 'after-customer-acts' })

const CODES: Readonly<Record<string, Meaning>> = {
  ACCOUNT_UNUSABLE: never('account-closed'),
  ADDRESS_VERIFICATION_FAILURE: acts('incorrect-address'),
  ALLOWABLE_PIN_TRIES_EXCEEDED: acts('authentication-failed'),
  AMOUNT_TOO_HIGH: never('limit-exceeded'),
  BAD_EXPIRATION: acts('expired-card'),
  BUYER_REFUSED_PAYMENT: acts('customer-cancelled'),
  CARDHOLDER_INSUFFICIENT_PERMISSIONS: never('card-not-supported'),
  CARD_DECLINED: acts('do-not-honour'),
  CARD_DECLINED_CALL_ISSUER: acts('do-not-honour'),
  CARD_DECLINED_VERIFICATION_REQUIRED: acts('authentication-required'),
  CARD_EXPIRED: never('expired-card'),
  CARD_NOT_SUPPORTED: never('card-not-supported'),
  CARD_TOKEN_EXPIRED: acts('method-removed'),
  CARD_TOKEN_USED: acts('method-removed'),
  CHIP_INSERTION_REQUIRED: acts('authentication-required'),
  CURRENCY_MISMATCH: never('currency-not-supported'),
  CVV_FAILURE: acts('incorrect-cvc'),
  EXPIRATION_FAILURE: acts('expired-card'),
  GENERIC_DECLINE: acts('generic'),
  GIFT_CARD_AVAILABLE_AMOUNT: later('insufficient-funds'),
  INSUFFICIENT_FUNDS: later('insufficient-funds'),
  INSUFFICIENT_PERMISSIONS: never('card-not-supported'),
  INVALID_ACCOUNT: never('no-account'),
  INVALID_CARD: acts('incorrect-number'),
  INVALID_CARD_DATA: acts('incorrect-number'),
  INVALID_EXPIRATION: acts('expired-card'),
  INVALID_EXPIRATION_DATE: acts('expired-card'),
  INVALID_EXPIRATION_YEAR: acts('expired-card'),
  INVALID_PIN: acts('authentication-failed'),
  INVALID_POSTAL_CODE: acts('incorrect-address'),
  MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED: never('card-not-supported'),
  PAN_FAILURE: acts('incorrect-number'),
  PAYMENT_LIMIT_EXCEEDED: later('limit-exceeded'),
  RESERVATION_DECLINED: acts('generic'),
  SOURCE_EXPIRED: acts('method-removed'),
  SOURCE_USED: acts('method-removed'),
  TRANSACTION_LIMIT: later('limit-exceeded'),
  UNSUPPORTED_CARD_BRAND: never('card-not-supported'),
  UNSUPPORTED_CURRENCY: never('currency-not-supported'),
  UNSUPPORTED_INSTRUMENT_TYPE: never('card-not-supported'),
  UNSUPPORTED_SOURCE_TYPE: never('card-not-supported'),
  VERIFY_AVS_FAILURE: acts('incorrect-address'),
  VERIFY_CVV_FAILURE: acts('incorrect-cvc'),
  VOICE_FAILURE: acts('do-not-honour'),
  // Refunds
  INSUFFICIENT_PERMISSIONS_FOR_REFUND: never('blocked'),
  PAYMENT_NOT_REFUNDABLE: never('blocked'),
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: never('blocked'),
  REFUND_ALREADY_PENDING: later('processing-error'),
  REFUND_AMOUNT_INVALID: never('limit-exceeded'),
  REFUND_DECLINED: acts('generic'),
  REFUND_ERROR_PAYMENT_NEEDS_COMPLETION: never('blocked'),
}

/** Refused by the bank or by Square, and no error in the request. */
export const isDecline = (code: string, category: string): boolean =>
  Object.hasOwn(CODES, code) || category === 'PAYMENT_METHOD_ERROR' || category === 'REFUND_ERROR'

export function declineOf(code: string, raw: ProviderMessage): NonNullable<Snapshot['decline']> {
  const meaning = Object.hasOwn(CODES, code) ? CODES[code] : undefined
  return meaning ? { ...meaning, raw } : { reason: 'generic', retry: 'unspecified', isUnlisted: true, raw }
}

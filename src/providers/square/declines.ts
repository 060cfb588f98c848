import { declineOf as declineBy, declineTable } from '../kit/declines.ts'
import type { ProviderMessage, Snapshot } from '../outcome.ts'

/** Pure: what Square's error codes mean in our words. */
const CODES = declineTable([
  ['account-closed', 'never', 'ACCOUNT_UNUSABLE'],
  ['authentication-failed', 'after-customer-acts', 'ALLOWABLE_PIN_TRIES_EXCEEDED INVALID_PIN'],
  [
    'authentication-required',
    'after-customer-acts',
    'CARD_DECLINED_VERIFICATION_REQUIRED CHIP_INSERTION_REQUIRED',
  ],
  [
    'blocked',
    'never',
    'INSUFFICIENT_PERMISSIONS_FOR_REFUND PAYMENT_NOT_REFUNDABLE PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE ' +
      'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION',
  ],
  [
    'card-not-supported',
    'never',
    'CARDHOLDER_INSUFFICIENT_PERMISSIONS CARD_NOT_SUPPORTED INSUFFICIENT_PERMISSIONS ' +
      'MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED UNSUPPORTED_CARD_BRAND UNSUPPORTED_INSTRUMENT_TYPE ' +
      'UNSUPPORTED_SOURCE_TYPE',
  ],
  ['currency-not-supported', 'never', 'CURRENCY_MISMATCH UNSUPPORTED_CURRENCY'],
  ['customer-cancelled', 'after-customer-acts', 'BUYER_REFUSED_PAYMENT'],
  ['do-not-honour', 'after-customer-acts', 'CARD_DECLINED CARD_DECLINED_CALL_ISSUER VOICE_FAILURE'],
  [
    'expired-card',
    'after-customer-acts',
    'BAD_EXPIRATION EXPIRATION_FAILURE INVALID_EXPIRATION INVALID_EXPIRATION_DATE ' +
      'INVALID_EXPIRATION_YEAR',
  ],
  ['expired-card', 'never', 'CARD_EXPIRED'],
  ['generic', 'after-customer-acts', 'GENERIC_DECLINE RESERVATION_DECLINED REFUND_DECLINED'],
  [
    'incorrect-address',
    'after-customer-acts',
    'ADDRESS_VERIFICATION_FAILURE INVALID_POSTAL_CODE VERIFY_AVS_FAILURE',
  ],
  ['incorrect-cvc', 'after-customer-acts', 'CVV_FAILURE VERIFY_CVV_FAILURE'],
  ['incorrect-number', 'after-customer-acts', 'INVALID_CARD INVALID_CARD_DATA PAN_FAILURE'],
  ['insufficient-funds', 'later', 'GIFT_CARD_AVAILABLE_AMOUNT INSUFFICIENT_FUNDS'],
  ['limit-exceeded', 'later', 'PAYMENT_LIMIT_EXCEEDED TRANSACTION_LIMIT'],
  ['limit-exceeded', 'never', 'AMOUNT_TOO_HIGH REFUND_AMOUNT_INVALID'],
  ['method-removed', 'after-customer-acts', 'CARD_TOKEN_EXPIRED CARD_TOKEN_USED SOURCE_EXPIRED SOURCE_USED'],
  ['no-account', 'never', 'INVALID_ACCOUNT'],
  ['processing-error', 'later', 'REFUND_ALREADY_PENDING'],
])

/** Refused by the bank or by Square, and no error in the request. */
export const isDecline = (code: string, category: string): boolean =>
  CODES.has(code) || category === 'PAYMENT_METHOD_ERROR' || category === 'REFUND_ERROR'

export const declineOf = (code: string, raw: ProviderMessage): NonNullable<Snapshot['decline']> =>
  declineBy(CODES.get(code), raw)

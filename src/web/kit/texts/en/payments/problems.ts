import { ATTEMPTS, UNDONE } from '../../../../../payments/history/view.ts'
import { ENGLISH, type ProblemWords } from '../../../../../payments/problems.ts'

/** Problems of a payment and how its attempts stand. In English these are mostly the words of the API. */
export const problems: ProblemWords & {
  readonly attempt: Readonly<Record<keyof typeof ATTEMPTS, string>>
  readonly undo: Readonly<Record<keyof typeof UNDONE, string>>
  /** Decline reasons and failure codes in a list. */
  readonly reasons: Readonly<Record<string, string>>
} = {
  ...ENGLISH,
  plain: { ...ENGLISH.plain, 'bank-return': "The customer's bank returned the debit." },
  attempt: ATTEMPTS,
  undo: UNDONE,
  reasons: {
    generic: 'Declined',
    'insufficient-funds': 'Insufficient funds',
    'lost-card': 'Lost card',
    'stolen-card': 'Stolen card',
    'expired-card': 'Expired card',
    'incorrect-number': 'Wrong card number',
    'incorrect-cvc': 'Wrong security code',
    'incorrect-address': 'Wrong address',
    'limit-exceeded': 'Limit exceeded',
    'card-not-supported': 'Card not supported',
    'currency-not-supported': 'Currency not supported',
    'authentication-required': 'Authentication required',
    'authentication-failed': 'Authentication failed',
    'suspected-fraud': 'Suspected fraud',
    blocked: 'Blocked by the provider',
    'do-not-honour': 'Declined by the bank without a reason',
    'issuer-unavailable': 'Bank not reachable',
    'processing-error': 'Processing error',
    'account-closed': 'Account closed',
    'no-account': 'No such account',
    'debit-not-authorised': 'Debit not authorised',
    'mandate-revoked': 'Mandate revoked',
    'method-removed': 'Method removed',
    duplicate: 'Duplicate',
    'customer-cancelled': 'Cancelled by the customer',
    expired: 'Expired',
    underpaid: 'Underpaid',
    declined: 'Declined',
    cancelled: 'Cancelled',
    provider_rejected: 'Not accepted by the provider',
    fraud_rejected: 'Stopped by a fraud rule',
    authorization_expired: 'Authorisation expired',
  },
}

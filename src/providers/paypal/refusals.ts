import type { HttpReply } from '../../net/http.ts'
import { declineTable } from '../kit/declines.ts'
import { listAt, textAt } from '../kit/json.ts'
import { failureIn, isSuccess, messageOf, type Replied, type ReplyRules, type Why } from '../kit/reply.ts'
import type { Declined, DeclineReason, NotDone, ProviderMessage, RetryAdvice, Unknown } from '../outcome.ts'

/** What an issue of PayPal means. `unknown`: an earlier request of the same operation may have succeeded. */
export type PaypalIssue =
  | { readonly kind: 'declined'; readonly reason: DeclineReason; readonly retry: RetryAdvice }
  | { readonly kind: 'not-done'; readonly why: NotDone['why'] }
  | { readonly kind: 'unknown' }

const declined = (reason: DeclineReason, retry: RetryAdvice): PaypalIssue => ({
  kind: 'declined',
  reason,
  retry,
})
const notDone = (why: NotDone['why']): PaypalIssue => ({ kind: 'not-done', why })
const UNKNOWN: PaypalIssue = { kind: 'unknown' }

const table = (rows: readonly (readonly [PaypalIssue, string])[]): ReadonlyMap<string, PaypalIssue> =>
  new Map(rows.flatMap(([issue, codes]) => codes.split(/\s+/).map((code) => [code, issue] as const)))

/** Issues of the statuses 400, 403 and 422 (`details[].issue`). */
export const ISSUES = table([
  [declined('insufficient-funds', 'after-customer-acts'), 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING'],
  [declined('insufficient-funds', 'later'), 'REFUND_FAILED_INSUFFICIENT_FUNDS'],
  [declined('expired-card', 'never'), 'CARD_EXPIRED REFERENCED_CARD_EXPIRED'],
  [declined('authentication-required', 'after-customer-acts'), 'PAYER_ACTION_REQUIRED'],
  [declined('authentication-failed', 'after-customer-acts'), 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED'],
  [
    declined('do-not-honour', 'after-customer-acts'),
    'INSTRUMENT_DECLINED PAYER_CANNOT_PAY PAYMENT_SOURCE_DECLINED_BY_PROCESSOR',
  ],
  [declined('do-not-honour', 'later'), 'DECLINED_DUE_TO_RELATED_TXN'],
  [
    declined('blocked', 'never'),
    'TRANSACTION_REFUSED PAYEE_BLOCKED_TRANSACTION TRANSACTION_BLOCKED_BY_PAYEE COMPLIANCE_VIOLATION ' +
      'DOMESTIC_TRANSACTION_REQUIRED PAYER_ACCOUNT_RESTRICTED REFUND_NOT_ALLOWED REFUND_IS_RESTRICTED ' +
      'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK TRANSACTION_DISPUTED PARTIAL_REFUND_NOT_ALLOWED',
  ],
  [declined('account-closed', 'never'), 'PAYER_ACCOUNT_LOCKED_OR_CLOSED'],
  [
    declined('limit-exceeded', 'later'),
    'TRANSACTION_LIMIT_EXCEEDED TRANSACTION_RECEIVING_LIMIT_EXCEEDED MAX_VALUE_EXCEEDED',
  ],
  [
    declined('limit-exceeded', 'never'),
    'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED MAX_NUMBER_OF_REFUNDS_EXCEEDED',
  ],
  [
    declined('method-removed', 'never'),
    'AGREEMENT_ALREADY_CANCELLED BILLING_AGREEMENT_NOT_FOUND TOKEN_ID_NOT_FOUND TOKEN_EXPIRED ' +
      'INVALID_VAULT_ID MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE',
  ],
  [
    declined('card-not-supported', 'after-customer-acts'),
    'PAYMENT_SOURCE_CANNOT_BE_USED CARD_BRAND_NOT_SUPPORTED',
  ],
  [
    declined('incorrect-address', 'after-customer-acts'),
    'SHIPPING_ADDRESS_INVALID BILLING_ADDRESS_INVALID CITY_REQUIRED POSTAL_CODE_REQUIRED ' +
      'INVALID_COUNTRY_CODE',
  ],
  [
    declined('currency-not-supported', 'never'),
    'INVALID_CURRENCY_CODE CURRENCY_NOT_SUPPORTED_FOR_COUNTRY CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE',
  ],
  [declined('expired', 'after-customer-acts'), 'ORDER_EXPIRED'],
  [declined('expired', 'never'), 'REFUND_TIME_LIMIT_EXCEEDED'],

  // The account of the merchant cannot take payments.
  [
    notDone('bad-credentials'),
    'PAYEE_ACCOUNT_RESTRICTED PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_INVALID ' +
      'PAYEE_ACCOUNT_NOT_VERIFIED PERMISSION_DENIED CONSENT_NEEDED',
  ],
  [
    notDone('unsupported'),
    'AUTH_CAPTURE_NOT_ENABLED NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE UNSUPPORTED_INTENT ' +
      'UNSUPPORTED_INTENT_FOR_PAYMENT_SOURCE NOT_ELIGIBLE_FOR_TOKEN_PROCESSING REAUTHORIZATION_NOT_SUPPORTED',
  ],
  [
    notDone('wrong-state'),
    'ORDER_NOT_APPROVED ACTION_DOES_NOT_MATCH_INTENT AUTHORIZATION_VOIDED AUTHORIZATION_EXPIRED ' +
      'AUTHORIZATION_DENIED AUTHORIZATION_ALREADY_CAPTURED MAX_CAPTURE_COUNT_EXCEEDED PREVIOUSLY_CAPTURED ' +
      'PREVIOUSLY_VOIDED CANNOT_BE_VOIDED CAPTURE_FULLY_REFUNDED PENDING_CAPTURE',
  ],
  [
    notDone('bad-request'),
    'REFUND_AMOUNT_EXCEEDED REFUND_AMOUNT_TOO_LOW MAX_CAPTURE_AMOUNT_EXCEEDED CURRENCY_MISMATCH ' +
      'AUTH_CAPTURE_CURRENCY_MISMATCH REFUND_CAPTURE_CURRENCY_MISMATCH DECIMAL_PRECISION ' +
      'DECIMALS_NOT_SUPPORTED AMOUNT_MISMATCH CANNOT_BE_NEGATIVE CANNOT_BE_ZERO_OR_NEGATIVE ' +
      'ITEM_TOTAL_MISMATCH ITEM_TOTAL_REQUIRED TAX_TOTAL_MISMATCH ' +
      'MULTI_CURRENCY_ORDER INCOMPATIBLE_PARAMETER_VALUE PAYPAL_REQUEST_ID_REQUIRED',
  ],

  // The invoice number of an operation is its own key, so a duplicate is an earlier request of the operation.
  [
    UNKNOWN,
    'DUPLICATE_INVOICE_ID DUPLICATE_REQUEST_ID PREVIOUS_REQUEST_IN_PROGRESS ORDER_COMPLETION_IN_PROGRESS ' +
      'ORDER_ALREADY_CAPTURED ORDER_ALREADY_AUTHORIZED ORDER_ALREADY_COMPLETED ORDER_COMPLETED_OR_VOIDED',
  ],
])

/** Response codes of the payer's bank (`processor_response.response_code`). */
export const BANK_CODES = declineTable([
  ['do-not-honour', 'unspecified', '0500 5700 5800 9540'],
  ['incorrect-cvc', 'after-customer-acts', '00N7 5110'],
  ['insufficient-funds', 'later', '5120'],
  ['incorrect-number', 'after-customer-acts', '1330'],
  ['card-not-supported', 'never', '5180'],
  ['expired-card', 'never', '5400'],
  ['authentication-required', 'after-customer-acts', '5650'],
  ['suspected-fraud', 'never', '9500'],
  ['lost-card', 'never', '9520'],
  ['processing-error', 'later', '9100'],
  ['generic', 'unspecified', '5100'],
])

/** Undefined for replies that are for the caller to read: 2xx, 400, 403, 404 and 422. */
export const failureOf = (reply: HttpReply, now: Date): NotDone | Unknown | undefined =>
  reply.kind === 'reply' && [400, 403, 404, 422].includes(reply.status)
    ? undefined
    : failureIn(reply, now, RULES)

const RULES: ReplyRules<Why> = {
  message: wordsIn,
  refusal({ status }) {
    if (status === 401 || status === 415 || status === 429) return undefined
    // 409: another request with this id is being processed.
    return status >= 409 ? 'server-error' : 'unreadable-reply'
  },
}

/** The refusal in a reply. Undefined for 2xx. */
export function refusalOf(reply: Replied): Declined | NotDone | Unknown | undefined {
  const { status } = reply
  if (isSuccess(status)) return undefined
  const raw = messageIn(reply)
  const known = ISSUES.get(raw.code ?? '')
  if (known?.kind === 'unknown') return { kind: 'unknown', why: 'server-error', raw }
  if (known) return { ...known, raw }
  if (status === 404) return { kind: 'not-done', why: 'not-found', raw }
  if (status === 403) return { kind: 'not-done', why: 'bad-credentials', raw }
  if (status === 400) return { kind: 'not-done', why: 'bad-request', raw }
  return { kind: 'declined', reason: 'generic', retry: 'unspecified', raw, isUnlisted: true }
}

/** The first issue, else the name of the error. */
function wordsIn(body: unknown) {
  const [detail] = listAt(body, 'details')
  return {
    code: textAt(detail, 'issue') ?? textAt(body, 'name') ?? textAt(body, 'error'),
    message: textAt(detail, 'description') ?? textAt(body, 'message') ?? textAt(body, 'error_description'),
  }
}

export const messageIn = ({ status, body }: Replied): ProviderMessage =>
  messageOf({ status, ...wordsIn(body) })

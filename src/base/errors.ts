import type { Mistake } from './mistakes.ts'

/**
 * All errors of the API. The `code`, status and title of an answer, docs/reference/errors.md and the OpenAPI
 * document all come from this table. Decision 0091.
 */
export const ERRORS = {
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    help: 'Send JSON in UTF-8, at most 32 levels deep, with finite numbers, without NUL or lone surrogates.',
  },
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    help: 'Every bad field is listed in `errors`. Correct them and send the request again.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    help: 'Send `Authorization: Bearer <API key>` with a key that is neither revoked nor expired.',
  },
  invalid_signature: {
    status: 401,
    title: 'The notification is not genuine',
    help: 'The signature does not verify. Check the webhook secret that the provider profile was given.',
  },
  forbidden: {
    status: 403,
    title: 'The key does not belong to this app',
    help: 'Use the API key of the app named in the path. Sandbox and live apps have separate keys.',
  },
  key_scope: {
    status: 403,
    title: 'The API key is limited to other scopes',
    help: '`detail` names the scopes that allow it. Use a key with one of them, or one with full access.',
  },
  app_blocked: {
    status: 403,
    title: 'The app is blocked',
    help: 'An owner or admin can unblock it in the console: Settings › Danger zone.',
  },
  sandbox_only: {
    status: 403,
    title: 'This is possible in sandbox apps only',
    help: 'Use the sandbox app of the licence.',
  },
  otp_required: {
    status: 403,
    title: 'A one-time code or a new sign-in is needed',
    help: 'Send `otpCode`, or sign in again where `detail` says so. `TypeName` is `Need2FaException`.',
  },
  otp_invalid: {
    status: 403,
    title: 'The one-time code is wrong or has expired',
    help: 'Send `otpCode` with the current code. `TypeName` is `Invalid2FaException`.',
  },
  otp_not_enrolled: {
    status: 403,
    title: 'A second factor must be set up first',
    help: 'Set it up under My profile in the console. `TypeName` is `NeedToActive2FaException`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'Check the path and the id. Ids of another app are not found either.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This path has no such method',
    help: 'The `Allow` header lists the methods of this path.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'Send the whole request within 15 seconds.',
  },
  reference_id_reused: {
    status: 409,
    title: 'This referenceId belongs to another payment',
    help: 'A referenceId names one payment for ever. Use a new one, or repeat the first request unchanged.',
  },
  payment_not_capturable: {
    status: 409,
    title: 'The payment cannot be captured now',
    help: 'Only an authorised payment can be captured. `allowedActions` lists what is possible now.',
  },
  payment_not_cancellable: {
    status: 409,
    title: 'The payment cannot be cancelled now',
    help: 'A captured payment is refunded instead. `allowedActions` lists what is possible now.',
  },
  payment_not_refundable: {
    status: 409,
    title: 'The payment cannot be refunded now',
    help: 'Only captured money can be refunded. `allowedActions` lists what is possible now.',
  },
  refund_too_late: {
    status: 422,
    title: 'The time for refunds of this method is over',
    help: 'Methods by name have a limit in days, in the guide about methods. Send the money in another way.',
  },
  payment_not_held: {
    status: 409,
    title: 'The payment is not held',
    help: 'Only a payment held by a fraud rule can be released. `allowedActions` lists what is possible now.',
  },
  payment_not_payable: {
    status: 409,
    title: 'The payment cannot be paid now',
    help: 'It is already being paid, has ended, or its link has expired.',
  },
  payment_busy: {
    status: 409,
    transient: true,
    title: 'Something else is being done with the payment',
    help: 'Another request is being carried out. Send yours again after the seconds given in `Retry-After`.',
  },
  action_not_allowed: {
    status: 409,
    title: 'The payment does not allow this now',
    help: '`allowedActions` lists what is possible now.',
  },
  too_many_api_keys: {
    status: 409,
    title: 'The app has as many API keys as it may have',
    help: 'Revoke a key that is not used any more, or rotate one with `overlapSeconds: 0`.',
  },
  too_many_webhook_endpoints: {
    status: 409,
    title: 'The app has as many webhook endpoints as it may have',
    help: 'Remove an endpoint that is not used any more.',
  },
  member_exists: {
    status: 409,
    title: 'The person already has this role',
    help: 'Choose another role, or leave the member as it is.',
  },
  last_owner: {
    status: 409,
    title: 'The licence would be left without an owner',
    help: 'Make another member an owner first.',
  },
  customer_exists: {
    status: 409,
    title: 'This customerId is already taken',
    help: 'Update the customer with PATCH, or choose another customerId.',
  },
  token_in_use: {
    status: 409,
    title: 'This token belongs to another customer',
    help: 'A token of a provider belongs to one customer. Compare the line with the list of the provider.',
  },
  customer_busy: {
    status: 409,
    title: 'A payment of the customer is being carried out',
    help: 'Wait until the payment has ended, and send the request again.',
  },
  checkout_host_taken: {
    status: 409,
    title: 'This host name belongs to another app',
    help: 'Another app has proved this host name. Choose another one, or remove it from the other app first.',
  },
  refund_limit_reached: {
    status: 409,
    title: 'The app has made as many refunds today as it allows',
    help: 'Wait for the next day of the time zone of the app, or raise `maxThresholdRefundCountDaily`.',
  },
  refund_needs_approval: {
    status: 409,
    title: 'A second person must approve this refund',
    help: 'The request is saved. Another member who may refund approves or refuses it in the console.',
  },
  fraud_policy_in_use: {
    status: 409,
    title: 'The default fraud policy cannot be deleted',
    help: 'Make another policy the default, or none, and delete it then.',
  },
  idempotency_key_in_use: {
    status: 409,
    transient: true,
    title: 'A request with this Idempotency-Key is still running',
    help: 'Wait for the first request to end and repeat this one to get its answer.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'A body may have at most 256 KiB, a settlement report or an import at most 25 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    help: 'Send `Content-Type: application/json`.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'The request line and all headers together may have at most 16 KiB.',
  },
  no_profile_for_currency: {
    status: 422,
    title: 'No provider takes this currency',
    help: 'Add or activate a provider profile that takes the currency.',
  },
  profile_not_usable: {
    status: 422,
    title: 'The provider profile cannot be used',
    help: 'The profile must be active, belong to this app, and be able to do what the payment asks for.',
  },
  invalid_profile_settings: {
    status: 422,
    title: 'The provider does not accept these settings',
    help: 'Each wrong setting is listed in `errors`.',
  },
  other_account: {
    status: 422,
    title: 'The credentials are of another account',
    help: 'Payments and stored methods exist in the own account only. Add a profile for the other one.',
  },
  no_stored_method: {
    status: 422,
    title: 'The customer has no usable stored method',
    help: 'Register one with a payment that has `registerAutoPayment: true`.',
  },
  amount_out_of_bounds: {
    status: 422,
    title: 'The amount is not possible',
    help:
      'Capture at most what was authorised and refund at most what was captured and not yet refunded. ' +
      'Providers have a smallest and a largest amount for each currency.',
  },
  wrong_settlement_report: {
    status: 422,
    title: 'The file is not a settlement report of this profile',
    help: 'Nothing of it was booked. Send the file that `detail` asks for, or the general CSV of the guide.',
  },
  token_not_known: {
    status: 422,
    title: 'The provider does not know this token',
    help: '`detail` has the reason. Compare token and profile; the guide has the form of each provider.',
  },
  wrong_import_file: {
    status: 422,
    title: 'The file cannot be imported',
    help: 'Nothing of it was imported. Correct what `detail` says; the guide has the columns.',
  },
  customer_blocked: {
    status: 422,
    title: 'The customer is blocked',
    help: 'Unblock the customer before taking payments from them.',
  },
  unknown_fraud_policy: {
    status: 422,
    title: 'There is no such fraud policy',
    help: 'Use the id of a fraud policy of this app, as `GET …/fraud-policies` lists them.',
  },
  card_number_not_allowed: {
    status: 422,
    title: 'Card numbers are not accepted here',
    help: 'Card numbers go to the provider, never through this API. Remove the number from the field.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another request',
    help: 'Use a new key for a new request; repeat a request unchanged to get its first answer.',
  },
  not_possible: {
    status: 422,
    title: 'Well-formed but impossible',
    help: 'The detail says what stands in the way.',
  },
  too_many_requests: {
    status: 429,
    transient: true,
    title: 'Too many requests',
    help: 'Wait for the seconds given in `Retry-After`.',
  },
  internal_error: {
    status: 500,
    title: 'Something broke on our side',
    help: 'Nothing is lost: read the payment to see its true state. Report the requestId.',
  },
  unavailable: {
    status: 503,
    transient: true,
    title: 'The service cannot answer now',
    help: 'Try again after the seconds given in `Retry-After`. Repeating a request is always safe.',
  },
} as const satisfies Record<string, ErrorInfo>

interface ErrorInfo {
  readonly status: number
  /** The same request may succeed later: sent with `Retry-After`, never kept under an Idempotency-Key. */
  readonly transient?: true
  readonly title: string
  readonly help: string
}

export type ErrorCode = keyof typeof ERRORS

export interface FieldError {
  readonly field: string
  /** A whole sentence. */
  readonly message: string
  /** The same as a code with values, for pages in other languages. */
  readonly mistake?: Mistake
}

export interface ErrorExtras {
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** This refusal passes by itself, although others with its code do not. */
  readonly transient?: boolean
  /** The detail is in the language of the page that throws it. */
  readonly isTranslated?: true
  /** Further members of the answer, such as `paymentState` and `allowedActions`. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Thrown to refuse a request. http/ turns it into the answer. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  constructor(code: ErrorCode, detail: string, extras: ErrorExtras = {}) {
    super(detail)
    this.code = code
    this.extras = extras
  }
  get status(): number {
    return ERRORS[this.code].status
  }
  /** The same request may succeed later, without anything else being done. */
  get isTransient(): boolean {
    return (ERRORS[this.code] as ErrorInfo).transient ?? this.extras.transient ?? false
  }
}

export const notFound = (what: string): ApiError => new ApiError('not_found', `${what} was not found.`)

export const invalid = (errors: readonly FieldError[]): ApiError =>
  new ApiError('invalid_request', errors.map(({ message }) => message).join(' '), { errors })

/** The sentence about a field of the API that no form has: `wrongField('Host', 'is required')`. */
export const wrongField = (field: string, what: string): FieldError => ({
  field,
  message: `${field} ${what}.`,
})

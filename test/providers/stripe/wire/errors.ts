/** The body of an error reply. */
export interface ErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly advice_code?: string | undefined
  readonly network_decline_code?: string | undefined
  readonly message: string
  readonly param?: string | undefined
  readonly charge?: string | undefined
  readonly doc_url?: string | undefined
  readonly payment_intent?: unknown
  readonly payment_method?: unknown
  readonly setup_intent?: unknown
}

/** Thrown by handlers and sent as the reply. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** A correct client never causes it: it becomes a line in `violations`. */
  readonly violation: boolean
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    body: ErrorBody,
    options: { readonly violation?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(body.message)
    this.status = status
    this.body = body
    this.violation = options.violation ?? false
    this.headers = options.headers ?? {}
  }
}

/** A request that breaks the API's form. */
export const broken = (message: string, code?: string, param?: string): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', code, message, param }, { violation: true })

/** A well-formed request that the provider refuses. */
export const refused = (message: string, code?: string, param?: string): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', code, message, param })

export const missing = (kind: string, id: string, param?: string): StripeError =>
  new StripeError(param ? 400 : 404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? 'id',
  })

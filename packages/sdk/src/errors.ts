import type { Problem } from './generated/types.ts'

/** The codes of the service's errors, and those of the SDK for calls without a usable answer. */
export type TenderErrorCode = Problem['code'] | 'no_answer' | 'timed_out' | 'unreadable_answer'

interface ErrorDetails {
  readonly code: TenderErrorCode
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly problem?: Problem | undefined
  readonly cause?: unknown
}

/**
 * A call was refused or got no usable answer. `code` is for your program, `message` for your log.
 *
 * After `no_answer`, `timed_out` and a status of 500 or more it is not known whether the call had an effect:
 * read the payment, or repeat the call with the same `idempotencyKey`.
 */
export class TenderError extends Error {
  override readonly name = 'TenderError'
  readonly code: TenderErrorCode
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** When the same call may be sent again. */
  readonly retryAfterSeconds: number | undefined
  /** The body of the answer, with further members such as `paymentState` and `allowedActions`. */
  readonly problem: (Problem & Readonly<Record<string, unknown>>) | undefined

  constructor({ code, message, status, requestId, retryAfterSeconds, problem, cause }: ErrorDetails) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.problem = problem as (Problem & Record<string, unknown>) | undefined
  }

  /** Whether the same call, with the same `idempotencyKey`, may succeed later. */
  get isRetryable(): boolean {
    const isUnknown = this.code === 'no_answer' || this.code === 'timed_out' || (this.status ?? 0) >= 500
    return isUnknown || this.status === 429 || this.retryAfterSeconds !== undefined
  }

  /** Every field that the service refused. */
  get fields(): readonly { readonly field: string; readonly message: string }[] {
    const fields: unknown = this.problem?.errors
    return Array.isArray(fields) ? fields : []
  }
}

/** The error for an answer with a status other than 2xx. */
export function refusal(response: Response, text: string): TenderError {
  const { status, headers } = response
  const problem = problemIn(text)
  return new TenderError({
    code: problem?.code ?? 'unreadable_answer',
    message: problem?.detail ?? `The answer has the status ${status} and is not from Tender.`,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter(headers.get('retry-after')),
    problem,
  })
}

function problemIn(text: string): Problem | undefined {
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null
    return typeof problem?.code === 'string' && typeof problem.detail === 'string'
      ? (problem as Problem)
      : undefined
  } catch {
    return undefined
  }
}

/** In seconds; a proxy may send a date instead. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

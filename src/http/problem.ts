import { ApiError, ERRORS, type ErrorCode, type FieldError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData, type Log } from '../base/log.ts'

/** An error response of RFC 9457, with two more members for older clients. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly errors?: readonly Pick<FieldError, 'field' | 'message'>[]
  readonly requestId: string
  readonly TypeName: string
  readonly Message: string
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** `reference_id_reused` → `ReferenceIdReused` */
const typeName = (code: ErrorCode): string =>
  code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())

export function problemOf(error: ApiError, requestId: string): Problem {
  const { title, status } = ERRORS[error.code]
  const { errors, members } = error.extras
  return {
    type: `/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(errors ? { errors: errors.map(({ field, message }) => ({ field, message })) } : {}),
    requestId,
    TypeName: typeName(error.code),
    Message: error.message,
    ...members,
  }
}

/**
 * Maps any failure to an error for the caller. Internal failures are logged here and not disclosed.
 * `bodyBytes` is what a body of the route may have.
 */
export function toApiError(
  error: unknown,
  log: Log,
  requestId: string,
  bodyBytes: number = LIMITS.bodyBytes,
): ApiError {
  if (error instanceof ApiError) return error
  const known = fromDatabase(error) ?? fromFramework(error, bodyBytes)
  if (known) {
    if (known.status >= 500) log.warn('request.unavailable', { requestId, ...errorData(error) })
    // Validation should have refused the value and named its field, so log where it did not.
    else if (isDataException(error)) log.warn('request.data_exception', { requestId, ...errorData(error) })
    return known
  }
  log.error('request.failed', { requestId, ...errorData(error) })
  return new ApiError('internal_error', 'Something broke on our side. Report the requestId.')
}

/**
 * PostgreSQL's class 22, data exception: NUL in text or json, a number or time beyond its column. Also an
 * index entry that is too long. Statements are prepared, so the value in the request is the cause.
 */
const INPUT_AT_FAULT = /^(?:22[0-9A-Z]{3}|54000)$/

const isDataException = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && INPUT_AT_FAULT.test(code)
}

function fromDatabase(error: unknown): ApiError | undefined {
  const { name } = (error ?? {}) as { name?: unknown }
  // By name, because http must not import from db.
  if (name === 'DatabaseAwayError') return new ApiError('unavailable', 'The database cannot be reached.')
  if (isDataException(error))
    return new ApiError('malformed_request', 'A value cannot be stored: it is out of range or too long.')
  return undefined
}

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string, field?: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The body must be JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    'The body is not as long as Content-Length says.',
    'Content-Length',
  ],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['malformed_request', 'Content-Type is required.', 'Content-Type'],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not valid percent-encoded UTF-8.', 'path'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'The path was not found.'],
}

function fromFramework(error: unknown, bodyBytes: number): ApiError | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError('payload_too_large', `The body has more than ${bodyBytes / 1024} KiB.`)
  const known = code === undefined ? undefined : FRAMEWORK_ERRORS[code]
  if (known) return frameworkError(...known)
  // ECONNRESET: the connection was lost while the body was read, so the answer cannot arrive.
  if (statusCode === 400 || code === 'ECONNRESET')
    return new ApiError('malformed_request', 'The request cannot be read.')
  return undefined
}

function frameworkError(code: ErrorCode, detail: string, field?: string): ApiError {
  return new ApiError(code, detail, field === undefined ? {} : { errors: [{ field, message: detail }] })
}

import type { Reply } from './world.ts'

/** Names and messages of PayPal's errors by status. */
const ERRORS: Readonly<Record<number, readonly [name: string, message: string]>> = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', "The server does not support the request payload's media type."],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable.'],
}

export interface Detail {
  readonly issue: string
  readonly field?: string
  readonly value?: string
  readonly location?: 'body' | 'path' | 'query'
}

interface Link {
  readonly href: string
  readonly rel: string
  readonly method?: string
}

let problems = 0

export function problem(status: number, details: readonly Detail[] = [], links: readonly Link[] = []): Reply {
  const [name, message] = ERRORS[status] ?? ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.']
  const debugId = (0xf0_0000_0000 + ++problems).toString(16)
  const body = { name, message, debug_id: debugId, ...(details.length > 0 ? { details } : {}), links }
  return { status, body }
}

export const unprocessable = (issue: string, field?: string): Reply =>
  problem(422, [field === undefined ? { issue } : { issue, field, location: 'body' }])

export const notFound = (): Reply => problem(404, [{ issue: 'INVALID_RESOURCE_ID', location: 'path' }])

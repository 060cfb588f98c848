import type { ApiDocument, Operation } from './document.ts'
import type { FuzzAnswer } from './wire/exchange.ts'
import type { FuzzRequest } from './wire/request.ts'
import type { Sent } from './world.ts'

export interface Checking {
  readonly document: ApiDocument
  /** Texts that no response may contain. */
  readonly secrets: readonly string[]
}

/** Problems of a response. The same defect always has the same text. */
export function problemsOf({ document, secrets }: Checking, sent: Sent, answer: FuzzAnswer): string[] {
  if (answer.status === 0 || answer.cut) return lostProblems(sent, answer)
  const operation = document.operations.find(({ id }) => id === sent.operationId)
  return [
    ...(answer.status >= 500 ? [`answered ${answer.status}`] : []),
    ...headerProblems(answer),
    ...leaks(sent.request, answer, secrets),
    ...(isPage(sent.request) && !isProblem(answer)
      ? pageProblems(answer)
      : apiProblems(document, operation, sent.request, answer)),
  ]
}

/** The service may respond and close the connection before it has read a large body. */
const LARGE_BYTES = 200 * 1024

function lostProblems({ request }: Sent, { cut }: FuzzAnswer): string[] {
  const isLarge = (request.body?.length ?? 0) > LARGE_BYTES
  return isLarge ? [] : [`incomplete response: ${cut}`]
}

const PAGES = /^\/+(?:c\/|p(?:\/|$)|sandbox\/|docs|assets\/|checkout|test-cards|$)/

const isPage = ({ path, raw }: FuzzRequest): boolean => raw === undefined && PAGES.test(path)

const isProblem = ({ headers }: FuzzAnswer): boolean =>
  headers.get('content-type')?.startsWith('application/problem+json') === true

function headerProblems({ headers }: FuzzAnswer): string[] {
  const location = headers.get('location')
  return [
    ...(headers.get('x-request-id') ? [] : ['has no X-Request-Id']),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['has no nosniff']),
    ...(headers.get('cache-control') ? [] : ['has no Cache-Control']),
    ...(location !== undefined && !/^[\x21-\x7e]+$/.test(location) ? ['has an invalid Location'] : []),
  ]
}

const TRACES: readonly (readonly [RegExp, string])[] = [
  [/\bat (?:async )?[\w.<>]+ \(?(?:file:|\/|node:)/, 'shows a stack'],
  [/\.(?:ts|js):\d+:\d+/, 'shows a source line'],
  [/\b(?:select|insert into|update|delete from)\b.{1,80}\b(?:from|set|values|where)\b.*\$\d/is, 'shows SQL'],
  [/\b(?:violates|relation "|syntax error at|pg_catalog|FST_ERR|ERR_HTTP)/, 'shows an internal error'],
]

/** A response may echo the request. */
function leaks(request: FuzzRequest, { text }: FuzzAnswer, secrets: readonly string[]): string[] {
  const sent = request.body?.toString('utf8') ?? ''
  return [
    ...TRACES.filter(([pattern]) => pattern.test(text) && !pattern.test(sent)).map(([, what]) => what),
    ...(secrets.some((secret) => text.includes(secret)) ? ['shows a secret'] : []),
  ]
}

function pageProblems({ status, headers, text }: FuzzAnswer): string[] {
  const type = headers.get('content-type') ?? ''
  if (status === 304) return []
  if (status >= 300 && status < 400)
    return headers.has('location') ? [] : ['is a redirect without a Location']
  // A script requests the live state of a payment.
  return /^(?:text\/|application\/json|image\/)/.test(type) || text === ''
    ? []
    : [`is a page of type ${type}`]
}

function apiProblems(
  document: ApiDocument,
  operation: Operation | undefined,
  request: FuzzRequest,
  answer: FuzzAnswer,
): string[] {
  const { status } = answer
  // Asked for what has changed, and nothing has: a matter of HTTP, not of the operation.
  const isKnown = status === 304 && request.headers.some(([name]) => /^if-none-match$/i.test(name))
  const undeclared = operation && !operation.responses.has(status) && !GENERAL.has(status) && !isKnown
  return [
    ...(undeclared ? [`answered ${status}, which the operation does not declare`] : []),
    ...(status >= 400 ? refusalProblems(document, request, answer) : []),
    ...(status < 300 && operation ? successProblems(operation, request, answer) : []),
  ]
}

/** Statuses of responses before the operation is known. */
const GENERAL: ReadonlySet<number> = new Set([400, 404, 408, 413, 415, 417, 429, 431])

const UNREAD: ReadonlySet<number> = new Set([400, 408, 431])

interface Problem {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly Message: string
  readonly requestId: string
  readonly errors?: readonly { readonly field: string }[]
}

/** Error codes about a value, which must name the field. */
const NAMES_FIELD: ReadonlySet<string> = new Set([
  'invalid_request',
  'card_number_not_allowed',
  'unknown_fraud_policy',
  'invalid_profile_settings',
  'amount_out_of_bounds',
])

function refusalProblems(document: ApiDocument, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer
  if (!isProblem(answer)) return [`answered ${status} with ${headers.get('content-type') ?? 'no type'}`]
  // If the request was refused before its method was read, the response has a body.
  if (request.method === 'HEAD') return text === '' || UNREAD.has(status) ? [] : ['answered HEAD with a body']
  const value = parsed(text)
  const wrong = document.problem(value)
  if (wrong) return [`is not a problem document: ${wrong}`]
  const problem = value as Problem
  const mustName =
    NAMES_FIELD.has(problem.code) || (problem.code === 'malformed_request' && problem.detail !== NOT_HTTP)
  return [
    ...(problem.status === status ? [] : ['has another status in the body']),
    ...(problem.Message === problem.detail ? [] : ['has another Message than detail']),
    ...(problem.requestId === headers.get('x-request-id') || headers.has('idempotent-replayed')
      ? []
      : ['has another requestId than X-Request-Id']),
    ...(mustName && !problem.errors?.some(({ field }) => field) ? [`${problem.code} names no field`] : []),
  ]
}

/** Not a valid request: it has no fields to name. */
const NOT_HTTP = 'This is not a valid HTTP request.'

function successProblems({ responses }: Operation, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer
  const declared = responses.get(status)
  if (!declared) return []
  if (request.method === 'HEAD') return text === '' ? [] : ['answered HEAD with a body']
  if (declared.types.length === 0) return []
  const type = headers.get('content-type') ?? ''
  if (!declared.types.some((one) => type.startsWith(one)))
    return [`answered ${type} and not ${declared.types.join(', ')}`]
  if (!declared.types.includes('application/json')) return []
  const wrong = declared.problemOf(parsed(text))
  return wrong ? [`does not match its schema: ${wrong}`] : []
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

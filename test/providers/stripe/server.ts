import { type ArmedError, createKeys, type Gate, recordRequest, retryAfter, takeArmed } from '../kit/gate.ts'
import { partsOf } from '../kit/multipart.ts'
import type { SimulatedReply, SimulatedRequest } from '../kit/simulator.ts'
import { expanded } from './expand.ts'
import { READS } from './reads.ts'
import type { Route } from './route.ts'
import { broken, type ErrorBody, StripeError } from './wire/errors.ts'
import { type FormHash, parseForm } from './wire/form.ts'
import { beginKey, endKey, type StripeKeys } from './wire/keys.ts'
import { checkMembers, type TypedHash } from './wire/params.ts'
import { newId, type State } from './world/state.ts'
import { WRITES } from './writes.ts'

const API_VERSION = '2026-10-28.endive'
const ROUTES: readonly Route[] = [...READS, ...WRITES]

export interface ApiOptions {
  readonly state: State
  /** Keys that the account accepts for everything. */
  readonly keys: readonly string[]
  /** Restricted keys, with the beginnings of the paths that they may not use. */
  readonly denied: ReadonlyMap<string, readonly string[]>
  readonly gate: Gate
  /** Lets a test hold a request after its key was taken. */
  hold(route: Route): Promise<void>
}

/** Answers `/v1/…`. */
export function createApi(options: ApiOptions) {
  const keys: StripeKeys = createKeys(options.state.now)
  return async (request: SimulatedRequest): Promise<SimulatedReply> => {
    const reply = await answer(options, keys, request).catch((error: unknown) =>
      failed(options, request, error),
    )
    recordRequest(options.gate, request, reply.status)
    return reply
  }
}

async function answer(options: ApiOptions, keys: StripeKeys, request: SimulatedRequest) {
  checkCredentials(options, request)
  const { route, id } = routeOf(request)
  checkHeaders(request, route)
  const key = request.headers['idempotency-key']
  const raw = route.path === FILES ? filesIn(request) : parseForm(queryOf(request, route))
  const params = checkMembers(route.schema, raw)
  if (key === undefined || route.method === 'GET') return execute(options, route, { id, params, key })
  const replayed = beginKey(keys, key, `${request.method} ${request.url.pathname} ${JSON.stringify(raw)}`)
  if (replayed) return replayed
  await options.hold(route)
  try {
    const reply = execute(options, route, { id, params, key })
    endKey(keys, key, reply, true)
    return reply
  } catch (error) {
    const reply = failed(options, request, error)
    endKey(keys, key, reply, !(error instanceof StripeError && error.violation))
    return reply
  }
}

const FILES = '/v1/files'

const queryOf = ({ url, body }: SimulatedRequest, { method }: Route): string =>
  method === 'GET' ? url.search.slice(1) : body

/** The members of an upload; a file has its name and content. */
function filesIn({ headers, body }: SimulatedRequest): FormHash {
  const parts = partsOf(headers['content-type'], body)
  if (!parts) throw broken('Invalid request (check that your POST content type is multipart/form-data).')
  return Object.fromEntries(
    parts.map(({ name, fileName, content }) => [
      name,
      fileName === undefined ? content : { name: fileName, content },
    ]),
  )
}

function execute(
  options: ApiOptions,
  route: Route,
  call: { readonly id: string; readonly params: TypedHash; readonly key: string | undefined },
): SimulatedReply {
  const { state } = options
  applyArmed(options, route)
  const object = route.handle({ state, ...call })
  const paths = (call.params.expand ?? []) as readonly string[]
  return json(200, expanded(state, object, paths))
}

function applyArmed({ gate, state }: ApiOptions, route: Route): void {
  const behaviour = takeArmed(gate, route.operation)
  if (!behaviour) return
  if (behaviour.kind === 'pending') {
    state.pendingNext.add(behaviour.operation === 'start' ? 'charge' : behaviour.operation)
    return
  }
  if (behaviour.kind === 'error') throw armedError(behaviour)
  const { code, operation } = behaviour
  if (operation === 'start') state.nextPageDecline = code
  else if (operation === 'charge') state.nextChargeDecline = code
  else throw armedDecline(operation, code)
}

function armedError(behaviour: ArmedError): StripeError {
  const { status, code } = behaviour
  const headers = retryAfter(behaviour)
  const type = status >= 500 ? 'api_error' : 'invalid_request_error'
  return new StripeError(status, { type, code, message: `Simulated error ${status}` }, { headers })
}

const armedDecline = (operation: string, code: string): StripeError =>
  operation === 'capture'
    ? new StripeError(402, {
        type: 'card_error',
        code: 'card_declined',
        decline_code: code,
        message: 'The capture was declined.',
      })
    : new StripeError(400, { type: 'invalid_request_error', code, message: `Refused: ${code}` })

function checkCredentials({ keys, denied }: ApiOptions, { headers, url }: SimulatedRequest): void {
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ')
  const given = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value
  if (keys.includes(given)) return
  const paths = denied.get(given)
  if (paths && !paths.some((path) => url.pathname.startsWith(path))) return
  if (paths)
    throw new StripeError(403, {
      type: 'invalid_request_error',
      message: `The provided key 'rk_test_***' does not have the required permissions for this endpoint.`,
    })
  const message = given
    ? `Invalid API Key provided: ${given.slice(0, 8)}***`
    : 'You did not provide an API key.'
  throw new StripeError(401, { type: 'invalid_request_error', message })
}

function routeOf({ method, url }: SimulatedRequest): { route: Route; id: string } {
  for (const route of ROUTES) {
    if (route.method !== method) continue
    const pattern = new RegExp(`^${route.path.replace(':id', '([A-Za-z0-9_]{1,255})')}$`)
    const match = pattern.exec(url.pathname)
    if (match) return { route, id: match[1] ?? '' }
  }
  throw new StripeError(
    404,
    { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${url.pathname}).` },
    { violation: true },
  )
}

function checkHeaders({ headers, body, url }: SimulatedRequest, route: Route): void {
  const version = headers['stripe-version']
  if (version !== API_VERSION) throw broken(`Invalid Stripe API version: ${version ?? 'none'}`)
  const key = headers['idempotency-key']
  if (key !== undefined && (key.length < 1 || key.length > 255)) throw broken('Invalid idempotency key')
  if (route.method === 'GET') {
    if (body !== '') throw broken('A GET request has no body')
    return
  }
  if (url.search !== '') throw broken('Parameters of a POST request belong into its body')
  if (route.path === FILES) return
  if (body !== '' && headers['content-type']?.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded')
    throw broken('Invalid request (check that your POST content type is application/x-www-form-urlencoded).')
  if (route.needsKey && key === undefined) throw broken('An Idempotency-Key is missing')
}

function failed({ gate }: ApiOptions, request: SimulatedRequest, error: unknown): SimulatedReply {
  const known =
    error instanceof StripeError
      ? error
      : new StripeError(500, { type: 'api_error', message: String(error) }, { violation: true })
  if (known.violation) gate.violations.push(`${request.method} ${request.url.pathname}: ${known.message}`)
  return json(known.status, { error: clean(known.body) }, known.headers)
}

const clean = (body: ErrorBody) => JSON.parse(JSON.stringify(body)) as object

const json = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): SimulatedReply => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': newId('req', 14), ...headers },
  body: JSON.stringify(body, null, 2),
})

import type { SeenRequest, SimulatedRequest } from '../kit/simulator.ts'
import { OTHER_ROUTES } from './others.ts'
import { PAYMENT_ROUTES } from './payments.ts'
import { type Answer, type Call, error, type Route } from './route.ts'
import type { State } from './state.ts'

/** Checks a request as Square does, then runs its route. */
export interface Gate {
  readonly state: State
  readonly token: string
  /** A token without permissions. */
  readonly powerlessToken: string
  readonly requests: SeenRequest[]
  readonly violations: string[]
  readonly kept: Map<string, Kept>
}

interface Kept {
  readonly body: string
  readonly at: number
  readonly answer: Answer
}

const RETENTION_MS = 86_400_000
const ROUTES = [...PAYMENT_ROUTES, ...OTHER_ROUTES]

interface Reply extends Answer {
  readonly headers?: Readonly<Record<string, string>>
}

export function answerTo(gate: Gate, request: SimulatedRequest): Reply {
  const { method, url, headers, body } = request
  const reply = checked(gate, request)
  gate.requests.push({ method, path: url.pathname + url.search, headers, body, status: reply.status })
  return reply
}

function checked(gate: Gate, request: SimulatedRequest): Reply {
  const { method, url, body } = request
  const where = `${method} ${url.pathname}`
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(url.pathname))
  if (!route) {
    gate.violations.push(`${where} does not exist`)
    return error(404, 'NOT_FOUND')
  }
  const refused = credentialsProblem(gate, request)
  if (refused) return refused
  const problems = [...headProblems(route, request), ...bodyProblems(route, request)]
  if (problems.length > 0) {
    gate.violations.push(`${where}: ${problems.join(', ')}`)
    return error(400, 'BAD_REQUEST', problems.join(', '))
  }
  const json = body === '' ? {} : (JSON.parse(body) as Call['body'])
  const [, id = ''] = route.pattern.exec(url.pathname) ?? []
  const call = { state: gate.state, body: json, query: url.searchParams, id }
  const key = url.pathname === '/v2/payments/cancel' ? undefined : json.idempotency_key
  return typeof key === 'string' ? once(gate, request, key, () => run(route, call)) : run(route, call)
}

/** The same key again gets the same answer, also a decline. Other errors are not kept. */
function once(
  { state, kept, violations }: Gate,
  { method, url, body }: SimulatedRequest,
  key: string,
  work: () => Reply,
): Reply {
  const name = `${method} ${url.pathname} ${key}`
  const first = kept.get(name)
  if (first && state.now() - first.at < RETENTION_MS) {
    if (first.body === body) return first.answer
    violations.push(`the key ${key} was used with another request`)
    return error(400, 'IDEMPOTENCY_KEY_REUSED')
  }
  const answer = work()
  if (answer.status < 300 || answer.status === 402) kept.set(name, { body, at: state.now(), answer })
  return answer
}

function run(route: Route, call: Omit<Call, 'isDelayed'>): Reply {
  const { armed } = call.state
  const index = armed.findIndex(({ operation }) => operation === route.operation)
  const [behaviour] = index < 0 ? [] : armed.splice(index, 1)
  if (behaviour?.kind === 'error') {
    const { status, code = 'BAD_REQUEST', retryAfterSeconds } = behaviour
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return { ...error(status, code), headers }
  }
  return route.run({
    ...call,
    isDelayed: behaviour?.kind === 'pending',
    ...(behaviour?.kind === 'decline' ? { refusal: behaviour.code } : {}),
  })
}

function credentialsProblem(gate: Gate, { headers }: SimulatedRequest): Answer | undefined {
  const { authorization = '' } = headers
  if (authorization === `Bearer ${gate.powerlessToken}`) return error(403, 'INSUFFICIENT_SCOPES')
  if (authorization === `Bearer ${gate.token}`) return undefined
  return error(401, 'UNAUTHORIZED', 'This request could not be authorized.')
}

function headProblems({ query = [] }: Route, { url, headers }: SimulatedRequest): string[] {
  const unknown = [...url.searchParams.keys()].filter((name) => !query.includes(name))
  return [
    ...unknown.map((name) => `unknown parameter ${name}`),
    ...(/^\d{4}-\d\d-\d\d$/.test(headers['square-version'] ?? '') ? [] : ['Square-Version is missing']),
  ]
}

function bodyProblems({ check }: Route, { headers, body }: SimulatedRequest): string[] {
  if (!check) return body === '' ? [] : ['a body is not expected']
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return ['the body is not JSON']
  try {
    return check(JSON.parse(body), 'body')
  } catch {
    return ['the body is not JSON']
  }
}

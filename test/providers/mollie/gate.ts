import type { ArmedBehaviour, SeenRequest, SimulatedRequest } from '../kit/simulator.ts'
import { type Answer, error, ROUTES, type Route } from './routes.ts'
import type { State } from './state.ts'

/** Checks a request as Mollie does, then runs its route. */
export interface Gate {
  readonly state: State
  readonly apiKey: string
  /** A key that may do nothing. */
  readonly powerlessKey: string
  readonly requests: SeenRequest[]
  readonly violations: string[]
  readonly armed: ArmedBehaviour[]
  readonly kept: Map<string, Kept>
}

interface Kept {
  readonly fingerprint: string
  readonly at: number
  readonly answer: Answer
}

const RETENTION_MS = 3_600_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

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
  const { method, url, headers } = request
  const where = `${method} ${url.pathname}`
  const refuse = (status: number, problem: string): Reply => {
    gate.violations.push(`${where}: ${problem}`)
    return error(status, problem)
  }
  const found = ROUTES.map((route) => ({ route, match: route.pattern.exec(url.pathname) })).find(
    ({ route, match }) => match && route.method === method,
  )
  if (!found?.match) return refuse(404, 'does not exist')
  const denied = credentialsProblem(gate, request)
  if (denied) return denied
  const { route, match } = found
  const problems = [...queryProblems(route, url), ...bodyProblems(route, request)]
  if (problems.length > 0) return refuse(422, problems.join(', '))
  const key = headers['idempotency-key']
  if (route.isKeyed && (key === undefined || !UUID.test(key))) return refuse(400, 'has no UUID as its key')
  const json = request.body === '' ? {} : JSON.parse(request.body)
  const call = { state: gate.state, body: json, query: url.searchParams, ids: match.slice(1), key }
  const work = () => run(gate, route, call)
  return key === undefined || method === 'GET' ? work() : once(gate, request, key, work)
}

/** The same key again gets the same answer for an hour. An error is not kept. */
function once(
  { state, kept, violations }: Gate,
  { method, url, body }: SimulatedRequest,
  key: string,
  work: () => Reply,
): Reply {
  const fingerprint = `${method} ${url.pathname} ${body}`
  const first = kept.get(key)
  if (first && state.now() - first.at < RETENTION_MS) {
    if (first.fingerprint !== fingerprint) violations.push(`the key ${key} was used with another request`)
    return { ...first.answer, headers: { 'idempotency-replayed': 'true' } }
  }
  const answer = work()
  if (answer.status < 300) kept.set(key, { fingerprint, at: state.now(), answer })
  return answer
}

type RunCall = Omit<Parameters<Route['run']>[0], 'isDelayed'>

function run({ armed }: Gate, route: Route, call: RunCall): Reply {
  const operation = route.operation?.(call.body)
  const index = armed.findIndex((behaviour) => behaviour.operation === operation)
  const [behaviour] = index < 0 ? [] : armed.splice(index, 1)
  if (behaviour?.kind === 'error') {
    const { status, code, retryAfterSeconds } = behaviour
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return { ...error(status, 'Armed error', code), headers }
  }
  return route.run({
    ...call,
    isDelayed: behaviour?.kind === 'pending',
    ...(behaviour?.kind === 'decline' ? { refusal: behaviour.code } : {}),
  })
}

function credentialsProblem({ apiKey, powerlessKey }: Gate, { headers }: SimulatedRequest) {
  const { authorization } = headers
  if (authorization === `Bearer ${powerlessKey}`) return error(403, 'This key has no permission.')
  if (authorization === `Bearer ${apiKey}`) return undefined
  return error(401, 'Missing authentication, or failed to authenticate')
}

const queryProblems = ({ query = {} }: Route, { searchParams }: URL): string[] =>
  [...searchParams].flatMap(([name, value]) =>
    query[name]?.test(value) ? [] : [`the parameter ${name} is unknown or wrong`],
  )

function bodyProblems({ check }: Route, { headers, body }: SimulatedRequest): string[] {
  // Mollie's own client sends an empty object.
  if (!check) return body === '' || body === '{}' ? [] : ['a body is not expected']
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return ['the body is not JSON']
  try {
    return check(JSON.parse(body), 'body')
  } catch {
    return ['the body is not JSON']
  }
}

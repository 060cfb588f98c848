import type { ArmedBehaviour, SeenRequest, SimulatedRequest } from '../kit/simulator.ts'
import { type Answer, error, ROUTES, type Route } from './routes.ts'
import type { State } from './state.ts'

/** Checks a request as Adyen does, then runs its route. */
export interface Gate {
  readonly state: State
  readonly apiKey: string
  /** A key without any role. */
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

const RETENTION_MS = 7 * 86_400_000

interface Reply extends Answer {
  readonly headers?: Readonly<Record<string, string>>
}

export function answerTo(gate: Gate, request: SimulatedRequest): Reply {
  const { method, url, headers, body } = request
  const reply = checked(gate, request)
  const path = url.pathname + url.search
  gate.requests.push({ method, path, headers, body, status: reply.status })
  return reply
}

function checked(gate: Gate, request: SimulatedRequest): Reply {
  const { method, url, headers } = request
  const where = `${method} ${url.pathname}`
  const found = ROUTES.map((route) => ({ route, match: route.pattern.exec(url.pathname) })).find(
    ({ route, match }) => match && route.method === method,
  )
  if (!found?.match) {
    gate.violations.push(`${where} does not exist`)
    return error(404, '000', 'not found')
  }
  const refused = credentialsProblem(gate, request)
  if (refused) return refused
  const problems = [...queryProblems(found.route, url), ...bodyProblems(found.route, request)]
  if (problems.length > 0) {
    gate.violations.push(`${where}: ${problems.join(', ')}`)
    return error(422, '702', problems.join(', '))
  }
  const json = request.body === '' ? {} : JSON.parse(request.body)
  const account = json.merchantAccount ?? url.searchParams.get('merchantAccount') ?? gate.state.account
  if (account !== gate.state.account) return error(403, '901', 'Invalid Merchant Account')
  const key = headers['idempotency-key']
  if (found.route.operation && method === 'POST' && (key === undefined || key.length > 64))
    gate.violations.push(`${where} without a key of at most 64 characters`)
  const call = { state: gate.state, body: json, query: url.searchParams, id: found.match[1] ?? '', key }
  return key === undefined
    ? run(gate, found.route, call)
    : once(gate, request, key, () => run(gate, found.route, call))
}

/** The same key again gets the same answer. An error is not kept. */
function once(
  { state, kept, violations }: Gate,
  { url, body }: SimulatedRequest,
  key: string,
  work: () => Reply,
): Reply {
  const fingerprint = `${url.pathname} ${body}`
  const first = kept.get(key)
  if (first && state.now() - first.at < RETENTION_MS) {
    if (first.fingerprint !== fingerprint) violations.push(`the key ${key} was used with another request`)
    return first.answer
  }
  const answer = work()
  if (answer.status < 300) kept.set(key, { fingerprint, at: state.now(), answer })
  return answer
}

type RunCall = Omit<Parameters<Route['run']>[0], 'isDelayed'>

function run({ armed }: Gate, route: Route, call: RunCall): Reply {
  const index = armed.findIndex(({ operation }) => operation === route.operation)
  const [behaviour] = index < 0 ? [] : armed.splice(index, 1)
  if (behaviour?.kind === 'error') {
    const { status, code = '000', retryAfterSeconds } = behaviour
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return { ...error(status, code, 'Armed error'), headers }
  }
  return route.run({
    ...call,
    isDelayed: behaviour?.kind === 'pending',
    ...(behaviour?.kind === 'decline' ? { refusal: behaviour.code } : {}),
  })
}

function credentialsProblem(gate: Gate, { headers }: SimulatedRequest): Answer | undefined {
  const key = headers['x-api-key']
  if (key === gate.powerlessKey) return error(403, '010', 'Not allowed')
  return key === gate.apiKey ? undefined : error(401, '000', 'HTTP Status Response - Unauthorized')
}

const queryProblems = ({ query = [] }: Route, { searchParams }: URL): string[] =>
  [...searchParams.keys()].flatMap((name) => (query.includes(name) ? [] : [`unknown parameter ${name}`]))

function bodyProblems({ check }: Route, { headers, body }: SimulatedRequest): string[] {
  if (!check) return body === '' ? [] : ['a body is not expected']
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return ['the body is not JSON']
  try {
    return check(JSON.parse(body), 'body')
  } catch {
    return ['the body is not JSON']
  }
}

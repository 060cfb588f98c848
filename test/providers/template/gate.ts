import type { ArmedBehaviour, SeenRequest, SimulatedRequest } from '../kit/simulator.ts'
import { type Answer, error, ROUTES, type Route } from './routes.ts'
import type { State } from './state.ts'

/** Checks a request as the provider does, then runs its route. */
export interface Gate {
  readonly state: State
  readonly apiKey: string
  readonly requests: SeenRequest[]
  readonly violations: string[]
  readonly armed: ArmedBehaviour[]
}

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
  const refuse = (status: number, problem: string): Reply => {
    gate.violations.push(`${method} ${url.pathname}: ${problem}`)
    return error(status, problem)
  }
  const found = ROUTES.map((route) => ({ route, match: route.pattern.exec(url.pathname) })).find(
    ({ route, match }) => match && route.method === method,
  )
  if (!found?.match) return refuse(404, 'acorn-pay: routes.ts: ROUTES has no such request')
  if (headers.authorization !== `Bearer ${gate.apiKey}`) return error(401, 'The API key is wrong.')
  const { route, match } = found
  const problems = bodyProblems(route, request)
  if (problems.length > 0) return refuse(422, problems.join(', '))
  const body = request.body === '' ? {} : JSON.parse(request.body)
  const ids = match.slice(1)
  // The same key again gets the first answer, for as long as the provider promises: keep the answers here.
  const key = headers['idempotency-key']
  return run(gate, route, { state: gate.state, body, query: url.searchParams, ids, key })
}

function run({ armed }: Gate, route: Route, call: Omit<Parameters<Route['run']>[0], 'isDelayed'>): Reply {
  const index = armed.findIndex(({ operation }) => operation === route.operation)
  const [behaviour] = index < 0 ? [] : armed.splice(index, 1)
  if (behaviour?.kind === 'error') {
    const { status, retryAfterSeconds } = behaviour
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return { ...error(status, 'Armed error'), headers }
  }
  return route.run({
    ...call,
    isDelayed: behaviour?.kind === 'pending',
    ...(behaviour?.kind === 'decline' ? { refusal: behaviour.code } : {}),
  })
}

function bodyProblems({ check }: Route, { body }: SimulatedRequest): string[] {
  if (!check) return body === '' ? [] : ['a body is not expected']
  try {
    return check(JSON.parse(body), 'body')
  } catch {
    return ['the body is not JSON']
  }
}

import type { Check } from './checks.ts'
import type {
  ApiOperation,
  ArmedBehaviour,
  SeenRequest,
  SimulatedReply,
  SimulatedRequest,
} from './simulator.ts'

/** The requests to an API, what was wrong with them, and what tests armed. */
export interface Gate {
  readonly requests: SeenRequest[]
  readonly violations: string[]
  readonly armed: ArmedBehaviour[]
}

/** An answer in JSON, before it is written. */
export interface Answer {
  readonly status: number
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export type ArmedError = Extract<ArmedBehaviour, { kind: 'error' }>

export function recordRequest({ requests }: Gate, request: SimulatedRequest, status: number): void {
  const { method, url, headers, body } = request
  requests.push({ method, path: url.pathname + url.search, headers, body, status })
}

/** Each armed behaviour serves one request. */
export function takeArmed({ armed }: Pick<Gate, 'armed'>, operation: ApiOperation | undefined) {
  const index = armed.findIndex((one) => one.operation === operation)
  return index < 0 ? undefined : armed.splice(index, 1)[0]
}

export const retryAfter = ({ retryAfterSeconds }: ArmedError): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }

/** The route of a request, with the groups of its pattern. */
export function findRoute<R extends { readonly method: string; readonly pattern: RegExp }>(
  routes: readonly R[],
  { method, url }: SimulatedRequest,
): { readonly route: R; readonly ids: readonly string[] } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(url.pathname) : null
    if (match) return { route, ids: match.slice(1) }
  }
  return undefined
}

export const isJson = ({ headers }: SimulatedRequest): boolean =>
  /^application\/json\b/.test(headers['content-type'] ?? '')

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes an answer. */
export const jsonReply = (
  { status, body, headers }: Answer,
  contentType = 'application/json',
): SimulatedReply => ({
  status,
  headers: { ...(body ? { 'content-type': contentType } : {}), ...headers },
  body: body ? JSON.stringify(body) : '',
})

interface UsedKey<Result> {
  /** What the key was used for. */
  readonly request: string
  readonly until: number
  /** Absent while the first request is processed. */
  result?: Result
}

/** Idempotency keys that a provider remembers. */
export interface Keys<Result> {
  /** The first use of a key. Undefined if there was none, or if it is forgotten. */
  find(key: string): UsedKey<Result> | undefined
  begin(key: string, request: string, keptMs: number): UsedKey<Result>
  drop(key: string): void
}

export function createKeys<Result>(now: () => number): Keys<Result> {
  const keys = new Map<string, UsedKey<Result>>()
  return {
    find(key) {
      const used = keys.get(key)
      return used && used.until > now() ? used : undefined
    },
    begin(key, request, keptMs) {
      const used = { request, until: now() + keptMs }
      keys.set(key, used)
      return used
    },
    drop: (key) => void keys.delete(key),
  }
}

// ---- APIs of JSON requests to a table of routes -----------------------------------------------------------

export interface GateCall<State> {
  readonly state: State
  /** As `check` accepted it. */
  readonly body: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
  /** The groups of the pattern. */
  readonly ids: readonly string[]
  /** The first of them, or empty. */
  readonly id: string
  readonly key: string | undefined
  /** Armed for this request: the provider's decline code. */
  readonly refusal?: string
  /** Armed for this request: it is decided later. */
  readonly isDelayed: boolean
}

export interface GateRoute<State> {
  readonly method: string
  readonly pattern: RegExp
  readonly operation?: ApiOperation | ((body: GateCall<State>['body']) => ApiOperation)
  /** Refuses unknown members and wrong types. Absent: no body. */
  readonly check?: Check
  /** The parameters that the route knows, with patterns of their values. */
  readonly query?: readonly string[] | Readonly<Record<string, RegExp>>
  run(call: GateCall<State>): Answer
}

/** What is particular to one provider. */
export interface GateRules<State, Route extends GateRoute<State>> {
  readonly state: State
  readonly routes: readonly Route[]
  /** An error in the provider's own form. */
  error(status: number, problem: string, code?: string): Answer
  /** The status of a request that breaks a schema. 422, if absent. */
  readonly invalidStatus?: number
  /** Refuses credentials. */
  denied(request: SimulatedRequest): Answer | undefined
  /** What else is wrong with a request, apart from its path, query and body. */
  problems?(request: SimulatedRequest): readonly string[]
  /** Refuses a well-formed request. `violate` records that a correct client does not send it. */
  refused?(
    sent: {
      readonly request: SimulatedRequest
      readonly route: Route
      readonly body: GateCall<State>['body']
    },
    violate: (problem: string) => void,
  ): Answer | undefined
  readonly keys?: KeyRules
}

interface KeyRules {
  readonly used: Keys<Answer>
  readonly keptMs: number
  /** The key of a request. Undefined: it may be done again. */
  keyOf(request: SimulatedRequest, body: Readonly<Record<string, unknown>>): string | undefined
  /** The requests that share one memory of keys. All, if absent. */
  scopeOf?(request: SimulatedRequest): string
  /** Whether an answer is given again. Only that of a done request, if absent. */
  keeps?(answer: Answer): boolean
  /** Headers of an answer that is given again. */
  readonly replayed?: Readonly<Record<string, string>>
  /** The answer to another request under a used key. The first answer, if absent. */
  readonly reused?: Answer
}

/** Checks a request as the provider does, runs its route, and records both. */
export function passGate<State, Route extends GateRoute<State>>(
  gate: Gate,
  rules: GateRules<State, Route>,
  request: SimulatedRequest,
): Answer {
  const answer = checked(gate, rules, request)
  recordRequest(gate, request, answer.status)
  return answer
}

function checked<State, Route extends GateRoute<State>>(
  gate: Gate,
  rules: GateRules<State, Route>,
  request: SimulatedRequest,
): Answer {
  const { method, url, headers } = request
  const where = `${method} ${url.pathname}`
  const found = findRoute(rules.routes, request)
  if (!found) {
    gate.violations.push(`${where} does not exist`)
    return rules.error(404, 'does not exist')
  }
  const denied = rules.denied(request)
  if (denied) return denied
  const { route, ids } = found
  const violate = (problem: string) => void gate.violations.push(`${where}: ${problem}`)
  const problems = [
    ...queryProblems(route.query ?? [], url),
    ...(rules.problems?.(request) ?? []),
    ...bodyProblems(route.check, request),
  ]
  if (problems.length > 0) {
    violate(problems.join(', '))
    return rules.error(rules.invalidStatus ?? 422, problems.join(', '))
  }
  const body = request.body === '' ? {} : JSON.parse(request.body)
  const refused = rules.refused?.({ request, route, body }, violate)
  if (refused) return refused
  const [id = ''] = ids
  const key = headers['idempotency-key']
  const call = { state: rules.state, body, query: url.searchParams, ids, id, key }
  return once(gate, rules.keys, { request, body, run: () => runArmed(gate, rules, { route, call }) })
}

interface Once {
  readonly request: SimulatedRequest
  readonly body: Readonly<Record<string, unknown>>
  run(): Answer
}

/** The same key again gets the same answer. */
function once({ violations }: Gate, keys: KeyRules | undefined, { request, body, run }: Once): Answer {
  const key = keys?.keyOf(request, body)
  if (!keys || key === undefined) return run()
  const { method, url } = request
  const name = `${keys.scopeOf?.(request) ?? ''} ${key}`
  const sent = `${method} ${url.pathname} ${request.body}`
  const first = keys.used.find(name)
  if (first?.result) {
    if (first.request !== sent) violations.push(`the key ${key} was used with another request`)
    if (first.request !== sent && keys.reused) return keys.reused
    return { ...first.result, ...(keys.replayed ? { headers: keys.replayed } : {}) }
  }
  const answer = run()
  const isKept = keys.keeps?.(answer) ?? answer.status < 300
  if (isKept) keys.used.begin(name, sent, keys.keptMs).result = answer
  return answer
}

interface Run<State, Route> {
  readonly route: Route
  readonly call: Omit<GateCall<State>, 'isDelayed'>
}

function runArmed<State, Route extends GateRoute<State>>(
  gate: Gate,
  { error }: GateRules<State, Route>,
  { route, call }: Run<State, Route>,
): Answer {
  const { operation } = route
  const armed = takeArmed(gate, typeof operation === 'function' ? operation(call.body) : operation)
  if (armed?.kind === 'error')
    return { ...error(armed.status, 'Armed error', armed.code), headers: retryAfter(armed) }
  return route.run({
    ...call,
    isDelayed: armed?.kind === 'pending',
    ...(armed?.kind === 'decline' ? { refusal: armed.code } : {}),
  })
}

function queryProblems(known: NonNullable<GateRoute<unknown>['query']>, { searchParams }: URL): string[] {
  const patterns = Array.isArray(known) ? Object.fromEntries(known.map((name) => [name, /^/])) : known
  return [...searchParams].flatMap(([name, value]) =>
    (patterns as Readonly<Record<string, RegExp>>)[name]?.test(value)
      ? []
      : [`the parameter ${name} is unknown or wrong`],
  )
}

function bodyProblems(check: Check | undefined, request: SimulatedRequest): string[] {
  // Some clients send an empty object.
  if (!check) return request.body === '' || request.body === '{}' ? [] : ['a body is not expected']
  const body = isJson(request) ? parsed(request.body) : undefined
  return body === undefined ? ['the body is not JSON'] : check(body, 'body')
}

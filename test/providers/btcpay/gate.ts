import { type Answer, findRoute, type Gate, isJson, parsed, retryAfter, takeArmed } from '../kit/gate.ts'
import type { SimulatedRequest } from '../kit/simulator.ts'
import { invalid, problem, type Site } from './handlers.ts'
import { existsIn, ROUTES, type Route } from './routes.ts'

/** Checks a request as the server does, then runs its route. */

export interface GateOptions {
  readonly site: Site
  readonly apiKey: string
  /** Permissions of the key. All, if absent. */
  readonly permissions?: readonly string[] | undefined
  readonly gate: Gate
}

export function answerTo(options: GateOptions, request: SimulatedRequest): Answer {
  const { site } = options
  const { method, url } = request
  site.store.tick()
  const found = findRoute(ROUTES, request)
  if (!found || !existsIn(site.version, method, url.pathname)) {
    site.violate(`${method} ${url.pathname} does not exist`)
    return { status: 404 }
  }
  const { route, ids } = found
  return (
    credentialsProblem(options, route, request) ??
    storeProblem(site, url.pathname) ??
    armedAnswer(options.gate, route) ??
    queryProblem(site, route, url.searchParams) ??
    run(site, { route, request, id: decodeURIComponent(ids[0] ?? '') })
  )
}

function credentialsProblem(options: GateOptions, route: Route, request: SimulatedRequest) {
  const { site, apiKey, permissions } = options
  if (route.permission === undefined) return undefined
  const { authorization } = request.headers
  if (authorization === undefined || !authorization.startsWith('token '))
    site.violate(`${request.method} ${request.url.pathname} without "Authorization: token …"`)
  if (authorization !== `token ${apiKey}`)
    return problem(401, 'unauthenticated', 'Authentication is required for accessing this endpoint')
  if (permissions && route.permission !== '' && !permissions.includes(route.permission))
    return {
      status: 403,
      body: {
        code: 'missing-permission',
        message: `Insufficient API Permissions. Please use an API key with permission "${route.permission}".`,
        missingPermission: route.permission,
      },
    }
  return undefined
}

/** A store that the key has no access to looks like a missing permission. */
function storeProblem({ store }: Site, path: string): Answer | undefined {
  const named = /^\/api\/v1\/stores\/([^/]+)/.exec(path)?.[1]
  if (named === undefined || named === store.id) return undefined
  return problem(403, 'missing-permission', 'Insufficient API Permissions.')
}

/** Nothing at the server is decided later. */
function armedAnswer(gate: Gate, { operation }: Route): Answer | undefined {
  const armed = takeArmed(gate, operation)
  if (armed?.kind === 'decline') return problem(400, armed.code, 'The request was declined')
  if (armed?.kind !== 'error') return undefined
  const { status, code = 'generic-error' } = armed
  return { ...problem(status, code, 'Armed error'), headers: retryAfter(armed) }
}

function queryProblem(site: Site, { query = [] }: Route, sent: URLSearchParams): Answer | undefined {
  const unknown = [...sent.keys()].filter((name) => !query.includes(name))
  if (unknown.length === 0) return undefined
  site.violate(`unknown query parameters: ${unknown.join(', ')}`)
  return invalid(unknown.map((path) => ({ path, message: 'Unknown parameter' })))
}

interface Run {
  readonly route: Route
  readonly request: SimulatedRequest
  readonly id: string
}

function run(site: Site, { route, request, id }: Run): Answer {
  const { url } = request
  const call = { method: request.method, path: url.pathname, query: url.searchParams }
  if (!route.check) {
    if (request.body !== '') site.violate(`${request.method} ${url.pathname} with a body`)
    return route.run(site, { ...call, body: undefined }, id)
  }
  if (!isJson(request)) {
    site.violate(`${request.method} ${url.pathname} with content type ${request.headers['content-type']}`)
    return problem(415, 'unsupported-media-type', 'The content type must be application/json')
  }
  const body = parsed(request.body)
  const problems = route.check(body, site)
  if (problems.length === 0) return route.run(site, { ...call, body }, id)
  site.violate(`${request.method} ${url.pathname}: ${JSON.stringify(problems)}`)
  return invalid(problems)
}

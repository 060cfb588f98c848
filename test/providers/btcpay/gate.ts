import type { ArmedBehaviour, SeenRequest } from '../kit/simulator.ts'
import { type Answer, invalid, problem, type Site } from './handlers.ts'
import { existsIn, ROUTES, type Route } from './routes.ts'

/** Checks a request as the server does, then runs its route. */

export interface GateOptions {
  readonly site: Site
  readonly apiKey: string
  /** Permissions of the key. All, if absent. */
  readonly permissions?: readonly string[] | undefined
  readonly armed: ArmedBehaviour[]
}

export interface Reply extends Answer {
  readonly headers?: Readonly<Record<string, string>>
}

type Request = Omit<SeenRequest, 'status'>

export function answerTo(options: GateOptions, request: Request): Reply {
  const { site } = options
  site.store.tick()
  const url = new URL(request.path, 'http://server')
  const found = ROUTES.map((route) => ({ route, match: route.pattern.exec(url.pathname) })).find(
    ({ route, match }) => match && route.method === request.method,
  )
  if (!found?.match || !existsIn(site.version, request.method, url.pathname)) {
    site.violate(`${request.method} ${url.pathname} does not exist`)
    return { status: 404 }
  }
  const { route, match } = found
  return (
    credentialsProblem(options, route, request) ??
    storeProblem(site, url.pathname) ??
    armedAnswer(options.armed, route) ??
    queryProblem(site, route, url.searchParams) ??
    run(site, { route, request, url, id: decodeURIComponent(match[1] ?? '') })
  )
}

function credentialsProblem({ site, apiKey, permissions }: GateOptions, route: Route, request: Request) {
  if (route.permission === undefined) return undefined
  const { authorization } = request.headers
  if (authorization === undefined || !authorization.startsWith('token '))
    site.violate(`${request.method} ${request.path} without "Authorization: token …"`)
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

function armedAnswer(armed: ArmedBehaviour[], { operation }: Route): Reply | undefined {
  const index = armed.findIndex(
    (behaviour) => behaviour.kind !== 'pending' && behaviour.operation === operation,
  )
  const [behaviour] = index < 0 ? [] : armed.splice(index, 1)
  if (!behaviour || behaviour.kind === 'pending') return undefined
  if (behaviour.kind === 'decline') return problem(400, behaviour.code, 'The request was declined')
  const { status, code = 'generic-error', retryAfterSeconds } = behaviour
  return {
    ...problem(status, code, 'Armed error'),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  }
}

function queryProblem(site: Site, { query = [] }: Route, sent: URLSearchParams): Answer | undefined {
  const unknown = [...sent.keys()].filter((name) => !query.includes(name))
  if (unknown.length === 0) return undefined
  site.violate(`unknown query parameters: ${unknown.join(', ')}`)
  return invalid(unknown.map((path) => ({ path, message: 'Unknown parameter' })))
}

interface Run {
  readonly route: Route
  readonly request: Request
  readonly url: URL
  readonly id: string
}

function run(site: Site, { route, request, url, id }: Run): Answer {
  const call = { method: request.method, path: url.pathname, query: url.searchParams }
  if (!route.check) {
    if (request.body !== '') site.violate(`${request.method} ${url.pathname} with a body`)
    return route.run(site, { ...call, body: undefined }, id)
  }
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    site.violate(`${request.method} ${url.pathname} with content type ${request.headers['content-type']}`)
    return problem(415, 'unsupported-media-type', 'The content type must be application/json')
  }
  const body = parsed(request.body)
  const problems = route.check(body, site)
  if (problems.length === 0) return route.run(site, { ...call, body }, id)
  site.violate(`${request.method} ${url.pathname}: ${JSON.stringify(problems)}`)
  return invalid(problems)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

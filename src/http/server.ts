import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { hasCardNumber } from '../base/cards/find.ts'
import type { Clock } from '../base/clock.ts'
import { ApiError, notFound } from '../base/errors.ts'
import { newRequestId, type Random } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'
import { createAnswerer, problemAnswer, type Repeats, renderRefusal, SAFE_HEADERS, send } from './answer.ts'
import { type AnsweredRequest, answeredRequest, routeOf } from './answered.ts'
import { isMediaType, readBody } from './body.ts'
import { answerBroken, answerConnects, answerExpectations, withoutHost } from './broken.ts'
import { clientAddress, NO_PROXIES, type ProxyTrust } from './client/address.ts'
import { newState, type RequestState, secureHeaders } from './client/request.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './content/concurrency.ts'
import { describingRoute } from './content/describing.ts'
import { createLargeBodies, type LargeBodies } from './content/large-bodies.ts'
import type { Guards } from './guard.ts'
import { healthRoutes } from './health.ts'
import { type AnonymousLimit, createAnonymousLimit } from './limits/anonymous.ts'
import { type OpenApiDocument, openApi } from './openapi.ts'
import { toApiError } from './problem.ts'
import { createWholeValues, type Route, routerPath, unversioned } from './route.ts'

export interface ServerOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly guards: Guards
  readonly repeats?: Repeats
  /** Rejects, or never ends, while the service cannot work. */
  readonly ready: () => Promise<unknown>
  readonly version: string
  readonly publicUrl: string
  /** Trusted proxies; none by default. */
  readonly trust?: ProxyTrust
  readonly limitAnonymous?: AnonymousLimit
  /** The whole request must have arrived by then. */
  readonly requestMs?: number
  /** Called after each answer was sent. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

export interface Server {
  /** For routes outside the API, such as pages. */
  readonly fastify: FastifyInstance
  add(routes: readonly Route[]): void
  routes(): readonly Route[]
  /** The OpenAPI document, built on first use, after all features have added their routes. */
  describe(): OpenApiDocument
  /** Returns the port, which the system chooses for 0. */
  listen(at: { readonly host: string; readonly port: number }): Promise<number>
  /** Accepts no new requests, waits for those in flight, and closes connections after a time limit. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    tender: RequestState
  }
  interface FastifyContextConfig {
    /** As in the API description, for logs. */
    template?: string
    /** `raw`: the handler gets the bytes. `ignored`: the body is not used. */
    body?: 'raw' | 'ignored'
    isSecret?: boolean
    /** The guard or the handler has its own rate limit; every other route is limited by address. */
    hasOwnLimit?: boolean
  }
}

/** A panel link carries two addresses of 2,048 characters; an id of 200, encoded, has at most 2,400. */
const MAX_PARAM_LENGTH = 8_192

export function createServer(options: ServerOptions): Server {
  const values = createWholeValues()
  const app = createFastify(options, values.encode)
  const routes: Route[] = []
  const concurrency = createConcurrencyLimit(options.clock)
  const largeBodies = createLargeBodies(options.clock)
  let stopping = false
  let document: OpenApiDocument | undefined

  function describe(): OpenApiDocument {
    document ??= openApi(routes, options)
    return document
  }

  function add(more: readonly Route[]): void {
    for (const route of more) {
      routes.push(route)
      values.add(route)
      register(app, { ...options, concurrency, largeBodies }, route)
    }
  }

  add(healthRoutes(options, () => stopping))
  add([describingRoute(describe)])

  return {
    fastify: app,
    add,
    routes: () => routes,
    describe,
    async listen(at) {
      refuseOtherMethods(app, routes)
      await app.listen(at)
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : at.port
    },
    async close() {
      stopping = true
      const closed = new AbortController()
      const cutOff = options.clock.sleep(LIMITS.stopMs, closed.signal).then(() => {
        if (!closed.signal.aborted) app.server.closeAllConnections()
      })
      const swept = closeWhenIdle(app, options.clock, closed.signal)
      await app.close()
      closed.abort()
      await Promise.all([cutOff, swept])
    },
  }
}

const SWEEP_MS = 50

/** `close` ends idle connections only once; this also ends those that become idle later. */
async function closeWhenIdle({ server }: FastifyInstance, clock: Clock, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    await clock.sleep(SWEEP_MS, closed)
    server.closeIdleConnections()
  }
}

function createFastify(options: ServerOptions, encode: (url: string) => string): FastifyInstance {
  const { log, random, requestMs = LIMITS.requestMs } = options
  const secure = secureHeaders(options.publicUrl)
  const newId = () => newRequestId(random, options.clock.now())
  const app = fastify({
    logger: false,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: requestMs,
    // Node swaps the two when the second is the shorter.
    http: {
      headersTimeout: Math.min(LIMITS.headersMs, requestMs),
      connectionsCheckingInterval: 500,
      // Node's own refusal lacks the common headers; addHooks checks Host instead.
      requireHostHeader: false,
    },
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      // Queries are parsed by readQuery, which is stricter.
      querystringParser: () => ({}),
    },
    // Both names of a path share one route, which halves the routes to create at start.
    rewriteUrl: (raw) => {
      raw.method = routedMethod(raw.method)
      return encode(unversioned(raw.url ?? '/'))
    },
    requestIdHeader: false,
    genReqId: (raw) => requestId(raw.headers['x-request-id'], newId),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerBroken(error, socket as Socket, newId(), secure),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(SAFE_HEADERS).headers(secure)
      send(reply as FastifyReply, problemAnswer(toApiError(error, log, request.id), request.id))
    },
  })
  answerExpectations(app.server, newId)
  app.decorateRequest('tender')
  answerConnects(app.server, newId, secure)
  addHooks(app, options)
  app.setNotFoundHandler((request, reply) => send(reply, problemAnswer(notFound('The path'), request.id)))
  app.setErrorHandler((error, request, reply) => {
    const { bodyLimit } = request.routeOptions
    send(reply, problemAnswer(toApiError(error, log, request.id, bodyLimit), request.id))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parse(request, bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  return app
}

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  const wanted = request.routeOptions.config.body
  request.tender.rawBody = bytes
  if (request.is404 || wanted !== undefined) return undefined
  return readBody(request.headers, bytes)
}

function addHooks(app: FastifyInstance, options: ServerOptions): void {
  const { clock, log, trust = NO_PROXIES, limitAnonymous = createAnonymousLimit(clock) } = options
  const secure = secureHeaders(options.publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    const address = clientAddress(request.socket.remoteAddress, request.headers, trust)
    request.tender = newState(clock.now().getTime(), address)
    reply.header('x-request-id', request.id).headers(SAFE_HEADERS).headers(secure)
    // Fastify refuses an invalid content type even without a body; readBody decides instead.
    const { headers } = request.raw
    if (headers['content-type'] !== undefined && !isMediaType(headers['content-type']))
      headers['content-type'] = 'application/octet-stream'
    const { hasOwnLimit = false, template } = request.routeOptions.config
    if (!hasOwnLimit) limitAnonymous(template, request.tender.network)
    done(withoutHost(request.raw))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { startedMs, scope, address } = request.tender
    const ms = clock.now().getTime() - startedMs
    log.info('request', {
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms,
      requestId: request.id,
      address,
      ...(scope === undefined ? {} : { appId: scope }),
    })
    options.onAnswered?.(answeredRequest(request, reply, ms))
    done()
  })
}

function requestId(sent: string | string[] | undefined, newId: () => string): string {
  const usable = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(sent) && !hasCardNumber(sent)
  return usable ? sent : newId()
}

interface Registering extends ServerOptions {
  readonly concurrency: ConcurrencyLimit
  readonly largeBodies: LargeBodies
}

function register(app: FastifyInstance, options: Registering, route: Route): void {
  const guard = route.auth === 'none' ? undefined : options.guards[route.auth]
  const { clock, log, repeats, concurrency } = options
  const answerer = createAnswerer(route, { clock, log, repeats, concurrency })
  const handler: typeof answerer = (request, reply) => {
    const work = () => answerer(request, reply)
    return request.tender.place?.during(work) ?? work()
  }
  const { refused, bodyBytes } = route
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: routerPath(route.path),
    config: {
      template: route.path,
      hasOwnLimit: guard !== undefined || route.hasOwnLimit === true,
      ...(route.rawBody ? { body: 'raw' } : {}),
      ...(route.secret ? { isSecret: true } : {}),
    },
    ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
    onRequest: beforeBody(options, route, guard),
    ...(refused && { errorHandler: renderRefusal(log, refused) }),
    handler,
  })
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Who sends the request, and whether its body is read now. */
function beforeBody({ largeBodies }: Registering, route: Route, guard: Guards['app'] | undefined): Hook[] {
  const { enter, bodyBytes = 0 } = route
  return [
    ...(guard ? [(request: FastifyRequest, reply: FastifyReply) => admit(request, reply, route, guard)] : []),
    ...(enter ? [async (request: FastifyRequest) => enterBy(enter, request)] : []),
    ...(bodyBytes > LIMITS.bodyBytes
      ? [(request: FastifyRequest, reply: FastifyReply) => largeBodies(request, reply, route)]
      : []),
  ]
}

function enterBy(enter: NonNullable<Route['enter']>, { params, headers, tender }: FastifyRequest): void {
  tender.entered = enter({ params: params as Record<string, string>, headers, network: tender.network })
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  guard: Guards['app'],
): Promise<void> {
  const { headers, tender } = request
  const { scope, caller, keyId, actor, ...more } = await guard({
    authorization: headers.authorization,
    params: request.params as Record<string, string>,
    network: tender.network,
    address: tender.address,
    requestId: request.id,
    headers,
    route,
    url: request.url,
  })
  tender.scope = scope
  tender.caller = caller
  tender.keyId = keyId
  tender.actor = actor
  if (more.headers) reply.headers(more.headers)
}

const ROUTED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])

/** The router answers 404 to methods that it does not know; every known path answers 405 to TRACE. */
const routedMethod = (method = 'TRACE'): string => (ROUTED.has(method) ? method : 'TRACE')

/** Answers unsupported methods of a known path with 405. */
function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, method } of routes) {
    const methods = methodsOf.get(path) ?? new Set()
    methodsOf.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  for (const [template, methods] of methodsOf) {
    const allow = [...methods].join(', ')
    app.route({
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      url: routerPath(template),
      config: { template, body: 'ignored' },
      // In onRequest, before the framework checks body and content type.
      onRequest: async () => {
        throw new ApiError('method_not_allowed', `This path allows ${allow}.`, { headers: { allow } })
      },
      handler: () => undefined,
    })
  }
}

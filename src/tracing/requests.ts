import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failSpan, type SpanStart } from '../base/tracing/tracer.ts'
import type { Config } from '../config.ts'
import { isFromProxy } from '../http/client/address.ts'
import { isVersioned } from '../http/route.ts'
import { remoteParent } from './traceparent.ts'
import type { RequestTracer } from './tracer.ts'

type Settings = Pick<Config, 'traces' | 'trustedProxies'>

/** Probes of the process manager. */
const isProbe = (template: string): boolean => template.startsWith('/health')

/**
 * A span for each request to a known path. Later hooks and the handler run in it. It is entered twice: the
 * events of the body, between the hooks, do not belong to it.
 */
export function traceRequests(
  app: FastifyInstance,
  tracer: RequestTracer,
  { traces, trustedProxies = [] }: Settings,
): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const begin = (request: FastifyRequest, template: string) => {
    const remote = remoteParent(request.headers.traceparent, request.headers.tracestate)
    // Only the operator's own proxies may decide what is sampled.
    const isTrusted = traces?.trustsParent === true && isFromProxy(request.socket, trustedProxies)
    return tracer.startRequest(spanOf(request, template), remote, isTrusted)
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const { template } = request.routeOptions.config
    const span = template && !isProbe(template) ? begin(request, template) : undefined
    if (span) spans.set(request, span)
    tracer.within(span, done)
  })
  app.addHook('preHandler', (request, _reply, done) => tracer.within(spans.get(request), done))
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) failSpan(span, String(statusCode))
    span?.end()
    done()
  })
}

/** Neither the path nor the query: they hold ids, links of payers and tokens. */
function spanOf({ method, originalUrl, protocol, id }: FastifyRequest, template: string): SpanStart {
  const route = isVersioned(originalUrl) ? template.replace(/^\/api\//, '/api/v1/') : template
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'url.scheme': protocol,
    'tender.request_id': id,
  }
  return { name: `${method} ${route}`, kind: 'server', attributes }
}

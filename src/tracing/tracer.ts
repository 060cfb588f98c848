import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context as OtelContext, Span, SpanContext } from '@opentelemetry/api'
import type { Random } from '../base/ids.ts'
import type { SpanStart, Tracer } from '../base/tracing/tracer.ts'
import type { Config } from '../config.ts'
import type { Api, Sdk } from './sdk.ts'
import type { RemoteParent } from './traceparent.ts'

export interface RequestTracer extends Tracer {
  /** Undefined when the request is not sampled. `isTrusted`: the sender may decide that. */
  startRequest(start: SpanStart, remote: RemoteParent | undefined, isTrusted: boolean): Span | undefined
}

interface TracerOptions {
  readonly traces: NonNullable<Config['traces']>
  readonly random: Random
}

/** Webhooks whose cause is remembered: those of the last seconds under full load. */
const MAX_CAUSES = 10_000

export function createTracer({ api, otel }: Sdk, { traces, random }: TracerOptions): RequestTracer {
  const storage = new AsyncLocalStorage<Span | undefined>()
  const causes = new Map<string, Span>()
  const { SpanKind, ROOT_CONTEXT, trace } = api
  const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

  function begin(start: SpanStart, parent: OtelContext): Span {
    const { name, kind = 'internal', attributes = {}, links = [] } = start
    const linked = links.map((one) => ({ context: one.spanContext() }))
    return otel.startSpan(name, { kind: kinds[kind], attributes, links: linked }, parent)
  }

  /** Not by the trace id, which a caller could choose. */
  const isChosen = (): boolean => chance(random) < traces.ratio

  return {
    current: () => storage.getStore(),
    start(start) {
      const { parent = storage.getStore() } = start
      if (parent) return begin(start, trace.setSpan(ROOT_CONTEXT, parent))
      return parent === null && isChosen() ? begin(start, ROOT_CONTEXT) : undefined
    },
    startRequest(start, remote, isTrusted) {
      const isSampled = remote && isTrusted ? remote.isSampled : isChosen()
      if (!isSampled) return undefined
      return begin(
        start,
        remote ? trace.setSpanContext(ROOT_CONTEXT, remoteContext(api, remote)) : ROOT_CONTEXT,
      )
    },
    within: (span, work) => (span || storage.getStore() ? storage.run(span, work) : work()),
    causes(eventId) {
      const current = storage.getStore()
      if (!current) return
      causes.set(eventId, trace.wrapSpanContext(current.spanContext()))
      const [oldest] = causes.size > MAX_CAUSES ? causes.keys() : []
      if (oldest !== undefined) causes.delete(oldest)
    },
    causeOf: (eventId) => causes.get(eventId),
  }
}

const chance = (random: Random): number =>
  random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32

function remoteContext(api: Api, { traceId, spanId, isSampled, state }: RemoteParent): SpanContext {
  const traceFlags = isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE
  const traceState = state === undefined ? {} : { traceState: api.createTraceState(state) }
  return { traceId, spanId, traceFlags, isRemote: true, ...traceState }
}

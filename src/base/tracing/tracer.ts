import type { Attributes, Span, SpanStatusCode } from '@opentelemetry/api'

/**
 * Spans of traces, by the types of OpenTelemetry. Only types: the package is loaded when traces are on. The
 * tracer is absent from the context while traces are off. In a trace that is not sampled, nothing is
 * recorded. Decision 0135.
 */
export interface Tracer {
  /** Undefined outside of a sampled trace. */
  current(): Span | undefined
  /** Undefined when the span is not sampled, or without a parent. */
  start(start: SpanStart): Span | undefined
  /** Does the work with this span as the current one; undefined: with none. */
  within<T>(span: Span | undefined, work: () => T): T
  /** Keeps the current span as the cause of a webhook. */
  causes(eventId: string): void
  causeOf(eventId: string): Span | undefined
}

export interface SpanStart {
  readonly name: string
  readonly kind?: 'internal' | 'server' | 'client'
  /** Constants, counts and names of our own. Never an id of a payer, a secret or a text of a request. */
  readonly attributes?: Attributes
  /** Absent: the current span. Null: this span begins a trace, if that is sampled. */
  readonly parent?: Span | null
  readonly links?: readonly Span[]
}

/** Does the work in a span; the work gets it when it is recorded. */
export function inSpan<T>(
  tracer: Tracer | undefined,
  start: SpanStart,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = tracer?.start(start)
  if (tracer && span) return tracer.within(span, () => ended(span, work(span)))
  // A trace that is not sampled is not part of the current one either.
  return tracer && start.parent === null ? tracer.within(undefined, () => work(undefined)) : work(undefined)
}

/** Ends the span with the work. */
export async function ended<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    failSpan(span, errorType(error))
    throw error
  } finally {
    span.end()
  }
}

const ERROR: SpanStatusCode.ERROR = 2

/** With the code or the class of an error. Its message is not recorded: it may hold data. */
export const failSpan = (span: Span | undefined, errorType: string): void =>
  void span?.setAttribute('error.type', errorType).setStatus({ code: ERROR })

function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error'
}

/** A request to another server. Its path is left out: it may hold ids and tokens. */
export const requestSpan = (method: string, url: string): SpanStart => ({
  name: method,
  kind: 'client',
  attributes: { 'http.request.method': method, 'server.address': new URL(url).hostname },
})

/** The status of an answer. From 400 it is a failure of the client's span. */
export function setStatus(span: Span | undefined, status: number): void {
  span?.setAttribute('http.response.status_code', status)
  if (status >= 400) failSpan(span, String(status))
}

/** `traceparent` and `tracestate` for a request that is part of this span. */
export function traceHeaders(span: Span): Readonly<Record<string, string>> {
  const { traceId, spanId, traceState } = span.spanContext()
  const state = traceState?.serialize()
  return { traceparent: `00-${traceId}-${spanId}-01`, ...(state && { tracestate: state }) }
}

/** A statement by its name; `npm run docs -- statements` prints its text. */
export const statementSpan = (name: string, inputs = 1): SpanStart => ({
  name,
  kind: 'client',
  attributes: {
    'db.system.name': 'postgresql',
    'db.query.summary': name,
    ...(inputs > 1 && { 'db.operation.batch.size': inputs }),
  },
})

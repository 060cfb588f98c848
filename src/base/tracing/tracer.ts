/**
 * Spans of traces. The tracer is absent from the context while traces are off. In a trace that is not
 * sampled, nothing is recorded.
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

/** Constants, counts and names of our own. Never an id of a payer, a secret or a text of a request. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  readonly name: string
  readonly kind?: 'internal' | 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** Absent: the current span. Null: this span begins a trace, if that is sampled. */
  readonly parent?: Span | null
  readonly links?: readonly Span[]
}

export interface Span {
  set(attributes: SpanAttributes): void
  event(name: string, attributes?: SpanAttributes): void
  link(other: Span): void
  /** `traceparent` and `tracestate` for a request that is part of this span. */
  headers(): Readonly<Record<string, string>>
  /** The code or the class of an error. Its message is not recorded: it may hold data. */
  fail(errorType: string): void
  end(): void
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
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

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
  span?.set({ 'http.response.status_code': status })
  if (status >= 400) span?.fail(String(status))
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

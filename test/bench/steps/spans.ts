/** Spans as OTLP's JSON has them, by their traces. */
export interface Span {
  readonly id: string
  readonly parent: string
  readonly name: string
  /** Milliseconds since 1970, exact to a microsecond. */
  readonly start: number
  readonly end: number
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly name: string
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
      }[]
    }[]
  }[]
}

export function tracesIn(bodies: readonly string[]): Span[][] {
  const traces = new Map<string, Span[]>()
  const exported = bodies.map((body) => JSON.parse(body) as Exported)
  const scopes = exported.flatMap(({ resourceSpans }) => resourceSpans.flatMap((each) => each.scopeSpans))
  for (const span of scopes.flatMap(({ spans }) => spans)) {
    const { name, traceId, spanId: id, parentSpanId: parent = '' } = span
    const times = { start: msOf(span.startTimeUnixNano), end: msOf(span.endTimeUnixNano) }
    traces.set(traceId, [...(traces.get(traceId) ?? []), { id, parent, name, ...times }])
  }
  return [...traces.values()]
}

const msOf = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000

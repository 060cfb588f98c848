import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as OTLP/JSON has it. */
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly events: readonly { readonly name: string; readonly attributes: SentSpan['attributes'] }[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly endpoint: string
  /** Everything that came, as text. */
  text(): string
  spans(): CollectedSpan[]
  /** Resolves with the first span for which this is true. */
  wait(isWanted: (span: CollectedSpan) => boolean): Promise<CollectedSpan>
  stop(): Promise<void>
}

const WAIT_MS = 60_000

/** A collector for OTLP over HTTP with JSON. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    if (request.url === '/v1/traces') bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const spans = () => bodies.flatMap((body) => spansOf(JSON.parse(body)))
  return {
    endpoint: `http://127.0.0.1:${port}`,
    text: () => bodies.join('\n'),
    spans,
    async wait(isWanted) {
      const end = performance.now() + WAIT_MS
      for (;;) {
        const found = spans().find(isWanted)
        if (found) return found
        if (performance.now() > end) throw new Error(`no such span among ${names(spans())}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const names = (spans: readonly CollectedSpan[]): string => spans.map(({ name }) => name).join(', ')

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

const spansOf = ({ resourceSpans }: Sent): CollectedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ attributes, ...span }) => ({ ...span, attributes: valuesOf(attributes) }))

const valuesOf = (attributes: SentSpan['attributes']): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

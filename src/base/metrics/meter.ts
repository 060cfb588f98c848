/**
 * Counts and times what happens, for metrics. Absent from the context when they are off, so every use is
 * `ctx.meter?.…`. Texts become labels: they come from a fixed set, never from a request.
 */
export interface Meter {
  answered(request: MeteredRequest): void
  /** A payment entered the state. */
  entered(state: string, isSandbox: boolean): void
  /** Does the work, which is a call to a provider. */
  call<T>(provider: string, step: string, work: () => Promise<T>): Promise<T>
  /** A provider declined with a code that its adapter does not know. */
  unlisted(provider: string): void
  /** A try to deliver a webhook ended. */
  tried(result: string, ms: number): void
  /** A settlement report of the provider was stored, with so many lines. */
  settled(provider: string, lines: number): void
  logged(level: 'warn' | 'error', event: string): void
  /** Spans of traces were sent to the collector, or not. */
  spans(result: 'exported' | 'dropped' | 'failed', count: number): void
}

interface MeteredRequest {
  readonly method: string
  /** The path of the route, with parameters in braces. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** The limit that refused the request. */
  readonly limit?: string
}

/** Results of adapters have a kind; `done` is a call without one. */
export function outcomeOf(result: unknown): string {
  const kind = typeof result === 'object' && result !== null && 'kind' in result ? result.kind : undefined
  return typeof kind === 'string' ? kind : 'done'
}

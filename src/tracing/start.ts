import type { Random } from '../base/ids.ts'
import { loadSdk, type SdkOptions } from './sdk.ts'
import { createTracer, type RequestTracer } from './tracer.ts'

export interface Tracing {
  readonly tracer: RequestTracer
  /** Sends the spans that wait, for a limited time. */
  stop(): Promise<void>
}

/** Undefined when OpenTelemetry cannot be loaded; the log tells. */
export async function startTracing(
  options: SdkOptions & { readonly random: Random },
): Promise<Tracing | undefined> {
  const sdk = await loadSdk(options)
  return sdk && { tracer: createTracer(sdk, options), stop: sdk.stop }
}

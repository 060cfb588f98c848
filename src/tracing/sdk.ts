import type { Tracer as OtelTracer } from '@opentelemetry/api'
import type { Clock } from '../base/clock.ts'
import { errorData, type Log } from '../base/log.ts'
import type { Meter } from '../base/metrics/meter.ts'
import type { Config } from '../config.ts'
import { createSpanQueue, type SpanResult } from './queue.ts'

export type Api = typeof import('@opentelemetry/api')

/** The part of OpenTelemetry that is used: it is loaded here and nowhere else. Decision 0135. */
export interface Sdk {
  readonly api: Api
  readonly otel: OtelTracer
  stop(): Promise<void>
}

export interface SdkOptions {
  readonly traces: NonNullable<Config['traces']>
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly meter?: Meter | undefined
}

/** A request to the collector, with its repetitions by the exporter. */
const EXPORT_MS = 10_000
/** Texts in attributes are our own and short. */
const LONGEST_TEXT = 200

/** Undefined, with one line in the log, when the packages are absent or cannot run: payments matter more. */
export async function loadSdk(options: SdkOptions): Promise<Sdk | undefined> {
  try {
    return await createSdk(options)
  } catch (error) {
    const message =
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry cannot be loaded: there will be no traces. ' +
      'Install its packages as docs/guides/monitoring.md tells; their current versions need Node 22.15.'
    options.log.warn('tracing.off', { message, node: process.version, ...errorData(error) })
    return undefined
  }
}

async function createSdk({ traces, version, clock, log, meter }: SdkOptions): Promise<Sdk> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${traces.endpoint}/v1/traces`, timeoutMillis: EXPORT_MS })
  const queue = createSpanQueue({ exporter, clock, counted: countedBy(meter, log) })
  const own = resources.resourceFromAttributes({ 'service.name': 'tender', 'service.version': version })
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before our own.
  const given = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(own).merge(given),
    // What is sampled is decided before a span is started.
    sampler: new sdk.AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
    spanProcessors: [queue],
  })
  return { api, otel: provider.getTracer('tender', version), stop: queue.stop }
}

/** Counts spans, and logs once when the collector fails, until it takes spans again. */
function countedBy(meter: Meter | undefined, log: Log) {
  let isFailing = false
  // A series that begins with its first event hides it.
  for (const result of ['exported', 'dropped', 'failed'] as const) meter?.spans(result, 0)
  return (result: SpanResult, spans: number, cause?: unknown): void => {
    meter?.spans(result, spans)
    if (result === 'failed' && !isFailing) log.warn('tracing.collector_failed', errorData(cause))
    if (result !== 'dropped') isFailing = result === 'failed'
  }
}

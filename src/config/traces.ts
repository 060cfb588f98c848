import { oneOf, publicUrl, type Setting } from './values.ts'

export interface TracesConfig {
  /** Absent: no traces. */
  readonly traces?: {
    /** Without a slash at its end. */
    readonly endpoint: string
    /** The share of traces that is recorded, from 0 to 1. */
    readonly ratio: number
    /** Trusted proxies decide about the traces that they pass on. */
    readonly trustsParent: boolean
  }
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const TRACES_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description:
      'The collector for OpenTelemetry traces, which are sent to `/v1/traces` there as JSON. The packages ' +
      'of OpenTelemetry are installed separately; see the guide on monitoring.',
    mustBe: 'an http or https address without user, query or fragment',
    parse: publicUrl,
    defaultSays: 'no traces',
  },
  OTEL_TRACES_SAMPLER: {
    description:
      'Which traces are recorded: all, none, or a share by chance. With `parentbased_…`, the mark of ' +
      '`traceparent` decides instead, where it comes from one of `TRUSTED_PROXIES`.',
    mustBe: SAMPLERS.map((one) => `"${one}"`).join(', '),
    parse: oneOf(...SAMPLERS),
    byDefault: 'traceidratio',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: 'The share of traces that is recorded, for the samplers `…traceidratio`.',
    mustBe: 'a number from 0 to 1, such as 0.1',
    parse: (text: string) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
    byDefault: '0.1',
  },
} as const satisfies Record<string, Setting<unknown>>

export interface TracesValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  readonly OTEL_TRACES_SAMPLER: (typeof SAMPLERS)[number]
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

export function readTraces(values: TracesValues): TracesConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = values
  if (endpoint === undefined) return {}
  const ratio = sampler.endsWith('always_on') ? 1 : values.OTEL_TRACES_SAMPLER_ARG
  const isOff = sampler.endsWith('always_off')
  return {
    traces: { endpoint, ratio: isOff ? 0 : ratio, trustsParent: sampler.startsWith('parentbased_') },
  }
}

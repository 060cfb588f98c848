import { count, type Setting } from './values.ts'

export interface MetricsConfig {
  /** Absent: no metrics. */
  readonly metricsPort?: number
  /** The number of this process among several; a label of its metrics. Set by the parent process. */
  readonly worker?: number
}

export const METRICS_SETTINGS = {
  METRICS_PORT: {
    says:
      'The port of `/metrics` for Prometheus, on the addresses of `HOST`. It needs no token: allow ' +
      'connections to it from your monitoring only.',
    mustBe: 'a whole number from 1 to 65535, other than PORT',
    parse: (text: string) => count(text, 65_535),
    defaultSays: 'no metrics',
  },
} as const satisfies Record<string, Setting<unknown>>

interface MetricsValues {
  readonly METRICS_PORT: number | undefined
  readonly PORT: number
}

export function readMetrics(values: MetricsValues, problems: string[]): MetricsConfig {
  const { METRICS_PORT: metricsPort, PORT: port } = values
  if (metricsPort !== undefined && metricsPort === port) problems.push('METRICS_PORT must differ from PORT')
  return metricsPort === undefined ? {} : { metricsPort }
}

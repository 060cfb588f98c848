import { readTraces, TRACES_SETTINGS, type TracesConfig, type TracesValues } from './traces.ts'
import { count, type Setting } from './values.ts'

/** Metrics and traces. */
export interface MonitoringConfig extends TracesConfig {
  /** Absent: no metrics. */
  readonly metricsPort?: number
  /** The number of this process among several; a label of its metrics. Set by the parent process. */
  readonly worker?: number
}

export const MONITORING_SETTINGS = {
  METRICS_PORT: {
    description:
      'The port of `/metrics` for Prometheus, on the addresses of `HOST`. It needs no token: allow ' +
      'connections to it from your monitoring only.',
    mustBe: 'a whole number from 1 to 65535, other than PORT',
    parse: (text: string) => count(text, 65_535),
    defaultSays: 'no metrics',
  },
  ...TRACES_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>

interface MonitoringValues extends TracesValues {
  readonly METRICS_PORT: number | undefined
  readonly PORT: number
}

export function readMonitoring(values: MonitoringValues, problems: string[]): MonitoringConfig {
  const { METRICS_PORT: metricsPort, PORT: port } = values
  if (metricsPort !== undefined && metricsPort === port) problems.push('METRICS_PORT must differ from PORT')
  return { ...(metricsPort !== undefined && { metricsPort }), ...readTraces(values) }
}

import type { Registry } from 'prom-client'
import { type Meter, outcomeOf } from '../base/metrics/meter.ts'
import type { Config } from '../config.ts'
import { createInstruments, type MetricInstruments } from './instruments.ts'

/** The metrics of one process. Decision 0132. */
export interface Metrics {
  readonly register: Registry
  readonly instruments: MetricInstruments
  readonly meter: Meter
}

/** The library is loaded here, so only where metrics are on. */
export async function createMetrics(
  { worker, role }: Pick<Config, 'worker' | 'role'>,
  version: string,
): Promise<Metrics> {
  const client = await import('prom-client')
  const register = new client.Registry()
  // Each of several processes has its own series: a sum of their counters would shrink when one is replaced.
  if (worker !== undefined) register.setDefaultLabels({ worker: String(worker) })
  client.collectDefaultMetrics({ register })
  const instruments = createInstruments(client, register)
  instruments.build.set({ version, role }, 1)
  return { register, instruments, meter: createMeter(instruments) }
}

/** Other methods reach no route. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function createMeter(instruments: MetricInstruments): Meter {
  const { requests, requestTime, limits, states, calls, callTime, unlisted, tries, tryTime } = instruments
  return {
    answered({ route, status, ms, limit, ...request }) {
      const method = METHODS.has(request.method) ? request.method : 'other'
      requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
      // The clock may have been set back; a sum must not shrink.
      requestTime.observe({ method, route }, Math.max(0, ms) / 1_000)
      if (limit !== undefined) limits.inc({ limit })
    },
    entered: (state, isSandbox) => states.inc({ state, mode: isSandbox ? 'sandbox' : 'live' }),
    async call(provider, step, work) {
      const startMs = performance.now()
      let outcome = 'error'
      try {
        const result = await work()
        outcome = outcomeOf(result)
        return result
      } finally {
        calls.inc({ provider, step, outcome })
        callTime.observe({ provider, step }, (performance.now() - startMs) / 1_000)
      }
    },
    unlisted: (provider) => unlisted.inc({ provider }),
    tried(result, ms) {
      tries.inc({ result })
      tryTime.observe(ms / 1_000)
    },
    settled: (provider, lines) => instruments.settled.inc({ provider }, lines),
    logged: (level, event) => instruments.lines.inc({ level, event }),
    spans: (result, count) => instruments.spans.inc({ result }, count),
  }
}

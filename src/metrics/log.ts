import type { Log } from '../base/log.ts'
import type { Meter } from '../base/metrics/meter.ts'

/** Counts warnings and errors by their event: each name is a constant in the code. */
export function meteredLog(log: Log, meter: Meter): Log {
  const counting = (level: 'warn' | 'error') => (event: string, data?: object) => {
    meter.logged(level, event)
    log[level](event, data)
  }
  return { ...log, warn: counting('warn'), error: counting('error') }
}

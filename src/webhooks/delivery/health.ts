import { after } from '../../base/clock.ts'
import { endpointPause, WEBHOOKS } from '../schedule.ts'

/** Health of a failing endpoint; a healthy one has no record. Pure. Decision 0034. */
export interface Health {
  /** The URL without its query. */
  readonly url: string
  /** Consecutive failures. */
  readonly failures: number
  readonly pauses: number
  /** Deliveries that may be in flight at once. */
  readonly allowed: number
  /** First failure, in the app's time. */
  readonly failingTime: Date
  /** Paused until then; real time. */
  readonly dueTime: Date | null
  /** When it answered 410, in the app's time. */
  readonly disabledTime: Date | null
  readonly lastError: string
}

export interface EndpointFailure {
  readonly url: string
  readonly error: string
  readonly gone: boolean
  readonly quietUntil: Date | undefined
  /** `now` is real time, `appNow` the app's. */
  readonly now: Date
  readonly appNow: Date
  readonly chance: number
}

/**
 * After five consecutive failures the endpoint is paused; then a single delivery probes it. Failures of
 * deliveries that were in flight when the pause began do not extend it.
 */
export function afterFailure(known: Health | undefined, failure: EndpointFailure): Health {
  const { url, error, now, appNow } = failure
  const health = known?.url === url ? known : newHealth(url, appNow)
  const failures = health.failures + 1
  const counted = { ...health, failures, lastError: error }
  const disabledTime = failure.gone ? (health.disabledTime ?? appNow) : health.disabledTime
  const retryAfter = failure.quietUntil
    ? { allowed: 1, dueTime: later(health.dueTime, failure.quietUntil) }
    : {}
  const isPaused = health.dueTime !== null && health.dueTime > now
  if (isPaused || failures < WEBHOOKS.failuresToPause) return { ...counted, ...retryAfter, disabledTime }
  const pauses = health.pauses + 1
  const until = after(now, endpointPause(pauses, failure.chance))
  const dueTime = failure.quietUntil ? later(until, failure.quietUntil) : until
  return { ...counted, pauses, allowed: 1, dueTime, disabledTime }
}

const newHealth = (url: string, appNow: Date): Health => ({
  url,
  failures: 0,
  pauses: 0,
  allowed: WEBHOOKS.perEndpoint,
  failingTime: appNow,
  dueTime: null,
  disabledTime: null,
  lastError: '',
})

const later = (a: Date | null, b: Date): Date => (a && a > b ? a : b)

/**
 * Each success raises the limit by one, so that a recovered endpoint is not flooded. Returns undefined when
 * the limit is back to normal.
 */
export function afterSuccess(health: Health): Health | undefined {
  const allowed = health.allowed + 1
  if (allowed > WEBHOOKS.perEndpoint) return undefined
  return { ...health, allowed, failures: 0, pauses: 0, dueTime: null, disabledTime: null }
}

/** A delivery was requested: resume at once, with one delivery at a time. */
export const afterRequest = (health: Health): Health => ({
  ...health,
  allowed: 1,
  failures: 0,
  pauses: 0,
  dueTime: null,
  disabledTime: null,
})

import { after } from '../../base/clock.ts'
import { endpointPause, WEBHOOKS } from '../schedule.ts'

/** An endpoint in trouble; one that answers well has no record. Pure. */
export interface Health {
  /** The address it speaks of, without its query. */
  readonly url: string
  /** In a row. */
  readonly failures: number
  readonly pauses: number
  /** In flight at once. */
  readonly allowed: number
  /** Since when it fails; the app's time. */
  readonly failingTime: Date
  /** Nothing is sent until then; real time. */
  readonly dueTime: Date | null
  /** It answered 410; the app's time. */
  readonly disabledTime: Date | null
  readonly lastError: string
}

export interface EndpointFailure {
  readonly url: string
  readonly error: string
  readonly gone: boolean
  readonly quietUntil: Date | undefined
  /** Real time, and the app's. */
  readonly now: Date
  readonly appNow: Date
  readonly chance: number
}

/**
 * Five failures in a row and the endpoint as a whole is left in peace; after the pause a single delivery
 * tries it. What was still in flight when the pause began says nothing new.
 */
export function afterFailure(known: Health | undefined, failure: EndpointFailure): Health {
  const { url, error, now, appNow } = failure
  const health = known?.url === url ? known : newcomer(url, appNow)
  const failures = health.failures + 1
  const counted = { ...health, failures, lastError: error }
  const disabledTime = failure.gone ? (health.disabledTime ?? appNow) : health.disabledTime
  const quiet = failure.quietUntil ? { allowed: 1, dueTime: later(health.dueTime, failure.quietUntil) } : {}
  const isPaused = health.dueTime !== null && health.dueTime > now
  if (isPaused || failures < WEBHOOKS.failuresToPause) return { ...counted, ...quiet, disabledTime }
  const pauses = health.pauses + 1
  const until = after(now, endpointPause(pauses, failure.chance))
  const dueTime = failure.quietUntil ? later(until, failure.quietUntil) : until
  return { ...counted, pauses, allowed: 1, dueTime, disabledTime }
}

const newcomer = (url: string, appNow: Date): Health => ({
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
 * Each success lets one more through, so that a shop that is back is not flooded; undefined: it is well
 * again.
 */
export function afterSuccess(health: Health): Health | undefined {
  const allowed = health.allowed + 1
  if (allowed > WEBHOOKS.perEndpoint) return undefined
  return { ...health, allowed, failures: 0, pauses: 0, dueTime: null, disabledTime: null }
}

/** Somebody wants it tried: now, but gently. */
export const afterRequest = (health: Health): Health => ({
  ...health,
  allowed: 1,
  failures: 0,
  pauses: 0,
  dueTime: null,
  disabledTime: null,
})

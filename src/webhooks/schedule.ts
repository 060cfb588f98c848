import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** All limits of webhook delivery. */
export const WEBHOOKS = {
  /** Long enough for slow hosting, short enough that a hanging endpoint costs little. */
  timeoutMs: 15 * SECOND,
  /** The status decides the result; the body is only kept for the log. */
  answerMs: SECOND,
  answerBytes: 4 * 1024,
  /** The timeout plus time to record the result. After that another node may take the delivery. */
  leaseMs: 20 * SECOND,
  /** In flight at once: enough for a healthy shop, not enough to overload a small one. */
  perEndpoint: 20,
  /** The part of these that nodes may hold for deliveries that they write themselves. */
  perEndpointDirect: 16,
  /** How long a node holds such slots; renewed at half time while they are used. */
  grantMs: 20 * SECOND,
  /** Payments that wait for such a slot, by endpoint, on one node; the rest is claimed. */
  maxWaiting: 200,
  /** They wait for so long at most, then they are claimed. */
  slotWaitMs: 100,
  /** Successful tries are recorded in groups: a crash in between repeats them. */
  recordMs: 25,
  /** In flight at once on one node. */
  perNode: 1_000,
  /**
   * In flight at once for one app on one node: ten busy endpoints, or two hundred that hang with one each.
   */
  perApp: 200,
  /**
   * Endpoints of one app that one claim looks at, to keep claims short; the next claim continues behind them.
   */
  perLook: 100,
  /** A clean stop waits this long for replies; another node sends the rest again. */
  stopMs: 5 * SECOND,

  /** Consecutive failures before the endpoint is paused. */
  failuresToPause: 5,
  firstPauseMs: 5 * SECOND,
  /** A recovered endpoint is probed within this time. */
  longestPauseMs: 5 * MINUTE,
  /** Spreads retries of endpoints that failed at the same time. */
  jitter: 0.2,

  /** Retry pauses are seconds or longer, so a second of delay is acceptable. */
  pollMs: SECOND,
  /** Rows made ready in one batch. */
  readyBatch: 500,
  /**
   * Pause between two claims with results: under load each claim takes dozens, and a single delivery is not
   * delayed.
   */
  restMs: 10,
  /** Delay after a try ends, so that one claim fills several free slots. */
  gatherMs: 3,
  /** Minimum pause between notifications to other nodes. */
  announceMs: 10,

  /** Of one app, the first one included: each event is written once for each of them. */
  maxEndpoints: 16,

  /** A sandbox app holds back its webhooks for this long at most. */
  longestHoldMs: HOUR,

  /** After a rotation both secrets sign for this long. */
  rotationMs: DAY,
  keptMs: 30 * DAY,
  /** Small enough that the locks of one batch delay no request. */
  removalBatch: 500,
} as const

/** The pause after each failed try; when they are used up, the delivery is exhausted. */
export const RETRY_PAUSES_MS = [
  5 * SECOND, // a restart
  30 * SECOND,
  2 * MINUTE, // a deployment
  10 * MINUTE,
  30 * MINUTE,
  HOUR, // on-call staff has responded
  3 * HOUR,
  6 * HOUR,
  12 * HOUR, // the next morning
  DAY,
  DAY, // after a weekend
] as const

/** Tries of one delivery. */
export const MAX_TRIES = RETRY_PAUSES_MS.length + 1

/** About three days; a delivery behind an endpoint that has failed for this long is exhausted. */
export const GIVE_UP_MS = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0)

/** Between 0.8 and 1.2 times `ms`; `chance` is from 0 to 1. */
const jittered = (ms: number, chance: number): number =>
  Math.round(ms * (1 + WEBHOOKS.jitter * (2 * chance - 1)))

/**
 * The pause after this many failed tries; undefined after the last one. Retry-After can only lengthen a
 * pause, up to the next step: an endpoint that always asks for one second would otherwise use up all retries
 * within seconds.
 */
export function retryPause(failed: number, chance: number, retryAfterMs = 0): number | undefined {
  const step = RETRY_PAUSES_MS[failed - 1]
  if (step === undefined) return undefined
  const next = RETRY_PAUSES_MS[failed] ?? step
  return Math.max(jittered(step, chance), Math.min(retryAfterMs, next))
}

/** The length of the `pauses`th consecutive pause of an endpoint. */
export const endpointPause = (pauses: number, chance: number): number =>
  jittered(Math.min(WEBHOOKS.firstPauseMs * 2 ** (pauses - 1), WEBHOOKS.longestPauseMs), chance)

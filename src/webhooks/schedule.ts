import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** Every number of webhook delivery, with its reason. */
export const WEBHOOKS = {
  /** Long enough for a shop on slow hosting, short enough that a hanging one costs little. */
  timeoutMs: 15 * SECOND,
  /** The status has decided by then; the body is for the log only. */
  answerMs: SECOND,
  answerBytes: 4 * 1024,
  /**
   * A try that never reports back is taken over after this: the time limit, and a while to write down the
   * end.
   */
  leaseMs: 20 * SECOND,
  /** In flight at once: enough to keep a healthy shop busy, not enough to knock over a small one. */
  perEndpoint: 20,
  /** In flight at once on a node. */
  perNode: 1_000,
  /** Of those for one app, whatever hangs: ten busy endpoints, or two hundred that hang with one each. */
  perApp: 200,
  /** Endpoints of one app that one claim looks at; the next claim goes on behind them. Keeps claims short. */
  perLook: 100,
  /** A clean stop lets answers come in for this long; the rest is sent again by the next node. */
  stopMs: 5 * SECOND,

  /** In a row, before the whole endpoint is left in peace. */
  failuresToPause: 5,
  firstPauseMs: 5 * SECOND,
  /** A shop that is back hears from us within this. */
  longestPauseMs: 5 * MINUTE,
  /** Shops that went down together must not be called together. */
  jitter: 0.2,

  /** Waiting for a retry is counted in seconds: a second late is no difference. */
  pollMs: SECOND,
  /** Rows made ready at once. */
  readyBatch: 500,
  /** Between two claims that found something: under load each takes dozens, and a lone one is not delayed. */
  restMs: 10,
  /** Room made by tries that ended is filled this much later, all of it at once. */
  gatherMs: 3,
  /** Wake-ups for other nodes go out at most this often; a healthy endpoint hears within 100 ms. */
  announceMs: 10,

  /** After a rotation both secrets sign for this long. */
  rotationMs: DAY,
  keptMs: 30 * DAY,
  /** Small enough that nobody waits for the locks of one batch. */
  removalBatch: 500,
} as const

/** The pause after each failed try; when they are used up, the delivery is exhausted. */
export const RETRY_PAUSES_MS = [
  5 * SECOND, // a restart
  30 * SECOND,
  2 * MINUTE, // a deployment
  10 * MINUTE,
  30 * MINUTE,
  HOUR, // somebody has been woken
  3 * HOUR,
  6 * HOUR,
  12 * HOUR, // the next morning
  DAY,
  DAY, // the weekend is over
] as const

/** About three days: an endpoint that has failed for so long has missed its chance. */
export const GIVE_UP_MS = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0)

/** From 0.8 to 1.2 of it; `chance` is from 0 to 1. */
const jittered = (ms: number, chance: number): number =>
  Math.round(ms * (1 + WEBHOOKS.jitter * (2 * chance - 1)))

/**
 * How long to wait after this many failed tries; undefined when that was the last. What the endpoint asked
 * for with Retry-After can only lengthen a pause, up to the next step: a shop that always says "one second"
 * would otherwise use up three days in twelve.
 */
export function retryPause(failed: number, chance: number, askedMs = 0): number | undefined {
  const step = RETRY_PAUSES_MS[failed - 1]
  if (step === undefined) return undefined
  const next = RETRY_PAUSES_MS[failed] ?? step
  return Math.max(jittered(step, chance), Math.min(askedMs, next))
}

/** How long an endpoint is left in peace, the `pauses`th time in a row. */
export const endpointPause = (pauses: number, chance: number): number =>
  jittered(Math.min(WEBHOOKS.firstPauseMs * 2 ** (pauses - 1), WEBHOOKS.longestPauseMs), chance)

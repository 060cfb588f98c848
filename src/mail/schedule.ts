import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** All limits of sending. */
export const MAILS = {
  /** In progress at once. An app has less than half of a node, so that others go on beside it. */
  shares: { perProfile: 4, perApp: 4, perNode: 10 },
  /** The time of one try, from the connection to the answer. */
  tryMs: 40 * SECOND,
  connectMs: 10 * SECOND,
  answerMs: 20 * SECOND,
  /** A try and the time to record it. After that another node may send the message. */
  leaseMs: 60 * SECOND,
  /** A message that could not be sent for so long is old news. */
  expiresMs: 3 * DAY,
  /** Ended messages: without content, to see what was sent and why something was not. */
  keptMs: 30 * DAY,
  /** Counts of days, longer than any difference of time zones. */
  daysKeptMs: 3 * DAY,
  /** Small enough that the locks of one batch delay no request. */
  removalBatch: 500,
  jitter: 0.2,
} as const

/** Pauses after failures that pass: a server that is away, busy, or defers unknown senders. */
const PAUSES_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY] as const

/** A refusal for good may be a wrong setting that is corrected, so it is tried twice more. */
const REFUSED_PAUSES_MS = [15 * MINUTE, 6 * HOUR] as const

/** The pause after this many failed tries, undefined after the last. `chance` is from 0 to 1. */
export function pauseAfter(failed: number, isPermanent: boolean, chance: number): number | undefined {
  const pause = (isPermanent ? REFUSED_PAUSES_MS : PAUSES_MS)[failed - 1]
  return pause && Math.round(pause * (1 + MAILS.jitter * (2 * chance - 1)))
}

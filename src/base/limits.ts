import { DAY, HOUR, MINUTE, SECOND } from './clock.ts'

/** Every length, size, timeout and retry, with its reason. Units come last in the names. */
export const LIMITS = {
  /** Long enough for any shop's order number, short enough for an index entry. */
  referenceIdLength: 200,
  customerIdLength: 200,
  nameLength: 200,
  descriptionLength: 1_000,
  urlLength: 2_048,
  /** RFC 5321: the longest address that can be delivered to. */
  emailLength: 254,
  phoneLength: 50,
  orderItems: 500,
  /** Far above any real order, far below what a recursive walk can take. */
  jsonDepth: 32,
  /** 500 items of generous size fit in 256 KiB. */
  bodyBytes: 256 * 1024,
  notificationBytes: 256 * 1024,
  pageSize: 500,
  defaultPageSize: 100,
  idempotencyKeyLength: 255,

  minAmountMinor: 1n,
  /** In major units: 999,999,999.99. */
  maxAmountMajor: 999_999_999n,

  /** The whole request, headers and body, must be there by then: a slow sender holds a socket no longer. */
  requestMs: 15 * SECOND,
  headersMs: 10 * SECOND,
  /** How long an action waits for its provider when the client does not say (`Prefer: wait=N`). */
  actionWaitMs: 10 * SECOND,
  actionWaitMaxMs: 30 * SECOND,
  /** SIGTERM: requests in flight may take this long to end. */
  stopMs: 10 * SECOND,

  /** One provider call. Below the lease, so that a worker never takes over a call still running. */
  providerCallMs: 20 * SECOND,
  providerReplyBytes: 1024 * 1024,
  /** A request that its provider has not seen may be on its way after we gave up, but not for this long. */
  secondLookMs: 5 * MINUTE,
  /** How long the one who wrote an operation has it for himself. */
  operationLeaseMs: 30 * SECOND,

  /**
   * Rows that one job of a process works on at once. Each may wait for a provider, so a profile and an app
   * have shares of their own: the others go on while one provider hangs.
   */
  jobRows: { perProfile: 8, perApp: 20, perNode: 64 },
  /** Notifications that a process verifies and follows as it receives them; more wait for the job. */
  notifications: { perProfile: 32, perApp: 64, perNode: 256 },
  /** A notification whose provider cannot be read is tried again after this long, then doubling. */
  notificationPauseMs: 30 * SECOND,
  notificationLongestPauseMs: HOUR,
  /** Longer than any provider repeats a notification; until then a repetition is recognised. */
  notificationsKeptMs: 30 * DAY,
  /** An alarm that changed nothing rings again after this long, then doubling. */
  alarmPauseMs: MINUTE,
  alarmLongestPauseMs: HOUR,

  /** Enough for every card in a wallet, too few to try stolen ones. */
  checkoutAttempts: 10,
  /** How long a payer's click waits for the provider before the status page takes over. */
  checkoutWaitMs: 3 * SECOND,
  /** A link that is older may have been passed on: it no longer shows stored methods. */
  savedMethodsShownMs: HOUR,
  /** Pages that listen for changes, of one payment: more tabs than anybody opens. */
  liveStreams: 8,

  /** A panel link is handed to one person at once. */
  panelLinkMs: HOUR,
  /** At the panel; counted anew with every look at a page. */
  panelSessionMs: 30 * MINUTE,
  /** What is over is kept this long: a link is not opened twice, and a late return is told what happened. */
  panelKeptMs: DAY,
  idempotencyKeptMs: DAY,
  /** A request that held an Idempotency-Key this long without an answer has died with its process. */
  idempotencyLockMs: MINUTE,

  /** Versions lost in a row before apply gives up: five rivals at once is a loop, not a race. */
  applyAttempts: 5,
  /** How long a process may believe what it read about an app or key: revocation holds within a second. */
  directoryMs: 500,
} as const

/** Asking again about an operation of unknown outcome. The last pause repeats. */
const RECHECK_PAUSES_MS = [
  2 * SECOND,
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  12 * HOUR,
  DAY,
] as const

/**
 * An operation still unknown after this long needs a person; it is still asked about daily, never guessed.
 */
export const NEEDS_ATTENTION_MS = 7 * DAY

export const recheckPause = (tries: number): number =>
  RECHECK_PAUSES_MS[Math.min(tries, RECHECK_PAUSES_MS.length - 1)] ?? DAY

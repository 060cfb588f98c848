import { DAY, HOUR, MINUTE, SECOND } from './clock.ts'

/** Every length, size, timeout and retry, with its reason. Units come last in the names. */
export const LIMITS = {
  /** Long enough for any shop's order number, short enough for an index entry. */
  referenceIdLength: 200,
  customerIdLength: 200,
  nameLength: 200,
  /** Shops put a product's whole title, with its options, into the name of an item. */
  itemNameLength: 1_000,
  /** Invoices list all their lines here. */
  descriptionLength: 10_000,
  /** What a fraud rule tells the payer, on a page. */
  messageLength: 1_000,
  urlLength: 2_048,
  /** RFC 5321: the longest address that can be delivered to. */
  emailLength: 254,
  phoneLength: 50,
  orderItems: 500,
  /** Far above any real order, far below what a recursive walk can take. */
  jsonDepth: 32,
  /** 500 items of 30 members fit; each value costs memory and a check, however small it is on the wire. */
  jsonValues: 20_000,
  /** Names are repeated in errors. */
  jsonKeyBytes: 512,
  /** More than any form of ours has. */
  formFields: 200,
  /** Enough to mend a request; a body made of nothing but mistakes is not listed whole. */
  listedErrors: 50,
  /** 500 items of generous size fit in 256 KiB. */
  bodyBytes: 256 * 1024,
  notificationBytes: 256 * 1024,
  pageSize: 500,
  defaultPageSize: 100,
  idempotencyKeyLength: 255,
  /** A page of a list ends before it has more bytes, but has at least one row: the cursor goes on there. */
  pageBytes: 4 * 1024 * 1024,
  /** Read from the database and sent in pieces of this size, so a page of any size needs little memory. */
  pieceBytes: 512 * 1024,
  /** Lists of one app that are answered at once by a node, and that wait for one of those to end. */
  listsAtOnce: 4,
  listsWaiting: 200,
  listWaitMs: 10 * SECOND,
  /** A reader that is slower than this is cut off: it would keep one of its app's places. */
  listSendMs: MINUTE,
  /** Bounds of what an app can own and is read as a whole; far above what a shop has. */
  fraudPolicies: 100,
  profiles: 200,
  storedMethodsShown: 1_000,
  paymentAttemptsShown: 500,
  /** Newest attempts that a webhook is shown with: twelve by schedule, the rest by resending. */
  shownAttempts: 200,

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
  /** How long a repeated creation waits for the first: longer than a provider call, so that one has ended. */
  replayWaitMs: 25 * SECOND,
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

  /** Of one app, active at once: a key for each server and job of a merchant, and rotation with overlap. */
  apiKeys: 50,
  /** Versions lost in a row before apply gives up and refuses the request as busy. */
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

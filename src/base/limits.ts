import { DAY, HOUR, MINUTE, SECOND } from './clock.ts'

/** Every length, size, timeout and retry, with its reason. Units come last in the names. */
export const LIMITS = {
  /** Long enough for any shop's order number, short enough for an index entry. */
  referenceIdLength: 200,
  customerIdLength: 200,
  nameLength: 200,
  /** The card networks show so much of a bank statement. */
  statementLength: 22,
  /** Shops put a product's whole title, with its options, into the name of an item. */
  itemNameLength: 1_000,
  /** Invoices list all their lines here. */
  descriptionLength: 10_000,
  /** What a fraud rule tells the payer, on a page. */
  messageLength: 1_000,
  urlLength: 2_048,
  /** A shopper reference of Adyen has up to 256 characters. */
  providerTokenLength: 400,
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
  /** More than any form of ours has: a fraud policy has up to 50 rules of some ten fields. */
  formFields: 1_000,
  /** Enough to fix a request; a body with more errors is not listed completely. */
  listedErrors: 50,
  /** A form without files: a few short fields. Routes of longer ones say so. */
  formBytes: 16 * 1024,
  /** Many fields, or texts whose characters take nine bytes each when a form is sent. */
  longFormBytes: 64 * 1024,
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
  /**
   * A slower reader is disconnected, as it holds one of its app's slots. One of an export is disconnected
   * when it has taken nothing for this long.
   */
  listSendMs: MINUTE,
  /**
   * Bodies above `bodyBytes` that a node has in memory at once, one of each caller, and that wait before they
   * are read: the largest has 25 MiB, and takes some 300 MiB until it is written.
   */
  largeBodiesAtOnce: 3,
  largeBodiesWaiting: 20,
  largeBodyWaitMs: 5 * SECOND,
  /** Bounds of what an app can own and is read as a whole; far above what a shop has. */
  fraudPolicies: 100,
  blockEntries: 20_000,
  profiles: 200,
  storedMethodsShown: 1_000,
  paymentAttemptsShown: 500,
  /** Newest attempts that a webhook is shown with: twelve by schedule, the rest by resending. */
  shownAttempts: 200,

  minAmountMinor: 1n,
  /** In major units: 999,999,999.99. */
  maxAmountMajor: 999_999_999n,

  /** Time for the whole request, headers and body: a slow sender holds a socket no longer. */
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
  /** After a timeout, a request that the provider has not seen may still arrive, but not after this long. */
  lateRecheckMs: 5 * MINUTE,
  /**
   * Clocks of nodes may differ by an hour, so the five minutes may be over at once. A younger attempt is read
   * once more after this long: two hours for a clock behind and one ahead, and one hour of time.
   */
  lateRecheckAgainMs: 3 * HOUR,
  /** Lease of the process that wrote an operation. */
  operationLeaseMs: 30 * SECOND,

  /**
   * Rows that one job of a process works on at once. Each may wait for a provider, so each profile and app
   * has its own share: the others continue while one provider hangs.
   */
  jobRows: { perProfile: 8, perApp: 20, perNode: 64 },
  /** Notifications that a process handles on receipt; more wait for the job. */
  notifications: { perProfile: 32, perApp: 64, perNode: 256 },
  /** First pause before a notification whose provider cannot be read is retried; it doubles. */
  notificationPauseMs: 30 * SECOND,
  notificationLongestPauseMs: HOUR,
  /**
   * Notifications of one profile about payments that are not known yet. An account may also serve other
   * systems, and most of these are about payments of theirs.
   */
  unmatchedNotifications: 1_000,
  /** Longer than any provider repeats a notification; until then a repetition is recognised. */
  notificationsKeptMs: 30 * DAY,
  /** First pause before a timer that changed nothing fires again; it doubles. */
  timerPauseMs: MINUTE,
  timerLongestPauseMs: HOUR,

  /** Enough for every card in a wallet, too few to try stolen ones. */
  checkoutAttempts: 10,
  /** How long a payer's click waits for the provider before the status page takes over. */
  checkoutWaitMs: 3 * SECOND,
  /** A link that is older may have been passed on: it no longer shows stored methods. */
  savedMethodsShownMs: HOUR,
  /** Pages of one payment that listen for changes: more than the tabs a payer opens. */
  liveStreams: 8,

  /** A panel link is handed to one person at once. */
  panelLinkMs: HOUR,
  /** The longest life of a link that a person of the team sends by e-mail. */
  panelLinkMaxMs: 7 * DAY,
  /** Idle time of a panel session; every page view restarts it. */
  panelSessionMs: 30 * MINUTE,
  /**
   * Ended visits are kept this long, more than the longest link: it is not opened twice, and a late return
   * gets the result.
   */
  panelKeptMs: 8 * DAY,
  idempotencyKeptMs: DAY,
  /** A request that holds an Idempotency-Key this long without an answer counts as crashed. */
  idempotencyLockMs: MINUTE,

  /** Recipients of the refund e-mails of one merchant. */
  refundEmails: 20,
  /** Active keys of one app: a key for each server and job of a merchant, and rotation with overlap. */
  apiKeys: 50,
  /** Versions lost in a row before apply gives up and refuses the request as busy. */
  applyAttempts: 5,
  /** TTL of cached apps and keys: a revocation takes effect within a second. */
  directoryMs: 500,
} as const

/** Pauses between rechecks of an operation with an unknown outcome. The last one repeats. */
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
 * An operation still unknown after this long needs manual review; it is rechecked daily, never guessed.
 */
export const NEEDS_ATTENTION_MS = 7 * DAY

export const recheckPause = (tries: number): number =>
  RECHECK_PAUSES_MS[Math.min(tries, RECHECK_PAUSES_MS.length - 1)] ?? DAY

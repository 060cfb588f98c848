import { DAY, MINUTE, SECOND } from '../base/clock.ts'

/** All limits of the logs. Those of an app are counted by each process. */
export const LOGS = {
  /** A crash loses at most what was logged in this time. */
  flushMs: 500,
  /** Lines and bytes that wait for the next write; more are dropped. */
  queueLines: 5_000,
  queueBytes: 16 * 1024 * 1024,
  /** Lines and bytes of one statement. */
  batchLines: 500,
  batchBytes: 2 * 1024 * 1024,

  /** The length of a body or URL, after masking. */
  bodyBytes: 8 * 1024,
  /** A longer body of the API is not parsed and not kept. */
  readBytes: 64 * 1024,
  textLength: 2_048,

  /**
   * Lines of one app: a shop of ordinary size is logged completely, and a busy one in samples. Every app gets
   * `assuredPerSecond`, also while the process writes as many lines as it may.
   */
  api: {
    perSecond: 40,
    assuredPerSecond: 5,
    perNode: 100,
    perDay: 200_000,
    /** The last part of a day's lines is for requests that were refused or failed. */
    perDaySucceeded: 160_000,
    bodyBytesPerDay: 200 * 1024 * 1024,
    keptMs: 7 * DAY,
  },
  provider: {
    perSecond: 100,
    assuredPerSecond: 10,
    perNode: 200,
    perDay: 200_000,
    perDaySucceeded: 160_000,
    bodyBytesPerDay: 400 * 1024 * 1024,
    keptMs: 30 * DAY,
  },
  /** Visits of one quarter are counted together. */
  visits: { keptMs: 90 * DAY, countedAfterMs: 15 * SECOND },
  /** Apps whose shares a process counts; the longest idle are forgotten. */
  countedApps: 10_000,

  /** Lines that one page of a filtered list looks at. */
  scannedLines: 5_000,
  /** Bytes of bodies that it expands to look at them. */
  scannedBytes: 4 * 1024 * 1024,
  pageLines: 50,
  maxPageLines: 200,
  /** Rows of a histogram. */
  buckets: 400,
  minuteBucketsMs: 6 * 60 * MINUTE,

  /** Small enough that the locks of one batch delay no request. */
  removalBatch: 500,
  removalEveryMs: 10 * MINUTE,
} as const

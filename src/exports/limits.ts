import { DAY, MINUTE, SECOND } from '../base/clock.ts'

/** Bounds of exports, with their reasons. */
export const EXPORTS = {
  /** Rows of one read, and of one part of the file. */
  pageRows: 1_000,
  /** Pages that the request itself makes: a file of a few thousand rows is ready with its answer. */
  pagesAtOnce: 5,
  /** Pages of one claim. Then exports of other apps have their turn. */
  pagesOfClaim: 20,
  /** Longer than a page takes on a busy database. */
  leaseMs: MINUTE,
  everyMs: SECOND,
  /** Exports in progress: one app cannot slow the others. */
  atOnce: { perProfile: 1, perApp: 1, perNode: 2 },
  /** More rows than a spreadsheet opens; a program reads the lists of the API. */
  rows: 2_000_000,
  /** Compressed bytes that an app keeps. */
  appBytes: 256 * 1024 * 1024,
  /** Exports of an app that wait or run. */
  unfinished: 20,
  /** Exports that an app keeps; older ones are removed when one is made. */
  kept: 200,
  keptMs: 7 * DAY,
  /** After so many tries an export has failed. */
  tries: 8,
  pauses: { firstMs: 5 * SECOND, longestMs: 10 * MINUTE },
  removalEveryMs: 10 * MINUTE,
  removalBatch: 50,
  schedules: 50,
  recipients: 20,
  /** After the end of a period: rows of its last seconds are in the lists by then. */
  graceMs: MINUTE,
  /** After a longer stop, earlier periods are not made up for. */
  catchUpMs: 35 * DAY,
} as const

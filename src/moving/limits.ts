import { DAY, MINUTE, SECOND } from '../base/clock.ts'

/** Bounds of imports, with their reasons. */
export const IMPORTS = {
  /** Some 150,000 lines with a token. Larger files come in parts. */
  fileBytes: 25 * 1024 * 1024,
  /** Lines that are done together: five rounds of reads. A worker that dies repeats at most these. */
  chunkRows: 240,
  /** Chunks that one statement writes. */
  chunksOfWrite: 50,
  /** Chunks of one claim. Then imports of other apps have their turn. */
  chunksOfClaim: 20,
  /**
   * Tokens that are read at once: 340 in a second where a provider answers within 140 ms. An import begins
   * with half of them, adds some after each chunk, and halves them when the provider asks for fewer or is
   * silent.
   */
  reads: { most: 48, fewest: 4, first: 24, step: 4 },
  /** Reads without an answer after which the rest of the chunk waits: the provider is away. */
  silentReads: 12,
  /** Methods of known customers that are written at once: payments need the other connections. */
  writesAtOnce: 8,
  /** Longer than the reads of a chunk take where each one waits for its time limit. */
  leaseMs: 90 * SECOND,
  everyMs: SECOND,
  /** Imports in progress: one app cannot slow the others. */
  atOnce: { perProfile: 1, perApp: 1, perNode: 2 },
  /** Imports of an app that wait or run. */
  unfinished: 20,
  /** After so many tries the lines that a provider did not answer are wrong. */
  tries: 8,
  pauses: { firstMs: 2 * SECOND, longestMs: 5 * MINUTE },
  /** Wrong lines that are kept; more are counted only. */
  problems: 10_000,
  /** Imports that an app keeps; older ones are removed when one is made. */
  kept: 200,
  keptMs: 30 * DAY,
  removalEveryMs: 10 * MINUTE,
  removalBatch: 20,
  nameLength: 200,
  extrasLength: 10_000,
} as const

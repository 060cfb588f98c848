import { HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** Sizes and pauses of disputes, with their reasons. Units come last in the names. */
export const DISPUTES = {
  /** A file is kept in the database until it is sent. Providers that take more are rare. */
  fileBytes: 5_000_000,
  totalBytes: 20_000_000,
  /** Of one form in the console: its files together, and the texts. */
  formBytes: 8_000_000,
  idLength: 200,
  /** Longer than a call to a provider may take. */
  leaseMs: MINUTE,
  firstPauseMs: 2 * SECOND,
  longestPauseMs: HOUR,
} as const

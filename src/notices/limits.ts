import { DAY } from '../base/clock.ts'

export const NOTICES = {
  /** Listed and counted. */
  shown: 100,
  /** As long as the record of sent e-mails. */
  keptMs: 30 * DAY,
  removalBatch: 500,
} as const

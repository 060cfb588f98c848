import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** Sizes, pauses and periods of settlements, with their reasons. Units come last in the names. */
export const SETTLEMENTS = {
  /** As large as other tools take; some 150,000 lines. */
  fileBytes: 25 * 1024 * 1024,
  /** Lines of one statement: it takes some 50 ms, so payments beside it do not wait. */
  batchLines: 1_000,
  /** Ids of providers have at most 127 characters; longer ones are a mistake in the file. */
  idLength: 200,
  idsPerLine: 10,
  /** Of a file. */
  nameLength: 120,
  /** Of one line or payout, and of all lines of a file together: sums of many files fit into a bigint. */
  mostMinor: 10n ** 15n,
  mostTotalMinor: 10n ** 16n,
  /** Payouts may arrive on a later day; lines of a later year are a mistake. */
  futureDays: 366,
  /** Stored and answered; the report has the number of all. */
  badRows: 200,
  problemLength: 300,
  /** Keys of payments are kept from this long before the first line: a capture may follow late. */
  keysBeforeMs: 60 * DAY,
  /** Events of an app that one transaction reads. */
  events: 1_000,
  /** Such transactions before the lines of a report are matched. What is left is matched again later. */
  eventPages: 50,
  /** An event may be committed this long after its time: events are read again until they are older. */
  eventMarginMs: 30 * SECOND,
  /** Clocks of nodes may differ by an hour: events this old are read a second time, once. */
  lateEventsMs: 2 * HOUR,
  eventsEveryMs: 10 * SECOND,
  /** An app whose events cannot be read waits this long: it takes no place from others meanwhile. */
  failurePauseMs: 5 * MINUTE,
  /** A source that is read up to now is read again after this long. */
  readEveryMs: HOUR,
  /** The pause before a source that cannot be read is tried again; doubled with each failure. */
  readPauseMs: MINUTE,
  readLongestPauseMs: 6 * HOUR,
  /** Pages of a source that one claim reads. */
  pages: 20,
  leaseMs: 2 * MINUTE,
  /** A file of the watched folder is read when it has not changed for this long. */
  fileStableMs: 10 * SECOND,
  folderEveryMs: 5 * SECOND,
  /** Files of a profile that one run imports, and sub-folders that it looks into. */
  filesPerRun: 20,
  folders: 1_000,
  /** A file that a crashed worker has left is imported again after this long. */
  fileLeftMs: 30 * MINUTE,
  /** Lines without a payment are matched again: first after a minute, then with doubled pauses. */
  matchPauseMs: MINUTE,
  matchLongestPauseMs: DAY,
  /** Then a line is taken for foreign. */
  matchTries: 40,
  /** For files in the general form: a sale may be in the report of the next week. */
  usualDelayDays: 7,
  /** Monthly payouts are the slowest schedule in use. */
  unpaidDays: 35,
  /** Payments of which a missing line is looked for in one transaction. */
  duePayments: 500,
  /** Unlike amounts, fees may be rounded for each part: one minor unit, and one per cent of the fee. */
  feeToleranceMinor: 1n,
  feeTolerancePercent: 1n,
  /** A suggestion is a payment that was created at most this long before the line. */
  suggestedMs: 14 * DAY,
  /** Payments of one amount that are looked at for a suggestion. */
  suggestedOf: 200,
  /** Tax law of many countries: what a booking was made from is kept for a year, and time to close it. */
  rawKeptMs: 396 * DAY,
  removalBatch: 1_000,
  removalEveryMs: 10 * MINUTE,
} as const

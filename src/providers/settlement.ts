import type { FileProblem } from '../base/files/file-problem.ts'
import type { Money } from '../base/money.ts'

/**
 * What a provider reports about money that it has settled. An adapter reads it from the provider's API in
 * windows of time, or from a file. Amounts have the merchant's sign: what the merchant gets is positive, what
 * is taken from the merchant is negative.
 */

export const LINE_KINDS = [
  'sale',
  'refund',
  'fee',
  'dispute',
  'dispute-reversal',
  'return',
  'reserve',
  'adjustment',
  'conversion',
  'payout',
] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** One movement on the merchant's account at the provider. It never changes. */
export interface SettledLine {
  /** The provider's id of the line, or one made of its ids: the same in every report, unique in a profile. */
  readonly id: string
  readonly kind: LineKind
  /** Ids that may be among the handles of an attempt, or name a refund or dispute: the most exact first. */
  readonly ids: readonly string[]
  /** Our reference of the attempt, or the key of the operation, where the provider reports it. */
  readonly reference?: string
  /** In the currency of the charge, before fees. Zero for a fee alone. */
  readonly gross: Money
  /** In the currency of the balance. Positive: what the provider keeps. Absent: the provider reports none. */
  readonly fee?: Money
  /** What the balance changed by, in its currency. Absent: the provider reports only gross amounts. */
  readonly net?: Money
  /** The rate from the charge's currency to the balance's, as the provider writes it. */
  readonly rate?: string
  readonly time: Date
  /**
   * The provider's id of the payout that the line is part of, or of the payout itself. A line may be reported
   * before its payout is known; the same line is then reported again with it.
   */
  readonly payout?: string
  /** The row as it came: sealed before it is stored, and removed after 13 months. It holds no names. */
  readonly raw: string
}

/** Money on its way to the merchant's bank, or from it when the amount is negative. */
export interface SettledPayout {
  readonly id: string
  readonly amount: Money
  readonly state: 'pending' | 'paid' | 'failed'
  readonly time: Date
  /** When it is or was on the bank account. */
  readonly arrival?: Date
  /** What the bank statement says. */
  readonly bankReference?: string
}

/** A row that could not be read. The other rows count. */
export interface BadRow {
  /** Its number in the file from 1, or the provider's id of it. */
  readonly row: string
  readonly problem: FileProblem
}

export interface SettledPage {
  readonly kind: 'page'
  readonly lines: readonly SettledLine[]
  readonly payouts: readonly SettledPayout[]
  readonly bad: readonly BadRow[]
  /** Values that the adapter's enumerations do not list, such as `line type newValue`. They are counted. */
  readonly unlisted?: readonly string[]
  /** Where the next page of the same window begins. Absent: the window is read. */
  readonly next?: string
}

/** A report that as a whole is not one of this profile: nothing of it counts. */
export interface WrongReport {
  readonly kind: 'wrong'
  readonly why: 'format' | 'other-account' | 'incomplete'
  readonly problem: FileProblem
}

/** The times of one read, by the provider's clock. `until` is not included. */
export interface SettlementWindow {
  readonly from: Date
  readonly until: Date
}

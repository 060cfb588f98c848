import { MINUTE } from '../base/clock.ts'

/** Sizes and times of payment links, with their reasons. Units come last in the names. */
export const LINKS = {
  /** Of the payment of one payer: long enough to pay, short enough to free the place of a payer who left. */
  heldMs: 30 * MINUTE,
  /** The places of a link are counted for each payer. */
  maximumPayments: 100_000,
  /** The reference of a payment adds 25 characters. */
  referenceLength: 150,
} as const

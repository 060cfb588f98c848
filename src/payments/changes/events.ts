import type { Failure } from '../payment.ts'
import type { PaymentProblem } from '../problems.ts'

/** What happens to a payment, with what the machine's event carries. */
export type PaymentEvent =
  | { readonly on: 'pay' }
  | { readonly on: 'began' }
  | { readonly on: 'approved' }
  | { readonly on: 'authorized'; readonly holds?: boolean; readonly problem?: PaymentProblem }
  | { readonly on: 'captured'; readonly totalMinor: bigint; readonly holds?: boolean }
  | { readonly on: 'arrivedLate'; readonly totalMinor: bigint; readonly holds?: boolean }
  | { readonly on: 'declined'; readonly failure: Failure }
  | { readonly on: 'rejected'; readonly failure: Failure }
  | { readonly on: 'capture'; readonly amountMinor: bigint }
  | {
      readonly on: 'captureRefused'
      readonly problem: PaymentProblem
      readonly authorisationGone?: boolean
      /** The provider did not capture again in time. */
      readonly isGivenUp?: true
    }
  | { readonly on: 'captureFailed'; readonly problem: PaymentProblem }
  | { readonly on: 'cancel' }
  | { readonly on: 'cancelled' }
  | { readonly on: 'cancelRefused'; readonly problem: PaymentProblem }
  | { readonly on: 'expired' }
  | { readonly on: 'released'; readonly failure: Failure }
  | { readonly on: 'unhold'; readonly atProvider?: boolean }
  | { readonly on: 'refund'; readonly amountMinor: bigint }
  | { readonly on: 'refunded'; readonly totalMinor: bigint }
  | { readonly on: 'refundRefused'; readonly problem: PaymentProblem }
  | { readonly on: 'returned' }
  | { readonly on: 'disputed'; readonly reason?: string }
  /** `amountMinor`: what a lost dispute had taken back, and is with the merchant again. */
  | { readonly on: 'disputeWon'; readonly amountMinor?: bigint }
  /** `amountMinor`: what the payer's bank took back. */
  | { readonly on: 'disputeLost'; readonly amountMinor: bigint }
  | { readonly on: 'markRefunded'; readonly reason?: string }
  | { readonly on: 'markDisputed'; readonly reason?: string }

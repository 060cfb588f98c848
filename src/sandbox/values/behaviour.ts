import { DAY, SECOND } from '../../base/clock.ts'
import type { DeclineReason, RetryAdvice } from '../../providers/outcome.ts'

/** Behaviour of the bank for a test card, account, name or amount. An empty one approves everything. */
export interface Behaviour {
  /** Declines the authorisation, after the challenge if there is one. */
  readonly refuse?: Refusal
  /** Declines amounts above this limit in major units. */
  readonly refuseAboveMajor?: number
  /** Approves only this percentage of the amount. */
  readonly percent?: number
  readonly challenge?: boolean
  /** The answer of the card's bank to 3-D Secure. Absent: it challenges when it is asked to. */
  readonly threeDSecure?: 'frictionless' | 'refuses-exemptions' | 'not-supported'
  /** Accepted at first, decided later. */
  readonly pending?: PendingBehaviour
  /** Declines later charges of the stored method. */
  readonly storedCharge?: Refusal
  readonly risk?: Risk
  readonly checks?: TestChecks
  /** The payer's bank disputes the payment after the capture. */
  readonly dispute?: 'fraudulent' | 'not-received'
  readonly returnedLater?: boolean
  readonly refund?: RefundBehaviour
  readonly capture?: { readonly pendingMs: number } | 'fails'
  /** A void fails because the payment has just been captured. */
  readonly voidTooLate?: boolean
  readonly windowMs?: number
  /** Faults of the reply and of the notifications about this payment. */
  readonly reply?: ReplyEffect
  readonly notification?: NotificationEffect
}

type RefundBehaviour = 'pending' | 'pending-then-failed' | 'done-then-failed'
type ReplyEffect = 'reply-lost' | 'request-lost' | 'reply-late' | 'http-500-after-acting' | 'unreadable'
export type NotificationEffect =
  | 'notification-duplicate'
  | 'notification-reordered'
  | 'notification-late'
  | 'notification-never'
  | 'notification-forged'

export interface Refusal {
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
  /** The bank's error code. */
  readonly code?: string
  readonly message?: string
}

export interface PendingBehaviour {
  /** Null: stays pending. */
  readonly ms: number | null
  readonly waitsFor: 'provider' | 'review' | 'confirmations'
  readonly refuse?: Refusal
}

export interface Risk {
  readonly score: number
  readonly level: 'low' | 'elevated' | 'high'
}

export interface TestChecks {
  readonly postalCode?: 'fail'
  readonly cvc?: 'fail'
}

/** Default duration of a pending operation. */
export const SETTLES_MS = 4 * SECOND
export const REVIEW_MS = DAY

const ADVICE: Readonly<Partial<Record<DeclineReason, RetryAdvice>>> = {
  'insufficient-funds': 'later',
  'lost-card': 'never',
  'stolen-card': 'never',
  'expired-card': 'never',
  'processing-error': 'later',
  'issuer-unavailable': 'later',
  'limit-exceeded': 'later',
  'account-closed': 'never',
  'no-account': 'never',
  'debit-not-authorised': 'never',
  'method-removed': 'never',
  'customer-cancelled': 'after-customer-acts',
  'authentication-required': 'after-customer-acts',
  underpaid: 'after-customer-acts',
  expired: 'after-customer-acts',
}

export const refusal = (reason: DeclineReason, code?: string, message?: string): Refusal => ({
  reason,
  retry: ADVICE[reason] ?? 'unspecified',
  ...(code ? { code } : {}),
  ...(message ? { message } : {}),
})

export function riskOf(score: number): Risk {
  const level = score >= 75 ? 'high' : score >= 50 ? 'elevated' : 'low'
  return { score, level }
}

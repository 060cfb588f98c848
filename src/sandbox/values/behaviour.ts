import { DAY, SECOND } from '../../base/clock.ts'
import type { DeclineReason, RetryAdvice } from '../../providers/outcome.ts'

/** How the bank treats one test card, account, name or amount. An empty one approves everything. */
export interface Behaviour {
  /** Said no at authorisation; after the challenge, where there is one. */
  readonly refuse?: Refusal
  /** Said no when the amount, in major units, is above this. */
  readonly refuseAboveMajor?: number
  /** Approves only this part of the amount. */
  readonly percent?: number
  readonly challenge?: boolean
  /** Accepted at first, decided later. */
  readonly pending?: PendingBehaviour
  /** Said no to every later charge of the stored method. */
  readonly storedCharge?: Refusal
  readonly risk?: Risk
  readonly checks?: Checks
  /** The payer's bank takes the money back some time after the capture. */
  readonly dispute?: 'fraudulent' | 'not-received'
  readonly returnedLater?: boolean
  readonly refund?: RefundBehaviour
  readonly capture?: { readonly pendingMs: number } | 'fails'
  /** A void comes too late: the money was taken a moment before. */
  readonly voidTooLate?: boolean
  readonly windowMs?: number
  /** What becomes of the answer, and of the notifications about this payment. */
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
  /** The bank's own code for it. */
  readonly code?: string
  readonly message?: string
}

export interface PendingBehaviour {
  /** Null: for ever. */
  readonly ms: number | null
  readonly waitsFor: 'provider' | 'review' | 'confirmations'
  readonly refuse?: Refusal
}

export interface Risk {
  readonly score: number
  readonly level: 'low' | 'elevated' | 'high'
}

export interface Checks {
  readonly postalCode?: 'fail'
  readonly cvc?: 'fail'
}

/** How long "pending" takes where nothing else is said. */
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

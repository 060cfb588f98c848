import type { Money } from '../base/money.ts'

/**
 * How a call to a provider ends, and what reading a provider shows: the words between adapters and the core.
 * Six outcomes, returned and never thrown; unknown is never treated as a decline.
 */

export const METHOD_KINDS = ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'] as const
export type MethodKind = (typeof METHOD_KINDS)[number]

/** What the provider calls things. Stored by the core, opaque to it except for the three it shows. */
export interface Handles {
  readonly payment?: string
  readonly authorisation?: string
  readonly capture?: string
  readonly [other: string]: string | undefined
}

/**
 * The currency that the provider names in its answer. An outcome in another currency than the payment's is
 * not believed: it counts as unknown.
 */
type ToldCurrency = string

/**
 * Certain: it is done. A start, resume or charge is authorised, or captured where the method has one step.
 */
export interface Approved {
  readonly kind: 'approved'
  readonly handles: Handles
  readonly facts: Facts
  readonly currency?: ToldCurrency
}
/** Certain: the provider or the bank looked at it and said no. */
export interface Declined {
  readonly kind: 'declined'
  readonly handles?: Handles
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
  readonly raw: ProviderMessage
  readonly facts?: Facts
}
/** Certain that it was accepted, not known how it ends. A notification or a recheck will tell. */
export interface Pending {
  readonly kind: 'pending'
  readonly handles: Handles
  readonly waitsFor: 'provider' | 'customer' | 'review' | 'confirmations'
  readonly recheckAt?: Date
  readonly facts?: Facts
  readonly currency?: ToldCurrency
}
/** The customer has to go somewhere. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly handles: Handles
  readonly url: string
  readonly expiresAt?: Date
  readonly currency?: ToldCurrency
}
/** Certain that nothing happened: never sent, refused at the door, not supported, our mistake. */
export interface NotDone {
  readonly kind: 'not-done'
  readonly why:
    | 'not-sent'
    | 'bad-request'
    | 'bad-credentials'
    | 'rate-limited'
    | 'unsupported'
    | 'not-found'
    | 'wrong-state'
  readonly retryAfter?: Date
  readonly raw?: ProviderMessage
}
/** Nobody knows. The only legal next moves are `retrieve`, or the same operation again with the same key. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly why: 'timeout' | 'connection-lost' | 'server-error' | 'unreadable-reply'
  readonly handles?: Handles
  readonly raw?: ProviderMessage
}
export type Outcome = Approved | Declined | Pending | Redirect | NotDone | Unknown

/** How keeping a method without a charge ends; nothing is taken, so what nobody knows may be asked again. */
export type Keep = Kept | Redirect | Declined | NotDone | Unknown
interface Kept {
  readonly kind: 'kept'
  readonly stored: StoredMethod
  /** Two small amounts are on their way to the account: until they were read back it cannot be charged. */
  readonly unconfirmed?: true
}

/** Whether the two small amounts were right. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | NotDone
  | Unknown

/**
 * The provider's view of one payment at one moment: what recheck, notifications and returns all reduce to.
 */
export interface Snapshot {
  readonly kind: 'snapshot'
  readonly handles: Handles
  readonly stage: Stage
  readonly authorised?: Money
  readonly captured: Money
  readonly refunded: Money
  readonly refunds: readonly RefundSeen[]
  readonly decline?: {
    readonly reason: DeclineReason
    readonly retry: RetryAdvice
    readonly raw: ProviderMessage
  }
  readonly dispute?: 'open' | 'won' | 'lost'
  /** Where the customer goes while the stage is needs-customer. */
  readonly customerUrl?: string
  readonly facts: Facts
}

/** `approved`: the customer agreed, the server has to `resume` before money is reserved. */
export type Stage =
  | 'needs-customer'
  | 'approved'
  | 'in-review'
  | 'processing'
  | 'authorised'
  | 'captured'
  | 'declined'
  | 'cancelled'
  | 'expired'

export interface RefundSeen {
  readonly id: string
  readonly operationKey?: string
  readonly amount: Money
  readonly state: 'pending' | 'done' | 'failed'
  readonly problem?: string
}
/** `conclusive`: the provider promises that it would be listed by now. */
interface Absent {
  readonly kind: 'absent'
  readonly conclusive: boolean
}
export type Sight = Snapshot | Absent | Unknown | NotDone

/** What a provider tells beside the outcome. Never a card number. */
export interface Facts {
  readonly fee?: Money
  readonly authorisedUntil?: Date
  readonly payer?: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly card?: CardFacts
  readonly method?: MethodKind
  readonly stored?: StoredMethod
  readonly risk?: { readonly score?: number; readonly level: 'low' | 'elevated' | 'high' | 'unknown' }
  /** What the payer's bank compared and found different; absent: not compared, or the same. */
  readonly checks?: { readonly postalCode?: 'pass' | 'fail'; readonly cvc?: 'pass' | 'fail' }
}
export interface CardFacts {
  readonly brand?: string
  readonly type?: string
  readonly expiryMonth?: number
  readonly expiryYear?: number
  readonly last4?: string
  readonly country?: string
}
export interface StoredMethod {
  readonly token: string
  /** Masked, for people: "Visa •••• 4242". */
  readonly label: string
  readonly method: MethodKind
  /** The same card or account always has the same fingerprint at one provider. */
  readonly fingerprint?: string
  readonly card?: CardFacts
}
export interface ProviderMessage {
  readonly code?: string
  readonly message?: string
  readonly status?: number
}
export type RetryAdvice = 'never' | 'later' | 'after-customer-acts' | 'unspecified'

export const DECLINE_REASONS = [
  'generic',
  'insufficient-funds',
  'lost-card',
  'stolen-card',
  'expired-card',
  'incorrect-number',
  'incorrect-cvc',
  'incorrect-address',
  'limit-exceeded',
  'card-not-supported',
  'currency-not-supported',
  'authentication-required',
  'authentication-failed',
  'suspected-fraud',
  'blocked',
  'do-not-honour',
  'issuer-unavailable',
  'processing-error',
  'account-closed',
  'no-account',
  'debit-not-authorised',
  'mandate-revoked',
  'method-removed',
  'duplicate',
  'customer-cancelled',
  'expired',
  'underpaid',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

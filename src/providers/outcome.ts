import type { Money } from '../base/money.ts'
import type { AnyMethod, MethodKind, WalletId } from './methods/method.ts'
import type { ThreeDSecureFacts } from './methods/three-d-secure.ts'

/**
 * Results of provider calls and provider reads, shared by the adapters and the core. A call has one of six
 * outcomes, which are returned and never thrown. The core never treats `unknown` as a decline. Decision 0013.
 */

export { METHOD_KINDS, type MethodKind } from './methods/method.ts'

/** The provider's own ids. The core stores them and reads only the three that it shows. */
export interface Handles {
  readonly payment?: string
  readonly authorisation?: string
  readonly capture?: string
  readonly [other: string]: string | undefined
}

/**
 * What the reply says it is about. The core compares it with the request. If anything differs, the outcome is
 * unknown and the log has an error, because the reply may belong to another payment.
 */
export interface Echo {
  readonly reference?: string
  /** The amount of the operation: of the authorisation, the capture or the refund. */
  readonly amount?: Money
}

/** The operation succeeded. */
export interface Approved {
  readonly kind: 'approved'
  readonly handles: Handles
  readonly facts: Facts
  /** For a start, resume or charge. Absent: what the purchase asked for. */
  readonly stage?: 'authorised' | 'captured'
  /** The provider holds the payment for review: money moved, but it must not be delivered yet. */
  readonly isHeld?: boolean
  /**
   * For a cancel: the provider cannot close the page, and the customer could still pay there until then. The
   * attempt is read again at that time, and money that it took is given back.
   */
  readonly openUntil?: Date
  readonly echo?: Echo
}
/** The provider or the payer's bank declined the operation. */
export interface Declined {
  readonly kind: 'declined'
  readonly handles?: Handles
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
  /** With `later`: the shortest wait that the card network names. */
  readonly retryAfterMs?: number
  /** With `never`: the card network forbids the card, whatever the reason and the provider. */
  readonly byNetwork?: true
  readonly raw: ProviderMessage
  /** The provider's code is not in the adapter's table. It is counted, so that the table can grow. */
  readonly isUnlisted?: boolean
  readonly facts?: Facts
}
/** The provider accepted the operation; a notification or a recheck reports the result. */
export interface Pending {
  readonly kind: 'pending'
  readonly handles: Handles
  readonly waitsFor: 'provider' | 'customer' | 'review' | 'confirmations'
  readonly recheckAt?: Date
  /** Nothing was sent yet, because the provider takes it only later: it is sent at `recheckAt`. */
  readonly isDeferred?: boolean
  /** A page where the customer must act, for example to claim a refund. */
  readonly customerUrl?: string
  readonly facts?: Facts
  readonly echo?: Echo
}
/** The customer must visit a page of the provider. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly handles: Handles
  readonly url: string
  /** GET when absent. With POST, a page of ours submits `fields` to `url`. */
  readonly method?: 'GET' | 'POST'
  readonly fields?: Readonly<Record<string, string>>
  readonly expiresAt?: Date
  readonly echo?: Echo
}
/** Nothing happened: the request was not sent, or it was rejected before processing. */
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
/** The result is not known. The caller may only `retrieve`, or repeat the operation with the same key. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly why: 'timeout' | 'connection-lost' | 'server-error' | 'unreadable-reply'
  readonly handles?: Handles
  readonly raw?: ProviderMessage
}
export type Outcome = Approved | Declined | Pending | Redirect | NotDone | Unknown

/** Result of storing a method without a charge. No money moves, so an unknown result is safe to retry. */
export type SetupOutcome = SetupDone | Redirect | Declined | NotDone | Unknown
interface SetupDone {
  readonly kind: 'stored'
  readonly stored: StoredMethod
  /** The method cannot be charged until the customer confirms the two small amounts sent to the account. */
  readonly unconfirmed?: true
}

/** Result of reading a stored method. `not-found`: the provider does not know it, or it cannot be charged. */
export type StoredRead = { readonly kind: 'stored'; readonly stored: StoredMethod } | NotDone | Unknown

/** Result of confirming the two small amounts. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | NotDone
  | Unknown

/** The provider's state of one payment. Rechecks, notifications and customer returns all produce one. */
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
    /** As in `Declined`. */
    readonly retryAfterMs?: number
    /** As in `Declined`. */
    readonly byNetwork?: true
    readonly raw: ProviderMessage
    /** As in `Declined`. */
    readonly isUnlisted?: boolean
  }
  /** Every dispute of the payment, with its present state, in any order. */
  readonly disputes?: readonly Dispute[]
  /** The payer's bank returned a debit that was captured. */
  readonly isReturned?: boolean
  /** A capture that was done has failed, and the provider itself captures again within some days. */
  readonly recapture?: Recapture
  /**
   * Part of the amount has arrived on a page that is over. The rest can still come until `openUntil`; until
   * then the stage stays needs-customer.
   */
  readonly received?: Money
  /** Other payments under the same reference that hold money: they are given back. */
  readonly extra?: readonly ExtraPayment[]
  /** A review by the provider: `open` holds the payment, `approved` releases it. */
  readonly review?: 'open' | 'approved'
  /** The page for the customer while the stage is needs-customer. */
  readonly customerUrl?: string
  readonly facts: Facts
  /** Our reference as the provider stores it. If it differs, the snapshot is not applied. */
  readonly reference?: string
  /** Captures and cancellations that the provider accepted first and refused later. */
  readonly refused?: readonly StepRefused[]
  /** The attempt has ended, and the customer could still send money until then: it is read again then. */
  readonly openUntil?: Date
  /** Made from notifications: what it does not show may have happened all the same. */
  readonly isPartial?: true
  /** Values that the adapter's enumerations do not list, such as `status newValue`. They are counted. */
  readonly unlisted?: readonly string[]
  /** A part could not be read now: what is shown is applied, and the payment is read again. */
  readonly isIncomplete?: true
}

export interface Recapture {
  /** When the capture failed, by the provider's clock. */
  readonly since: Date
  readonly problem?: string
}

/** A second payment on one page, for example after the back button. */
export interface ExtraPayment {
  /** The provider's id of it. */
  readonly id: string
  /** With these, `retrieve`, `cancel` and `refund` are about this payment. */
  readonly handles: Handles
}

/** A step that the provider refused after it had accepted the request. */
export interface StepRefused {
  readonly step: 'capture' | 'cancel'
  /** The provider's id. */
  readonly id: string
  readonly operationKey?: string
  readonly problem?: string
}

/** A dispute by the payer's bank, or an inquiry before one. */
export interface Dispute {
  /** The provider's id: the same in every report about this dispute, also after it escalates. */
  readonly id: string
  readonly state: 'open' | 'won' | 'lost'
  /** The disputed amount; of a lost dispute what was taken back. Absent: all that was captured. */
  readonly amount?: Money
  /** The provider still takes a refund of the payment while this dispute is open. */
  readonly isRefundable?: boolean
  /** The provider's reason code. */
  readonly reason?: string
  readonly evidenceDue?: Date
  /** The provider's page about it, for the merchant. */
  readonly url?: string
}

/** `approved`: the customer agreed; no money is reserved until the server calls `resume`. */
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
  /** The page where the customer claims it. */
  readonly customerUrl?: string
}
/** `conclusive`: the payment does not exist; a delay in the provider's index is ruled out. */
interface Absent {
  readonly kind: 'absent'
  readonly conclusive: boolean
}
/**
 * The payment cannot be read now, because its id is not known or the provider has no read. The operation may
 * be repeated with the same key while the provider keeps the key.
 */
interface Unreadable {
  readonly kind: 'unreadable'
  /** No money moved: the adapter saves the id before it sends the request that takes money. */
  readonly isUnpaid?: true
}
export type ReadOutcome = Snapshot | Absent | Unreadable | Unknown | NotDone

/** Details that come with an outcome. Never contains a card number. */
export interface Facts {
  readonly fee?: Money
  readonly authorisedUntil?: Date
  readonly payer?: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly card?: CardFacts
  readonly method?: AnyMethod
  readonly stored?: StoredMethod
  readonly risk?: { readonly score?: number; readonly level: 'low' | 'elevated' | 'high' | 'unknown' }
  readonly checks?: Checks
  readonly threeDSecure?: ThreeDSecureFacts
}
/** Checks by the payer's bank. Absent: not checked. */
export interface Checks {
  readonly address?: 'pass' | 'fail'
  readonly postalCode?: 'pass' | 'fail'
  readonly cvc?: 'pass' | 'fail'
  readonly threeDSecure?: 'authenticated' | 'attempted' | 'failed'
}
export interface CardFacts {
  readonly brand?: string
  readonly type?: string
  readonly expiryMonth?: number
  readonly expiryYear?: number
  readonly last4?: string
  readonly country?: string
  /** The wallet that the card was in. */
  readonly wallet?: WalletId
}
export interface StoredMethod {
  readonly token: string
  /** Masked display text: "Visa •••• 4242". */
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
  /** The decline code of the card network or the payer's bank. */
  readonly networkCode?: string
}
/** Whether a declined charge may be tried again. `never`: the card networks forbid it. */
export const RETRY_ADVICE = ['never', 'later', 'after-customer-acts', 'unspecified'] as const
export type RetryAdvice = (typeof RETRY_ADVICE)[number]

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

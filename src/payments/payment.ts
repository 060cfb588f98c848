import type { AnyMethod } from '../providers/methods/method.ts'
import type { ThreeDSecure, ThreeDSecureAction } from '../providers/methods/three-d-secure.ts'
import type { CardFacts, Checks, Handles, RetryAdvice } from '../providers/outcome.ts'
import type { RefundReason, Step } from '../providers/port.ts'
import type { State } from './machine.ts'
import type { PaymentProblem } from './problems.ts'

/** A payment: one row of `payments`. */
export interface Payment {
  readonly appId: string
  readonly paymentId: number
  /** Incremented by every write; a write with an old version fails. */
  readonly version: number
  /** How many events the payment has written: one for each state entered. */
  readonly sequence: number
  readonly state: State
  readonly flow: Flow
  readonly referenceId: string
  readonly paymentKey: string
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly currency: string
  readonly autoCapture: boolean
  readonly autoPayment: 'None' | 'Register' | 'Use'
  readonly fraudStatus: FraudStatus
  readonly customerId: string
  readonly returnUrl: string | null
  readonly webhookUrl: string | null
  readonly createdTime: Date
  readonly stateTime: Date
  readonly expirationTime: Date | null
  readonly details: Details
  /** Number of the current attempt. Each try to pay at any provider is one attempt. */
  readonly attempt: number
  /** The operation that began the attempt: our reference at the provider. */
  readonly attemptKey: string | null
  readonly profileId: number | null
  readonly method: AnyMethod | null
  readonly paymentMethodId: number | null
  readonly tokenId: number | null
  readonly handles: Handles | null
  readonly payInfo: PayInfo | null
  readonly authorisedUntil: Date | null
  /** The provider page to which the customer must go now. */
  readonly redirectUrl: string | null
  readonly failure: Failure | null
  readonly lastError: PaymentProblem | null
}

export type Flow = 'HostedPage' | 'Direct' | 'ProviderHostedPage' | 'AutoPayment'

export type FraudStatus = 'Unknown' | 'Verified' | 'RuleViolated' | 'Suspicious' | 'Fraudulent' | 'Ignored'

/** Details of the request, fixed at creation. */
export interface Details {
  readonly customerOrder: object
  readonly orderId?: string
  readonly description?: string
  readonly showPayRecurringInCheckout?: boolean
  readonly paymentProfiles?: readonly number[]
  readonly checkoutMethods?: readonly string[]
  readonly fraudPolicyId?: number
  /** Of the payer, as the merchant said: a tag of BCP 47, and a country by ISO 3166-1. */
  readonly locale?: string
  readonly country?: string
  /** Instead of the name of the app, on pages of providers. */
  readonly brand?: string
  /** For the payer's bank statement. */
  readonly statement?: string
  /** What the merchant asks of 3-D Secure. */
  readonly threeDSecure?: ThreeDSecureAction
  readonly fraudPolicyName?: string
  /** Made by a person to be passed on: the checkout does not show stored methods. */
  readonly isLink?: true
  /** The reusable link that made it. */
  readonly paymentLinkId?: string
  /** Host name of the app's checkout at creation: link and return address of a payment never change. */
  readonly checkoutHost?: string
  /** Personal data was erased: what a provider reports later is not stored again. */
  readonly isErased?: true
}

/** Facts reported by the provider, and about the payer. */
export interface PayInfo {
  readonly payer?: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly payerIp?: string
  /** The language of our page when the payer started this attempt there. */
  readonly locale?: string
  /** The consent to store the method, given when this attempt started. */
  readonly consent?: Consent
  /** Why the last attempt ended without money: a decline reason or a failure code. */
  readonly declined?: string
  /** Profiles that declined an earlier attempt although another may take it. */
  readonly declinedBy?: readonly number[]
  readonly card?: CardFacts
  readonly feeMinor?: string
  readonly risk?: { readonly score?: number; readonly level: string }
  /** This attempt takes the money in one step. Absent in attempts from before this was stored. */
  readonly oneStep?: boolean
  readonly checks?: Checks
  /** What was asked of 3-D Secure in this attempt, and what came of it. */
  readonly threeDSecure?: ThreeDSecure
  /** The card network's code of the last decline. */
  readonly networkCode?: string
  /** Open ones first, then lost ones. */
  readonly disputes?: readonly DisputeInfo[]
  /** ISO 8601: when the bank's challenge of a charge ends. */
  readonly challengeUntil?: string
  /** The provider captures again after a capture failed. `until`: then the payment ends. ISO 8601. */
  readonly recapture?: { readonly since: string; readonly until: string }
  /** A captured bank debit is read again, because it can still be returned. ISO 8601. */
  readonly watch?: { readonly since: string; readonly next: string }
  /** The part of the amount that has arrived, while the rest may come until `until`, ISO 8601. */
  readonly received?: { readonly minor: string; readonly until?: string }
  /** The provider's own review holds the payment. */
  readonly review?: 'open'
  /** Where the customer claims a refund, or the part that an underpaid attempt took. */
  readonly claimUrl?: string
  /** The fields of a page that is opened by a form post. */
  readonly post?: PagePost
}

/** A dispute as it is stored and shown. */
export interface DisputeInfo {
  /** The provider's id. */
  readonly id: string
  readonly state: 'open' | 'won' | 'lost'
  readonly amountMinor?: string
  readonly reason?: string
  /** ISO 8601. */
  readonly evidenceDue?: string
  readonly url?: string
  readonly isRefundable?: boolean
  /** It was lost and is not any more. The payment stays Refunded: its refunded sum has the amount in it. */
  readonly isWonLate?: boolean
}

interface PagePost {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

export interface Consent {
  /** Which wording, in which version and language: `save-1.en`. */
  readonly text: string
  /** ISO 8601, of the app's clock. */
  readonly time: string
}

export interface Failure {
  readonly code: FailureCode
  readonly declineCode?: string
  readonly problem: PaymentProblem
  /** Absent in rows of earlier versions, and where the code decides. */
  readonly retry?: RetryAdvice
  /** ISO 8601, of the app's clock. */
  readonly retryAfter?: string
}

export const FAILURE_CODES = [
  'declined',
  'expired',
  'cancelled',
  'authorization_expired',
  'fraud_rejected',
  'provider_rejected',
  'retry_forbidden',
] as const
type FailureCode = (typeof FAILURE_CODES)[number]

/** One request to a provider. */
export interface OperationRecord {
  readonly appId: string
  readonly key: string
  readonly paymentId: number
  readonly step: Step
  readonly attempt: number
  readonly profileId: number
  readonly method: AnyMethod
  readonly amountMinor: bigint
  readonly status: OperationStatus
  readonly tries: number
  readonly createdTime: Date
  readonly leaseToken: string | null
  readonly handles: Handles | null
  readonly description: string | null
  readonly reason: RefundReason | null
}

/** The operation that began an attempt to pay. Its key is our reference at the provider. */
export interface Attempt extends OperationRecord {
  readonly step: 'start' | 'charge'
}

/** open: being sent or unknown; waiting: pending at the provider or the customer; the others are final. */
export type OperationStatus = 'open' | 'waiting' | 'done' | 'declined' | 'not-done' | 'abandoned'

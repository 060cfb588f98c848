import type { CardFacts, Handles, MethodKind } from '../providers/outcome.ts'
import type { Step } from '../providers/port.ts'
import type { State } from './machine.ts'

/** A payment as the core holds it: one row, in words. */
export interface Payment {
  readonly appId: string
  readonly paymentId: number
  /** Grows with every write; who holds an old one has lost the race. */
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
  /** Of the attempt that counts: each try to pay, at whichever provider, is one. */
  readonly attempt: number
  /** The operation that began the attempt: our reference at the provider. */
  readonly attemptKey: string | null
  readonly profileId: number | null
  readonly method: MethodKind | null
  readonly paymentMethodId: number | null
  readonly tokenId: number | null
  readonly handles: Handles | null
  readonly payInfo: PayInfo | null
  readonly authorisedUntil: Date | null
  /** Where the customer has to go now, at the provider. */
  readonly redirectUrl: string | null
  readonly failure: Failure | null
  readonly lastError: string | null
}

export type Flow = 'HostedPage' | 'Direct' | 'ProviderHostedPage' | 'AutoPayment'

export type FraudStatus = 'Unknown' | 'Verified' | 'RuleViolated' | 'Suspicious' | 'Fraudulent' | 'Ignored'

/** What the merchant asked for, frozen at creation. */
export interface Details {
  readonly customerOrder: object
  readonly orderId?: string
  readonly description?: string
  readonly showPayRecurringInCheckout?: boolean
  readonly paymentProfiles?: readonly number[]
  readonly checkoutMethods?: readonly string[]
  readonly fraudPolicyId?: number
  readonly fraudPolicyName?: string
}

/** What the provider told us. */
export interface PayInfo {
  readonly payer?: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly payerIp?: string
  /** To what the customer agreed when this attempt began: the method may be stored. */
  readonly consent?: Consent
  /** Why the last attempt ended without money: a reason of the provider's, or what failed. */
  readonly declined?: string
  readonly card?: CardFacts
  readonly feeMinor?: string
  readonly risk?: { readonly score?: number; readonly level: string }
}

export interface Consent {
  /** Which wording, in which version and language: `save-1.en`. */
  readonly text: string
  /** ISO 8601, of the app's clock. */
  readonly time: string
}

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly declineCode?: string
}

export const FAILURE_CODES = [
  'declined',
  'expired',
  'cancelled',
  'authorization_expired',
  'fraud_rejected',
  'provider_rejected',
] as const
type FailureCode = (typeof FAILURE_CODES)[number]

/** One thing asked of a provider. */
export interface OperationRecord {
  readonly appId: string
  readonly key: string
  readonly paymentId: number
  readonly step: Step
  readonly attempt: number
  readonly profileId: number
  readonly method: MethodKind
  readonly amountMinor: bigint
  readonly status: OperationStatus
  readonly tries: number
  readonly createdTime: Date
  readonly leaseToken: string | null
  readonly handles: Handles | null
  readonly description: string | null
}

/** The operation that began an attempt to pay. Its key is our reference at the provider. */
export interface Attempt extends OperationRecord {
  readonly step: 'start' | 'charge'
}

/** open: being sent, or nobody knows; waiting: the provider or the customer has it; the others are ends. */
export type OperationStatus = 'open' | 'waiting' | 'done' | 'declined' | 'not-done' | 'abandoned'

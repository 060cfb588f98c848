import { valueAt } from '../../providers/kit/json.ts'
import type { ThreeDSecureFacts } from '../../providers/methods/three-d-secure.ts'
import type { DeclineReason, RetryAdvice, Stage } from '../../providers/outcome.ts'
import type { SandboxMethod } from '../values/named.ts'

export interface BankDispute {
  readonly id: string
  readonly state: 'open' | 'won' | 'lost'
  readonly reason: string
  readonly amount?: number
  readonly isInquiry?: boolean
  readonly evidenceDue?: string
  readonly submissions?: number
}

/** The part of the bank's JSON that the adapter reads. */
export interface BankPayment {
  readonly id: string
  readonly reference: string
  readonly method: SandboxMethod
  readonly status: Stage
  readonly amount: number
  readonly currency: string
  readonly url?: string
  readonly urlExpires?: string
  readonly waitsFor?: 'provider' | 'review' | 'confirmations'
  readonly nextChange?: string
  readonly decline?: BankDecline
  readonly authorisation?: string
  readonly authorised?: number
  readonly authorisedUntil?: string
  readonly capture?: string
  readonly captured: number
  readonly refunded: number
  readonly refunds: readonly BankRefund[]
  readonly fee?: number
  readonly disputes?: readonly BankDispute[]
  /** The payer's bank returned the debit. */
  readonly returned?: boolean
  readonly payer: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly card?: {
    readonly brand: string
    readonly type: string
    readonly last4: string
    readonly expiryMonth: number
    readonly expiryYear: number
    readonly country: string
    readonly wallet?: 'apple-pay'
  }
  readonly stored?: { readonly token: string; readonly label: string; readonly fingerprint?: string }
  readonly risk?: { readonly score: number; readonly level: 'low' | 'elevated' | 'high' }
  readonly checks?: { readonly postalCode?: 'fail'; readonly cvc?: 'fail' }
  readonly threeDSecure?: ThreeDSecureFacts
}

interface BankDecline {
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
  readonly code?: string
  readonly message?: string
}

interface BankRefund {
  readonly id: string
  readonly operationKey: string
  readonly amount: number
  readonly status: 'pending' | 'done' | 'failed'
  readonly problem?: string
}

/** Returns the payment in a reply's body, or undefined if the body is malformed. */
export function paymentIn(body: unknown): BankPayment | undefined {
  const payment = valueAt(body, 'payment')
  if (typeof valueAt(payment, 'id') !== 'string' || typeof valueAt(payment, 'status') !== 'string')
    return undefined
  return payment as BankPayment
}

import type { MethodKind } from '../../providers/outcome.ts'
import type { State } from '../machine.ts'
import type { Flow, FraudStatus, Payment } from '../payment.ts'

/** A payment as lists show it. Large members of the payment, such as its order, are left out. */
export interface ListedPayment {
  readonly paymentId: number
  readonly state: State
  readonly flow: Flow
  readonly currency: string
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly profileId: number | null
  readonly method: MethodKind | null
  readonly brand: string | null
  readonly last4: string | null
  readonly customerId: string
  readonly referenceId: string
  readonly orderId: string | null
  readonly country: string | null
  readonly fraudStatus: FraudStatus
  readonly policyId: number | null
  /** Why it failed, or why the last attempt was declined: a decline reason or a failure code. */
  readonly reason: string | null
  readonly autoPayment: Payment['autoPayment']
  readonly createdTime: Date
  /** When it entered its state. */
  readonly stateTime: Date
}

/**
 * The filter of a list, as it stands in an address. Every member may be absent. `state`, `provider`,
 * `currency`, `customer`, `policy` and `profile` take several values, separated by commas.
 */
export interface PaymentFilter {
  /** The query grammar and free text; see query.ts. */
  readonly q?: string | undefined
  readonly state?: string | undefined
  readonly provider?: string | undefined
  readonly profile?: string | undefined
  readonly currency?: string | undefined
  readonly customer?: string | undefined
  readonly policy?: string | undefined
  /** A day (`2026-11-01`), a month (`2026-11`) or an instant. Both ends are included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In major units. Both ends are included. */
  readonly min?: string | undefined
  readonly max?: string | undefined
}

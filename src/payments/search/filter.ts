import type { AnyMethod } from '../../providers/methods/method.ts'
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
  readonly method: AnyMethod | null
  readonly brand: string | null
  readonly last4: string | null
  /** The wallet that the card was in. */
  readonly wallet: string | null
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
 * `currency`, `policy` and `profile` take several values, separated by commas.
 */
export interface PaymentFilter {
  /** The query grammar and free text; see query.ts. */
  readonly q?: string | undefined
  readonly state?: string | undefined
  readonly provider?: string | undefined
  readonly profile?: string | undefined
  readonly currency?: string | undefined
  /** One customer id. */
  readonly customer?: string | undefined
  readonly policy?: string | undefined
  /** Days as a word: `today`, `this-week`, `last-30-days`. */
  readonly period?: string | undefined
  /** A day (`2026-11-01`), a month (`2026-11`) or an instant. Both ends are included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In major units. Both ends are included. */
  readonly min?: string | undefined
  readonly max?: string | undefined
}

/** Orders of a list beside the newest first. */
export const ORDERS = ['oldest', 'largest', 'smallest', 'states', 'statesBack'] as const
export type ListOrder = (typeof ORDERS)[number]

/** Members with a list of values. `stateToo`: besides what the query says about states. */
export const LISTED = [
  ...(['state', 'profile', 'currency', 'customer', 'last4', 'policy', 'reason'] as const),
  ...(['order', 'method', 'brand', 'flow', 'country', 'fraud', 'settled', 'assigned', 'link'] as const),
  ...(['retry', 'recovered'] as const),
  'stateToo',
] as const
export type Listed = (typeof LISTED)[number]

export type Values = Readonly<Partial<Record<Listed, readonly string[]>>>

/** A whole reference, or its beginning. */
export interface ReferenceMatch {
  readonly text: string
  readonly isPrefix: boolean
}

export interface Conditions {
  /** One of these values. An empty list matches nothing. */
  readonly is: Values
  readonly not: Values
  readonly ids?: readonly number[]
  readonly references?: readonly ReferenceMatch[]
  readonly notReferences?: readonly ReferenceMatch[]
  /** Beginnings of customer ids, names or e-mail addresses, to be looked up. */
  readonly customerSearches?: readonly string[]
  /** Besides what else is said about customers. */
  readonly onlyCustomer?: string
  /** From this time, before that. */
  readonly from?: Date
  readonly to?: Date
  /** In ten-thousandths of the major unit, both included. */
  readonly min?: bigint
  readonly max?: bigint
  readonly text?: string
}

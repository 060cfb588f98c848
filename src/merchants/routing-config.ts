import type { ThreeDSecureAction } from '../providers/methods/three-d-secure.ts'

/** How an app chooses the profile of a payment: stored with the app, read by routing/. */
export interface RoutingConfig {
  /** The first profile when no rule matches, at most one per currency. */
  readonly defaults: readonly { readonly currency: string; readonly profileId: number }[]
  /** The first rule whose conditions match decides. */
  readonly routes: readonly RoutingRule[]
  /** Causes after which no other profile is tried. */
  readonly noFailoverAfter?: readonly FailoverCause[]
}

/**
 * Causes of failover that an app may switch off. After an unknown outcome no other profile is ever tried, so
 * it is not one of them.
 */
export const FAILOVER_CAUSES = [
  'not-sent',
  'rate-limited',
  'bad-credentials',
  'unsupported',
  'issuer-unavailable',
  'processing-error',
  'card-not-supported',
  'currency-not-supported',
] as const
export type FailoverCause = (typeof FAILOVER_CAUSES)[number]

export interface RoutingRule {
  readonly name: string | null
  /** Null in any condition: any value. */
  readonly currency: string | null
  readonly method: string | null
  /** In major units of the payment's currency, both included. */
  readonly minAmount: number | null
  readonly maxAmount: number | null
  readonly countries: readonly string[] | null
  readonly brands: readonly string[] | null
  /** What is asked of 3-D Secure for card payments, whichever profile takes them. */
  readonly threeDSecure?: ThreeDSecureAction
  /** In order of preference. Profiles with a weight are ordered by a weighted draw. */
  readonly profiles: readonly { readonly profileId: number; readonly weight: number | null }[]
}

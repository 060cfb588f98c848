import type { Measure, Policy, RuleAction } from './policy.ts'

/** Pure: what is known about a payment, what was looked at, and what follows. */

export interface FraudFacts {
  readonly amountMinor: bigint
  readonly currency: string
  readonly profileId: number
  /** False for charges of a stored method: nobody sits at an address then. */
  readonly payerPresent: boolean
  readonly payerIp?: string | undefined
  /** Of the customer's address, two letters. */
  readonly addressCountry?: string | undefined
  /** Whether the method is a card; then its country matters. */
  readonly isCard: boolean
  readonly card?: CardSeen | undefined
  /** Where the provider says that the payer is. */
  readonly payerCountry?: string | undefined
  readonly riskScore?: number | undefined
}

export interface CardSeen {
  /** Tells cards apart without naming their numbers. */
  readonly identity: string
  readonly country?: string | undefined
}

/** One thing that was looked at. */
export interface FraudCheck {
  readonly stage: 'Before' | 'After'
  readonly name: Measure | 'Address' | 'Country' | 'CardCountry' | 'RiskScore' | 'BlockedCustomer'
  /** The place of the rule in the policy, from 1; absent for the firewall. */
  readonly rule?: number
  readonly action: RuleAction
  readonly seen: string | null
  readonly limit: string
  readonly result: 'Passed' | 'Violated' | 'NotKnown' | 'NotApplicable'
}

export const DECISIONS = ['Accept', 'Hold', 'Reject', 'Block'] as const
export type FraudDecision = (typeof DECISIONS)[number]

const DECIDES: Readonly<Record<RuleAction, FraudDecision>> = {
  HoldPayment: 'Hold',
  RejectPayment: 'Reject',
  BlockCustomer: 'Block',
}

/** The gravest of what was violated. */
export function decisionOf(checks: readonly FraudCheck[]): FraudDecision {
  const places = checks
    .filter(({ result }) => result === 'Violated')
    .map(({ action }) => DECISIONS.indexOf(DECIDES[action]))
  return DECISIONS[Math.max(0, ...places)] ?? 'Accept'
}

/** What the payer is told: the message of the first rule that calls for the decision. */
export function messageOf(policy: Policy, checks: readonly FraudCheck[]): string | undefined {
  const decision = decisionOf(checks)
  const first = checks.find(({ result, action }) => result === 'Violated' && DECIDES[action] === decision)
  if (!first) return undefined
  const message = first.rule === undefined ? policy.firewall.message : policy.rules[first.rule - 1]?.message
  return message ?? undefined
}

export const stops = (decision: FraudDecision): boolean => decision === 'Reject' || decision === 'Block'

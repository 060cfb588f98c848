import {
  isThreeDSecureAction,
  strongest,
  type ThreeDSecureAction,
} from '../providers/methods/three-d-secure.ts'
import type { Measure, Policy, RuleAction } from './policy.ts'

/** Facts about a payment, the checks made on them, and the decision. Pure. */

export interface FraudFacts {
  readonly amountMinor: bigint
  readonly currency: string
  readonly profileId: number
  /** False for charges of a stored method, which have no payer IP. */
  readonly payerPresent: boolean
  readonly payerIp?: string | undefined
  /** Two-letter country of the customer's address. */
  readonly addressCountry?: string | undefined
  /** Card checks apply only to card methods. */
  readonly isCard: boolean
  readonly card?: CardSeen | undefined
  /** Of the order, the customer and the payer. */
  readonly emails?: readonly (string | undefined)[]
  /** The payer's country according to the provider. */
  readonly payerCountry?: string | undefined
  readonly riskScore?: number | undefined
}

export interface CardSeen {
  /** Distinguishes cards without storing their numbers. */
  readonly identity: string
  readonly country?: string | undefined
}

/** What an entry of a block list can name. */
export const BLOCK_KINDS = ['Card', 'Email', 'EmailDomain', 'Address', 'Customer', 'Country'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** What an entry that lets payments through can name. */
export const ALLOW_KINDS = ['Card', 'Email', 'Address', 'Customer'] as const satisfies readonly BlockKind[]

/** One check and its result. */
export interface FraudCheck {
  readonly stage: 'Before' | 'After'
  readonly name:
    | Measure
    | 'Address'
    | 'Country'
    | 'CardCountry'
    | 'RiskScore'
    | 'BlockedCustomer'
    | 'BlockList'
    | `Listed${BlockKind}`
    | `Allowed${BlockKind}`
  /** The position of the rule in the policy, from 1; absent for the firewall and the block list. */
  readonly rule?: number
  readonly action: RuleAction
  readonly seen: string | null
  readonly limit: string
  readonly result: 'Passed' | 'Violated' | 'NotKnown' | 'NotApplicable'
}

export const DECISIONS = ['Accept', 'Hold', 'Reject', 'Block'] as const
export type FraudDecision = (typeof DECISIONS)[number]

const DECISION_OF_ACTION: Readonly<Record<RuleAction, FraudDecision>> = {
  HoldPayment: 'Hold',
  RejectPayment: 'Reject',
  BlockCustomer: 'Block',
  RequestExemption: 'Accept',
  RequestChallenge: 'Accept',
  RequireChallenge: 'Accept',
}

type Named = { readonly name: string }

/** A check of the block list or the allow list, not of a policy. */
export const isListCheck = ({ name }: Named): boolean =>
  name === 'BlockList' || name.startsWith('Listed') || isAllowed({ name })

/** An entry of the allow list lets the payment through. */
export const isAllowed = ({ name }: Named): boolean => name.startsWith('Allowed')

/** Where the allow list lets a payment through, only the block list still counts. Decision 0199. */
const countedChecks = (checks: readonly FraudCheck[]): readonly FraudCheck[] =>
  checks.some(isAllowed) ? checks.filter(isListCheck) : checks

/** The most severe action among the violated checks. */
export function decisionOf(checks: readonly FraudCheck[]): FraudDecision {
  const severities = countedChecks(checks)
    .filter(({ result }) => result === 'Violated')
    .map(({ action }) => DECISIONS.indexOf(DECISION_OF_ACTION[action]))
  return DECISIONS[Math.max(0, ...severities)] ?? 'Accept'
}

/** What the violated checks ask of 3-D Secure. */
export const threeDSecureOf = (checks: readonly FraudCheck[]): ThreeDSecureAction | undefined =>
  strongest(
    countedChecks(checks).map(({ action, result }) =>
      result === 'Violated' && isThreeDSecureAction(action) ? action : undefined,
    ),
  )

/** The message to the payer: from the first violated check that led to the decision. */
export function messageOf(policy: Policy | undefined, checks: readonly FraudCheck[]): string | undefined {
  const decision = decisionOf(checks)
  // What is accepted is still stopped if a challenge is required and no profile can ask for one.
  const asked = threeDSecureOf(checks)
  const decides = (action: RuleAction) =>
    decision === 'Accept' ? action === asked : DECISION_OF_ACTION[action] === decision
  const first = checks.find(({ result, action }) => result === 'Violated' && decides(action))
  if (!first || !policy) return undefined
  const message = first.rule === undefined ? policy.firewall.message : policy.rules[first.rule - 1]?.message
  return message ?? undefined
}

export const stops = (decision: FraudDecision): boolean => decision === 'Reject' || decision === 'Block'

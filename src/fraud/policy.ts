import { THREE_D_SECURE_ACTIONS } from '../providers/methods/three-d-secure.ts'

/** The data of a fraud policy. Pure: evaluated by the rules, read and written by the API and the store. */

/** Actions of 3-D Secure concern card payments with the payer present, and stop nothing by themselves. */
export const RULE_ACTIONS = [
  ...(['HoldPayment', 'RejectPayment', 'BlockCustomer'] as const),
  ...THREE_D_SECURE_ACTIONS,
] as const
export type RuleAction = (typeof RULE_ACTIONS)[number]

export const MEASURES = {
  PaymentCount: 'payments of the customer, this one included, that are being paid or were paid',
  ProviderRejectCount: 'attempts of the customer that a provider declined',
  TotalAmount: "amount of the customer's payments, this one included, in the currency of this one",
  DistinctCard: 'different cards that the customer tried',
  SingleAmount: 'amount of this payment',
  ProviderRiskScore: "the provider's own risk score of this payment",
} as const
export type Measure = keyof typeof MEASURES

/** In days. Windows are rolling: a Daily rule covers the last 24 hours. */
export const PERIODS = { Daily: 1, Weekly: 7, Monthly: 30 } as const
type Period = keyof typeof PERIODS

export interface Rule {
  readonly action: RuleAction
  readonly measure: Measure
  readonly period: Period
  readonly periodCount: number
  /** The highest value that passes. Amounts are in major units of the payment's currency. */
  readonly threshold: number
  /** Null: any. Amounts of different currencies are never summed. */
  readonly currency: string | null
  /** Null: all. */
  readonly profiles: readonly number[] | null
  /** Shown to the payer when the rule stops the payment. */
  readonly message: string | null
}

export interface Firewall {
  /** Two-letter codes. Empty: all are allowed. */
  readonly allowedCountries: readonly string[]
  readonly blockedCountries: readonly string[]
  /** Addresses and ranges. Empty: all are allowed. */
  readonly allowedAddresses: readonly string[]
  readonly blockedAddresses: readonly string[]
  /** The country of the card must equal the country of the customer's address. */
  readonly matchCardCountry: boolean
  readonly maxRiskScore: number | null
  /** The result of a check whose data is unknown. */
  readonly whenUnavailable: 'Accept' | 'Reject'
  readonly message: string | null
}

export const NO_FIREWALL: Firewall = {
  allowedCountries: [],
  blockedCountries: [],
  allowedAddresses: [],
  blockedAddresses: [],
  matchCardCountry: false,
  maxRiskScore: null,
  whenUnavailable: 'Accept',
  message: null,
}

export interface Policy {
  readonly policyId: number
  /** Incremented with every change; verdicts record the version they used. */
  readonly version: number
  readonly name: string
  readonly rules: readonly Rule[]
  readonly firewall: Firewall
}

/** Policies in order of precedence: the payment's, the customer's, the app's default. */
export const policiesInOrder = (
  payment: number | undefined,
  customer: number | null,
  appDefault: number | null,
): number[] => [payment, customer, appDefault].filter((id) => id !== undefined && id !== null)

/** A link that payers use, each with a payment of their own. */
export interface PaymentLink {
  readonly appId: string
  readonly linkId: string
  /** The secret part of its address. */
  readonly linkKey: string
  /** The payer chooses an amount between the two; a fixed amount is both. */
  readonly leastMinor: bigint
  readonly mostMinor: bigint
  readonly currency: string
  readonly description: string
  /** What the references of its payments begin with; null: the id of the link. */
  readonly referencePrefix: string | null
  /** Null: any number. */
  readonly maximumPayments: number | null
  readonly autoCapture: boolean
  readonly returnUrl: string | null
  readonly createdTime: Date
  readonly expirationTime: Date | null
  readonly withdrawnTime: Date | null
}

/** What the payments of a link come to. */
export interface LinkTotals {
  /** Payments of which something was captured. */
  readonly paidCount: number
  /** What was captured, before refunds. */
  readonly paidMinor: bigint
  /** Payments that are paid or can still be paid. */
  readonly takenCount: number
}

export type LinkWithTotals = PaymentLink & LinkTotals

export const hasFixedAmount = ({ leastMinor, mostMinor }: PaymentLink): boolean => leastMinor === mostMinor

/** `busy`: the last places are taken by payers who have not paid yet. */
export type LinkState = 'active' | 'busy' | 'withdrawn' | 'expired' | 'used-up'

export function stateOf(link: LinkWithTotals, now: Date): LinkState {
  const { withdrawnTime, expirationTime, maximumPayments, paidCount, takenCount } = link
  if (withdrawnTime !== null) return 'withdrawn'
  if (expirationTime !== null && expirationTime <= now) return 'expired'
  if (maximumPayments === null || takenCount < maximumPayments) return 'active'
  return paidCount >= maximumPayments ? 'used-up' : 'busy'
}

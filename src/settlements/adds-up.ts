import type { KindSum } from './store/sums.ts'

interface PaidOut {
  readonly amountMinor: bigint | null
  readonly currency: string | null
}

/**
 * The sum of the lines less the amount of the payout. Null: the provider reports no lines, gross amounts
 * only, or lines in another currency. The payout's own line is what leaves the balance, and no part of the
 * sum.
 */
export function differenceOf({ amountMinor, currency }: PaidOut, sums: readonly KindSum[]): bigint | null {
  const parts = sums.filter(({ kind }) => kind !== 'payout')
  const isKnown = parts.every((sum) => sum.hasNet && sum.settlementCurrency === currency)
  if (amountMinor === null || currency === null || parts.length === 0 || !isKnown) return null
  return parts.reduce((total, { netMinor }) => total + (netMinor ?? 0n), -amountMinor)
}

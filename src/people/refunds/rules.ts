import type { Membership } from '../signed-in.ts'

/**
 * The most that the member may still refund today in the currency; undefined for no limit. A Support member
 * without an amount for the currency refunds nothing.
 */
export function remainingRefund(
  { role, refundLimits }: Pick<Membership, 'role' | 'refundLimits'>,
  currency: string,
  usedMinor: bigint,
): bigint | undefined {
  if (role !== 'Support') return undefined
  const limit = BigInt(refundLimits?.[currency] ?? 0)
  return limit > usedMinor ? limit - usedMinor : 0n
}

/** The day that a refund counts for: UTC, as a change of the person's time zone would give a second day. */
export const refundDay = (now: Date): string => now.toISOString().slice(0, 10)

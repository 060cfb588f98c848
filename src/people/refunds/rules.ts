import { isOwnRole, type RoleId } from '../access/roles.ts'
import type { Membership } from '../signed-in.ts'

/**
 * The most that the member may still refund today in the currency; undefined for no limit. A Support member
 * without an amount for the currency refunds nothing, and so does a member with an own role who has limits in
 * other currencies only.
 */
export function remainingRefund(
  { role, refundLimits }: Pick<Membership, 'role' | 'refundLimits'>,
  currency: string,
  usedMinor: bigint,
): bigint | undefined {
  if (!isLimited(role, refundLimits)) return undefined
  const limit = BigInt(refundLimits?.[currency] ?? 0)
  return limit > usedMinor ? limit - usedMinor : 0n
}

/** Whether refunds of the role are counted: always for Support, and for an own role that was given limits. */
const isLimited = (role: RoleId, limits: Membership['refundLimits']): boolean =>
  role === 'Support' || (isOwnRole(role) && limits !== null)

/** Roles that may be given limits. */
export const mayHaveLimits = (role: RoleId): boolean => role === 'Support' || isOwnRole(role)

/** The day that a refund counts for: UTC, as a change of the person's time zone would give a second day. */
export const refundDay = (now: Date): string => now.toISOString().slice(0, 10)

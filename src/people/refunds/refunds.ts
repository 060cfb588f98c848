import { ApiError } from '../../base/errors.ts'
import { decimalText } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { SignedIn } from '../signed-in.ts'
import {
  deleteRefund,
  findReserved,
  insertRefund,
  lockRefunder,
  type RefundKey,
  selectRefunded,
  sumRefunds,
} from '../store/refunds.ts'
import { refundDay, remainingRefund } from './rules.ts'

interface RefundRequest extends RefundKey {
  readonly licenseId: string
  readonly personId: string
  readonly currency: string
  readonly amountMinor: bigint
}

/**
 * Counts a refund towards the member's limit before it is sent, so that two refunds at once cannot exceed it.
 * Throws 403 beyond the limit. A repeated request is counted once; another amount under its key is
 * refused, as
 * only one of the two would be counted. After a crash the amount stays counted until the day ends.
 * Roles without
 * a limit reserve nothing. A request takes back only a reservation of its `own`; `shared`: another
 * request with
 * the same key made it. Decision 0146.
 */
export async function reserveRefund(
  ctx: Context,
  request: RefundRequest,
): Promise<'own' | 'shared' | 'unlimited'> {
  const now = ctx.clock.now()
  const refund = { ...request, day: refundDay(now), now }
  return ctx.db.transaction(async (tx) => {
    const member = await lockRefunder(tx, refund.licenseId, refund.personId)
    if (!member) throw new ApiError('forbidden', 'Your role does not allow this.')
    const used = await sumRefunds(tx, refund)
    const remaining = remainingRefund(member, refund.currency, used)
    if (remaining === undefined) return 'unlimited'
    if (refund.amountMinor > remaining) throw beyondLimit(remaining, refund.currency)
    if (await insertRefund(tx, refund)) return 'own'
    const { personId, amountMinor } = (await findReserved(tx, refund)) ?? refund
    if (personId !== refund.personId || amountMinor !== refund.amountMinor) throw keyReused()
    return 'shared'
  })
}

const keyReused = (): ApiError =>
  new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for a refund of another amount.')

function beyondLimit(remaining: bigint, currency: string): ApiError {
  const amount = `${decimalText(remaining, currency)} ${currency}`
  return new ApiError('forbidden', `You may refund ${amount} more today. Ask a member without a limit.`)
}

/** Counts a refund that was sent although the request that reserved it has taken its reservation back. */
export async function keepRefund(ctx: Context, request: RefundRequest): Promise<void> {
  const now = ctx.clock.now()
  await insertRefund(ctx.db, { ...request, day: refundDay(now), now })
}

/** Takes the reservation back after the refund was refused or has failed. */
export const releaseRefund = (db: Queryable, key: RefundKey): Promise<void> => deleteRefund(db, key)

/** What the member may still refund today in the currency, in minor units; undefined for no limit. */
export async function refundAllowance(
  ctx: Context,
  { personId, memberships }: Pick<SignedIn, 'personId' | 'memberships'>,
  licenseId: string,
  currency: string,
): Promise<bigint | undefined> {
  const membership = memberships.find((one) => one.licenseId === licenseId)
  if (!membership) return 0n
  const used = await selectRefunded(ctx.db, licenseId, personId, refundDay(ctx.clock.now()))
  return remainingRefund(membership, currency, used.get(currency) ?? 0n)
}

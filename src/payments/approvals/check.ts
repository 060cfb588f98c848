import { ApiError } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { decimalText } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { writeNotice } from '../../notices/notices.ts'
import type { Payment } from '../payment.ts'
import { selectApproval, upsertApproval } from './store.ts'

/**
 * A refund of a person above the app's amount needs the yes of a second one. What was refunded of the payment
 * before counts, so that a refund in parts does not escape. API keys are not people: they need none.
 * Decision 0173.
 */

/** The key of an approved refund. The approval is read again: the key alone allows nothing. */
export const approvedKey = (approvalId: string): string => `approval ${approvalId}`

interface Wish {
  readonly amountMinor: bigint
  readonly requestKey: string | undefined
  readonly description: string | undefined
}

/** Throws 409 after it has saved the wish for a second person. */
export async function checkApproval(ctx: Context, app: App, payment: Payment, wish: Wish): Promise<void> {
  const above = app.refundApprovalAbove[payment.currency]
  if (ctx.actor?.kind !== 'person' || above === undefined) return
  if (payment.refundedMinor + wish.amountMinor <= BigInt(above)) return
  if (await isApproved(ctx, app, payment, wish)) return
  const { actor } = ctx
  const { paymentId, currency } = payment
  const { amountMinor, description } = wish
  const amount = `${decimalText(amountMinor, currency)} ${currency}`
  await ctx.db.transaction(async (tx) => {
    const { approvalId } = await upsertApproval(tx, {
      approvalId: `apr_${randomText(ctx.random, 16)}`,
      appId: app.appId,
      ...{ paymentId, currency, amountMinor },
      reason: description ?? null,
      askedBy: actor.id,
      askedName: actor.name ?? actor.id,
      askedTime: ctx.clock.now(),
    })
    const after = { approvalId, amountMinor: String(amountMinor), currency }
    await auditApp(ctx, tx, app, { action: 'refund.asked', target: `payment:${paymentId}`, after })
    const occasion = { appId: app.appId, occasion: `refund-waiting:${approvalId}`, causedBy: actor.id }
    const data = { paymentId, amountMinor: String(amountMinor), currency }
    await writeNotice(ctx, tx, occasion, { kind: 'refund-waiting', data })
  })
  throw new ApiError('refund_needs_approval', `A second person must approve the refund of ${amount}.`)
}

async function isApproved(ctx: Context, app: App, payment: Payment, wish: Wish): Promise<boolean> {
  const approvalId =
    wish.requestKey?.startsWith(approvedKey('')) && wish.requestKey.slice(approvedKey('').length)
  const approval = approvalId ? await selectApproval(ctx.db, app.appId, approvalId) : undefined
  return (
    approval?.state === 'approved' &&
    approval.paymentId === payment.paymentId &&
    approval.amountMinor === wish.amountMinor
  )
}

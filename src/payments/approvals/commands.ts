import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { type ActionOptions, cancelPayment, getPayment, refundPayment } from '../actions.ts'
import type { Payment } from '../payment.ts'
import { approvedKey } from './check.ts'
import { countOpen, decideApproval, type RefundApproval, selectApproval, selectApprovals } from './store.ts'

/** Approvals shown at once; more than a team leaves open. */
const MAX_LISTED = 100

export const listApprovals = (
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  wanted: { readonly paymentId?: number; readonly state?: RefundApproval['state'] } = {},
): Promise<RefundApproval[]> => selectApprovals(ctx.db, appId, { ...wanted, limit: MAX_LISTED })

export const countOpenApprovals = (ctx: Pick<Context, 'db'>, { appId }: App): Promise<number> =>
  countOpen(ctx.db, appId)

export async function getApproval(ctx: Pick<Context, 'db'>, { appId }: App, approvalId: string) {
  const approval = await selectApproval(ctx.db, appId, approvalId)
  if (!approval) throw notFound('The approval')
  return approval
}

/**
 * The yes of a second person, and the refund. Its key is that of the approval: a repeat, also after a crash
 * in between, refunds once.
 */
export async function approveRefund(
  ctx: Context,
  app: App,
  approvalId: string,
  options: Pick<ActionOptions, 'waitMs' | 'otpCode'>,
): Promise<Payment> {
  const { paymentId, amountMinor, reason } = await decided(ctx, app, approvalId, 'approved')
  const payment = await getPayment(ctx, app, paymentId)
  const how = {
    ...options,
    requestKey: approvedKey(approvalId),
    ...(reason !== null && { description: reason }),
  }
  // A rejected payment that is held goes back as a whole, and is no sale afterwards.
  if (payment.state === 'CapturedHold') return cancelPayment(ctx, app, payment, how)
  return refundPayment(ctx, app, payment, { ...how, amountMinor })
}

export const refuseRefund = (ctx: Context, app: App, approvalId: string): Promise<RefundApproval> =>
  decided(ctx, app, approvalId, 'refused')

async function decided(ctx: Context, app: App, approvalId: string, state: 'approved' | 'refused') {
  const { actor } = ctx
  if (actor?.kind !== 'person') throw new ApiError('forbidden', 'This is for people, not for API keys.')
  return ctx.db.transaction(async (tx) => {
    const approval = await getApproval({ db: tx } as Pick<Context, 'db'>, app, approvalId)
    // The person who asked may take the wish back.
    if (state === 'approved' && approval.askedBy === actor.id)
      throw new ApiError('forbidden', 'Another person must approve what you asked for.')
    if (approval.state === state) return approval
    const by = { decidedBy: actor.id, decidedName: actor.name ?? actor.id, decidedTime: ctx.clock.now() }
    const next = await decideApproval(tx, approval, { state, ...by })
    if (!next) throw new ApiError('not_possible', 'This refund is decided already.')
    const { paymentId, amountMinor, currency } = next
    await auditApp(ctx, tx, app, {
      action: `refund.${state}`,
      target: `payment:${paymentId}`,
      after: { approvalId, amountMinor: String(amountMinor), currency },
    })
    return next
  })
}

import type { Context } from '../../../context.ts'
import type { App } from '../../../merchants/app.ts'
import type { Snapshot } from '../../../providers/outcome.ts'
import { apply } from '../../apply.ts'
import type { Payment } from '../../payment.ts'
import { findOperation } from '../../store/operations.ts'
import { findPayment } from '../../store/payments.ts'
import { withWatch } from '../../timers/due.ts'
import { checkAndWrite } from '../fraud-check.ts'
import { outcomeInputs } from '../inputs.ts'
import { attemptPaid } from '../outcome/endings.ts'
import { endOperation, updatesFrom } from '../snapshot/context.ts'
import type { Undo } from './store.ts'

/**
 * Keeps money that arrived after the link had expired, if the app wants it. The caller holds the lease of the
 * undo, so that nobody gives the money back meanwhile. True: the payment counts it. Decision 0187.
 */
export async function acceptLate(ctx: Context, app: App, undo: Undo, snapshot: Snapshot): Promise<boolean> {
  const payment = await findPayment(ctx.db, app.appId, undo.paymentId)
  if (!payment || payment.attemptKey !== undo.attemptKey) return false
  // Accepted before, by a worker that did not come to close the undo. A failed one is not accepted.
  if (payment.capturedMinor > 0n)
    return payment.state !== 'Failed' && payment.handles?.payment === snapshot.handles.payment
  if (!app.acceptLatePayments || !hasExpired(payment) || !isWhole(payment, undo, snapshot)) return false
  const ended = await findOperation(ctx.db, app.appId, undo.attemptKey)
  return checkAndWrite(ctx, app, payment, async () => {
    const inputs = await outcomeInputs(ctx, app, payment, { facts: snapshot.facts, isApproval: true })
    const applied = await apply(ctx, app, payment, (current) => {
      if (!hasExpired(current)) return undefined
      const context = { payment: current, operation: ended, snapshot, inputs }
      const moved = { on: 'arrivedLate', totalMinor: snapshot.captured.minor } as const
      const isHeld = snapshot.review === 'open'
      const updates = updatesFrom(context)
      // A report that arrived while the payment was still failed is read once more.
      const payInfo = withWatch(updates.payInfo ?? null, { since: inputs.now, now: inputs.now })
      const paid = { began: [], moved, updates: { ...updates, payInfo }, isHeld }
      return { ...attemptPaid(current, inputs, paid), ...endOperation(context, 'done') }
    })
    return applied.isStale ? undefined : applied.payment.capturedMinor > 0n
  })
}

/** The end of the link, or of the provider's page, and nothing else ended the payment. */
const hasExpired = ({ state, failure }: Payment): boolean =>
  state === 'Failed' && (failure?.code === 'expired' || failure?.declineCode === 'expired')

/** Exactly the amount was taken, and nothing of it was, or is about to be, given back or taken back. */
const isWhole = (payment: Payment, { outcome }: Undo, snapshot: Snapshot): boolean =>
  snapshot.stage === 'captured' &&
  snapshot.isIncomplete !== true &&
  snapshot.captured.minor === payment.amountMinor &&
  snapshot.captured.currency === payment.currency &&
  !snapshot.isReturned &&
  snapshot.refunds.length === 0 &&
  snapshot.refunded.minor === 0n &&
  (snapshot.disputes ?? []).length === 0 &&
  outcome?.step !== 'refund'

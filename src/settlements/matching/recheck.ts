import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { getPayment } from '../../payments/actions.ts'
import { recheck } from '../../payments/provider/recheck.ts'

/**
 * Reads payments at their provider, one after the other: their lines have a refund, dispute or return that
 * Tender has not seen. What the read finds is an event, and closes the exception.
 */
export function recheckUnseen(ctx: Context, app: App, paymentIds: readonly number[]): void {
  if (paymentIds.length === 0) return
  ctx.background.keep('settlement recheck', recheckAll(ctx, app, paymentIds), app.appId)
}

async function recheckAll(ctx: Context, app: App, paymentIds: readonly number[]): Promise<void> {
  for (const paymentId of new Set(paymentIds)) await recheck(ctx, app, await getPayment(ctx, app, paymentId))
}

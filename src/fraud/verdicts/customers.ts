import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import * as store from './store.ts'

interface BlockedPayment {
  readonly appId: string
  readonly customerId: string
  readonly paymentId: number
  readonly stateTime: Date
}

/** Further payments of this customer are refused. */
export const blockCustomer = (
  ctx: Pick<Context, 'db'>,
  { appId, customerId, paymentId, stateTime: time }: BlockedPayment,
): Promise<void> => store.blockCustomer(ctx.db, appId, { customerId, paymentId, time })

/** Activity before now is no longer counted. */
export async function resetCounts(ctx: Context, app: App, customerId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const reset = { customerId, time: appNow(ctx, app), actor: ctx.actor }
    if (!(await store.resetCounts(tx, app.appId, reset))) throw notFound('The customer')
    const target = `customer:${customerId}`
    await auditApp(ctx, tx, app, { action: 'customer.policy_reset', target })
  })
}

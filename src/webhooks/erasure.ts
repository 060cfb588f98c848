import type { Context } from '../context.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { eraseOfPayments } from './erasure-store.ts'

/** Bodies of events, and what endpoints answered to them. */
export const eraseEvents = (
  ctx: Pick<Context, 'db'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> => eraseOfPayments(ctx.db, appId, paymentIds)

export const clearWebhooks = clearTables(['delivery_attempts', 'deliveries', 'events', 'webhook_endpoints'])

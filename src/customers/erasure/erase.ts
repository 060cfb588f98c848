import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { clearTables } from '../../merchants/app-rows.ts'
import { noteActivity } from '../activity/activity.ts'
import { eraseRecord } from './store.ts'

/** Overwrites the customer and its methods, and queues their tokens to be forgotten by the providers. */
export async function eraseCustomerRecord(
  ctx: Context,
  tx: Queryable,
  app: App,
  { customerId, erasedTime }: { readonly customerId: string; readonly erasedTime: Date },
): Promise<boolean> {
  const emptyToken = ctx.vault.seal('')
  const record = { customerId, erasedTime, now: ctx.clock.now(), emptyToken }
  const isFound = await eraseRecord(tx, app.appId, record)
  if (isFound) await noteActivity(ctx, tx, app, { customerId, type: 'Erased' })
  return isFound
}

export const clearCustomers = clearTables([
  'panel_sessions',
  'method_keepings',
  'payment_method_tokens',
  'payment_methods',
  'customer_activity',
  'erasures',
  'customers',
])

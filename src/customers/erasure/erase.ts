import type { Context } from '../../context.ts'
import { clearTables } from '../../db/clear.ts'
import type { Queryable } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { eraseRecord } from './store.ts'

/** Overwrites the customer and its methods, and queues their tokens to be forgotten by the providers. */
export async function eraseCustomerRecord(
  ctx: Context,
  tx: Queryable,
  app: App,
  { customerId, erasedTime }: { readonly customerId: string; readonly erasedTime: Date },
): Promise<boolean> {
  const emptyToken = ctx.vault.seal('')
  return eraseRecord(tx, app.appId, { customerId, erasedTime, now: ctx.clock.now(), emptyToken })
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

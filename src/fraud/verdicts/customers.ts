import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import * as store from './store.ts'

interface CustomerKey {
  readonly appId: string
  readonly customerId: string
}

/** Further payments of this customer are refused. */
export const blockCustomer = (ctx: Pick<Context, 'db'>, { appId, customerId }: CustomerKey): Promise<void> =>
  store.blockCustomer(ctx.db, appId, customerId)

/** Activity before now is no longer counted. */
export async function resetCounts(ctx: Context, app: App, customerId: string): Promise<void> {
  if (!(await store.resetCounts(ctx.db, app.appId, customerId, appNow(ctx, app))))
    throw notFound('The customer')
}

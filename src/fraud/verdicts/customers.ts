import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import * as store from './store.ts'

interface Whose {
  readonly appId: string
  readonly customerId: string
}

/** No further payment of this customer is taken. */
export const blockCustomer = (ctx: Pick<Context, 'db'>, { appId, customerId }: Whose): Promise<void> =>
  store.blockCustomer(ctx.db, appId, customerId)

/** From now on nothing that the customer did before is counted. */
export async function resetCounts(ctx: Context, app: App, customerId: string): Promise<void> {
  if (!(await store.resetCounts(ctx.db, app.appId, customerId, appNow(ctx, app))))
    throw notFound('The customer')
}

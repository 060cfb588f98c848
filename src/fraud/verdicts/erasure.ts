import type { Context } from '../../context.ts'
import { clearTables } from '../../merchants/app-rows.ts'
import * as store from './store.ts'

export const eraseVerdicts = (
  ctx: Pick<Context, 'db'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> => store.eraseVerdicts(ctx.db, appId, paymentIds)

export const clearVerdicts = clearTables(['fraud_verdicts', 'fraud_customers', 'block_entries'])

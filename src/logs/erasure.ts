import type { Context } from '../context.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { eraseLogRows } from './erasure-store.ts'

/** Bodies of requests about the payments, and visits of their pages. */
export const eraseLogs = (
  ctx: Pick<Context, 'db'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> => eraseLogRows(ctx.db, appId, paymentIds)

export const clearLogs = clearTables(['api_log', 'api_log_minutes', 'provider_log', 'page_visits'])

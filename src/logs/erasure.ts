import type { Context } from '../context.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { eraseLogRows } from './erasure-store.ts'
import { writeLogs } from './jobs.ts'

/** Bodies of requests about the payments, and views of their pages, also those that wait on this node. */
export async function eraseLogs(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'node'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> {
  await writeLogs(ctx)
  await eraseLogRows(ctx.db, appId, paymentIds)
}

export const clearLogs = clearTables(['api_log', 'api_log_minutes', 'provider_log', 'page_visits'])

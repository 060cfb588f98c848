import type { Context } from '../context.ts'
import { clearTables } from '../merchants/app-rows.ts'
import type { ApiLine } from './api/lines.ts'
import { eraseLines } from './batches/erase.ts'
import { eraseVisits } from './erasure-store.ts'
import { writeLogs } from './jobs.ts'
import type { ProviderLine } from './provider/lines.ts'

/** What may tell of the payer. */
const OF_API = { query: null, requestBody: null, answerBody: null, address: '' } satisfies Partial<ApiLine>
const OF_PROVIDER = { requestBody: null, responseBody: null } satisfies Partial<ProviderLine>

/** Bodies of requests about the payments, and views of their pages, also those that wait on this node. */
export async function eraseLogs(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'node'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> {
  await writeLogs(ctx)
  await eraseLines<ApiLine>(ctx.db, { appId, kind: 'api', paymentIds, blank: OF_API })
  await eraseLines<ProviderLine>(ctx.db, { appId, kind: 'provider', paymentIds, blank: OF_PROVIDER })
  await eraseVisits(ctx.db, appId, paymentIds)
}

export const clearLogs = clearTables(['log_batches', 'api_log_minutes', 'provider_errors', 'page_visits'])

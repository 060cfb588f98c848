import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { ProviderCall, ProviderError } from './lines.ts'
import { providerCallsOf, providerErrorsOf } from './store.ts'

/** Requests to providers about a payment, the newest first. */
export const listProviderCalls = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly paymentId: number; readonly limit: number },
): Promise<ProviderCall[]> => providerCallsOf(ctx.db, app.appId, wanted)

/** Failed requests to these profiles, at most `limit` of each, the newest first. */
export const listProviderErrors = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly profileIds: readonly number[]; readonly since: Date; readonly limit: number },
): Promise<ProviderError[]> => providerErrorsOf(ctx.db, app.appId, wanted)

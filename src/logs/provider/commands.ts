import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { ProviderCall } from './lines.ts'
import { providerCallsOf } from './store.ts'

/** Requests to providers about a payment, the newest first. */
export const listProviderCalls = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly paymentId: number; readonly limit: number },
): Promise<ProviderCall[]> => providerCallsOf(ctx.db, app.appId, wanted)

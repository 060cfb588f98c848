import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { liveMethods, type Method } from './method-store.ts'

/** A stored card, account or wallet of a customer. */
export type CustomerMethod = Method

export interface MethodFilter {
  readonly onlyVerified: boolean
}

/** Methods with a live registration. */
export async function customerMethods(
  ctx: Context,
  app: App,
  customerId: string,
  { onlyVerified }: MethodFilter,
): Promise<Method[]> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  return methods.filter(
    ({ tokens, verificationState }) =>
      tokens.length > 0 && (!onlyVerified || verificationState === 'Verified'),
  )
}

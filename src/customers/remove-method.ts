import { notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { type App, appNow, findProfile } from '../merchants/app.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import { noteActivity } from './activity/activity.ts'
import { liveMethods, removeMethodRow, removeTokenRow, type Token } from './method-store.ts'

/** Removes a method with its registrations and asks the providers to delete their tokens. */
export async function removeMethod(
  ctx: Context,
  app: App,
  customerId: string,
  paymentMethodId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: paymentMethodId, now: appNow(ctx, app) }
  await ctx.db.transaction(async (tx) => {
    if (!(await removeMethodRow(tx, app.appId, removal))) throw notFound('The stored payment method')
    await noteActivity(ctx, tx, app, { customerId, type: 'MethodRemoved', data: { paymentMethodId } })
  })
  const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
  for (const token of method?.tokens ?? []) deleteAtProvider(ctx, app, token)
}

/** Removes one registration: the method can no longer be charged through that profile. */
export async function stopAutoPayment(
  ctx: Context,
  app: App,
  customerId: string,
  tokenId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: tokenId, now: appNow(ctx, app) }
  await ctx.db.transaction(async (tx) => {
    if (!(await removeTokenRow(tx, app.appId, removal))) throw notFound('The auto-payment registration')
    const data = { paymentMethodProviderProfileId: tokenId }
    await noteActivity(ctx, tx, app, { customerId, type: 'MethodRemoved', data })
  })
  const token = methods.flatMap((method) => method.tokens).find((one) => one.tokenId === tokenId)
  if (token) deleteAtProvider(ctx, app, token)
}

/** Best effort, in the background: the token is already removed here. */
function deleteAtProvider(ctx: Context, app: App, { profileId, token }: Token): void {
  const profile = findProfile(app, profileId)
  if (!profile) return
  const subject = { step: 'forget' }
  const forgotten = callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
    adapter.forget(provider, ctx.vault.open(token)),
  )
  ctx.background.keep('forget-method', forgotten, app.appId)
}

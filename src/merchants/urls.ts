import type { Context } from '../context.ts'
import type { Profile } from './app.ts'

/** Payment links begin with it. */
export const checkoutOrigin = (
  ctx: Pick<Context, 'config'>,
  { checkoutHost }: { readonly checkoutHost?: string | null },
): string => (checkoutHost ? `https://${checkoutHost}` : ctx.config.publicUrl)

/** The URL for a provider's notifications about a profile. */
export const notifyUrl = (ctx: Pick<Context, 'config'>, { profileId, webhookKey }: Profile): string =>
  `${ctx.config.publicUrl}/api/provider-webhook?profileId=${profileId}&webhookKey=${webhookKey}`

import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, findProfile, type Profile } from '../merchants/app.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import { liveMethods, methodByHash } from './method-store.ts'
import { refreshCard } from './same-card.ts'

interface StoredCard {
  readonly customerId: string
  readonly paymentMethodId: number
}

/** What a read gave: a new number or expiry, what is known already, or no answer. */
type Freshness = 'renewed' | 'same' | 'silent'

/**
 * Reads a stored card again where it is registered, until one provider has renewed it, and stores the new
 * number or expiry. With `tokenId` only that registration is read: it was charged. False when a provider
 * could not be read. Decision 0179.
 */
export async function readCardAgain(
  ctx: Context,
  app: App,
  { tokenId: charged, ...about }: StoredCard & { readonly tokenId?: number },
): Promise<boolean> {
  const methods = await liveMethods(ctx.db, app.appId, about.customerId)
  const method = methods.find((one) => one.paymentMethodId === about.paymentMethodId)
  const tokens = method?.card ? method.tokens : []
  let isRead = true
  for (const { profileId, token } of tokens.filter(({ tokenId }) => tokenId === (charged ?? tokenId))) {
    const profile = findProfile(app, profileId)
    if (!profile || !findAdapter(ctx, profile)?.readStored) continue
    const found = await readAt(ctx, app, { ...about, profile, token: ctx.vault.open(token) })
    if (found === 'renewed') return true
    if (found === 'silent') isRead = false
  }
  return isRead
}

interface Registered extends StoredCard {
  readonly profile: Profile
  readonly token: string
}

async function readAt(ctx: Context, app: App, { profile, token, ...about }: Registered): Promise<Freshness> {
  const read = await callProvider(
    { ...ctx, subject: { step: 'refresh' } },
    app,
    profile,
    async (adapter, provider) => adapter.readStored?.(provider, token),
  )
  if (read?.kind === 'unknown') return 'silent'
  if (read?.kind !== 'stored' || !read.stored.card) return 'same'
  return (await refreshCard(ctx, app, about, read.stored.card)) ? 'renewed' : 'same'
}

/** A provider reports that it renewed a stored card. The report is not trusted: the card is read. */
export async function renewedAtProvider(
  ctx: Context,
  app: App,
  profileId: number,
  token: string,
): Promise<boolean> {
  const profile = findProfile(app, profileId)
  const about = profile && (await methodByHash(ctx.db, app.appId, { profileId, hash: sha256(token) }))
  return !about || (await readAt(ctx, app, { ...about, profile, token })) !== 'silent'
}

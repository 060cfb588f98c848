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

/**
 * Reads a stored card again at its first provider that can, and stores a new number or expiry. False when the
 * provider could not be read. Decision 0179.
 */
export async function readCardAgain(ctx: Context, app: App, about: StoredCard): Promise<boolean> {
  const methods = await liveMethods(ctx.db, app.appId, about.customerId)
  const method = methods.find((one) => one.paymentMethodId === about.paymentMethodId)
  for (const { profileId, token } of method?.card ? method.tokens : []) {
    const profile = findProfile(app, profileId)
    if (profile && findAdapter(ctx, profile)?.readStored)
      return readAt(ctx, app, { ...about, profile, token: ctx.vault.open(token) })
  }
  return true
}

interface Registered extends StoredCard {
  readonly profile: Profile
  readonly token: string
}

async function readAt(ctx: Context, app: App, { profile, token, ...about }: Registered): Promise<boolean> {
  const read = await callProvider(
    { ...ctx, subject: { step: 'refresh' } },
    app,
    profile,
    async (adapter, provider) => adapter.readStored?.(provider, token),
  )
  if (read?.kind === 'stored' && read.stored.card) await refreshCard(ctx, app, about, read.stored.card)
  return read?.kind !== 'unknown'
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
  return about ? readAt(ctx, app, { ...about, profile, token }) : true
}

import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { noteActivity } from '../activity/activity.ts'
import { insertToken, replaceToken } from '../method-store.ts'
import { noteHash, queueReplaced, removeByHash } from './store.ts'

interface Writing {
  readonly paymentMethodId: number
  readonly profileId: number
  readonly token: string
  readonly createdTime: Date
  /** The registration that gets the token instead of its own. */
  readonly existing: number | undefined
}

/**
 * Writes the token of a registration, with its hash: it is stored encrypted, and a provider may report it as
 * deleted. The provider is asked to forget a token that is replaced, by the removals job.
 */
export async function writeToken(ctx: Context, tx: Queryable, app: App, writing: Writing): Promise<number> {
  const { paymentMethodId, profileId, createdTime, existing } = writing
  const { appId } = app
  const token = ctx.vault.seal(writing.token)
  if (existing !== undefined) {
    const removedTime = appNow(ctx, app)
    await queueReplaced(tx, appId, { tokenId: existing, removedTime, now: ctx.clock.now() })
    await replaceToken(tx, appId, existing, token)
  }
  const tokenId =
    existing ?? (await insertToken(tx, appId, { paymentMethodId, profileId, token, createdTime }))
  await noteHash(tx, appId, tokenId, sha256(writing.token))
  return tokenId
}

/** The customer or the merchant deleted a stored method at the provider: it cannot be charged any more. */
export async function removedAtProvider(
  ctx: Context,
  app: App,
  profileId: number,
  token: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const removed = { profileId, hash: sha256(token), removedTime: appNow(ctx, app) }
    for (const { customerId, paymentMethodId } of await removeByHash(tx, app.appId, removed)) {
      const data = { paymentMethodId, profileId }
      await noteActivity(ctx, tx, app, { customerId, type: 'MethodRemoved', data })
    }
  })
}

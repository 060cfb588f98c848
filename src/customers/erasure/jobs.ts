import { MINUTE } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { rowJob } from '../../jobs/row-job.ts'
import { findProfile } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { findAdapter } from '../../merchants/profiles/adapter.ts'
import { callProvider } from '../../merchants/profiles/call.ts'
import { claimRemovals, endRemoval, type Removal, removalsDue } from './store.ts'

/** Tells providers to forget the methods of erased customers, again until they have. */
export const removalsJob = (ctx: Context): Job =>
  rowJob<Removal>(ctx, {
    name: 'method-removals',
    everyMs: MINUTE,
    due: [removalsDue],
    claim: (share) => claimRemovals(ctx.db, ctx.clock.now(), share),
    work: (removal) => remove(ctx, removal),
  })

async function remove(ctx: Context, removal: Removal): Promise<void> {
  const app = await loadApp(ctx, removal.appId)
  const profile = app && findProfile(app, removal.profileId)
  // A provider that this installation no longer has may come back: its tokens wait.
  if (!app || !profile || !findAdapter(ctx, profile)) return
  const result = await callProvider(ctx, app, profile, (adapter, provider) =>
    adapter.forget(provider, ctx.vault.open(removal.token)),
  )
  const isOver = result.kind === 'done' || (result.kind === 'not-done' && OVER.includes(result.why))
  const isGivenUp = !isOver && removal.tries >= MAX_TRIES
  const { appId, profileId, tokenId } = removal
  if (isGivenUp) ctx.log.error('method.not_forgotten', { appId, profileId, tokenId, why: result.why })
  if (isOver || isGivenUp) await endRemoval(ctx.db, removal)
}

/** The provider does not know the token, or keeps none. */
const OVER = ['not-found', 'unsupported']
/** About two months: the pauses grow to a day. */
const MAX_TRIES = 70

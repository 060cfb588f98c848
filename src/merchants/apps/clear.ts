import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { App } from '../app.ts'
import { auditApp } from '../app-audit.ts'
import type { Clear } from '../app-rows.ts'
import { forgetApp } from '../directory.ts'
import { clearFirsts } from './store.ts'

/** Small enough that the locks of one batch delay no request. */
const BATCH = 1_000
/** One request removes no more, so that it ends in seconds. The next one continues. */
const MAX_BATCHES = 200

export interface Cleared {
  readonly removedCount: number
  readonly isCompleted: boolean
}

/** Removes payments, customers and everything about them. Keys, profiles and settings stay. */
export async function clearApp(ctx: Context, app: App, clearers: readonly Clear[]): Promise<Cleared> {
  if (!app.isSandbox) throw new ApiError('sandbox_only', 'Only a sandbox app can be emptied.')
  let removedCount = 0
  let batches = 0
  for (const clear of clearers) {
    let count = BATCH
    while (count > 0 && batches < MAX_BATCHES) {
      count = await clear(ctx.db, app.appId, BATCH)
      removedCount += count
      batches += 1
    }
  }
  const isCompleted = batches < MAX_BATCHES
  await ctx.db.transaction(async (tx) => {
    await clearFirsts(tx, app.appId)
    const after = { removedCount, isCompleted }
    await auditApp(ctx, tx, app, { action: 'app.cleared', target: `app:${app.appId}`, after })
  })
  forgetApp(ctx, app.appId)
  return { removedCount, isCompleted }
}

import { after } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { forgetApp } from '../merchants/directory.ts'
import { senderOf } from './delivery/sender.ts'
import { releaseHeld, setHold } from './hold-store.ts'
import { WEBHOOKS } from './schedule.ts'

/** Holds back the webhooks of a sandbox app for this long from now. Test events are sent nevertheless. */
export async function holdWebhooks(ctx: Context, app: App, forMs: number): Promise<void> {
  if (!app.isSandbox) throw new ApiError('sandbox_only', 'Only a sandbox app can hold back its webhooks.')
  if (forMs <= 0 || forMs > WEBHOOKS.longestHoldMs)
    throw new ApiError('not_possible', 'Webhooks can be held back for an hour at most.')
  const until = after(appNow(ctx, app), forMs)
  await writeHold(ctx, app, until)
}

/** Ends the hold and sends what waited for it. */
export async function endHold(ctx: Context, app: App): Promise<void> {
  if (app.webhooksHeldUntil === null) return
  await writeHold(ctx, app, null)
  // Deliveries that have read the hold write their delay first.
  await senderOf(ctx).idle(app.appId)
  const heldUntil = after(app.webhooksHeldUntil, -app.clockOffsetMs)
  await releaseHeld(ctx.db, app.appId, { heldUntil, now: ctx.clock.now() })
}

async function writeHold(ctx: Context, app: App, until: Date | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await setHold(tx, app.appId, until)
    const action = until ? 'webhooks.held' : 'webhooks.released'
    const change = { before: { until: app.webhooksHeldUntil }, after: { until } }
    await auditApp(ctx, tx, app, { action, target: `app:${app.appId}`, ...change })
  })
  forgetApp(ctx, app.appId)
}

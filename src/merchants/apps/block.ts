import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { App } from '../app.ts'
import { auditApp } from '../app-audit.ts'
import { forgetApp } from '../directory.ts'
import { updateActive } from './store.ts'

/**
 * A blocked app takes no new payments: the API refuses every request, and checkouts and panels are closed.
 * Payments that exist are still followed at their providers, and webhooks are still delivered.
 */
export const blockApp = (ctx: Context, app: App): Promise<void> => setActive(ctx, app, false)

export const unblockApp = (ctx: Context, app: App): Promise<void> => setActive(ctx, app, true)

async function setActive(ctx: Context, app: App, isActive: boolean): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await updateActive(tx, app.appId, isActive))) return
    const action = isActive ? 'app.unblocked' : 'app.blocked'
    const target = `app:${app.appId}`
    await auditApp(ctx, tx, app, { action, target, before: { isActive: !isActive }, after: { isActive } })
  })
  forgetApp(ctx, app.appId)
}

export const appBlocked = (headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('app_blocked', 'The app is blocked and takes no requests.', { headers })

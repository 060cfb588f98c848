import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { afterFailure, afterRequest, afterSuccess, type EndpointFailure } from './health.ts'
import { changeHealth, type Endpoint } from './health-store.ts'

// Records endpoint health and logs every change of it.

export interface Target {
  readonly app: App
  /** '' stands for the app's URL. */
  readonly endpoint: string
  /** Without its query. */
  readonly url: string
}

interface Failed {
  readonly error: string
  readonly gone?: true
  readonly quietUntil?: Date
  readonly now: Date
  readonly chance: number
}

export async function noteFailure(ctx: Context, target: Target, failed: Failed): Promise<void> {
  const { app, endpoint, url } = target
  const failure: EndpointFailure = {
    url,
    error: failed.error,
    gone: failed.gone ?? false,
    quietUntil: failed.quietUntil,
    now: failed.now,
    appNow: appNow(ctx, app),
    chance: failed.chance,
  }
  const where = { appId: app.appId, endpoint }
  const { before, after } = await changeHealth(ctx.db, where, (known) => afterFailure(known, failure))
  const line = { appId: app.appId, url, error: failed.error }
  if (after?.disabledTime && !before?.disabledTime) ctx.log.warn('webhook.endpoint_disabled', line)
  else if (after?.dueTime && after.dueTime.getTime() !== before?.dueTime?.getTime())
    ctx.log.warn('webhook.endpoint_paused', { ...line, failures: after.failures, until: after.dueTime })
}

export async function noteSuccess(ctx: Context, { app, endpoint, url }: Target): Promise<void> {
  const { before, after } = await changeHealth(ctx.db, { appId: app.appId, endpoint }, (known) =>
    known?.url === url ? afterSuccess(known) : undefined,
  )
  const wasPaused = before && (before.dueTime !== null || before.disabledTime !== null)
  if (wasPaused && !after?.dueTime) ctx.log.info('webhook.endpoint_recovered', { appId: app.appId, url })
}

/** A delivery was requested: a paused or disabled endpoint is tried again. */
export async function noteRequest(ctx: Pick<Context, 'db'>, endpoint: Endpoint): Promise<void> {
  await changeHealth(ctx.db, endpoint, (known) => known && afterRequest(known))
}

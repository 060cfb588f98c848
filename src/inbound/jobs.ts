import { MINUTE, SECOND } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { type App, findProfile, type Profile } from '../merchants/app.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import type { Hint } from '../providers/hint.ts'
import { noteArrival } from './arrivals.ts'
import { follow, verify, withKey } from './follow.ts'
import { packHints, unpackHints } from './hints.ts'
import {
  blankNotifications,
  claimDueNotifications,
  endNotification,
  type Notification,
  noteVerified,
  notificationsDue,
  oldNotificationsDue,
  removeOldNotifications,
  unblankedNotificationsDue,
} from './store.ts'

/** Name and topic of the job. */
export const FOLLOWING = 'notifications'

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

/**
 * Processes stored notifications that were not processed yet. Failed tries are repeated with growing pauses.
 */
export const notificationsJob = (ctx: Context): Job =>
  rowJob<Notification>(ctx, {
    name: FOLLOWING,
    everyMs: SECOND,
    due: [notificationsDue],
    claim: (share) => claimDueNotifications(ctx.db, { now: ctx.clock.now(), share }),
    async work(notification) {
      if (!(await takeOver(ctx, notification))) await endIfOld(ctx, notification)
    },
    failed: (notification) => endIfOld(ctx, notification),
  })

/** Deletes old notifications, and call data that earlier versions kept. */
export const notificationRemovalJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'notification removal',
  everyMs: 10 * MINUTE,
  restMs: SECOND,
  due: [oldNotificationsDue, unblankedNotificationsDue],
  async runOnce() {
    const removed = await removeOldNotifications(ctx.db, ctx.clock.now(), BATCH)
    return removed + (await blankNotifications(ctx.db, BATCH))
  },
})

/** False when the provider could not be read yet. */
async function takeOver(ctx: Context, notification: Notification): Promise<boolean> {
  const app = await loadApp(ctx, notification.appId)
  const profile = app && findProfile(app, notification.profileId)
  const known = notification.hints && unpackHints(ctx.vault, notification.hints)
  const hints = profile && (known ?? (await verifyStored(ctx, app, profile, notification)))
  if (hints) return follow(ctx, app, notification, hints)
  if (!profile) await endNotification(ctx.db, notification, 'ignored')
  return true
}

/** The events of a stored call; undefined when the notification has ended. */
async function verifyStored(
  ctx: Context,
  app: App,
  profile: Profile,
  notification: Notification,
): Promise<readonly Hint[] | undefined> {
  const { call } = notification
  const received = call
    ? await verify(ctx, app, profile, { ...call, url: withKey(call.url, profile.webhookKey) })
    : ({ kind: 'ignored' } as const)
  if (call) noteArrival(ctx, app, profile, received)
  if (received.kind === 'events') {
    await noteVerified(ctx.db, notification, packHints(ctx.vault, received.hints))
    return received.hints
  }
  await endNotification(ctx.db, notification, received.kind)
  return undefined
}

/** Ends a notification whose provider could not be read within the retention time. */
async function endIfOld(ctx: Context, notification: Notification): Promise<void> {
  const { appId, profileId, digest, receivedTime } = notification
  if (ctx.clock.now().getTime() - receivedTime.getTime() < LIMITS.notificationsKeptMs) return
  const about = { appId, profileId, receivedTime, digest: Buffer.from(digest).toString('hex') }
  ctx.log.warn('notification.exhausted', about)
  await endNotification(ctx.db, notification, 'exhausted')
}

export const clearNotifications = clearTables(['provider_notifications', 'profile_notifications'])

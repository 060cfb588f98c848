import { MINUTE, SECOND } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { type App, findProfile, type Profile } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import type { Hint } from '../providers/port.ts'
import { follow, verify, withKey } from './follow.ts'
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

/** The job's name and topic. */
export const FOLLOWING = 'notifications'

/** Small enough that no request waits for the locks of one batch. */
const BATCH = 500

/** Follows notifications that were stored and not followed. A try that fails is repeated, later each time. */
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

/** Removes what is old, and what versions before this one kept of calls. */
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

/** False: not followed yet. */
async function takeOver(ctx: Context, notification: Notification): Promise<boolean> {
  const app = await loadApp(ctx, notification.appId)
  const profile = app && findProfile(app, notification.profileId)
  const hints = profile && (notification.hints ?? (await verifyStored(ctx, app, profile, notification)))
  if (hints) return follow(ctx, app, notification, hints)
  if (!profile) await endNotification(ctx.db, notification, 'ignored')
  return true
}

/** What the stored call is about, or undefined when it has ended. */
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
  if (received.kind === 'events') {
    await noteVerified(ctx.db, notification, received.hints)
    return received.hints
  }
  await endNotification(ctx.db, notification, received.kind)
  return undefined
}

/** Its provider could not be read for as long as notifications are kept. */
async function endIfOld(ctx: Context, notification: Notification): Promise<void> {
  const { appId, profileId, digest, receivedTime } = notification
  if (ctx.clock.now().getTime() - receivedTime.getTime() < LIMITS.notificationsKeptMs) return
  const about = { appId, profileId, receivedTime, digest: Buffer.from(digest).toString('hex') }
  ctx.log.warn('notification.exhausted', about)
  await endNotification(ctx.db, notification, 'exhausted')
}

import { HOUR } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Job } from '../../jobs/loop.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { insertActivity, oldActivityDue, removeOldActivity, type StoredActivity } from './store.ts'

/** What happened; who did it and when come from the context. */
export type NewActivity = Omit<StoredActivity, 'time' | 'actor'>

/** Records what happened to a customer, in the transaction of the change. */
export const noteActivity = (
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: Queryable,
  app: App,
  activity: NewActivity,
): Promise<void> => insertActivity(tx, app.appId, { ...activity, time: appNow(ctx, app), actor: ctx.actor })

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

export const activityJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'customer-activity',
  everyMs: HOUR,
  due: [oldActivityDue],
  runOnce: () => removeOldActivity(ctx.db, ctx.clock.now(), BATCH),
})

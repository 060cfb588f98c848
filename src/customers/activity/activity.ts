import { HOUR } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Job } from '../../jobs/loop.ts'
import { type App, appNow } from '../../merchants/app.ts'
import {
  type Activity,
  type ActivityFilter,
  insertActivities,
  insertActivity,
  listActivity,
  oldActivityDue,
  removeOldActivity,
  type StoredActivity,
} from './store.ts'

export { ACTIVITY_TYPES, type Activity } from './store.ts'

/** What happened; who did it and when come from the context. */
export type NewActivity = Omit<StoredActivity, 'time' | 'actor'>

/** Records what happened to a customer, in the transaction of the change. */
export const noteActivity = (
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: Queryable,
  app: App,
  activity: NewActivity,
): Promise<void> => insertActivity(tx, app.appId, { ...activity, time: appNow(ctx, app), actor: ctx.actor })

/** As `noteActivity` for each new method of other customers. */
export async function noteMethodsAdded(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: Queryable,
  app: App,
  methods: readonly ({ readonly customerId: string } & object)[],
): Promise<void> {
  const what = { type: 'MethodAdded', time: appNow(ctx, app), actor: ctx.actor } as const
  const rows = methods.map(({ customerId, ...data }) => ({ customerId, data }))
  if (rows.length > 0) await insertActivities(tx, app.appId, what, rows)
}

/** What happened beside payments, newest first. */
export const activityOf = (ctx: Pick<Context, 'db'>, app: App, filter: ActivityFilter): Promise<Activity[]> =>
  listActivity(ctx.db, app.appId, filter)

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

export const activityJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'customer-activity',
  everyMs: HOUR,
  due: [oldActivityDue],
  runOnce: () => removeOldActivity(ctx.db, ctx.clock.now(), BATCH),
})

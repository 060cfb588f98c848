import { after, SECOND } from '../../../base/clock.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../jobs/loop.ts'
import {
  backfill,
  beginApps,
  catchUpDue,
  claimApps,
  compareEvents,
  type EventPosition,
  type Progress,
  saveProgress,
} from './catch-up-store.ts'
import { ROLLUP_DELAY_MS } from './writer.ts'

const EVERY_MS = 30 * SECOND
/** An event may be committed this long after its time: events are compared until they are older. */
const MARGIN_MS = 30 * SECOND
const APPS = 20
const EVENTS = 2_000
const PAGES = 10
const PAYMENTS = 1_000

/**
 * Finds payments whose row in `payment_search` is missing or old: those that a crashed node had still to
 * write, by their events, and those from before the table existed, from the newest to the oldest.
 */
export const searchCatchUpJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'payment search catch-up',
  everyMs: EVERY_MS,
  due: catchUpDue,
  async runOnce() {
    const now = ctx.clock.now()
    await beginApps(ctx.db, now, MARGIN_MS)
    const apps = await claimApps(ctx.db, { now, until: after(now, EVERY_MS), limit: APPS })
    let isBehind = false
    for (const app of apps) if (await catchUp(ctx, app)) isBehind = true
    return isBehind || apps.length === APPS ? apps.length : 0
  },
})

/** Returns whether there is more to copy now. */
async function catchUp(ctx: Pick<Context, 'db' | 'clock'>, app: Progress): Promise<boolean> {
  const now = ctx.clock.now()
  const copying = { appId: app.appId, countFrom: after(now, ROLLUP_DELAY_MS) }
  let position: EventPosition | undefined = { time: app.eventTime, paymentId: 0, sequence: 0 }
  let eventTime = app.eventTime
  for (let page = 0; page < PAGES && position; page++) {
    eventTime = position.time
    position = (await compareEvents(ctx.db, { ...copying, limit: EVENTS }, position)).last
  }
  const isBehind = position !== undefined
  // Events between the margin and now are compared again.
  if (!isBehind) eventTime = after(app.appTime, -MARGIN_MS)
  const backfillBelow =
    app.backfillBelow === null
      ? null
      : (await backfill(ctx.db, { ...copying, limit: PAYMENTS }, app.backfillBelow)).below
  const hasMore = isBehind || backfillBelow !== null
  await saveProgress(
    ctx.db,
    { appId: app.appId, eventTime, backfillBelow },
    hasMore ? now : after(now, EVERY_MS),
  )
  return hasMore
}

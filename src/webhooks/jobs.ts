import { after, MINUTE } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { makeReady, retriesDue } from './delivery/claim-store.ts'
import { grantsOver, removeGrants } from './delivery/direct/slot-grant-store.ts'
import { failingDue, forgetRemoved, giveUp } from './delivery/health-store.ts'
import { senderOf } from './delivery/sender.ts'
import { SENDING } from './delivery/topics.ts'
import { dropPaused, pausedDue } from './endpoint-store.ts'
import { appsWithOldEvents, type EventRemoval, oldEventsDue, removeOldEvents } from './retention-store.ts'
import { GIVE_UP_MS, WEBHOOKS } from './schedule.ts'

export const webhookJobs = (ctx: Context): Job[] => [retriesJob(ctx), sendingJob(ctx), removalJob(ctx)]

/**
 * Only claims; sending continues in the background, so a run for one app does not wait for the endpoints of
 * others.
 */
const sendingJob = (ctx: Context): Job => {
  const { runOnce } = senderOf(ctx)
  return { name: SENDING, everyMs: WEBHOOKS.pollMs, restMs: WEBHOOKS.restMs, runOnce, runFor: runOnce }
}

const retriesJob = (ctx: Context): Job => {
  async function runOnce() {
    const ready = await makeReady(ctx.db, ctx.clock.now(), WEBHOOKS.readyBatch)
    if (ready > 0) ctx.signals.wake(SENDING)
    return ready
  }
  return { name: 'webhook retries', everyMs: WEBHOOKS.pollMs, due: retriesDue, runOnce, runFor: runOnce }
}

/** Deletes old delivered events in small batches and ends deliveries that waited too long. */
export const removalJob = (ctx: Context): Job => ({
  name: 'webhook removal',
  everyMs: 10 * MINUTE,
  due: [failingDue, oldEventsDue, grantsOver, pausedDue],
  async runOnce() {
    const now = ctx.clock.now()
    const exhausted = await giveUpBehindFailing(ctx, now)
    await removeGrants(ctx.db, now)
    await forgetRemoved(ctx.db)
    const before = after(now, -WEBHOOKS.keptMs)
    let removed = await dropPaused(ctx.db, { before, limit: WEBHOOKS.removalBatch })
    for (const appId of await appsWithOldEvents(ctx.db, now)) removed += await removeOld(ctx, appId, before)
    return exhausted + removed
  },
  runFor: () => giveUpBehindFailing(ctx, ctx.clock.now()),
})

async function giveUpBehindFailing(ctx: Context, now: Date): Promise<number> {
  const exhausted = await giveUp(ctx.db, { before: after(now, -GIVE_UP_MS), now }, WEBHOOKS.removalBatch)
  if (exhausted > 0) ctx.log.warn('webhook.exhausted_behind_endpoint', { count: exhausted })
  return exhausted
}

async function removeOld(ctx: Context, appId: string, before: Date): Promise<number> {
  let removed = 0
  let page: EventRemoval | undefined
  do {
    page = await removeOldEvents(ctx.db, appId, { before, after: page?.last, limit: WEBHOOKS.removalBatch })
    removed += page.removed
  } while (page.last)
  return removed
}

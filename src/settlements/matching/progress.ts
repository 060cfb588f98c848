import { after } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { SETTLEMENTS } from '../limits.ts'
import { lockProgress, saveProgress, selectEvents, writeKeys } from '../store/progress.ts'
import { judgePayments } from './judging.ts'
import { recheckUnseen } from './recheck.ts'

/**
 * Reads what has happened to payments since the last time: their ids at the provider are stored for matching,
 * and each is compared with its lines. The events of payments are read, so payments themselves are written
 * without a further statement or index. Returns whether events are left.
 */
export async function catchUp(
  ctx: Context,
  app: App,
  pages: number = SETTLEMENTS.eventPages,
): Promise<boolean> {
  let isBehind = true
  for (let page = 0; page < pages && isBehind; page++) {
    const read = await ctx.db.transaction((tx) => readEvents(ctx, tx, app))
    recheckUnseen(ctx, app, read.unseen)
    isBehind = read.isBehind
  }
  return isBehind
}

async function readEvents(ctx: Context, tx: Queryable, app: App) {
  const place = await lockProgress(tx, app.appId)
  if (!place) return { isBehind: false, unseen: [] }
  const limit = SETTLEMENTS.events
  const events = await selectEvents(tx, app.appId, place, { limit })
  const until = after(appNow(ctx, app), -SETTLEMENTS.lateEventsMs)
  const again = await selectEvents(tx, app.appId, place.late, { limit, until })
  const paymentIds = [...new Set([...events, ...again].map(({ paymentId }) => paymentId))]
  if (paymentIds.length > 0) await writeKeys(tx, app.appId, paymentIds, SETTLEMENTS.idLength)
  const unseen = await judgePayments(ctx, tx, app, paymentIds)
  const isMore = events.length === limit
  const isBehind = isMore || again.length === limit
  const last = events.at(-1) ?? place
  // Events younger than the margin are read again.
  const settled = after(appNow(ctx, app), -SETTLEMENTS.eventMarginMs)
  const next = last.eventTime <= settled ? last : { eventTime: settled, paymentId: 0, sequence: 0 }
  const isBack = next.eventTime < place.eventTime
  const due = isBehind ? ctx.clock.now() : after(ctx.clock.now(), SETTLEMENTS.eventsEveryMs)
  const late = again.at(-1) ?? place.late
  await saveProgress(tx, app.appId, { ...(isMore ? last : isBack ? place : next), late }, due)
  return { isBehind, unseen }
}

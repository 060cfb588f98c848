import { after, DAY, MINUTE, SECOND } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { completeErasure, type Eraser, eraseCustomer } from './erase.ts'
import {
  claimCursor,
  claimErasures,
  continueFrom,
  erasuresDue,
  nextCustomers,
  retentionDue,
} from './store.ts'

const ERASURES_AT_ONCE = 10

/** Erases what was written during an erasure, and payments that were moving. */
export const erasuresJob = (ctx: Context, erasers: readonly Eraser[]): Job => ({
  name: 'erasures',
  everyMs: 10 * SECOND,
  due: [erasuresDue],
  async runOnce() {
    const erasures = await claimErasures(ctx.db, ctx.clock.now(), ERASURES_AT_ONCE)
    for (const erasure of erasures)
      await completeErasure(ctx, erasure, erasers).catch((error) =>
        ctx.log.warn('erasure.failed', { appId: erasure.appId, ...errorData(error) }),
      )
    return erasures.length
  },
})

const CUSTOMERS_AT_ONCE = 200
/** A pass whose worker died is continued after this. */
const LEASE_MS = 5 * MINUTE

/**
 * Erases customers whose last payment is older than `personalDataDays`. One run looks at some customers of
 * one app; an app is passed through once a day.
 */
export const retentionJob = (ctx: Context, erasers: readonly Eraser[]): Job => ({
  name: 'retention',
  everyMs: MINUTE,
  restMs: SECOND,
  due: [retentionDue],
  async runOnce() {
    const now = ctx.clock.now()
    const cursor = await claimCursor(ctx.db, now, after(now, LEASE_MS))
    const app = cursor && (await loadApp(ctx, cursor.appId))
    if (!app || app.personalDataDays === null) return cursor ? 1 : 0
    const cutoff = after(appNow(ctx, app), -app.personalDataDays * DAY)
    const customers = await nextCustomers(ctx.db, cursor, cutoff, CUSTOMERS_AT_ONCE)
    for (const { customerId, isOld } of customers) if (isOld) await eraseIfIdle(ctx, app, customerId, erasers)
    const last = customers.length === CUSTOMERS_AT_ONCE ? customers.at(-1)?.customerId : undefined
    const due = last === undefined ? after(now, DAY) : now
    await continueFrom(ctx.db, { appId: app.appId, after: last ?? '' }, due)
    return 1
  },
})

/** A customer whose payment moves, or whose erasure fails, is left to the next pass. */
async function eraseIfIdle(
  ctx: Context,
  app: App,
  customerId: string,
  erasers: readonly Eraser[],
): Promise<void> {
  try {
    await eraseCustomer(ctx, app, customerId, erasers)
  } catch (error) {
    if (!(error instanceof ApiError))
      ctx.log.warn('retention.failed', { appId: app.appId, ...errorData(error) })
  }
}

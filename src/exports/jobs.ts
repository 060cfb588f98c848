import { after, MINUTE } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import type { Context } from '../context.ts'
import type { ClaimedWork } from '../db/work-rows.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import { EXPORTING } from './commands.ts'
import type { Export } from './export.ts'
import { EXPORTS } from './limits.ts'
import { finish, makeParts } from './run.ts'
import { runSchedules } from './schedules.ts'
import { exportRows } from './store/exports.ts'
import { schedulesDue } from './store/schedules.ts'

export const exportJobs = (ctx: Context): Job[] => [exportsJob(ctx), schedulesJob(ctx), removalJob(ctx)]

/** Goes on with exports, some pages of each in turn. */
const exportsJob = (ctx: Context): Job =>
  rowJob<ClaimedWork<Export>>(ctx, {
    name: EXPORTING,
    everyMs: EXPORTS.everyMs,
    due: [exportRows.due],
    caps: EXPORTS.atOnce,
    claim: (share) => {
      const now = ctx.clock.now()
      const token = newLeaseToken(ctx.random)
      return exportRows.claim(ctx.db, { now, until: after(now, EXPORTS.leaseMs), token, share })
    },
    work: (claimed) => goOn(ctx, claimed),
    failed: (claimed) => retryOrEnd(ctx, claimed),
  })

async function goOn(ctx: Context, claimed: ClaimedWork<Export>): Promise<void> {
  const app = await loadApp(ctx, claimed.appId)
  const ended = app && (await makeParts(ctx, app, claimed, { pages: EXPORTS.pagesOfClaim }))
  if (!ended) await exportRows.release(ctx.db, claimed, ctx.clock.now())
}

async function retryOrEnd(ctx: Context, claimed: ClaimedWork<Export>): Promise<void> {
  const app = await loadApp(ctx, claimed.appId)
  if (app && claimed.tries + 1 >= EXPORTS.tries)
    await finish(ctx, app, claimed, { state: 'failed', problem: 'internal' })
  else await exportRows.retry(ctx.db, claimed, ctx.clock.now())
}

/** Queues the exports of periods that have ended. */
const schedulesJob = (ctx: Context): Job => ({
  name: 'export schedules',
  everyMs: MINUTE,
  due: [schedulesDue],
  runOnce: () => runSchedules(ctx),
  runFor: (appId) => runSchedules(ctx, appId),
})

const removalJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'export removal',
  everyMs: EXPORTS.removalEveryMs,
  due: [exportRows.oldDue],
  runOnce: () => exportRows.removeOld(ctx.db, ctx.clock.now(), EXPORTS.removalBatch),
})

export const clearExports = clearTables(['export_parts', 'exports'])

import { SECOND } from '../../base/clock.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { loadApp } from '../../merchants/directory.ts'
import { newLease } from '../operations/lease.ts'
import { claimDueUndos, type Undo, undosDue } from './store.ts'
import { runUndo } from './undo.ts'

const BATCH = 20

/** Follows attempts that were given up, until nothing of them is left at their providers. */
export const undosJob = (ctx: Context): Job => ({
  name: 'undos',
  everyMs: SECOND,
  due: [undosDue],
  async runOnce() {
    const due = await claimDueUndos(ctx.db, { ...newLease(ctx), limit: BATCH })
    await Promise.all(due.map((undo) => follow(ctx, undo)))
    return due.length
  },
})

/** One row's trouble is its own: its lease ends and it comes back. */
async function follow(ctx: Context, undo: Undo): Promise<void> {
  try {
    const app = await loadApp(ctx, undo.appId)
    if (app) await runUndo(ctx, app, undo)
  } catch (error) {
    ctx.log.warn('job.row_failed', { what: 'undo', ...errorData(error) })
  }
}

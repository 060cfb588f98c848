import { MINUTE } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { forgetSetups, setupsDue } from './method-setup-store.ts'
import { forgetSessions, sessionsDue } from './panel-store.ts'

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

/** Deletes expired panel sessions and setups after their retention time. */
export const panelJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'panel',
  everyMs: 10 * MINUTE,
  due: [sessionsDue, setupsDue],
  async runOnce() {
    const now = ctx.clock.now()
    const sessions = await forgetSessions(ctx.db, now, BATCH)
    return sessions + (await forgetSetups(ctx.db, now, BATCH))
  },
})

import { after, MINUTE } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { forgetKeepings } from './keeping-store.ts'
import { forgetSessions } from './panel-store.ts'

/** Small enough that no request waits for the locks of one batch. */
const BATCH = 500

/** Forgets sessions and keepings that are over for longer than anybody could come back to them. */
export const panelJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'panel',
  everyMs: 10 * MINUTE,
  async runOnce() {
    const before = after(ctx.clock.now(), -LIMITS.panelKeptMs)
    const sessions = await forgetSessions(ctx.db, before, BATCH)
    return sessions + (await forgetKeepings(ctx.db, before, BATCH))
  },
})

import { after, SECOND } from '../../../base/clock.ts'
import { LIMITS, recheckPause } from '../../../base/limits.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../jobs/loop.ts'
import { rowJob } from '../../../jobs/row-job.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { newLease } from '../../lease.ts'
import { claimDueStorings, type MethodStoring, postponeStoring, storingsDue } from './store.ts'
import { runStoring } from './storing.ts'

/** Stores methods of paid attempts whose request failed, or that a crash left out. */
export const storingsJob = (ctx: Context): Job =>
  rowJob<MethodStoring>(ctx, {
    name: 'method storings',
    everyMs: SECOND,
    due: [storingsDue],
    claim: (share) => claimDueStorings(ctx.db, { ...newLease(ctx), share }),
    async work(storing) {
      const app = await loadApp(ctx, storing.appId)
      if (app) await runStoring(ctx, app, storing)
    },
    failed: (storing) =>
      postponeStoring(
        ctx.db,
        storing,
        after(ctx.clock.now(), Math.max(LIMITS.operationLeaseMs, recheckPause(storing.tries))),
      ),
  })

import { after, SECOND } from '../../../base/clock.ts'
import { LIMITS, recheckPause } from '../../../base/limits.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../jobs/loop.ts'
import { rowJob } from '../../../jobs/row-job.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { newLease } from '../../lease.ts'
import { claimPaidMethods, type PaidMethod, paidMethodsDue, postponePaidMethod } from './store.ts'
import { storePaidMethod } from './store-method.ts'

/** Stores methods of paid attempts whose request failed, or that a crash left out. */
export const paidMethodsJob = (ctx: Context): Job =>
  rowJob<PaidMethod>(ctx, {
    name: 'paid methods',
    everyMs: SECOND,
    due: [paidMethodsDue],
    claim: (share) => claimPaidMethods(ctx.db, { ...newLease(ctx), share }),
    async work(paid) {
      const app = await loadApp(ctx, paid.appId)
      if (app) await storePaidMethod(ctx, app, paid)
    },
    failed: (paid) =>
      postponePaidMethod(
        ctx.db,
        paid,
        after(ctx.clock.now(), Math.max(LIMITS.operationLeaseMs, recheckPause(paid.tries))),
      ),
  })

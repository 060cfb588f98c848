import { after, SECOND } from '../../../base/clock.ts'
import { LIMITS, recheckPause } from '../../../base/limits.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../jobs/loop.ts'
import { rowJob } from '../../../jobs/row-job.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { newLease } from '../../lease.ts'
import { summary } from '../merge-facts.ts'
import { claimDueUndos, postponeUndo, type Undo, undosDue } from './store.ts'
import { runUndo } from './undo.ts'

/** Undoes abandoned attempts until their providers hold no money of them. */
export const undosJob = (ctx: Context): Job =>
  rowJob<Undo>(ctx, {
    name: 'undos',
    everyMs: SECOND,
    due: [undosDue],
    claim: (share) => claimDueUndos(ctx.db, { ...newLease(ctx), share }),
    async work(undo) {
      const app = await loadApp(ctx, undo.appId)
      if (app) await runUndo(ctx, app, undo)
    },
    failed: (undo) =>
      postponeUndo(ctx.db, undo, { due: afterError(ctx, undo.tries), outcome: outcomeOf(undo) }),
  })

/** Not before the lease would have expired, with a growing pause. */
const afterError = ({ clock }: Context, tries: number): Date =>
  after(clock.now(), Math.max(LIMITS.operationLeaseMs, recheckPause(tries)))

/** Keeps the last outcome, so that a refused cancellation is not sent again. */
const outcomeOf = ({ outcome }: Undo): object => outcome ?? summary('error')

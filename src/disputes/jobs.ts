import { after, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import { answersDue, claimAnswers, type DisputeOperation, eraseAnswers } from './answers-store.ts'
import { DISPUTES } from './limits.ts'
import { sendAnswer } from './send.ts'

/** Sends answers again whose result is not known: after a lost reply, an outage or a crash. */
export const disputeAnswersJob = (ctx: Context): Job =>
  rowJob<DisputeOperation>(ctx, {
    name: 'dispute answers',
    everyMs: SECOND,
    due: [answersDue],
    claim(share) {
      const now = ctx.clock.now()
      return claimAnswers(ctx.db, { now, until: after(now, DISPUTES.leaseMs), share })
    },
    async work(answer) {
      const app = await loadApp(ctx, answer.appId)
      if (app) await sendAnswer(ctx, app, answer)
    },
  })

/** Evidence tells about a person. */
export const eraseDisputes = (
  ctx: Pick<Context, 'db'>,
  { appId, paymentIds }: { readonly appId: string; readonly paymentIds: readonly number[] },
): Promise<void> => eraseAnswers(ctx.db, appId, paymentIds)

export const clearDisputes = clearTables(['dispute_files', 'dispute_answers', 'disputes'])

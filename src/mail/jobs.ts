import { after, HOUR, SECOND } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { SENDING } from './queue.ts'
import { MAILS } from './schedule.ts'
import { deliverMail } from './sending/deliver.ts'
import { claimMails, endedMailsDue, mailsDue, oldDaysDue, removeDays, removeEnded } from './store.ts'

export const mailJobs = (ctx: Context): Job[] => [
  ...(ctx.config.mail ? [sendingJob(ctx)] : []),
  removalJob(ctx),
]

const sendingJob = (ctx: Context): Job =>
  rowJob(ctx, {
    name: SENDING,
    everyMs: SECOND,
    due: [mailsDue],
    caps: MAILS.shares,
    claim(share) {
      const now = ctx.clock.now()
      const lease = { now, until: after(now, MAILS.leaseMs), token: newLeaseToken(ctx.random) }
      return claimMails(ctx.db, share, lease)
    },
    work: (mail) => deliverMail(ctx, mail),
  })

const removalJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'mail removal',
  everyMs: HOUR,
  due: [endedMailsDue, oldDaysDue],
  async runOnce() {
    const now = ctx.clock.now()
    const ended = await removeEnded(ctx.db, now, MAILS.removalBatch)
    return ended + (await removeDays(ctx.db, now, MAILS.removalBatch))
  },
})

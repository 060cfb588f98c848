import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { keysJob } from './keys.ts'
import { troubleJob } from './team.ts'
import { walksJob } from './walks.ts'

/** None without a mail server. */
export const noticeJobs = (ctx: Context): Job[] =>
  ctx.config.mail ? [walksJob(ctx), troubleJob(ctx), keysJob(ctx)] : []

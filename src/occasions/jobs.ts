import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { occasionsJob } from './cursors.ts'
import { disputesJob } from './disputes.ts'
import { keysJob } from './keys.ts'
import { troubleJob } from './team.ts'

/** None without a mail server. */
export const occasionJobs = (ctx: Context): Job[] =>
  ctx.config.mail ? [occasionsJob(ctx), troubleJob(ctx), keysJob(ctx), disputesJob(ctx)] : []

import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { keysJob } from './keys.ts'
import { troubleJob } from './team.ts'
import { occasionsJob } from './cursors.ts'

/** None without a mail server. */
export const occasionJobs = (ctx: Context): Job[] =>
  ctx.config.mail ? [occasionsJob(ctx), troubleJob(ctx), keysJob(ctx)] : []

import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { canSend } from '../mail/queue.ts'
import { cardsJob, occasionsJob } from './cursors.ts'
import { disputesJob } from './disputes.ts'
import { keysJob } from './keys.ts'
import { troubleJob } from './team.ts'

/** Those that write notices too run without a mail server. */
export const occasionJobs = (ctx: Context): Job[] => [
  occasionsJob(ctx),
  troubleJob(ctx),
  disputesJob(ctx),
  ...(canSend(ctx) ? [cardsJob(ctx), keysJob(ctx)] : []),
]

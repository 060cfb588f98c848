import { type Clock, SECOND } from '../base/clock.ts'
import { batchSql, type Database, type Due } from '../db/database.ts'
import { inputRows } from '../db/input.ts'
import type { Job } from './loop.ts'

interface DueCheck {
  readonly job: string
  readonly now: Date
}

/**
 * Wraps jobs so that they claim rows only after a check found some due. The checks of jobs that run at the
 * same moment are batched: one query checks all queues.
 */
export function withDueChecks(
  ctx: { readonly db: Database; readonly clock: Clock },
  jobs: readonly Job[],
): Job[] {
  const check = dueCheckOf(jobs)
  const isDue = async (job: string) =>
    (await ctx.db.batch(check, { job, now: ctx.clock.now() })) !== undefined
  return jobs.map((job) => {
    if (!job.due) return job
    const isSkipped = createIdleSkip(ctx.clock, job)
    const runOnce = async () => (!isSkipped() && (await isDue(job.name)) ? job.runOnce() : 0)
    return { ...job, runOnce }
  })
}

/**
 * An idle job checks once in each second, together with the jobs that run every second, so that its checks
 * add no query.
 */
function createIdleSkip(clock: Clock, { isIdle }: Job): () => boolean {
  let checkedSecond: number | undefined
  return () => {
    const second = Math.floor(clock.now().getTime() / SECOND)
    if (second === checkedSecond && isIdle?.()) return true
    checkedSecond = second
    return false
  }
}

const dueCheckOf = (jobs: readonly Job[]) =>
  batchSql<DueCheck, object>({
    name: 'jobs.due',
    encode: ({ job, now }) => JSON.stringify({ job, now }),
    text: `select x.n from ${inputRows('job text, now timestamptz')} and case x.job
    ${jobs.flatMap(({ name, due = [] }) => whenClause(name, due)).join('\n')} end`,
  })

const whenClause = (job: string, due: readonly Due[]): string[] =>
  due.length === 0
    ? []
    : [`when '${job}' then ${due.map((rows) => `exists (select from ${rows('x.now')})`).join(' or ')}`]

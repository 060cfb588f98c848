import type { Clock } from '../base/clock.ts'
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
export function lookFirst(
  ctx: { readonly db: Database; readonly clock: Clock },
  jobs: readonly Job[],
): Job[] {
  const check = dueCheckOf(jobs)
  const isDue = async (job: string) =>
    (await ctx.db.batch(check, { job, now: ctx.clock.now() })) !== undefined
  return jobs.map((job) =>
    job.due ? { ...job, runOnce: async () => ((await isDue(job.name)) ? job.runOnce() : 0) } : job,
  )
}

const dueCheckOf = (jobs: readonly Job[]) =>
  batchSql<DueCheck, { n: number }>({
    name: 'jobs.look',
    encode: ({ job, now }) => JSON.stringify({ job, now }),
    text: `select x.n from ${inputRows('job text, now timestamptz')} and case x.job
    ${jobs.flatMap(({ name, due = [] }) => whenClause(name, due)).join('\n')} end`,
  })

const whenClause = (job: string, due: readonly Due[]): string[] =>
  due.length === 0
    ? []
    : [`when '${job}' then ${due.map((rows) => `exists (select from ${rows('x.now')})`).join(' or ')}`]

import type { Clock } from '../base/clock.ts'
import { batchSql, type Database, type Due } from '../db/database.ts'
import { inputRows } from '../db/input.ts'
import type { Job } from './loop.ts'

interface Look {
  readonly job: string
  readonly now: Date
}

/**
 * Most of the time nothing is due. Jobs that look at the same moment look together, in one statement, and
 * only those go on to claim that would find something.
 */
export function lookFirst(
  ctx: { readonly db: Database; readonly clock: Clock },
  jobs: readonly Job[],
): Job[] {
  const look = lookAt(jobs)
  const isDue = async (job: string) => (await ctx.db.batch(look, { job, now: ctx.clock.now() })) !== undefined
  return jobs.map((job) =>
    job.due ? { ...job, runOnce: async () => ((await isDue(job.name)) ? job.runOnce() : 0) } : job,
  )
}

const lookAt = (jobs: readonly Job[]) =>
  batchSql<Look, { n: number }>({
    name: 'jobs.look',
    encode: ({ job, now }) => JSON.stringify({ job, now }),
    text: `select x.n from ${inputRows('job text, now timestamptz')} and case x.job
    ${jobs.flatMap(({ name, due = [] }) => when(name, due)).join('\n')} end`,
  })

const when = (job: string, due: readonly Due[]): string[] =>
  due.length === 0
    ? []
    : [`when '${job}' then ${due.map((rows) => `exists (select from ${rows('x.now')})`).join(' or ')}`]

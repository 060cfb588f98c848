import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { type Due, sql } from '../db/database.ts'
import { lookFirst } from './look-store.ts'
import type { Job } from './loop.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
  await ctx.db.query(sql('test.chores', 'create table chores (who text, due_time timestamptz)'))
})
afterAll(() => ctx.close())

const ADD = sql('test.chore', `insert into chores values ($1, $2::timestamptz + $3 * interval '1 second')`)
const add = (who: string, inSeconds: number) => ctx.db.query(ADD, [who, ctx.clock.now(), inSeconds])

const choresOf =
  (who: string): Due =>
  (now) =>
    `chores where who = '${who}' and due_time <= ${now}`

async function runAll(jobs: readonly Omit<Job, 'everyMs' | 'runOnce'>[]) {
  const ran: string[] = []
  const all = jobs.map((job) => ({ ...job, everyMs: 1, runOnce: async () => ran.push(job.name) }))
  const done = await Promise.all(lookFirst(ctx, all).map((job) => job.runOnce()))
  return { ran: ran.sort(), hadWork: done.map((count) => count > 0) }
}

it('runs only jobs with due rows, and jobs without a due check', async () => {
  await add('early', 60)
  await add('now', 0)
  await add('second', -5)
  const { ran, hadWork } = await runAll([
    { name: 'nobody', due: [choresOf('nobody')] },
    { name: 'early', due: [choresOf('early')] },
    { name: 'now', due: [choresOf('now')] },
    { name: 'either', due: [choresOf('first'), choresOf('second')] },
    { name: 'always' },
  ])
  expect(ran).toEqual(['always', 'either', 'now'])
  expect(hadWork).toEqual([false, false, true, true, true])
})

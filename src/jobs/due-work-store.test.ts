import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { type Due, sql } from '../db/database.ts'
import { withDueChecks } from './due-work-store.ts'
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
  const done = await Promise.all(withDueChecks(ctx, all).map((job) => job.runOnce()))
  return { ran: ran.sort(), hadWork: done.map((count) => count > 0) }
}

it('runs only jobs with due rows, and jobs without a due check', async () => {
  await add('early', 60)
  await add('now', 0)
  await add('second', -5)
  const { ran, hadWork } = await runAll([
    { name: 'none', due: [choresOf('none')] },
    { name: 'early', due: [choresOf('early')] },
    { name: 'now', due: [choresOf('now')] },
    { name: 'either', due: [choresOf('first'), choresOf('second')] },
    { name: 'always' },
  ])
  expect(ran).toEqual(['always', 'either', 'now'])
  expect(hadWork).toEqual([false, false, true, true, true])
})

it('checks an idle job once in each second', async () => {
  let isIdle = true
  let checks = 0
  const db = { ...ctx.db, batch: () => Promise.resolve(void checks++) } as TestContext['db']
  const idle = { name: 'idle', everyMs: 250, due: [choresOf('idle')], isIdle: () => isIdle }
  const [job] = withDueChecks({ db, clock: ctx.clock }, [{ ...idle, runOnce: async () => 1 }])
  async function checksIn(ms: number): Promise<number> {
    checks = 0
    for (let passed = 0; passed < ms; passed += 250) {
      await job?.runOnce()
      ctx.clock.advance(250)
    }
    return checks
  }
  expect(await checksIn(3_000)).toBe(3)
  isIdle = false
  expect(await checksIn(3_000)).toBe(12)
})

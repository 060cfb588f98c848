import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { after, DAY, MINUTE, SECOND } from '../base/clock.ts'
import { type Database, sql } from './database.ts'
import { openDatabase } from './pool.ts'
import { workRows } from './work-rows.ts'

interface Work {
  readonly appId: string
  readonly workId: string
  readonly state: string
  readonly tries: number
  readonly dueTime: Date | null
  readonly leaseToken: string | null
}

const works = workRows<Work>(
  {
    ...{ table: 'works', id: 'work_id' },
    columns: ['app_id', 'work_id', 'state', 'tries', 'due_time', 'lease_token'],
    ...{ kept: 3, keptMs: DAY, pauses: { firstMs: 2 * SECOND, longestMs: 5 * SECOND } },
  },
  ({ workId }) => workId,
)

const TABLE = sql<never>(
  'worksTest.table',
  `create table works (app_id text, work_id text, state text, tries integer default 0,
     created_time timestamptz, due_time timestamptz, ended_time timestamptz, lease_token text,
     primary key (app_id, work_id))`,
)
const EMPTY = sql<never>('worksTest.empty', 'truncate works')
const ADD = sql<never>(
  'worksTest.add',
  `insert into works (app_id, work_id, state, created_time, due_time, ended_time)
   values ($1, $2, 'waiting', $3, case when $4::timestamptz is null then $3::timestamptz end, $4)`,
)

const NOW = new Date('2026-11-18T10:00:00.000Z')
const LATER = after(NOW, MINUTE)
const SHARE = { limit: 10, perApp: 10, perProfile: 10, apps: {}, profiles: {} }

let db: Database
beforeAll(async () => {
  db = openDatabase({ url: await createDatabase(inject('databaseUrl'), 'db_work_rows'), size: 2 })
  await db.query(TABLE, [])
})
afterAll(() => db?.close())
beforeEach(() => db.query(EMPTY, []))

/** Created so many seconds after the others; ended, or due since then. */
const add = (workId: string, second: number, ended: Date | null = null, appId = 'a') =>
  db.query(ADD, [appId, workId, after(NOW, (second - 100) * SECOND), ended])
const claim = (now: Date, token: string) =>
  works.claim(db, { now, until: after(now, MINUTE), token, share: SHARE })
const read = (workId: string) => works.find(db, 'a', workId)
const ids = async (appId = 'a') => (await works.list(db, appId)).map(({ workId }) => workId)

it('a row is claimed by one worker, and by another one when its lease is over', async () => {
  await add('one', 1)
  expect(await claim(NOW, 'first')).toMatchObject([
    { workId: 'one', state: 'running', leaseToken: 'first', profileId: null },
  ])
  expect(await claim(NOW, 'second')).toEqual([])
  expect(await claim(LATER, 'second')).toMatchObject([{ workId: 'one', leaseToken: 'second' }])
})

it('a worker without the lease neither releases a row nor repeats it', async () => {
  await add('one', 1)
  const [first] = await claim(NOW, 'first')
  const [second] = await claim(LATER, 'second')
  if (!first || !second) throw new Error('nothing was claimed')
  await works.release(db, first, LATER)
  await works.retry(db, first, LATER)
  expect(await read('one')).toEqual({ ...second, profileId: undefined })
  await works.release(db, second, LATER)
  expect(await read('one')).toMatchObject({ leaseToken: null, dueTime: LATER, tries: 0 })
})

it('a row is repeated later each time, and not before the time that is given', async () => {
  await add('one', 1)
  const pauseMs = async (now: Date, earliest?: Date) => {
    const [row] = await claim(now, 'worker')
    if (row) await works.retry(db, row, now, earliest)
    const { dueTime = null } = (await read('one')) ?? {}
    return (dueTime?.getTime() ?? 0) - now.getTime()
  }
  expect(await pauseMs(NOW)).toBe(2 * SECOND)
  expect(await pauseMs(LATER)).toBe(4 * SECOND)
  expect(await pauseMs(after(LATER, MINUTE))).toBe(5 * SECOND)
  const last = after(LATER, 2 * MINUTE)
  expect(await pauseMs(last, after(last, MINUTE))).toBe(MINUTE)
  expect(await read('one')).toMatchObject({ tries: 4, leaseToken: null })
})

it('an app keeps its newest rows, and those in progress whatever their age', async () => {
  await add('in progress', 0)
  for (const n of [1, 2, 3, 4]) await add(`ended ${n}`, n, NOW)
  await add('of another app', 0, NOW, 'b')
  expect(await ids()).toEqual(['ended 4', 'ended 3', 'ended 2'])
  await works.trim(db, 'a')
  expect(await ids()).toEqual(['ended 4', 'ended 3', 'in progress'])
  expect(await ids('b')).toEqual(['of another app'])
})

it('rows are removed some time after their end, so many at once', async () => {
  await add('in progress', 0)
  for (const n of [1, 2]) await add(`old ${n}`, n, after(NOW, -SECOND))
  await add('young', 3, after(NOW, SECOND))
  const now = after(NOW, DAY)
  expect(await works.removeOld(db, now, 1)).toBe(1)
  expect(await works.removeOld(db, now, 10)).toBe(1)
  expect(await ids()).toEqual(['young', 'in progress'])
})

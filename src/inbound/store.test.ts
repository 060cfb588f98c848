import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { raceTransactions } from '../../test/support/racing.ts'
import { after, SECOND } from '../base/clock.ts'
import { sha256 } from '../base/secret.ts'
import { sql } from '../db/database.ts'
import { endNotification, keepNotification, keepRepeated, keepUnmatched } from './store.ts'

let ctx: TestContext
let appId: string
beforeAll(async () => {
  ctx = await testContext()
  appId = (await testLicense(ctx)).sandbox.appId
})
afterAll(() => ctx.close())

const END = sql<never>(
  'test.endNotification',
  "update provider_notifications set status = 'done', due_time = null where app_id = $1 and digest = $2",
)

const COME_AGAIN = sql<never>(
  'test.comeAgain',
  `update provider_notifications set received_time = received_time + interval '1 second'
   where app_id = $1 and digest = $2`,
)

describe('a call with the same bytes as an earlier one', () => {
  const call = (bytes: string) => {
    const now = ctx.clock.now()
    const name = { appId, profileId: 1, digest: sha256(bytes) }
    return { ...name, now, status: 'new', due: now, hints: [], call: null } as const
  }

  it('is left to the one that is being followed, and processed when that has ended', async () => {
    expect(await keepRepeated(ctx.db, call('a'))).toBeInstanceOf(Date)
    expect(await keepRepeated(ctx.db, call('a'))).toBeUndefined()
    await ctx.db.query(END, [appId, sha256('a')])
    expect(await keepRepeated(ctx.db, call('a'))).toBeInstanceOf(Date)
  })

  it('is processed at once when the earlier one is just ending', async () => {
    await keepRepeated(ctx.db, call('b'))
    const [, received] = await raceTransactions(
      ctx,
      ({ db }) => db.transaction((tx) => tx.query(END, [appId, sha256('b')])),
      ({ db }) => keepRepeated(db, call('b')),
    )
    expect(received).toBeInstanceOf(Date)
  })

  it('that comes at the moment when the earlier one ends is not ended with it', async () => {
    const { appId, profileId, digest } = call('c')
    const first = await keepRepeated(ctx.db, call('c'))
    const end = (receivedTime: Date | undefined) =>
      endNotification(ctx.db, { appId, profileId, digest, receivedTime: receivedTime ?? null }, 'done')
    const [, again] = await raceTransactions(
      ctx,
      ({ db }) => db.transaction((tx) => tx.query(COME_AGAIN, [appId, digest])),
      () => end(first),
    )
    expect(again).toEqual(new Date((first?.getTime() ?? 0) + 1000))
    expect(await end(again)).toBeUndefined()
  })
})

const LEFT = sql<{ name: string }>(
  'test.leftUnmatched',
  `select convert_from(digest, 'utf8') as name from provider_notifications
   where app_id = $1 and profile_id = $2 and status = 'new' order by 1`,
)

it('keeps the newest unmatched notifications of each profile, and none of those that wait', async () => {
  const keep = async (profileId: number, name: string, isUnmatched = true) => {
    const now = after(ctx.clock.now(), Number(name.slice(1)) * SECOND)
    const key = { appId, profileId, digest: Buffer.from(name) }
    await keepNotification(ctx.db, { ...key, now, status: 'new', due: now, hints: [], call: null })
    if (isUnmatched) await keepUnmatched(ctx.db, key, 2)
  }
  await keep(7, 'w0', false)
  for (const name of ['n1', 'n2', 'n3']) await keep(7, name)
  await keep(8, 'n0')
  const left = async (profileId: number) =>
    (await ctx.db.query(LEFT, [appId, profileId])).map(({ name }) => name)
  expect(await left(7)).toEqual(['n2', 'n3', 'w0'])
  expect(await left(8)).toEqual(['n0'])
})

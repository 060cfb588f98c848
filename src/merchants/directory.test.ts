import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { LIMITS } from '../base/limits.ts'
import { sql } from '../db/database.ts'
import { loadApp } from './directory.ts'

let ctx: TestContext
let appId: string
beforeAll(async () => {
  ctx = await testContext()
  appId = (await testLicense(ctx)).sandbox.appId
})
afterAll(() => ctx.close())

/** Changes the row like another node, without invalidating the cache. */
const rename = (name: string) =>
  ctx.db.query(sql('test.rename', 'update apps set friendly_name = $2 where app_id = $1'), [appId, name])

const readAnew = () => {
  ctx.clock.advance(LIMITS.directoryMs)
  return loadApp(ctx, appId)
}

it('an unchanged app stays the same object, with its decrypted settings', async () => {
  const app = await loadApp(ctx, appId)
  expect(app?.profiles.length).toBeGreaterThan(0)
  expect(await readAnew()).toBe(app)
})

it('an app changed by another node is reloaded', async () => {
  const before = await loadApp(ctx, appId)
  await rename('Another name')
  expect((await loadApp(ctx, appId))?.friendlyName).toBe(before?.friendlyName)
  const after = await readAnew()
  expect(after).toEqual({ ...before, friendlyName: 'Another name' })
})

it('times, sealed bytes and numbers keep their types', async () => {
  const [profile] = (await loadApp(ctx, appId))?.profiles ?? []
  const kept = sql<{ settings: Uint8Array; createdTime: Date; profileId: number }>(
    'test.profile',
    'select settings, created_time, profile_id from payment_profiles where app_id = $1 order by profile_id',
  )
  const [row] = await ctx.db.query(kept, [appId])
  expect(Buffer.compare(Buffer.from(profile?.settings ?? []), Buffer.from(row?.settings ?? [1]))).toBe(0)
  expect(profile?.createdTime).toEqual(row?.createdTime)
  expect(profile?.profileId).toBe(row?.profileId)
})

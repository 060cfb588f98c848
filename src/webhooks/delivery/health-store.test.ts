import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { afterFailure, afterSuccess, type EndpointFailure, type Health } from './health.ts'
import { changeHealth, listHealth } from './health-store.ts'

let ctx: TestContext
let appId: string
beforeAll(async () => {
  ctx = await testContext()
  appId = (await testLicense(ctx)).sandbox.appId
})
afterAll(() => ctx.close())

const change = (by: (known: Health | undefined) => Health | undefined, endpoint = '') =>
  changeHealth(ctx.db, { appId, endpoint }, by)

const failed = (): EndpointFailure => {
  const now = ctx.clock.now()
  return { url: 'http://shop', error: 'x', gone: false, quietUntil: undefined, now, appNow: now, chance: 0 }
}
const fails = (known: Health | undefined) => afterFailure(known, failed())

const known = async () =>
  (await listHealth(ctx.db, appId, 10)).map(({ failures, allowed }) => [failures, allowed])

it('counts every one of many concurrent failures, and every success after them', async () => {
  const changes = await Promise.all(Array.from({ length: 20 }, () => change(fails)))
  expect(changes.map(({ after }) => after?.failures).sort((a = 0, b = 0) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 1),
  )
  expect(changes.filter(({ before }) => before === undefined)).toHaveLength(1)
  await Promise.all(Array.from({ length: 10 }, () => change((health) => health && afterSuccess(health))))
  expect(await known()).toEqual([[0, 11]])
  await Promise.all(Array.from({ length: 10 }, () => change((health) => health && afterSuccess(health))))
  expect(await known()).toEqual([])
})

it('writes nothing for a healthy endpoint that stays healthy', async () => {
  expect(await change(() => undefined, 'unknown')).toEqual({ before: undefined, after: undefined })
})

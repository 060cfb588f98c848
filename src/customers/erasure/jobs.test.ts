import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { createFakeProvider } from '../../../test/support/provider.ts'
import { HOUR } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { chooseStoredMethod } from '../choose-method.ts'
import { createCustomer } from '../commands.ts'
import { storeMethod } from '../register-method.ts'
import { eraseCustomerRecord } from './erase.ts'
import { removalsJob } from './jobs.ts'

const provider = createFakeProvider({ id: 'sandbox', sandboxOnly: true })
let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext({ providers: new Map([['sandbox', provider.adapter]]) })
})
afterAll(() => ctx?.close())

it('a provider that is away is told again until it has forgotten the methods', async () => {
  const { sandbox } = await testLicense(ctx)
  const app = (await loadApp(ctx, sandbox.appId)) as App
  const empty = { firstName: null, lastName: null, email: null, mobileNumber: null, fraudPolicyId: null }
  await createCustomer(ctx, app, { customerId: 'c', ...empty })
  await storeMethod(ctx, app, {
    customerId: 'c',
    profileId: app.profiles[0]?.profileId ?? 0,
    stored: { token: 'secret-token', label: 'Visa •••• 4242', method: 'CreditCard' },
    now: ctx.clock.now(),
  })
  const erase = () =>
    ctx.db.transaction((tx) =>
      eraseCustomerRecord(ctx, tx, app, { customerId: 'c', erasedTime: ctx.clock.now() }),
    )
  expect(await erase()).toBe(true)
  const job = removalsJob(ctx)
  const run = async () => {
    const count = await job.runOnce()
    await ctx.background.settled()
    return count
  }
  provider.failing = true
  expect(await run()).toBe(1)
  provider.failing = false
  // Not before the pause is over.
  expect(await run()).toBe(0)
  ctx.clock.advance(HOUR)
  expect(await run()).toBe(1)
  expect(provider.forgotten).toEqual(['secret-token'])
  ctx.clock.advance(HOUR)
  expect(await run()).toBe(0)
  const rows = await ctx.db.query(
    sql<{ label: string; token: Uint8Array }>(
      'test.erased',
      `select m.label, t.token from payment_methods m
       join payment_method_tokens t on t.payment_method_id = m.payment_method_id`,
    ),
  )
  expect(rows.map(({ label, token }) => [label, ctx.vault.open(token)])).toEqual([['CreditCard', '']])
  expect(await erase()).toBe(true)
  expect(await run()).toBe(0)
})

it('a token that is replaced because the same card was stored again is forgotten', async () => {
  const { sandbox } = await testLicense(ctx)
  const app = (await loadApp(ctx, sandbox.appId)) as App
  const empty = { firstName: null, lastName: null, email: null, mobileNumber: null, fraudPolicyId: null }
  await createCustomer(ctx, app, { customerId: 'r', ...empty })
  const profileId = app.profiles[0]?.profileId ?? 0
  const agreedTime = ctx.clock.now()
  const store = (token: string, more: object = {}) =>
    storeMethod(ctx, app, {
      ...{ customerId: 'r', profileId, now: ctx.clock.now(), ...more },
      stored: { token, label: 'Visa •••• 4242', method: 'CreditCard', fingerprint: 'f' },
    })
  const run = async () => {
    await removalsJob(ctx).runOnce()
    await ctx.background.settled()
    return provider.forgotten.splice(0)
  }
  provider.forgotten.length = 0
  const first = await store('old-1')
  expect(await run()).toEqual([])
  ctx.clock.advance(HOUR)
  expect(await store('old-2')).toEqual(first)
  expect(await store('new')).toEqual(first)
  expect((await run()).sort()).toEqual(['old-1', 'old-2'])
  expect(await run()).toEqual([])
  // A late report of the first payment changes nothing.
  expect(await store('old-1', { agreedTime })).toEqual(first)
  expect(await run()).toEqual([])
  const { token } = await chooseStoredMethod(ctx, app, 'r', {})
  expect(token).toBe('new')
  await ctx.db.transaction((tx) =>
    eraseCustomerRecord(ctx, tx, app, { customerId: 'r', erasedTime: ctx.clock.now() }),
  )
  expect(await run()).toContain('new')
  const [left] = await ctx.db.query(
    sql<{ tokens: Uint8Array[]; hashes: string }>(
      'test.left',
      `select array_agg(token) as tokens, count(token_hash) as hashes from payment_method_tokens
       where app_id = $1`,
    ),
    [app.appId],
  )
  expect(left?.tokens.map((one) => ctx.vault.open(one))).toEqual(['', '', ''])
  expect(Number(left?.hashes)).toBe(0)
})

import { expect, it } from 'vitest'
import { apiWorld, testPolicy } from '../../../test/support/api.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { auditEntries } from '../../audit/audit.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { storeMethod } from '../register-method.ts'
import { customerRoutes } from '../routes.ts'
import { activityJob } from './activity.ts'

const world = apiWorld((ctx: TestContext) => customerRoutes(ctx))

const appOf = async () => (await loadApp(world.ctx, world.sandbox.appId)) as App
const change = (customerId: string, body: object) => {
  world.ctx.clock.advance(MINUTE)
  return world.ask('PATCH', `/customers/${customerId}`, body)
}
const activity = async (customerId: string, query = '') =>
  (await world.ask('GET', `/customers/${customerId}/activity-logs${query}`)).json

it('changes of a customer are listed, the newest first, without personal data', async () => {
  await testPolicy(world.ctx, world.sandbox.appId, 7)
  await world.ask('POST', '/customers', { customerId: 'a1' })
  await change('a1', { email: 'ada@shop.example' })
  await change('a1', { fraudPolicyId: 7 })
  await change('a1', { isBlocked: true })
  await change('a1', { isBlocked: true })
  await change('a1', { isBlocked: false })
  const all = await activity('a1')
  expect(all.map((one: { activityLogType: string }) => one.activityLogType)).toEqual([
    'Unblocked',
    'Blocked',
    'PolicyChanged',
    'DetailsChanged',
  ])
  expect(all[2]).toMatchObject({
    customerId: 'a1',
    createdTime: expect.stringMatching(/Z$/),
    data: { before: null, after: 7 },
    actor: { kind: 'key', name: 'First key' },
  })
  expect(JSON.stringify(all)).not.toContain('ada@shop')
  const { licenseId } = await appOf()
  const entries = await auditEntries(world.ctx, licenseId, { limit: 10, target: 'customer:a1' })
  expect(entries.map(({ action }) => action)).toEqual([
    'customer.unblocked',
    'customer.blocked',
    'customer.policy_changed',
  ])
  expect(await activity('a1', '?activityLogType=Blocked')).toHaveLength(1)
})

it('methods that were added and removed are listed', async () => {
  const app = await appOf()
  const [profile] = app.profiles
  await world.ask('POST', '/customers', { customerId: 'a2' })
  const stored = { token: 't1', label: 'Visa •••• 4242', method: 'CreditCard' as const }
  const kept = await storeMethod(world.ctx, app, {
    customerId: 'a2',
    profileId: profile?.profileId ?? 0,
    stored,
    now: world.ctx.clock.now(),
  })
  world.ctx.clock.advance(MINUTE)
  await world.ask('DELETE', `/customers/a2/payment-methods/${kept.paymentMethodId}`)
  expect(await activity('a2')).toMatchObject([
    { activityLogType: 'MethodRemoved', data: { paymentMethodId: kept.paymentMethodId } },
    { activityLogType: 'MethodAdded', data: { paymentMethodType: 'CreditCard' }, actor: null },
  ])
})

it('decisions of fraud policies that stopped a payment are listed between them', async () => {
  await world.ask('POST', '/customers', { customerId: 'a3' })
  await change('a3', { isBlocked: true })
  const text = `insert into fraud_verdicts (app_id, payment_id, attempt, customer_id, verdict_time, policy_id,
      policy_version, currency, amount_minor, profile_id, decision, outcome, checks)
    values ($1, $2, 1, 'a3', $3, 7, 1, 'EUR', 100, 1, $4, 'rejected', '[]')`
  const verdict = (paymentId: number, decision: string) =>
    world.ctx.db.query(sql('test.verdict', text), [
      world.sandbox.appId,
      paymentId,
      world.ctx.clock.now(),
      decision,
    ])
  world.ctx.clock.advance(MINUTE)
  await verdict(501, 'Reject')
  await verdict(502, 'Accept')
  await change('a3', { isBlocked: false })
  expect(await activity('a3')).toMatchObject([
    { activityLogType: 'Unblocked' },
    { activityLogType: 'FraudDecision', data: { decision: 'Reject', paymentId: 501 } },
    { activityLogType: 'Blocked' },
  ])
  expect(await activity('a3', '?activityLogType=FraudDecision')).toHaveLength(1)
})

it('the list of all customers has filters and pages', async () => {
  for (const id of ['b1', 'b2']) {
    await world.ask('POST', '/customers', { customerId: id })
    await change(id, { isBlocked: true })
  }
  const beginTime = world.ctx.clock.now().toISOString()
  const path = '/customers/activity-logs?activityLogType=Blocked'
  expect((await world.ask('GET', `${path}&beginTime=${beginTime}`)).json).toMatchObject([
    { customerId: 'b2' },
  ])
  expect((await world.ask('GET', `${path}&customerId=b1`)).json).toHaveLength(1)
  expect((await world.ask('GET', `${path}&customerId=b1&endTime=2020-01-01T00:00:00Z`)).json).toEqual([])
  const first = await world.ask('GET', `${path}&pageSize=1`)
  expect(first.json).toMatchObject([{ customerId: 'b2' }])
  expect(first.headers.link).toContain('pageNumber=2')
  expect((await world.ask('GET', `${path}&pageSize=1&pageNumber=2`)).json).toMatchObject([
    { customerId: 'b1' },
  ])
  expect((await world.ask('GET', `${path}&pageNumber=999999`)).status).toBe(400)
  expect((await world.ask('GET', '/customers/activity-logs?activityLogType=Other')).status).toBe(400)
})

it('balances and bank data are answered as unknown', async () => {
  const app = await appOf()
  await world.ask('POST', '/customers', { customerId: 'c1' })
  const kept = await storeMethod(world.ctx, app, {
    customerId: 'c1',
    profileId: app.profiles[0]?.profileId ?? 0,
    stored: { token: 't2', label: 'Visa •••• 4242', method: 'CreditCard' },
    now: world.ctx.clock.now(),
  })
  const balance = await world.ask('GET', `/customers/c1/payment-methods/${kept.paymentMethodId}/balance`)
  expect([balance.status, balance.json]).toEqual([200, null])
  expect((await world.ask('GET', '/customers/c1/payment-methods/99999/balance')).status).toBe(404)
  expect((await world.ask('GET', '/customers/c1/provider-raw-info')).json).toEqual({
    accounts: [],
    item: null,
    numbers: null,
  })
  expect((await world.ask('GET', '/customers/none/provider-raw-info')).status).toBe(404)
})

it('old activity is removed', async () => {
  world.ctx.clock.advance(551 * DAY)
  await world.ask('POST', '/customers', { customerId: 'd1' })
  await change('d1', { isBlocked: true })
  await activityJob(world.ctx).runOnce()
  const left = (await world.ask('GET', '/customers/activity-logs?activityLogType=Blocked')).json
  expect(left).toMatchObject([{ customerId: 'd1' }])
})

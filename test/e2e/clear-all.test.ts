import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_clear_all')
})
afterAll(() => tender?.stop())

/** Tables that hold rows of an app after it was emptied. */
const KEPT = [
  'api_keys',
  'apps',
  'audit_log',
  'fraud_policies',
  'fraud_policy_versions',
  'payment_profiles',
  'payment_search_progress',
]

async function tablesOf(appId: string): Promise<string[]> {
  const { db } = tender.service.ctx
  const tables = await db.query(
    sql<{ name: string }>(
      'test.tables_of_apps',
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'app_id'`,
    ),
  )
  const found: string[] = []
  for (const { name } of tables) {
    const text = `select 1 as one from ${name} where app_id = $1 limit 1`
    if ((await db.query(sql(`test.of_${name}`, text), [appId])).length > 0) found.push(name)
  }
  return found.sort()
}

describe('an emptied sandbox app', () => {
  it('has keys, profiles, policies and settings only, and works on', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const other = tender.sandbox
    const kept = await other.paid()
    good(await app.call('PATCH', '', { friendlyName: 'Kept', maxThresholdRefundCountDaily: 9 }))
    good(await app.call('POST', 'fraud-policies', { name: 'Any', isDefault: true, rules: [] }))
    const { paymentId } = await app.paid({ registerAutoPayment: true })
    await app.act(paymentId, 'refund')
    await app.create()
    await app.call('POST', 'customers', { customerId: 'c-1' }, { 'idempotency-key': 'once' })
    expect(await tablesOf(app.appId)).toEqual(expect.arrayContaining(['payments', 'customers', 'events']))

    const cleared = await app.call('POST', 'clear-all')
    expect([cleared.status, cleared.body.isCompleted]).toEqual([200, true])
    // A job may write a last row about a payment that it read before.
    await expect
      .poll(async () => {
        good(await app.call('POST', 'clear-all'))
        return (await tablesOf(app.appId)).filter((table) => !KEPT.includes(table))
      })
      .toEqual([])
    expect((await app.call('GET', `payments/${paymentId}`)).status).toBe(404)
    const shown = good(await app.call('GET', ''))
    expect(shown).toMatchObject({ friendlyName: 'Kept', hasFirstCapturePayment: false })
    expect((await app.paid()).paymentState).toBe('Captured')
    expect((await other.read(kept.paymentId)).paymentState).toBe('Captured')
  })

  it('is never a live app', async () => {
    const { live } = await tender.newMerchant()
    expect(await live.call('POST', 'clear-all')).toMatchObject({
      status: 403,
      body: { code: 'sandbox_only' },
    })
  })
})

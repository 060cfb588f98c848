import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/tender.ts'
import { assert } from '../../base/assert.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { loadApp } from '../../merchants/directory.ts'
import { getPayment, refundPayment } from '../actions.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('overtaken_requests')
})
afterAll(() => tender?.stop())

/** Runs a refund request with this database. */
async function refund(paymentId: number, requestKey: string, met: (db: Database) => Partial<Database>) {
  const { ctx } = tender.service
  const app = await loadApp(ctx, tender.sandbox.appId)
  assert(app, 'the app is there')
  const payment = await getPayment(ctx, app, paymentId)
  const overtaken: Context = { ...ctx, db: { ...ctx.db, ...met(ctx.db) } }
  return refundPayment(overtaken, app, payment, { waitMs: 10_000, amountMinor: 400n, requestKey })
}

const refunds = async (paymentId: number) =>
  (await tender.sandbox.ledger(paymentId)).filter((row) => row.kind === 'refund').map((row) => row.amount)

it('a repeat that was carried out after the duplicate check has no second effect', async () => {
  const { paymentId } = await tender.sandbox.paid({ amount: 10 })
  await refund(paymentId, 'twin', () => ({}))
  let looks = 0
  const again = await refund(paymentId, 'twin', (db) => ({
    query: async (statement, values) =>
      statement.name === 'operations.byRequestKey' && ++looks === 1 ? [] : db.query(statement, values),
  }))
  expect([looks, again.state, again.refundedMinor]).toEqual([2, 'Captured', 400n])
  expect(await refunds(paymentId)).toEqual([4])
})

it('returns payment_busy if concurrent changes win every attempt', async () => {
  const { paymentId } = await tender.sandbox.paid({ amount: 10 })
  const refused = refund(paymentId, 'slow', (db) => ({
    batch: async (statement, input) =>
      statement.name === 'payments.change' ? undefined : db.batch(statement, input),
  }))
  await expect(refused).rejects.toMatchObject({ code: 'payment_busy', isTransient: true })
  expect((await refund(paymentId, 'slow', () => ({}))).refundedMinor).toBe(400n)
  expect(await refunds(paymentId)).toEqual([4])
})

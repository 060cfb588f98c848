import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { csvOf, profileOf, saleOf, upload } from '../../support/settlement-file.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

let node: TestService
beforeAll(async () => {
  node = await startTestService('e2e_settlement_payment')
})
afterAll(() => node?.stop())

it('a payment has its settlement only in an app with a source, and webhooks never have it', async () => {
  const { sandbox: app } = await node.newMerchant()
  const [first, second] = [await app.paid(), await app.paid()]
  expect(await app.read(first.paymentId)).not.toHaveProperty('settlement')
  await upload(app, profileOf(first), csvOf([saleOf(first)]))
  const shown = { payoutId: null, paidOutTime: null, difference: 0 }
  expect((await app.read(first.paymentId)).settlement).toEqual({ state: 'settled', ...shown })
  expect((await app.read(second.paymentId)).settlement).toEqual({ state: 'unsettled', ...shown })
  const byReference = await app.call('GET', `payments/referenceId:${first.referenceId}`)
  expect(byReference.body.settlement).toEqual({ state: 'settled', ...shown })
  expect((await app.read((await app.create()).paymentId)).settlement).toBeNull()
  const { body } = await app.call('GET', `events?paymentId=${first.paymentId}`)
  expect(JSON.stringify(body)).not.toContain('settlement')
})

it('settled:no and settled:yes find payments by their settlement, in apps with a source', async () => {
  const { sandbox: app } = await node.newMerchant()
  const [first, second] = [await app.paid(), await app.paid()]
  await app.create()
  const found = async (q: string) => {
    const { body } = await app.call('GET', `payments?q=${encodeURIComponent(q)}`)
    return body.map(({ paymentId }: { paymentId: number }) => paymentId)
  }
  expect((await app.call('GET', 'payments?q=settled:no')).status).toBe(400)
  await upload(app, profileOf(first), csvOf([saleOf(first)]))
  expect(await found('settled:no')).toEqual([second.paymentId])
  expect(await found('settled:yes')).toEqual([first.paymentId])
  expect(await found('-settled:no state:captured')).toEqual([first.paymentId])
})

it('erasing a customer changes no line, payout, exception or raw row', async () => {
  const { sandbox: app } = await node.newMerchant()
  const payment = await app.paid()
  await upload(app, profileOf(payment), csvOf([saleOf(payment, { gross: 26, payout_id: 'po-1' })]))
  const tables = [
    'settlement_lines',
    'settlement_rows',
    'settlement_matches',
    'settlement_exceptions',
    'payouts',
  ]
  const stored = () =>
    Promise.all(
      tables.map((table) =>
        node.service.ctx.db.query(
          sql(`test.${table}`, `select t::text as text from ${table} t where app_id = $1 order by 1`),
          [app.appId],
        ),
      ),
    )
  const before = await stored()
  expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1])
  const erased = await app.call('POST', 'customers/dana/erase')
  expect(erased.status).toBeLessThan(300)
  expect(await stored()).toEqual(before)
})

it('raw rows are sealed, and clearing a sandbox app removes all of it', async () => {
  const { sandbox: app } = await node.newMerchant()
  const payment = await app.paid()
  const row = saleOf(payment)
  await upload(app, profileOf(payment), csvOf([row]))
  const { db, vault } = node.service.ctx
  const rows = () =>
    db.query(
      sql<{ sealed: Uint8Array }>('test.rows', 'select sealed from settlement_rows where app_id = $1'),
      [app.appId],
    )
  const [{ sealed } = { sealed: new Uint8Array() }] = await rows()
  expect(Buffer.from(sealed).includes(String(row.line_id))).toBe(false)
  expect(vault.open(sealed)).toContain(String(row.line_id))
  await app.call('POST', 'clear-all')
  expect(await rows()).toEqual([])
  // The bank has forgotten the payment too: its line does not come back as that of an unknown one.
  await app.advance('4d')
  await app.call('POST', 'test-helpers/payouts')
  expect((await app.call('GET', 'settlement-lines')).body).toEqual([])
})

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { updateLedger } from '../../src/ledger/commands.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { type LedgerRows, ledgerRows } from '../support/ledger.ts'
import { good, startTestService, type TestApp, type TestService } from '../support/tender.ts'

let tender: TestService
let app: TestApp
let rows: LedgerRows
beforeAll(async () => {
  tender = await startTestService('e2e_ledger')
  app = tender.sandbox
  rows = ledgerRows(tender.service.ctx.db, app.appId)
})
afterAll(() => tender?.stop())

const balances = async (): Promise<Record<string, number>> => {
  const shown = good(await app.call('GET', 'ledger/balances'))
  return Object.fromEntries(
    shown.balances.map((one: { account: string; currency: string; balance: number }) => [
      `${one.account} ${one.currency}`,
      one.balance,
    ]),
  )
}

it('follows payments of the sandbox: captured, refunded in part, disputed and lost', async () => {
  const kept = await app.paid()
  const refunded = await app.paid({ amount: 100 })
  const lost = await app.paid({ amount: 40 })
  expect(await balances()).toEqual({})
  good(await app.act(refunded.paymentId, 'refund?amount=30'))
  for (const outcome of ['open', 'lost'])
    good(await app.call('POST', `test-helpers/payments/${lost.paymentId}/dispute`, { outcome }))
  expect((await app.read(lost.paymentId)).refundedAmount).toBe(40)
  const { paymentProfileId: profileId } = kept.payInfo.paymentProfile
  const line = { profileId, currency: 'EUR', time: new Date(kept.createdTime) }
  const { paymentId } = kept
  await rows.line({ ...line, gross: 2550n, fee: 104n, net: 2446n, paymentId })
  await rows.payout({ ...line, amount: 1000n })
  expect(await balances()).toEqual({
    'clearing EUR': 84.46,
    'bank EUR': 10,
    'sales EUR': -165.5,
    'refunds EUR': 30,
    'fees EUR': 1.04,
    'disputes EUR': 40,
  })
})

it('may be read with a key for reading, which cannot close a month', async () => {
  const { apiKey } = good(await app.call('POST', 'api-keys', { name: 'books', scopes: ['read'] }))
  const headers = { authorization: `Bearer ${apiKey}` }
  expect((await app.call('GET', 'ledger/journal?format=beancount', undefined, headers)).status).toBe(200)
  expect((await app.call('POST', 'ledger/months/2020-01/close', undefined, headers)).status).toBe(403)
  expect((await app.call('POST', 'ledger/months/2020-01/close')).status).toBe(200)
})

it('is derived from nothing while a sandbox app is emptied, table by table', async () => {
  const { ctx } = tender.service
  const loaded = await loadApp(ctx, app.appId)
  if (!loaded) throw new Error('the sandbox app is there')
  const paid = await app.paid()
  const { paymentProfileId: profileId } = paid.payInfo.paymentProfile
  const time = new Date(paid.createdTime)
  await rows.line({ profileId, currency: 'EUR', time, gross: 2550n, paymentId: paid.paymentId })
  await balances()
  const left = 'select entry_id from ledger_entries where app_id = $1'
  expect(await rows.query(left, app.appId)).not.toEqual([])
  const { query } = ctx.db
  const spy = vi.spyOn(ctx.db, 'query').mockImplementation(async (statement, values) => {
    const found = await query(statement, values)
    if (statement.name.startsWith('clear.')) await updateLedger(ctx, loaded)
    return found
  })
  expect(good(await app.call('POST', 'clear-all')).isCompleted).toBe(true)
  spy.mockRestore()
  expect(await rows.query(left, app.appId)).toEqual([])
})

it('goes with the payments of a sandbox app that is emptied', async () => {
  // Reads derive what is there, also while it is being cleared.
  const reading = Array.from({ length: 12 }, () => app.call('GET', 'ledger/balances'))
  await expect.poll(async () => good(await app.call('POST', 'clear-all')).isCompleted).toBe(true)
  await Promise.all(reading)
  const left = 'select entry_id from ledger_entries where app_id = $1'
  expect(await rows.query(left, app.appId)).toEqual([])
})

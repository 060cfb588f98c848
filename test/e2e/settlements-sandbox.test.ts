import { afterAll, beforeAll, expect, it } from 'vitest'
import { good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_settlements_sandbox')
})
afterAll(() => tender?.stop())

const get = async (path: string) => good(await tender.sandbox.call('GET', path))
const helper = async (path: string, body?: object) =>
  good(await tender.sandbox.call('POST', `test-helpers/${path}`, body))

it('a payout of the sandbox is read, matched and adds up, without a source before', async () => {
  const { sandbox } = tender
  const { paymentId } = await sandbox.paid({ amount: 100 })
  good(await sandbox.act(paymentId, 'refund?amount=40'))
  expect(await get('settlement-lines')).toEqual([])
  await sandbox.advance('4d')
  await helper('payouts')
  const lines: { kind: string; net: number; match: string; paymentId: number }[] =
    await get('settlement-lines')
  expect(lines.map(({ kind, net, match }) => [kind, net, match]).sort()).toEqual([
    ['payout', -56.8, 'none'],
    ['refund', -40, 'exact'],
    ['sale', 96.8, 'exact'],
  ])
  const [payout] = await get('payouts')
  expect(await get(`payouts/${payout.payoutId}`)).toMatchObject({ amount: 56.8, addsUp: true, difference: 0 })
  expect(await get('settlement-exceptions')).toEqual([])
})

it('every planted fault is found, and a missing line that comes closes its exception', async () => {
  const { sandbox } = tender
  const found = { missing: 'missing', doubled: 'doubled', altered: 'amount', currency: 'currency' }
  const planted: [number, string][] = []
  for (const [kind, exception] of Object.entries(found)) {
    const { paymentId } = await sandbox.paid({ amount: 30 })
    await helper('settlement-faults', { kind, paymentId })
    planted.push([paymentId, exception])
  }
  await sandbox.advance('4d')
  await helper('payouts')
  type Exception = { paymentId: number | null; kind: string; state: string }
  const open = async () =>
    ((await get('settlement-exceptions')) as Exception[]).filter(({ state }) => state === 'open')
  const byPayment = (await open()).filter(({ paymentId }) => paymentId !== null)
  expect(byPayment.map(({ paymentId, kind }) => [paymentId, kind]).sort()).toEqual(planted.sort())
  expect((await open()).some(({ kind }) => kind === 'payout')).toBe(true)
  good(await sandbox.call('DELETE', 'test-helpers/settlement-faults'))
  await sandbox.advance('1h')
  await helper('payouts')
  expect((await open()).map(({ kind }) => kind)).not.toContain('missing')
})

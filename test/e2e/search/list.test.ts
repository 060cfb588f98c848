import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { exportPayments } from '../../../src/payments/search/export.ts'
import type { PaymentFilter } from '../../../src/payments/search/filter.ts'
import {
  countHeld,
  countNewer,
  findAnything,
  heldPayments,
  listPayments,
} from '../../../src/payments/search/search.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: App
beforeAll(async () => {
  tender = await startTestService('e2e_search')
  app = await ownApp()
})
afterAll(() => tender?.stop())

async function ownApp(): Promise<App> {
  const found = await loadApp(tender.service.ctx, tender.sandbox.appId)
  if (!found) throw new Error('no app')
  return found
}

const idsOf = async (filter: PaymentFilter, options = {}): Promise<number[]> =>
  (await listPayments(tender.service.ctx, app, filter, options)).payments.map(({ paymentId }) => paymentId)

describe('a list of payments', () => {
  it('shows what was done before, newest first, by every filter', async () => {
    const { sandbox } = tender
    const paid = await sandbox.paid({ referenceId: 'INV-1', amount: 10 })
    const open = await sandbox.create({
      referenceId: 'INV-2',
      amount: 250,
      currency: 'USD',
      customerOrder: { customer: { customerId: 'lee', email: 'lee@shop.example' }, orderId: 'order 7' },
    })
    const failed = await sandbox.create({ referenceId: 'x-3', amount: 30 })
    good(await sandbox.act(failed.paymentId, 'cancel'))
    const all = [failed.paymentId, open.paymentId, paid.paymentId]
    expect(await idsOf({})).toEqual(all)
    const [a, b, c] = [[paid.paymentId], [open.paymentId], [failed.paymentId]]
    expect(await idsOf({ q: 'state:captured' })).toEqual(a)
    expect(await idsOf({ state: 'Captured,Created' })).toEqual([...b, ...a])
    expect(await idsOf({ q: '-state:captured' })).toEqual([...c, ...b])
    expect(await idsOf({ q: 'provider:sandbox' })).toEqual(a)
    expect(await idsOf({ provider: 'stripe' })).toEqual([])
    expect(await idsOf({ q: 'amount:>=30' })).toEqual([...c, ...b])
    expect(await idsOf({ min: '11', max: '30' })).toEqual(c)
    expect(await idsOf({ q: 'currency:usd' })).toEqual(b)
    expect(await idsOf({ q: 'last4:4242' })).toEqual(a)
    expect(await idsOf({ q: '4242' })).toEqual(a)
    expect(await idsOf({ q: 'ref:INV-*' })).toEqual([...b, ...a])
    expect(await idsOf({ q: 'ref:INV-1' })).toEqual(a)
    expect(await idsOf({ q: 'inv-' })).toEqual([...b, ...a])
    expect(await idsOf({ q: 'customer:lee' })).toEqual(b)
    expect(await idsOf({ q: 'customer:le*' })).toEqual(b)
    expect(await idsOf({ q: 'lee@shop.example' })).toEqual(b)
    expect(await idsOf({ q: 'order:"order 7"' })).toEqual(b)
    expect(await idsOf({ q: 'reason:cancelled' })).toEqual(c)
    expect(await idsOf({ q: 'created:>2020-01-01 state:failed' })).toEqual(c)
    expect(await idsOf({ to: '2020-01-01' })).toEqual([])
    expect(await idsOf({ q: `${open.paymentId}` })).toEqual(b)
    expect(await idsOf({ q: `id:${open.paymentId} state:captured` })).toEqual([])
    expect(await idsOf({ q: 'state:failed currency:eur amount:<100 flow:hostedpage' })).toEqual(c)
    const { ctx } = tender.service
    expect((await findAnything(ctx, app, 'lee')).customers).toHaveLength(1)
    expect(await countHeld(ctx, app)).toBe(0)
    expect((await heldPayments(ctx, app)).payments).toEqual([])
    const newest = (await listPayments(ctx, app, {})).newest ?? ''
    await sandbox.create()
    expect(await countNewer(ctx, app, {}, { newest })).toBe(1)
    expect(await countNewer(ctx, app, { q: 'state:captured' }, { newest })).toBe(0)
    let csv = ''
    for await (const chunk of exportPayments(ctx, app, { q: 'inv-' })) csv += chunk
    expect(csv.split('\r\n')).toHaveLength(4)
  })
  it('are exported with what finds them in a statement, and with their net', async () => {
    const { ctx } = tender.service
    const customer = { customerId: 'kim', firstName: 'Kim', lastName: 'Ng', email: 'kim@shop.example' }
    const { paymentId } = await tender.sandbox.paid({
      ...{ amount: 40, customerOrder: { orderId: 'E-1', description: 'Two chairs', customer } },
    })
    good(await tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=12.5`))
    const { payInfo } = await tender.sandbox.read(paymentId)
    let csv = ''
    for await (const chunk of exportPayments(ctx, app, { q: 'order:E-1' })) csv += chunk
    const [names = [], values = []] = csv.split('\r\n').map((line) => line.split(','))
    const row = Object.fromEntries(names.map((name, place) => [name, values[place]]))
    const fee = payInfo.providerFee ?? 0
    expect(row).toMatchObject({
      ...{ state: 'Captured', status: 'part-refunded', refunded: '12.50', disputed: '0.00' },
      ...{
        net: (27.5 - fee).toFixed(2),
        email: 'kim@shop.example',
        name: 'Kim Ng',
        description: 'Two chairs',
      },
      ...{ providerPaymentId: payInfo.providerReferenceId, captureId: payInfo.captureId ?? '' },
    })
    expect(row.providerPaymentId).toMatch(/\S/)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import {
  type ListedPayment,
  type ListOrder,
  ORDERS,
  type PaymentFilter,
} from '../../../src/payments/search/filter.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
let app: App
let all: readonly ListedPayment[]
beforeAll(async () => {
  tender = await startTestService('e2e_totals')
  app = (await loadApp(tender.service.ctx, tender.sandbox.appId)) as App
  await makePayments()
  all = (await listPayments(tender.service.ctx, app, {}, { pageSize: 100 })).payments
}, 60_000)
afterAll(() => tender?.stop())

/** Of two customers in two currencies; every third was cancelled. */
async function makePayments(): Promise<void> {
  for (let n = 0; n < 12; n++) {
    const customer = { customerId: n % 4 === 0 ? 'ann' : 'bob', email: `${n % 4 ? 'bob' : 'ann'}@x.example` }
    const { paymentId } = await tender.sandbox.create({
      ...{ amount: 10 + ((n * 7) % 50), currency: n % 2 ? 'USD' : 'EUR', referenceId: `T-${n}` },
      customerOrder: { customer, orderId: `o-${n % 3}` },
    })
    if (n % 3 === 0) good(await tender.sandbox.act(paymentId, 'cancel'))
  }
}

/** A filter, and what it means. */
const FILTERS: readonly (readonly [PaymentFilter, (payment: ListedPayment) => boolean])[] = [
  [{}, () => true],
  [{ state: 'Failed' }, ({ state }) => state === 'Failed'],
  [{ state: 'Failed,Created' }, ({ state }) => state === 'Failed' || state === 'Created'],
  [{ state: 'Captured' }, () => false],
  [{ state: 'declined' }, () => false],
  [{ state: 'Failed,declined' }, ({ state }) => state === 'Failed'],
  [{ currency: 'USD' }, ({ currency }) => currency === 'USD'],
  [{ currency: 'USD,EUR' }, () => true],
  [{ customer: 'ann' }, ({ customerId }) => customerId === 'ann'],
  [{ customer: 'ann', q: 'customer:bob' }, () => false],
  [{ q: 'reason:cancelled' }, ({ reason }) => reason === 'cancelled'],
  [{ q: '-reason:cancelled' }, ({ reason }) => reason !== 'cancelled'],
  [{ customer: 'bob', currency: 'USD' }, (p) => p.customerId === 'bob' && p.currency === 'USD'],
  [{ state: 'Failed', min: '20' }, (p) => p.state === 'Failed' && p.amountMinor >= 2000n],
  [{ q: 'amount:20..40' }, (p) => p.amountMinor >= 2000n && p.amountMinor <= 4000n],
  [{ q: 'order:o-1' }, ({ orderId }) => orderId === 'o-1'],
  [{ q: 't-' }, () => true],
  [{ q: 'ref:T-1*' }, ({ referenceId }) => referenceId.startsWith('T-1')],
  [{ q: 'ann' }, ({ customerId }) => customerId === 'ann'],
  [{ q: 'ann@x.example failed' }, (p) => p.customerId === 'ann' && p.state === 'Failed'],
]

const compare: Readonly<Record<ListOrder, (a: ListedPayment, b: ListedPayment) => number>> = {
  oldest: (a, b) => a.paymentId - b.paymentId,
  largest: (a, b) => Number(b.amountMinor - a.amountMinor) || b.paymentId - a.paymentId,
  smallest: (a, b) => Number(a.amountMinor - b.amountMinor) || a.paymentId - b.paymentId,
  states: (a, b) => a.state.localeCompare(b.state) || a.paymentId - b.paymentId,
  statesBack: (a, b) => b.state.localeCompare(a.state) || b.paymentId - a.paymentId,
}

it.each(FILTERS)(
  'a list of %j has what it means in every order, page by page, with its sums',
  async (filter, means) => {
    const meant = all.filter(means)
    for (const order of [undefined, ...ORDERS])
      for (const pageSize of [2, 5, 100]) {
        const expected = order ? [...meant].sort(compare[order]) : meant
        const { ids, sums } = await walk(filter, { order, pageSize })
        expect([order, pageSize, ids]).toEqual([order, pageSize, expected.map(({ paymentId }) => paymentId)])
        expect(sums).toEqual(sumsOf(meant))
      }
  },
)

async function walk(filter: PaymentFilter, options: { order: ListOrder | undefined; pageSize: number }) {
  const ids: number[] = []
  let sums: unknown
  let cursor: string | undefined
  for (let pages = 0; pages < 20; pages++) {
    const wanted = { ...options, cursor, hasTotals: true }
    const page = await listPayments(tender.service.ctx, app, filter, wanted)
    ids.push(...page.payments.map(({ paymentId }) => paymentId))
    const totals = page.totals?.currencies.map(({ currency, count, amountMinor }) => [
      currency,
      count,
      amountMinor,
    ])
    // The sums are of the whole list on each of its pages.
    if (sums !== undefined) expect(totals?.sort()).toEqual(sums)
    sums = totals?.sort()
    expect(page.totals).toMatchObject({ isPartial: false })
    cursor = page.next
    if (cursor === undefined) break
  }
  return { ids, sums }
}

const sumsOf = (payments: readonly ListedPayment[]) =>
  ['EUR', 'USD'].flatMap((currency) => {
    const own = payments.filter((payment) => payment.currency === currency)
    return own.length === 0 ? [] : [[currency, own.length, own.reduce((sum, p) => sum + p.amountMinor, 0n)]]
  })

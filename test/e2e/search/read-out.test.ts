import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { findAnything } from '../../../src/payments/search/search.ts'
import { good, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_read_out')
})
afterAll(() => tender?.stop())

const found = async (q: string): Promise<number[]> =>
  good(await tender.sandbox.call('GET', `payments?q=${encodeURIComponent(q)}`)).map(
    ({ paymentId }: { paymentId: number }) => paymentId,
  )

it('finds what a customer reads out, as it is', async () => {
  const customer = { customerId: 'c-77', firstName: 'José', lastName: 'Müller', email: 'jose@shop.example' }
  const customerOrder = { orderId: '880017', customer }
  const wanted = await tender.sandbox.create({ amount: 1299.89, customerOrder })
  const other = await tender.sandbox.create({ amount: 20 })
  good(await tender.sandbox.pay(wanted.paymentId, { outcome: 'insufficient-funds' }))
  const said = [
    '880017',
    '1299.89',
    '1.299,89',
    '€1,299.89',
    'jose@shop.example',
    'shop.example',
    '@shop.example',
  ]
  const words = [
    'jose',
    'JOSÉ',
    'muller',
    'Jose Muller',
    'email:shop.example',
    'name:müller',
    'declined',
    'declined today',
  ]
  for (const q of [...said, ...words]) expect([q, await found(q)]).toEqual([q, [wanted.paymentId]])
  expect(await found('today')).toEqual([other.paymentId, wanted.paymentId])
  expect(await found('yesterday')).toEqual([])
  expect(await found("o'neill ＇ \\ : * & |")).toEqual([])
})

const MANY = sql<never>(
  'test.manyCustomers',
  `insert into customers (app_id, customer_id, first_name, email, created_time)
   select $1, $2 || '-' || n, initcap($2), n || '@' || $2 || '.example', now() from generate_series(1, $3) n`,
)

// More than are named, and more than payments are collected of.
it.each([
  ['zoë', 250],
  ['ida', 5_100],
] as const)('finds the payments of every customer whom %s means: of %i', async (name, count) => {
  const { sandbox, service } = tender
  await service.ctx.db.query(MANY, [sandbox.appId, name, count])
  const ids: number[] = []
  // The last of them in any order.
  for (const customerId of [`${name}-1`, `${name}-${count}`, `${name}-99`]) {
    const { paymentId } = await sandbox.create({ amount: 31, customerOrder: { customer: { customerId } } })
    ids.unshift(paymentId)
  }
  const domain = `${name}.example`
  for (const q of [domain, `@${domain}`, name, `email:${domain}`, `name:${name} amount:31`])
    expect([q, await found(q)]).toEqual([q, ids])
  expect(await found(`${domain} amount:32`)).toEqual([])
  const app = await loadApp(service.ctx, sandbox.appId)
  const { payments = [] } = app ? await findAnything(service.ctx, app, domain) : {}
  expect(payments.map(({ paymentId }) => paymentId)).toEqual(ids)
  const of = async (customer: string, q: string) =>
    good(await sandbox.call('GET', `payments?customer=${customer}&q=${encodeURIComponent(q)}`)).length
  expect(await of(`${name}-99`, `email:${domain}`)).toBe(1)
  expect(await of('c-77', `email:${domain}`)).toBe(0)
})

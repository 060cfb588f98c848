import { afterAll, beforeAll, expect, it } from 'vitest'
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

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { routeFigures } from '../../../src/insights/routing.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good, newReference } from '../../support/tender.ts'

/** Which of the newest payments each route takes. */

let world: TestConsole
let cards = 0
beforeAll(async () => {
  world = await startTestConsole('e2e_route_figures', { role: 'web', rateLimit: 1_000 })
  const profiles: Answer[] = good(await world.sandbox.call('GET', 'payment-profiles'))
  cards = profiles.find(({ methods }) => methods.includes('CreditCard')).paymentProfileId
})
afterAll(() => world?.stop())
// Of payments before.
beforeEach(() => world.sandbox.advance('31d'))

const route = (name: string, more: object) => ({ name, profiles: [{ paymentProfileId: cards }], ...more })
const change = async (...routes: object[]) => good(await world.sandbox.call('PUT', 'routing', { routes }))

async function figures(): Promise<(readonly number[])[]> {
  const { ctx } = world.tender.service
  const app = await loadApp(ctx, world.sandbox.appId)
  if (!app) throw new Error('no app')
  return (await routeFigures(ctx, app)).routes.map(({ taken }) => taken)
}

async function pay(amount: number, wish: object = {}): Promise<number> {
  const customerOrder = { customer: { customerId: newReference() } }
  const { paymentId } = await world.sandbox.create({ customerOrder, amount, currency: 'EUR' })
  good(await world.sandbox.pay(paymentId, wish))
  return paymentId
}

it('a route of a brand takes the payments with cards of the brand', async () => {
  await change(route('Mastercard', { brands: ['Mastercard'] }), route('Visa', { brands: ['visa'] }))
  const mastercard = await pay(10, { outcome: 'stored-charge-later-mastercard' })
  const visa = await pay(11)
  expect(await figures()).toEqual([[mastercard], [visa]])
})

it('payments count at once, and for thirty days', async () => {
  await change(route('All', {}))
  const ids: number[] = []
  // The list is written some times a second: each of these is asked for before that.
  for (let n = 0; n < 8; n++) {
    ids.unshift(await pay(10))
    expect(await figures()).toEqual([ids])
  }
  await world.sandbox.advance('29d')
  expect(await figures()).toEqual([ids])
  const last = await pay(12)
  await world.sandbox.advance('2d')
  expect(await figures()).toEqual([[last]])
})

it('a figure that was counted with other routes opens no list of others', async () => {
  const [small, large] = [route('Small', { maxAmount: 100 }), route('Large', { minAmount: 500 })]
  await change(small, large)
  const ids = [await pay(10), await pay(600)]
  const { html } = await world.get('Viewer', 'routing')
  const opened = [...html.matchAll(/href="[^"]*\/(routing\/payments\?place=\d[^"]+)"/g)].map(
    ([, path = '']) => path.replaceAll('&amp;', '&'),
  )
  expect(opened).toHaveLength(4)
  const open = async (path: string) => {
    const page = await world.get('Viewer', path)
    const shown = [...page.html.matchAll(/data-payment="(\d+)"/g)].map(([, id]) => Number(id))
    return page.status === 200 ? shown : page.location
  }
  const [ofSmall = '', , ofLarge = ''] = opened
  expect([await open(ofSmall), await open(ofLarge)]).toEqual([[ids[0]], [ids[1]]])
  // Each place has another route now.
  await change(large, small)
  for (const path of opened) expect(await open(path)).toMatch(/\/routing$/)
})

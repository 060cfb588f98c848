import { checkBooks, checkNothing, newestPayment, untilQuiet } from '../support/bank.ts'
import { CASES } from '../support/cases/all.ts'
import { drawn, type ShopCase } from '../support/cases/visit.ts'
import { CARDS, payByCard, pressPayOrSeeNotice, seesPaid, typeCard } from '../support/person.ts'
import type { CartWish, Stage } from '../support/shop.ts'
import { until } from '../support/world.ts'
import type { MedusaCart } from './shop.ts'

async function visit(stage: Stage, wish: CartWish) {
  const since = await newestPayment(stage.tender)
  const cart = (await stage.shop.newCart(wish)) as MedusaCart
  const isPlaced = (what: string) =>
    until(stage.tender, what, async () => (await cart.order()).payments.length > 0)
  return { since, cart, total: (await cart.order()).total, isPlaced }
}

const newestState = async ({ tender }: Stage): Promise<string | undefined> =>
  (await tender.client.payments.list().take(1))[0]?.paymentState

/** What only Medusa does, or does in another way than the table of all hosts says. */
const OWN: readonly ShopCase[] = [
  {
    name: 'two sessions at once, both pages are paid at once',
    isShort: true,
    async run(stage) {
      const { since, cart, total, isPlaced } = await visit(stage, { quantity: 1 + stage.dice.below(4) })
      await cart.checkout()
      await Promise.all([cart.checkout(), cart.checkout()])
      const tabs = await Promise.all((await cart.pages()).map((link) => stage.person.open(link)))
      for (const tab of tabs) await typeCard(tab, CARDS.good)
      await Promise.all(tabs.map((tab) => pressPayOrSeeNotice(tab)))
      await Promise.all([cart.complete(), cart.complete(), cart.complete()])
      await isPlaced('the shop has the order')
      await checkBooks(stage.tender, since, cart, { total })
    },
  },
  {
    name: 'a second tab closes the page of the first',
    async run(stage) {
      const { since, cart, total, isPlaced } = await visit(stage, { quantity: 1 })
      const first = await stage.person.open(await cart.checkout())
      const second = await stage.person.open(await cart.checkout())
      await first.reload()
      if ((await first.getByLabel('Card number', { exact: true }).count()) > 0)
        throw new Error('the page of the first tab can still be paid')
      await payByCard(second)
      await isPlaced('the shop has the order')
      await checkBooks(stage.tender, since, cart, { total })
    },
  },
  {
    name: 'cart changed: the old page is closed, the new one is paid',
    isShort: true,
    async run(stage) {
      const { since, cart, isPlaced } = await visit(stage, { quantity: 1 })
      const old = await stage.person.open(await cart.checkout())
      await cart.changeQuantity(2 + stage.dice.below(3))
      await until(stage.tender, 'the old page is closed', async () => (await newestState(stage)) === 'Failed')
      await old.reload()
      if ((await old.getByLabel('Card number', { exact: true }).count()) > 0)
        throw new Error('the page of the old cart can still be paid')
      await cart.complete()
      await checkNothing(stage.tender, since, cart)
      await payByCard(await stage.person.open(await cart.checkout()))
      await isPlaced('the shop has the order')
      const { total } = await cart.order()
      await checkBooks(stage.tender, since, cart, { total })
    },
  },
  {
    name: 'two refunds at once, whatever Medusa answers',
    async run(stage) {
      const { since, cart, total, isPlaced } = await visit(stage, { quantity: 1 })
      await payByCard(await stage.person.open(await cart.checkout()))
      await isPlaced('the shop has the order')
      const part = drawn(stage)
      await Promise.allSettled([cart.refund(part), cart.refund(part)])
      await untilQuiet(stage.tender, since)
      const refunded = (await cart.order()).payments[0]?.refunded ?? 0
      if (![part, 2 * part].includes(refunded)) throw new Error(`the shop has refunded ${refunded}`)
      await checkBooks(stage.tender, since, cart, { total, refunded })
    },
  },
  {
    name: 'captured in part in Medusa, the rest is released',
    async run(stage) {
      const { since, cart, isPlaced } = await visit(stage, { quantity: 3, isManual: true })
      const page = await stage.person.open(await cart.checkout())
      await payByCard(page)
      await seesPaid(page)
      await isPlaced('the shop has the order')
      const part = 500 + stage.dice.below(500)
      await cart.capturePart(part)
      await cart.capturePart(part).then(
        () => Promise.reject(new Error('a second capture was accepted')),
        () => {},
      )
      await untilQuiet(stage.tender, since)
      const [payment] = (await cart.order()).payments
      const ledger = await stage.tender.client.testHelpers.ledger({ paymentId: payment?.paymentId ?? 0 })
      const taken = ledger
        .filter(({ kind }) => kind === 'capture')
        .map(({ amount }) => Math.round(amount * 100))
      if (payment?.amount !== part || taken.join() !== String(part))
        throw new Error(`expected ${part} captured once, found ${payment?.amount}, bank ${taken}`)
    },
  },
  {
    name: 'a browser that names the payment of another cart in its session',
    isShort: true,
    async run(stage) {
      const other = await visit(stage, { quantity: 1 })
      await payByCard(await stage.person.open(await other.cart.checkout()))
      await other.isPlaced('the shop has the other order')
      const paymentId = (await other.cart.order()).payments[0]?.paymentId ?? 0
      const { since, cart, total, isPlaced } = await visit(stage, { quantity: 1 })
      const link = await cart.checkout({ paymentId, amount: 0.01, session_id: 'payses_other', version: 7 })
      await cart.complete()
      await checkNothing(stage.tender, since, cart)
      await payByCard(await stage.person.open(link))
      await isPlaced('the shop has the order')
      await checkBooks(stage.tender, since, cart, { total })
    },
  },
]

/**
 * Medusa closes the page of a changed cart, or of an earlier tab, at once: it cannot be paid. It may refuse
 * the second of two refunds at once after it has made and recorded it.
 */
const OTHERWISE = [
  'cart changed, then the old page is paid',
  'two tabs pay at once, both come back',
  'two refunds at once',
]

export const MEDUSA_CASES: readonly ShopCase[] = [
  ...CASES.filter(({ name }) => !OTHERWISE.includes(name)),
  ...OWN,
]

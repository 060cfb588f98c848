import { checkNothing, untilQuiet } from '../bank.ts'
import { CARDS, payByCard } from '../person.ts'
import { until } from '../world.ts'
import { becomes, check, isPlaced, paymentIdOf, type ShopCase, stateOf, visit } from './visit.ts'

export const CHANGES: readonly ShopCase[] = [
  {
    name: 'cart changed, then the old page is paid',
    isShort: true,
    async run(stage) {
      const made = await visit(stage, { quantity: 1 })
      const page = await stage.person.open(await made.cart.checkout())
      await made.cart.changeQuantity(2 + stage.dice.below(3))
      const { total } = await made.cart.order()
      await payByCard(page)
      await becomes(made, 'Refunded')
      await checkNothing(made.tender, made.since, made.cart)
      await payByCard(await stage.person.open(await made.cart.checkout()))
      await isPlaced(made)
      await check(made, { total })
    },
  },
  {
    name: 'cart changed, a new page, back to the old cart',
    async run(stage) {
      const made = await visit(stage, { quantity: 2 })
      const old = await stage.person.open(await made.cart.checkout())
      await made.cart.changeQuantity(3)
      await made.cart.checkout()
      await old.reload()
      if (await old.getByLabel('Card number', { exact: true }).isVisible())
        throw new Error('the page of the old cart can still be paid')
      await made.cart.changeQuantity(2)
      await payByCard(await stage.person.open(await made.cart.checkout()))
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'hold and release',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page, CARDS.risky)
      await until(made.tender, 'the payment is held', async () => /Hold$/.test(await stateOf(made)))
      await made.cart.complete()
      await untilQuiet(made.tender, made.since)
      const { payments } = await made.cart.order()
      if (payments.length > 0) throw new Error('the shop counts a payment that is under review')
      await made.tender.client.payments.unhold(await paymentIdOf(made))
      await isPlaced(made, 'the release makes the order')
      await check(made)
    },
  },
  {
    name: 'hold and refusal',
    async run(stage) {
      const made = await visit(stage)
      await payByCard(await stage.person.open(await made.cart.checkout()), CARDS.risky)
      await until(made.tender, 'the payment is held', async () => /Hold$/.test(await stateOf(made)))
      await made.tender.client.payments.cancel(await paymentIdOf(made))
      await checkNothing(made.tender, made.since, made.cart)
    },
  },
]

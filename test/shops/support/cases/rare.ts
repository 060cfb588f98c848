import { bankPayments, checkBooks, checkNothing, newestPayment, untilQuiet } from '../bank.ts'
import { CARDS, payByCard, pressPay, seesPaid, typeCard } from '../person.ts'
import type { CartWish, Stage } from '../shop.ts'
import { until } from '../world.ts'
import type { ShopCase } from './visit.ts'

/** Cases that shops meet once in a while, for all hosts. */

async function visit(stage: Stage, wish: Partial<CartWish> = {}) {
  const since = await newestPayment(stage.tender)
  const cart = await stage.shop.newCart({ quantity: 1 + stage.dice.below(4), ...wish })
  const { total } = await cart.order()
  const isPlaced = () =>
    until(stage.tender, 'the shop has the order', async () => (await cart.order()).payments.length > 0)
  const newest = async () => (await stage.tender.client.payments.list().take(1))[0]
  const becomes = (state: RegExp) =>
    until(stage.tender, `the payment is ${state}`, async () => {
      const payment = await newest()
      return payment && payment.paymentId > since && state.test(payment.paymentState) && payment
    })
  return {
    since,
    cart,
    total,
    isPlaced,
    becomes,
    checkNothing: () => checkNothing(stage.tender, since, cart),
  }
}

/** Nothing is kept: what the bank has taken it has returned, and the shop says the same. */
async function checkReturned({ tender }: Stage, { since, cart }: Awaited<ReturnType<typeof visit>>) {
  await untilQuiet(tender, since)
  const bank = await bankPayments(tender, since)
  const kept = bank.filter(({ reserved, taken, returned }) => reserved > 0 || taken !== returned)
  const { payments } = await cart.order()
  const counted = payments.filter(
    ({ state, amount, refunded }) => state === 'authorized' || amount !== refunded,
  )
  if (kept.length + counted.length > 0)
    throw new Error(`expected that all is returned, found ${JSON.stringify({ kept, counted })}`)
}

const inCurrency = (currency: 'JPY' | 'KWD', name: string): ShopCase => ({
  name,
  async run(stage) {
    const made = await visit(stage, { currency, quantity: 2 })
    const page = await stage.person.open(await made.cart.checkout())
    await payByCard(page)
    await seesPaid(page)
    await made.isPlaced()
    // Of yen, Vendure counts hundredths: whole ones are returned. The dinars of an order are less than three.
    const part = currency === 'JPY' ? 100 : 100 + stage.dice.below(100)
    await made.cart.refund(part)
    await checkBooks(stage.tender, made.since, made.cart, { total: made.total, refunded: part })
  },
})

export const RARE_CASES: readonly ShopCase[] = [
  {
    name: 'the order is cancelled while the customer pays',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await typeCard(page, CARDS.risky)
      await pressPay(page)
      await made.becomes(/Hold$/)
      await made.cart.complete()
      await made.cart.cancelOrder()
      await stage.tender.client.payments.unhold((await made.becomes(/Hold$/)).paymentId).catch(() => {})
      await checkReturned(stage, made)
    },
  },
  {
    name: 'Tender is not reachable: the shop says what to do, and the next try works',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      await stage.tender.kill()
      const refusal = await made.cart.checkout().then(
        () => 'no refusal',
        (error: Error) => error.message,
      )
      await stage.tender.start()
      if (!/try again in a minute/i.test(refusal)) throw new Error(`the shop says: ${refusal}`)
      await payByCard(await stage.person.open(await made.cart.checkout()))
      await made.isPlaced()
      await checkBooks(stage.tender, made.since, made.cart, { total: made.total })
    },
  },
  {
    name: 'a stored card is offered to its own customer only',
    async run(stage) {
      const account = () => `kim-${stage.dice.below(1e9)}@shop.example`
      const first = await visit(stage, { account: account() })
      const page = await stage.person.open(await first.cart.checkout())
      await typeCard(page, CARDS.good)
      const form = page.locator('form:visible')
      await form.getByLabel(/^Save this method and let/).check()
      await pressPay(page)
      await seesPaid(page)
      await first.isPlaced()
      await stage.person.leave()
      const made = await visit(stage, { account: account() })
      const other = await stage.person.open(await made.cart.checkout())
      await other.locator('form:visible').getByLabel('Card number', { exact: true }).waitFor()
      if ((await other.getByRole('button', { name: /with ••••/ }).count()) > 0)
        throw new Error('the page offers the card of another customer')
      await payByCard(other)
      await made.isPlaced()
      await checkBooks(stage.tender, made.since, made.cart, { total: made.total })
    },
  },
  inCurrency('JPY', 'a currency without decimals'),
  inCurrency('KWD', 'a currency with three decimals'),
]

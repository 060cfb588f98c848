import { checkBooks, newestPayment } from '../bank.ts'
import { payByCard, seesPaid } from '../person.ts'
import type { Cart, CartWish, Stage } from '../shop.ts'
import { until } from '../world.ts'

/** One line of the shop day. It ends in a check of the books and throws if they are wrong. */
export interface ShopCase {
  readonly name: string
  /** Part of the short form. */
  readonly isShort?: true
  run(stage: Stage): Promise<void>
}

/** A case about one cart: `total` is what the shop asks for it when the case begins. */
export interface Visit extends Stage {
  readonly since: number
  readonly cart: Cart
  readonly total: number
}

export async function visit(stage: Stage, wish: Partial<CartWish> = {}): Promise<Visit> {
  const since = await newestPayment(stage.tender)
  const cart = await stage.shop.newCart({ quantity: 1 + stage.dice.below(5), ...wish })
  return { ...stage, since, cart, total: (await cart.order()).total }
}

/** The check of most cases: the total is that of the beginning. */
export const check = ({ tender, since, cart, total }: Visit, expected = {}) =>
  checkBooks(tender, since, cart, { total, ...expected })

export const isPlaced = ({ tender, cart }: Visit, what = 'the shop has the order') =>
  until(tender, what, async () => (await cart.order()).payments.length > 0)

export async function paidVisit(stage: Stage, wish: Partial<CartWish> = {}, card?: string): Promise<Visit> {
  const made = await visit(stage, wish)
  const page = await stage.person.open(await made.cart.checkout())
  await payByCard(page, card)
  await seesPaid(page)
  await isPlaced(made)
  return made
}

/** The newest payment of a visit. */
async function paymentOf({ tender, since }: Visit) {
  const payments = await tender.client.payments.list().take(5)
  return payments.find(({ paymentId }) => paymentId > since)
}

export const stateOf = async (made: Visit): Promise<string> => (await paymentOf(made))?.paymentState ?? 'none'
export const paymentIdOf = async (made: Visit): Promise<number> => (await paymentOf(made))?.paymentId ?? 0

export const becomes = (made: Visit, state: string) =>
  until(made.tender, `the payment is ${state}`, async () => (await stateOf(made)) === state)

/** An amount that is less than any total. */
export const drawn = ({ dice }: Stage): number => 100 + dice.below(200)

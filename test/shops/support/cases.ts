import { createHmac } from 'node:crypto'
import { checkBooks, checkNothing, newestPayment, untilQuiet } from './bank.ts'
import {
  CARDS,
  passChallenge,
  payByBankAccount,
  payByCard,
  pressPay,
  seesPaid,
  typeCard,
} from './person.ts'
import type { Cart, CartWish, Stage } from './shop.ts'
import { until } from './world.ts'

/** One line of the shop day. It ends in a check of the books and throws if they are wrong. */
export interface ShopCase {
  readonly name: string
  /** Part of the short form. */
  readonly isShort?: true
  run(stage: Stage): Promise<void>
}

/** A case about one cart: `total` is what the shop asks for it when the case begins. */
interface Visit extends Stage {
  readonly since: number
  readonly cart: Cart
  readonly total: number
}

async function visit(stage: Stage, wish: Partial<CartWish> = {}): Promise<Visit> {
  const since = await newestPayment(stage.tender)
  const cart = await stage.shop.newCart({ quantity: 1 + stage.dice.below(5), ...wish })
  return { ...stage, since, cart, total: (await cart.order()).total }
}

/** The case's check with what the visit began with, where the case changes nothing of it. */
const check = ({ tender, since, cart, total }: Visit, expected = {}) =>
  checkBooks(tender, since, cart, { total, ...expected })

const isPlaced = ({ tender, cart }: Visit, what = 'the shop has the order') =>
  until(tender, what, async () => (await cart.order()).payments.length > 0)

async function paidVisit(stage: Stage, wish: Partial<CartWish> = {}, card?: string): Promise<Visit> {
  const made = await visit(stage, wish)
  const page = await stage.person.open(await made.cart.checkout())
  await payByCard(page, card)
  await seesPaid(page)
  await isPlaced(made)
  return made
}

/** The state of the one payment of a visit in which only one was made. */
async function stateOf({ tender, since }: Visit): Promise<string> {
  const payments = await tender.client.payments.list().take(5)
  return payments.find(({ paymentId }) => paymentId > since)?.paymentState ?? 'none'
}

async function paymentIdOf({ tender, since }: Visit): Promise<number> {
  const payments = await tender.client.payments.list().take(5)
  return payments.find(({ paymentId }) => paymentId > since)?.paymentId ?? 0
}

const becomes = (made: Visit, state: string) =>
  until(made.tender, `the payment is ${state}`, async () => (await stateOf(made)) === state)

const PAYING: readonly ShopCase[] = [
  {
    name: 'pay',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page)
      await seesPaid(page)
      await made.cart.complete()
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: '3-D Secure',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page, CARDS.challenge)
      await passChallenge(page)
      await seesPaid(page)
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'decline, then pay',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page, CARDS.declined)
      await page.getByRole('alert').first().waitFor()
      await made.cart.complete()
      await payByCard(page)
      await seesPaid(page)
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'close the tab after paying',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page)
      await becomes(made, 'Captured')
      await page.close()
      await isPlaced(made, 'the webhook makes the order')
      await check(made)
    },
  },
  {
    name: 'two tabs pay at once, both come back',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const links = await Promise.all([made.cart.checkout(), made.cart.checkout()])
      const tabs = await Promise.all(links.map((link) => stage.person.open(link)))
      for (const tab of tabs) await typeCard(tab, CARDS.good)
      await Promise.all(tabs.map((tab) => pressPay(tab)))
      await becomes(made, 'Captured')
      await Promise.all([made.cart.complete(), made.cart.complete(), made.cart.complete()])
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'a debit that is pending for a while',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByBankAccount(page)
      await made.cart.complete()
      await isPlaced(made, 'the webhook makes the order')
      await check(made)
    },
  },
  {
    name: 'stored card of a signed-in shopper',
    async run(stage) {
      const account = `dana-${stage.dice.below(1e9)}@shop.example`
      const first = await visit(stage, { account })
      const page = await stage.person.open(await first.cart.checkout())
      await typeCard(page, CARDS.good)
      await page
        .locator('form:visible')
        .getByLabel(/^Save this method and let/)
        .check()
      await pressPay(page)
      await seesPaid(page)
      await isPlaced(first)
      await check(first)
      const second = await visit(stage, { account })
      const next = await stage.person.open(await second.cart.checkout())
      await next.getByRole('button', { name: /with •••• 4242$/ }).click()
      await seesPaid(next)
      await isPlaced(second)
      await check(second)
    },
  },
  {
    name: 'a guest is offered no stored card',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await page.locator('form:visible').getByLabel('Card number', { exact: true }).waitFor()
      const saved = await page.getByRole('button', { name: /with ••••/ }).count()
      const boxes = await page.getByLabel(/^Save this method and let/).count()
      if (saved + boxes > 0) throw new Error('the page offers a guest to store a card, or a stored one')
      await payByCard(page)
      await isPlaced(made)
      await check(made)
    },
  },
]

const CHANGES: readonly ShopCase[] = [
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
      await payByCard(old).catch(() => {})
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

const MERCHANT: readonly ShopCase[] = [
  {
    name: 'reserved, then captured by the merchant',
    isShort: true,
    async run(stage) {
      const made = await paidVisit(stage, { isManual: true })
      await check(made, { state: 'authorized' })
      await made.cart.capture()
      await made.cart.capture().catch(() => {})
      await check(made)
    },
  },
  {
    name: 'reserved, then cancelled by the merchant',
    async run(stage) {
      const made = await paidVisit(stage, { isManual: true })
      await made.cart.cancel()
      await checkNothing(made.tender, made.since, made.cart)
    },
  },
  {
    name: 'captured in part in the console of Tender',
    async run(stage) {
      const made = await paidVisit(stage, { isManual: true, quantity: 2 })
      const part = Math.floor(made.total / 2)
      await made.tender.client.payments.capture(await paymentIdOf(made), { amount: part / 100 })
      await untilQuiet(made.tender, made.since)
      const [payment] = (await made.cart.order()).payments
      const net = (payment?.amount ?? 0) - (payment?.refunded ?? 0)
      if (payment?.state !== 'captured' || net !== part)
        throw new Error(`expected ${part} captured, found ${JSON.stringify(payment)}`)
    },
  },
  {
    name: 'two refunds of the same amount',
    isShort: true,
    async run(stage) {
      const made = await paidVisit(stage)
      const part = 100 + stage.dice.below(200)
      await made.cart.refund(part)
      await made.cart.refund(part)
      await check(made, { refunded: 2 * part })
    },
  },
  {
    name: 'two refunds at once',
    async run(stage) {
      const made = await paidVisit(stage)
      const results = await Promise.allSettled([made.cart.refund(150), made.cart.refund(150)])
      const done = results.filter(({ status }) => status === 'fulfilled').length
      if (done === 0) throw new Error(`both refunds were refused: ${JSON.stringify(results)}`)
      await check(made, { refunded: done * 150 })
    },
  },
  {
    name: 'full refund',
    isShort: true,
    async run(stage) {
      const made = await paidVisit(stage)
      await made.cart.refund(made.total)
      await made.cart.refund(100).catch(() => {})
      await check(made, { refunded: made.total })
    },
  },
  {
    name: 'a refund in the console of Tender',
    async run(stage) {
      const made = await paidVisit(stage)
      await made.tender.client.payments.refund(await paymentIdOf(made), { amount: 1.25 })
      await check(made, { refunded: 125 })
    },
  },
  {
    name: 'a refund that is pending, then done',
    async run(stage) {
      const made = await paidVisit(stage)
      await made.tender.client.testHelpers.setFault({ step: 'refund', effect: 'refund-pending' })
      await made.cart.refund(175)
      await check(made, { refunded: 175 })
    },
  },
  {
    name: 'a refund that the bank sends back',
    async run(stage) {
      const made = await paidVisit(stage)
      await made.tender.client.testHelpers.setFault({ step: 'refund', effect: 'decline' })
      await made.cart.refund(175).catch(() => {})
      await check(made)
      await made.cart.refund(175)
      await check(made, { refunded: 175 })
    },
  },
]

const LOSSES = ['reply-lost', 'http-500-after-acting', 'unreadable', 'request-lost'] as const

const FAULTS: readonly ShopCase[] = [
  {
    name: 'the reply of the provider is lost',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      const effect = stage.dice.pick(LOSSES.slice(0, 3))
      await made.tender.client.testHelpers.setFault({ step: 'authorise', effect })
      await payByCard(page)
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'the reply to a capture is lost',
    async run(stage) {
      const made = await paidVisit(stage, { isManual: true })
      await made.tender.client.testHelpers.setFault({ step: 'capture', effect: stage.dice.pick(LOSSES) })
      await made.cart.capture().catch(() => {})
      await becomes(made, 'Captured')
      await check(made)
    },
  },
  {
    name: 'the reply to a refund is lost',
    async run(stage) {
      const made = await paidVisit(stage)
      await made.tender.client.testHelpers.setFault({ step: 'refund', effect: stage.dice.pick(LOSSES) })
      await made.cart.refund(130)
      await check(made, { refunded: 130 })
    },
  },
  {
    name: 'kill -9 of Tender between payment and webhook',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      stage.shop.process.suspend()
      await payByCard(page)
      await becomes(made, 'Captured')
      await stage.tender.kill()
      stage.shop.process.resume()
      await stage.tender.start()
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'kill -9 of Tender at any moment after "Pay"',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page)
      for (let turns = stage.dice.below(40); turns > 0; turns--) await page.title().catch(() => {})
      await stage.tender.kill()
      await stage.tender.start()
      await untilQuiet(stage.tender, made.since)
      // A request that the crash cut off before it was stored has charged nothing: the shopper pays again.
      if ((await stateOf(made)) === 'Created')
        await payByCard(await stage.person.open(await made.cart.checkout()))
      await isPlaced(made)
      await check(made)
    },
  },
  {
    name: 'kill -9 of the shop between payment and webhook',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await stage.shop.process.kill()
      await payByCard(page)
      await becomes(made, 'Captured')
      await stage.shop.process.start()
      await isPlaced(made, 'the webhook is sent again and makes the order')
      await check(made)
    },
  },
  {
    name: 'kill -9 of the shop while it refunds',
    async run(stage) {
      const made = await paidVisit(stage)
      const delayed = { step: 'refund', effect: 'reply-late', delayMs: 3_000 } as const
      await made.tender.client.testHelpers.setFault(delayed)
      const refund = made.cart.refund(140).catch(() => {})
      await becomes(made, 'Refunding')
      await stage.shop.process.kill()
      await refund
      await stage.shop.process.start()
      await check(made, { refunded: 140 })
    },
  },
]

const HOSTILE: readonly ShopCase[] = [
  {
    name: 'a webhook sent three times at once',
    isShort: true,
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      stage.shop.process.suspend()
      await payByCard(page)
      await becomes(made, 'Captured')
      const body = await capturedEvent(made)
      const signed = Array.from({ length: 3 }, () => send(stage, body, stage.tender.webhookSecret))
      stage.shop.process.resume()
      const answers = await Promise.all(signed)
      if (answers.some((status) => status >= 300)) throw new Error(`answered ${answers}`)
      await check(made)
    },
  },
  {
    name: 'a forged webhook and a browser that lies',
    isShort: true,
    async run(stage) {
      const other = await paidVisit(stage)
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      const truth = await capturedEvent(made)
      const forged = truth.replace('"paymentState":"Created"', '"paymentState":"Captured"')
      const statuses = [await send(stage, forged, `whsec_${Buffer.from('wrong').toString('base64')}`)]
      statuses.push(await send(stage, forged, undefined))
      if (statuses.some((status) => status < 400)) throw new Error(`forged webhooks: answered ${statuses}`)
      await made.cart.cheat(await newestPaid(other))
      await checkNothing(made.tender, made.since, made.cart)
      await payByCard(page)
      await isPlaced(made)
      await check(made)
    },
  },
]

const newestPaid = async ({ cart }: Visit): Promise<number> =>
  (await cart.order()).payments[0]?.paymentId ?? 0

/** The body of the event that says Captured, as the service sends it. */
async function capturedEvent(made: Visit): Promise<string> {
  const paymentId = await paymentIdOf(made)
  const events = await made.tender.client.events.list({ paymentId }).take(20)
  return JSON.stringify(events.find(({ payment }) => payment?.paymentState === 'Captured') ?? events[0])
}

/** Sends a body as the service would, signed with this secret, or not at all. Gives the status. */
async function send({ shop }: Stage, body: string, secret: string | undefined): Promise<number> {
  const id = 'evt_again'
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const signature: Record<string, string> = secret === undefined ? {} : { 'webhook-signature': `v1,${mac}` }
  const { status } = await fetch(shop.webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...signature,
    },
    body,
  })
  return status
}

export const CASES: readonly ShopCase[] = [...PAYING, ...CHANGES, ...MERCHANT, ...FAULTS, ...HOSTILE]

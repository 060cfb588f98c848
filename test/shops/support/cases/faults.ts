import { untilQuiet } from '../bank.ts'
import { payByCard } from '../person.ts'
import { until } from '../world.ts'
import {
  becomes,
  check,
  drawn,
  isPlaced,
  paidVisit,
  paymentIdOf,
  type ShopCase,
  stateOf,
  visit,
} from './visit.ts'

const LOSSES = ['reply-lost', 'http-500-after-acting', 'unreadable', 'request-lost'] as const

export const FAULTS: readonly ShopCase[] = [
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
      const part = drawn(stage)
      await made.cart.refund(part)
      await check(made, { refunded: part })
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
      const delayed = { step: 'refund', effect: 'reply-late', delayMs: 8_000 } as const
      await made.tender.client.testHelpers.setFault(delayed)
      const part = drawn(stage)
      const refund = made.cart.refund(part).catch(() => {})
      const paymentId = await paymentIdOf(made)
      await until(made.tender, 'the bank has refunded', async () => {
        const movements = await made.tender.client.testHelpers.ledger({ paymentId })
        return movements.some(({ kind }) => kind === 'refund')
      })
      await stage.shop.process.kill()
      await refund
      await stage.shop.process.start()
      await check(made, { refunded: part })
    },
  },
  {
    name: 'kill -9 of the shop at any moment after "Pay"',
    async run(stage) {
      const made = await visit(stage)
      const page = await stage.person.open(await made.cart.checkout())
      await payByCard(page)
      for (let turns = stage.dice.below(60); turns > 0; turns--) await page.title().catch(() => {})
      await stage.shop.process.kill()
      await stage.shop.process.start()
      await isPlaced(made, 'the webhook is sent again and makes the order')
      await check(made)
    },
  },
]

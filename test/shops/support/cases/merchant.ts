import { checkNothing, untilQuiet } from '../bank.ts'
import { check, drawn, paidVisit, paymentIdOf, type ShopCase } from './visit.ts'

export const MERCHANT: readonly ShopCase[] = [
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
      const part = drawn(stage)
      await made.cart.refund(part)
      await made.cart.refund(part)
      await check(made, { refunded: 2 * part })
    },
  },
  {
    name: 'two refunds at once',
    async run(stage) {
      const made = await paidVisit(stage)
      const part = drawn(stage)
      const results = await Promise.allSettled([made.cart.refund(part), made.cart.refund(part)])
      const done = results.filter(({ status }) => status === 'fulfilled').length
      if (done === 0) throw new Error(`both refunds were refused: ${JSON.stringify(results)}`)
      await check(made, { refunded: done * part })
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
      const part = drawn(stage)
      await made.tender.client.payments.refund(await paymentIdOf(made), { amount: part / 100 })
      await check(made, { refunded: part })
    },
  },
  {
    name: 'a refund that is pending, then done',
    async run(stage) {
      const made = await paidVisit(stage)
      const part = drawn(stage)
      await made.tender.client.testHelpers.setFault({ step: 'refund', effect: 'refund-pending' })
      await made.cart.refund(part)
      await check(made, { refunded: part })
    },
  },
  {
    name: 'a refund that the bank sends back',
    async run(stage) {
      const made = await paidVisit(stage)
      const part = drawn(stage)
      await made.tender.client.testHelpers.setFault({ step: 'refund', effect: 'decline' })
      await made.cart.refund(part).catch(() => {})
      await check(made)
      await made.cart.refund(part)
      await check(made, { refunded: part })
    },
  },
]

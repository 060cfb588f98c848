import {
  CARDS,
  passChallenge,
  payByBankAccount,
  payByCard,
  pressPay,
  pressPayOrSeeNotice,
  seesPaid,
  typeCard,
} from '../person.ts'
import { becomes, check, isPlaced, type ShopCase, visit } from './visit.ts'

export const PAYING: readonly ShopCase[] = [
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
      await Promise.all(tabs.map((tab) => pressPayOrSeeNotice(tab)))
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

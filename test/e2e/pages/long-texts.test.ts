import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { BUDGETS, weigh } from '../../browser/budgets.ts'
import { chromiumPath } from '../../support/browser.ts'
import { choose, heading, payByCard, press, stage } from '../../support/pages.ts'
import { good } from '../../support/tender.ts'

const DESCRIPTION = 'Web hosting\r\n\tPlan:  Business\n\n'.repeat(400).slice(0, 10_000)
const SHOWN = 'Web hosting Plan: Business Web hosting Plan: Business'
const WORD = 'X'.repeat(1_000)
const item = { name: WORD, amount: 25.5, quantity: 1, category: 'DigitalGoods', description: WORD.repeat(10) }
const customerOrder = {
  customer: { customerId: 'wordy', firstName: 'Y'.repeat(200), lastName: 'Z'.repeat(200) },
  orderId: 'N'.repeat(200),
  description: DESCRIPTION,
  amount: { items: [item] },
}

const WIDTHS = [320, 1280]

/** Checks that nothing overflows the window at phone and desktop width. */
async function expectNoOverflow(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([page.url(), wide]).toEqual([page.url(), width])
  }
}

describe.skipIf(!chromiumPath)('texts of any length', () => {
  const set = stage('pages_long_texts')

  it('are truncated to one line on every page, within the layout and the size budget', async () => {
    const payment = await set.shop.create({ customerOrder, registerAutoPayment: true })
    const { page, faults } = await set.open()
    const shows = async () => {
      await page.getByText(SHOWN).first().waitFor()
      expect((await page.content()).length).toBeLessThan(40_000)
      await expectNoOverflow(page)
    }
    await page.goto(payment.redirectUrl)
    await page.locator('.order-details').evaluate((details) => details.setAttribute('open', ''))
    await shows()
    expect((await weigh({ url: payment.redirectUrl })).totalKb).toBeLessThan(BUDGETS.checkout.totalKb)
    await choose(page, 'mouse', /PayPal/)
    await press(page, 'mouse', 'Continue to PayPal')
    await shows()
    await page.goto(payment.redirectUrl)
    await payByCard(page, 'mouse')
    await heading(page, 'Payment received')
    await expectNoOverflow(page)
    await press(page, 'mouse', 'Receipt', 'link')
    await heading(page, 'Receipt')
    await shows()
    await page.goto(good(await set.shop.call('GET', 'customers/wordy/panel-link')))
    await shows()
    await page.goto(`${set.tender.url}/p/payments/${payment.paymentId}`)
    await shows()
    expect(faults).toEqual([])
  })
})

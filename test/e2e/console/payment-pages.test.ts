import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAxe, violations } from '../../support/axe.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import type { Answer } from '../../support/tender.ts'

describe.skipIf(!chromiumPath)('the page of a payment in a browser', () => {
  let console_: TestConsole
  let browser: Browser
  beforeAll(async () => {
    console_ = await startTestConsole('console_payment_pages')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await console_?.stop()
  })

  const order = { customer: { customerId: 'dana', firstName: 'Dana' } }
  const paid = (more: object = {}): Promise<Answer> =>
    console_.sandbox.paid({ amount: 128.4, customerOrder: order, ...more })
  const urlOf = ({ paymentId }: Answer, more = '') =>
    `${console_.origin}/console/${console_.sandbox.appId}/payments/${paymentId}${more}`
  const state = (page: Page) => page.locator('h1 [data-state]')
  const status = (page: Page) => page.getByRole('status')
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const refundedOf = async ({ paymentId }: Answer) => (await console_.sandbox.read(paymentId)).refundedAmount

  it('refunds a part by mouse; the button follows the amount', async () => {
    const payment = await paid()
    const { page, faults, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(payment))
    await button(page, 'Refund').click()
    const dialog = page.getByRole('dialog', { name: `Refund payment ${payment.paymentId}` })
    await dialog.getByText('Dana gets €128.40 back to Visa •••• 4242. This cannot be undone.').waitFor()
    await dialog.getByLabel('Amount').fill('10')
    await dialog.getByText('Dana gets €10.00 back').waitFor()
    await dialog.getByLabel('Note about the refund').fill('damaged')
    await dialog.getByRole('button', { name: 'Refund €10.00' }).click()
    await page.getByRole('status').getByText('Refunded €10.00.').waitFor()
    expect(await refundedOf(payment)).toBe(10)
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('refunds a part by keyboard alone', async () => {
    const payment = await paid()
    const { page, faults, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(payment))
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    // The first field of the dialog has the focus.
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('2.5')
    await page.keyboard.press('Tab')
    // The reason is a choice.
    await page.keyboard.press('Tab')
    await page.keyboard.type('late')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Refunded €2.50.').waitFor()
    expect(await refundedOf(payment)).toBe(2.5)
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('closes a question without acting', async () => {
    const payment = await paid()
    const { page, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(payment))
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Refund')
    expect(await refundedOf(payment)).toBe(0)
    await close()
  }, 60_000)

  it('refunds a part without script', async () => {
    const payment = await paid()
    const { page, close } = await console_.open(browser, 'Owner', { javaScriptEnabled: false })
    await page.goto(urlOf(payment))
    await button(page, 'Refund').click()
    await page.getByLabel('Amount').fill('1000')
    await button(page, 'Refund').click()
    await page.getByText('Enter at most €128.40.').waitFor()
    await page.getByLabel('Amount').fill('12,40')
    await button(page, 'Refund').click()
    await page.getByText('Refunded €12.40.').waitFor()
    expect(await refundedOf(payment)).toBe(12.4)
    await close()
  }, 60_000)

  it('captures, cancels and rechecks', async () => {
    const first = await paid({ autoCapture: false })
    const second = await paid({ autoCapture: false })
    const third = await paid()
    const { page, faults, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(first))
    await button(page, 'Capture').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Capture €128.40' }).click()
    await status(page).getByText('Captured €128.40.').waitFor()
    expect(await state(page).textContent()).toBe('Captured')

    await page.goto(urlOf(second))
    await button(page, 'Cancel payment').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
    await status(page).getByText('The payment was cancelled.').waitFor()

    await page.goto(urlOf(third))
    await button(page, 'Recheck').click()
    await page.getByText('The provider was asked.').waitFor()
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('marks a dispute from the menu, with a note', async () => {
    const payment = await paid()
    const { page, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(payment))
    await page.getByText('More', { exact: true }).first().click()
    await button(page, 'Mark as disputed').click()
    await page.getByRole('dialog').getByLabel('Note').fill('case 7')
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as disputed' }).click()
    await page.getByText('The payment was marked as disputed.').waitFor()
    await close()
  }, 60_000)

  it('follows the payment when it is paid in another window', async () => {
    const payment = await console_.sandbox.create({ amount: 128.4, customerOrder: order })
    const { page, faults, close } = await console_.open(browser, 'Viewer')
    await page.goto(urlOf(payment))
    expect(await state(page).getAttribute('data-state')).toBe('Created')
    await console_.sandbox.pay(payment.paymentId)
    await page.locator('h1 [data-state="Captured"]').waitFor()
    await page.locator('.timeline [data-state="Captured"]').waitFor()
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('sends one form for a double click', async () => {
    const payment = await paid()
    const { page, close } = await console_.open(browser, 'Owner')
    await page.goto(urlOf(payment, '/refund'))
    await page.getByLabel('Amount').fill('3')
    await button(page, 'Refund €3.00').dblclick()
    await page.getByText('Refunded €3.00.').waitFor()
    expect(await refundedOf(payment)).toBe(3)
    await close()
  }, 60_000)

  it('has no axe violations in a dialog', async () => {
    const payment = await paid()
    const { page, close } = await console_.open(browser, 'Owner', { reducedMotion: 'reduce' })
    await addAxe(page)
    await page.goto(urlOf(payment))
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page, 'dialog')).toEqual([])
    await close()
  }, 120_000)
})

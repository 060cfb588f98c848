import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { choose, heading, payByCard, press, stage, type, typeCard } from '../../support/pages.ts'

describe.skipIf(!chromiumPath)('the checkout script', () => {
  const set = stage('pages_typing')
  const open = async () => {
    const payment = await set.shop.create()
    const { page, context } = await set.open()
    await page.goto(payment.redirectUrl)
    const field = (name: string) => page.locator(`[data-field=${name}]`).first()
    const error = async (name: string) =>
      (await page.locator(`#${await field(name).getAttribute('id')}-error`).textContent()) ?? ''
    return { payment, page, context, field, error }
  }

  it('groups digits and names the brand', async () => {
    const { page, field } = await open()
    await field('number').pressSequentially('378282246310005')
    expect(await field('number').inputValue()).toBe('3782 822463 10005')
    expect(await page.locator('.brand-of-card').first().textContent()).toBe('American Express')
    await field('number').fill('4242-4242-4242-4242')
    expect(await field('number').inputValue()).toBe('4242 4242 4242 4242')
  })

  it('keeps the caret position during corrections', async () => {
    const { page, field } = await open()
    await field('number').fill('4242 4242 4242 4242')
    await field('number').evaluate((input: HTMLInputElement) => input.setSelectionRange(6, 6))
    await page.keyboard.press('Backspace')
    await page.keyboard.type('9')
    expect(await field('number').inputValue()).toBe('4242 9242 4242 4242')
    expect(await field('number').evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(6)
  })

  it('completes the expiry with zero and slash, which can be deleted', async () => {
    const { page, field } = await open()
    await field('expiry').pressSequentially('430')
    expect(await field('expiry').inputValue()).toBe('04 / 30')
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('Backspace')
    expect(await field('expiry').inputValue()).toBe('')
    await field('expiry').fill('04/2030')
    expect(await field('expiry').inputValue()).toBe('04 / 30')
  })

  it('shows an error on blur and removes it when the input becomes valid', async () => {
    const { field, error } = await open()
    await field('number').pressSequentially('4242 4242 4242 4241')
    expect(await error('number')).toBe('')
    await field('expiry').focus()
    expect(await error('number')).toContain('not a valid card number')
    expect(await field('number').getAttribute('aria-invalid')).toBe('true')
    await field('number').press('End')
    await field('number').press('Backspace')
    await field('number').press('2')
    expect(await error('number')).toBe('')
    expect(await field('number').getAttribute('aria-invalid')).toBeNull()
  })

  it('refuses an unsupported brand at the sixth digit', async () => {
    const { field, error } = await open()
    await field('number').pressSequentially('67590')
    expect(await error('number')).toBe('')
    await field('number').press('0')
    expect(await error('number')).toBe('Maestro cards are not accepted here. Use another card.')
  })

  it('shows missing fields on submit and focuses the first', async () => {
    const { page, field, error, payment } = await open()
    await field('number').fill('4242 4242 4242 4242')
    await press(page, 'mouse', /^Pay/)
    expect(await error('expiry')).toContain('MM / YY')
    expect(await error('code')).toBe('Enter the security code.')
    const focused = await page.evaluate(() => (document.activeElement as HTMLInputElement).name)
    expect(focused).toBe('expiry')
    expect(await field('number').inputValue()).toBe('4242 4242 4242 4242')
    expect(await set.shop.attempts(payment.paymentId)).toBe(0)
  })

  it('fills in a test card with its button', async () => {
    const { page } = await open()
    await page.getByText('Test cards', { exact: true }).click()
    await press(page, 'mouse', 'Use 4242')
    await press(page, 'mouse', /^Pay/)
    await heading(page, 'Payment received')
  })

  it('polls the status page if the event stream is blocked', async () => {
    const { page, context, payment } = await open()
    await context.route(/\/events$/, (route) => route.abort())
    await choose(page, 'mouse', 'Bank account')
    await type(page, 'mouse', {
      'Routing number': '110000000',
      'Account number': '000123456789',
      'Account holder': 'Dana',
    })
    await press(page, 'mouse', /^Pay/)
    await heading(page, 'Payment received')
    expect((await set.shop.read(payment.paymentId)).paymentState).toBe('Captured')
  })

  it('reloads a page restored from the back-forward cache', async () => {
    const { page } = await open()
    await payByCard(page, 'mouse')
    await heading(page, 'Payment received')
    await page.goBack()
    await heading(page, 'Payment received')
  })

  it('returns to the shop after five seconds unless the payer chooses to stay', async () => {
    const visits: string[] = []
    const server = createServer(({ method, url }, response) => {
      visits.push(`${method} ${url}`)
      response.end('<title>Shop</title>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const payment = await set.shop.create({ returnUrl: `http://127.0.0.1:${port}/back?order=1` })
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse')
    await press(page, 'mouse', /^Pay/)
    await page.getByText(/Returning to Acme \(sandbox\) in \d seconds/).waitFor()
    await press(page, 'mouse', 'Stay on this page')
    expect(await page.getByText(/Returning to/).isVisible()).toBe(false)
    await page.reload()
    await page.waitForURL(/\/back\?order=1/, { timeout: 15_000 })
    const { paymentId, referenceId } = payment
    expect(visits[0]).toBe(`GET /back?order=1&paymentId=${paymentId}&referenceId=${referenceId}`)
    server.close()
  })
})

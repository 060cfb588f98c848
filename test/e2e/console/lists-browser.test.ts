import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, launch, openWindow } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { lookAt } from '../../support/looking.ts'
import { heading, MANNERS, payByCard, pressOn, tick, typeInto } from '../../support/pages.ts'
import { type Answer, good, newReference } from '../../support/tender.ts'

describe.skipIf(!chromiumPath)('the list, reviews and links in a browser', () => {
  // A browser on a busy machine takes its time; nothing here is about speed.
  vi.setConfig({ testTimeout: 120_000 })
  let console_: TestConsole
  let browser: Browser
  let policyId: number
  let visa: Answer
  beforeAll(async () => {
    console_ = await startTestConsole('console_lists_browser')
    browser = await launch()
    const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
    const policy = await console_.sandbox.call('POST', 'fraud-policies', { name: 'Careful', rules })
    policyId = good(policy).fraudPolicyId
    visa = await console_.sandbox.paid({ referenceId: 'INV-1' })
    await console_.sandbox.paid({ referenceId: 'INV-2', amount: 1250, autoCapture: false })
    await console_.sandbox.create({ referenceId: 'INV-3', currency: 'USD' })
  })
  afterAll(async () => {
    await browser?.close()
    await console_?.stop()
  })

  const pathOf = (path: string) => `${console_.origin}/console/${console_.sandbox.appId}/${path}`

  async function held(): Promise<number> {
    const customerOrder = { customer: { customerId: newReference(), firstName: 'Dana' } }
    const { paymentId } = await console_.sandbox.create({ fraudPolicyId: policyId, customerOrder })
    good(await console_.sandbox.pay(paymentId, { outcome: 'elevated-risk' }))
    return paymentId
  }

  async function open(manner: (typeof MANNERS)[number], path: string) {
    const window = await console_.open(browser, 'Owner', { javaScriptEnabled: manner !== 'no script' })
    await window.page.goto(pathOf(path))
    return window
  }

  it.each(MANNERS)('find a payment by its last four digits: %s', async (manner) => {
    const { page, faults, close } = await open(manner, 'payments')
    const field = page.getByLabel('Search payments', { exact: true })
    await typeInto(page, manner, field, 'last4:4242 ref:INV-1')
    await pressOn(page, manner, page.getByRole('button', { name: 'Search', exact: true }))
    await page.getByRole('link', { name: 'Remove last4:4242' }).waitFor()
    expect(await page.locator('tr[data-payment]').count()).toBe(1)
    expect(await page.locator('[data-state=Captured]').count()).toBe(1)
    await pressOn(page, manner, page.getByRole('link', { name: '€25.50' }))
    await page.waitForURL(pathOf(`payments/${visa.paymentId}`))
    expect(faults).toEqual([])
    await close()
  })

  it.each(['no script', 'keyboard'] as const)('capture selected payments: %s', async (manner) => {
    const { paymentId } = await console_.sandbox.paid({ autoCapture: false })
    const { page, close } = await open(manner, 'payments')
    await tick(page, manner, page.getByLabel(`Select payment ${paymentId}`))
    await pressOn(page, manner, page.getByRole('button', { name: 'Capture', exact: true }))
    await pressOn(page, manner, page.getByRole('button', { name: 'Capture 1 payment' }))
    await page.getByText('1 of 1 done').waitFor()
    expect((await console_.sandbox.read(paymentId)).paymentState).toBe('Captured')
    await close()
  })

  it('exports the filtered list', async () => {
    const { page, close } = await open('mouse', 'payments?q=ref:INV-*')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^payments-.*\.csv$/)
    const chunks = await (await file.createReadStream()).toArray()
    expect(Buffer.concat(chunks).toString('utf8').trim().split('\r\n')).toHaveLength(4)
    await close()
  })

  it('tells of new payments', async () => {
    const { page, close } = await console_.open(browser, 'Viewer')
    await page.clock.install()
    await page.goto(pathOf('payments?q=ref:NEW-*%20amount:>1'))
    expect(await page.locator('a[data-newer]').count()).toBe(0)
    await page.goto(pathOf('payments'))
    await console_.sandbox.create({ referenceId: 'NEW-1' })
    await page.clock.fastForward(10_000)
    await page.getByRole('link', { name: '1 new – show' }).click()
    await page.getByText('NEW-1').waitFor()
    await close()
  })

  it('save and open a view', async () => {
    const { page, close } = await open('mouse', 'payments?state=Captured&columns=id')
    await page.getByText('Save view').first().click()
    await page.getByLabel('Name of the view').fill('Paid')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('The view is saved.').waitFor()
    await page.getByRole('link', { name: 'All payments' }).click()
    await page.getByRole('link', { name: 'Paid', exact: true }).click()
    await page.waitForURL(/state=Captured&columns=id$/)
    await lookAt(page, 'payments')
    await close()
  })

  it.each(MANNERS)('release a held payment: %s', async (manner) => {
    const paymentId = await held()
    const { page, faults, close } = await open(manner, `reviews?payment=${paymentId}`)
    await pressOn(page, manner, page.getByRole('button', { name: 'Release', exact: true }))
    await typeInto(page, manner, page.getByLabel('Note (optional)'), 'Called the customer')
    await pressOn(page, manner, page.getByRole('button', { name: 'Release €25.50' }))
    await page.getByText('The payment is released.').waitFor()
    expect((await console_.sandbox.read(paymentId)).paymentState).toBe('Captured')
    expect(faults).toEqual([])
    await close()
  })

  async function payLink(page: Page, manner: (typeof MANNERS)[number]): Promise<void> {
    const url = (await page.locator('.link-result .copy code').textContent()) ?? ''
    const payer = await openWindow(browser, console_.origin, { javaScriptEnabled: manner !== 'no script' })
    await payer.page.goto(url)
    await payByCard(payer.page, 'mouse')
    await heading(payer.page, /received/)
    await payer.close()
  }

  it.each(MANNERS)('create a link and pay it: %s', async (manner) => {
    const { page, faults, close } = await open(manner, 'links/new')
    await typeInto(page, manner, page.getByLabel('Amount', { exact: true }), '18.40')
    await typeInto(page, manner, page.getByLabel('Description', { exact: true }), 'Two coffees')
    await pressOn(page, manner, page.getByRole('button', { name: 'Create link' }))
    await page.getByText('The link is ready.').waitFor()
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    if (manner === 'mouse') await lookAt(page, 'link')
    await payLink(page, manner)
    await page.reload()
    await page.getByText('This payment can no longer be paid by link.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('look right', async () => {
    const { page, close } = await open('mouse', 'reviews')
    await lookAt(page, 'reviews-empty')
    const paymentId = await held()
    await held()
    for (const path of ['payments?q=state:faild&min=20', 'reviews', 'links', 'links/new', 'search?q=INV']) {
      await page.goto(pathOf(path))
      await lookAt(page, path.replace(/\W.*/, path.includes('/') ? '-new' : ''))
    }
    await page.goto(pathOf(`reviews/${paymentId}/reject`))
    await lookAt(page, 'reject')
    await page.goto(pathOf(`payments/bulk/capture?ids=${paymentId}.${visa.paymentId}`))
    await lookAt(page, 'bulk')
    await close()
  })

  it('fit a narrow window with long texts, also from right to left', async () => {
    const { page, close } = await open('mouse', 'payments')
    await page.setViewportSize({ width: 320, height: 700 })
    for (const lang of ['en-XA', 'ar-XB'])
      for (const path of [
        'payments',
        'payments?state=Captured',
        'reviews',
        'links',
        'links/new',
        'search?q=INV',
      ]) {
        await page.goto(pathOf(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`))
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, `${path} ${lang}`).toBeLessThanOrEqual(320)
      }
    await close()
  })
})

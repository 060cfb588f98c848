import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, launch, openWindow } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { heading, MANNERS, payByCard, pressOn, tick, typeInto } from '../../support/pages.ts'

describe.skipIf(!chromiumPath)('the list and links in a browser', () => {
  // A browser on a busy machine takes its time; nothing here is about speed.
  vi.setConfig({ testTimeout: 120_000 })
  let console_: TestConsole
  let browser: Browser
  beforeAll(async () => {
    console_ = await startTestConsole('console_lists_browser')
    browser = await launch()
    await console_.sandbox.paid({ referenceId: 'INV-1' })
    await console_.sandbox.paid({ referenceId: 'INV-2', amount: 1250, autoCapture: false })
    await console_.sandbox.create({ referenceId: 'INV-3', currency: 'USD' })
  })
  afterAll(async () => {
    await browser?.close()
    await console_?.stop()
  })

  const pathOf = (path: string) => `${console_.origin}/console/${console_.sandbox.appId}/${path}`

  async function open(manner: (typeof MANNERS)[number], path: string) {
    const window = await console_.open(browser, 'Owner', { javaScriptEnabled: manner !== 'no script' })
    await window.page.goto(pathOf(path))
    return window
  }

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

  it.each(['no script', 'keyboard'] as const)('export, then capture: %s', async (manner) => {
    const { paymentId } = await console_.sandbox.paid({ autoCapture: false })
    const { page, close } = await open(manner, 'payments')
    await tick(page, manner, page.getByLabel(`Select payment ${paymentId}`))
    const downloaded = page.waitForEvent('download')
    await pressOn(page, manner, page.getByRole('button', { name: 'Export as CSV' }))
    expect((await downloaded).suggestedFilename()).toMatch(/^payments-.*\.csv$/)
    await pressOn(page, manner, page.getByRole('button', { name: 'Capture', exact: true }))
    await page.getByRole('button', { name: 'Capture 1 payment' }).waitFor()
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
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('link', { name: 'Paid', exact: true }).click()
    await page.waitForURL(/state=Captured&columns=id$/)
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
    await pressOn(page, manner, page.getByRole('button', { name: 'Create payment link' }))
    await page.getByText('The link is ready.').waitFor()
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    await payLink(page, manner)
    await page.reload()
    await page.getByText('This payment can no longer be paid by link.').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})

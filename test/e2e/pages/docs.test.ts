import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAxe, COLOURS, contrastViolations, LAYOUT, violations } from '../../support/axe.ts'
import { chromiumPath, launch, openWindow } from '../../support/browser.ts'
import { startDocs } from '../../support/docs.ts'

/** One page of each kind: the index, tables and images, samples, results. */
const PAGES = ['/docs/guides', '/docs/guides/console', '/docs/guides/samples', '/docs/search?q=refund']

describe.skipIf(!chromiumPath)('the documentation in a browser', () => {
  let docs: Awaited<ReturnType<typeof startDocs>>
  let browser: Browser
  beforeAll(async () => {
    docs = await startDocs()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await docs?.server.close()
  })

  it('has no axe violations, light, dark and on a phone, and no page scrolls sideways', async () => {
    const { page, faults } = await openWindow(browser, docs.origin, { reducedMotion: 'reduce' })
    await addAxe(page)
    const found: string[] = []
    const light = new Set<string>()
    const dark = new Set<string>()
    for (const path of PAGES) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(docs.origin + path)
      found.push(...(await violations(page, path, { without: COLOURS })))
      found.push(...(await contrastViolations(page, path, light)))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await contrastViolations(page, `${path}, dark`, dark)))
      await page.setViewportSize({ width: 320, height: 700 })
      found.push(...(await violations(page, `${path}, narrow`, { rules: LAYOUT })))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 320) found.push(`${path} is ${width} pixels wide`)
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
  })

  it('searches while typing, by keyboard, and shows one language of all samples', async () => {
    const { page, faults } = await openWindow(browser, docs.origin)
    await page.goto(`${docs.origin}/docs/guides/samples`)
    await page.locator('.tabs label', { hasText: 'PHP' }).first().click()
    expect(await page.locator('.tabs .block:visible .language').allTextContents()).toEqual(
      Array.from({ length: 8 }, () => expect.stringContaining('PHP')),
    )
    await page.keyboard.press('/')
    await page.keyboard.type('reference_id_reused')
    const found = page.locator('#found a')
    await found.first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#found').waitFor({ state: 'hidden' })
    await page.keyboard.type(' ')
    await found.first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#reference_id_reused')
    expect(faults).toEqual([])
  })

  it('searches and switches languages without script', async () => {
    const { page, faults } = await openWindow(browser, docs.origin, { javaScriptEnabled: false })
    await page.goto(`${docs.origin}/docs/guides/samples`)
    await page.locator('.tabs label', { hasText: 'Python' }).first().click()
    expect(await page.locator('.tabs').first().locator('.block:visible').textContent()).toContain('urllib')
    await page.getByRole('searchbox').fill('retention')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('link', { name: 'Retention', exact: true }).click()
    await page.waitForURL('**/docs/guides/personal-data#retention')
    expect(faults).toEqual([])
  })
})

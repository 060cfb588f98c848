import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { insertMembership } from '../../../src/people/store/memberships.ts'
import { addAxe, violations } from '../../support/axe.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

/** The menus of the frame: the apps of the person, and the account. */

let world: TestConsole
let otherId: string
beforeAll(async () => {
  world = await startTestConsole('console_menus')
  const { ctx } = world.tender.service
  otherId = (await world.tender.newMerchant()).sandbox.appId
  const licenseId = (await directory(ctx).app(otherId))?.licenseId ?? ''
  const now = ctx.clock.now()
  await insertMembership(ctx.db, {
    licenseId,
    personId: 'usr_owner',
    role: 'Viewer',
    refundLimits: null,
    now,
  })
})
afterAll(() => world?.stop())

it('lists the apps of the person, each with the screen that is open', async () => {
  const { html } = await world.get('Owner', 'payments')
  const menu = /<details class="more app-menu">.*?<\/details>/s.exec(html)?.[0] ?? ''
  expect(menu).toMatch(/<\/bdi> · Sandbox.*<\/bdi> · Live/s)
  expect(menu).toContain(`href="/console/${world.live.appId}/payments"`)
  expect(menu).toContain(`href="/console/${otherId}/payments"`)
  expect(menu.match(/aria-current/g)).toHaveLength(1)
  const switchOf = /<nav class="environments".*?<\/nav>/s.exec(html)?.[0] ?? ''
  expect(switchOf).not.toContain(otherId)
  expect((await world.get('Viewer', 'payments')).html).not.toContain(otherId)
})

it('names the person, with profile, theme and sign-out in the menu of the account', async () => {
  const { html } = await world.get('Owner', 'payments')
  const menu = /<details class="more account-menu">.*?<\/details>/s.exec(html)?.[0] ?? ''
  expect(menu).toContain('>OP</span>')
  expect(menu).toContain('You: Owner Person')
  expect(menu).toMatch(/<a href="\/console\/profile"><bdi>Owner Person<\/bdi>/)
  expect(menu).toMatch(/value="system" aria-pressed="true"/)
  expect(menu).toMatch(/action="\/console\/sign-out".*Sign out/s)
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())
  const url = (query = '') => `${world.origin}/console/${world.sandbox.appId}/payments${query}`

  it('opens by keyboard, closes with Escape and gives the focus back', async () => {
    const { page, close } = await world.open(browser, 'Owner')
    await page.goto(url())
    const summary = page.locator('.account-menu > summary')
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Dark' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Dark' }).waitFor({ state: 'hidden' })
    expect(await summary.evaluate((it) => it === document.activeElement)).toBe(true)
    await close()
  })

  it('changes the theme and the app without script', async () => {
    const { page, close } = await world.open(browser, 'Manager', { javaScriptEnabled: false })
    await page.goto(url('?state=Failed'))
    await page.locator('.account-menu > summary').click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.locator('html[data-theme="dark"]').waitFor()
    expect(page.url()).toBe(url('?state=Failed'))
    await page.locator('.app-menu > summary').click()
    await page.getByRole('link', { name: /· Live/ }).click()
    await page.waitForURL(`**/console/${world.live.appId}/payments`)
    await close()
  })

  it.each([
    { width: 320, lang: '' },
    { width: 320, lang: '?lang=ar-XB' },
    { width: 1280, lang: '?lang=ar-XB' },
    { width: 1280, lang: '' },
  ])('stay inside a window of $width px, open, $lang', async ({ width, lang }) => {
    const viewport = { width, height: 900 }
    const { page, close } = await world.open(browser, 'Owner', { viewport, reducedMotion: 'reduce' })
    await addAxe(page)
    await page.goto(url(lang))
    for (const menu of ['.app-menu', '.account-menu']) {
      await page.locator(`${menu} > summary`).click()
      const box = await page.locator(`${menu} a`).first().boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await violations(page, menu)).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
    await close()
  })
})

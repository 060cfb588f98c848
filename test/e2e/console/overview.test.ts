import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { notePageView } from '../../../src/logs/page-views/commands.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { sessions } from '../../../src/people/sessions/cache.ts'
import { insertMembership } from '../../../src/people/store/memberships.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_overview')
})
afterAll(() => world?.stop())

it('shows the set-up steps while the app is empty', async () => {
  const { html } = await world.get('Owner', 'overview')
  expect(html).toContain('Make a test payment')
  expect(html).not.toContain('class="tiles"')
  expect(html).toMatch(/verifies the signature.*?<a href="[^"]*\/developers\/webhooks">how to verify it/s)
  expect(html).toMatch(/passkey or a second factor\. <a href="\/console\/protect">/)
})

it('makes a test payment for those who may', async () => {
  const path = 'overview/test-payment'
  const made = await world.post('Owner', path, {}, 'overview')
  expect([made.status, made.location]).toEqual([303, expect.stringContaining('/c/')])
  expect((await world.post('Viewer', path, {}, 'overview')).status).toBe(403)
})

it('counts what happened, with money by currency', async () => {
  await world.sandbox.paid({ amount: 40, currency: 'EUR', autoCapture: true })
  const { html } = await world.get('Viewer', 'overview')
  expect(html).toContain('class="tiles"')
  expect(html).toMatch(/€40\.00/)
  expect(html).toContain('Show data')
})

it('shows how many pages were opened, and where a method was chosen', async () => {
  const { ctx } = world.tender.service
  const app = await loadApp(ctx, world.sandbox.appId)
  if (!app) throw new Error('no app')
  const [first, second] = [await world.sandbox.create(), await world.sandbox.create()]
  const seen = { language: 'en', isMobile: false }
  for (const { paymentId } of [first, second]) notePageView(ctx, app, { ...seen, paymentId, step: 'opened' })
  notePageView(ctx, app, { ...seen, paymentId: second.paymentId, step: 'chosen', method: 'Card' })
  await writeLogs(ctx)
  const { html } = await world.get('Viewer', 'overview')
  expect(html).toMatch(/Page opened<\/span><b>2</)
  expect(html).toMatch(/Method chosen<\/span><b>1</)
})

it('writes changes as people of the language do', async () => {
  const { sandbox } = world
  await sandbox.advance('30d')
  await sandbox.paid()
  await sandbox.advance('7d')
  for (const wish of [{}, {}, { outcome: 'insufficient-funds' }])
    await sandbox.pay((await sandbox.create()).paymentId, wish)
  expect((await world.get('Owner', 'overview')).html).toContain('▼ 33.3 points')
  expect((await world.get('Owner', 'overview?lang=de')).html).toContain('▼ 33,3 Punkte')
})

it('survives any range in the address', async () => {
  for (const query of ['range=x', 'range=custom&from=a&to=b', 'range=custom&from=2026-01-01&to=2026-12-31'])
    expect((await world.get('Owner', `overview?${query}`)).status).toBe(200)
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  it('ticks the first step when the test payment is paid in another tab', async () => {
    const { sandbox } = await world.tender.newMerchant()
    const { ctx } = world.tender.service
    const licenseId = (await loadApp(ctx, sandbox.appId))?.licenseId ?? ''
    const member = { licenseId, personId: 'usr_owner', role: 'Owner', refundLimits: null } as const
    await ctx.db.transaction((tx) => insertMembership(tx, { ...member, now: ctx.clock.now() }))
    sessions(ctx).clear()
    const browser = await launch()
    const window = await world.open(browser, 'Owner')
    await window.page.goto(`${world.origin}/console/${sandbox.appId}/overview`)
    const step = window.page.getByRole('heading', { name: 'Make a test payment' })
    expect(await step.textContent()).toContain('Open')
    await sandbox.paid({ autoCapture: true })
    await window.page.getByRole('heading', { name: 'Make a test payment Done' }).waitFor()
    await browser.close()
  })

  it('has the search and the button of the palette in one line, at 1280 px', async () => {
    const window = await world.open(browser, 'Owner', { viewport: { width: 1280, height: 900 } })
    await window.page.goto(`${world.origin}/console/${world.sandbox.appId}/overview`)
    const middle = (selector: string) =>
      window.page.locator(selector).evaluate((element) => {
        const { top, height } = element.getBoundingClientRect()
        return Math.round(top + height / 2)
      })
    await window.page.locator('.palette-open').waitFor()
    expect(await middle('.palette-open')).toBe(await middle('#find'))
    await window.close()
  })

  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it.each([
    ['desktop', { viewport: { width: 1280, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }],
  ] as const)('%s', async (name, options) => {
    const window = await world.open(browser, 'Owner', options)
    await window.page.goto(`${world.origin}/console/${world.sandbox.appId}/overview`)
    const { PICTURES } = process.env
    if (PICTURES) await window.page.screenshot({ path: `${PICTURES}/overview-${name}.png`, fullPage: true })
    expect(window.faults).toEqual([])
    const wide = await window.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    await window.close()
  })
})

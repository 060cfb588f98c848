import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { chromiumPath, launch } from '../support/browser.ts'
import { startTestConsole, type TestConsole } from '../support/console.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type ConsolePage, consoleGallery } from './console-gallery.ts'
import { seedConsole } from './console-seed.ts'

const FOLDER = 'screenshots/console'
const only = process.env.ONLY

/** Phone and desktop, light and dark, in German, and once from right to left. */
const LOOKS = [
  { look: 'desktop-light', width: 1280, colorScheme: 'light', lang: '' },
  { look: 'desktop-dark', width: 1280, colorScheme: 'dark', lang: '' },
  { look: 'phone-light', width: 390, colorScheme: 'light', lang: '' },
  { look: 'phone-dark', width: 390, colorScheme: 'dark', lang: '' },
  { look: 'desktop-german', width: 1280, colorScheme: 'light', lang: 'de' },
  { look: 'phone-german', width: 390, colorScheme: 'dark', lang: 'de' },
  { look: 'desktop-rtl', width: 1280, colorScheme: 'light', lang: 'ar-XB' },
] as const

let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
let world: TestConsole
let browser: Browser
let receiver: Receiver
let pages: readonly ConsolePage[]
beforeAll(async () => {
  expect(chromiumPath, 'needs Chromium: apt-get install chromium').toBeDefined()
  browser = await launch()
  receiver = await startReceiver()
  world = await startTestConsole('console_screenshots', { clock, rateLimit: 1_000 })
  const move = (beforeNowMs: number) => {
    aheadMs = -beforeNowMs
  }
  const seeded = await seedConsole(world, { move, webhookUrl: receiver.url })
  pages = consoleGallery(world, seeded).filter(({ name }) => !only || new RegExp(only).test(name))
  await mkdir(FOLDER, { recursive: true })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await receiver?.stop()
})

it.each(LOOKS)(
  'writes screenshots of every page of the console: $look',
  async ({ look, lang, ...options }) => {
    const viewport = { width: options.width, height: 900 }
    const { colorScheme } = options
    const { page, close } = await world.open(browser, 'Owner', { viewport, colorScheme })
    for (const { name, path } of pages) {
      const query = lang && `${path.includes('?') ? '&' : '?'}lang=${lang}`
      await page.goto(world.origin + path + query)
      // The whole page in one window, so that what is fixed to its edges does not cover the middle.
      const height = await page.evaluate(() => Math.max(document.documentElement.scrollHeight, 900))
      await page.setViewportSize({ width: options.width, height: Math.min(height, 6_000) })
      await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true })
      await page.setViewportSize(viewport)
    }
    await close()
  },
)

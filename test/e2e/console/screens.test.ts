import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { type ConsolePage, consoleGallery } from '../../browser/console-gallery.ts'
import { seedConsole } from '../../browser/console-seed.ts'
import { addAxe, COLOURS, contrastViolations, LAYOUT, violations } from '../../support/axe.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

/**
 * Every page of the console, derived from its routes. Each is seen in a wide window with light colours. A run
 * of all tests sees a part of them in a narrow window, in dark colours and with long texts; by name, all.
 */
const { of, nth } = inject('part')
const partOf = <T>(all: readonly T[]): T[] => all.filter((_, place) => place % of === nth)

let world: TestConsole
let receiver: Receiver
let pages: readonly ConsolePage[]
beforeAll(async () => {
  let stopped: Date | undefined
  const clock = { ...systemClock, now: () => stopped ?? systemClock.now() }
  world = await startTestConsole('console_screens', { clock, rateLimit: 1_000 })
  receiver = await startReceiver()
  pages = consoleGallery(world, await seedConsole(world, { webhookUrl: receiver.url }))
  // Some pages need a fresh proof, which stays fresh however long the rest takes.
  stopped = systemClock.now()
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

/** A link that has ended shows that; all other pages show something. */
const isExpected = (status: number, path: string): boolean =>
  status === (/\/(?:join|reset-\w[\w-]*|restore)\/A{43}$/.test(path) ? 404 : 200)

it('every page shows what there is', async () => {
  const wrong: string[] = []
  for (const { name, path } of pages) {
    const { status, location } = await world.get('Owner', path)
    if (!isExpected(status, path)) wrong.push(`${name} ${path} ${status} ${location}`)
  }
  expect(wrong).toEqual([])
  expect(pages.length).toBeGreaterThan(90)
})

/** A busy machine takes many times what a quiet one does. */
const TIMEOUT_MS = 1_200_000
/** In pixels: what is fixed to the edges of the window covers no content. */
const TALL = 4_000
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Buttons of more than three lines: their column is too narrow, so that words break. */
const tallButtonsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, .button')]
      .filter(({ offsetHeight }) => offsetHeight > 90)
      .map(({ textContent }) => textContent),
  )

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())
  // Transitions would be measured with intermediate colours.
  const open = () => world.open(browser, 'Owner', { reducedMotion: 'reduce' })

  it(
    'no page has axe violations, light and dark, wide and narrow, or scrolls sideways',
    async () => {
      const { page, faults, close } = await open()
      await addAxe(page)
      const found: string[] = []
      const judged = new Set<string>()
      const checkColours = async (name: string, colorScheme: 'light' | 'dark') => {
        await page.emulateMedia({ colorScheme })
        found.push(...(await contrastViolations(page, `${name}, ${colorScheme}`, judged)))
      }
      const everyWay = new Set(partOf(pages))
      for (const one of pages) {
        const { name, path } = one
        await page.setViewportSize({ width: 1280, height: TALL })
        await page.goto(world.origin + path)
        found.push(...(await violations(page, name, { without: COLOURS })))
        await checkColours(name, 'light')
        if (!everyWay.has(one)) continue
        await checkColours(name, 'dark')
        await page.setViewportSize({ width: 390, height: TALL })
        found.push(...(await violations(page, `${name}, phone`, { rules: LAYOUT })))
        await checkColours(`${name}, phone`, 'dark')
        await checkColours(`${name}, phone`, 'light')
        if ((await overflowOf(page)) > 0) found.push(`${name} is wider than a phone`)
        for (const button of await tallButtonsOf(page)) found.push(`${name} breaks the words of ${button}`)
      }
      expect(found).toEqual([])
      // Both schemes have many looks, so the texts were found.
      expect(judged.size).toBeGreaterThan(50)
      expect(faults).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )

  it.each(['en-XA', 'ar-XB'])(
    'every page fits 320 pixels with long texts: %s',
    async (lang) => {
      const { page, close } = await open()
      await page.setViewportSize({ width: 320, height: 700 })
      const wide: string[] = []
      for (const { name, path } of partOf(pages)) {
        await page.goto(`${world.origin}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        const pixels = await overflowOf(page)
        if (pixels > 0) wide.push(`${name}: ${pixels}`)
      }
      expect(wide).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )
})

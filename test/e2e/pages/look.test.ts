import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { BUDGETS, weigh } from '../../browser/budgets.ts'
import { type Exhibit, gallery } from '../../browser/gallery.ts'
import { chromiumPath } from '../../support/browser.ts'
import { stage } from '../../support/pages.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Light and dark, from left to right and from right to left, each once with each page. */
const LOOKS = [
  { colorScheme: 'light', lang: 'en', width: 1280 },
  { colorScheme: 'dark', lang: 'ar', width: 390 },
] as const

describe.skipIf(!chromiumPath)('every page', () => {
  const set = stage('pages_look')
  let exhibits: Exhibit[] = []
  beforeAll(async () => {
    exhibits = await gallery(set)
  })

  it.each(LOOKS)(
    'can be used by everybody: $colorScheme, $lang, $width pixels wide',
    async ({ colorScheme, lang, width }) => {
      const { page, context, faults } = await set.open('mouse', {
        colorScheme,
        viewport: { width, height: 900 },
      })
      await context.addCookies([{ name: 'lang', value: lang, url: set.tender.url }])
      const found: string[] = []
      for (const { name, url, before } of exhibits) {
        await page.goto(url)
        if (lang === 'en') await before?.(page)
        found.push(...(await violations(page, name)))
      }
      expect(found).toEqual([])
      expect(faults).toEqual([])
    },
    300_000,
  )

  it('weighs less than a packet burst of the first round trip', async () => {
    for (const { name, url } of exhibits) {
      const { totalKb, scriptKb } = await weigh(url)
      expect(totalKb, name).toBeLessThanOrEqual(BUDGETS.checkout.totalKb)
      expect(scriptKb, name).toBeLessThanOrEqual(BUDGETS.checkout.scriptKb)
    }
  })

  it('fits a window of 320 pixels with words 40 % longer', async () => {
    const { page, context } = await set.open('mouse', { viewport: { width: 320, height: 700 } })
    await context.addCookies([{ name: 'lang', value: 'en-XA', url: set.tender.url }])
    const wide: string[] = []
    for (const { name, url } of exhibits) {
      await page.goto(url)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 320) wide.push(`${name}: ${width}`)
    }
    expect(wide).toEqual([])
  }, 60_000)
})

async function violations(page: Page, name: string): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().withTags(TAGS).analyze()
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.target.join(' ')}`))
}

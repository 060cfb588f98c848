import { beforeAll, describe, expect, inject, it } from 'vitest'
import { budgetOf, weigh } from '../../browser/budgets.ts'
import { type Exhibit, gallery, goTo } from '../../browser/gallery.ts'
import { addAxe, COLOURS, contrastViolations, violations } from '../../support/axe.ts'
import { chromiumPath } from '../../support/browser.ts'
import { stage } from '../../support/pages.ts'

/** A left-to-right language at desktop width and a right-to-left one at phone width. */
const VARIANTS = [
  { lang: 'en', width: 1280 },
  { lang: 'ar', width: 390 },
] as const

/**
 * Each page is seen in a wide window with light colours. A run of all tests sees a part of them in a narrow
 * window, in dark colours and with long texts; by name, all.
 */
const { of, nth } = inject('part')
const partOf = <T>(all: readonly T[]): T[] => all.filter((_, place) => place % of === nth)

/** Only against pages that hang: a busy machine takes many times what a quiet one does. */
const TIMEOUT_MS = 1_200_000

describe.skipIf(!chromiumPath)('every page', () => {
  const set = stage('pages_accessibility')
  let exhibits: Exhibit[] = []
  beforeAll(async () => {
    exhibits = await gallery(set)
  })

  it.each(VARIANTS)(
    'has no axe violations, light and dark: $lang, $width pixels wide',
    async ({ lang, width }) => {
      const viewport = { width, height: 900 }
      // Transitions would be measured with intermediate colours.
      const still = { colorScheme: 'light', reducedMotion: 'reduce', viewport } as const
      const { page, context, faults } = await set.open('mouse', still)
      await addAxe(page)
      await context.addCookies([{ name: 'lang', value: lang, url: set.tender.url }])
      const found: string[] = []
      const judged = new Set<string>()
      const inPart = new Set(partOf(exhibits))
      for (const exhibit of lang === 'en' ? exhibits : inPart) {
        await page.emulateMedia({ colorScheme: 'light' })
        await goTo(page, exhibit)
        if (lang === 'en') await exhibit.before?.(page)
        found.push(...(await violations(page, exhibit.name, { without: COLOURS })))
        found.push(...(await contrastViolations(page, exhibit.name, judged)))
        if (!inPart.has(exhibit)) continue
        // The dark scheme changes only colours.
        await page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await contrastViolations(page, `${exhibit.name}, dark`, judged)))
      }
      expect(found).toEqual([])
      // Both schemes have several looks, so the texts were found.
      expect(judged.size).toBeGreaterThan(20)
      expect(faults).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'is within its size budget',
    async () => {
      for (const exhibit of exhibits) {
        const { totalKb, scriptKb } = await weigh(exhibit)
        expect(totalKb, exhibit.name).toBeLessThanOrEqual(budgetOf(exhibit.name).totalKb)
        expect(scriptKb, exhibit.name).toBeLessThanOrEqual(budgetOf(exhibit.name).scriptKb)
      }
    },
    TIMEOUT_MS,
  )

  it(
    'fits a window of 320 pixels with text 40 % longer',
    async () => {
      const { page, context } = await set.open('mouse', { viewport: { width: 320, height: 700 } })
      await context.addCookies([{ name: 'lang', value: 'en-XA', url: set.tender.url }])
      const wide: string[] = []
      for (const exhibit of partOf(exhibits)) {
        const { name } = exhibit
        await goTo(page, exhibit)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (width > 320) wide.push(`${name}: ${width}`)
      }
      expect(wide).toEqual([])
    },
    TIMEOUT_MS,
  )
})

import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>
}

const require = createRequire(import.meta.url)

const axeSource = (): string =>
  (createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string }).source

/** Runs axe on the page as it is. */
async function violations(page: Page, name: string, runOnly: object): Promise<string[]> {
  await page.evaluate(axeSource())
  const options = { runOnly, resultTypes: ['violations'], preload: false }
  const found = await page.evaluate(
    async (asked) => (await (globalThis as unknown as { axe: Axe }).axe.run(asked)).violations,
    options,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.target.join(' ')}`))
}

const EVERY_RULE = { type: 'tag', values: TAGS }
/** The dark scheme changes only colours. */
const CONTRAST = { type: 'rule', values: ['color-contrast'] }

const SIZES = [
  { name: 'light', width: 1280, colorScheme: 'light', rules: EVERY_RULE },
  { name: 'dark', width: 1280, colorScheme: 'dark', rules: CONTRAST },
  { name: 'phone', width: 390, colorScheme: 'light', rules: undefined },
  { name: 'narrow', width: 320, colorScheme: 'light', rules: undefined },
] as const

/**
 * Looks at a page as people do: light, dark, on a phone. It must have no axe violations and must not scroll
 * sideways. Where PICTURES names a folder, each look is written to it.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const { name: size, width, colorScheme, rules } of SIZES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const path = `${process.env.PICTURES}/${name}-${size}.png`
    if (process.env.PICTURES) await page.screenshot({ path, fullPage: true })
    if (rules) expect(await violations(page, `${name}, ${size}`, rules)).toEqual([])
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth, `${name}, ${size}`).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

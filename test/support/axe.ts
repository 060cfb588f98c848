import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The dark scheme changes only colours. */
export const COLOURS = ['color-contrast']
/** A narrow window changes what fits, overlaps and scrolls. */
export const LAYOUT = ['target-size', 'scrollable-region-focusable', 'region', 'landmark-unique']

/** Runs axe, which `addAxe` has added to the page. */
export async function violations(page: Page, name: string, rules?: readonly string[]): Promise<string[]> {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS }
  // Only violations are reported. Frames are checked as separate pages.
  const options = { runOnly, resultTypes: ['violations'], preload: false, iframes: false }
  const found = await page.evaluate(
    async (asked) => (await (globalThis as unknown as { axe: Axe }).axe.run(asked)).violations,
    options,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.target.join(' ')}`))
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>
}

const require = createRequire(import.meta.url)

/** Adds axe, half a megabyte, once per browser context. */
export const addAxe = (page: Page): Promise<unknown> => {
  const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string }
  return page.context().addInitScript({ content: source })
}

import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The dark scheme changes only colours. */
export const COLOURS = ['color-contrast']
/** A narrow window changes what fits, overlaps and scrolls. */
export const LAYOUT = ['target-size', 'scrollable-region-focusable', 'region', 'landmark-unique']

// Only violations are reported. Frames are checked as separate pages.
const COMMON = { resultTypes: ['violations'], preload: false, iframes: false }

interface AxeChoice {
  /** These alone; otherwise all rules of the tags. */
  readonly rules?: readonly string[]
  readonly without?: readonly string[]
}

/** Runs axe, which `addAxe` has added to the page. */
export async function violations(
  page: Page,
  name: string,
  { rules, without = [] }: AxeChoice = {},
): Promise<string[]> {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS }
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const found = await page.evaluate(
    async (asked) => (await (globalThis as unknown as { axe: Axe }).axe.run(document, asked)).violations,
    { ...COMMON, runOnly, rules: off },
  )
  return sentences(name, found)
}

const sentences = (name: string, found: readonly Violation[]): string[] =>
  found.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.target.join(' ')}`))

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

interface Axe {
  run(context: unknown, options: object): Promise<{ violations: Violation[] }>
}

/**
 * The contrast of texts that look different from all before. Contrast is the slowest rule by far, and follows
 * from the colour, size and weight of a text and the backgrounds behind it, which most texts share.
 */
export async function contrastViolations(page: Page, name: string, judged: Set<string>): Promise<string[]> {
  const options = { ...COMMON, runOnly: { type: 'rule', values: COLOURS } }
  const { looks, found } = await page.evaluate(judgeNewLooks, { known: [...judged], options })
  for (const look of looks) judged.add(look)
  return sentences(name, found)
}

interface Asked {
  readonly known: readonly string[]
  readonly options: object
}

/** Runs in the page, so it uses nothing from outside. */
async function judgeNewLooks({ known, options }: Asked): Promise<{ looks: string[]; found: Violation[] }> {
  const backgrounds = new Map<Element | null, string>([[null, '']])
  const backgroundOf = (element: Element | null): string => {
    const made = backgrounds.get(element)
    if (made !== undefined || element === null) return made ?? ''
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
    const own = `${backgroundColor} ${backgroundImage} ${opacity}`
    // What sets no background of its own adds nothing.
    const above = backgroundOf(element.parentElement)
    const look = own === 'rgba(0, 0, 0, 0) none 1' ? above : `${above}/${own}`
    backgrounds.set(element, look)
    return look
  }
  const hasText = (element: Element): boolean =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
  // Axe leaves out what is hidden or disabled: such an element says nothing about others of its look.
  const isJudged = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    const field = element.closest('label')?.control
    const isOff = element.closest(':disabled, [aria-disabled=true]') ?? field?.matches(':disabled')
    return width > 1 && height > 1 && !isOff && getComputedStyle(element).visibility === 'visible'
  }
  const before = new Set(known)
  const looks = new Map<string, number>()
  const chosen: Element[] = []
  // Several of each look, because one may happen to be covered.
  const most = 3
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasText(element) || !isJudged(element)) continue
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const look = [color, fontSize, fontWeight, textShadow, backgroundOf(element)].join(' ')
    const times = looks.get(look) ?? 0
    if (before.has(look) || times >= most) continue
    looks.set(look, times + 1)
    chosen.push(element)
  }
  if (chosen.length === 0) return { looks: [], found: [] }
  const { axe } = globalThis as unknown as { axe: Axe }
  const { violations: found } = await axe.run({ include: chosen }, options)
  return { looks: [...looks.keys()], found }
}

const require = createRequire(import.meta.url)

/** Adds axe, half a megabyte, once per browser context. */
export const addAxe = (page: Page): Promise<unknown> => {
  const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string }
  return page.context().addInitScript({ content: source })
}

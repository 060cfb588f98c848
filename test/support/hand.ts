import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Manner, pressOn, tabTo, tick } from './pages.ts'

/** A person at a page, by mouse, by keyboard alone or without script, who finds things by their names. */
export interface Hand {
  readonly page: Page
  readonly manner: Manner
  /** Presses a button. Where there is a shortcut, the keyboard uses it. */
  press(name: string | RegExp, shortcut?: string): Promise<void>
  /** Presses a button or link of its own. */
  pressOn(target: Locator): Promise<void>
  follow(name: string | RegExp): Promise<void>
  fill(label: string, value: string): Promise<void>
  pick(label: string, option: string): Promise<void>
  tick(label: string): Promise<void>
  sees(text: string | RegExp): Promise<void>
  /** The same person in a part of the page. */
  within(part: Locator): Hand
  /** What was pressed asks: in a dialog, or on a page of its own where there is no script. */
  asked(title: string | RegExp): Promise<Hand>
}

export function handAt(page: Page, manner: Manner, scope: Page | Locator = page): Hand {
  const press = (target: Locator) => pressOn(page, manner, target)
  return {
    page,
    manner,
    pressOn: press,
    async press(name, shortcut) {
      const target = scope.getByRole('button', { name, exact: true })
      if (manner !== 'keyboard' || shortcut === undefined) return press(target)
      await target.waitFor()
      await page.keyboard.press(shortcut)
    },
    follow: (name) => press(scope.getByRole('link', { name, exact: true })),
    fill: (label, value) => fill(page, manner, scope.getByLabel(label, { exact: true }), value),
    pick: (label, option) => pick(page, manner, scope.getByLabel(label, { exact: true }), option),
    tick: (label) => tick(page, manner, scope.getByLabel(label, { exact: true })),
    sees: (text) => scope.getByText(text).first().waitFor(),
    within: (part) => handAt(page, manner, part),
    asked: async (title) => handAt(page, manner, await questionOf(page, manner, title)),
  }
}

async function questionOf(page: Page, manner: Manner, title: string | RegExp): Promise<Page | Locator> {
  if (manner === 'no script') {
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    return page
  }
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  // The keyboard goes on inside the dialog.
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  return dialog
}

async function fill(page: Page, manner: Manner, field: Locator, value: string): Promise<void> {
  if (manner !== 'keyboard') return field.fill(value)
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(value)
}

/** More than a list has options. */
const MAX_OPTIONS = 200

async function pick(page: Page, manner: Manner, list: Locator, option: string): Promise<void> {
  if (manner !== 'keyboard') return void (await list.selectOption({ label: option }))
  await tabTo(page, list)
  await page.keyboard.press('Home')
  const chosen = () => list.evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]?.label ?? '')
  for (let presses = 0; presses < MAX_OPTIONS && (await chosen()) !== option; presses++)
    await page.keyboard.press('ArrowDown')
  expect(await chosen()).toBe(option)
}

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { launch, openWindow, type Watched } from './browser.ts'
import {
  type Answer,
  startTestService,
  type TestApp,
  type TestService,
  type TestServiceOptions,
} from './tender.ts'

/** The ways in which people use the pages. */
export type Manner = 'mouse' | 'no script' | 'keyboard'
export const MANNERS: readonly Manner[] = ['mouse', 'no script', 'keyboard']

export interface Stage {
  readonly tender: TestService
  readonly shop: TestApp
  readonly browser: Browser
  open(manner?: Manner, options?: BrowserContextOptions): Promise<Watched>
}

/** The service and a browser for one file of tests. */
export function stage(name: string, options: TestServiceOptions = {}): Stage {
  // A browser on a busy machine takes its time; nothing here is about speed.
  vi.setConfig({ testTimeout: 120_000 })
  const made: { tender?: TestService; browser?: Browser } = {}
  const windows: Watched[] = []
  beforeAll(async () => {
    made.tender = await startTestService(name, options)
    made.browser = await launch()
  })
  afterAll(async () => {
    await Promise.all(windows.map((each) => each.close()))
    await made.browser?.close()
    await made.tender?.stop()
  })
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the stage is not set yet')
    return value
  }
  return {
    get tender() {
      return present(made.tender)
    },
    get shop() {
      return present(made.tender).sandbox
    },
    get browser() {
      return present(made.browser)
    },
    async open(manner = 'mouse', more = {}) {
      const javaScriptEnabled = manner !== 'no script'
      const { url } = present(made.tender)
      const opened = await openWindow(present(made.browser), url, { javaScriptEnabled, ...more })
      windows.push(opened)
      return opened
    },
  }
}

export const CARD = { number: '4111 1111 1111 1111', expiry: '11 / 31', code: '987', name: 'Dana Doe' }

/** Presses, by mouse or by keyboard alone. */
export async function press(
  page: Page,
  manner: Manner,
  name: string | RegExp,
  role: Role = 'button',
): Promise<void> {
  return pressOn(page, manner, page.getByRole(role, { name }).first())
}

/** The same for whatever has no role by which to find it, or stands in a frame. */
export async function pressOn(page: Page, manner: Manner, target: Locator): Promise<void> {
  if (manner !== 'keyboard') return target.click()
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

type Role = 'button' | 'link'

/** More than any page has things to stop at. */
const MAX_TABS = 200

/** Reaches an element with the Tab key and nothing else. The focus must be visible there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  // Scripts that move the focus or change fields have run then.
  await page.waitForLoadState()
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement))
      return expect.poll(() => target.evaluate(showsFocus), { message: 'the focus is visible' }).toBe(true)
    await page.keyboard.press('Tab')
  }
  throw new Error('cannot be reached by keyboard')
}

/** Whether the element is in view and it, or what is drawn around or beside it, has an outline. */
function showsFocus(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const isInView = bottom > 0 && top < innerHeight
  const around = [element, element.parentElement, element.parentElement?.parentElement]
  return (
    isInView &&
    [...around, element.nextElementSibling].some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
  )
}

export async function choose(page: Page, manner: Manner, title: string | RegExp): Promise<void> {
  const radio = page.getByRole('radio', { name: title })
  if (manner !== 'keyboard') return radio.check()
  await tabTo(page, page.locator('input[type=radio]:checked'))
  for (let presses = 0; presses < 12 && !(await radio.isChecked()); presses++)
    await page.keyboard.press('ArrowDown')
  expect(await radio.isChecked()).toBe(true)
}

/** Types into the fields of the chosen method, one after the other. */
export async function type(
  page: Page,
  manner: Manner,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await typeInto(page, manner, page.locator('form:visible').getByLabel(label, { exact: true }), value)
  }
}

/** A field that is reached with the Tab key has all of its text selected: typing replaces it. */
export async function typeInto(page: Page, manner: Manner, field: Locator, value: string): Promise<void> {
  if (manner !== 'keyboard') return field.fill(value)
  await tabTo(page, field)
  await page.keyboard.type(value)
}

export const typeCard = (page: Page, manner: Manner, card: Partial<typeof CARD> = {}): Promise<void> => {
  const { number, expiry, code, name } = { ...CARD, ...card }
  return type(page, manner, {
    'Card number': number,
    Expiry: expiry,
    'Security code': code,
    'Name on card': name,
  })
}

/** Card typed, Pay pressed. */
export async function payByCard(page: Page, manner: Manner, card: Partial<typeof CARD> = {}): Promise<void> {
  await typeCard(page, manner, card)
  await press(page, manner, /^(Pay|Authorise)/)
}

export const heading = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name: text }).waitFor({ timeout: 60_000 })

/** Ticks a box; by keyboard with the space bar. */
export async function tick(page: Page, manner: Manner, box: Locator): Promise<void> {
  if (manner !== 'keyboard') return box.check()
  await tabTo(page, box)
  await page.keyboard.press('Space')
  expect(await box.isChecked()).toBe(true)
}

/** The one charge that the bank's own books show. */
export async function onlyCharge(shop: TestApp, payment: Answer, kinds = ['sale']): Promise<void> {
  const entries = await shop.ledger(payment.paymentId)
  const done = entries.filter(({ status }) => status === 'done').map(({ kind }) => kind)
  expect(done).toEqual(kinds)
}

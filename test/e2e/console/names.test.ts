import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/**
 * Names that other clients find things by, in English: addresses of screens, labels of fields and names of
 * buttons. They are written here again, so that a changed text is noticed.
 */

let world: TestConsole
let paid: number
let authorized: number
let held: number
beforeAll(async () => {
  world = await startTestConsole('console_names')
  const { sandbox } = world
  good(await sandbox.call('PATCH', '', { paymentWebhookUrl: { value: 'http://127.0.0.1:9/hooks' } }))
  const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
  const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', { name: 'Holds', rules }))
  paid = (await sandbox.paid()).paymentId
  authorized = (await sandbox.paid({ autoCapture: false })).paymentId
  held = (await sandbox.create({ fraudPolicyId })).paymentId
  good(await sandbox.pay(held, { outcome: 'elevated-risk' }))
})
afterAll(() => world?.stop())

const SCREENS = [
  ...['overview', 'payments', 'payments/{paid}', 'reviews', 'links', 'customers', 'customers/dana'],
  ...['providers', 'routing', 'fraud', 'developers', 'team', 'audit', 'settings'],
]

const pathOf = (screen: string): string =>
  screen
    .replace('{paid}', String(paid))
    .replace('{authorized}', String(authorized))
    .replace('{held}', String(held))

it('screens have their addresses', async () => {
  const wrong: string[] = []
  for (const screen of [...SCREENS.map(pathOf), '/console/profile', '/console/system']) {
    const { status, location } = await world.get('Owner', screen)
    // The first of the tabs of the developers.
    const isFound = status === 200 || location?.endsWith('/developers/keys')
    if (!isFound) wrong.push(`${screen} ${status}`)
  }
  expect(wrong).toEqual([])
})

/** Buttons, each with its page. Those that ask are pressed: the question has such a button too. */
const BUTTONS = [
  { page: 'payments', name: 'Export' },
  { page: 'payments/{paid}', name: 'Refund', asks: true },
  { page: 'payments/{authorized}', name: 'Capture', asks: true },
  { page: 'payments/{authorized}', name: 'Cancel payment', asks: true },
  { page: 'payments/{held}', name: 'Release', asks: true },
  { page: 'payments/{paid}', name: 'Recheck' },
  { page: 'payments/{paid}', name: 'Resend' },
  { page: 'reviews', name: 'Release', asks: true },
  { page: 'links', name: 'Create payment link' },
  { page: 'links/new', name: 'Create payment link' },
  { page: 'providers', name: 'Add provider' },
  { page: 'providers/add/stripe', name: 'Test connection' },
  { page: 'developers', name: 'Create key', asks: true },
  { page: 'developers/webhooks', name: 'Resend' },
  { page: 'audit', name: 'Export' },
  { page: 'audit', name: 'Sign out' },
]

const FIELDS = [
  { page: 'payments', label: 'Search payments' },
  { page: 'payments/{paid}/refund', label: 'Amount' },
  { page: 'payments/{paid}/refund', label: 'Note about the refund' },
  { page: 'links/new', label: 'Amount' },
]

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launch()
    page = (await world.open(browser, 'Owner')).page
  })
  afterAll(() => browser?.close())
  const go = (screen: string) => page.goto(`${world.origin}/console/${world.sandbox.appId}/${pathOf(screen)}`)

  it.each(BUTTONS)('$page has the button $name', async ({ page: screen, name, asks }) => {
    await go(screen)
    const button = page.getByRole('button', { name, exact: true }).first()
    await button.waitFor()
    if (!asks) return
    await button.click()
    const verb = new RegExp(`^${name.split(' ')[0]}\\b`)
    await page.getByRole('dialog').getByRole('button', { name: verb }).waitFor()
  })

  it.each(FIELDS)('$page has the field $label', async ({ page: screen, label }) => {
    await go(screen)
    expect(await page.getByLabel(label, { exact: true }).count()).toBe(1)
  })

  it('the badge of a payment has its state in the text and in data-state', async () => {
    await go('payments/{held}')
    const badge = page.locator('h1 [data-state]')
    expect(await badge.getAttribute('data-state')).toBe('ProviderAuthorizedHold')
    expect(await badge.textContent()).toBe('Authorized, held')
  })
})

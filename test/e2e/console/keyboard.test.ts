import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAxe, violations } from '../../support/axe.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

describe.skipIf(!chromiumPath)('the keyboard', () => {
  let console_: TestConsole
  let browser: Browser
  let paymentId: number
  beforeAll(async () => {
    console_ = await startTestConsole('console_keyboard')
    browser = await launch()
    paymentId = (await console_.sandbox.paid({ amount: 10 })).paymentId
  })
  afterAll(async () => {
    await browser?.close()
    await console_?.stop()
  })

  const screen = (path: string) => `${console_.origin}/console/${console_.sandbox.appId}/${path}`
  const open = async (path: string) => {
    const watched = await console_.open(browser, 'Owner', { reducedMotion: 'reduce' })
    await watched.page.goto(screen(path))
    return watched
  }
  const focused = (page: Page, selector: string) =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)

  it('goes to pages, focuses the search and shows the list of shortcuts', async () => {
    const { page, faults, close } = await open(`payments/${paymentId}`)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Open or close the dock').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    expect(await focused(page, '#find')).toBe(true)
    await page.keyboard.type('gar?')
    expect(await page.inputValue('#find')).toBe('gar?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForURL(screen('audit'))
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('opens questions, never acts', async () => {
    const { page, close } = await open(`payments/${paymentId}`)
    // An authorised payment has "c"; a captured one ignores it.
    await page.keyboard.press('c')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: `Refund payment ${paymentId}` }).waitFor()
    expect((await console_.sandbox.read(paymentId)).refundedAmount).toBe(0)
    await close()
  }, 60_000)

  it('is off for a person who turned it off', async () => {
    const { page, close } = await open(`payments/${paymentId}`)
    await page.evaluate(() => document.body.setAttribute('data-shortcuts', 'off'))
    await page.keyboard.press('r')
    await page.keyboard.press('/')
    expect(await focused(page, '#find')).toBe(false)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await close()
  }, 60_000)

  it('moves through the rows of a list', async () => {
    const { page, close } = await open('audit')
    await page.evaluate(() => {
      const rows = [1, 2, 3].map(
        (n) =>
          `<tr data-href="/console/x/${n}"><td><input type="checkbox" name="n"></td>` +
          `<td><a href="/console/x/${n}">${n}</a></td></tr>`,
      )
      document.querySelector('main')?.insertAdjacentHTML('beforeend', `<table>${rows.join('')}</table>`)
    })
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused(page, 'a[href="/console/x/2"]')).toBe(true)
    await page.keyboard.press('x')
    expect(await page.locator('tr[data-href="/console/x/2"] input').isChecked()).toBe(true)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/x/2')
    await close()
  }, 60_000)

  it('opens the dock and follows the object on screen', async () => {
    const { page, faults, close } = await open(`payments/${paymentId}`)
    await page.keyboard.press('.')
    const dock = page.getByRole('complementary', { name: 'Developer dock' })
    await dock.getByRole('button', { name: 'Events' }).click()
    await dock.getByText(`evt_${paymentId}_1`).waitFor()
    await dock.getByRole('button', { name: 'API' }).click()
    await dock.getByText(`/payments/${paymentId}'`).waitFor()
    await page.keyboard.press('.')
    expect(await dock.locator('.dock-body').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('has a palette that goes, acts and finds', async () => {
    const { page, faults, close } = await open(`payments/${paymentId}`)
    await addAxe(page)
    await page.reload()
    const asked: string[] = []
    await page.route('**/search?q=*', (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q') ?? '')
      const href = `/console/${console_.sandbox.appId}/payments/${paymentId}`
      return route.fulfill({ json: [{ kind: 'payment', label: '€10.00', href, detail: 'dana' }] })
    })
    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const field = palette.getByRole('combobox')
    await palette.getByRole('option', { name: 'Audit log' }).waitFor()
    expect(await violations(page, 'palette')).toEqual([])

    // What the server finds stands first and is chosen by Enter.
    await field.fill('4242')
    await palette.getByRole('option', { name: '€10.00 Payment · dana' }).waitFor()
    expect(asked).toEqual(['4242'])
    const loaded = page.waitForEvent('load')
    await page.keyboard.press('Enter')
    await loaded
    expect(page.url()).toBe(screen(`payments/${paymentId}`))

    await page.keyboard.press('ControlOrMeta+k')
    await palette.getByRole('option', { name: /^Refund\b/ }).click()
    await page.getByRole('dialog', { name: `Refund payment ${paymentId}` }).waitFor()
    await page.keyboard.press('Escape')

    await page.unroute('**/search?q=*')
    await page.keyboard.press('ControlOrMeta+k')
    await field.fill('create payment')
    await palette.getByRole('option', { name: 'Create payment link' }).waitFor()
    await field.fill('audi')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await field.getAttribute('aria-activedescendant')).toBe('palette-0')
    await page.keyboard.press('Enter')
    await page.waitForURL(screen('audit'))

    await page.keyboard.press('ControlOrMeta+k')
    await palette.getByRole('group', { name: 'Recent' }).getByText(`Payment ${paymentId}`).waitFor()
    expect(faults).toEqual([])
    await close()
  }, 60_000)
})

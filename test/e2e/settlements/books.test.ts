import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type LedgerRows, ledgerRows } from '../../support/ledger.ts'
import { good } from '../../support/tender.ts'

let world: TestConsole
let rows: LedgerRows
let month: string
beforeAll(async () => {
  world = await startTestConsole('e2e_books', { role: 'web' })
  rows = ledgerRows(world.tender.service.ctx.db, world.sandbox.appId)
})
afterAll(() => world?.stop())

interface FeeRow {
  readonly name: string | null
  readonly currency: string
  readonly fees: number
  readonly gross: number
  readonly effectiveRate: number | null
}
const feesBy = async (by: string, range = ''): Promise<FeeRow[]> =>
  good(await world.sandbox.call('GET', `ledger/fees?by=${by}${range}`)).fees
const accountFees = async (): Promise<number> =>
  good(await world.sandbox.call('GET', 'ledger/balances'))
    .balances.filter(({ account }: { account: string }) => account === 'fees')
    .reduce((sum: number, { balance }: { balance: number }) => sum + balance, 0)

it('has no books before the first settlement', async () => {
  const { html, status } = await world.get('Viewer', 'books')
  expect(status).toBe(200)
  expect(html).toContain('There are no books yet')
  expect(html).not.toContain('>Balances and fees</a>')
  expect(await feesBy('provider')).toEqual([])
})

it('adds up fees by profile, method, country and month, with the effective rate', async () => {
  const paid = await world.sandbox.paid({ amount: 100 })
  const late = await world.sandbox.paid({ amount: 50 })
  const { paymentProfileId: profileId } = paid.payInfo.paymentProfile
  const time = new Date(paid.createdTime)
  month = paid.createdTime.slice(0, 7)
  const line = { profileId, currency: 'EUR', time }
  await rows.line({ ...line, gross: 10_000n, fee: 200n, net: 9_800n, paymentId: paid.paymentId })
  const lateLine = await rows.line({ ...line, gross: 5_000n, fee: 150n, net: 4_850n })
  await rows.line({ ...line, kind: 'fee', gross: -25n, net: -25n })
  const card = { currency: 'EUR', fees: 2, gross: 100, effectiveRate: 2 }
  const without = { name: null, currency: 'EUR', fees: 1.75, gross: 50, effectiveRate: 3.5 }
  expect(await feesBy('method')).toEqual([{ name: 'CreditCard', ...card }, without])
  expect(await feesBy('country')).toEqual([{ name: 'US', ...card }, without])
  const all = { currency: 'EUR', fees: 3.75, gross: 150, effectiveRate: 2.5 }
  expect(await feesBy('provider')).toEqual([{ name: String(profileId), ...all }])
  expect(await feesBy('month')).toEqual([{ name: month, ...all }])
  expect(await feesBy('month', '&to=2020-01-01')).toEqual([])
  expect(await accountFees()).toBe(3.75)
  // The payment of a line that was unknown is found: the fee moves to its method, on the same day.
  await rows.match(lateLine, late.paymentId)
  expect(await feesBy('method')).toEqual([
    { name: 'CreditCard', currency: 'EUR', fees: 3.5, gross: 150, effectiveRate: 2.33 },
    { name: null, currency: 'EUR', fees: 0.25, gross: 0, effectiveRate: null },
  ])
  expect(await accountFees()).toBe(3.75)
})

it('takes what was converted in the currency of the balance', async () => {
  const paid = await world.sandbox.paid({ amount: 100 })
  const { paymentProfileId: profileId } = paid.payInfo.paymentProfile
  const time = new Date(paid.createdTime)
  const converted = { gross: 10_000n, fee: 300n, net: 9_200n, settlementCurrency: 'GBP' }
  await rows.line({ profileId, currency: 'EUR', time, ...converted, paymentId: paid.paymentId })
  expect((await feesBy('provider')).filter(({ currency }) => currency === 'GBP')).toEqual([
    { name: String(profileId), currency: 'GBP', fees: 3, gross: 95, effectiveRate: 3.16 },
  ])
})

it('shows the balances of a month by day, its fees, and whether it is closed', async () => {
  // The app of the menu has settlements now.
  await rows.query(
    `insert into settlement_sources (app_id, profile_id, is_active, begin_time, unpaid_until)
     select app_id, profile_id, false, now(), now() from payment_profiles where app_id = $1 limit 1`,
    world.sandbox.appId,
  )
  await expect.poll(async () => (await world.get('Viewer', 'overview')).html).toContain('Balances and fees')
  const { html } = await world.get('Viewer', `books?month=${month}&account=sales..EUR`)
  expect(html).toContain('This month is open.')
  expect(html).toMatch(/Sales, EUR by day/)
  expect(html).toMatch(/€3\.75 \(2\.5%\)/)
  expect(html).toMatch(/United States/)
  expect((await world.get('Support', 'books')).status).toBe(403)
  expect((await world.get('Viewer', 'books?month=x&account=%3Cb%3E&currency=%22')).status).toBe(200)
})

it('gives the journal of a month in each format, and the audit log has it', async () => {
  const heads = { csv: /^\uFEFF?entry/i, hledger: /assets:clearing/, beancount: /Assets:Clearing/ }
  for (const [format, head] of Object.entries(heads)) {
    const { status, html } = await world.get('Owner', `books/journal?format=${format}&month=${month}`)
    expect([format, status]).toEqual([format, 200])
    expect(html).toMatch(head)
  }
  const { html } = await world.get('Owner', 'audit')
  expect(html).toContain('ledger')
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it('fits a phone, and a column of a chart opens its payments', async () => {
    const window = await world.open(browser, 'Owner', { viewport: { width: 390, height: 800 } })
    const { page } = window
    const base = `${world.origin}/console/${world.sandbox.appId}`
    for (const path of ['payouts', 'payouts/sources', 'books', 'overview']) {
      await page.goto(`${base}/${path}`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      // No amount and no button is beside the window either.
      const hidden = await page
        .locator('.stacked td')
        .evaluateAll(
          (cells) => cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth).length,
        )
      expect([path, wide, hidden]).toEqual([path, 0, 0])
    }
    await page.locator('.chart-plot a').first().click()
    await page.waitForURL(/\/payments\?q=state:paid&currency=EUR&from=/)
    expect(window.faults).toEqual([])
    await window.close()
  })
})

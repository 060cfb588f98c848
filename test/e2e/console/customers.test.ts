import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE, after as plus } from '../../../src/base/clock.ts'
import { verifyPanelToken } from '../../../src/customers/panel.ts'
import { panelJob } from '../../../src/customers/panel-jobs.ts'
import { openPanelSession } from '../../../src/customers/panel-sessions.ts'
import { addAxe, violations } from '../../support/axe.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_customers')
})
afterAll(() => world?.stop())

const path = (customerId: string): string => `customers/${encodeURIComponent(customerId)}`

/** A customer that has paid 40 EUR; its card is stored. */
const stored = (customerId: string, more: object = {}) =>
  world.sandbox.paid({
    amount: 40,
    currency: 'EUR',
    autoCapture: true,
    registerAutoPayment: true,
    customerOrder: { customer: { customerId, firstName: 'Dana', lastName: 'Doe <b>', ...more } },
  })

describe('the list', () => {
  it('says how customers come, then finds them by text and by blocked', async () => {
    expect((await world.get('Viewer', 'customers')).html).toContain('No customers')
    await stored('list/1 ä')
    await world.post('Support', 'new-customer', { customerId: 'list-2', email: 'two@shop.example' })
    const all = await world.get('Viewer', 'customers')
    expect(all.html).toContain(`/customers/${encodeURIComponent('list/1 ä')}"`)
    expect(all.html).not.toContain('Doe <b>')
    expect(all.html).not.toContain('New customer')
    const found = await world.get('Viewer', 'customers?q=two@shop')
    expect(found.html).toContain('list-2')
    expect(found.html).not.toContain('list/1')
    expect((await world.get('Viewer', 'customers?blocked=yes')).html).toContain('No customer matches')
    for (const query of ['cursor=x', 'cursor=999999', 'policy=x', 'blocked=toString', 'q=%27%5C'])
      expect((await world.get('Viewer', `customers?${query}`)).status).toBe(200)
  })
})

describe('a customer', () => {
  it('is created once, with the problem beside its field', async () => {
    const made = await world.post('Support', 'new-customer', { customerId: 'new', firstName: 'Kim' })
    expect(made.location).toMatch(/\/customers\/new\?note=created$/)
    const again = await world.post('Support', 'new-customer', { customerId: 'new', firstName: 'Kim' })
    expect([again.status, again.html]).toEqual([409, expect.stringContaining('value="Kim"')])
    expect((await world.post('Support', 'new-customer', { customerId: '' })).status).toBe(400)
    expect((await world.get('Viewer', 'new-customer')).status).toBe(403)
    expect((await world.get('Viewer', 'customers/unknown')).status).toBe(404)
  })

  it('shows details, totals and payments, and is edited', async () => {
    const { paymentId } = await stored('a/b?c')
    const { html } = await world.get('Viewer', path('a/b?c'))
    for (const text of ['Dana Doe', '€40.00', `/payments/${paymentId}`, 'Default policy of the app'])
      expect(html).toContain(text)
    expect(html).not.toContain('Erase')
    expect((await world.get('Viewer', `${path('a/b?c')}/payments`)).html).toContain(`/payments/${paymentId}`)
    const edit = `${path('a/b?c')}/edit`
    const fields = { firstName: 'Eve', lastName: '', email: 'eve@shop.example', mobileNumber: '' }
    expect((await world.post('Support', edit, fields)).location).toContain('note=edited')
    const { body } = await world.sandbox.call('GET', path('a/b?c'))
    expect(body).toMatchObject({ firstName: 'Eve', lastName: null, email: 'eve@shop.example' })
    const long = await world.post('Support', edit, { ...fields, mobileNumber: '1'.repeat(60) })
    expect([long.status, long.html]).toEqual([400, expect.stringContaining('aria-invalid="true"')])
  })

  it('is blocked, unblocked, and its counters start from zero', async () => {
    await stored('risky')
    const page = path('risky')
    expect((await world.post('Support', `${page}/block`, {})).location).toContain('note=blocked')
    expect((await world.get('Viewer', 'customers?blocked=yes')).html).toContain('/customers/risky"')
    expect((await world.get('Manager', page)).html).toContain('title="The customer is blocked."')
    await world.post('Support', `${page}/unblock`, {})
    await world.post('Support', `${page}/reset`, {})
    const { html } = await world.get('Viewer', `${page}/activity`)
    const log = html.slice(html.lastIndexOf('<tbody>'))
    for (const text of ['Blocked', 'Unblocked', 'Counters reset', 'Method added', 'support@example.com'])
      expect(log).toContain(text)
    const filtered = (await world.get('Viewer', `${page}/activity?type=PolicyReset`)).html
    expect(filtered.slice(filtered.lastIndexOf('<tbody>'))).not.toContain('Unblocked')
  })

  it('has a policy', async () => {
    await stored('judged')
    const made = await world.sandbox.call('POST', 'fraud-policies', { name: 'Strict' })
    const policy = String(made.body.fraudPolicyId)
    const page = `${path('judged')}/activity`
    const unknown = await world.post('Support', `${path('judged')}/policy`, { policy: '77777' }, page)
    expect([unknown.status, unknown.html]).toEqual([422, expect.stringContaining('no fraud policy')])
    const changed = await world.post('Support', `${path('judged')}/policy`, { policy }, page)
    expect(changed.location).toContain('note=policy')
    expect((await world.get('Viewer', page)).html).toContain('Default policy of the app → Strict')
    expect((await world.get('Viewer', `customers?policy=${policy}`)).html).toContain('/customers/judged"')
  })
})

describe('stored methods', () => {
  it('are charged once by a form that is sent twice', async () => {
    await stored('charged')
    const charge = `${path('charged')}/charge`
    const { html } = await world.get('Manager', charge)
    const method = /<select id="charge-method"[^>]*><option value="(\d+)"/.exec(html)?.[1] ?? ''
    const reference = /value="(manual-[^"]+)"/.exec(html)?.[1] ?? ''
    const fields = { amount: '12,50', currency: 'EUR', method, reference, description: 'Fee' }
    const first = await world.post('Manager', charge, fields)
    const id = Number(/\/payments\/(\d+)$/.exec(first.location ?? '')?.[1])
    expect(await world.sandbox.read(id)).toMatchObject({
      amount: 12.5,
      paymentState: 'Captured',
      paymentFlow: 'AutoPayment',
      customerId: 'charged',
    })
    expect((await world.post('Manager', charge, fields)).location).toBe(first.location)
    const wrong = await world.post('Manager', charge, { ...fields, amount: 'ten', reference: 'other' })
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('value="ten"')])
    expect((await world.get('Support', charge)).status).toBe(403)
    const auto = await world.get('Viewer', `${path('charged')}/auto-payments`)
    expect(auto.html).toContain(`/payments/${id}`)
    expect(auto.html).not.toContain('/stop')
  })

  it('are stopped at a profile and removed', async () => {
    await stored('leaving')
    const page = path('leaving')
    const { html } = await world.get('Support', `${page}/methods`)
    expect(html).toContain('•••• 4242')
    const remove = /customers\/leaving\/methods\/\d+\/remove/.exec(html)?.[0] ?? ''
    expect((await world.get('Support', remove)).html).toContain('Remove method')
    expect((await world.post('Support', remove, {})).location).toContain('note=removed')
    expect((await world.get('Support', `${page}/methods`)).html).toContain('No stored methods')
    expect((await world.get('Support', remove)).status).toBe(404)

    await stored('stopping')
    const auto = (await world.get('Support', `${path('stopping')}/auto-payments`)).html
    const stop = /customers\/stopping\/auto-payments\/\d+\/stop/.exec(auto)?.[0] ?? ''
    expect((await world.post('Support', stop, {})).location).toContain('note=stopped')
    expect((await world.get('Manager', path('stopping'))).html).toContain('has no stored method')
  })
})

it('gives a panel link that opens the panel', async () => {
  await stored('panel')
  const { html } = await world.post('Support', `${path('panel')}/panel-link`, { scope: 'CreditCard' })
  const link = /data-copy="([^"]+\/p\/[^"]+)"/.exec(html)?.[1] ?? ''
  const mail = /<textarea[^>]*readonly[^>]*>([^<]*)</.exec(html)?.[1]
  expect(mail).toContain(link)
  expect(mail).toContain('The link works once, until')
  expect((await fetch(link, { redirect: 'manual' })).status).toBeLessThan(400)
  expect((await world.get('Viewer', `${path('panel')}/panel-link`)).status).toBe(403)
})

it.each([
  ['hour', 59, 61],
  ['day', 23 * 60, 25 * 60],
  ['week', 7 * 24 * 60 - 1, 7 * 24 * 60 + 1],
  // Anything else is the shortest.
  ['9999999', 59, 61],
])('gives a panel link that works for the chosen time: %s', async (expiry, before, after) => {
  const { sandbox, tender } = world
  await stored(`panel-${expiry}`)
  const fields = { scope: 'All', expiry }
  const { html } = await world.post('Support', `${path(`panel-${expiry}`)}/panel-link`, fields)
  const token = /data-copy="[^"]+\/p\/([^"]+)"/.exec(html)?.[1] ?? ''
  const { ctx } = tender.service
  const at = (minutes: number) =>
    verifyPanelToken(
      { ...ctx, clock: { ...ctx.clock, now: () => plus(ctx.clock.now(), minutes * MINUTE) } },
      token,
    )
  expect((await at(before))?.hasExpired).toBe(false)
  expect((await at(after))?.hasExpired).toBe(true)
  expect((await at(0))?.app.appId).toBe(sandbox.appId)
})

it('a panel link of seven days opens one session only, also when that one is long over', async () => {
  await stored('panel-once')
  const fields = { scope: 'All', expiry: 'week' }
  const { html } = await world.post('Support', `${path('panel-once')}/panel-link`, fields)
  const token = /data-copy="[^"]+\/p\/([^"]+)"/.exec(html)?.[1] ?? ''
  const { ctx } = world.tender.service
  const link = await verifyPanelToken(ctx, token)
  if (!link) throw new Error('no link')
  expect(await openPanelSession(ctx, link.app, link.grant, token)).toBeDefined()
  const later = { ...ctx.clock, now: () => plus(ctx.clock.now(), 6 * DAY) }
  await panelJob({ ...ctx, clock: later }).runOnce()
  expect(await openPanelSession({ ...ctx, clock: later }, link.app, link.grant, token)).toBeUndefined()
})

it('erases personal data, but not while a payment moves', async () => {
  await stored('erased', { email: 'gone@shop.example' })
  const erase = `${path('erased')}/erase`
  expect((await world.get('Manager', erase)).status).toBe(403)
  expect((await world.get('Admin', erase)).html).toContain('This cannot be undone.')
  // A debit, which the bank confirms when the clock is moved.
  const customerOrder = { customer: { customerId: 'erased' } }
  const { paymentId } = await world.sandbox.create({ currency: 'EUR', customerOrder })
  await world.sandbox.pay(paymentId, { method: 'ElectronicCheck' })
  const busy = await world.post('Admin', erase, {})
  expect([busy.status, busy.html]).toEqual([409, expect.stringContaining('is being carried out. Wait')])
  await world.sandbox.advance('1d')
  expect((await world.sandbox.read(paymentId)).paymentState).toBe('Captured')
  expect((await world.post('Admin', erase, {})).location).toContain('note=erased')
  const { html } = await world.get('Viewer', path('erased'))
  expect(html).toContain('Personal data erased')
  expect(html).not.toContain('gone@shop.example')
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it.each([
    ['desktop', { viewport: { width: 1280, height: 900 } }],
    ['phone, dark, without script', { viewport: { width: 320, height: 800 }, colorScheme: 'dark' }],
  ] as const)('charges a saved method: %s', async (name, options) => {
    const customerId = `browser ${name}`
    await stored(customerId, { email: 'dana@shop.example' })
    const hasScript = name === 'desktop'
    const window = await world.open(browser, 'Owner', { ...options, javaScriptEnabled: hasScript })
    const { page } = window
    if (hasScript) await addAxe(page)
    const { PICTURES } = process.env
    const home = `${world.origin}/console/${world.sandbox.appId}/${path(customerId)}`
    for (const tab of ['', '/methods', '/activity']) {
      await page.goto(home + tab)
      if (hasScript) expect(await violations(page, tab)).toEqual([])
      const picture = `customers-${hasScript ? 'wide' : 'narrow'}${tab.replace('/', '-')}.png`
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${picture}`, fullPage: true })
    }
    await page.goto(home)
    await page.getByRole('button', { name: 'Charge saved method' }).click()
    await page.getByLabel('Amount').fill('7')
    await page.getByRole('button', { name: 'Charge', exact: true }).click()
    await page.waitForURL(/\/payments\/\d+$/)
    expect(await page.locator('[data-state="Captured"]').count()).toBeGreaterThan(0)
    expect(window.faults).toEqual([])
    await window.close()
  })
})

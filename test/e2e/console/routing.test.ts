import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath, launch, type Watched } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { pressOn } from '../../support/pages.ts'
import { type Answer, good } from '../../support/tender.ts'

vi.setConfig({ testTimeout: 120_000 })

let console_: TestConsole
let cards = 0
let other = 0
let paypal = 0
beforeAll(async () => {
  console_ = await startTestConsole('console_routing')
  const added = { provider: 'sandbox', name: 'Second <bank>', currency: 'EUR', methods: ['CreditCard'] }
  other = good(await console_.sandbox.call('POST', 'payment-profiles', added)).paymentProfileId
  const profiles: Answer[] = good(await console_.sandbox.call('GET', 'payment-profiles'))
  cards = profiles[0].paymentProfileId
  paypal = profiles.find(({ methods }) => methods.includes('Paypal')).paymentProfileId
})
afterAll(() => console_?.stop())

const routing = async (): Promise<Answer> => good(await console_.sandbox.call('GET', 'routing'))
const change = (body: object) => console_.sandbox.call('PUT', 'routing', body)
beforeEach(async () => {
  good(
    await change({
      routes: [
        {
          name: 'Large',
          minAmount: 500,
          profiles: [{ paymentProfileId: cards }, { paymentProfileId: other }],
        },
        { name: 'German', countries: ['DE'], profiles: [{ paymentProfileId: other }] },
      ],
    }),
  )
})

const seen = async (): Promise<string> =>
  /name="seen" value="(\w+)"/.exec((await console_.get('Admin', 'routing')).html)?.[1] ?? ''
const post = async (path: string, fields: Record<string, string>) =>
  console_.post('Admin', `routing/${path}`, { seen: await seen(), ...fields }, 'routing')
const namesOf = ({ routes }: Answer): string[] => routes.map(({ name }: Answer) => name)

describe('the routing', () => {
  it('tells what each route takes of the newest payments, and how much of it was approved', async () => {
    const { sandbox } = console_
    const german = { customerOrder: { customer: { customerId: 'uli', address: { countryCode: 'DE' } } } }
    const large = { currency: 'EUR', amount: 800 }
    const outcomes = [{}, {}, { outcome: 'insufficient-funds' }]
    const ids: number[] = []
    for (const outcome of outcomes) {
      const { paymentId } = await sandbox.create(large)
      ids.push(paymentId)
      await sandbox.pay(paymentId, outcome)
    }
    // Neither approved nor declined in the end.
    const { paymentId: cancelled } = await sandbox.create({ ...large, autoCapture: false })
    await sandbox.pay(cancelled, {})
    good(await sandbox.act(cancelled, 'cancel'))
    ids.push(cancelled)
    const only = { ...german, currency: 'EUR', paymentProfiles: [other] }
    await sandbox.pay((await sandbox.create(only)).paymentId, {})
    await sandbox.pay((await sandbox.create({ currency: 'EUR', amount: 5 })).paymentId, {})
    const { html } = await console_.get('Owner', 'routing')
    for (const text of ['It takes 4 of the newest 6 payments of the last 30 days (66.7%).', '66.7% of them'])
      expect(html).toContain(`>${text}`)
    for (const text of ['It takes 1 of the newest 6 payments of the last 30 days (16.7%).', '100% of them'])
      expect(html).toContain(`>${text}`)
    // Each figure opens exactly the payments that it counts.
    const opened = [...html.matchAll(/href="[^"]*\/(routing\/payments\?place=0[^"]+)"/g)]
    const shown = opened.map(async ([, path = '']) =>
      [...(await console_.get('Owner', path.replaceAll('&amp;', '&'))).html.matchAll(/data-payment="(\d+)"/g)]
        .map(([, id]) => Number(id))
        .sort(),
    )
    expect(await Promise.all(shown)).toEqual([ids, ids.slice(0, 2)])
    const [, stale = ''] = opened[0] ?? []
    good(await change({ routes: [] }))
    expect((await console_.get('Owner', stale.replaceAll('&amp;', '&'))).location).toMatch(/\/routing$/)
  })

  it('is shown as sentences', async () => {
    const { html } = await console_.get('Viewer', 'routing')
    expect(html).toContain('Payments of at least 500')
    expect(html).toContain('Payments of customers in Germany')
    expect(html).toContain('Second &lt;bank>')
    expect(html).not.toContain('Move Route 1 down')
  })

  it('switches single causes of failover off and keeps the routes', async () => {
    const { html } = await console_.get('Admin', 'routing')
    expect(html.match(/name="cause" value="[\w-]+" checked/g)).toHaveLength(8)
    await post('failover', { cause: 'not-sent' })
    const after = await routing()
    expect(after.noFailoverAfter).toHaveLength(7)
    expect(after.noFailoverAfter).not.toContain('not-sent')
    expect(namesOf(after)).toEqual(['Large', 'German'])
    await post('move', { list: 'routes', from: '1', to: '0' })
    expect((await routing()).noFailoverAfter).toHaveLength(7)
    const shown = (await console_.get('Viewer', 'routing')).html
    expect(shown).toContain('value="not-sent" checked')
    expect(shown).not.toContain('value="rate-limited" checked')
    expect(shown).not.toContain('Save causes')
  })

  it('is changed by moving a route or a provider', async () => {
    await post('move', { list: 'routes', from: '1', to: '0' })
    expect(namesOf(await routing())).toEqual(['German', 'Large'])
    await post('move', { list: '1', from: '0', to: '1' })
    const { routes } = await routing()
    expect(routes[1].profiles.map((one: Answer) => one.paymentProfileId)).toEqual([other, cards])
  })

  it.each([
    { list: 'routes', from: '9', to: '0' },
    { list: '7', from: '0', to: '1' },
    { list: 'routes', from: '-1', to: 'x' },
  ])('is not changed by a place that does not exist: %j', async (fields) => {
    const before = await routing()
    expect((await post('move', fields)).status).toBe(303)
    expect(await routing()).toEqual(before)
  })

  it('is not changed by a page that shows an older one', async () => {
    const old = await seen()
    good(await change({ routes: [] }))
    const fields = { seen: old, list: 'routes', from: '0', to: '1' }
    const { status, html } = await console_.post('Admin', 'routing/move', fields, 'routing')
    expect(status).toBe(422)
    expect(html).toContain('The routing was changed meanwhile.')
  })

  it('takes a new route with all its conditions', async () => {
    const fields = {
      ...{ name: 'New', method: 'CreditCard', currency: 'EUR', minAmount: '10.50', maxAmount: '100' },
      ...{ countries: 'de, at', brands: 'Visa, American Express', 'profile.0': String(other) },
      ...{ 'weight.0': '30', 'profile.1': '', 'profile.2': String(cards), 'weight.2': '70' },
    }
    expect((await post('route', fields)).location).toContain('note=saved')
    expect((await routing()).routes[2]).toMatchObject({
      ...{ name: 'New', method: 'CreditCard', currency: 'EUR', minAmount: 10.5, maxAmount: 100 },
      ...{ countries: ['DE', 'AT'], brands: ['Visa', 'American Express'] },
      profiles: [
        { paymentProfileId: other, weight: 30 },
        { paymentProfileId: cards, weight: 70 },
      ],
    })
  })

  it('refuses a wrong route beside its fields and keeps what was typed', async () => {
    const fields = { name: 'Odd', minAmount: 'ten', countries: 'Germany', 'profile.0': String(cards) }
    const { status, html } = await post('route', { ...fields, place: '0' })
    expect(status).toBe(400)
    expect(html).toContain('Smallest amount must be')
    expect(html).toContain('Countries must be')
    expect(html).toContain('value="Germany"')
    const empty = await post('route', { name: 'None' })
    expect(empty.html).toContain('Choose at least one provider.')
  })

  it('loses a route only after a question', async () => {
    expect((await console_.get('Admin', 'routing/remove?place=0')).html).toContain('Remove route 1?')
    await post('remove', { place: '0' })
    expect(namesOf(await routing())).toEqual(['German'])
    expect((await console_.get('Admin', 'routing/remove?place=8')).status).toBe(404)
  })

  it('has one default for each currency', async () => {
    await post('default', { currency: 'EUR', profileId: String(other) })
    await post('default', { currency: 'EUR', profileId: String(cards) })
    expect((await routing()).defaultProfiles).toEqual([{ currency: 'EUR', paymentProfileId: cards }])
    await post('default', { currency: 'EUR' })
    expect((await routing()).defaultProfiles).toEqual([])
  })

  it('is changed only by roles that may', async () => {
    for (const path of ['route', 'remove?place=0'])
      expect((await console_.get('Support', `routing/${path}`)).status).toBe(403)
    const moving = await console_.post('Viewer', 'routing/move', { list: 'routes' }, 'routing')
    expect(moving.status).toBe(403)
  })
})

describe('a payment that is tried', () => {
  it('is explained in sentences', async () => {
    const { html } = await console_.get('Viewer', 'routing?currency=EUR&amount=900&method=CreditCard')
    expect(html).toContain('Sandbox cards takes it first, by Card:')
    expect(html).toContain('place 1 of route 1 (Large)')
    expect(html).toContain('Then Second &lt;bank>, by Card:')
    expect(html).toContain('cannot take it by PayPal:')
  })

  it('is shared by weights: each provider with its part', async () => {
    const shared = {
      'profile.0': String(cards),
      ...{ name: 'Shared', currency: 'JPY', 'weight.0': '70', 'profile.1': String(other), 'weight.1': '30' },
    }
    await post('route', { ...shared, method: 'CreditCard' })
    const path = 'routing?currency=JPY&method=CreditCard'
    const { html } = await console_.get('Viewer', path)
    expect(html).toContain('Sandbox cards takes 70% of these payments first, by Card:')
    expect(html).toContain('Second &lt;bank> takes 30% of these payments first, by Card:')
    expect(html).not.toContain('takes it first')
    expect((await console_.get('Viewer', `${path}&lang=de`)).html).toContain(
      'führt 70\u00a0% dieser Zahlungen',
    )
    await post('remove', { place: String((await routing()).routes.length - 1) })
  })

  it('is refused beside its fields', async () => {
    const { html } = await console_.get('Viewer', 'routing?currency=EUR&amount=abc&country=Germany')
    expect(html).toContain('Amount must be')
    expect(html).toContain('Country must be')
  })

  it('explains in the language of the page', async () => {
    const { html } = await console_.get('Viewer', 'routing?currency=EUR&amount=900&method=CreditCard&lang=de')
    expect(html).toMatch(/Platz 1 der Route \d|keine Route nennt ihn|Standard für EUR/)
    expect(html).toContain('eine andere Methode ist gewünscht')
  })

  it('may fit no provider', async () => {
    const name = `payment-profiles/${paypal}`
    good(await console_.sandbox.call('PATCH', name, { isActive: false }))
    const { html } = await console_.get('Viewer', 'routing?currency=EUR&method=Paypal')
    expect(html).toContain('No provider can take this payment.')
    good(await console_.sandbox.call('PATCH', name, { isActive: true }))
  })
})

describe.skipIf(!chromiumPath)('a person orders routes', () => {
  let browser: Browser
  const windows: Watched[] = []
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(async () => {
    await Promise.all(windows.map((one) => one.close()))
    await browser?.close()
  })
  const open = async (javaScriptEnabled: boolean): Promise<Watched> => {
    const window = await console_.open(browser, 'Admin', { javaScriptEnabled })
    windows.push(window)
    await window.page.goto(`${console_.origin}/console/${console_.sandbox.appId}/routing`)
    return window
  }
  const moved = /Moved\. New payments/

  it('by keyboard', async () => {
    const { page, faults } = await open(true)
    await pressOn(page, 'keyboard', page.getByRole('button', { name: 'Move Route 2 up' }))
    await page.getByText(moved).waitFor()
    expect(namesOf(await routing())).toEqual(['German', 'Large'])
    expect(faults).toEqual([])
  })

  it('by dragging', async () => {
    const { page, faults } = await open(true)
    await page.locator('#route-2 h3').dragTo(page.locator('#route-1 h3'))
    await page.getByText(moved).waitFor()
    expect(namesOf(await routing())).toEqual(['German', 'Large'])
    await page.locator('#route-2-1').dragTo(page.locator('#route-2-2'))
    await expect.poll(async () => (await routing()).routes[1].profiles[0].paymentProfileId).toBe(other)
    expect(faults).toEqual([])
  })

  it('without script, adds one, and sees why a payment takes it', async () => {
    const { page } = await open(false)
    await page.getByRole('button', { name: 'Move Route 1 down' }).click()
    await page.getByText(moved).waitFor()
    await page.getByRole('button', { name: 'Add route' }).click()
    await page.getByLabel('Name (optional)').fill('Small euros')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByLabel('Largest amount').fill('50')
    await page.getByLabel('Provider 1', { exact: true }).selectOption({ label: 'Second <bank>' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Payments in EUR, of at most 50').waitFor()
    await page.locator('#try').getByLabel('Currency').selectOption('EUR')
    await page.locator('#try').getByLabel('Amount').fill('20')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('Second <bank> takes it first, by Card:').waitFor()
    await page.getByText('place 1 of route 3 (Small euros).').waitFor()
  })
})

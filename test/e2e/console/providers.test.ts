import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rollupsJob } from '../../../src/insights/jobs.ts'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { createStripeSimulator, type StripeSimulator } from '../../providers/stripe/simulator.ts'
import { chromiumPath, launch, type Watched } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

vi.setConfig({ testTimeout: 120_000 })

const KEY = 'sk_test_51SimulatorSecretKeyOfTheAccount0001'
const WRONG_KEY = 'sk_test_51WrongKeyThatNoAccountHas0000000001'

let console_: TestConsole
let stripe: StripeSimulator
beforeAll(async () => {
  stripe = await createStripeSimulator()
  console_ = await startTestConsole('console_providers', {
    config: { providerOrigins: { stripe: stripe.origin } },
  })
})
afterAll(async () => {
  await console_?.stop()
  await stripe?.close()
})

const STRIPE = { name: 'Stripe EU', currency: 'EUR', method: 'CreditCard', act: 'next' }
const idIn = (location: string | null): string => /providers\/(\d+)/.exec(location ?? '')?.[1] ?? ''
const added = async (fields: Record<string, string> = {}) => {
  const secret = { 'setting.secretKey': KEY }
  return idIn(
    (await console_.post('Admin', 'providers/add/stripe', { ...STRIPE, ...secret, ...fields })).location,
  )
}

it('the fees of a provider are changed, refused and cleared', async () => {
  const id = await added()
  const [page, path] = [`providers/${id}`, `providers/${id}/fees`]
  const set = { providerInitialFee: '0.25', providerPercentageFee: '1,4' }
  expect((await console_.post('Admin', path, set, page)).location).toContain('note=saved')
  const { html } = await console_.get('Admin', page)
  expect(html).toContain('name="providerInitialFee" value="0.25"')
  expect(html).toContain('name="providerPercentageFee" value="1.4"')
  const wrong = await console_.post('Admin', path, { ...set, appPercentageFee: '101' }, page)
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('must be a number')])
  const fraction = await console_.post('Admin', path, { providerInitialFee: '0.255' }, page)
  expect([fraction.status, fraction.html]).toEqual([400, expect.stringContaining('an amount of EUR')])
  await console_.post('Admin', path, {}, page)
  expect(good(await console_.sandbox.call('GET', `payment-profiles/${id}/fee`))).toMatchObject({
    ...{ providerInitialFee: null, providerPercentageFee: null },
  })
  expect((await console_.post('Viewer', path, set, page)).status).toBe(403)
})

it('a profile that is on leads to a link for a payment of 1.00 that only it can take', async () => {
  const { sandbox } = console_
  const [cards] = good(await sandbox.call('GET', 'payment-profiles'))
  const { html } = await console_.get('Viewer', `providers/${cards.paymentProfileId}`)
  expect(html).not.toContain('Try a payment')
  const { html: own } = await console_.get('Admin', `providers/${cards.paymentProfileId}`)
  const [, shown = ''] = /<form[^>]*action="[^"]*\/(links\/new)"[^>]*>[\s\S]*?<\/form>/.exec(own) ?? []
  expect(shown).toBe('links/new')
  expect(own).toContain('Try a payment of $1.00')
  const query = `amount=1&currency=USD&profile=${cards.paymentProfileId}`
  const fields = { amount: '1', currency: 'USD', profile: String(cards.paymentProfileId), expiry: 'week' }
  const form = await console_.get('Admin', `links/new?${query}`)
  expect(form.html).toContain(`<option value="${cards.paymentProfileId}" selected`)
  const made = await console_.post(
    'Admin',
    'links/new',
    { ...fields, customer: 'none' },
    `links/new?${query}`,
  )
  const paymentId = Number(/links\/(\d+)/.exec(made.location ?? '')?.[1])
  expect(good(await sandbox.pay(paymentId, { method: 'CreditCard' })).paymentState).toBe('Captured')
  const other = await sandbox.pay(paymentId, { method: 'Paypal' })
  expect(other.status).toBeGreaterThanOrEqual(400)
})

describe('a provider that is being added', () => {
  it('is off until the last step, then on', async () => {
    const id = await added()
    expect((await console_.get('Admin', `providers/${id}`)).html).toContain('data-status="off"')
    const done = await console_.post('Admin', `providers/${id}/enable`, {}, `providers/${id}/review`)
    expect(done.location).toContain('note=enabled')
    expect((await console_.get('Admin', `providers/${id}`)).html).toContain('data-status="on"')
  })

  it('is refused with the sentence of the command, and typed values stay, secrets do not', async () => {
    const key = 'sk_live_51SimulatorSecretKeyOfTheAccount0001'
    const fields = { ...STRIPE, name: 'My <b>shop</b>', 'setting.secretKey': key }
    const { status, html } = await console_.post('Admin', 'providers/add/stripe', fields)
    expect(status).toBe(422)
    expect(html).toContain('a test key in a sandbox app, a live key in a live app.')
    expect(html).toContain('enter the secrets again')
    expect(html).toContain('value="My &lt;b>shop&lt;/b>"')
    expect(html).not.toContain(key)
  })

  it('needs a name and a method', async () => {
    const { status, html } = await console_.post('Admin', 'providers/add/stripe', {
      ...{ name: ' ', currency: 'XXX', 'setting.secretKey': KEY },
    })
    expect(status).toBe(400)
    expect(html).toContain('Enter a name')
    expect(html).toContain('Choose at least one method.')
  })

  it('is not one that the app cannot use', async () => {
    const live = `/console/${console_.live.appId}/providers/add`
    expect((await console_.get('Admin', live)).html).not.toContain('Set up Sandbox')
    expect((await console_.get('Admin', `${live}/sandbox`)).status).toBe(404)
    expect((await console_.get('Admin', 'providers/add/none')).status).toBe(404)
  })

  it('is found by its name or a method', async () => {
    const { html } = await console_.get('Admin', 'providers/add?q=bank+stri')
    // The palette names all of them.
    const [main = ''] = /<main[\s\S]*<\/main>/.exec(html) ?? []
    expect(main).toContain('Set up Stripe')
    expect(main).not.toContain('Set up PayPal')
    expect((await console_.get('Admin', 'providers/add?q=zzz')).html).toContain('No provider matches')
  })
})

describe('the figures of a provider', () => {
  it('are those of the last seven days', async () => {
    const { sandbox, tender } = console_
    await sandbox.paid({ amount: 40, currency: 'USD' })
    const { paymentId } = await sandbox.create({ currency: 'USD' })
    good(await sandbox.pay(paymentId, { outcome: 'insufficient-funds' }))
    // Latencies are in the rollups only.
    const { db, clock } = tender.service.ctx
    const before = await console_.get('Viewer', 'providers')
    expect(before.html).toMatch(/Approval, 7 days<\/dt><dd>66.7%/)
    const later = { ...clock, now: () => new Date(clock.now().getTime() + 3_600_000) }
    while ((await rollupsJob({ db, clock: later }).runOnce()) > 0);
    const { html } = await console_.get('Viewer', 'providers')
    expect(html).toMatch(/p95 latency<\/dt><dd>[\d,]+ ms/)
    expect(html).toMatch(/Fees<\/dt><dd>\$\d/)
    const id = /providers\/(\d+)"/.exec(html)?.[1]
    const detail = (await console_.get('Viewer', `providers/${id}`)).html
    expect(detail).toMatch(/Approval, 7 days<\/dt><dd>66.7%/)
    expect(detail).toContain('Show data')
    expect(detail).toContain('No request failed in the last 7 days.')
  })

  it('show its last error and its failed requests', async () => {
    const id = await added({ 'setting.secretKey': WRONG_KEY })
    await console_.get('Admin', `providers/${id}/check`)
    await writeLogs(console_.tender.service.ctx)
    expect((await console_.get('Viewer', 'providers')).html).toContain('Last error: HTTP 401')
    const { html } = await console_.get('Viewer', `providers/${id}`)
    const german = (await console_.get('Admin', `providers/${id}/check?lang=de`)).html
    expect(german).toMatch(/nimmt die Zugangsdaten nicht an\.<\/p><p lang="en">Stripe does not accept/)
    expect(html).toMatch(/HTTP 401<\/td><td class="end">[^<]*<\/td><td><code>GET \/v1/)
    expect(html).not.toContain(WRONG_KEY)
  })
})

describe('a provider', () => {
  it('shows the end of its secrets only, and replaces one alone', async () => {
    const id = await added()
    const before = await console_.get('Admin', `providers/${id}`)
    expect(before.html).toContain('****0001')
    expect(before.html).not.toContain(KEY)
    const fields = { 'setting.webhookSecret': 'whsec_abcdefghijklmnop7777', act: 'save' }
    const changed = await console_.post('Admin', `providers/${id}/credentials`, fields)
    expect(changed.location).toContain('note=saved')
    const { html } = await console_.get('Admin', `providers/${id}`)
    expect(html).toContain('****0001')
    expect(html).toContain('****7777')
  })

  it('is renamed, with the warning that buyers see the name', async () => {
    const id = await added()
    expect((await console_.get('Admin', `providers/${id}`)).html).toContain('Buyers see this name')
    const fields = { name: 'Cards <Europe>', currency: 'GBP', currencies: 'gbp, eur' }
    await console_.post('Admin', `providers/${id}`, fields)
    const { html } = await console_.get('Viewer', `providers/${id}`)
    expect(html).toContain('Cards &lt;Europe>')
    expect(html).toContain('GBP EUR')
    const refused = await console_.post('Admin', `providers/${id}`, { ...fields, currencies: 'ABC' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('must be an ISO 4217 code')
  })

  it('orders its methods', async () => {
    const id = await added()
    const move = (act: string) =>
      console_.post('Admin', `providers/${id}/methods`, { act }, `providers/${id}`)
    await move('add:ElectronicCheck')
    await move('up:ElectronicCheck')
    const methods = async () =>
      good(await console_.sandbox.call('GET', `payment-profiles/${id}`)).methods as string[]
    expect(await methods()).toEqual(['ElectronicCheck', 'CreditCard'])
    await move('remove:CreditCard')
    await move('remove:ElectronicCheck')
    await move('up:Nothing')
    expect(await methods()).toEqual(['ElectronicCheck'])
  })

  it('asks before it is disabled and names what depends on it', async () => {
    const id = Number(await added())
    const route = { profiles: [{ paymentProfileId: id }] }
    good(await console_.sandbox.call('PUT', 'routing', { routes: [route] }))
    await console_.post('Admin', `providers/${id}/enable`, {}, `providers/${id}`)
    const { html } = await console_.get('Admin', `providers/${id}/disable`)
    expect(html).toContain('1 route names it')
    const done = await console_.post('Admin', `providers/${id}/disable`, {})
    expect(done.location).toContain('note=disabled')
  })

  it('says in one sentence why the connection does not work', async () => {
    const id = await added({ 'setting.secretKey': WRONG_KEY })
    const { html } = await console_.get('Admin', `providers/${id}/check`)
    expect(html).toContain('The connection to Stripe does not work.')
  })

  it('shows its notification address to those who may change it', async () => {
    const id = await added()
    expect((await console_.get('Admin', `providers/${id}`)).html).toContain('webhookKey=')
    const { status, html } = await console_.get('Viewer', `providers/${id}`)
    expect(status).toBe(200)
    expect(html).not.toContain('webhookKey=')
    expect(html).not.toContain('****')
    for (const path of ['check', 'credentials', 'connect', 'review', 'disable'])
      expect((await console_.get('Viewer', `providers/${id}/${path}`)).status).toBe(403)
  })

  it('of another app does not exist', async () => {
    const id = await added()
    expect((await console_.get('Admin', `/console/${console_.live.appId}/providers/${id}`)).status).toBe(404)
  })
})

describe.skipIf(!chromiumPath)('a person connects a provider', () => {
  let browser: Browser
  const windows: Watched[] = []
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(async () => {
    await Promise.all(windows.map((one) => one.close()))
    await browser?.close()
  })
  const open = async (): Promise<Watched> => {
    const window = await console_.open(browser, 'Admin')
    windows.push(window)
    await window.page.goto(`${console_.origin}/console/${console_.sandbox.appId}/providers`)
    return window
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  it('the sandbox provider, and disables it in a dialog', async () => {
    const { page, faults } = await open()
    await press(page, 'Add provider')
    await page.getByRole('link', { name: 'Set up Sandbox' }).click()
    await page.getByText('It needs no credentials.').waitFor()
    await press(page, 'Test connection')
    await page.getByText('Sandbox accepts the credentials.').waitFor()
    await press(page, 'Continue')
    await press(page, 'Finish and enable')
    await page.getByText('The provider is on.').waitFor()
    await press(page, 'Disable')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Disable Sandbox')
    await page.getByText('The provider is off.').waitFor()
    expect(faults).toEqual([])
  })
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addAxe, violations } from '../../support/axe.ts'
import { chromiumPath, launch, type Watched } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

vi.setConfig({ testTimeout: 120_000 })

let console_: TestConsole
let cards = 0
beforeAll(async () => {
  console_ = await startTestConsole('console_fraud')
  const { sandbox } = console_
  cards = good(await sandbox.call('GET', 'payment-profiles'))[0].paymentProfileId
  const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })
  await sandbox.paid({ ...order('a'), amount: 10 })
  const refunded = await sandbox.paid({ ...order('b'), amount: 700 })
  good(await sandbox.act(refunded.paymentId, 'refund'))
  const disputed = await sandbox.paid({ ...order('c'), amount: 800 })
  good(await sandbox.call('POST', `test-helpers/payments/${disputed.paymentId}/dispute`, {}))
})
afterAll(() => console_?.stop())

const read = async (policyId: string): Promise<Answer> =>
  good(await console_.sandbox.call('GET', `fraud-policies/${policyId}`))
const created = async (name: string, rules: readonly object[] = []): Promise<string> =>
  String(good(await console_.sandbox.call('POST', 'fraud-policies', { name, rules })).fraudPolicyId)

const RULE = {
  'rule.0.measure': 'TotalAmount',
  'rule.0.periodCount': '7',
  'rule.0.period': 'Daily',
  'rule.0.threshold': '500',
  'rule.0.currency': 'EUR',
  'rule.0.action': 'RejectPayment',
  'rule.0.message': 'Please call us.',
}
const edit = (policyId: string, act: string, fields: Record<string, string> = {}) =>
  console_.post('Manager', `fraud/${policyId}`, { act, name: 'Edited', version: '1', rules: '0', ...fields })
const STORED = { action: 'HoldPayment', measure: 'PaymentCount', period: 'Weekly', threshold: 3 }

describe('policies', () => {
  it('are listed, the default first', async () => {
    await created('First <one>')
    const id = await created('Second')
    await console_.post('Manager', `fraud/${id}/default`, { value: 'yes' }, `fraud/${id}`)
    const { html } = await console_.get('Viewer', 'fraud')
    expect(html.indexOf('Second')).toBeLessThan(html.indexOf('First &lt;one>'))
    expect(html).not.toContain('Create policy')
    await console_.post('Manager', `fraud/${id}/default`, { value: 'no' }, `fraud/${id}`)
    expect((await read(id)).isDefault).toBe(false)
  })

  it('are created by name', async () => {
    const { location } = await console_.post('Manager', 'fraud', { name: ' Card testing ' })
    const id = /fraud\/(\d+)/.exec(location ?? '')?.[1] ?? ''
    expect(await read(id)).toMatchObject({ name: 'Card testing', rules: [] })
    const refused = await console_.post('Manager', 'fraud', { name: ' ' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Enter a name')
  })

  it('are made from a template, which can be changed and simulated first', async () => {
    const choices = (await console_.get('Manager', 'fraud/choose')).html
    expect(choices.match(/name="template"/g)).toHaveLength(10)
    const form = (await console_.get('Manager', 'fraud/new?template=hardLimit')).html
    expect(form).toContain('value="Please contact us for orders of this size."')
    expect(form).toMatch(/<option value="USD" selected/)
    const fields = { ...RULE, rules: '1', name: 'Hard limit', 'rule.0.threshold': '750' }
    const simulated = await console_.post('Manager', 'fraud/new', { act: 'simulate', ...fields })
    expect(simulated.html).toContain('It would have stopped')
    expect(simulated.html).toMatch(/€800\.00; at most €750\.00/)
    const { location } = await console_.post('Manager', 'fraud/new', { act: 'save', ...fields })
    const id = /fraud\/(\d+)\?note=created/.exec(location ?? '')?.[1] ?? ''
    expect(await read(id)).toMatchObject({
      name: 'Hard limit',
      isDefault: false,
      rules: [{ threshold: 750 }],
    })
    expect((await console_.get('Support', 'fraud/new')).status).toBe(403)
  })

  it('are deleted after a question that names what uses them, but not the default', async () => {
    const id = await created('Old')
    const customer = { customerId: 'pinned', fraudPolicyId: Number(id) }
    good(await console_.sandbox.call('POST', 'customers', customer))
    expect((await console_.get('Manager', `fraud/${id}/delete`)).html).toContain('1 customer has this policy')
    await console_.post('Manager', `fraud/${id}/default`, { value: 'yes' }, `fraud/${id}`)
    const refused = await console_.post('Manager', `fraud/${id}/delete`, {})
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('The policy is the default of the app.')
    await console_.post('Manager', `fraud/${id}/default`, { value: 'no' }, `fraud/${id}`)
    expect((await console_.post('Manager', `fraud/${id}/delete`, {})).location).toContain('note=deleted')
    expect((await console_.get('Manager', `fraud/${id}`)).status).toBe(404)
  })

  it('are read by every role and changed by some', async () => {
    const id = await created('Read', [STORED])
    const { html } = await console_.get('Support', `fraud/${id}`)
    expect(html).toContain(
      'If number of payments over the last week exceeds 3 in any currency on all providers, ' +
        'then hold the payment.',
    )
    expect(html).not.toContain('Add rule')
    expect((await console_.get('Support', `fraud/${id}/delete`)).status).toBe(403)
    expect((await console_.post('Developer', `fraud/${id}`, { act: 'save' })).status).toBe(403)
  })
})

describe('the editor of a policy', () => {
  it('adds, moves and removes rules without saving', async () => {
    const id = await created('Order')
    const added = await edit(id, 'add')
    expect(added.html).toContain('Rule 1')
    const two = { rules: '2', ...RULE, 'rule.1.measure': 'DistinctCard', 'rule.1.threshold': '3' }
    const moved = await edit(id, 'up:1', two)
    expect(moved.html.indexOf('value="3"')).toBeLessThan(moved.html.indexOf('value="500"'))
    const removed = await edit(id, 'remove:0', two)
    expect(removed.html).not.toContain('value="500"')
    for (const act of ['up:9', 'remove:x', 'nothing']) expect((await edit(id, act, two)).status).toBe(200)
    expect((await read(id)).rules).toEqual([])
  })

  it('saves rules and firewall', async () => {
    const id = await created('Save')
    const saved = await edit(id, 'save', {
      ...{ rules: '1', ...RULE, 'rule.0.profiles': String(cards) },
      ...{ 'firewall.blockedCountries': 'kp ir', 'firewall.blockedAddresses': '203.0.113.0/24\n2001:db8::1' },
      ...{ 'firewall.maxRiskScore': '80', 'firewall.matchCardCountry': 'yes' },
      ...{ 'firewall.whenUnavailable': 'Reject', 'firewall.message': 'No.' },
    })
    expect(saved.location).toContain('note=saved')
    expect(await read(id)).toMatchObject({
      name: 'Edited',
      version: 2,
      rules: [
        {
          ...{ measure: 'TotalAmount', period: 'Daily', periodCount: 7, threshold: 500, currency: 'EUR' },
          ...{ action: 'RejectPayment', message: 'Please call us.', paymentProfiles: [cards] },
        },
      ],
      firewall: {
        ...{ blockedCountries: ['KP', 'IR'], blockedAddresses: ['203.0.113.0/24', '2001:db8::1'] },
        ...{ maxRiskScore: 80, matchCardCountry: true, whenUnavailable: 'Reject', message: 'No.' },
      },
    })
  })

  it('refuses wrong values beside their fields and keeps what was typed', async () => {
    const id = await created('Wrong')
    const { status, html } = await edit(id, 'save', {
      ...{ rules: '1', ...RULE, 'rule.0.threshold': 'many', 'rule.0.periodCount': '900' },
      ...{ 'firewall.allowedCountries': 'Germany', 'firewall.maxRiskScore': 'high' },
    })
    expect(status).toBe(400)
    for (const text of ['Threshold must be', 'Number of periods must be', 'Allowed countries must be'])
      expect(html).toContain(text)
    expect(html).toContain('Highest risk score of the provider must be')
    expect(html).toContain('value="many"')
    const address = await edit(id, 'save', { 'firewall.blockedAddresses': '300.1.2.3' })
    expect(address.html).toContain('Blocked IP addresses must be an IP address or a range')
    expect((await read(id)).version).toBe(1)
  })

  it('does not overwrite a newer version', async () => {
    const id = await created('Newer')
    good(await console_.sandbox.call('PATCH', `fraud-policies/${id}`, { name: 'Changed by the API' }))
    const { status, html } = await edit(id, 'save')
    expect(status).toBe(422)
    expect(html).toContain('The policy was changed meanwhile.')
    expect((await read(id)).name).toBe('Changed by the API')
  })

  it('saves as a new policy', async () => {
    const id = await created('Original')
    const { location } = await edit(id, 'saveAs', { rules: '1', ...RULE, copyName: 'Copy' })
    const copy = /fraud\/(\d+)/.exec(location ?? '')?.[1] ?? ''
    expect(await read(copy)).toMatchObject({ name: 'Copy', rules: [{ threshold: 500 }] })
    expect((await read(id)).rules).toEqual([])
    expect((await edit(id, 'saveAs')).status).toBe(400)
  })

  it('simulates what was typed and saves nothing', async () => {
    const id = await created('Try')
    const { html } = await edit(id, 'simulate', { rules: '1', ...RULE })
    expect(html).toContain('It would have stopped 2 of 3 payments of the last 30 days.')
    expect(html).toContain('1 later refunded, 1 later disputed')
    expect(html).toContain('€1,500.00')
    expect((await read(id)).rules).toEqual([])
  })

  it('takes as many rules as a policy may have', async () => {
    const rules = Array.from({ length: 50 }, (_rule, place) => ({ ...STORED, threshold: place }))
    const id = await created('Full', rules)
    const fields: Record<string, string> = { rules: '50' }
    for (const place of rules.keys())
      for (const [name, value] of Object.entries(RULE)) fields[name.replace('.0.', `.${place}.`)] = value
    expect((await edit(id, 'save', fields)).location).toContain('note=saved')
    expect((await read(id)).rules).toHaveLength(50)
  })
})

it('versions tell who changed what', async () => {
  const id = await created('History')
  await edit(id, 'save', { rules: '1', ...RULE, name: 'History 2' })
  await edit(id, 'save', { name: 'History 2', version: '2', 'firewall.blockedCountries': 'KP' })
  const { html } = await console_.get('Viewer', `fraud/${id}/versions`)
  expect(html).toContain('manager@example.com')
  expect(html).toContain('Renamed from History to History 2')
  expect(html).toContain('Rule added: If total amount over the last 7 days exceeds 500 in EUR')
  expect(html).toContain('Rule removed: If total amount')
  expect(html).toContain('Firewall changed: Blocked countries')
  const [, second] = good(await console_.sandbox.call('GET', `fraud-policies/${id}/versions`))
  expect(second.changedBy).toEqual({ keyId: null, name: 'manager@example.com' })
})

describe.skipIf(!chromiumPath)('a person makes a rule, simulates and saves it', () => {
  let browser: Browser
  const windows: Watched[] = []
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(async () => {
    await Promise.all(windows.map((one) => one.close()))
    await browser?.close()
  })

  it.each([
    ['by mouse', true],
    ['without script', false],
  ])('%s', async (manner, javaScriptEnabled) => {
    const window = await console_.open(browser, 'Manager', { javaScriptEnabled })
    windows.push(window)
    const { page, faults } = window
    if (javaScriptEnabled) await addAxe(page)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    await page.goto(`${console_.origin}/console/${console_.sandbox.appId}/fraud`)
    await page.getByLabel('Name').fill(`Limits ${manner}`)
    await press('Create policy')
    await press('Add rule')
    await press('Add rule')
    const second = page.getByRole('group', { name: 'Rule 2' })
    await second.getByLabel('Measure').selectOption('amount of this payment')
    await second.getByLabel('Threshold').fill('750')
    await second.getByLabel('Action').selectOption('hold the payment')
    await second.getByText('all providers').click()
    await second.getByLabel('Sandbox cards').check()
    const blocked = page.getByRole('group', { name: 'Blocked countries' })
    await blocked.getByText('None').first().click()
    if (javaScriptEnabled) {
      await blocked.getByLabel('Filter').fill('NORTH k')
      expect(await blocked.getByRole('checkbox').count()).toBe(1)
    }
    await blocked.getByLabel('North Korea').check()
    await press('Move rule 2 up')
    expect(await blocked.locator('summary').textContent()).toBe('North Korea')
    expect(await page.getByRole('group', { name: 'Rule 1' }).getByLabel('Threshold').inputValue()).toBe('750')
    await page.getByText('Simulate on the last 30 days').last().click()
    await page.getByText('It would have stopped 2 of 3 payments of the last 30 days.').waitFor()
    // No address shows this page: it answers a form.
    if (javaScriptEnabled) {
      // High enough for the whole page: the bars at its ends cover what is scrolled below them.
      await page.setViewportSize({ width: 1280, height: 4_000 })
      expect(await violations(page, 'simulation')).toEqual([])
    }
    await press('Save')
    await page.getByText('Saved. New payments are checked by this version.').waitFor()
    await press('Make default')
    await page.getByText('It is the default now.').waitFor()
    expect(await blocked.locator('summary').textContent()).toBe('North Korea')
    await page.getByRole('link', { name: 'Version 2' }).click()
    await page.getByText('manager@example.com').first().waitFor()
    expect(faults).toEqual([])
  })
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/base/clock.ts'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { answerWith, type Receiver, startReceiver } from '../../support/receiver.ts'
import { hostedPage } from '../../support/tender.ts'

let world: TestConsole
let receiver: Receiver
beforeAll(async () => {
  world = await startTestConsole('console_developers', { config: { allowPrivateWebhooks: true } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

const keyIn = (html: string): string => /sk_sandbox_[0-9a-z]{44}/.exec(html)?.[0] ?? ''

describe('API keys', () => {
  it('are shown once and work at once; only those who may create them', async () => {
    const fields = { name: 'Shop <b>', scope: 'read' }
    const made = await world.post('Developer', 'developers/keys', fields, 'developers/keys/new')
    expect(made.status).toBe(200)
    const reply = await fetch(`${world.origin}/api/apps/${world.sandbox.appId}`, {
      headers: { authorization: `Bearer ${keyIn(made.html)}` },
    })
    expect(reply.status).toBe(200)
    const list = await world.get('Developer', 'developers/keys')
    expect(keyIn(list.html)).toBe('')
    expect(list.html).toContain('Shop &lt;b>')
    expect(list.html).toMatch(/<bdi>Shop &lt;b><\/bdi>.*?<td><bdi>Developer Person<\/bdi><\/td>/s)
    const refused = await world.post('Manager', 'developers/keys', { name: 'x' }, 'developers/keys')
    expect(refused.status).toBe(403)
  })

  it('are limited to scopes, which the list shows', async () => {
    const create = (fields: Record<string, string>) =>
      world.post('Owner', 'developers/keys', fields, 'developers/keys/new')
    const none = await create({ name: 'Reader', access: 'limited' })
    expect([none.status, none.html.includes('Tick at least one.')]).toEqual([400, true])
    expect(none.html).toContain('value="Reader"')
    const made = await create({ name: 'Reader', access: 'limited', scope: 'read' })
    const headers = { authorization: `Bearer ${keyIn(made.html)}` }
    const app = `${world.origin}/api/apps/${world.sandbox.appId}`
    expect((await fetch(app, { headers })).status).toBe(200)
    const refused = await fetch(`${app}/api-keys`, { method: 'POST', headers })
    expect(await refused.json()).toMatchObject({ status: 403, code: 'key_scope' })
    const shown = async () => (await world.get('Owner', 'developers/keys')).html
    expect(await shown()).toMatch(/<bdi>Reader<\/bdi><span class="muted small">Read<\/span>/)
    await expect.poll(shown).toMatch(/Reader.*?<\/time><span class="muted small">127\.0\.0\.1<\/span>/s)
    // The scopes of another key are not its own.
    expect(await shown()).toContain('<span class="muted small">Everything</span>')
  })

  it('are rolled with an overlap and revoked', async () => {
    const fields = { name: 'Old', access: 'all' }
    const made = await world.post('Owner', 'developers/keys', fields, 'developers/keys/new')
    const list = await world.get('Owner', 'developers/keys')
    const keyId = /keys\/(key_[0-9a-z]+)\/rotate/.exec(list.html.slice(list.html.indexOf('Old')))?.[1] ?? ''
    // Each button tells its key to screen readers.
    expect(list.html).toMatch(/aria-label="Roll Old">Roll<.*aria-label="Revoke Old">Revoke</s)
    const rolled = await world.post('Owner', `developers/keys/${keyId}/rotate`, { overlap: 'hour' })
    const ask = (key: string) =>
      fetch(`${world.origin}/api/apps/${world.sandbox.appId}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    expect((await ask(keyIn(made.html))).status).toBe(200)
    expect((await ask(keyIn(rolled.html))).status).toBe(200)
    expect((await world.post('Owner', `developers/keys/${keyId}/revoke`, {})).status).toBe(303)
    expect((await ask(keyIn(made.html))).status).toBe(401)
  })
})

describe('webhooks', () => {
  it('have an address that is checked, with the error at its field', async () => {
    const wrong = await world.post('Owner', 'developers/webhooks', { url: 'ftp://x' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('aria-invalid="true"')
    const right = await world.post('Owner', 'developers/webhooks', {
      url: receiver.url,
      scheme: 'Bearer',
      parameter: 'top-secret-value',
    })
    expect(right.location).toContain('note=saved')
    expect((await world.get('Owner', 'developers/webhooks')).html).not.toContain('top-secret-value')
  })

  it('can be tried, listed and sent again', async () => {
    expect(
      (await world.post('Developer', 'developers/webhooks/test', {}, 'developers/webhooks')).location,
    ).toContain('note=tested&status=200')
    const payment = await world.sandbox.create({})
    await expect
      .poll(async () => (await world.get('Owner', 'developers/webhooks')).html)
      .toContain(`evt_${payment.paymentId}_1`)
    await expect
      .poll(async () => (await world.get('Owner', 'developers/webhooks')).html)
      .toMatch(/data-status="delivered">.*?>1\/12<.*?<td class="end">200 <span[^>]*>\d+ ms</)
    const { html } = await world.get('Owner', 'developers/webhooks')
    expect(html).toMatch(/<b>100%<\/b> acknowledged: (\d+) of \1 webhooks/)
    const path = `developers/webhooks/evt_${payment.paymentId}_1`
    const page = (await world.get('Developer', path)).html
    expect(page).toMatch(/webhook-id: evt_\d+_1\nwebhook-timestamp: \d{10}\nwebhook-signature: v1,\*\*\*/)
    expect(page).toContain(`&quot;eventId&quot;: &quot;evt_${payment.paymentId}_1&quot;`)
    const sent = await world.post('Developer', `${path}/resend`, {}, path)
    expect(sent.status).toBe(303)
    expect((await world.get('Viewer', path)).status).toBe(403)
  })
})

it('shows the share of webhooks of the last day that were acknowledged', async () => {
  const none = await world.get('Owner', `/console/${world.live.appId}/developers/webhooks`)
  expect(none.html).toContain('No webhook was sent.')
  const broken = await startReceiver()
  broken.answer = answerWith(500)
  const counts = async () => {
    const { html } = await world.get('Owner', 'developers/webhooks')
    const [, acknowledged, tried] = /acknowledged: (\d+) of (\d+) webhooks/.exec(html) ?? []
    return { acknowledged: Number(acknowledged ?? 0), tried: Number(tried ?? 0) }
  }
  await world.sandbox.create({ webhookUrl: broken.url })
  await expect
    .poll(async () => {
      const { acknowledged, tried } = await counts()
      return tried - acknowledged
    })
    .toBe(1)
  await broken.stop()
})

it('keeps every request of the API in the log', async () => {
  const refused = await world.sandbox.call('POST', 'payments/hosted-page', { amount: -1 })
  const requestId = refused.headers.get('x-request-id') ?? ''
  await expect
    .poll(async () => (await world.get('Developer', 'developers/api-log?status=4')).html)
    .toContain(requestId)
  const ofMethod = async (method: string) =>
    (await world.get('Developer', `developers/api-log?status=4&method=${method}`)).html
  expect(await ofMethod('POST')).toContain(requestId)
  expect(await ofMethod('GET')).not.toContain(requestId)
  expect(await ofMethod('GET')).toMatch(/<option value="GET" selected/)
  const details = await world.get('Developer', `developers/api-log/${requestId}`)
  expect(details.html).toContain('/payments/hosted-page')
})

describe('the API log', () => {
  const log = 'developers/api-log'
  const lineOf = async (requestId: string) => {
    await expect.poll(async () => (await world.get('Developer', log)).html).toContain(requestId)
    return (await world.get('Developer', `${log}/${requestId}`)).html
  }

  it('follows the requests when it is live, and is read again without script', async () => {
    const off = await world.get('Developer', `${log}?method=GET`)
    expect(off.html).toMatch(/<a class="chip" href="[^"]*method=GET&amp;live=yes">Live</)
    expect(off.html).not.toContain('data-poll=')
    const { html } = await world.get('Developer', `${log}?method=GET&live=yes`)
    expect(html).toMatch(/<noscript><a href="[^"]*live=yes">Refresh</)
    const path = /data-poll="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    await world.sandbox.call('GET', '')
    const part = (await world.get('Developer', path)).html
    expect(part).toMatch(/^<section class="table" id="calls"/)
    expect(part).not.toContain('>POST<')
    expect((await world.get('Viewer', path)).status).toBe(403)
  })

  it('can be filtered by key', async () => {
    const { html } = await world.get('Developer', `${log}?key=key_unknown`)
    const keyId = /<option value="(key_[0-9a-z]+)">Shop &lt;b> …/.exec(html)?.[1] ?? ''
    expect(html).toMatch(/<option value="key_unknown" selected/)
    await expect
      .poll(async () => (await world.get('Developer', `${log}?key=${keyId}`)).html)
      .toContain('<td><bdi>Shop &lt;b> …')
    expect((await world.get('Developer', `${log}?key=key_unknown`)).html).toContain(
      'No requests in this period',
    )
  })

  it('says whether a request was replayed, and leads to its payment and customer', async () => {
    const headers = { 'idempotency-key': 'log-1' }
    const body = hostedPage()
    const create = () => world.sandbox.call('POST', 'payments/hosted-page', body, headers)
    const [first, second] = [await create(), await create()]
    const requestIdOf = (reply: { headers: Headers }) => reply.headers.get('x-request-id') ?? ''
    expect(await lineOf(requestIdOf(first))).toMatch(/log-1<\/code> · not replayed/)
    const replayed = await lineOf(requestIdOf(second))
    expect(replayed).toMatch(/log-1<\/code> · replayed/)
    expect(replayed).toContain(`/payments/${first.body.paymentId}"`)
    const { customerId } = first.body.customerOrder.customer
    const read = await world.sandbox.call('GET', `customers/${encodeURIComponent(customerId)}`)
    expect(await lineOf(requestIdOf(read))).toContain(`/customers/${encodeURIComponent(customerId)}"`)
  })
})

it('shows each event as it was sent', async () => {
  const payment = await world.sandbox.create({})
  const other = await world.sandbox.create({})
  const { html } = await world.get('Developer', `developers/events?payment=${payment.paymentId}`)
  expect(html).toContain(`name="payment" value="${payment.paymentId}"`)
  expect([html.includes(`evt_${payment.paymentId}_1`), html.includes(`evt_${other.paymentId}_1`)]).toEqual([
    true,
    false,
  ])
  expect(html).toContain('<td>Created</td>')
  const page = await world.get('Developer', `developers/events/evt_${payment.paymentId}_1`)
  expect(page.html).toContain('payment.state_changed')
  expect((await world.get('Developer', 'developers/events/evt_1_1')).status).toBe(404)
})

it('has commands with the ids of the app, and leads to the documentation as text', async () => {
  const { html } = await world.get('Developer', 'developers/quickstart')
  const { appId } = world.sandbox
  for (const part of [`/api/apps/${appId}/payments/hosted-page`, `TENDER_APP_ID=${appId}`, 'tender listen'])
    expect(html).toContain(part)
  const links = [...html.matchAll(/href="(\/[\w-]+\.(?:txt|json)|\/docs[\w/]*)"/g)].map(
    ([, path = '']) => path,
  )
  expect(links).toEqual(
    expect.arrayContaining([
      ...['/docs', '/docs/guides/samples', '/openapi.json', '/llms.txt', '/llms-full.txt'],
    ]),
  )
  for (const path of links) expect((await fetch(world.origin + path)).status).toBe(200)
})

it('moves the clock and arms faults of the sandbox only', async () => {
  const tools = 'developers/test-tools'
  expect((await world.post('Developer', `${tools}/clock`, { by: '1h' }, tools)).location).toContain(
    'note=moved',
  )
  const fault = { step: 'start', effect: 'decline', times: '0' }
  expect((await world.post('Developer', `${tools}/faults`, fault, tools)).status).toBe(422)
  const live = await world.get('Developer', `/console/${world.live.appId}/developers/test-tools`)
  expect(live.status).toBe(404)
})

describe('the tools of the sandbox', () => {
  const tools = 'developers/test-tools'
  const trigger = async (event: string) => {
    const { location } = await world.post('Developer', `${tools}/trigger`, { event }, tools)
    const paymentId = /payment=(\d+)/.exec(location ?? '')?.[1] ?? ''
    expect((await world.get('Developer', location ?? '')).html).toContain(`/payments/${paymentId}"`)
    return world.sandbox.read(Number(paymentId))
  }

  it.each([
    ['created', 'Created'],
    ['declined', 'Created'],
    ['authorized', 'Authorized'],
    ['captured', 'Captured'],
    ['held', 'ProviderAuthorizedHold'],
    ['failed', 'Failed'],
    ['refunded', 'Refunded'],
    ['disputed', 'Disputed'],
  ])('trigger the event %s', async (event, state) => {
    expect((await trigger(event)).paymentState).toBe(state)
  })

  it('trigger a refund where refunds need a second factor', async () => {
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: true })
    expect((await trigger('refunded')).paymentState).toBe('Refunded')
    await world.sandbox.settings({ isTwoFactorAuthenticationEnabled: false })
  })

  it('delay webhooks until the delay is ended', async () => {
    await world.sandbox.call('PATCH', '', { paymentWebhookUrl: receiver.url })
    expect((await world.post('Developer', `${tools}/hold`, { minutes: '60' }, tools)).status).toBe(303)
    expect((await world.get('Developer', tools)).html).toContain('Webhooks are delayed until')
    const { paymentId } = await trigger('captured')
    const path = `webhooks/evt_${paymentId}_1`
    const waitOf = async () => {
      const { nextTryTime, createdTime } = (await world.sandbox.call('GET', path)).body
      return Date.parse(nextTryTime) - Date.parse(createdTime)
    }
    await expect.poll(waitOf).toBeGreaterThan(30 * MINUTE)
    expect(receiver.states(paymentId)).toEqual([])
    expect((await world.sandbox.call('GET', path)).body.attempts).toEqual([])

    expect((await world.post('Developer', `${tools}/end-hold`, {}, tools)).status).toBe(303)
    expect((await world.get('Developer', tools)).html).not.toContain('Webhooks are delayed until')
    await expect.poll(() => receiver.states(paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
  })

  it('are for those who may change what developers do, and never for live apps', async () => {
    for (const path of ['trigger', 'hold', 'end-hold']) {
      expect((await world.post('Viewer', `${tools}/${path}`, {}, 'overview')).status).toBe(403)
      const live = `/console/${world.live.appId}/developers`
      expect((await world.post('Developer', `${live}/test-tools/${path}`, {}, `${live}/keys`)).status).toBe(
        404,
      )
    }
  })
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it.each(['keys', 'webhooks', 'api-log'])(
    'shows the table of %s at 1280 px without scrolling',
    async (tab) => {
      await world.sandbox.paid({ webhookUrl: receiver.url })
      await writeLogs(world.tender.service.ctx)
      const window = await world.open(browser, 'Owner', { viewport: { width: 1280, height: 900 } })
      await window.page.goto(`${world.origin}/console/${world.sandbox.appId}/developers/${tab}`)
      const table = window.page.locator('section.table').last()
      expect(await table.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
      await window.close()
    },
  )

  it('shows new requests while the log is live, and keeps the focus', async () => {
    await world.sandbox.call('GET', '')
    await writeLogs(world.tender.service.ctx)
    const { page, close } = await world.open(browser, 'Developer')
    await page.clock.install()
    await page.goto(`${world.origin}/console/${world.sandbox.appId}/developers/api-log`)
    await page.getByRole('link', { name: 'Live', exact: true }).last().click()
    await page.getByText('New requests appear by themselves').waitFor()
    const first = page.locator('#calls tbody a').first()
    const href = (await first.getAttribute('href')) ?? ''
    await first.focus()
    const { headers } = await world.sandbox.call('GET', 'payments/1')
    await writeLogs(world.tender.service.ctx)
    await page.clock.fastForward(3_000)
    await page.getByText(headers.get('x-request-id') ?? '').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(href)
    await close()
  })

  it.each([true, false])('creates a key, with script: %s', async (javaScriptEnabled) => {
    const window = await world.open(browser, 'Owner', { javaScriptEnabled })
    const { page } = window
    await page.goto(`${world.origin}/console/${world.sandbox.appId}/developers`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('From the browser')
    expect(await page.getByRole('checkbox', { name: /^Read/ }).isChecked()).toBe(true)
    await page.getByLabel('Access').selectOption('all')
    expect(await page.getByLabel('Refunds').isVisible()).toBe(false)
    await page.getByLabel('Access').selectOption('limited')
    await page.getByLabel('Refunds').check()
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    expect(keyIn(await page.content())).not.toBe('')
    expect(window.faults).toEqual([])
    await window.close()
  })
})

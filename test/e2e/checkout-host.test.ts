import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { directory } from '../../src/merchants/directory-cache.ts'
import { setProvedHost } from '../support/host-proof.ts'
import { startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** The checkout of an app on a host name of its own, as a proxy passes it on. */
let tender: TestService
let shop: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_checkout_host', { config: { ownHosts: ['tender.internal'] } })
  shop = tender.sandbox
})
afterAll(() => tender?.stop())

const HOST = 'pay.corner.example'

async function on(host: string, path: string, form?: Record<string, string>) {
  const reply = await request(tender.url + path, {
    method: form ? 'POST' : 'GET',
    headers: { host, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
    body: form ? new URLSearchParams(form).toString() : null,
  })
  const { statusCode: status, headers } = reply
  return { status, headers, text: await reply.body.text(), location: String(headers.location ?? '') }
}

const setHost = (app: TestApp, domain: unknown) => app.call('PATCH', 'checkout-page', { domain })
const proveHost = (app: TestApp, host = HOST) => setProvedHost(tender.service.ctx, app, host)
const pathOf = (url: string) => url.slice(`https://${HOST}`.length)

async function linkOnHost(): Promise<string> {
  await proveHost(shop)
  const { redirectUrl } = await shop.create()
  expect(redirectUrl).toMatch(new RegExp(`^https://${HOST}/c/[0-9a-z]{38}$`))
  return pathOf(redirectUrl)
}

const hiddenOf = (html: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''

describe('a checkout host name', () => {
  it('is shown on the app, and payment links begin with it', async () => {
    const { status, body } = await proveHost(shop)
    expect([status, body.hostedPageBaseUrl, body.canRemoveHostedPageDomain]).toEqual([
      200,
      `https://${HOST}`,
      true,
    ])
    const path = await linkOnHost()
    expect((await on(HOST, path)).status).toBe(200)
    expect((await on(`${HOST}:8443`, path)).status).toBe(200)
  })

  it('serves the checkout of its app and nothing else', async () => {
    const path = await linkOnHost()
    const other = (await tender.newMerchant()).sandbox
    const { paymentKey } = await other.create()
    expect((await on(HOST, `/c/${paymentKey}`)).status).toBe(404)
    for (const hidden of [
      '/',
      '/docs',
      '/openapi.json',
      '/p',
      `/api/apps/${shop.appId}`,
      '/api/apps/providers',
    ])
      expect([hidden, (await on(HOST, hidden)).status]).toEqual([hidden, 404])
    const page = await on(HOST, path)
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? ''
    expect((await on(HOST, style)).status).toBe(200)
    expect((await on(HOST.toUpperCase(), '/docs')).status).toBe(404)
    expect((await on(`${HOST}.`, '/docs')).status).toBe(404)
    // The installation's own host serves everything, and so do names that belong to no app.
    const own = new URL(tender.url).host
    expect((await on(own, path)).status).toBe(200)
    expect((await on('internal.example', '/api/apps/providers')).status).toBe(200)
  })

  it('serves everything until it is proved, also when an app asks for it', async () => {
    const other = (await tender.newMerchant()).sandbox
    const name = 'alias.corner.example'
    expect((await setHost(other, { value: name })).status).toBe(200)
    for (const path of ['/health/ready', '/health/live', '/api/apps/providers', '/docs'])
      expect([path, (await on(name, path)).status]).toEqual([path, 200])
  })

  it('serves health too when it is proved', async () => {
    await proveHost(shop)
    for (const path of ['/health/ready', '/health/live?probe=1'])
      expect([path, (await on(HOST, path)).status]).toEqual([path, 200])
    for (const path of ['/health/other', '/health/live/../../docs', '/healthy'])
      expect([path, (await on(HOST, path)).status]).toEqual([path, 404])
  })

  it('is never one of the installation, whose names always serve everything', async () => {
    const other = (await tender.newMerchant()).sandbox
    expect((await setHost(other, 'tender.internal')).status).toBe(400)
    // As an app could have it from before.
    const before = sql<never>('test.own', 'update apps set checkout_host = $2 where app_id = $1')
    await tender.service.ctx.db.query(before, [other.appId, 'tender.internal'])
    directory(tender.service.ctx).forget(other.appId)
    for (const name of ['tender.internal', 'TENDER.internal.', 'tender.internal:8080'])
      expect([name, (await on(name, '/api/apps/providers')).status]).toEqual([name, 200])
    await other.call('DELETE', 'checkout-domain')
  })

  it('the fields and pages of the sandbox lead back to it, and to no other host', async () => {
    const path = await linkOnHost()
    const page = await on(HOST, path)
    const { origin, host: own } = new URL(tender.url)
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${origin}`)
    const back = hiddenOf(page.text, 'back')
    expect(back).toBe(`https://${HOST}${path}/pay`)
    const form = {
      key: hiddenOf(page.text, 'key'),
      _attempt: hiddenOf(page.text, '_attempt'),
      _way: hiddenOf(page.text, '_way'),
      number: '4111 1111 1111 1111',
      expiry: '11 / 31',
      code: '987',
      name: 'Dana Doe',
    }
    const token = await on(own, '/sandbox/tokens', { ...form, back })
    expect(token.status).toBe(303)
    expect(token.location).toMatch(new RegExp(`^https://${HOST}${path}/pay\\?.*token=`))
    const paid = await on(HOST, pathOf(token.location))
    expect([paid.status, paid.location]).toEqual([303, `${path}/result`])
    for (const elsewhere of [`https://evil.example${path}/pay`, `https://${HOST}.evil.example${path}/pay`])
      expect((await on(own, '/sandbox/tokens', { ...form, back: elsewhere })).status).toBe(404)
  })

  it('a payment keeps its link when the host name is removed', async () => {
    const path = await linkOnHost()
    const [, , paymentKey] = path.split('/')
    const removed = await shop.call('DELETE', 'checkout-domain')
    expect([removed.status, removed.body.hostedPageBaseUrl]).toEqual([200, tender.url])
    expect((await shop.create()).redirectUrl).toMatch(tender.url)
    const list = (await shop.call('GET', 'events')).body
    const event = list.find(
      (one: { payment: { paymentKey: string } }) => one.payment.paymentKey === paymentKey,
    )
    const { redirectUrl } = await shop.read(event.payment.paymentId)
    expect(redirectUrl).toBe(`https://${HOST}${path}`)
    expect((await on(HOST, path)).status).toBe(200)
  })

  it('names one app, and never the installation', async () => {
    await proveHost(shop)
    const other = (await tender.newMerchant()).sandbox
    expect(await setHost(other, HOST)).toMatchObject({ status: 409, body: { code: 'checkout_host_taken' } })
    const bad = [
      new URL(tender.url).hostname,
      'shop',
      'Pay.Shop.example',
      'https://pay.shop.example',
      'pay.shop.example:8443',
      'pay..example',
      '-pay.example',
      '192.0.2.1',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(130)}example`,
      'pay shop.example',
    ]
    for (const domain of bad) expect([domain, (await setHost(other, domain)).status]).toEqual([domain, 400])
    await setHost(shop, '')
    expect((await setHost(other, HOST)).status).toBe(200)
    await other.call('DELETE', 'checkout-domain')
  })

  it('slogans are changed with it', async () => {
    const { body } = await shop.call('PATCH', 'checkout-page', {
      checkoutSlogan1: { value: 'Books' },
      checkoutSlogan2: 'since 1970',
    })
    expect(body).toMatchObject({ checkoutSlogan1: 'Books', branding: { slogan2: 'since 1970' } })
    const link = await shop.call('GET', 'panel-link')
    expect(link.body).toBe(`${tender.url}/console/${shop.appId}/overview`)
  })
})

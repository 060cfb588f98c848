import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApp } from '../../../src/merchants/directory.ts'
import { getPayment } from '../../../src/payments/actions.ts'
import { payAgain } from '../../../src/web/panel/pay-again.ts'
import type { PanelVisitor } from '../../../src/web/panel/session.ts'
import { createGuestBrowser, type GuestBrowser } from '../../support/panel.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let shop: TestApp
beforeAll(async () => {
  tender = await startTestService('panel_links')
  shop = tender.sandbox
})
afterAll(() => tender.stop())

const newGuest = (): GuestBrowser => createGuestBrowser(tender.url)

async function customer(customerId: string, app = shop): Promise<string> {
  good(await app.call('POST', 'customers', { customerId, firstName: 'Dana' }))
  return customerId
}

const link = async (customerId: string, query = '', app = shop): Promise<string> =>
  good(await app.call('GET', `customers/${customerId}/panel-link?${query}`))

/** A customer with a stored card and a paid payment. */
async function payer(customerId: string, app = shop) {
  const order = { customer: { customerId } }
  const created = await app.create({ customerOrder: order, registerAutoPayment: true })
  const payment = good(await app.pay(created.paymentId, {}))
  const [method] = good(await app.call('GET', `customers/${customerId}/payment-methods`))
  const [registration] = method.providerProfiles
  return {
    paymentId: payment.paymentId as number,
    methodId: method.paymentMethodId as number,
    tokenId: registration.paymentMethodProviderProfileId as number,
  }
}

/** The token in the provider's redirect after the card form is submitted. */
async function tokenFor(guest: GuestBrowser): Promise<string> {
  const { text } = await guest.get('/p/methods/new')
  const form = text.split('<form').find((part) => /name="_way" value="\d+\.CreditCard/.test(part)) ?? ''
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1] ?? ''
  const names = ['key', 'method', 'back', '_form', '_way']
  const typed = { number: '4242424242424242', expiry: '12/31', code: '123', name: 'Dana' }
  const body = new URLSearchParams({
    ...Object.fromEntries(names.map((name) => [name, value(name)])),
    ...typed,
  })
  const reply = await fetch(/action="([^"]+)"/.exec(form)?.[1] ?? '', {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  return reply.headers.get('location') ?? ''
}

describe('a panel link', () => {
  it('starts a session and redirects to a URL without the token', async () => {
    const url = await link(await customer('opens'))
    const guest = newGuest()
    const opened = await guest.get(url)
    expect([opened.status, opened.location]).toEqual([303, '/p'])
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^panel=[0-9a-z]{38}; Path=\/p; HttpOnly; SameSite=Lax$/)
    const page = await guest.get('/p')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Hello Dana')
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-frame-options', 'DENY'],
    ] as const)
      expect(page.headers.get(name)).toContain(value)
  })

  it('starts one session: the same browser can reuse it, another browser cannot', async () => {
    const url = await link(await customer('once'))
    const guest = newGuest()
    await guest.get(url)
    expect((await guest.get(url)).location).toBe('/p')
    const thief = newGuest()
    expect((await thief.get(url)).status).toBe(401)
    expect((await thief.get('/p')).status).toBe(401)
  })

  it('is not consumed by a scanner, a preview or a prefetch, which get a button', async () => {
    const url = await link(await customer('scanned'))
    for (const headers of [{}, { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' }]) {
      const scanned = await fetch(url, { headers, redirect: 'manual' })
      expect([scanned.status, scanned.headers.get('set-cookie')]).toEqual([200, null])
      expect(await scanned.text()).toContain('Continue')
    }
    const guest = newGuest()
    const opened = await guest.post('/p/open', { token: url.split('/p/')[1] ?? '' })
    expect(opened.location).toBe('/p')
    expect((await guest.get('/p')).status).toBe(200)
  })

  it('redirects to unauthorizedRedirectUrl if the link is invalid', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const away = 'https://shop.example.com/login?a=1'
    const url = await link(
      await customer('late', app),
      `unauthorizedRedirectUrl=${encodeURIComponent(away)}`,
      app,
    )
    const guest = newGuest()
    await guest.get(url)
    expect((await newGuest().get(url)).location).toBe(away)
    await app.advance('61m')
    expect((await guest.get('/p')).location).toBe(away)
    expect((await newGuest().get(url)).location).toBe(away)
  })

  it('ends its session thirty minutes after the last request', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const guest = newGuest()
    await guest.get(await link(await customer('slides', app), '', app))
    await app.advance('20m')
    expect((await guest.get('/p')).status).toBe(200)
    await app.advance('20m')
    expect((await guest.get('/p')).status).toBe(200)
    await app.advance('30m')
    const over = await guest.get('/p')
    expect(over.status).toBe(401)
    expect(over.text).toContain('Ask Acme (sandbox) for a new link.')
  })

  it('is valid on every node, also after a restart', async () => {
    const guest = newGuest()
    await guest.get(await link(await customer('nodes')))
    const { databaseUrl } = tender
    const other = await startTestService('panel_links', { databaseUrl })
    const page = await guest.get(`${other.url}/p`)
    await other.stop()
    expect(page.status).toBe(200)
  })

  it('ends with a sign-out', async () => {
    const guest = newGuest()
    const url = await link(await customer('leaves'))
    await guest.get(url)
    const out = await guest.post('/p/leave', {})
    expect(out.text).toContain('You are signed out')
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await guest.get('/p')).status).toBe(401)
    expect((await guest.get(url)).status).toBe(401)
  })

  it('cannot be forged', async () => {
    for (const path of ['/p', '/p/x', '/p/a.b', '/p/methods/new', '/p/payments/1']) {
      const guest = newGuest()
      guest.cookie = 'panel=00000000000000000000000000000000000000'
      expect((await guest.get(path)).status).toBe(401)
    }
  })
})

describe('a customer at the panel', () => {
  it('cannot access data of another customer or app by id', async () => {
    const mine = await payer('owner')
    const theirs = await payer('stranger')
    const { sandbox: elsewhere } = await tender.newMerchant()
    const far = await payer('owner', elsewhere)
    const guest = newGuest()
    await guest.get(await link('owner'))
    expect((await guest.get(`/p/payments/${mine.paymentId}`)).status).toBe(200)
    for (const { paymentId, methodId, tokenId } of [theirs, far]) {
      const [remove, makeDefault] = [`/p/methods/${methodId}/remove`, `/p/methods/${methodId}/default`]
      const stop = `/p/auto/${tokenId}/stop`
      const payment = `/p/payments/${paymentId}`
      for (const path of [payment, `${payment}/receipt`, remove, stop, `/p/methods/${methodId}/verify`])
        expect([path, (await guest.get(path)).status]).toEqual([path, 404])
      for (const path of [`${payment}/pay`, remove, stop, makeDefault])
        expect([path, (await guest.post(path, {})).status]).toEqual([path, 404])
      const verified = await guest.post(`/p/methods/${methodId}/verify`, { first: '0.32', second: '0.45' })
      expect(verified.status).toBe(404)
    }
    for (const [app, customerId] of [
      [shop, 'stranger'],
      [elsewhere, 'owner'],
    ] as const)
      expect(good(await app.call('GET', `customers/${customerId}/payment-methods`))).toHaveLength(1)
    const overview = await guest.get('/p')
    expect(overview.text).not.toContain(`/p/payments/${theirs.paymentId}`)
  })

  it('is protected against forged forms', async () => {
    const { methodId } = await payer('forged')
    const guest = newGuest()
    await guest.get(await link('forged'))
    const other = newGuest()
    await other.get(await link(await customer('attacker')))
    const stolen = await other.form('/p')
    for (const form of ['', 'made.up', stolen]) {
      const reply = await guest.post(`/p/methods/${methodId}/remove`, { form }, { asIs: true })
      expect([reply.status, reply.location]).toEqual([303, '/p'])
    }
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await guest.post(`/p/methods/${methodId}/remove`, {}, { headers })).status).toBe(403)
    expect(good(await shop.call('GET', 'customers/forged/payment-methods'))).toHaveLength(1)
  })

  it('sees only the method type of the link, without payments and details', async () => {
    const { paymentId } = await payer('scoped')
    const guest = newGuest()
    await guest.get(await link('scoped', 'customerPanelLinkAccessType=ElectronicCheck'))
    const { text } = await guest.get('/p')
    expect(text).toContain('No method is saved yet.')
    expect(text).not.toContain('id="payments"')
    expect(text).not.toContain('id="details"')
    expect((await guest.get(`/p/payments/${paymentId}`)).location).toBe('/p')
    const add = await guest.get('/p/methods/new')
    expect(add.text).toContain('Routing number')
    expect(add.text).not.toContain('Card number')
  })

  it.each([
    ['add-method', '/p/methods/new'],
    ['verify-method&paymentMethodId=7', '/p/methods/7/verify'],
    ['pay&paymentId=7', '/p/payments/7'],
  ])('can do only the task of the link: %s', async (task, home) => {
    const customerId = await customer(`task-${task.slice(0, 3)}`)
    const guest = newGuest()
    await guest.get(await link(customerId, `task=${task}`))
    for (const path of ['/p', '/p/methods/1/remove', '/p/auto/1/stop', '/p/payments/8'])
      expect((await guest.get(path)).location).toBe(home)
    expect((await guest.post('/p/details', { firstName: 'X' })).location).toBe(home)
  })

  it('cannot get a task link without the id of its object', async () => {
    const customerId = await customer('names')
    for (const [task, field] of [
      ['pay', 'paymentId'],
      ['verify-method', 'paymentMethodId'],
    ])
      expect((await shop.call('GET', `customers/${customerId}/panel-link?task=${task}`)).body).toMatchObject({
        status: 400,
        errors: [{ field }],
      })
  })

  it('sees errors in the details form, which keeps the input', async () => {
    const guest = newGuest()
    await guest.get(await link(await customer('details')))
    const reply = await guest.post('/p/details', { firstName: 'Eve', email: 'nowhere' })
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('Enter an e-mail address, for example dana@example.com.')
    expect(reply.text).toContain('value="nowhere"')
    const refused = await guest.post('/p/details', { firstName: '4242 4242 4242 4242' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('A card number does not belong into this form.')
    expect(refused.text).not.toContain('4242')
    expect(good(await shop.call('GET', 'customers/details'))).toMatchObject({
      firstName: 'Dana',
      email: null,
    })
  })

  it('adds a method once, also when a reply is lost and the form is resubmitted', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const guest = newGuest()
    await guest.get(await link(await customer('adds', app), '', app))
    const back = await tokenFor(guest)
    await app.fault('keep', 'reply-lost')
    expect((await guest.get(back)).location).toBe('/p?note=added')
    expect((await guest.get(back)).location).toBe('/p?note=added')
    const methods = good(await app.call('GET', 'customers/adds/payment-methods'))
    expect(methods).toMatchObject([{ paymentMethodNumber: 'Visa •••• 4242', isDefault: true }])
    await guest.post(`/p/methods/${methods[0].paymentMethodId}/remove`, {})
    await guest.get(back)
    expect(good(await app.call('GET', 'customers/adds/payment-methods'))).toEqual([])
  })

  it('sees an error if the provider does not reply, and can retry', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const guest = newGuest()
    await guest.get(await link(await customer('unlucky', app), '', app))
    await app.fault('keep', 'outage')
    const { location } = await guest.get(await tokenFor(guest))
    expect((await guest.get(location ?? '')).text).toContain('Something went wrong on the way to your bank')
    expect((await guest.get(await tokenFor(guest))).location).toBe('/p?note=added')
  })

  it('can try at most ten methods', async () => {
    const guest = newGuest()
    await guest.get(await link(await customer('thief')))
    const tries = async () => {
      const html = (await guest.get('/p/methods/new')).text
      const way = /name="_way" value="(\d+\.CreditCard)"/.exec(html)?.[1] ?? ''
      const form = /name="_form" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const query = new URLSearchParams({ token: 'tok_x.y', _way: way, _form: form })
      return (await guest.get(`/p/methods/add?${query}`)).location
    }
    for (let turn = 0; turn < 10; turn++) expect(await tries()).toContain('declined=processing-error')
    expect(await tries()).toContain('declined=tries')
  })
})

describe('paying a failed charge', () => {
  /** A customer with a failed charge, and a browser with a panel session. */
  async function failedCharge(customerId: string, referenceId: string) {
    const order = { customer: { customerId } }
    const first = await shop.create({ customerOrder: order, registerAutoPayment: true })
    good(await shop.pay(first.paymentId, { outcome: 'stored-charge-declined' }))
    const money = { amount: 31, currency: 'EUR', autoCapture: true }
    const requestBody = { referenceId, ...money, customerOrder: order }
    const failed = good(await shop.call('POST', 'payments/auto-payment', requestBody))
    expect(failed.paymentState).toBe('Failed')
    const guest = newGuest()
    await guest.get(await link(customerId))
    const pay = async () => (await guest.post(`/p/payments/${failed.paymentId}/pay`, {})).location ?? ''
    return { failed, guest, pay, money }
  }

  const keyIn = (location: string): string => /^\/c\/(\w+)$/.exec(location)?.[1] ?? `no page: ${location}`
  async function paymentOf(customerId: string, location: string) {
    const text = 'select payment_id, customer_id from payments where payment_key = $1'
    const [row] = await tender.service.ctx.db.query<{ paymentId: number; customerId: string }>(
      { name: 'test.byKey', text },
      [keyIn(location)],
    )
    expect(row?.customerId).toBe(customerId)
    return shop.read(Number(row?.paymentId))
  }

  it('does not open the payment of another customer with the same reference', async () => {
    const { pay, money, guest, failed } = await failedCharge('collides', 'invoice 7')
    const customerOrder = { customer: { customerId: 'another' } }
    const foreign = await shop.create({ referenceId: 'invoice 7~1', ...money, customerOrder })
    const payment = await paymentOf('collides', await pay())
    expect(payment.paymentId).not.toBe(foreign.paymentId)
    expect(payment).toMatchObject({ amount: 31, currency: 'EUR', paymentState: 'Created' })
    expect(keyIn(await pay())).toBe(payment.paymentKey)
    good(await shop.pay(payment.paymentId))
    const { text } = await guest.get(`/p/payments/${failed.paymentId}`)
    expect(text).toContain('This payment failed and was paid afterwards.')
    expect(await pay()).toBe(`/p/payments/${failed.paymentId}`)
  })

  it('does not count another payment of the same customer as paid', async () => {
    const { pay, money, guest, failed } = await failedCharge('buys-more', 'invoice 8')
    const customerOrder = { customer: { customerId: 'buys-more' } }
    const more = [{ ...money, amount: 5 }, money]
    const references = ['invoice 8~1', `payment-${failed.paymentId}~1`]
    for (const [index, referenceId] of references.entries())
      await shop.paid({ ...more[index], referenceId, customerOrder })
    const { text } = await guest.get(`/p/payments/${failed.paymentId}`)
    expect(text).not.toContain('was paid afterwards')
    const payment = await paymentOf('buys-more', await pay())
    expect(payment).toMatchObject({ amount: 31, paymentState: 'Created' })
    expect(references).not.toContain(payment.referenceId)
    expect((await paymentOf('buys-more', await pay())).paymentId).toBe(payment.paymentId)
  })

  it('opens no page if the reference is already used for another payment', async () => {
    const { failed, money } = await failedCharge('raced', 'invoice 10')
    const { ctx } = tender.service
    const app = await loadApp(ctx, shop.appId)
    if (!app) throw new Error('the app does not exist')
    const guest = { app, now: ctx.clock.now() } as PanelVisitor
    const payment = await getPayment(ctx, app, failed.paymentId)
    const customerOrder = { customer: { customerId: 'another' } }
    await shop.create({ referenceId: 'same money', ...money, customerOrder })
    await shop.create({ referenceId: 'other money', ...money, amount: 1, customerOrder })
    expect(await payAgain(ctx, guest, payment, 'same money')).toBeUndefined()
    expect(await payAgain(ctx, guest, payment, 'other money')).toBeUndefined()
    expect(await payAgain(ctx, guest, payment, 'free')).toMatch(/^\/c\//)
  })

  it('creates one payment for concurrent clicks', async () => {
    const { pay } = await failedCharge('clicks', 'invoice 9')
    const pages = await Promise.all(Array.from({ length: 4 }, pay))
    expect(new Set(pages.map(keyIn)).size).toBe(1)
    expect((await paymentOf('clicks', pages[0] ?? '')).referenceId).toBe('invoice 9~1')
  })
})

it('a method stored without a charge is charged in the currency of its profile', async () => {
  const customerId = await customer('kept')
  const guest = newGuest()
  await guest.get(await link(customerId))
  const back = await tokenFor(guest)
  expect((await guest.get(back)).status).toBe(303)
  const requestBody = { referenceId: 'kept 1', amount: 4, autoCapture: true }
  const charged = await shop.call('POST', 'payments/auto-payment', {
    ...requestBody,
    customerOrder: { customer: { customerId } },
  })
  expect([charged.status, charged.body.paymentState]).toEqual([200, 'Captured'])
  expect(charged.body.currency).toBe(charged.body.payInfo.paymentProfile.currency)
})

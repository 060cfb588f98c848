import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { amountOf } from '../../../src/web/link/routes.tsx'
import { setProvedHost } from '../../support/host-proof.ts'
import {
  type Answer,
  good,
  nextPath,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
let shop: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_links')
  shop = tender.sandbox
})
afterAll(() => tender?.stop())

const WANTED = { isReusable: true, amount: 12.5, currency: 'EUR', description: 'Concert <b>ticket</b>' }

/** Where the button leads. A page without a form leads back to the link. */
const CHECKOUT = /^\/c\/[0-9a-z]{38}$/

const make = async (more: object = {}, app = shop): Promise<Answer> =>
  good(await app.call('POST', 'payment-links', { ...WANTED, ...more }))
const read = async ({ paymentLinkId }: Answer, app = shop): Promise<Answer> =>
  good(await app.call('GET', `payment-links/${paymentLinkId}`))
const paymentsOf = async ({ paymentLinkId }: Answer): Promise<Answer[]> =>
  good(await shop.call('GET', `payment-links/${paymentLinkId}/payments`))
const keyOf = ({ url }: Answer): string => new URL(url).pathname.slice('/l/'.length)

async function visit(link: Answer, language = 'en') {
  const reply = await fetch(`${tender.url}/l/${keyOf(link)}`, { headers: { 'accept-language': language } })
  const html = await reply.text()
  return { status: reply.status, html, form: /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

/** Sends the form of the page, as a browser without script does. */
async function send(link: Answer, form: string, { amount = '', language = 'en' } = {}) {
  const reply = await fetch(`${tender.url}/l/${keyOf(link)}`, {
    method: 'POST',
    body: new URLSearchParams({ form, ...(amount && { amount }) }),
    headers: { 'accept-language': language },
    redirect: 'manual',
  })
  const location = reply.headers.get('location') ?? ''
  return { status: reply.status, html: await reply.text(), location }
}

const press = async (link: Answer, typed: { amount?: string; language?: string } = {}) =>
  send(link, (await visit(link)).form, typed)

describe('the API', () => {
  it('makes a link, reads it, and withdraws it once', async () => {
    const link = await make({ referenceId: 'ticket', maximumPayments: 3 })
    expect(link).toMatchObject({
      ...WANTED,
      url: expect.stringMatching(new RegExp(`^${tender.url}/l/[0-9a-z]{38}$`)),
      ...{ isActive: true, minimumAmount: null, maximumAmount: null, maximumPayments: 3, autoCapture: true },
      ...{ paidCount: 0, paidAmount: 0, expirationTime: null, withdrawnTime: null },
    })
    expect(await read(link)).toEqual(link)
    const path = `payment-links/${link.paymentLinkId}`
    const withdrawn = good(await shop.call('DELETE', path))
    expect(withdrawn).toMatchObject({ isActive: false, withdrawnTime: expect.any(String) })
    expect(good(await shop.call('DELETE', path))).toEqual(withdrawn)
    const { ctx } = tender.service
    const app = await loadApp(ctx, shop.appId)
    const target = `link:${link.paymentLinkId}`
    const entries = await auditEntries(ctx, app?.licenseId ?? '', { target, limit: 5 })
    expect(entries.map(({ action }) => action)).toEqual(['reusable_link.withdrawn', 'reusable_link.created'])
  })

  it('has the name of the app where no description is given', async () => {
    const { friendlyName } = good(await shop.call('GET', ''))
    for (const description of [undefined, null])
      expect(await make({ description })).toMatchObject({ description: friendlyName })
  })

  it('makes one link for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-link' }
    const twice = [1, 2].map(() => shop.call('POST', 'payment-links', WANTED, headers))
    // While one runs, the other is a 409.
    const first = (await Promise.all(twice)).find(({ status }) => status === 201)
    const again = await shop.call('POST', 'payment-links', WANTED, headers)
    expect([again.status, again.body.paymentLinkId]).toEqual([201, first?.body.paymentLinkId])
  })

  it.each<[object, string]>([
    [{ amount: undefined }, 'amount'],
    [{ amount: undefined, minimumAmount: 5 }, 'maximumAmount'],
    [{ amount: undefined, maximumAmount: 5 }, 'minimumAmount'],
    [{ amount: undefined, minimumAmount: 6, maximumAmount: 5 }, 'minimumAmount'],
    [{ minimumAmount: 5 }, 'minimumAmount'],
    [{ amount: '0.001' }, 'amount'],
    [{ isReusable: false, maximumPayments: 2 }, 'maximumPayments'],
    [{ maximumPayments: 0 }, 'maximumPayments'],
    [{ expirationTime: '2020-01-01T00:00:00Z' }, 'expirationTime'],
    [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    [{ description: '' }, 'description'],
  ])('names what is wrong with %j', async (more, field) => {
    const { status, body } = await shop.call('POST', 'payment-links', { ...WANTED, ...more })
    expect([status, body.errors?.map((error: Answer) => error.field)]).toEqual([400, [field]])
  })

  it('refuses a currency that no profile takes, and links of other apps', async () => {
    const other = (await tender.newMerchant()).sandbox
    const link = await make()
    expect((await other.call('GET', `payment-links/${link.paymentLinkId}`)).status).toBe(404)
    expect((await other.call('DELETE', `payment-links/${link.paymentLinkId}`)).status).toBe(404)
    expect((await tender.live.call('POST', 'payment-links', WANTED)).body.code).toBe(
      'no_profile_for_currency',
    )
  })

  it('lists links and payments page by page', async () => {
    const app = (await tender.newMerchant()).sandbox
    const made = [await make({}, app), await make({}, app), await make({}, app)].map(
      (one) => one.paymentLinkId,
    )
    const first = await app.call('GET', 'payment-links?pageSize=2')
    const second = await app.call('GET', nextPath(first) ?? '')
    const listed = [...good(first), ...good(second)].map((one: Answer) => one.paymentLinkId)
    expect([listed, nextPath(second)]).toEqual([made.reverse(), undefined])
    const link = await make()
    for (let payer = 0; payer < 3; payer++) await press(link)
    const path = `payment-links/${link.paymentLinkId}/payments`
    const newest = await shop.call('GET', `${path}?pageSize=2`)
    const oldest = await shop.call('GET', nextPath(newest) ?? '')
    const ids = [...good(newest), ...good(oldest)].map((one: Answer) => one.paymentId)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(ids).toHaveLength(3)
  })
})

describe('the page', () => {
  it('creates nothing when it is opened, and a payment of the payer by its button', async () => {
    const link = await make({ referenceId: 'ticket', returnUrl: 'https://shop.example/thanks' })
    const page = await visit(link)
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('€12.50')])
    expect(page.html).toContain('Concert &lt;b>ticket&lt;/b>')
    expect(await paymentsOf(link)).toEqual([])
    const { status, location } = await send(link, page.form)
    expect([status, location]).toEqual([303, expect.stringMatching(CHECKOUT)])
    const [payment] = await paymentsOf(link)
    expect(payment).toMatchObject({
      ...{ amount: 12.5, currency: 'EUR', paymentFlow: 'HostedPage', paymentState: 'Created' },
      referenceId: expect.stringMatching(/^ticket-[0-9a-f]{24}$/),
      returnUrl: 'https://shop.example/thanks',
      customerOrder: { description: WANTED.description },
    })
    const openMs = Date.parse(payment.expirationTime) - Date.parse(payment.createdTime)
    expect(openMs).toBeLessThanOrEqual(30 * 60_000)
    expect((await fetch(tender.url + location)).status).toBe(200)
    good(await shop.pay(payment.paymentId))
    expect(await read(link)).toMatchObject({ paidCount: 1, paidAmount: 12.5, isActive: true })
  })

  it('makes one payment of a form that is sent twice, and a new form after a failed one', async () => {
    const link = await make()
    const { form } = await visit(link)
    const [one, other] = await Promise.all([send(link, form), send(link, form)])
    expect([one.status, one.location]).toEqual([303, other.location])
    const [payment, ...more] = await paymentsOf(link)
    expect(more).toEqual([])
    good(await shop.act(payment.paymentId, 'cancel'))
    expect((await send(link, form)).location).toBe(`/l/${keyOf(link)}`)
  })

  it('takes the form of this link only', async () => {
    const [link, other] = [await make(), await make()]
    for (const form of ['', 'x.y', (await visit(other)).form])
      expect(await send(link, form)).toMatchObject({ status: 303, location: `/l/${keyOf(link)}` })
    expect(await paymentsOf(link)).toEqual([])
    const stranger = { ...link, url: `${tender.url}/l/${'0'.repeat(38)}` }
    expect((await visit(stranger)).status).toBe(404)
  })

  it('takes an amount within the bounds, as the language writes it', async () => {
    const link = await make({ amount: undefined, minimumAmount: 5, maximumAmount: 1500 })
    expect((await visit(link, 'de')).html).toContain('Von 5,00')
    for (const amount of ['', '4.99', '1500.01', '12.345', '-12', '1e2', '<script>', '1'.repeat(5000)]) {
      const { status, html } = await press(link, { amount })
      expect([amount, status]).toEqual([amount, 422])
      expect(html).toContain('Enter an amount from €5.00 to €1,500.00, such as 5.00.')
      expect(html).not.toContain('<script>')
    }
    expect(await paymentsOf(link)).toEqual([])
    expect((await press(link, { amount: '1.234,50', language: 'de' })).status).toBe(303)
    expect((await paymentsOf(link)).map(({ amount }) => amount)).toEqual([1234.5])
  })

  it('makes a second payment of the same form for another amount', async () => {
    const link = await make({ amount: undefined, minimumAmount: 5, maximumAmount: 1500 })
    const { form } = await visit(link)
    await send(link, form, { amount: '5' })
    await send(link, form, { amount: '6' })
    expect((await paymentsOf(link)).map(({ amount }) => amount)).toEqual([6, 5])
  })

  it('says when the link was withdrawn or has expired, also to a form that was open', async () => {
    const app = (await tender.newMerchant()).sandbox
    const link = await make({}, app)
    const { form } = await visit(link)
    good(await app.call('DELETE', `payment-links/${link.paymentLinkId}`))
    expect(await visit(link)).toMatchObject({ status: 410, html: expect.stringContaining('link is closed') })
    expect((await send(link, form)).status).toBe(410)
    const short = await make({ expirationTime: new Date(Date.now() + 3_600_000).toISOString() }, app)
    const open = await visit(short)
    await app.advance('2h')
    expect((await send(short, open.form)).html).toContain('link has expired')
    expect(await read(short, app)).toMatchObject({ isActive: false, paidCount: 0 })
  })

  it('is served on the host name of the checkout', async () => {
    const app = (await tender.newMerchant()).sandbox
    await setProvedHost(tender.service.ctx, app, 'pay.links.example')
    expect((await make({}, app)).url).toMatch(/^https:\/\/pay\.links\.example\/l\/[0-9a-z]{38}$/)
  })

  it('says when no provider takes the payment, and keeps no place', async () => {
    const app = (await tender.newMerchant()).sandbox
    const link = await make({ maximumPayments: 1 }, app)
    const { form } = await visit(link)
    const profiles: Answer[] = good(await app.call('GET', 'payment-profiles'))
    const turn = async (isActive: boolean) => {
      for (const { paymentProfileId } of profiles)
        good(await app.call('PATCH', `payment-profiles/${paymentProfileId}`, { isActive }))
    }
    await turn(false)
    expect(await send(link, form)).toMatchObject({
      status: 409,
      html: expect.stringContaining('cannot take payments right now'),
    })
    await turn(true)
    expect((await press(link)).location).toMatch(CHECKOUT)
  })
})

describe('a limit', () => {
  it('holds when many press the button at once', async () => {
    const link = await make({ maximumPayments: 3 })
    const forms = await Promise.all(Array.from({ length: 20 }, () => visit(link)))
    const sent = await Promise.all(forms.map(({ form }) => send(link, form)))
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(3)
    expect(sent.find(({ status }) => status === 200)?.html).toContain('Someone else is paying right now')
    const payments = await paymentsOf(link)
    expect(payments).toHaveLength(3)
    for (const { paymentId } of payments) good(await shop.pay(paymentId))
    expect(await read(link)).toMatchObject({ isActive: false, paidCount: 3, paidAmount: 37.5 })
    expect(await visit(link)).toMatchObject({ status: 410, html: expect.stringContaining('has been used') })
  })

  it('counts neither failed nor expired payments', async () => {
    const app = (await tender.newMerchant()).sandbox
    const link = await make({ isReusable: false }, app)
    expect(link).toMatchObject({ isReusable: false, maximumPayments: 1 })
    const path = `payment-links/${link.paymentLinkId}/payments`
    expect((await press(link)).location).toMatch(CHECKOUT)
    expect((await visit(link)).html).toContain('Someone else is paying right now')
    const [first] = good(await app.call('GET', path))
    good(await app.act(first.paymentId, 'cancel'))
    expect((await press(link)).location).toMatch(CHECKOUT)
    await app.advance('31m')
    const again = await press(link)
    const [, expired] = good(await app.call('GET', path))
    expect(again.location).toMatch(CHECKOUT)
    expect([expired.paymentState, expired.failure.code]).toEqual(['Failed', 'expired'])
  })
})

it('an amount is exact in the minor units of its currency', () => {
  const within = (currency: string) => ({ leastMinor: 1n, mostMinor: 10n ** 11n, currency })
  const read = (text: string, currency: string, intl = 'en') => amountOf(within(currency), text, { intl })
  expect([read('0.1', 'EUR'), read('1.10', 'KWD'), read('500', 'JPY')]).toEqual([10n, 1100n, 500n])
  expect([read('0,1', 'EUR', 'de'), read('٥٫٢٥', 'EUR', 'ar')]).toEqual([10n, 525n])
  expect([read('5.5', 'JPY'), read('0.001', 'EUR'), read('1.234', 'EUR', 'de')]).toEqual(
    Array(3).fill(undefined),
  )
  expect([read('0', 'EUR'), read('999999999999', 'EUR')]).toEqual([undefined, undefined])
})

import type { Page } from 'playwright-core'
import { after } from '../../src/base/clock.ts'
import type { Stage } from '../support/pages.ts'
import { type Answer, good, newReference, type TestApp } from '../support/tender.ts'
import { panelGallery } from './panel-gallery.ts'

/** Every page of the checkout: its URL and the actions before a check or screenshot. */
export interface Exhibit {
  readonly name: string
  readonly url: string
  /** The session cookie that gives access. */
  readonly cookie?: string
  readonly before?: (page: Page) => Promise<void>
}

const ORDER = {
  customerOrder: {
    customer: { customerId: 'dana', firstName: 'Dana', lastName: 'Doe', email: 'dana@example.com' },
    orderId: '10042',
    description: 'Annual renewal',
    amount: {
      shipping: 4.9,
      totalTax: 20.5,
      discount: 10,
      items: [
        { name: 'Acme Pro, one year', amount: 96, quantity: 1, category: 'DigitalGoods' },
        { name: 'Mug', description: 'Blue, 300 ml', amount: 8.5, quantity: 2, category: 'PhysicalGoods' },
      ],
    },
  },
  amount: 128.4,
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">' +
  '<rect width="40" height="40" rx="10" fill="#0b6e4f"/>' +
  '<path d="M12 28 20 11l8 17M15 22h10" stroke="#fff" stroke-width="3" fill="none"/></svg>'

const BRANDING = {
  logo: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`,
  color: '#0b6e4f',
  slogan1: 'Tools for people who make things',
  slogan2: 'Acme Ltd, 1 Main Street',
  support: 'help@example.com',
  termsUrl: 'https://shop.example.com/terms',
  privacyUrl: 'https://shop.example.com/privacy',
}

/** A service whose pages are shown; they need no browser. */
type Shown = Pick<Stage, 'tender'>

/** Opens the page with its session cookie. */
export async function goTo(page: Page, { url, cookie }: Exhibit): Promise<void> {
  const [, value] = cookie?.split('=') ?? []
  if (value) await page.context().addCookies([{ name: 'panel', value, url: `${new URL(url).origin}/p` }])
  await page.goto(url)
}

export async function gallery(stage: Shown): Promise<Exhibit[]> {
  const { tender } = stage
  const plain = (await tender.newMerchant()).sandbox
  const branded = (await tender.newMerchant()).sandbox
  await branded.call('PATCH', '', { friendlyName: 'Acme', branding: BRANDING })
  return [
    ...(await forms(stage, branded, plain)),
    ...(await abroad(stage)),
    ...(await waiting(stage, branded)),
    ...(await results(stage, branded)),
    ...(await simulator(branded)),
    await codeRequired(stage),
    ...(await links(branded)),
    ...(await panelGallery(tender.url, branded)),
    { name: 'unknown', url: `${tender.url}/c/nothing-like-this` },
  ]
}

const inFuture = ({ service }: Stage['tender'], ms: number): string =>
  after(service.ctx.clock.now(), ms).toISOString()

/** Pages of payment links: a fixed amount, an amount that the payer chooses, and a link that has ended. */
async function links(shop: TestApp): Promise<Exhibit[]> {
  const make = async (more: object): Promise<Answer> =>
    good(await shop.call('POST', 'payment-links', { isReusable: true, currency: 'EUR', ...more }))
  const fixed = await make({ amount: 18, description: 'Ticket for the concert' })
  const chosen = await make({ minimumAmount: 5, maximumAmount: 500, description: 'Donation' })
  const ended = await make({ amount: 18, description: 'Ticket' })
  good(await shop.call('DELETE', `payment-links/${ended.paymentLinkId}`))
  const typeWrong = async (page: Page) => {
    await page.getByLabel('Amount').fill('2')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
  }
  return [
    { name: 'link', url: fixed.url },
    { name: 'link-amount', url: chosen.url },
    { name: 'link-amount-wrong', url: chosen.url, before: typeWrong },
    { name: 'link-ended', url: ended.url },
  ]
}

async function forms({ tender }: Shown, shop: TestApp, plain: TestApp): Promise<Exhibit[]> {
  const url = async (more: object = {}) => (await shop.create({ ...ORDER, ...more })).redirectUrl as string
  const known = {
    customerOrder: { ...ORDER.customerOrder, customer: { customerId: 'eve', firstName: 'Eve' } },
  }
  for (const [method, outcome] of [
    ['CreditCard', 'approved'],
    ['Paypal', 'approved'],
  ])
    await shop.pay((await shop.create({ ...known, registerAutoPayment: true })).paymentId, {
      method,
      outcome,
    })
  const declined = await shop.create(ORDER)
  await shop.pay(declined.paymentId, { outcome: 'processing-error' })
  const insufficient = await shop.create(ORDER)
  await shop.pay(insufficient.paymentId, { outcome: 'insufficient-funds' })
  const cameBack = await shop.create(ORDER)
  await shop.pay(cameBack.paymentId, { method: 'Paypal', outcome: 'abandon' })
  const soon = inFuture(tender, 240_000)
  const card = async () => {
    const address = await url()
    const way = /way-(\d+\.CreditCard)/.exec(await (await fetch(address)).text())?.[1]
    return `${address}?_way=${way}&problems=numberWrong.expiryPast.codeEmpty`
  }
  const choose = (title: RegExp) => async (page: Page) => page.getByRole('radio', { name: title }).check()
  return [
    { name: 'checkout', url: await url(), before: openDetails },
    { name: 'checkout-plain', url: (await plain.create()).redirectUrl },
    { name: 'checkout-saved', url: await url(known) },
    {
      name: 'checkout-one-method',
      url: await url({ checkoutMethods: ['CreditCard'], showPayRecurringInCheckout: true }),
    },
    { name: 'checkout-mandate', url: await url({ registerAutoPayment: true, autoCapture: false }) },
    { name: 'checkout-bank', url: await url(), before: choose(/Bank account/) },
    { name: 'checkout-paypal', url: await url(), before: choose(/PayPal/) },
    {
      name: 'checkout-test-cards',
      url: await url(),
      before: (page) => page.getByText('Test cards', { exact: true }).first().click(),
    },
    { name: 'checkout-typing-errors', url: await url(), before: typeWrong },
    { name: 'checkout-problems', url: await card() },
    { name: 'checkout-declined', url: declined.redirectUrl },
    { name: 'checkout-insufficient', url: insufficient.redirectUrl },
    { name: 'checkout-came-back', url: cameBack.redirectUrl },
    { name: 'checkout-not-reached', url: `${cameBack.redirectUrl}?open=yes` },
    { name: 'checkout-expiring', url: await url({ expirationTime: soon }) },
    { name: 'checkout-cancel', url: await url(), before: (page) => page.locator('.cancel summary').click() },
    {
      name: 'checkout-languages',
      url: await url(),
      before: (page) => page.locator('.languages summary').click(),
    },
  ]
}

/** What payers of four countries see in a shop with methods by name, and a transfer that is on its way. */
async function abroad({ tender }: Shown): Promise<Exhibit[]> {
  const { sandbox: shop } = await tender.newMerchant()
  await shop.call('PATCH', '', { friendlyName: 'Acme', branding: BRANDING })
  for (const { paymentProfileId, methods } of (await shop.call('GET', 'payment-profiles')).body as Answer[])
    if (!methods.includes('CreditCard'))
      good(await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { isActive: false }))
  const secretKey = `sk_test_${'a'.repeat(24)}`
  const local = ['ideal', 'bancontact', 'klarna', 'sepa-debit', 'blik', 'przelewy24', 'cash-app', 'afterpay']
  const add = async (provider: string, methods: readonly string[], more: object = {}) =>
    good(
      await shop.call('POST', 'payment-profiles', {
        provider,
        name: provider,
        currency: 'EUR',
        methods,
        ...more,
      }),
    )
  await add('stripe', local, { settings: { secretKey } })
  await add('sandbox', ['apple-pay', 'bank-transfer'])
  const create = async (country: string, locale: string, currency: string): Promise<Answer> =>
    shop.create({ ...ORDER, country, locale, currency })
  const slow = await create('DE', 'de', 'EUR')
  await shop.pay(slow.paymentId, { method: 'bank-transfer', outcome: 'approved' })
  const exhibit = async (name: string, ...payer: [string, string, string]) => ({
    name: `checkout-${name}`,
    url: (await create(...payer)).redirectUrl,
  })
  return [
    await exhibit('dutch', 'NL', 'nl', 'EUR'),
    await exhibit('german', 'DE', 'de', 'EUR'),
    await exhibit('polish', 'PL', 'pl', 'PLN'),
    await exhibit('american', 'US', 'en', 'USD'),
    { name: 'status-slow', url: slow.redirectUrl },
  ]
}

/** A saved card of a provider that requires the security code. */
async function codeRequired({ tender }: Shown): Promise<Exhibit> {
  const { sandbox: shop } = await tender.newMerchant()
  const profiles = (await shop.call('GET', 'payment-profiles')).body as Answer[]
  for (const { paymentProfileId } of profiles)
    await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { settings: { asksCode: true } })
  await shop.paid({ ...ORDER, registerAutoPayment: true })
  return { name: 'checkout-code', url: (await shop.create(ORDER)).redirectUrl }
}

async function openDetails(page: Page): Promise<void> {
  // Already open on a wide screen.
  if ((page.viewportSize()?.width ?? 0) < 800) await page.locator('.order-details > summary').click()
}

async function typeWrong(page: Page): Promise<void> {
  await page.locator('[data-field=number]').fill('4242 4242 4242 4241')
  await page.locator('[data-field=expiry]').fill('01 / 20')
  await page.locator('[data-field=code]').focus()
}

async function waiting({ tender }: Shown, shop: TestApp): Promise<Exhibit[]> {
  const { sandbox: slow } = await tender.newMerchant()
  const status = await slow.create({ ...ORDER, customerOrder: { customer: { customerId: 'sam' } } })
  await slow.pay(status.paymentId, { method: 'ElectronicCheck', outcome: 'slow' })
  const asked = await shop.create(ORDER)
  await begin(asked)
  const confirm = async (page: Page) => {
    const button = { name: 'Confirm' }
    const framed = page.frameLocator('dialog iframe').getByRole('button', button)
    // On a narrow screen the bank's page fills the window.
    await Promise.any([framed.waitFor(), page.getByRole('button', button).waitFor()])
  }
  return [
    { name: 'status', url: `${tender.url}/c/${status.paymentKey}/status` },
    { name: 'challenge', url: asked.redirectUrl, before: confirm },
    { name: '3ds', url: `${tender.url}/c/${asked.paymentKey}/go` },
  ]
}

/** Pays with a 3-D Secure card up to the challenge, without a browser. */
async function begin(payment: Answer): Promise<void> {
  const html = await (await fetch(payment.redirectUrl)).text()
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  const action = /<form[^>]* action="([^"]+\/sandbox\/tokens)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({
    ...Object.fromEntries(['key', 'method', 'back', '_attempt', '_way'].map((name) => [name, value(name)])),
    number: '4000002500003155',
    expiry: '12/31',
    code: '123',
    name: 'Dana Doe',
  })
  const token = await fetch(action, { method: 'POST', body, redirect: 'manual' })
  await fetch(token.headers.get('location') ?? '', { redirect: 'manual' })
}

async function results({ tender }: Shown, shop: TestApp): Promise<Exhibit[]> {
  const at = (payment: Answer, page = 'result') => `${tender.url}/c/${payment.paymentKey}/${page}`
  const rest = async (name: string, payment: Answer) => ({
    name: `result-${name}`,
    url: at(payment),
    before: stay,
  })
  const paid = await shop.paid(ORDER)
  const refunded = await shop.paid(ORDER)
  await shop.act(refunded.paymentId, 'refund')
  const disputed = await shop.paid(ORDER)
  await shop.act(disputed.paymentId, 'mark-as-dispute')
  const cancelled = await shop.create(ORDER)
  await shop.act(cancelled.paymentId, 'cancel')
  const held = await shop.paid({ ...ORDER, autoCapture: false })
  await setState(tender, held, 'ProviderAuthorizedHold')
  const refunding = await shop.paid(ORDER)
  await setState(tender, refunding, 'Refunding')
  const profiles = (await shop.call('GET', 'payment-profiles')).body
  const { paymentProfileId } = profiles[0]
  const { body: failed } = await shop.call('POST', 'payments/provider-hosted-page', {
    ...ORDER,
    referenceId: newReference(),
    currency: 'EUR',
    autoCapture: true,
    returnUrl: 'https://shop.example.com/back',
    paymentProfileId,
  })
  await shop.pay(failed.paymentId, { outcome: 'insufficient-funds' })
  const { sandbox: other } = await tender.newMerchant()
  const expired = await other.create({ expirationTime: inFuture(tender, 60_000) })
  await other.advance('2m')
  const tried = await other.create()
  for (let tries = 0; tries < 10; tries++) await other.pay(tried.paymentId, { outcome: 'generic' })
  return [
    await rest('received', paid),
    await rest('authorised', await shop.paid({ ...ORDER, autoCapture: false })),
    await rest('review', held),
    await rest('refunding', refunding),
    await rest('refunded', refunded),
    await rest('disputed', disputed),
    await rest('cancelled', cancelled),
    await rest('failed', failed),
    await rest('expired', expired),
    await rest('too-many', tried),
    { name: 'receipt', url: at(paid, 'receipt') },
  ]
}

/** Prevents the automatic return to the shop. */
async function stay(page: Page): Promise<void> {
  const button = page.locator('.leaving button')
  if (await button.isVisible()) await button.click()
}

async function setState({ service }: Stage['tender'], payment: Answer, state: string): Promise<void> {
  const text = 'update payments set state = $3 where app_id = $1 and payment_id = $2'
  await service.ctx.db.query({ name: 'gallery.state', text }, [payment.appId, payment.paymentId, state])
}

async function simulator(shop: TestApp): Promise<Exhibit[]> {
  const profiles = (await shop.call('GET', 'payment-profiles')).body as Answer[]
  const pages = profiles.map(async (profile, place) => {
    const { body } = await shop.call('POST', 'payments/provider-hosted-page', {
      ...ORDER,
      referenceId: newReference(),
      currency: 'EUR',
      autoCapture: true,
      paymentProfileId: profile.paymentProfileId,
    })
    return { name: `simulator-${place}`, url: body.redirectUrl as string }
  })
  return Promise.all(pages)
}

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { choose, heading, type Manner, press, type Stage, stage } from '../../support/pages.ts'
import { addPageProfile, addPageProvider, type PaySite, startPaySite } from '../../support/pay-site.ts'
import { type Answer, good, hostedPage } from '../../support/tender.ts'

/** Names that hide members of a form element, and a value that is not plain text. */
const FIELDS = { submit: 'yes', requestSubmit: 'no', token: `a"b<c>&'d\u00e9` }
const WITH_AND_WITHOUT: readonly Manner[] = ['mouse', 'no script']

describe.skipIf(!chromiumPath)('a payer who continues at a provider', () => {
  // No jobs: the provider's answer to a read never changes a payment here.
  const set = stage('pages_continue', { role: 'web' })
  const profiles: Record<string, number> = {}
  let site: PaySite
  beforeAll(async () => {
    site = await startPaySite()
    const pageOrigins = [site.origin]
    const url = `${site.origin}/pay?id=1&x=2`
    addPageProvider(set.tender, {
      id: 'posting',
      name: 'Payhub',
      to: { url, method: 'POST', fields: FIELDS },
    })
    addPageProvider(set.tender, { id: 'listed', name: 'Payhub', to: { url }, pageOrigins })
    addPageProvider(set.tender, { id: 'custom', name: 'Payhub', to: { url } })
    for (const id of ['posting', 'listed', 'custom']) profiles[id] = await addPageProfile(set.shop, id)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    site.posted.splice(0)
  })
  afterAll(() => site?.close())

  const offering = (provider: string, more: object = {}) =>
    set.shop.create({ paymentProfiles: [profiles[provider]], ...more })
  const atProvider = (page: Page) => heading(page, 'Pay at Payhub')
  const pay = async (page: Page, payment: Answer, manner: Manner) => {
    await page.goto(payment.redirectUrl)
    await choose(page, manner, /Card/)
    await press(page, manner, 'Continue to Payhub')
  }
  const leave = async (payment: Answer): Promise<void> => {
    const { page } = await set.open('no script')
    await pay(page, payment, 'no script')
    await page
      .getByText(/Pay at Payhub|You continue at Payhub/)
      .first()
      .waitFor()
  }
  const urlOf = (payment: Answer, path = '') => `${set.tender.url}/c/${payment.paymentKey}${path}`
  const get = (payment: Answer, path: string) => fetch(urlOf(payment, path), { redirect: 'manual' })

  it('reads on the checkout at which provider each method is paid', async () => {
    const { page } = await set.open()
    await page.goto((await offering('posting')).redirectUrl)
    await page.getByText('You continue at Payhub.').first().waitFor()
    expect(await page.getByText('You continue at Payhub.').count()).toBe(2)
  })

  it.each(WITH_AND_WITHOUT)('reaches a page that a form post opens, with %s', async (manner) => {
    const payment = await offering('posting')
    const { page, faults } = await set.open(manner)
    await pay(page, payment, manner)
    if (manner === 'no script') {
      await heading(page, 'You continue at Payhub')
      await press(page, manner, 'Continue to Payhub')
    }
    await atProvider(page)
    expect(site.posted).toEqual([FIELDS])
    expect(faults).toEqual([])
  })

  it('returns to the checkout with the back button, not to the page with the form', async () => {
    const payment = await offering('posting')
    const { page } = await set.open()
    await pay(page, payment, 'mouse')
    await atProvider(page)
    await page.goBack()
    await page.getByText('You came back from Payhub without paying').waitFor()
    await press(page, 'mouse', 'Resume Payhub', 'link')
    await atProvider(page)
    expect(site.posted).toEqual([FIELDS, FIELDS])
  })

  it.each(WITH_AND_WITHOUT)('reaches it from the merchant’s own link, with %s', async (manner) => {
    const request = { ...hostedPage(), paymentProfileId: profiles.posting }
    const payment = good(await set.shop.call('POST', 'payments/provider-hosted-page', request))
    expect(payment.redirectUrl).toBe(urlOf(payment, '/continue/1'))
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    if (manner === 'no script') await press(page, manner, 'Continue to Payhub')
    await atProvider(page)
    expect(site.posted).toEqual([FIELDS])
    expect(faults).toEqual([])
    await page.goto(urlOf(payment))
    if (manner === 'no script') await press(page, manner, 'Continue to Payhub')
    await atProvider(page)
  })

  it('has a form page that may post to the provider only and is not framed by others', async () => {
    const payment = await offering('posting')
    await leave(payment)
    const { headers } = await get(payment, '/continue/1')
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${site.origin};`)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('is redirected to the current step from another attempt or a closed payment', async () => {
    const payment = await offering('posting')
    await leave(payment)
    for (const attempt of ['0', '2', 'x'])
      expect((await get(payment, `/continue/${attempt}`)).headers.get('location')).toBe(
        `/c/${payment.paymentKey}`,
      )
    await set.tender.service.ctx.db.query(
      { name: 'test.expire', text: 'update payments set expiration_time = $2 where payment_key = $1' },
      [payment.paymentKey, new Date(0)],
    )
    expect((await get(payment, '/continue/1')).headers.get('location')).toBe(
      `/c/${payment.paymentKey}/result`,
    )
  })

  it.each(WITH_AND_WITHOUT)('reaches a page of an origin that is not listed, with %s', async (manner) => {
    const payment = await offering('custom')
    const { page, faults } = await set.open(manner)
    await pay(page, payment, manner)
    await atProvider(page)
    expect(page.url()).toBe(`${site.origin}/pay?id=1&x=2`)
    expect(faults).toEqual([])
    await page.goBack()
    await page.getByText('You came back from Payhub without paying').waitFor()
  })

  it('finds a link on that page, and a redirect for a listed origin', async () => {
    const [custom, listed] = [await offering('custom'), await offering('listed')]
    for (const payment of [custom, listed]) await leave(payment)
    const page = await get(custom, '/go')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(await page.text()).toContain(`href="${site.origin}/pay?id=1&amp;x=2"`)
    const redirect = await get(listed, '/go')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([303, `${site.origin}/pay?id=1&x=2`])
  })

  it('reaches a listed page of a profile that has no row', async () => {
    const { page, faults } = await set.open()
    const failing = set.tender.service.ctx.providers.get('custom')
    if (!failing) throw new Error('the provider is missing')
    vi.spyOn(failing, 'start').mockResolvedValue({ kind: 'not-done', why: 'bad-credentials' })
    const { sandbox: shop } = await set.tender.newMerchant()
    for (const { paymentProfileId } of good(await shop.call('GET', 'payment-profiles')))
      good(await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { isActive: false }))
    for (const id of ['custom', 'listed']) await addPageProfile(shop, id)
    await pay(page, await shop.create(), 'mouse')
    await atProvider(page)
    expect(faults).toEqual([])
  })

  it('answers a bank in a frame that a form post opens', async () => {
    const payment = await offering('posting')
    await leave(payment)
    const text = "update payments set state = 'Authorizing' where payment_key = $1"
    await set.tender.service.ctx.db.query({ name: 'test.authorizing', text }, [payment.paymentKey])
    const { page, faults } = await set.open()
    await page.goto(payment.redirectUrl)
    await page.frameLocator('dialog iframe').getByText('Pay at Payhub').waitFor()
    expect(page.url()).toContain('/challenge/1')
    expect(site.posted).toEqual([FIELDS])
    expect(faults).toEqual([])
  })

  it.each(['posting', 'listed', 'custom'])(
    'pays in the panel what is open at a provider (%s)',
    async (id) => {
      const customerOrder = { customer: { customerId: id } }
      const request = { ...hostedPage({ customerOrder }), paymentProfileId: profiles[id] }
      const payment = good(await set.shop.call('POST', 'payments/provider-hosted-page', request))
      const { page, faults } = await set.open()
      await page.goto(good(await set.shop.call('GET', `customers/${id}/panel-link`)))
      await page.goto(`${set.tender.url}/p/payments/${payment.paymentId}`)
      await press(page, 'mouse', /^Pay/)
      await atProvider(page)
      expect(faults).toEqual([])
    },
  )

  addMethods(set, () => site)
})

/** The same pages in the customer panel. */
function addMethods(set: Stage, site: () => PaySite): void {
  it.each([
    ['posting', 'mouse'],
    ['posting', 'no script'],
    ['custom', 'mouse'],
    ['custom', 'no script'],
    ['listed', 'mouse'],
  ] as const)('adds a method at the provider (%s, %s)', async (provider, manner) => {
    const { sandbox: shop } = await set.tender.newMerchant()
    for (const { paymentProfileId } of good(await shop.call('GET', 'payment-profiles')))
      good(await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { isActive: false }))
    await addPageProfile(shop, provider)
    good(await shop.call('POST', 'customers', { customerId: 'dana' }))
    const { page, faults } = await set.open(manner)
    await page.goto(good(await shop.call('GET', 'customers/dana/panel-link')))
    await press(page, manner, 'Add a method', 'link')
    await choose(page, manner, /PayPal.*You continue at Payhub\./)
    await page.getByRole('button', { name: 'Continue to Payhub' }).locator('visible=true').click()
    if (provider === 'posting' && manner === 'no script') await press(page, manner, 'Continue to Payhub')
    await heading(page, 'Pay at Payhub')
    expect(site().posted).toEqual(provider === 'posting' ? [FIELDS] : [])
    expect(faults).toEqual([])
  })
}

describe.skipIf(!chromiumPath)('a refund that the customer claims', () => {
  const set = stage('pages_claim', { role: 'web' })
  const CLAIM = 'https://wallet.example/claim?id=7'

  it('has a link on the result page and in the panel while it is open', async () => {
    const bank = set.tender.service.ctx.providers.get('sandbox')
    if (!bank) throw new Error('there is no sandbox')
    const payment = await set.shop.paid()
    vi.spyOn(bank, 'refund').mockResolvedValue({
      kind: 'pending',
      handles: {},
      waitsFor: 'customer',
      customerUrl: CLAIM,
    })
    expect(good(await set.shop.act(payment.paymentId, 'refund')).paymentState).toBe('Refunding')
    const { page, faults } = await set.open()
    const link = page.getByRole('link', { name: 'Claim your refund' })
    await page.goto(`${set.tender.url}/c/${payment.paymentKey}/result`)
    await page.getByText('To receive the money, enter where it should be sent.').waitFor()
    expect(await link.getAttribute('href')).toBe(CLAIM)
    await page.goto(good(await set.shop.call('GET', 'customers/dana/panel-link')))
    await page.goto(`${set.tender.url}/p/payments/${payment.paymentId}`)
    await page.getByText('To receive the money, enter where it should be sent.').waitFor()
    expect(await link.getAttribute('href')).toBe(CLAIM)
    expect(faults).toEqual([])
  })

  it('has none for another refund', async () => {
    const payment = await set.shop.paid()
    vi.restoreAllMocks()
    await set.shop.act(payment.paymentId, 'refund')
    const text = await (await fetch(`${set.tender.url}/c/${payment.paymentKey}/result`)).text()
    expect(text).not.toContain('Claim your refund')
  })
})

import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { LOG_BATCHES, logLinesIn } from '../../support/log-lines.ts'
import {
  choose,
  heading,
  MANNERS,
  payByCard,
  press,
  stage,
  tick,
  type,
  typeCard,
} from '../../support/pages.ts'
import { good, hostedPage } from '../../support/tender.ts'

/** Text that would run as script if a page rendered it as markup. */
const ATTACK = `"><script>window.hit=1</script><img src=x onerror="window.hit=1">'{{7*7}}`
const lines: string[] = []
const note =
  (level: string) =>
  (event: string, data: unknown): void =>
    void lines.push(`${level} ${event} ${JSON.stringify(data)}`)
const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }

describe.skipIf(!chromiumPath)('page security', () => {
  const set = stage('pages_safety', { log })

  it('renders input of merchants and payers as text on every page', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const changed = await shop.call('PATCH', '', {
      friendlyName: `Shop ${ATTACK}`,
      branding: { slogan1: ATTACK, slogan2: ATTACK, support: 'help@example.com' },
    })
    expect(changed.status).toBe(200)
    const payment = await shop.create({
      referenceId: `ref ${ATTACK}`,
      returnUrl: `https://shop.example.com/back?x=%22%3E<script>&y=1`,
      customerOrder: {
        customer: { customerId: ATTACK, firstName: ATTACK, lastName: ATTACK, email: ATTACK },
        orderId: ATTACK,
        description: ATTACK,
        amount: {
          items: [{ name: ATTACK, description: ATTACK, amount: 25.5, quantity: 1, category: 'DigitalGoods' }],
        },
      },
    })
    const { page, faults } = await set.open()
    const unharmed = async () => {
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined()
      expect(await page.locator('script:not([src]), img[src=x]').count()).toBe(0)
    }
    await page.goto(payment.redirectUrl)
    await page.getByText(ATTACK).first().waitFor()
    await unharmed()
    await choose(page, 'mouse', /PayPal/)
    await press(page, 'mouse', 'Continue to PayPal')
    await page.getByText(ATTACK).first().waitFor()
    await unharmed()
    await page.goto(payment.redirectUrl)
    await payByCard(page, 'mouse', { name: ATTACK.slice(0, 90) })
    await heading(page, 'Payment received')
    await unharmed()
    await press(page, 'mouse', 'Receipt', 'link')
    await heading(page, 'Receipt')
    await unharmed()
    expect(faults).toEqual([])
  })

  it('renders input of merchants and customers as text in the panel', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const customer = { customerId: 'attacked', firstName: ATTACK, lastName: ATTACK, email: 'a@b' }
    good(await shop.call('PATCH', '', { friendlyName: `Shop ${ATTACK}` }))
    const order = { customer, orderId: ATTACK, description: ATTACK }
    const created = await shop.create({ customerOrder: order, registerAutoPayment: true })
    good(await shop.pay(created.paymentId))
    const returnUrl = encodeURIComponent('https://shop.example.com/?x="><script>')
    const { page, faults } = await set.open()
    await page.goto(good(await shop.call('GET', `customers/attacked/panel-link?returnUrl=${returnUrl}`)))
    const unharmed = async () => {
      await page.getByText(ATTACK).first().waitFor()
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined()
      expect(await page.locator('script:not([src]), img[src=x]').count()).toBe(0)
    }
    await unharmed()
    await type(page, 'mouse', { 'First name': ATTACK, 'E-mail address': "<img/src='x'>@example.com" })
    await press(page, 'mouse', 'Save details')
    await unharmed()
    const attack = encodeURIComponent(ATTACK)
    const queries = ['/p?note=', '/p/methods/new?declined=', '/p/methods/new?problems=', '/p/done?note=']
    const [method] = good(await shop.call('GET', 'customers/attacked/payment-methods'))
    const pages = [
      `/p/payments/${created.paymentId}`,
      `/p/payments/${created.paymentId}/receipt`,
      `/p/methods/${method.paymentMethodId}/remove`,
      ...queries.map((query) => query + attack),
    ]
    for (const path of pages) {
      await page.goto(set.tender.url + path)
      await unharmed()
    }
    expect(faults).toEqual([])
  })

  it('renders query parameters as text', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open()
    const attack = encodeURIComponent(ATTACK)
    for (const query of [`_way=${attack}&problems=${attack}`, `lang=${attack}`, `removed=${attack}`]) {
      await page.goto(`${payment.redirectUrl}?${query}`)
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined()
    }
    await page.goto(`${set.tender.url}/checkout?appId=x&paymentKey=${attack}`)
    await heading(page, 'We cannot find this payment')
    expect(faults).toEqual([])
  })

  it('keeps card number and code out of logs, tables, URLs and pages', async () => {
    // A code of four digits: three digits occur by chance in times and ids.
    const card = { number: '3782 822463 10005', code: '7391' }
    const { sandbox: shop } = await set.tender.newMerchant()
    const all: string[] = []
    for (const manner of MANNERS) {
      const customer = { customerId: manner }
      const payment = await shop.create({ showPayRecurringInCheckout: true, customerOrder: { customer } })
      const { page, seen } = await set.open(manner)
      await page.goto(payment.redirectUrl)
      await typeCard(page, manner, { ...card, number: '3782 822463 10006' })
      await press(page, manner, /^Pay/)
      await page.getByText('This is not a valid card number').first().waitFor()
      await page.goto(payment.redirectUrl)
      await typeCard(page, manner, card)
      await tick(page, manner, page.locator('form:visible').getByRole('checkbox'))
      await press(page, manner, /^Pay/)
      await heading(page, 'Payment received')
      all.push(...seen)
    }
    for (const manner of MANNERS) {
      const link = good(await shop.call('GET', `customers/${encodeURIComponent(manner)}/panel-link`))
      const { page, seen } = await set.open(manner)
      await page.goto(link)
      await press(page, manner, 'Add a method', 'link')
      for (const number of ['3782 822463 10006', card.number]) {
        await choose(page, manner, 'Card')
        await typeCard(page, manner, { ...card, number })
        await press(page, manner, 'Save card')
        if (number === card.number) await page.getByText('The method was saved.').waitFor()
        else await page.getByText('This is not a valid card number').first().waitFor()
        if (manner !== 'no script' && number !== card.number) await page.reload()
      }
      all.push(...seen)
    }
    const { body: page } = await shop.call('POST', 'payments/provider-hosted-page', {
      ...hostedPage(),
      paymentProfileId: (await shop.call('GET', 'payment-profiles')).body[0].paymentProfileId,
    })
    const window = await set.open()
    await window.page.goto(page.redirectUrl)
    await typeCard(window.page, 'mouse', card)
    await window.page.getByRole('button', { name: /^Pay/ }).first().click()
    await heading(window.page, 'Payment received')
    all.push(...window.seen, ...lines, await everyTable())
    const digits = /3782[ -]?822463[ -]?1000[56]/
    expect(all.length).toBeGreaterThan(50)
    expect(all.filter((text) => digits.test(text))).toEqual([])
    expect(all.filter((text) => /\b7391\b/.test(text))).toEqual([])
  }, 180_000)

  /** The whole database as text, the bank's tables included. */
  async function everyTable(): Promise<string> {
    const { db } = set.tender.service.ctx
    const list = `select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'sandbox_bank')`
    const tables = await db.query<{ name: string }>({ name: 'test.tables', text: list })
    const dumps = tables.map(({ name }) =>
      db.query<{ row: string }>({ name: `test.dump.${name}`, text: `select t::text as row from ${name} t` }),
    )
    const batches = await db.query<{ lines: string }>({ name: 'test.lines', text: LOG_BATCHES })
    const rows = (await Promise.all(dumps)).flat().map(({ row }) => row)
    return [...rows, logLinesIn(batches)].join('\n')
  }

  it('stores the consent with the method: text version, time and address', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const payment = await shop.create({ showPayRecurringInCheckout: true })
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse')
    await page
      .locator('form:visible')
      .getByLabel(/^Save this method and let/)
      .check()
    await press(page, 'mouse', /^Pay/)
    await heading(page, 'Payment received')
    const text = 'select consent_text, consent_ip, consent_time from payment_methods where app_id = $1'
    const rows = await set.tender.service.ctx.db.query({ name: 'test.consent', text }, [shop.appId])
    expect(rows).toEqual([
      { consentText: 'save-1.en', consentIp: '127.0.0.1', consentTime: expect.any(Date) },
    ])
    expect((await shop.call('GET', 'customers/dana/payment-methods')).body).toHaveLength(1)
    const next = await shop.create()
    await page.goto(next.redirectUrl)
    await press(page, 'mouse', /with •••• 1111$/)
    await heading(page, 'Payment received')
    await page.goto((await shop.create()).redirectUrl)
    await page.getByText('Remove', { exact: true }).click()
    await press(page, 'mouse', /^Remove Visa/)
    await page.getByText('The method was removed.').waitFor()
    expect((await shop.call('GET', 'customers/dana/payment-methods')).body).toEqual([])
  })

  it('stores no method if the box is not ticked', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const payment = await shop.create({ showPayRecurringInCheckout: true })
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await payByCard(page, 'mouse')
    await heading(page, 'Payment received')
    expect((await shop.call('GET', 'customers/dana/payment-methods')).body).toEqual([])
  })

  it('shows no stored methods for an old link', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    await shop.paid({ registerAutoPayment: true })
    const payment = await shop.create()
    const young = await (await fetch(payment.redirectUrl)).text()
    await shop.advance('2h')
    const old = await (await fetch(payment.redirectUrl)).text()
    expect(young).toContain('Visa •••• 4242')
    expect(old).not.toContain('••••')
  })

  it('returns to the shop with a GET and an unchanged query', async () => {
    const returnUrl = 'https://shop.example.com/b%61ck?a=1&a=%2f+%20&empty=&q=é#top'
    const payment = await set.shop.create({ returnUrl })
    const reply = await fetch(`${payment.redirectUrl}/return`, { redirect: 'manual' })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe(
      `https://shop.example.com/b%61ck?a=1&a=%2f+%20&empty=&q=%C3%A9&paymentId=${payment.paymentId}` +
        `&referenceId=${payment.referenceId}#top`,
    )
  })

  it('sends restrictive security headers', async () => {
    const payment = await set.shop.create()
    const { headers } = await fetch(payment.redirectUrl)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self';",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  it('does not send the fields of one method with another', async () => {
    const payment = await set.shop.create()
    const { page, context } = await set.open()
    const posted: string[] = []
    context.on('request', (request) => posted.push(request.postData() ?? ''))
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse', { number: '5200 8282 8282 8210' })
    await choose(page, 'mouse', 'Bank account')
    await type(page, 'mouse', {
      'Routing number': '110000000',
      'Account number': '000123456789',
      'Account holder': 'Dana',
    })
    await press(page, 'mouse', /^Pay/)
    await heading(page, /Confirming|received/)
    expect(posted.join()).toContain('110000000')
    expect(posted.join()).not.toContain('5200')
  })
})

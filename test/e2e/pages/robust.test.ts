import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { choose, heading, onlyCharge, payByCard, press, stage, typeCard } from '../../support/pages.ts'
import { good, newReference } from '../../support/tender.ts'

describe.skipIf(!chromiumPath)('checkout', () => {
  const set = stage('pages_robust')

  it('makes one attempt and one charge for three clicks', async () => {
    const payment = await set.shop.create()
    const { page, seen } = await set.open()
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse')
    await page.getByRole('button', { name: /^Pay/ }).click({ clickCount: 3, noWaitAfter: true })
    await heading(page, 'Payment received')
    expect(seen.filter((url) => url.endsWith('/sandbox/tokens'))).toHaveLength(1)
    await onlyCharge(set.shop, payment)
  })

  it('redirects a resubmitted form to the same page without another charge', async () => {
    const payment = await set.shop.create()
    const html = await (await fetch(payment.redirectUrl)).text()
    const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const way = /name="way" value="(\d+\.Paypal)"/.exec(html)?.[1] ?? ''
    const send = () =>
      fetch(`${payment.redirectUrl}/pay`, {
        method: 'POST',
        body: new URLSearchParams({ attempt, way }),
        redirect: 'manual',
      })
    const first = await send()
    const again = await Promise.all([send(), send()])
    expect(first.status).toBe(303)
    for (const reply of again) expect(reply.status).toBe(303)
    const operations = await set.shop.read(payment.paymentId)
    expect(operations.paymentState).toBe('Created')
    expect(await set.shop.attempts(payment.paymentId)).toBe(1)
  })

  it('starts no attempt for a forged form or the form of another payment', async () => {
    const payment = await set.shop.create()
    const other = await set.shop.create()
    const html = await (await fetch(other.redirectUrl)).text()
    const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const way = /name="way" value="(\d+\.Paypal)"/.exec(html)?.[1] ?? ''
    for (const forged of [attempt, 'made.up', '']) {
      const body = new URLSearchParams({ attempt: forged, way })
      await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' })
      await fetch(`${payment.redirectUrl}/cancel`, { method: 'POST', body, redirect: 'manual' })
    }
    expect(await set.shop.attempts(payment.paymentId)).toBe(0)
    expect((await set.shop.read(payment.paymentId)).paymentState).toBe('Created')
  })

  it('tells a customer who was blocked since that nothing was charged', async () => {
    const customerId = newReference()
    const payment = await set.shop.create({ customerOrder: { customer: { customerId } } })
    const html = await (await fetch(payment.redirectUrl)).text()
    const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const way = /name="way" value="(\d+\.Paypal)"/.exec(html)?.[1] ?? ''
    good(await set.shop.call('PATCH', `customers/${customerId}`, { isBlocked: true }))
    const body = new URLSearchParams({ attempt, way })
    const reply = await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' })
    const text = await reply.text()
    expect([reply.status, /You have not been charged/.test(text), /card number/.test(text)]).toEqual([
      422,
      true,
      false,
    ])
    expect(await set.shop.attempts(payment.paymentId)).toBe(0)
  })

  it('ignores a form sent by another site', async () => {
    const payment = await set.shop.create()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const reply = await fetch(`${payment.redirectUrl}/cancel`, { method: 'POST', headers })
    expect(reply.status).toBe(403)
  })

  it('charges once for two tabs, and the slower tab shows the result', async () => {
    const payment = await set.shop.create()
    const { page, context } = await set.open()
    await page.goto(payment.redirectUrl)
    const second = await context.newPage()
    await second.goto(payment.redirectUrl)
    await typeCard(second, 'mouse')
    await second.waitForTimeout(1_200)
    await payByCard(page, 'mouse')
    await heading(page, 'Payment received')
    await second.getByText('This payment is being completed in another tab').waitFor()
    await second.getByRole('link', { name: 'Refresh this page' }).click()
    await heading(second, 'Payment received')
    await onlyCharge(set.shop, payment)
  })

  it('charges once for two tabs that pay concurrently', async () => {
    const payment = await set.shop.create()
    const [one, other] = [await set.open('no script'), await set.open('no script')]
    for (const { page } of [one, other]) {
      await page.goto(payment.redirectUrl)
      await typeCard(page, 'mouse')
    }
    await Promise.all([one, other].map(({ page }) => page.getByRole('button', { name: /^Pay/ }).click()))
    for (const { page } of [one, other]) await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
  })

  it('starts no new attempt on back or refresh at any step', async () => {
    const payment = await set.shop.create()
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await page.reload()
    await payByCard(page, 'mouse', { number: '4000 0025 0000 3155' })
    await page.waitForURL(/challenge/)
    await page.reload()
    await page.goBack()
    await page.waitForURL(/challenge/)
    const bank = page.frameLocator('dialog iframe')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Payment received')
    await page.reload()
    await heading(page, 'Payment received')
    await page.goBack()
    await heading(page, 'Payment received')
    expect(await set.shop.attempts(payment.paymentId)).toBe(1)
    await onlyCharge(set.shop, payment)
  })

  it('lets the payer resume the provider’s page', async () => {
    const payment = await set.shop.create()
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await choose(page, 'mouse', /PayPal/)
    await press(page, 'mouse', 'Continue to PayPal')
    await heading(page, /^Pay/)
    await page.goBack()
    await page.getByText('You came back from PayPal without paying').waitFor()
    expect(await page.getByRole('radio', { name: /PayPal/ }).isChecked()).toBe(false)
    await page.reload()
    await press(page, 'mouse', 'Resume PayPal', 'link')
    await press(page, 'mouse', 'Approve')
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
  })

  it('prevents a second payment after a change from crypto to card', async () => {
    const payment = await set.shop.create()
    const { page, context } = await set.open()
    await page.goto(payment.redirectUrl)
    await choose(page, 'mouse', /Crypto/)
    await press(page, 'mouse', /in crypto$/)
    await heading(page, /^Pay/)
    const left = await context.newPage()
    await left.goto(page.url())
    await page.goto(payment.redirectUrl)
    await payByCard(page, 'mouse')
    await heading(page, 'Payment received')
    await press(left, 'mouse', 'Pay exactly')
    await heading(left, 'This page is closed')
    await onlyCharge(set.shop, payment)
  })

  it('refuses payment on a page that was opened before the link expired', async () => {
    const expirationTime = new Date(Date.now() + 100_000).toISOString()
    const { sandbox: shop } = await set.tender.newMerchant()
    const payment = await shop.create({ expirationTime })
    const { page } = await set.open('no script')
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse')
    await shop.advance('2m')
    await press(page, 'mouse', /^Pay/)
    await heading(page, 'This link has expired')
    expect(await shop.read(payment.paymentId)).toMatchObject({ failure: { code: 'expired' } })
    expect(await shop.ledger(payment.paymentId)).toEqual([])
  })

  it('warns before the link expires, then shows the expired page', async () => {
    const expirationTime = new Date(Date.now() + 9_000).toISOString()
    const payment = await set.shop.create({ expirationTime })
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await page.getByText(/This page is valid for 0:0\d more/).waitFor()
    await heading(page, 'This link has expired')
  })

  it('ends a challenge at the bank when the link expires, and charges nothing', async () => {
    const expirationTime = new Date(Date.now() + 100_000).toISOString()
    const { sandbox: shop } = await set.tender.newMerchant()
    const payment = await shop.create({ expirationTime })
    const { page } = await set.open('no script')
    await page.goto(payment.redirectUrl)
    await payByCard(page, 'mouse', { number: '4000 0025 0000 3155' })
    await heading(page, 'Confirm this payment')
    await shop.advance('2m')
    expect(await shop.read(payment.paymentId)).toMatchObject({
      ...{ paymentState: 'Failed', failure: { code: 'expired' }, capturedAmount: 0 },
    })
    const taken = (await shop.ledger(payment.paymentId)).filter(({ status }) => status === 'done')
    expect(taken).toEqual([])
  })

  it.each(['mouse', 'no script'] as const)(
    'shows a pending page if the provider does not reply, and resolves it later (%s)',
    async (manner) => {
      const { sandbox: shop } = await set.tender.newMerchant()
      const payment = await shop.create()
      await shop.fault('authorise', 'reply-late')
      await shop.fault('authorise', 'notification-never')
      const { page } = await set.open(manner)
      await page.goto(payment.redirectUrl)
      await payByCard(page, manner)
      await heading(page, 'Confirming your payment…')
      await page.reload()
      await page.goto(payment.redirectUrl)
      await heading(page, 'Confirming your payment…')
      await shop.act(payment.paymentId, 'recheck')
      await heading(page, 'Payment received')
      await onlyCharge(shop, payment)
    },
  )

  it('refuses more than ten attempts', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const payment = await shop.create()
    for (let tries = 0; tries < 9; tries++)
      await shop.pay(payment.paymentId, { outcome: 'insufficient-funds' })
    const { page } = await set.open('no script')
    await page.goto(payment.redirectUrl)
    await typeCard(page, 'mouse')
    await shop.pay(payment.paymentId, { outcome: 'insufficient-funds' })
    await press(page, 'mouse', /^Pay/)
    await heading(page, 'Too many attempts')
    expect((await shop.ledger(payment.paymentId)).every(({ status }) => status === 'declined')).toBe(true)
  })

  it('limits requests per address and explains the limit', async () => {
    const payment = await set.shop.create()
    const ask = async () => {
      const reply = await fetch(`${payment.redirectUrl}/return`, { redirect: 'manual' })
      return { status: reply.status, wait: reply.headers.get('retry-after'), text: await reply.text() }
    }
    // Repeats until limited: on a slow machine the bucket refills between requests.
    let refused: Awaited<ReturnType<typeof ask>> | undefined
    for (let round = 0; round < 20 && !refused; round++)
      refused = (await Promise.all(Array.from({ length: 300 }, ask))).find(({ status }) => status === 429)
    expect(refused?.wait).toMatch(/^\d+$/)
    expect(refused?.text).toContain('Too many requests')
  })
})

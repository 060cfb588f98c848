import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { choose, heading, MANNERS, onlyCharge, press, stage, type } from '../../support/pages.ts'
import { good, type TestApp } from '../../support/tender.ts'

describe.skipIf(!chromiumPath)('the provider’s page', () => {
  const set = stage('pages_simulator')

  const atProvider = async (shop: TestApp, way: 'PayPal' | 'Crypto') => {
    const payment = await shop.create()
    const { page } = await set.open()
    await page.goto(payment.redirectUrl)
    await choose(page, 'mouse', new RegExp(way))
    await press(page, 'mouse', way === 'PayPal' ? 'Continue to PayPal' : /in crypto$/)
    await page.getByText('Approve, but something goes wrong').click()
    return { payment, page }
  }

  it('simulates a timeout, after which the payment is resolved without a second charge', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const { payment, page } = await atProvider(shop, 'PayPal')
    await press(page, 'mouse', 'Approve, provider times out')
    await page.waitForURL(/\/(status|result)$/)
    await shop.act(payment.paymentId, 'recheck')
    await heading(page, 'Payment received')
    await onlyCharge(shop, payment)
  })

  it.each([
    ['Crypto', { kind: 'sale', amount: 22.95 }],
    ['PayPal', { kind: 'sale', amount: 22.95 }],
  ] as const)('that approves another amount is not believed (%s)', async (method, entry) => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const { payment, page } = await atProvider(shop, method)
    await press(page, 'mouse', 'Approve, amount differs')
    await expect.poll(() => shop.ledger(payment.paymentId)).toMatchObject([entry])
    good(await shop.act(payment.paymentId, 'recheck'))
    const read = await shop.read(payment.paymentId)
    expect(read.capturedAmount).toBe(0)
    expect(['Created', 'Approved', 'SaleInProgress']).toContain(read.paymentState)
  })

  it('disputes a payment a minute after its capture', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const { payment, page } = await atProvider(shop, 'PayPal')
    await press(page, 'mouse', 'Approve, then dispute')
    await heading(page, 'Payment received')
    await shop.advance('2m')
    await shop.act(payment.paymentId, 'recheck')
    expect((await shop.read(payment.paymentId)).paymentState).toBe('Disputed')
  })
})

describe.skipIf(!chromiumPath)('a saved card of a provider that requires the security code', () => {
  const set = stage('pages_code')

  it.each(MANNERS)('is charged only with the right code (%s)', async (manner) => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const profiles = good(await shop.call('GET', 'payment-profiles'))
    for (const { paymentProfileId } of profiles)
      good(await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { settings: { asksCode: true } }))
    good(await shop.pay((await shop.create({ registerAutoPayment: true })).paymentId))
    const payment = await shop.create()
    const { page, faults, seen } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await press(page, manner, /with •••• 4242$/)
    expect(await shop.attempts(payment.paymentId)).toBe(0)
    await type(page, manner, { 'Security code': '000' })
    await press(page, manner, /with •••• 4242$/)
    await page.getByRole('alert').getByText('The security code was not right.').waitFor()
    await type(page, manner, { 'Security code': '7391' })
    await press(page, manner, /with •••• 4242$/)
    await heading(page, 'Payment received')
    await onlyCharge(shop, payment)
    expect(faults).toEqual([])
    expect(seen.filter((text) => /\b7391\b/.test(text))).toEqual([])
  })

  it('is not charged by a form without the code', async () => {
    const { sandbox: shop } = await set.tender.newMerchant()
    const profiles = good(await shop.call('GET', 'payment-profiles'))
    for (const { paymentProfileId } of profiles)
      good(await shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { settings: { asksCode: true } }))
    good(await shop.pay((await shop.create({ registerAutoPayment: true })).paymentId))
    const payment = await shop.create()
    const html = await (await fetch(payment.redirectUrl)).text()
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
    const body = new URLSearchParams({ attempt: value('_attempt'), saved: value('_saved') })
    await fetch(`${payment.redirectUrl}/pay`, { method: 'POST', body, redirect: 'manual' })
    expect(await shop.attempts(payment.paymentId)).toBe(0)
  })
})

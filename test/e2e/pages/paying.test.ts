import { describe, expect, inject, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import {
  choose,
  heading,
  MANNERS,
  type Manner,
  onlyCharge,
  payByCard,
  press,
  pressOn,
  type Stage,
  stage,
  type,
  typeInto,
} from '../../support/pages.ts'

describe.skipIf(!chromiumPath)('paying', () => {
  const manners = MANNERS.filter((manner) => (manner !== 'mouse') === inject('isFull'))
  const set = stage(`pages_paying_${manners.length}`)
  describe.each(manners)('with %s', (manner) => payWith(set, manner))
})

function payWith(set: Stage, manner: Manner): void {
  it('by card', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await payByCard(page, manner)
    await heading(page, 'Payment received')
    expect((await set.shop.read(payment.paymentId)).paymentState).toBe('Captured')
    await onlyCharge(set.shop, payment)
    expect(faults).toEqual([])
  })

  it('by card with 3-D Secure', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await payByCard(page, manner, { number: '4000 0025 0000 3155' })
    if (manner === 'no script') await press(page, manner, 'Confirm')
    else {
      const bank = page.frameLocator('dialog iframe')
      await typeInto(page, manner, bank.getByLabel('Code from your bank'), '654321')
      await pressOn(page, manner, bank.getByRole('button', { name: 'Confirm' }))
    }
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
    expect(faults).toEqual([])
  })

  it('by PayPal, on the provider’s page', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await choose(page, manner, /PayPal/)
    await press(page, manner, 'Continue to PayPal')
    await press(page, manner, 'Approve')
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
    expect(faults).toEqual([])
  })

  it('by bank account', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await choose(page, manner, 'Bank account')
    await type(page, manner, {
      'Routing number': '110000000',
      'Account number': '000123456789',
      'Account holder': 'Dana Doe',
    })
    await press(page, manner, /^Pay/)
    await heading(page, 'Confirming your payment…')
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment, ['sale'])
    expect(faults).toEqual([])
  })

  it('by crypto, with an address and its QR code', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await choose(page, manner, /Crypto/)
    await press(page, manner, /in crypto$/)
    await page
      .getByRole('img', { name: /QR code/ })
      .first()
      .waitFor()
    await press(page, manner, 'Pay exactly')
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment, ['sale'])
    expect(faults).toEqual([])
  })

  it('after a decline with a reason', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await payByCard(page, manner, { number: '4000 0000 0000 0119' })
    const alert = page.getByRole('alert')
    await alert.getByText('Something went wrong on the way to your bank').waitFor()
    await alert.getByText('You have not been charged').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('')
    await payByCard(page, manner)
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
    expect(faults).toEqual([])
  })

  it('after insufficient funds, with another card in the same form', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    const titles = await page.locator('.ways .method-title').allInnerTexts()
    await payByCard(page, manner, { number: '4000 0000 0000 9995' })
    const alert = page.getByRole('alert')
    await alert.getByText('not enough money on this card or account. Try another card or method.').waitFor()
    expect(await page.getByRole('radio', { name: 'Card' }).isChecked()).toBe(true)
    for (const label of ['Card number', 'Expiry', 'Security code'])
      expect(await page.locator('form:visible').getByLabel(label, { exact: true }).inputValue()).toBe('')
    expect(titles[0]).toBe('Card')
    expect(await page.locator('.ways .method-title').allInnerTexts()).toEqual(titles)
    await payByCard(page, manner)
    await heading(page, 'Payment received')
    await onlyCharge(set.shop, payment)
    expect(faults).toEqual([])
  })

  it('is cancelled by the payer', async () => {
    const payment = await set.shop.create()
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    await pressOn(page, manner, page.getByText('Cancel and return to'))
    await press(page, manner, 'Yes, cancel it')
    await heading(page, 'Payment cancelled')
    const read = await set.shop.read(payment.paymentId)
    expect(read).toMatchObject({ paymentState: 'Failed', failure: { code: 'cancelled' } })
    expect(await set.shop.ledger(payment.paymentId)).toEqual([])
    expect(faults).toEqual([])
  })
}

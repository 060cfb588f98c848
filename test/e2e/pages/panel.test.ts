import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import {
  choose,
  heading,
  MANNERS,
  type Manner,
  payByCard,
  press,
  type Stage,
  stage,
  type,
  typeCard,
} from '../../support/pages.ts'
import { good } from '../../support/tender.ts'

describe.skipIf(!chromiumPath)('the customer panel', () => {
  const set = stage('pages_panel')
  describe.each(MANNERS)('with %s', (manner) => usePanel(set, manner))
})

const ACCOUNT = {
  'Routing number': '110000000',
  'Account number': '000123456789',
  'Account holder': 'Dana Doe',
}

function usePanel(set: Stage, manner: Manner): void {
  let customers = 0
  const newCustomer = async () => {
    const customerId = `${manner} ${++customers}`
    good(await set.shop.call('POST', 'customers', { customerId, firstName: 'Dana', lastName: 'Doe' }))
    return encodeURIComponent(customerId)
  }
  const open = async (customerId: string, query = '') => {
    const returnUrl = encodeURIComponent('https://shop.example.com/me?tab=1')
    const path = `customers/${customerId}/panel-link?returnUrl=${returnUrl}&${query}`
    const window = await set.open(manner)
    await window.page.goto(good(await set.shop.call('GET', path)))
    return window
  }
  const methods = async (customerId: string) =>
    good(await set.shop.call('GET', `customers/${customerId}/payment-methods`))
  const note = (page: Page, text: string) => page.locator('.notice', { hasText: text }).waitFor()

  it('adds a card without a charge after a declined one, makes it the default, removes it', async () => {
    const customerId = await newCustomer()
    const { page, faults } = await open(customerId)
    const movements = async () => good(await set.shop.call('GET', 'test-helpers/ledger')).length
    const before = await movements()
    await heading(page, 'Hello Dana Doe')
    expect(page.url()).toMatch(/\/p$/)
    await press(page, manner, 'Add a method', 'link')
    await choose(page, manner, 'Card')
    await typeCard(page, manner, { number: '4000 0000 0000 9995' })
    await press(page, manner, 'Save card')
    const alert = page.getByRole('alert')
    await alert.getByText('There is not enough money').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('')
    for (const number of ['4111 1111 1111 1111', '5555 5555 5555 4444']) {
      if (number.startsWith('5')) await press(page, manner, 'Add a method', 'link')
      await choose(page, manner, 'Card')
      await typeCard(page, manner, { number })
      await press(page, manner, 'Save card')
      await note(page, 'The method was saved.')
    }
    expect(await movements()).toBe(before)
    await press(page, manner, 'Make Mastercard •••• 4444 the default')
    await note(page, 'The default method was changed.')
    await press(page, manner, 'Remove Visa •••• 1111', 'link')
    await heading(page, 'Remove Visa •••• 1111?')
    await page.getByText('This stops as well:').waitFor()
    await press(page, manner, 'Remove Visa •••• 1111')
    await note(page, 'The method was removed.')
    const [kept, ...rest] = await methods(customerId)
    expect(rest).toEqual([])
    expect(kept).toMatchObject({ cardBrand: 'Mastercard', isDefault: true, verificationState: 'Verified' })
    expect(faults).toEqual([])
  })

  it('adds a wallet and a card with 3-D Secure on the provider’s page', async () => {
    const customerId = await newCustomer()
    const { page, faults } = await open(customerId)
    await press(page, manner, 'Add a method', 'link')
    await choose(page, manner, /PayPal/)
    await press(page, manner, 'Continue to PayPal')
    await press(page, manner, 'Refuse')
    await page.getByText('This method was not saved').waitFor()
    await choose(page, manner, /PayPal/)
    await press(page, manner, 'Continue to PayPal')
    await press(page, manner, 'Allow')
    await note(page, 'The method was saved.')
    await press(page, manner, 'Add a method', 'link')
    await choose(page, manner, 'Card')
    await typeCard(page, manner, { number: '4000 0025 0000 3155' })
    await press(page, manner, 'Save card')
    await press(page, manner, 'Allow')
    await note(page, 'The method was saved.')
    const kinds = (await methods(customerId)).map(
      (one: { paymentMethodType: string }) => one.paymentMethodType,
    )
    expect(kinds).toEqual(['CreditCard', 'Paypal'])
    expect(faults).toEqual([])
  })

  it('charges a bank account only after its micro-deposits are confirmed', async () => {
    const customerId = await newCustomer()
    const { page, faults } = await open(customerId)
    await press(page, manner, 'Add a method', 'link')
    await choose(page, manner, 'Bank account')
    await type(page, manner, ACCOUNT)
    await press(page, manner, 'Save bank account')
    await note(page, 'The account was saved.')
    const charge = () =>
      set.shop.call('POST', 'payments/auto-payment', {
        referenceId: `auto-${customerId}-${Date.now()}`,
        amount: 5,
        currency: 'EUR',
        autoCapture: true,
        customerOrder: { customer: { customerId: decodeURIComponent(customerId) } },
      })
    expect((await charge()).body).toMatchObject({ code: 'no_stored_method' })
    await press(page, manner, 'Enter the two amounts', 'link')
    await type(page, manner, { 'First amount': '0.32', 'Second amount': '0.12' })
    await press(page, manner, 'Confirm account')
    await page.getByRole('alert').getByText('These are not the amounts that were sent.').waitFor()
    await type(page, manner, { 'First amount': '0.45', 'Second amount': '0,32' })
    await press(page, manner, 'Confirm account')
    await note(page, 'The account is confirmed.')
    expect((await charge()).status).toBe(200)
    expect(faults).toEqual([])
  })

  it('pays a failed charge once and stops automatic payments', async () => {
    const customerId = await newCustomer()
    const customer = { customerId: decodeURIComponent(customerId) }
    const first = await set.shop.create({ registerAutoPayment: true, customerOrder: { customer } })
    good(await set.shop.pay(first.paymentId, { outcome: 'stored-charge-declined' }))
    const { body: failed } = await set.shop.call('POST', 'payments/auto-payment', {
      referenceId: `monthly ${customerId}`,
      amount: 96,
      currency: 'EUR',
      autoCapture: true,
      customerOrder: { customer, description: 'Acme Pro' },
    })
    expect(failed.paymentState).toBe('Failed')
    const { page, faults } = await open(customerId)
    await press(page, manner, 'Acme Pro', 'link')
    await page.getByText('This payment failed. You can pay it now').waitFor()
    await press(page, manner, 'Pay €96.00')
    await choose(page, manner, 'Card')
    await payByCard(page, manner)
    await heading(page, 'Payment received')
    const again = `monthly ${customerId}~1`
    const { body: paid } = await set.shop.call('GET', `payments/referenceId:${encodeURIComponent(again)}`)
    expect(paid).toMatchObject({ paymentState: 'Captured', amount: 96 })
    await press(page, manner, 'Return to Acme (sandbox)', 'link')
    await page.getByText('This payment failed and was paid afterwards.').waitFor()
    expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
    await press(page, manner, 'Back to the overview', 'link')
    await press(page, manner, /^Stop automatic payments/, 'link')
    await press(page, manner, 'Yes, stop them')
    await note(page, 'Automatic payments were stopped.')
    expect(await methods(customerId)).toEqual([])
    expect(faults).toEqual([])
  })

  it('changes the details', async () => {
    const customerId = await newCustomer()
    const { page, faults } = await open(customerId)
    await type(page, manner, {
      'Last name': 'Roe',
      'E-mail address': 'dana@example',
      'Phone number': '+49 1',
    })
    await press(page, manner, 'Save details')
    await note(page, 'Your details were saved.')
    const read = good(await set.shop.call('GET', `customers/${customerId}`))
    expect(read).toMatchObject({ firstName: 'Dana', lastName: 'Roe', email: 'dana@example' })
    expect(read.mobileNumber).toBe('+49 1')
    expect(faults).toEqual([])
  })

  it('ends the session of a one-task link when the task is done', async () => {
    const customerId = await newCustomer()
    const { page, faults } = await open(customerId, 'task=add-method&customerPanelLinkAccessType=CreditCard')
    await heading(page, 'Add a payment method')
    await typeCard(page, manner)
    await press(page, manner, 'Save card')
    await heading(page, 'Done')
    expect(await page.getByRole('link', { name: 'Return to Acme (sandbox)' }).count()).toBe(2)
    expect(await methods(customerId)).toHaveLength(1)
    expect(faults).toEqual([])
  })
}

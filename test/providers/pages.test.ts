import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/browser.ts'
import { choose, heading, type Manner, press, type Stage, stage } from '../support/pages.ts'
import { good } from '../support/tender.ts'
import { createAdyenSimulator } from './adyen/simulator.ts'
import { createAuthorizeNetSimulator } from './authorize-net/simulator.ts'
import { createBtcpaySimulator } from './btcpay/simulator.ts'
import type { ProviderSimulator } from './kit/simulator.ts'
import { createMollieSimulator } from './mollie/simulator.ts'
import { createPaypalSimulator } from './paypal/simulator.ts'
import { createSquareSimulator } from './square/simulator.ts'
import { createStripeSimulator } from './stripe/simulator.ts'

interface Provider {
  readonly id: string
  readonly name: string
  readonly method: RegExp
  /** After the browser returns, as the provider shows the payment then. */
  readonly result: string
  /** What a tester can type there. */
  readonly testDocs: string
  /** Its page does not send the payer back by itself. */
  readonly continues?: boolean
  /** A page of ours posts a form to its page. Without script the customer sends it. */
  readonly isPosted?: boolean
  create(): Promise<ProviderSimulator>
}

const PROVIDERS: readonly Provider[] = [
  {
    ...{ id: 'stripe', name: 'Stripe', method: /Card/, result: 'Payment received' },
    testDocs: 'https://docs.stripe.com/testing',
    create: () => createStripeSimulator(),
  },
  {
    ...{ id: 'paypal', name: 'PayPal', method: /PayPal/, result: 'Payment received' },
    testDocs: 'https://developer.paypal.com/sandbox-testing/accounts',
    create: () => createPaypalSimulator(),
  },
  {
    ...{ id: 'btcpay', name: 'BTCPay Server', method: /Crypto/, result: 'Confirming your payment…' },
    testDocs: 'https://docs.btcpayserver.org',
    create: () => createBtcpaySimulator(),
  },
  {
    ...{ id: 'adyen', name: 'Adyen', method: /Card/, result: 'Confirming your payment…', continues: true },
    testDocs: 'https://docs.adyen.com/development-resources/testing/test-card-numbers',
    create: () => createAdyenSimulator(),
  },
  {
    ...{ id: 'authorize-net', name: 'Authorize.Net', method: /Card/, result: 'Payment received' },
    isPosted: true,
    testDocs: 'https://developer.authorize.net/hello_world/testing_guide.html',
    create: () => createAuthorizeNetSimulator(),
  },
  {
    ...{ id: 'mollie', name: 'Mollie', method: /Card/, result: 'Payment received' },
    testDocs: 'https://docs.mollie.com/reference/testing',
    create: () => createMollieSimulator(),
  },
  {
    ...{ id: 'square', name: 'Square', method: /Card/, result: 'Payment received' },
    testDocs: 'https://developer.squareup.com/docs/devtools/sandbox/payments',
    create: () => createSquareSimulator(),
  },
]

/** Where tests that want pictures put them. */
const pictures = process.env.PICTURES

describe.skipIf(!chromiumPath).each(PROVIDERS)('a customer who pays at $name', (provider) => {
  const origins: Record<string, string> = {}
  const set: Stage = stage(`pages_${provider.id.replaceAll('-', '_')}`, {
    config: { providerOrigins: origins },
  })
  let simulator: ProviderSimulator
  let profileId = 0
  beforeAll(async () => {
    simulator = await provider.create()
    origins[provider.id] = simulator.origin
    const { settings } = simulator
    const profile = good(
      await set.shop.call('POST', 'payment-profiles', {
        ...{ provider: provider.id, name: provider.name, currency: 'USD', settings },
      }),
    )
    profileId = profile.paymentProfileId
    good(await set.shop.call('POST', `payment-profiles/${profileId}/connect`))
  })
  afterAll(async () => {
    await simulator?.close()
    // Chromium asks every origin for its icon.
    expect(simulator?.violations.filter((line) => !line.includes('/favicon.ico'))).toEqual([])
  })

  /** The built-in provider's values are of no use there. */
  const expectTestDocs = async (page: Page) => {
    const links = await page
      .locator('aside.env a')
      .evaluateAll((found) =>
        found.map((link) => ({ href: link.getAttribute('href'), text: link.textContent })),
      )
    expect(links).toEqual([{ href: provider.testDocs, text: `Test cards and accounts: ${provider.name}` }])
  }

  const leave = async (manner: Manner) => {
    const payment = await set.shop.create({ paymentProfiles: [profileId], currency: 'USD' })
    const { page, faults } = await set.open(manner)
    await page.goto(payment.redirectUrl)
    // A single method is open already.
    if ((await page.getByRole('radio').count()) > 0) await choose(page, manner, provider.method)
    await expectTestDocs(page)
    if (pictures) await page.screenshot({ path: `${pictures}/${provider.id}-1-checkout.png` })
    await press(page, manner, `Continue to ${provider.name}`)
    if (provider.isPosted && manner === 'no script') {
      await page.waitForURL(/\/(?:continue\/\d+|go)$/)
      await press(page, manner, `Continue to ${provider.name}`)
    }
    await page.waitForURL(`${simulator.origin}/**`)
    return { page, faults, payment }
  }

  it.each(['mouse', 'no script'] as const)('returns with the result (%s)', async (manner) => {
    const { page, faults, payment } = await leave(manner)
    if (pictures) await page.screenshot({ path: `${pictures}/${provider.id}-2-provider.png` })
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    if (provider.continues) await page.getByRole('link', { name: 'Continue' }).click()
    await heading(page, provider.result)
    await expectTestDocs(page)
    if (pictures) await page.screenshot({ path: `${pictures}/${provider.id}-3-return.png` })
    expect(faults).toEqual([])
    const states = ['Captured', 'SaleInProgress', ...(provider.id === 'adyen' ? ['Authorizing'] : [])]
    expect(states).toContain((await set.shop.read(payment.paymentId)).paymentState)
  })

  it.runIf(provider.id === 'paypal').each(['mouse', 'no script'] as const)(
    'stores a method without a charge, which is charged later (%s)',
    async (manner) => {
      // The built-in bank has PayPal too, and each kind of method is offered once.
      for (const { paymentProfileId } of good(await set.shop.call('GET', 'payment-profiles')))
        if (paymentProfileId !== profileId)
          good(await set.shop.call('PATCH', `payment-profiles/${paymentProfileId}`, { isActive: false }))
      const movements = simulator.allEntries().length
      const customerId = `keeps-${manner.replace(' ', '-')}`
      good(await set.shop.call('POST', 'customers', { customerId, firstName: 'Dana', lastName: 'Doe' }))
      const { page, faults } = await set.open(manner)
      await page.goto(good(await set.shop.call('GET', `customers/${customerId}/panel-link`)))
      await press(page, manner, 'Add a method', 'link')
      await press(page, manner, `Continue to ${provider.name}`)
      await page.waitForURL(`${simulator.origin}/**`)
      await page.getByRole('button', { name: 'Agree' }).click()
      await page.waitForURL(`${set.tender.url}/p**`)
      const methods = good(await set.shop.call('GET', `customers/${customerId}/payment-methods`))
      expect(methods).toMatchObject([{ paymentMethodType: 'Paypal', verificationState: 'Verified' }])
      expect(simulator.allEntries().length).toBe(movements)
      const order = { referenceId: `kept-${manner}`, amount: 10, currency: 'USD', autoCapture: true }
      const customerOrder = { customer: { customerId } }
      const paid = await set.shop.call('POST', 'payments/auto-payment', { ...order, customerOrder })
      expect(good(paid)).toMatchObject({ paymentState: 'Captured', capturedAmount: 10 })
      expect(faults).toEqual([])
    },
  )
})

import { createGuestBrowser } from '../support/panel.ts'
import { type Answer, good, type TestApp } from '../support/tender.ts'
import type { Exhibit } from './gallery.ts'

const RETURN = `returnUrl=${encodeURIComponent('https://shop.example.com/account')}`

/** Every page of the customer panel, each with its session cookie. */
export async function panelGallery(url: string, shop: TestApp): Promise<Exhibit[]> {
  const enter = async (customerId: string, query = '') => {
    const guest = createGuestBrowser(url)
    await guest.get(good(await shop.call('GET', `customers/${customerId}/panel-link?${RETURN}&${query}`)))
    return guest
  }
  const things = await regular(shop)
  const guest = await enter('pat')
  good(await shop.call('POST', 'customers', { customerId: 'newcomer', firstName: 'Noa' }))
  const newcomer = await enter('newcomer')
  const task = await enter('pat', 'task=add-method&customerPanelLinkAccessType=CreditCard')
  const html = (await guest.get('/p/methods/new')).text
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  await addAccount(guest, html)
  const [account] = good(await shop.call('GET', 'customers/pat/payment-methods')) as Answer[]
  const wallet = await guest.post('/p/methods/new', {
    form: value('form'),
    way: /value="(\d+\.Paypal)"/.exec(html)?.[1] ?? '',
  })
  const at = (name: string, path: string, cookie = guest.cookie) => ({
    name: `panel-${name}`,
    url: `${url}/p${path}`,
    cookie,
  })
  const verify = `/methods/${account.paymentMethodId}/verify`
  const wrong = `_way=${value('_way')}&problems=numberWrong.expiryPast.codeEmpty`
  return [
    at('overview', '?note=added'),
    at('empty', '', newcomer.cookie),
    at('add', '/methods/new'),
    at('add-problems', `/methods/new?${wrong}`),
    at('add-declined', '/methods/new?declined=insufficient-funds'),
    at('add-task', '/methods/new', task.cookie),
    at('verify', verify),
    at('verify-wrong', `${verify}?problem=wrong&fields=second`),
    at('remove', `/methods/${things.methodId}/remove`),
    at('stop', `/auto/${things.tokenId}/stop`),
    at('payment', `/payments/${things.paidId}`),
    at('payment-failed', `/payments/${things.failedId}`),
    at('receipt', `/payments/${things.paidId}/receipt`),
    at('done', '/done?note=added', task.cookie),
    at('unknown', '/payments/1'),
    { ...at('ended', '', ''), cookie: 'panel=gone' },
    { name: 'simulator-keep', url: wallet.location ?? '' },
  ]
}

/** A customer with a subscription, a wallet, a failed payment and an open one. */
async function regular(shop: TestApp) {
  const customer = { customerId: 'pat', firstName: 'Pat', lastName: 'Doe', email: 'pat@example.com' }
  const order = { customer, description: 'Acme Pro, monthly', orderId: '20017' }
  const stored = async (method: string, outcome: string) => {
    const created = await shop.create({ amount: 9.6, customerOrder: order, registerAutoPayment: true })
    return good(await shop.pay(created.paymentId, { method, outcome }))
  }
  const charge = async (referenceId: string, amount: number) =>
    good(
      await shop.call('POST', 'payments/auto-payment', {
        referenceId,
        amount,
        currency: 'EUR',
        autoCapture: true,
        customerOrder: order,
      }),
    )
  await stored('CreditCard', 'approved')
  const paid = await charge('pat-1', 9.6)
  const [card] = good(await shop.call('GET', 'customers/pat/payment-methods')) as Answer[]
  await stored('Paypal', 'approved')
  await shop.create({ amount: 42, customerOrder: { customer, description: 'Blue mug, 300 ml' } })
  const bad = { ...customer, customerId: 'pat' }
  const created = await shop.create({ customerOrder: { customer: bad }, registerAutoPayment: true })
  good(await shop.pay(created.paymentId, { outcome: 'stored-charge-declined' }))
  const [declining] = good(await shop.call('GET', 'customers/pat/payment-methods')) as Answer[]
  const failed = good(
    await shop.call('POST', 'payments/auto-payment', {
      referenceId: 'pat-2',
      amount: 9.6,
      currency: 'EUR',
      autoCapture: true,
      paymentMethodId: declining.paymentMethodId,
      customerOrder: order,
    }),
  )
  return {
    paidId: paid.paymentId as number,
    failedId: failed.paymentId as number,
    methodId: card.paymentMethodId as number,
    tokenId: card.providerProfiles[0].paymentMethodProviderProfileId as number,
  }
}

/** Adds a bank account that waits for its micro-deposits. */
async function addAccount(guest: ReturnType<typeof createGuestBrowser>, html: string): Promise<void> {
  const form = html.split('<form').find((part) => /name="_way" value="\d+\.ElectronicCheck/.test(part)) ?? ''
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1] ?? ''
  const names = ['key', 'method', 'back', '_form', '_way']
  const body = new URLSearchParams({
    ...Object.fromEntries(names.map((name) => [name, value(name)])),
    routing: '110000000',
    account: '000123456789',
    type: 'checking',
    name: 'Pat Doe',
  })
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
  const token = await fetch(action, { method: 'POST', body, redirect: 'manual' })
  await guest.get(token.headers.get('location') ?? '')
}

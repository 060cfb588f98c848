import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type BtcpayOptions, type BtcpaySimulator, createBtcpaySimulator } from './simulator.ts'

const REFERENCE = 'A0000000000000000001'
const MINUTE = 60_000

let open: BtcpaySimulator[] = []

afterEach(async () => {
  for (const simulator of open) {
    expect(simulator.violations).toEqual([])
    await simulator.close()
  }
  open = []
})

async function opened(options?: BtcpayOptions): Promise<BtcpaySimulator> {
  const simulator = await createBtcpaySimulator(options)
  open.push(simulator)
  return simulator
}

async function api(simulator: BtcpaySimulator, method: string, path: string, json?: object) {
  const { settings, origin } = simulator
  const reply = await fetch(`${origin}/api/v1/${path.replace('{store}', settings.storeId ?? '')}`, {
    method,
    headers: {
      authorization: `token ${settings.apiKey}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}

const invoice = (overrides: object = {}) => ({
  amount: '10.50',
  currency: 'EUR',
  metadata: { orderId: REFERENCE },
  checkout: { redirectURL: 'http://shop.test/back', redirectAutomatically: true, expirationMinutes: 15 },
  ...overrides,
})

const create = async (simulator: BtcpaySimulator, overrides?: object) =>
  (await api(simulator, 'POST', 'stores/{store}/invoices', invoice(overrides))).body

const read = async (simulator: BtcpaySimulator, id: string) =>
  (await api(simulator, 'GET', `invoices/${id}`)).body

describe('the simulated BTCPay Server', () => {
  it('settles an invoice after its confirmations', async () => {
    const simulator = await opened()
    const made = await create(simulator)
    expect(made).toMatchObject({ status: 'New', additionalStatus: 'None', amount: '10.50', currency: 'EUR' })
    await simulator.payer(made.checkoutLink, { kind: 'pay' })
    expect(await read(simulator, made.id)).toMatchObject({ status: 'Processing', paidAmount: '10.50' })
    expect(simulator.ledger(REFERENCE)).toMatchObject([
      { kind: 'sale', amountMinor: 1050n, state: 'pending' },
    ])
    simulator.advance(10 * MINUTE)
    expect(await read(simulator, made.id)).toMatchObject({ status: 'Settled' })
    expect(simulator.ledger(REFERENCE)).toMatchObject([{ kind: 'sale', state: 'done' }])
  })

  it('tells underpaid, overpaid and late payments apart', async () => {
    const simulator = await opened()
    const part = await create(simulator)
    await simulator.payer(part.checkoutLink, { kind: 'pay-part', percent: 50 })
    expect(await read(simulator, part.id)).toMatchObject({ status: 'New', additionalStatus: 'PaidPartial' })
    const over = await create(simulator)
    await simulator.payer(over.checkoutLink, { kind: 'pay-part', percent: 120 })
    expect(await read(simulator, over.id)).toMatchObject({
      status: 'Processing',
      additionalStatus: 'PaidOver',
    })
    simulator.advance(20 * MINUTE)
    expect(await read(simulator, part.id)).toMatchObject({
      status: 'Expired',
      additionalStatus: 'PaidPartial',
      paidAmount: '5.25',
    })
    const late = await create(simulator)
    simulator.advance(20 * MINUTE)
    await simulator.payer(late.checkoutLink, { kind: 'pay' })
    expect(await read(simulator, late.id)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidLate' })
  })

  it('invalidates a payment that is double spent or never confirmed', async () => {
    const simulator = await opened()
    const spent = await create(simulator)
    await simulator.payer(spent.checkoutLink, { kind: 'decline' })
    expect(await read(simulator, spent.id)).toMatchObject({ status: 'Invalid', paidAmount: '0.00' })
    const stuck = await create(simulator)
    await simulator.payer(stuck.checkoutLink, { kind: 'decline', code: 'stuck' })
    simulator.advance(24 * 60 * MINUTE + 15 * MINUTE)
    expect(await read(simulator, stuck.id)).toMatchObject({ status: 'Invalid', additionalStatus: 'None' })
  })

  it('refunds by a pull payment that the customer claims', async () => {
    const simulator = await opened()
    const made = await create(simulator)
    const early = await api(simulator, 'POST', `invoices/${made.id}/refund`, { refundVariant: 'Fiat' })
    expect(early).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
    await simulator.payer(made.checkoutLink, { kind: 'pay' })
    simulator.dashboard(REFERENCE, { kind: 'settle' })
    const refund = {
      refundVariant: 'Custom',
      customAmount: '4.00',
      customCurrency: 'EUR',
      description: 'KEY',
    }
    const { body: pull } = await api(simulator, 'POST', `invoices/${made.id}/refund`, refund)
    expect(pull).toMatchObject({ amount: '4.00', currency: 'EUR', description: 'KEY', archived: false })
    expect(simulator.claimPages(REFERENCE)).toEqual([pull.viewLink])
    await simulator.payer(pull.viewLink, { kind: 'pay' })
    const payouts = await api(simulator, 'GET', `pull-payments/${pull.id}/payouts`)
    expect(payouts.body).toMatchObject([{ state: 'AwaitingApproval', originalAmount: '4.00' }])
    simulator.dashboard(REFERENCE, { kind: 'settle' })
    const { body: listed } = await api(simulator, 'GET', 'stores/{store}/pull-payments')
    expect(listed).toEqual([pull])
    expect(simulator.ledger(REFERENCE)[1]).toMatchObject({ kind: 'refund', amountMinor: 400n, state: 'done' })
  })

  it('has no keys: a repeated request makes a second invoice, which a list by order id shows', async () => {
    const simulator = await opened()
    const first = await create(simulator)
    const second = await create(simulator)
    const { body } = await api(simulator, 'GET', `stores/{store}/invoices?orderId=${REFERENCE}`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  })

  it('marks an open invoice invalid, but not a settled one', async () => {
    const simulator = await opened()
    const made = await create(simulator)
    const marked = await api(simulator, 'POST', `invoices/${made.id}/status`, { status: 'Invalid' })
    expect(marked.body).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' })
    const paid = await create(simulator)
    await simulator.payer(paid.checkoutLink, { kind: 'pay' })
    simulator.dashboard(REFERENCE, { kind: 'settle' })
    const refused = await api(simulator, 'POST', `invoices/${paid.id}/status`, { status: 'Invalid' })
    expect(refused).toMatchObject({ status: 422, body: [{ path: 'status' }] })
  })

  it('signs the exact body of each notification for every registered webhook', async () => {
    const simulator = await opened()
    const { body: webhook } = await api(simulator, 'POST', 'stores/{store}/webhooks', {
      url: 'http://shop.test/hooks',
      authorizedEvents: { everything: false, specificEvents: ['InvoiceProcessing', 'InvoiceSettled'] },
    })
    expect(simulator.webhookEndpoints).toEqual([{ url: 'http://shop.test/hooks', secret: webhook.secret }])
    const made = await create(simulator)
    await simulator.payer(made.checkoutLink, { kind: 'pay' })
    simulator.dashboard(REFERENCE, { kind: 'settle' })
    const sent = simulator.takeNotifications()
    expect(sent.map(({ body }) => JSON.parse(body).type)).toEqual(['InvoiceProcessing', 'InvoiceSettled'])
    for (const { headers, body } of sent) {
      const digest = createHmac('sha256', webhook.secret).update(body).digest('hex')
      expect(headers['btcpay-sig']).toBe(`sha256=${digest}`)
      expect(JSON.parse(body)).toMatchObject({ invoiceId: made.id, metadata: { orderId: REFERENCE } })
    }
    expect(simulator.takeNotifications()).toEqual([])
  })

  it('refuses wrong credentials, other stores and missing permissions', async () => {
    const simulator = await opened({ permissions: ['btcpay.store.canviewinvoices'] })
    const stranger = { ...simulator, settings: simulator.wrongSettings }
    expect((await api(stranger, 'GET', 'stores/{store}/invoices')).status).toBe(401)
    expect((await api(simulator, 'GET', 'stores/other/invoices')).status).toBe(403)
    expect(await api(simulator, 'POST', 'stores/{store}/invoices', invoice())).toMatchObject({
      status: 403,
      body: { code: 'missing-permission', missingPermission: 'btcpay.store.cancreateinvoice' },
    })
  })

  it('reports members, amounts and paths that the API does not declare', async () => {
    const simulator = await createBtcpaySimulator()
    const post = (json: object) => api(simulator, 'POST', 'stores/{store}/invoices', json)
    expect((await post(invoice({ notificationUrl: 'x' }))).status).toBe(422)
    expect((await post(invoice({ amount: 10.5 }))).status).toBe(422)
    expect((await post(invoice({ amount: '10.505' }))).status).toBe(422)
    expect((await api(simulator, 'GET', 'stores/{store}/payments')).status).toBe(404)
    expect(simulator.violations).toHaveLength(4)
    await simulator.close()
  })

  it('answers armed errors once, with nothing done', async () => {
    const simulator = await opened()
    simulator.arm({ kind: 'error', operation: 'start', status: 503 })
    const post = () => api(simulator, 'POST', 'stores/{store}/invoices', invoice())
    expect((await post()).status).toBe(503)
    expect(simulator.invoices(REFERENCE)).toEqual([])
    expect((await post()).status).toBe(200)
  })

  it('hides what is created while lists lag', async () => {
    const simulator = await opened()
    simulator.lagLists(true)
    const made = await create(simulator)
    const list = async () =>
      (await api(simulator, 'GET', `stores/{store}/invoices?orderId=${REFERENCE}`)).body
    expect(await list()).toEqual([])
    expect(await read(simulator, made.id)).toMatchObject({ id: made.id })
    simulator.lagLists(false)
    expect(await list()).toHaveLength(1)
  })

  it('serves pages with the buttons of the payer', async () => {
    const simulator = await opened()
    const made = await create(simulator)
    const html = await (await fetch(made.checkoutLink)).text()
    for (const label of ['Pay', 'Decline', 'Cancel']) expect(html).toContain(label)
    const paid = await fetch(made.checkoutLink, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ act: 'lightning' }),
    })
    expect(paid.headers.get('location')).toBe('http://shop.test/back')
    expect(await read(simulator, made.id)).toMatchObject({ status: 'Settled' })
  })
})

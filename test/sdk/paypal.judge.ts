import { Agent } from 'node:https'
import { connect } from 'node:net'
import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  Environment,
  type OrderRequest,
  OrdersController,
  PaymentsController,
  PaypalExperienceUserAction,
  PaypalPaymentTokenUsageType,
  StoreInVaultInstruction,
  VaultController,
  VaultTokenRequestType,
} from '@paypal/paypal-server-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPaypalSimulator, type PaypalSimulator } from '../providers/paypal/simulator.ts'

/** PayPal's own client against the simulator. It refuses replies that do not fit its schemas. */

const REFERENCE = 'A0000000000000000001'

let simulator: PaypalSimulator
beforeEach(async () => {
  simulator = await createPaypalSimulator()
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await simulator.close()
})

/** The client knows only PayPal's own addresses, so its connections are led to the simulator. */
function clientWith(secret = simulator.settings.clientSecret ?? ''): Client {
  const { hostname, port } = new URL(simulator.origin)
  const httpsAgent = Object.assign(new Agent(), { createConnection: () => connect(Number(port), hostname) })
  const oAuthClientId = simulator.settings.clientId ?? ''
  return new Client({
    clientCredentialsAuthCredentials: { oAuthClientId, oAuthClientSecret: secret },
    environment: Environment.Sandbox,
    httpClientOptions: { httpsAgent },
  })
}

let keys = 0
const once = () => ({ paypalRequestId: `KEY${++keys}` })
const whole = { prefer: 'return=representation' }
const eur = (value: string) => ({ currencyCode: 'EUR', value })

const orderOf = (intent: CheckoutPaymentIntent, wallet: object = {}): OrderRequest => ({
  intent,
  purchaseUnits: [{ customId: REFERENCE, invoiceId: REFERENCE, amount: eur('25.50') }],
  paymentSource: {
    paypal: {
      experienceContext: {
        returnUrl: 'https://tender.example/back/1',
        cancelUrl: 'https://tender.example/back/1',
        userAction: PaypalExperienceUserAction.PayNow,
      },
      ...wallet,
    },
  },
})

async function approvedOrder(client: Client, intent: CheckoutPaymentIntent, wallet?: object) {
  const orders = new OrdersController(client)
  const { result } = await orders.createOrder({ body: orderOf(intent, wallet), ...once(), ...whole })
  expect(result.status).toBe('PAYER_ACTION_REQUIRED')
  const page = result.links?.find(({ rel }) => rel === 'payer-action')?.href ?? ''
  await simulator.payer(page, { kind: wallet ? 'save' : 'pay' })
  return { orders, id: result.id ?? '' }
}

describe("PayPal's client and the simulator", () => {
  it('authorise, capture in part, refund and read', async () => {
    const client = clientWith()
    const { orders, id } = await approvedOrder(client, CheckoutPaymentIntent.Authorize)
    const authorised = await orders.authorizeOrder({ id, ...once(), ...whole })
    const authorization = authorised.result.purchaseUnits?.[0]?.payments?.authorizations?.[0]
    expect(authorization).toMatchObject({ status: 'CREATED', amount: eur('25.50') })
    const payments = new PaymentsController(client)
    const captured = await payments.captureAuthorizedPayment({
      ...{ authorizationId: authorization?.id ?? '', ...once(), ...whole },
      body: { amount: eur('20.00'), finalCapture: true },
    })
    expect(captured.result).toMatchObject({ status: 'COMPLETED', amount: eur('20.00') })
    const captureId = captured.result.id ?? ''
    const refunded = await payments.refundCapturedPayment({
      ...{ captureId, ...once(), ...whole },
      body: { amount: eur('5.00'), noteToPayer: 'Sorry' },
    })
    expect(refunded.result).toMatchObject({ status: 'COMPLETED', amount: eur('5.00') })
    const { result } = await payments.getCapturedPayment({ captureId })
    expect(result).toMatchObject({ status: 'PARTIALLY_REFUNDED', customId: REFERENCE })
    expect((await orders.getOrder({ id })).result).toMatchObject({ id })
    const kinds = simulator.ledger(REFERENCE).map(({ kind }) => kind)
    expect(kinds).toEqual(['authorise', 'capture', 'refund'])
  })

  it('void an authorisation', async () => {
    const client = clientWith()
    const { orders, id } = await approvedOrder(client, CheckoutPaymentIntent.Authorize)
    const { result } = await orders.authorizeOrder({ id, ...once(), ...whole })
    const authorizationId = result.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id ?? ''
    const payments = new PaymentsController(client)
    const voided = await payments.voidPayment({ authorizationId, ...whole })
    expect([200, 204]).toContain(voided.statusCode)
    const read = await payments.getAuthorizedPayment({ authorizationId })
    expect(read.result.status).toBe('VOIDED')
  })

  it('capture at once, and repeat a request', async () => {
    const { orders, id } = await approvedOrder(clientWith(), CheckoutPaymentIntent.Capture)
    const request = { id, ...once(), ...whole }
    const [first, second] = [await orders.captureOrder(request), await orders.captureOrder(request)]
    const captureOf = ({ result }: typeof first) => result.purchaseUnits?.[0]?.payments?.captures?.[0]?.id
    expect(captureOf(second)).toBe(captureOf(first))
    expect(simulator.ledger(REFERENCE)).toHaveLength(1)
  })
})

describe("PayPal's client, stored wallets and errors", () => {
  it('store a wallet, charge it and delete it', async () => {
    const client = clientWith()
    const vault = {
      storeInVault: StoreInVaultInstruction.OnSuccess,
      usageType: PaypalPaymentTokenUsageType.Merchant,
    }
    const wallet = { attributes: { vault } }
    const { orders, id } = await approvedOrder(client, CheckoutPaymentIntent.Capture, wallet)
    const { result } = await orders.captureOrder({ id, ...once(), ...whole })
    const vaultId = result.paymentSource?.paypal?.attributes?.vault?.id ?? ''
    const opened = await orders.createOrder({
      body: {
        intent: CheckoutPaymentIntent.Capture,
        purchaseUnits: [{ customId: 'A0000000000000000002', amount: eur('9.99') }],
      },
      ...once(),
      ...whole,
    })
    const charged = await orders.captureOrder({
      id: opened.result.id ?? '',
      body: { paymentSource: { paypal: { vaultId } } },
      ...once(),
      ...whole,
    })
    expect(charged.result.status).toBe('COMPLETED')
    await new VaultController(client).deletePaymentToken(vaultId)
  })

  it('store a wallet without a payment', async () => {
    const vault = new VaultController(clientWith())
    const urls = { returnUrl: 'https://tender.example/back/1', cancelUrl: 'https://tender.example/back/1' }
    const paypal = { usageType: PaypalPaymentTokenUsageType.Merchant, experienceContext: urls }
    const setup = await vault.createSetupToken({ ...once(), body: { paymentSource: { paypal } } })
    const page = setup.result.links?.find(({ rel }) => rel === 'approve')?.href ?? ''
    await simulator.payer(page, { kind: 'save' })
    const id = setup.result.id ?? ''
    expect((await vault.getSetupToken(id)).result.status).toBe('APPROVED')
    const token = { id, type: VaultTokenRequestType.SetupToken }
    const stored = await vault.createPaymentToken({ ...once(), body: { paymentSource: { token } } })
    expect(stored.result.paymentSource?.paypal).toMatchObject({ emailAddress: expect.any(String) })
    expect(simulator.allEntries()).toEqual([])
  })

  it('tell declines, wrong states and wrong credentials', async () => {
    const { orders, id } = await approvedOrder(clientWith(), CheckoutPaymentIntent.Capture)
    simulator.arm({ kind: 'decline', operation: 'resume', code: 'INSTRUMENT_DECLINED' })
    const issueOf = async (doing: Promise<unknown>) => {
      const error = await doing.catch((problem: unknown) => problem)
      if (!(error instanceof ApiError)) return error
      const body = JSON.parse(String(error.body)) as { details?: { issue: string }[] }
      return `${error.statusCode} ${body.details?.[0]?.issue ?? ''}`.trim()
    }
    expect(await issueOf(orders.captureOrder({ id, ...once() }))).toBe('422 INSTRUMENT_DECLINED')
    const other = new OrdersController(clientWith('wrong'))
    await expect(other.getOrder({ id })).rejects.toThrow()
  })
})

import { CheckoutAPI, Client, Config, EnvironmentEnum, hmacValidator, Types } from '@adyen/api-library'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AdyenRequest,
  cancelByReference,
  cancelPayment,
  capturePayment,
  chargeStored,
  closeLink,
  openLink,
  refundPayment,
} from '../../src/providers/adyen/calls.ts'
import { received } from '../../src/providers/adyen/receive.ts'
import { operation, purchase } from '../../src/providers/contract/core.ts'
import { type AdyenSimulator, createAdyenSimulator } from '../providers/adyen/simulator.ts'

/** Adyen's own client against the simulator, its models against our requests, and its signatures. */

const REFERENCE = 'A0000000000000000001'
const HOOK = 'https://tender.example/hook'
const eur = (value: number) => ({ currency: 'EUR', value })

let simulator: AdyenSimulator
let merchantAccount = ''
beforeEach(async () => {
  simulator = await createAdyenSimulator({ webhookUrl: HOOK })
  merchantAccount = simulator.settings.merchantAccount ?? ''
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await simulator.close()
})

/** The client knows only Adyen's own addresses, so its requests are sent to the simulator instead. */
function checkout(apiKey = simulator.settings.apiKey ?? ''): CheckoutAPI {
  const httpClient: Client['httpClient'] = {
    async request(...given) {
      const [endpoint, json, config, , options = {}] = given
      const { pathname, search } = new URL(endpoint)
      const query = options.params ? `?${new URLSearchParams(options.params)}` : search
      const body = typeof json === 'string' && json !== '' && options.method !== 'GET' ? json : null
      const headers = {
        'x-api-key': config.apiKey ?? '',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      }
      const method = options.method ?? 'POST'
      const reply = await fetch(simulator.origin + pathname + query, { method, headers, body })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${reply.status} ${text}`)
      return text
    },
  }
  return new CheckoutAPI(new Client(new Config({ apiKey, environment: EnvironmentEnum.TEST }), httpClient))
}

let keys = 0
const once = () => ({ idempotencyKey: `KEY${++keys}` })

const openPage = (more: Partial<Types.checkout.PaymentLinkRequest> = {}) =>
  checkout().PaymentLinksApi.paymentLinks(
    {
      ...{ merchantAccount, reference: REFERENCE, amount: eur(2_550), manualCapture: true },
      ...{ returnUrl: 'https://tender.example/back/1', ...more },
    },
    once(),
  )

async function paid(more: Partial<Types.checkout.PaymentLinkRequest> = {}): Promise<string> {
  const { url } = await openPage(more)
  await simulator.payer(url, { kind: more.shopperReference ? 'save' : 'pay' })
  return simulator.waiting.at(0)?.pspReference ?? ''
}

const kinds = () => simulator.allEntries().map(({ kind, state }) => `${kind} ${state}`)

describe("Adyen's client and the simulator", () => {
  it('open, read and close a link', async () => {
    const link = await openPage()
    expect(link.status).toBe('active')
    const { PaymentLinksApi } = checkout()
    expect(await PaymentLinksApi.getPaymentLink(link.id)).toMatchObject({ reference: REFERENCE })
    const status = Types.checkout.UpdatePaymentLinkRequest.StatusEnum.Expired
    expect((await PaymentLinksApi.updatePaymentLink(link.id, { status })).status).toBe('expired')
  })

  it('capture, refund and cancel', async () => {
    const { ModificationsApi } = checkout()
    const id = await paid()
    const part = { merchantAccount, amount: eur(2_000), reference: 'CAPTURE1' }
    const captured = await ModificationsApi.captureAuthorisedPayment(id, part, once())
    expect(captured).toMatchObject({ status: 'received', paymentPspReference: id, amount: eur(2_000) })
    simulator.dashboard(REFERENCE, { kind: 'settle' })
    const back = { merchantAccount, amount: eur(500), reference: 'REFUND1' }
    const refunded = await ModificationsApi.refundCapturedPayment(id, back, once())
    expect(refunded).toMatchObject({ status: 'received', amount: eur(500) })
    simulator.waiting.splice(0)
    const other = await paid({ reference: 'B0000000000000000001' })
    const cancelled = await ModificationsApi.cancelAuthorisedPaymentByPspReference(
      ...([other, { merchantAccount, reference: 'CANCEL1' }, once()] as const),
    )
    expect(cancelled.status).toBe('received')
    simulator.advance(60_000)
    const done = ['authorise done', 'capture done', 'refund done', 'void done']
    expect(kinds()).toEqual(expect.arrayContaining(done))
  })
})

describe("Adyen's client, stored methods and errors", () => {
  it('list, charge and delete a stored method', async () => {
    const shopperReference = 'shopper_A0000000000000000001'
    await paid({
      shopperReference,
      storePaymentMethodMode: Types.checkout.PaymentLinkRequest.StorePaymentMethodModeEnum.Enabled,
      recurringProcessingModel:
        Types.checkout.PaymentLinkRequest.RecurringProcessingModelEnum.UnscheduledCardOnFile,
    })
    const { RecurringApi, PaymentsApi } = checkout()
    const listed = await RecurringApi.getTokensForStoredPaymentDetails(shopperReference, merchantAccount)
    const storedPaymentMethodId = listed.storedPaymentMethods?.[0]?.id ?? ''
    const charged = await PaymentsApi.payments(
      {
        ...{ merchantAccount, reference: 'B0000000000000000001', amount: eur(999), shopperReference },
        returnUrl: 'https://tender.example/back/1',
        paymentMethod: {
          type: Types.checkout.CardDetails.TypeEnum.Scheme,
          storedPaymentMethodId,
        },
        shopperInteraction: Types.checkout.PaymentRequest.ShopperInteractionEnum.ContAuth,
        recurringProcessingModel:
          Types.checkout.PaymentRequest.RecurringProcessingModelEnum.UnscheduledCardOnFile,
        additionalData: { manualCapture: 'true' },
      },
      once(),
    )
    expect(charged.resultCode).toBe('Authorised')
    const remove = RecurringApi.deleteTokenForStoredPaymentDetails.bind(RecurringApi)
    await remove(storedPaymentMethodId, shopperReference, merchantAccount)
    const left = await RecurringApi.getTokensForStoredPaymentDetails(shopperReference, merchantAccount)
    expect(left.storedPaymentMethods ?? []).toEqual([])
  })

  it('refuse a wrong key', async () => {
    const links = checkout(simulator.wrongSettings.apiKey).PaymentLinksApi
    await expect(links.getPaymentLink('PL0000000000000000')).rejects.toThrow('401')
  })
})

it("Adyen's models have every member of our requests", () => {
  const start = operation('start')
  const token = { shopper: 'shopper_A0000000000000000001', id: 'STORED1' }
  const bought = purchase({ description: 'Tea', storeMethod: true })
  const of = { id: 'PSP1', amount: bought.amount }
  const requests: readonly (readonly [string, AdyenRequest | undefined])[] = [
    ['PaymentLinkRequest', openLink('Shop', start, bought)],
    ['UpdatePaymentLinkRequest', closeLink('PL1')],
    ['PaymentRequest', chargeStored('Shop', operation('charge'), purchase({}), token)],
    ['PaymentCaptureRequest', capturePayment('Shop', operation('capture'), { ...of, isPaidLater: false })],
    [
      'PaymentRefundRequest',
      refundPayment('Shop', { ...operation('refund'), description: 'Return' }, { ...of, isPaidLater: true }),
    ],
    ['PaymentCancelRequest', cancelPayment('Shop', operation('cancel'), 'PSP1')],
    ['StandalonePaymentCancelRequest', cancelByReference('Shop', operation('cancel'))],
  ]
  for (const [model, request] of requests) {
    // It leaves out what the model does not have.
    const kept = JSON.parse(JSON.stringify(Types.checkout.ObjectSerializer.serialize(request?.json, model)))
    expect(kept, model).toEqual(JSON.parse(JSON.stringify(request?.json)))
  }
})

describe("Adyen's signatures", () => {
  type Item = Types.notification.NotificationRequestItem
  const itemsIn = (body: string): Item[] =>
    JSON.parse(body).notificationItems.map(
      (one: { NotificationRequestItem: Item }) => one.NotificationRequestItem,
    )
  const keyOf = () => simulator.settings.hmacKey ?? ''

  it('of the simulator verify with the library', async () => {
    await paid()
    const items = simulator.takeNotifications().flatMap(({ body }) => itemsIn(body))
    expect(items.length).toBeGreaterThan(0)
    const validator = new hmacValidator()
    for (const item of items) {
      expect(validator.validateHMAC(item, keyOf())).toBe(true)
      expect(validator.validateHMAC({ ...item, merchantReference: 'other' }, keyOf())).toBe(false)
    }
  })

  it('of the library are accepted by the adapter', async () => {
    await paid()
    const [{ body } = { body: '' }] = simulator.takeNotifications()
    const [item] = itemsIn(body)
    if (!item) throw new Error('nothing was sent')
    const key = 'AB'.repeat(32)
    const signed = (changed: object) => {
      const hmacSignature = new hmacValidator().calculateHmac(item, key)
      const NotificationRequestItem = { ...item, additionalData: { hmacSignature }, ...changed }
      const rawBody = Buffer.from(JSON.stringify({ notificationItems: [{ NotificationRequestItem }] }))
      const config = { apiKey: 'unused', merchantAccount, hmacKeys: [key] }
      const ctx = { config, sandbox: true } as unknown as Parameters<typeof received>[0]
      return received(ctx, { headers: {}, rawBody, url: HOOK }).kind
    }
    expect(signed({})).toBe('events')
    expect(signed({ pspReference: 'OTHER' })).toBe('forged')
  })
})

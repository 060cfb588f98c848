import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../src/net/http.ts'
import { adyen } from '../../src/providers/adyen/adapter.ts'
import { authorizeNet } from '../../src/providers/authorize-net/adapter.ts'
import { mollie } from '../../src/providers/mollie/adapter.ts'
import { paypal } from '../../src/providers/paypal/adapter.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import { square } from '../../src/providers/square/adapter.ts'
import { stripe } from '../../src/providers/stripe/adapter.ts'

const KEY = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'
const SHOPPER = 'shopper_0123456789ABCDEFGHIJ'
const CONFIG = {
  ...{ secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] },
  ...{ accessToken: 'EAAA1', locationId: 'L1', webhookSignatureKey: 'key' },
  ...{
    apiKey: 'AQE1',
    apiLoginId: 'L',
    transactionKey: 'K',
    clientId: 'c',
    clientSecret: 's',
    merchantAccount: 'ShopECOM',
    hmacKeys: [KEY],
    livePrefix: undefined,
  },
}
const URL_HERE = 'https://tender.example/notify'

const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

interface Case {
  readonly adapter: ProviderAdapter<never>
  readonly event: object
  readonly sign: (body: string) => Record<string, string>
  readonly token: string
  /** What the provider answers when the card is read. */
  readonly reply: object
}

const METHOD = {
  ...{ id: 'pm_1', object: 'payment_method', type: 'card', customer: 'cus_1' },
  card: { brand: 'visa', last4: '4242', exp_month: 7, exp_year: 2050, fingerprint: 'f1' },
}
const SQUARE_CARD = {
  ...{ id: 'ccof:1', customer_id: 'CUST1', card_brand: 'VISA', last_4: '4242' },
  ...{ exp_month: 7, exp_year: 2050 },
}

/** Members as in the published references of the three events. */
const CASES: Readonly<Record<string, Case>> = {
  stripe: {
    adapter: stripe as unknown as ProviderAdapter<never>,
    event: {
      ...{ object: 'event', livemode: false, type: 'payment_method.automatically_updated' },
      data: { object: METHOD, previous_attributes: { card: { exp_year: 2027 } } },
    },
    sign: (body) => ({
      'stripe-signature': `t=1767225600,v1=${mac('whsec_1', `1767225600.${body}`).digest('hex')}`,
    }),
    token: 'cus_1/pm_1',
    reply: METHOD,
  },
  square: {
    adapter: square as unknown as ProviderAdapter<never>,
    event: {
      ...{ merchant_id: 'M1', type: 'card.automatically_updated', event_id: 'e1' },
      data: { type: 'card', id: SQUARE_CARD.id, object: { card: SQUARE_CARD } },
    },
    sign: (body) => ({
      'x-square-hmacsha256-signature': mac('key', URL_HERE + body).digest('base64'),
    }),
    token: 'CUST1/ccof:1',
    reply: { card: SQUARE_CARD },
  },
  adyen: {
    adapter: adyen as unknown as ProviderAdapter<never>,
    event: {
      ...{ createdAt: '2026-01-01T00:00:00+01:00', environment: 'test', eventId: 'QBQQ9DLNRHHKGK38' },
      data: {
        ...{ merchantAccount: 'ShopECOM', shopperReference: SHOPPER, type: 'visa' },
        storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
      },
      type: 'recurring.token.updated',
    },
    sign: (body) => ({ hmacsignature: mac(Buffer.from(KEY, 'hex'), body).digest('base64') }),
    token: `${SHOPPER}/M5N7TQ4TG5PFWR50`,
    reply: {
      storedPaymentMethods: [
        { id: 'OTHER7TQ4TG5PFWR', brand: 'mc', lastFour: '1111', expiryMonth: '1', expiryYear: '2027' },
        { id: 'M5N7TQ4TG5PFWR50', brand: 'visa', lastFour: '4242', expiryMonth: '7', expiryYear: '2050' },
      ],
    },
  },
}

const context = (status = 500, body: unknown = {}) =>
  ({
    ...{ config: CONFIG, sandbox: true, origin: 'https://api.example', notifyUrl: URL_HERE },
    ...{ now: () => new Date('2026-01-01T00:00:00Z'), signal: new AbortController().signal },
    tokens: { get: async () => ({ kind: 'token', token: 't' }) },
    http: { call: async (): Promise<HttpReply> => ({ kind: 'reply', status, headers: {}, body }) },
  }) as never

describe.each(Object.entries(CASES))('a card that %s has renewed', (_name, one) => {
  const { adapter, event, sign, token, reply } = one
  const body = JSON.stringify(event)
  const received = (headers: Record<string, string>) =>
    adapter.receive(context(), { headers, rawBody: Buffer.from(body), url: URL_HERE })

  it('is named by a signed event, and by no other', async () => {
    expect(await received(sign(body))).toEqual({ kind: 'events', hints: [{ renewedToken: token }] })
    expect(await received(sign(`${body} `))).toEqual({ kind: 'forged' })
  })

  it('is read by its token', async () => {
    const card = { last4: '4242', expiryMonth: 7, expiryYear: 2050 }
    expect(await adapter.readStored?.(context(200, reply), token)).toMatchObject({
      kind: 'stored',
      stored: { token, card },
    })
    expect(await adapter.readStored?.(context(500), token)).toMatchObject({ kind: 'unknown' })
    expect(await adapter.readStored?.(context(200, reply), 'not a token')).toMatchObject({ kind: 'not-done' })
  })
})

/** Providers that report no renewals: what a read of a stored method answers, as in their references. */
const READS: Readonly<Record<string, Pick<Case, 'adapter' | 'token' | 'reply'> & { stored: object }>> = {
  mollie: {
    adapter: mollie as unknown as ProviderAdapter<never>,
    token: 'cst_1/mdt_1',
    reply: {
      ...{ resource: 'mandate', id: 'mdt_1', status: 'valid', method: 'creditcard' },
      details: { cardLabel: 'Visa', cardNumber: '4242', cardExpiryDate: '2050-07-31' },
    },
    stored: { method: 'CreditCard', card: { last4: '4242', expiryMonth: 7, expiryYear: 2050 } },
  },
  paypal: {
    adapter: paypal as unknown as ProviderAdapter<never>,
    token: '8kk8451t',
    reply: {
      id: '8kk8451t',
      payment_source: { paypal: { email_address: 'ada@example.com', payer_id: 'VYYFH3WJ4JPJQ' } },
    },
    stored: { method: 'Paypal', label: 'PayPal a•••@example.com', fingerprint: 'VYYFH3WJ4JPJQ' },
  },
  'authorize-net': {
    adapter: authorizeNet as unknown as ProviderAdapter<never>,
    token: '10000/20000',
    reply: {
      paymentProfile: {
        customerPaymentProfileId: '20000',
        payment: {
          creditCard: { cardNumber: 'XXXX4242', expirationDate: '2050-07', cardType: 'Visa' },
        },
      },
      messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] },
    },
    stored: { label: 'Visa •••• 4242', card: { last4: '4242', expiryMonth: 7, expiryYear: 2050 } },
  },
}

it.each(Object.entries(READS))('a stored method of %s is read by its token', async (_name, one) => {
  const { adapter, token, reply, stored } = one
  const read = (given: string, status = 200) => adapter.readStored?.(context(status, reply), given)
  expect(await read(token)).toMatchObject({ kind: 'stored', stored: { token, ...stored } })
  expect(await read(token, 500)).toMatchObject({ kind: 'unknown' })
  expect(await read('not a token')).toMatchObject({ kind: 'not-done', why: 'unsupported' })
})

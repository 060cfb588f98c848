import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { disputes } from '../../src/providers/stripe/disputes.ts'
import { receive } from '../../src/providers/stripe/events/receive.ts'
import { openAccount, type StripeAccount } from '../providers/stripe/account.ts'

/** Stripe's own client against the simulator, and Stripe's own signatures against ours. */

const REFERENCE = 'A0000000000000000001'

let account: StripeAccount
let simulator: StripeAccount['simulator']
let stripe: Stripe
beforeEach(async () => {
  account = await openAccount()
  simulator = account.simulator
  stripe = clientWith(simulator.settings.secretKey)
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await account.close()
})

function clientWith(key = ''): Stripe {
  const { hostname: host, port } = new URL(simulator.origin)
  return new Stripe(key, {
    host,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

let keys = 0
const once = () => ({ idempotencyKey: `KEY${++keys}` })

const openSession = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: REFERENCE,
      success_url: 'https://tender.example/back/1',
      cancel_url: 'https://tender.example/back/1',
      metadata: { reference: REFERENCE },
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'eur', unit_amount: 2_550, product_data: { name: 'Tea' } },
        },
      ],
      ...more,
    },
    once(),
  )

const intentOf = ({ payment_intent }: Stripe.Checkout.Session): string =>
  typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? '')

async function paidSession(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const session = await openSession(more)
  await simulator.payer(session.url ?? '', { kind: more.customer ? 'save' : 'pay' })
  return stripe.checkout.sessions.retrieve(session.id)
}

const kinds = () => simulator.allEntries().map(({ kind, state }) => `${kind} ${state}`)

describe("Stripe's client and the simulator", () => {
  it('speak the same version', () => {
    expect(stripe.getApiField('version')).toBe('2026-10-28.endive')
  })

  it('authorise, capture in part and refund', async () => {
    const session = await paidSession({ payment_intent_data: { capture_method: 'manual' } })
    expect(session).toMatchObject({ object: 'checkout.session', status: 'complete', amount_total: 2_550 })
    const intent = intentOf(session)
    const captured = await stripe.paymentIntents.capture(intent, { amount_to_capture: 2_000 }, once())
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 2_000 })
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 500 }, once())
    expect(refund).toMatchObject({ object: 'refund', status: 'succeeded', amount: 500 })
    const read = await stripe.paymentIntents.retrieve(intent, {
      expand: ['latest_charge.balance_transaction'],
    })
    const charge = read.latest_charge as Stripe.Charge
    expect((charge.balance_transaction as Stripe.BalanceTransaction).fee).toBeGreaterThan(0)
    expect(kinds()).toEqual(expect.arrayContaining(['authorise done', 'capture done', 'refund done']))
  })

  it('cancel a payment, and expire an open page', async () => {
    const session = await paidSession({ payment_intent_data: { capture_method: 'manual' } })
    const cancelled = await stripe.paymentIntents.cancel(intentOf(session), {}, once())
    expect(cancelled.status).toBe('canceled')
    const open = await openSession()
    expect((await stripe.checkout.sessions.expire(open.id, {}, once())).status).toBe('expired')
  })

  it('store a method and charge it later', async () => {
    const customer = await stripe.customers.create({ metadata: { customer: 'dana' } }, once())
    const session = await paidSession({
      customer: customer.id,
      payment_intent_data: { setup_future_usage: 'off_session' },
    })
    const { payment_method: method } = await stripe.paymentIntents.retrieve(intentOf(session))
    const params: Stripe.PaymentIntentCreateParams = {
      ...{ amount: 999, currency: 'eur', customer: customer.id, confirm: true, off_session: true },
      payment_method: String(method),
      allowed_payment_method_types: ['card'],
    }
    const intent = await stripe.paymentIntents.create(params, once())
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 999 })
    simulator.arm({ kind: 'decline', operation: 'charge', code: 'insufficient_funds' })
    const declined = stripe.paymentIntents.create(params, once())
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    })
  })
})

describe("Stripe's client, keys and errors", () => {
  it('replay a key, and refuse it with another body', async () => {
    const key = once()
    const create = (email: string) => stripe.customers.create({ email }, key)
    const [first, second] = [await create('a@example.com'), await create('a@example.com')]
    expect(second.id).toBe(first.id)
    await expect(create('b@example.com')).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
  })

  it('refuse wrong keys and missing permissions', async () => {
    const list = (key: string | undefined) => clientWith(key).paymentIntents.list({ limit: 1 })
    await expect(list(simulator.wrongSettings.secretKey)).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    })
    await expect(list(simulator.powerlessKey)).rejects.toMatchObject({ type: 'StripePermissionError' })
  })
})

/** The type of Stripe's client judges these names. */
const EVIDENCE: readonly (keyof Stripe.DisputeUpdateParams.Evidence)[] = [
  'uncategorized_text',
  'product_description',
  'customer_name',
  'customer_email_address',
  'shipping_carrier',
  'shipping_tracking_number',
  'shipping_date',
  'access_activity_log',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'duplicate_charge_explanation',
  'receipt',
  'shipping_documentation',
  'customer_communication',
  'service_documentation',
  'refund_policy',
  'duplicate_charge_documentation',
  'uncategorized_file',
]

describe("Stripe's client and disputes", () => {
  const disputed = async () => {
    await paidSession()
    simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'open' })
    const { data } = await stripe.disputes.list({ limit: 1 })
    return data[0]?.id ?? ''
  }

  it('upload a file, submit evidence, and close a dispute', async () => {
    const id = await disputed()
    const file = await stripe.files.create({
      purpose: 'dispute_evidence',
      file: { data: Buffer.from('%PDF-1.7'), name: 'receipt.pdf', type: 'application/pdf' },
    })
    const submitted = await stripe.disputes.update(
      id,
      { evidence: { receipt: file.id }, submit: true },
      once(),
    )
    expect(submitted).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } })
  })

  it('close a dispute', async () => {
    expect(await stripe.disputes.close(await disputed(), {}, once())).toMatchObject({ status: 'lost' })
  })

  it('have the names that the adapter sends', async () => {
    const id = await disputed()
    const { files, texts } = disputes.limits
    const sending = {
      key: 'KEYE',
      evidence: {
        texts: Object.fromEntries(Object.keys(texts).map((name) => [name, 'x'])),
        files: files.map((kind) => ({
          ...{ kind, mediaType: 'application/pdf' as const },
          bytes: Buffer.from('%PDF-1.7'),
        })),
      },
    }
    const reference = { id, reference: REFERENCE, handles: {} }
    expect(await disputes.submit(account.context(), reference, sending)).toEqual({ kind: 'done' })
    const sent = simulator.requests.find(({ method, path }) => method === 'POST' && path.endsWith(id))
    const names = [...new URLSearchParams(sent?.body).keys()].filter((name) => name !== 'submit')
    expect(names.toSorted()).toEqual(EVIDENCE.map((name) => `evidence[${name}]`).toSorted())
  })
})

describe("Stripe's signatures", () => {
  const secretOf = () => simulator.settings.webhookSecret ?? ''

  it('of the simulator verify with the client', async () => {
    await paidSession()
    const notifications = simulator.takeNotifications()
    expect(notifications.length).toBeGreaterThan(0)
    for (const { headers, body } of notifications) {
      const signature = headers['stripe-signature'] ?? ''
      const event = stripe.webhooks.constructEvent(body, signature, secretOf())
      expect(event).toMatchObject({ object: 'event', livemode: false })
      expect(() => stripe.webhooks.constructEvent(`${body} `, signature, secretOf())).toThrow()
    }
  })

  it('of the client are accepted by the adapter, with any of two secrets', () => {
    const object = { object: 'payment_intent', id: 'pi_3ABC', metadata: { reference: REFERENCE } }
    const payload = JSON.stringify({ object: 'event', livemode: false, data: { object } })
    const secrets = ['whsec_first_of_two_secrets', 'whsec_second_of_two_secrets']
    const received = (secret: string, body = payload) => {
      const header = stripe.webhooks.generateTestHeaderString({ payload, secret })
      const config = { secretKey: 'unused', webhookSecrets: secrets }
      const call = { headers: { 'stripe-signature': header }, rawBody: Buffer.from(body), url: '/' }
      return receive({ config, sandbox: true } as unknown as Parameters<typeof receive>[0], call).kind
    }
    expect(secrets.map((secret) => received(secret))).toEqual(['events', 'events'])
    expect(received('whsec_of_somebody_else')).toBe('forged')
    expect(received(secrets[0] ?? '', `${payload} `)).toBe('forged')
  })
})

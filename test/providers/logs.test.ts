import { describe, expect, it } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { unpacked } from '../../src/logs/batches/batch.ts'
import { writeLogs } from '../../src/logs/jobs.ts'
import type { ProviderLine } from '../../src/logs/provider/lines.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../support/tender.ts'
import { createAdyenSimulator } from './adyen/simulator.ts'
import { createAuthorizeNetSimulator } from './authorize-net/simulator.ts'
import { createBtcpaySimulator } from './btcpay/simulator.ts'
import {
  act,
  chargeStored,
  comeBack,
  customerWithMethod,
  openProviderPage,
  PAYER_DETAILS,
  payThere,
  settle,
} from './faults/flows.ts'
import { logTo, type Subject, startWorld, type World } from './faults/world.ts'
import type { ProviderSimulator } from './kit/simulator.ts'
import { createMollieSimulator } from './mollie/simulator.ts'
import { createPaypalSimulator } from './paypal/simulator.ts'
import { createSquareSimulator } from './square/simulator.ts'
import { createStripeSimulator } from './stripe/simulator.ts'

const SUBJECTS: readonly Subject[] = [
  {
    provider: 'stripe',
    method: 'CreditCard',
    simulator: (now: () => number): Promise<ProviderSimulator> => createStripeSimulator({ now }),
    authorises: true,
    stores: true,
    confirmsLater: false,
  },
  {
    provider: 'paypal',
    method: 'Paypal',
    simulator: (now: () => number): Promise<ProviderSimulator> => createPaypalSimulator({ now }),
    authorises: true,
    stores: true,
    confirmsLater: false,
  },
  {
    provider: 'btcpay',
    method: 'Crypto',
    simulator: (now: () => number): Promise<ProviderSimulator> => createBtcpaySimulator({ now }),
    authorises: false,
    stores: false,
    confirmsLater: true,
  },
  {
    provider: 'adyen',
    method: 'CreditCard',
    simulator: (now: () => number): Promise<ProviderSimulator> => createAdyenSimulator({ now }),
    authorises: true,
    stores: true,
    confirmsLater: false,
  },
  {
    provider: 'authorize-net',
    method: 'CreditCard',
    simulator: (now: () => number): Promise<ProviderSimulator> => createAuthorizeNetSimulator({ now }),
    authorises: true,
    stores: true,
    confirmsLater: false,
  },
  {
    provider: 'mollie',
    method: 'CreditCard',
    simulator: (now: () => number): Promise<ProviderSimulator> => createMollieSimulator({ now }),
    authorises: true,
    stores: true,
    confirmsLater: false,
  },
  {
    provider: 'square',
    method: 'CreditCard',
    simulator: (now: () => number): Promise<ProviderSimulator> => createSquareSimulator({ now }),
    authorises: false,
    stores: true,
    confirmsLater: false,
  },
]

interface LogRow {
  readonly step: string
  readonly line: string
}

const BATCHES = sql<{ lines: Uint8Array }>(
  'test.providerLog',
  `select lines from log_batches where kind = 'provider' order by last_time, batch_id`,
)
const SETTINGS = sql<{ provider: string; settings: Uint8Array; webhookKey: string }>(
  'test.settings',
  'select provider, settings, webhook_key from payment_profiles',
)
const TOKENS = sql<{ token: Uint8Array }>('test.tokens', 'select token from payment_method_tokens')

/** Every secret setting, every token of a stored method, and the keys of notification addresses. */
async function secretsOf({ service }: TestService): Promise<string[]> {
  const { db, vault, providers } = service.ctx
  const profiles = (await db.query(SETTINGS)).flatMap(({ provider, settings, webhookKey }) => {
    const { fields } = providers.get(provider)?.manifest.settings ?? { fields: [] }
    const values = JSON.parse(vault.open(settings)) as Record<string, unknown>
    return [
      webhookKey,
      ...fields.filter(({ secret }) => secret).map(({ name }) => String(values[name] ?? '')),
    ]
  })
  // A token may have several parts.
  const tokens = (await db.query(TOKENS)).flatMap(({ token }) => vault.open(token).split('/'))
  return [...profiles, ...tokens].filter((secret) => secret.length > 3)
}

async function rowsOf(tender: TestService): Promise<LogRow[]> {
  await writeLogs(tender.service.ctx)
  const batches = await tender.service.ctx.db.query(BATCHES)
  const lines = batches.flatMap((batch) => unpacked<ProviderLine>(batch.lines))
  return lines.map((line) => ({ step: line.step, line: JSON.stringify(line) }))
}

/** The secrets that a row has, and no others. */
const found = (rows: readonly LogRow[], secrets: readonly string[]): string[] =>
  rows.flatMap(({ line, step }) =>
    secrets.filter((secret) => line.includes(secret)).map((one) => `${step}: ${one}`),
  )

async function paid(world: World, more: object = {}): Promise<Answer> {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  await comeBack(world, payment)
  return settle(world, payment)
}

/** Every kind of call that the provider takes. */
async function useEverything(world: World): Promise<Answer> {
  const { subject, app, profileId } = world
  good(await app.call('POST', `payment-profiles/${profileId}/check`))
  const payment = await paid(world, subject.authorises ? { autoCapture: false } : {})
  if (subject.authorises) await act(world, payment, 'capture')
  await settle(world, payment)
  await act(world, payment, 'refund')
  await settle(world, payment)
  if (subject.stores) {
    const customerId = await customerWithMethod(world)
    await chargeStored(world, customerId)
    const [method] = good(await app.call('GET', `customers/${customerId}/payment-methods`))
    await app.call('DELETE', `customers/${customerId}/payment-methods/${method.paymentMethodId}`)
    await world.tender.service.ctx.background.settled()
  }
  return payment
}

describe.each(SUBJECTS)('the log of $provider', (subject) => {
  it('has every step and no secret, token or access token', async () => {
    const world = await startWorld(subject, 'provider_logs')
    try {
      const payment = await useEverything(world)
      const rows = await rowsOf(world.tender)
      const steps = new Set(rows.map(({ step }) => step))
      expect([...steps]).toEqual(expect.arrayContaining(['check', 'connect', 'start', 'read', 'refund']))
      if (subject.stores) expect([...steps]).toEqual(expect.arrayContaining(['charge', 'forget']))
      const secrets = [...(await secretsOf(world.tender)), ...world.simulator.secrets]
      expect(secrets.length).toBeGreaterThan(2)
      expect(found(rows, secrets)).toEqual([])
      const hidden = [...secrets, ...PAYER_DETAILS]
      expect(world.lines.filter((line) => hidden.some((text) => line.includes(text)))).toEqual([])
      await expectDetails(world.app, payment, subject.provider)
    } finally {
      await world.stop()
    }
  })
})

/** Where requests have the key of the account, and what the log has in its place. */
const KEYS: Readonly<Record<string, object>> = {
  adyen: { headers: { 'x-api-key': '***' } },
  'authorize-net': {
    body: { getHostedPaymentPageRequest: { merchantAuthentication: { transactionKey: '***' } } },
  },
}
const AUTHORIZATION = { headers: { authorization: '***' } }

/** What the API shows of them. */
async function expectDetails(app: TestApp, { paymentId }: Answer, provider: string): Promise<void> {
  const log = good(await app.call('GET', `payments/${paymentId}/provider-log`))
  expect(log[0]).toMatchObject({
    paymentId: String(paymentId),
    method: 'start',
    createdTime: expect.stringMatching(/Z$/),
    paymentGateway: provider,
    message: { attempt: 1, request: KEYS[provider] ?? AUTHORIZATION },
    error: null,
  })
  const { providerInfo } = good(await app.call('GET', `payments/${paymentId}/provider-raw-info`))
  expect(JSON.parse(providerInfo)).toBeTypeOf('object')
  const link = good(await app.call('GET', `payments/${paymentId}/provider-link-info`))
  // The merchant interface of Authorize.Net has no address for one transaction.
  expect(link.orderUrl).toContain(provider === 'authorize-net' ? 'authorize.net' : link.orderValue)
}

it('the log of the sandbox has every step and no secret, card number or token', async () => {
  const lines: string[] = []
  const tender = await startTestService('provider_log_sandbox', { log: logTo(lines) })
  try {
    const { sandbox } = tender
    const customerOrder = { customer: { customerId: 'dana', email: 'dana@example.com' } }
    const { paymentId } = await sandbox.paid({ registerAutoPayment: true, customerOrder, autoCapture: false })
    good(await sandbox.act(paymentId, 'capture'))
    good(await sandbox.act(paymentId, 'refund'))
    const charge = { referenceId: 'again', amount: 5, currency: 'EUR', autoCapture: true, customerOrder }
    good(await sandbox.call('POST', 'payments/auto-payment', charge))
    const secrets = [...(await secretsOf(tender)), '4242424242424242', 'tok_ey']
    const [method] = good(await sandbox.call('GET', 'customers/dana/payment-methods'))
    good(await sandbox.call('DELETE', `customers/dana/payment-methods/${method.paymentMethodId}`))
    await tender.service.ctx.background.settled()
    const rows = await rowsOf(tender)
    const steps = new Set(rows.map(({ step }) => step))
    expect([...steps]).toEqual(expect.arrayContaining(['start', 'capture', 'refund', 'charge', 'forget']))
    expect(secrets.length).toBeGreaterThan(4)
    expect(found(rows, secrets)).toEqual([])
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
  } finally {
    await tender.stop()
  }
})

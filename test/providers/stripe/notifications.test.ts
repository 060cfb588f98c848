import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import type { Purchase, Received } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { manifest } from '../../../src/providers/stripe/manifest.ts'
import { parseSettings } from '../kit/account.ts'
import type { SignedNotification } from '../kit/simulator.ts'
import { openAccount, type StripeAccount } from './account.ts'
import { ACCOUNT_ID } from './world/view.ts'

let account: StripeAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

const REFERENCE = 'NOTIFICATION00000001'

async function pay(): Promise<string> {
  const purchase: Purchase = {
    ...{ amount: money(2_000n, 'USD'), sale: true, storeMethod: false, method: 'CreditCard' },
    ...{ customerPresent: true, backUrl: 'https://tender.example/back', customer: { id: 'c' } },
  }
  const op = {
    key: REFERENCE,
    step: 'start',
    reference: REFERENCE,
    sending: 1,
    createdAt: new Date(),
  } as const
  const opened = await stripe.start(account.context(), op, purchase)
  if (opened.kind !== 'redirect') throw new Error(opened.kind)
  await account.simulator.payer(opened.url, { kind: 'pay' })
  const seen = await stripe.retrieve(account.context(), REFERENCE, opened.handles)
  return (seen.kind === 'snapshot' && seen.handles.lookup) || ''
}

const receive = (
  { headers, body }: SignedNotification,
  config = account.context().config,
): Promise<Received> =>
  stripe.receive(account.context({ config }), { headers, rawBody: Buffer.from(body), url: '' })

const secrets = (...webhookSecrets: readonly string[]) => ({ ...account.context().config, webhookSecrets })

describe('a notification of Stripe', () => {
  it('names the payment by our reference, or by its intent for refunds, disputes and reviews', async () => {
    const lookup = await pay()
    const paid = account.simulator.takeNotifications()
    for (const one of paid)
      expect(await receive(one)).toMatchObject({ kind: 'events', hints: [{ reference: REFERENCE }] })
    account.simulator.dashboard(REFERENCE, { kind: 'refund', amountMinor: 100n })
    account.simulator.dashboard(REFERENCE, { kind: 'hold' })
    account.simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'open' })
    const reported = account.simulator.takeNotifications()
    expect(reported.length).toBeGreaterThan(3)
    let kept = 0
    for (const one of reported) {
      const received = await receive(one)
      expect(received).toMatchObject({ kind: 'events', hints: [{ lookup }] })
      const [hint] = received.kind === 'events' ? received.hints : []
      // What names our payment too is found without the intent.
      expect(hint?.isKept).toBe(hint?.reference === undefined ? true : undefined)
      if (hint?.isKept) kept++
    }
    expect(kept).toBeGreaterThan(2)
  })

  it('is accepted with the old or the new secret while the secret is rolled', async () => {
    const [old = ''] = account.context().config.webhookSecrets
    const [next = ''] = account.simulator.rollSecrets()
    await pay()
    const [one] = account.simulator.takeNotifications()
    if (!one) throw new Error('nothing was sent')
    for (const config of [secrets(old), secrets(next), secrets('whsec_another000000000', next)])
      expect((await receive(one, config)).kind).toBe('events')
    expect(await receive(one, secrets('whsec_another000000000'))).toEqual({ kind: 'forged' })
    expect(await receive(one, secrets())).toEqual({ kind: 'forged' })
  })

  const signed = (body: string, header?: string): SignedNotification => {
    const [secret = ''] = account.context().config.webhookSecrets
    const v1 = createHmac('sha256', secret).update(`5.${body}`).digest('hex')
    return { url: '', headers: { 'stripe-signature': header ?? `t=5,v1=${v1}` }, body }
  }

  it('is ignored if it is about the other mode, another payment, or nothing', async () => {
    const event = (livemode: boolean, object: object) =>
      signed(JSON.stringify({ object: 'event', livemode, data: { object } }))
    const intent = { object: 'payment_intent', id: 'pi_1', metadata: { reference: REFERENCE } }
    expect((await receive(event(false, intent))).kind).toBe('events')
    expect(await receive(event(true, intent))).toEqual({ kind: 'ignored' })
    expect(await receive(event(false, { object: 'plan', id: 'plan_1' }))).toEqual({ kind: 'ignored' })
    expect(await receive(event(false, { ...intent, metadata: { reference: 'order 7' } }))).toEqual({
      kind: 'events',
      hints: [{ lookup: 'pi_1' }],
    })
    expect(await receive(signed('not json'))).toEqual({ kind: 'ignored' })
  })

  it('names the keeping whose page stored a method, also if the browser did not return', async () => {
    const setup = { key: REFERENCE, method: 'CreditCard', customer: { id: 'c' } } as const
    const opened = await stripe.setUp?.(account.context(), setup, 'https://tender.example/kept')
    if (opened?.kind !== 'redirect') throw new Error(JSON.stringify(opened))
    await account.simulator.payer(opened.url, { kind: 'pay' })
    const sent = account.simulator.takeNotifications()
    const completed = sent.find(({ body }) => body.includes('"checkout.session.completed"'))
    if (!completed) throw new Error('no notification')
    const { session } = opened.handles
    expect(await receive(completed)).toEqual({
      kind: 'events',
      hints: [{ reference: REFERENCE, handles: { session } }],
    })
    expect(await stripe.finishSetup?.(account.context(), setup, { session })).toMatchObject({
      kind: 'stored',
    })
  })

  it('names the dispute, so that it is read also where the charge does not show it', async () => {
    await pay()
    account.simulator.takeNotifications()
    account.simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'open', isInquiry: true })
    const [reported] = account.simulator.takeNotifications()
    if (!reported) throw new Error('no notification')
    expect(await receive(reported)).toMatchObject({
      hints: [{ handles: { dispute: expect.stringMatching(/^dp_/) } }],
    })
  })

  it('counts an event that Stripe does not publish, and ignores others that are not about us', async () => {
    const event = (type: string) =>
      signed(JSON.stringify({ object: 'event', type, livemode: false, data: { object: {} } }))
    expect(await receive(event('invoice.paid'))).toEqual({ kind: 'ignored' })
    expect(await receive(event('payment_method.automatically_updated'))).toEqual({ kind: 'ignored' })
    expect(await receive(event('charge.exchanged'))).toEqual({
      kind: 'ignored',
      unlisted: 'charge.exchanged',
    })
  })

  it('is forged without a whole signature', async () => {
    for (const header of [
      '',
      't=5',
      'v1=00',
      `t=5,v0=${'0'.repeat(64)}`,
      `t=5,v1=${'0'.repeat(64)}`,
      't=,v1=',
    ]) {
      expect(await receive(signed('{}', header))).toEqual({ kind: 'forged' })
    }
  })
})

interface Endpoint {
  readonly url: string
  readonly enabled_events: readonly string[]
}

/** Events that the first version did not subscribe to. */
const ADDED = [
  ...['charge.dispute.funds_reinstated', 'charge.dispute.funds_withdrawn', 'refund.created', 'refund.failed'],
  'payment_method.automatically_updated',
]

describe('connecting a profile', () => {
  it('creates one endpoint and returns its secret', async () => {
    const context = (settings: object) =>
      account.context({ notifyUrl: 'https://tender.example/new', config: parseSettings(manifest, settings) })
    const { secretKey } = account.simulator.settings
    const connected = await stripe.connect?.(context({ secretKey }))
    if (!connected?.ok) throw new Error(JSON.stringify(connected))
    expect(connected.settings.webhookSecret).toBe(account.simulator.webhookEndpoints.at(-1)?.secret)
    expect(await stripe.connect?.(context({ secretKey, ...connected.settings }))).toEqual(connected)
    expect(await stripe.connect?.(context({ secretKey }))).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Delete it at Stripe'),
    })
    expect(account.simulator.webhookEndpoints).toHaveLength(2)
    await pay()
    expect(account.simulator.takeNotifications().length).toBeGreaterThan(2)
  })

  it('gives an endpoint of an earlier version the events of this one, and leaves the others', async () => {
    const { secretKey } = account.simulator.settings
    const notifyUrl = 'https://tender.example/old'
    const old = { url: notifyUrl, 'enabled_events[0]': 'charge.failed', 'enabled_events[1]': 'invoice.paid' }
    const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': '2026-10-28.endive' }
    const path = `${account.simulator.origin}/v1/webhook_endpoints`
    await fetch(path, { method: 'POST', headers, body: new URLSearchParams(old) })
    const secret = account.simulator.webhookEndpoints.at(-1)?.secret
    const config = parseSettings(manifest, { secretKey, webhookSecret: secret })
    const connected = await stripe.connect?.(account.context({ notifyUrl, config }))
    expect(connected).toEqual({ ok: true, settings: { webhookSecret: secret } })
    const listed = (await (await fetch(path, { headers })).json()) as { data: Endpoint[] }
    const events = listed.data.find(({ url }) => url === notifyUrl)?.enabled_events ?? []
    expect(events).toEqual(expect.arrayContaining(['invoice.paid', ...ADDED]))
    expect(account.simulator.webhookEndpoints).toHaveLength(2)
  })

  it('says in a sentence what is wrong with a key', async () => {
    const problem = async (secretKey: string) => {
      const checked = await stripe.check(account.context({ config: { secretKey, webhookSecrets: [] } }))
      return checked.ok ? undefined : checked.problem
    }
    expect(await problem(account.simulator.restrictedKey)).toBeUndefined()
    expect(await problem(account.simulator.powerlessKey)).toBe(
      'The key has no permission for "Checkout Sessions".',
    )
    const wrong = await problem('sk_test_wrongwrongwrong')
    expect(wrong).toBe('Stripe does not accept the key: Invalid API Key provided: [key]')
  })

  const checkedWithout = (...paths: readonly string[]) => {
    const config = { secretKey: account.simulator.keyWithout(...paths), webhookSecrets: [] }
    return stripe.check(account.context({ config }))
  }

  it.each([
    ['/v1/refunds', 'Charges and Refunds'],
    ['/v1/balance_transactions', 'Balance transactions'],
    ['/v1/customers', 'Customers'],
    ['/v1/disputes', 'Disputes'],
  ])('fails without a permission that payments need: %s', async (path, name) => {
    expect(await checkedWithout(path)).toMatchObject({
      ok: false,
      code: 'permission',
      problem: `The key has no permission for "${name}".`,
    })
  })

  it('warns of permissions without which something smaller does not work', async () => {
    const checked = await checkedWithout(
      ...['/v1/setup_intents', '/v1/events', '/v1/payouts', '/v1/webhook_endpoints'],
    )
    expect(checked).toMatchObject({ ok: true, account: ACCOUNT_ID })
    expect(checked.ok && checked.warnings).toHaveLength(4)
    expect(await checkedWithout('/v1/account')).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('another account')],
    })
  })

  it.each(['inactive', 'absent'] as const)('names ACH that the account cannot take (%s)', async (ach) => {
    await account.close()
    account = await openAccount({ ach })
    const check = (...methods: readonly MethodKind[]) =>
      stripe.check(account.context({ profile: { methods, currency: 'USD' } }))
    expect(await check('CreditCard')).toMatchObject({ ok: true, account: ACCOUNT_ID })
    expect(await check('CreditCard', 'ElectronicCheck')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('cannot take ACH debits'),
    })
  })
})

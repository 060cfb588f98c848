import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, HOUR } from '../../../src/base/clock.ts'
import { money } from '../../../src/base/money.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { followHint } from '../../../src/payments/provider/movements/follow-hint.ts'
import type { Handles, Outcome, ReadOutcome, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, ProviderAdapter, Purchase, Received } from '../../../src/providers/port.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Answer, good, hostedPage, startTestService, type TestService } from '../../support/tender.ts'

/** A provider whose answers the test decides. */
interface Script {
  start(op: Operation, purchase: Purchase): Outcome
  retrieve(reference: string, handles: Handles): ReadOutcome
  refund(op: Operation): Outcome
  receive(body: string): Received
}

let tender: TestService
let profileId: number
let webhookUrl: string
let script: Script
const started: Operation[] = []

beforeAll(async () => {
  tender = await startTestService('e2e_provider_reports')
  const { adapter } = createFakeProvider({ id: 'scripted' })
  const scripted: ProviderAdapter = {
    ...adapter,
    manifest: {
      ...adapter.manifest,
      amountLimits: (currency) => (currency === 'USD' ? { smallest: 50n } : {}),
      keyRetentionMs: () => 6 * 3_600_000,
    },
    check: async () => ({ ok: false, problem: 'The key is not valid.' }),
    connect: async (ctx) => ({ ok: true, settings: { account: `connected to ${ctx.notifyUrl.length}` } }),
    async start(_ctx, op, purchase) {
      started.push(op)
      return script.start(op, purchase)
    },
    retrieve: async (_ctx, reference, handles) => script.retrieve(reference, handles),
    refund: async (_ctx, op) => script.refund(op),
    receive: async (_ctx, { rawBody }) => script.receive(Buffer.from(rawBody).toString()),
  }
  ;(tender.service.ctx.providers as Map<string, ProviderAdapter>).set('scripted', scripted)
  const profile = good(
    await tender.sandbox.call('POST', 'payment-profiles', {
      ...{ provider: 'scripted', name: 'Scripted', currency: 'EUR' },
      settings: { account: 'a' },
    }),
  )
  profileId = profile.paymentProfileId
  webhookUrl = profile.webhookUrl
})
afterAll(() => tender?.stop())

const PAGE = 'https://pay.example/1'
const redirect = (op: Operation): Outcome => ({
  kind: 'redirect',
  handles: { payment: `p-${op.key}`, lookup: `id-${op.key}` },
  url: PAGE,
})
const snapshot = (reference: string, more: Partial<Snapshot> = {}): Snapshot => ({
  kind: 'snapshot',
  handles: { payment: `p-${reference}` },
  stage: 'captured',
  captured: money(2550n, 'EUR'),
  refunded: money(0n, 'EUR'),
  refunds: [],
  facts: {},
  reference,
  ...more,
})

beforeEach(() => {
  started.length = 0
  script = {
    start: redirect,
    retrieve: (reference) => snapshot(reference),
    refund: () => ({ kind: 'not-done', why: 'unsupported' }),
    receive: () => ({ kind: 'ignored' }),
  }
})

let references = 0
const create = async (more: object = {}): Promise<Answer> =>
  good(
    await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
      ...hostedPage({ referenceId: `reports-${++references}` }),
      paymentProfileId: profileId,
      ...more,
    }),
  )
const recheck = async (paymentId: number): Promise<Answer> =>
  good(await tender.sandbox.act(paymentId, 'recheck'))
const captured = async (): Promise<Answer> => recheck((await create()).paymentId)
const notify = (body: string) => fetch(webhookUrl, { method: 'POST', body })

describe('a provider-side review', () => {
  it('holds a captured payment, and its approval releases it', async () => {
    script.retrieve = (reference) => snapshot(reference, { review: 'open' })
    const held = await captured()
    expect([held.paymentState, held.fraudStatus]).toEqual(['CapturedHold', 'Suspicious'])
    script.retrieve = (reference) => snapshot(reference, { review: 'approved' })
    expect((await recheck(held.paymentId)).paymentState).toBe('Captured')
  })

  it('holds an authorised payment until the provider releases it', async () => {
    const authorised = {
      stage: 'authorised',
      authorised: money(2550n, 'EUR'),
      captured: money(0n, 'EUR'),
    } as const
    script.retrieve = (reference) => snapshot(reference, { ...authorised, review: 'open' })
    const { paymentId } = await create({ autoCapture: false })
    expect((await recheck(paymentId)).paymentState).toBe('ProviderAuthorizedHold')
    script.retrieve = (reference) => snapshot(reference, { ...authorised, review: 'approved' })
    expect((await recheck(paymentId)).paymentState).toBe('Authorized')
  })

  it('that ends in a refund leaves the payment Refunded', async () => {
    script.retrieve = (reference) => snapshot(reference, { review: 'open' })
    const { paymentId } = await captured()
    script.retrieve = (reference) => snapshot(reference, { refunded: money(2550n, 'EUR') })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Refunded', refundedAmount: 25.5 })
  })
})

describe('a debit that the payer’s bank returns', () => {
  it('ends as Refunded with bank_return', async () => {
    const { paymentId } = await captured()
    script.retrieve = (reference) => snapshot(reference, { isReturned: true })
    expect(await recheck(paymentId)).toMatchObject({
      paymentState: 'Refunded',
      refundedAmount: 25.5,
      lastError: 'bank_return',
    })
  })

  it('ends a refund that is in progress too', async () => {
    script.refund = (op) => ({ kind: 'pending', handles: { refund: op.key }, waitsFor: 'provider' })
    const { paymentId } = await captured()
    const refunding = good(await tender.sandbox.act(paymentId, 'refund'))
    expect(refunding.paymentState).toBe('Refunding')
    script.retrieve = (reference) => snapshot(reference, { isReturned: true })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Refunded', lastError: 'bank_return' })
    const statement = { name: 'test.refunds', text: 'select state from refunds where payment_id = $1' }
    const refunds = await tender.service.ctx.db.query<{ state: string }>(statement, [paymentId])
    expect(refunds).toEqual([{ state: 'failed' }])
  })
})

it('shows amount, reason, deadline and page of a dispute, also when they change', async () => {
  const { paymentId } = await captured()
  const dispute = {
    id: 'd1',
    state: 'open',
    amount: money(2000n, 'EUR'),
    reason: 'fraudulent',
    evidenceDue: new Date('2026-12-01T00:00:00Z'),
    url: 'https://pay.example/disputes/1',
  } as const
  script.retrieve = (reference) => snapshot(reference, { disputes: [dispute] })
  expect(await recheck(paymentId)).toMatchObject({
    paymentState: 'Disputed',
    dispute: {
      state: 'open',
      amount: 20,
      reason: 'fraudulent',
      evidenceDueTime: '2026-12-01T00:00:00.000Z',
      providerUrl: 'https://pay.example/disputes/1',
    },
  })
  script.retrieve = (reference) => snapshot(reference, { disputes: [{ ...dispute, reason: 'general' }] })
  expect((await recheck(paymentId)).dispute.reason).toBe('general')
  script.retrieve = (reference) => snapshot(reference, { disputes: [{ ...dispute, state: 'won' }] })
  expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', dispute: { state: 'won' } })
})

it('shows a decline on the provider’s page while the customer can try again there', async () => {
  const { paymentId } = await create()
  const decline = { reason: 'insufficient-funds', retry: 'later', raw: {} } as const
  const open = { stage: 'needs-customer', captured: money(0n, 'EUR'), customerUrl: PAGE } as const
  script.retrieve = (reference) => snapshot(reference, { ...open, decline })
  expect(await recheck(paymentId)).toMatchObject({
    paymentState: 'Created',
    lastError: 'The account does not have enough money.',
    redirectUrl: PAGE,
  })
  script.retrieve = (reference) => snapshot(reference)
  expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', lastError: null })
})

describe('a notification with the provider’s own id', () => {
  it('is followed to the attempt of its profile', async () => {
    const { paymentId } = await create()
    const lookup = `id-${started[0]?.key}`
    script.receive = (body) => ({ kind: 'events', hints: [{ lookup: body }] })
    await notify(lookup)
    await expect.poll(async () => (await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
  })

  it('of another payment is ignored', async () => {
    const { paymentId } = await create()
    script.receive = () => ({ kind: 'events', hints: [{ lookup: 'id-of-another-shop' }] })
    expect((await notify('x')).status).toBe(200)
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Created')
  })

  it('is kept for a day if it reports what follows a payment, and then ignored', async () => {
    const { ctx } = tender.service
    const app = await loadApp(ctx, tender.sandbox.appId)
    const follow = async (hours: number, hint: object) =>
      app &&
      followHint(
        ctx,
        app,
        { profileId, receivedTime: after(ctx.clock.now(), -hours * HOUR) },
        { lookup: 'id-not-known-yet', ...hint },
      )
    expect(await follow(23, { isKept: true })).toBe('unmatched')
    expect(await follow(25, { isKept: true })).toBe(true)
    expect(await follow(0, {})).toBe(true)
  })
})

describe('a start whose answer was lost at a provider without reads', () => {
  const lost: Outcome = { kind: 'unknown', why: 'timeout' }
  const make = async () => {
    script.start = () => lost
    script.retrieve = () => ({ kind: 'unreadable' })
    return create()
  }

  it('is sent again with the same key and the same purchase', async () => {
    const purchases: Purchase[] = []
    const { paymentId } = await make()
    script.start = (op, purchase) => {
      purchases.push(purchase)
      return redirect(op)
    }
    await recheck(paymentId)
    expect(started.map(({ key }) => key)).toEqual([started[0]?.key, started[0]?.key])
    expect(purchases).toHaveLength(1)
    expect((await tender.sandbox.read(paymentId)).redirectUrl).toBe(PAGE)
  })

  it('is not ended by a repetition that could not be sent', async () => {
    const { paymentId } = await make()
    script.start = () => ({ kind: 'not-done', why: 'not-sent' })
    expect((await recheck(paymentId)).lastError).toBeNull()
    script.start = redirect
    await tender.sandbox.advance('1m')
    await recheck(paymentId)
    expect((await tender.sandbox.read(paymentId)).redirectUrl).toBe(PAGE)
    expect(new Set(started.map(({ key }) => key)).size).toBe(1)
  })

  it('ends when the provider has forgotten the key', async () => {
    const { paymentId } = await make()
    await tender.sandbox.advance('7h')
    const ended = await tender.sandbox.read(paymentId)
    expect(ended.lastError).toContain('did not reach the provider')
    expect(ended.redirectUrl).toBeUndefined()
    expect(new Set(started.map(({ key }) => key)).size).toBe(1)
  })
})

it('a refund that never arrived ends when the provider has long forgotten its key', async () => {
  const keys: string[] = []
  script.refund = (op) => {
    keys.push(op.key)
    return { kind: 'unknown', why: 'timeout' }
  }
  const { paymentId } = await captured()
  expect(good(await tender.sandbox.act(paymentId, 'refund')).paymentState).toBe('Refunding')
  await tender.sandbox.advance('7h')
  expect((await recheck(paymentId)).paymentState).toBe('Refunding')
  const sent = keys.length
  await tender.sandbox.advance('1d')
  expect(await recheck(paymentId)).toMatchObject({
    paymentState: 'Captured',
    refundedAmount: 0,
    lastError: 'The refund did not reach the provider. Try again.',
  })
  expect([new Set(keys).size, keys.length]).toEqual([1, sent])
})

describe('a reply about something else', () => {
  it.each([
    ['reference', { reference: 'OF-ANOTHER-PAYMENT' }],
    ['amount', { captured: money(2549n, 'EUR') }],
    ['too much', { captured: money(2551n, 'EUR'), authorised: money(2550n, 'EUR') }],
  ])('is not applied: %s', async (_what, wrong) => {
    script.retrieve = (reference) => snapshot(reference, wrong)
    const { paymentId } = await create()
    expect((await recheck(paymentId)).paymentState).toBe('Created')
    script.retrieve = (reference) => snapshot(reference)
    expect((await recheck(paymentId)).paymentState).toBe('Captured')
  })
})

it('an amount below the provider’s minimum is refused when the payment is created', async () => {
  const reply = await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
    ...hostedPage({ referenceId: `reports-${++references}` }),
    ...{ paymentProfileId: profileId, amount: 0.49, currency: 'USD' },
  })
  expect([reply.status, reply.body.code]).toEqual([422, 'amount_out_of_bounds'])
  expect(reply.body.detail).toContain('at least 0.50 USD')
  expect(reply.body.errors[0].field).toBe('amount')
})

describe('a profile', () => {
  it('check says what is wrong with the settings', async () => {
    const reply = await tender.sandbox.call('POST', `payment-profiles/${profileId}/check`)
    expect([reply.status, reply.body]).toEqual([200, { ok: false, problem: 'The key is not valid.' }])
  })

  it('connect is refused with what to do while the provider cannot reach PUBLIC_URL', async () => {
    const reply = await tender.sandbox.call('POST', `payment-profiles/${profileId}/connect`)
    expect(reply.status).toBe(422)
    expect(reply.body.detail).toMatch(/cannot reach .*Set PUBLIC_URL/)
  })
})

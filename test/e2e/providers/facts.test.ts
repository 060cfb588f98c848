import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, systemClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { money } from '../../../src/base/money.ts'
import { notificationsJob } from '../../../src/notifications/jobs.ts'
import type { Snapshot } from '../../../src/providers/outcome.ts'
import type { Hint, Operation, ProviderAdapter } from '../../../src/providers/port.ts'
import { countOf } from '../../support/notifying.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Answer, good, hostedPage, startTestService, type TestService } from '../../support/tender.ts'

/** Providers whose notifications carry the facts: `told` cannot be read, `readable` can. */
let tender: TestService
const profiles: Record<string, Answer> = {}
const errors: object[] = []
const undone: { step: string; payment?: string | undefined; amountMinor?: bigint }[] = []
let reads = 0
let started: Operation[] = []
let hints: readonly Hint[] = []
let isForged = false
let aheadMs = 0
let refundKey = ''

function scripted(id: string, retrieve: 'notification-only' | 'by-reference'): ProviderAdapter {
  const { adapter } = createFakeProvider({ id, retrieve })
  return {
    ...adapter,
    notificationAnswer: '[accepted]',
    async start(_ctx, op) {
      started.push(op)
      const handles = { payment: `p-${op.key}`, lookup: `id-${op.key}` }
      return { kind: 'redirect', handles, url: 'https://pay.example/1' }
    },
    async retrieve() {
      reads++
      return { kind: 'unreadable' }
    },
    async cancel(_ctx, _op, handles) {
      undone.push({ step: 'cancel', payment: handles.payment })
      return { kind: 'approved', handles: {}, facts: {} }
    },
    async refund(_ctx, op, handles, { minor }) {
      refundKey = op.key
      undone.push({ step: 'refund', payment: handles.payment, amountMinor: minor })
      return { kind: 'pending', handles: {}, waitsFor: 'provider' }
    },
    receive: async () => (isForged ? { kind: 'forged' } : { kind: 'events', hints }),
  }
}

beforeAll(async () => {
  const startMs = systemClock.now().getTime()
  const clock = { ...systemClock, now: () => new Date(startMs + aheadMs) }
  const error = (event: string, data: object = {}) => {
    if (event === 'provider.other_payment') errors.push(data)
  }
  // No job loops: each test runs its jobs.
  tender = await startTestService('e2e_facts', { clock, role: 'web', log: { ...silentLog, error } })
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter>
  providers.set('told', scripted('told', 'notification-only'))
  providers.set('readable', scripted('readable', 'by-reference'))
  for (const provider of ['told', 'readable'])
    profiles[provider] = good(
      await tender.sandbox.call('POST', 'payment-profiles', {
        ...{ provider, name: provider, currency: 'EUR', settings: { account: 'a' } },
      }),
    )
})
afterAll(() => tender?.stop())

beforeEach(() => {
  errors.length = 0
  undone.length = 0
  started = []
  reads = 0
  isForged = false
})

const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  kind: 'snapshot',
  handles: { payment: `p-${reference()}` },
  stage: 'captured',
  captured: money(2550n, 'EUR'),
  refunded: money(0n, 'EUR'),
  refunds: [],
  facts: {},
  reference: reference(),
  ...more,
})
const reference = (): string => started.at(-1)?.key ?? ''

let count = 0
const create = async (provider = 'told', more: object = {}): Promise<Answer> =>
  good(
    await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
      ...hostedPage({ referenceId: `facts-${++count}` }),
      paymentProfileId: profiles[provider]?.paymentProfileId,
      ...more,
    }),
  )
const read = ({ paymentId }: Answer): Promise<Answer> => tender.sandbox.read(paymentId)

/** Sends a notification with these events and waits until it is processed. */
async function notify(events: readonly Hint[], provider = 'told'): Promise<Response> {
  hints = events
  const body = `notification ${++count}`
  const reply = await fetch(profiles[provider]?.webhookUrl, { method: 'POST', body })
  await tender.service.ctx.background.settled()
  return reply
}
const runJob = async () => {
  await notificationsJob(tender.service.ctx).runFor?.(tender.sandbox.appId)
  await tender.service.ctx.background.settled()
}

describe('a notification that carries the facts', () => {
  it('is applied without a read, and answered as the provider expects', async () => {
    const payment = await create()
    const reply = await notify([{ reference: reference(), snapshot: snapshot() }])
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      ...[200, 'text/plain; charset=utf-8', '[accepted]'],
    ])
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    expect(reads).toBe(0)
    expect(await countOf(tender, tender.sandbox)).toBe(0)
  })

  it('is awaited: an operation that the provider answered is not sent again', async () => {
    const payment = await create()
    good(await tender.sandbox.act(payment.paymentId, 'recheck'))
    await tender.sandbox.advance('2d')
    good(await tender.sandbox.act(payment.paymentId, 'recheck'))
    expect(started).toHaveLength(1)
    expect(await read(payment)).toMatchObject({ paymentState: 'Created', redirectUrl: payment.redirectUrl })
  })

  it('is followed by the next, in whatever order they arrive', async () => {
    const payment = await create('told', { autoCapture: false })
    const authorised = {
      stage: 'authorised',
      authorised: money(2550n, 'EUR'),
      captured: money(0n, 'EUR'),
    } as const
    await notify([{ lookup: `id-${reference()}`, snapshot: snapshot(authorised) }])
    expect((await read(payment)).paymentState).toBe('Authorized')
    const dispute = { state: 'open', amount: money(2550n, 'EUR') } as const
    await notify([{ reference: reference(), snapshot: snapshot({ authorised: money(2550n, 'EUR') }) }])
    await notify([{ reference: reference(), snapshot: snapshot({ dispute }) }])
    expect(await read(payment)).toMatchObject({ paymentState: 'Disputed', dispute: { amount: 25.5 } })
    // An older notification that arrives late changes nothing.
    await notify([{ reference: reference(), snapshot: snapshot(authorised) }])
    expect(await read(payment)).toMatchObject({ paymentState: 'Disputed', capturedAmount: 25.5 })
  })

  it.each([
    ['reference', { reference: 'OF-ANOTHER-PAYMENT' }],
    ['amount', { captured: money(2549n, 'EUR') }],
    ['currency', { captured: money(2550n, 'USD') }],
  ])('about something else is logged and not applied: %s', async (_what, wrong) => {
    const payment = await create()
    const reply = await notify([{ reference: reference(), snapshot: snapshot(wrong) }])
    expect(reply.status).toBe(200)
    expect((await read(payment)).paymentState).toBe('Created')
    expect(errors).toMatchObject([{ paymentId: payment.paymentId, provider: 'told' }])
    // It is not processed again: it would be refused again.
    expect(await countOf(tender, tender.sandbox)).toBe(0)
  })

  it('is refused when its signature is wrong', async () => {
    const payment = await create()
    isForged = true
    const reply = await notify([{ reference: reference(), snapshot: snapshot() }])
    expect(reply.status).toBe(401)
    expect((await read(payment)).paymentState).toBe('Created')
  })

  it('is only a hint when the provider can be read', async () => {
    const payment = await create('readable')
    await notify([{ reference: reference(), snapshot: snapshot() }], 'readable')
    expect((await read(payment)).paymentState).toBe('Created')
    expect(reads).toBe(1)
  })

  it('waits, encrypted, until the payment with the provider’s id is known, for a day', async () => {
    const facts = { stored: { token: 'method-token', label: 'Visa', method: 'CreditCard' } } as const
    const seen = { ...snapshot({ facts }), handles: { payment: 'p-later' } }
    const { reference: _reference, ...unnamed } = seen
    await notify([{ lookup: 'id-later', snapshot: unnamed }])
    const rows = await tender.service.ctx.db.query<{ hints: object }>(
      { name: '', text: `select hints from provider_notifications where status = 'new'` },
      [],
    )
    expect(JSON.stringify(rows)).toContain('id-later')
    expect(JSON.stringify(rows)).not.toContain('method-token')
    const payment = await create()
    await tender.service.ctx.db.query(
      { name: '', text: `update operations set handles = '{"lookup":"id-later"}' where operation_key = $1` },
      [reference()],
    )
    aheadMs += MINUTE
    await runJob()
    expect((await read(payment)).paymentState).toBe('Captured')
    await notify([{ lookup: 'id-of-another-shop', snapshot: unnamed }])
    expect(await countOf(tender, tender.sandbox)).toBe(1)
    aheadMs += DAY + MINUTE
    await runJob()
    expect(await countOf(tender, tender.sandbox)).toBe(0)
  })

  it('about a failed payment gives the money back', async () => {
    const payment = await create()
    good(await tender.sandbox.act(payment.paymentId, 'cancel'))
    expect((await read(payment)).paymentState).toBe('Failed')
    undone.length = 0
    await notify([{ reference: reference(), snapshot: snapshot() }])
    expect(undone).toEqual([{ step: 'refund', payment: `p-${reference()}`, amountMinor: 2550n }])
    // The refund is only accepted: it is done when the provider reports it.
    const states = () =>
      tender.service.ctx.db.query(
        { name: '', text: 'select status, result from undos where attempt_key = $1' },
        [reference()],
      )
    expect(await states()).toEqual([{ status: 'open', result: null }])
    await notify([{ reference: reference(), snapshot: snapshot({ refunded: money(2550n, 'EUR') }) }])
    expect(await states()).toEqual([{ status: 'done', result: 'refunded' }])
    expect(undone).toHaveLength(1)
  })

  it('about a refund made elsewhere, or a dispute, counts while the payment is held', async () => {
    const payment = await create()
    await notify([{ reference: reference(), snapshot: snapshot({ review: 'open' }) }])
    expect((await read(payment)).paymentState).toBe('CapturedHold')
    const refunded = money(850n, 'EUR')
    await notify([{ reference: reference(), snapshot: snapshot({ review: 'open', refunded }) }])
    expect(await read(payment)).toMatchObject({ paymentState: 'CapturedHold', refundedAmount: 8.5 })
    for (const [state, paymentState] of [
      ['open', 'Disputed'],
      ['won', 'CapturedHold'],
    ] as const) {
      const seen = snapshot({ review: 'open', refunded, dispute: { state } })
      await notify([{ reference: reference(), snapshot: seen }])
      expect((await read(payment)).paymentState).toBe(paymentState)
    }
    good(await tender.sandbox.act(payment.paymentId, 'cancel'))
    expect(undone).toMatchObject([{ step: 'refund', amountMinor: 1700n }])
  })

  it('waits while a refund of ours runs, and is applied afterwards', async () => {
    const payment = await create()
    await notify([{ reference: reference(), snapshot: snapshot() }])
    good(await tender.sandbox.act(payment.paymentId, 'refund?amount=10'))
    expect((await read(payment)).paymentState).toBe('Refunding')
    const elsewhere = { id: 'r-1', amount: money(500n, 'EUR'), state: 'done' } as const
    const both = snapshot({ refunded: money(500n, 'EUR'), refunds: [elsewhere] })
    await notify([{ reference: reference(), snapshot: both }])
    expect(await read(payment)).toMatchObject({ paymentState: 'Refunding', refundedAmount: 0 })
    expect(await countOf(tender, tender.sandbox)).toBe(1)
    const ours = { id: 'r-2', operationKey: refundKey, amount: money(1000n, 'EUR'), state: 'done' } as const
    await notify([{ reference: reference(), snapshot: snapshot({ refunded: ours.amount, refunds: [ours] }) }])
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 10 })
    hints = []
    const all = snapshot({ refunded: money(1500n, 'EUR'), refunds: [ours, elsewhere] })
    await notify([{ reference: reference(), snapshot: all }])
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 15 })
    aheadMs += MINUTE
    await runJob()
    expect(await countOf(tender, tender.sandbox)).toBe(0)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, systemClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { money } from '../../../src/base/money.ts'
import { notificationsJob } from '../../../src/inbound/jobs.ts'
import type { Hint } from '../../../src/providers/hint.ts'
import { type Movement, snapshotOf } from '../../../src/providers/movements.ts'
import type { Operation, ProviderAdapter } from '../../../src/providers/port.ts'
import { countOf } from '../../support/notifying.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Answer, good, hostedPage, startTestService, type TestService } from '../../support/tender.ts'

/** Providers whose notifications tell movements: `told` cannot be read, `readable` can. */
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
    async retrieve(_ctx, _reference, _handles, about) {
      reads++
      return snapshotOf(about?.reported ?? [], {}) ?? { kind: 'unreadable' }
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

let movements = 0
const tell = (kind: Movement['kind'], more: Partial<Movement> = {}): Movement => ({
  kind,
  id: `m-${++movements}`,
  payment: `p-${reference()}`,
  amount: money(2550n, 'EUR'),
  time: tender.service.ctx.clock.now(),
  ...more,
})
const about = (movement: Movement): Hint => ({ reference: reference(), movement })
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

describe('a notification that tells a movement', () => {
  it('is kept and applied, and answered as the provider expects', async () => {
    const payment = await create()
    const reply = await notify([about(tell('captured'))])
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      ...[200, 'text/plain; charset=utf-8', '[accepted]'],
    ])
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
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
    await notify([{ lookup: `id-${reference()}`, movement: tell('authorised') }])
    expect((await read(payment)).paymentState).toBe('Authorized')
    const dispute = { id: 'd', state: 'open', amount: money(2550n, 'EUR') } as const
    await notify([about(tell('captured', { id: 'capture' })), about(tell('disputed', { dispute }))])
    expect(await read(payment)).toMatchObject({ paymentState: 'Disputed', dispute: { amount: 25.5 } })
    // A repetition in another notification changes nothing.
    await notify([about(tell('captured', { id: 'capture' })), about(tell('authorised'))])
    expect(await read(payment)).toMatchObject({ paymentState: 'Disputed', capturedAmount: 25.5 })
  })

  it.each([
    ['amount', { amount: money(2551n, 'EUR') }],
    ['currency', { amount: money(2550n, 'USD') }],
  ])('about something else is logged and not kept: %s', async (_what, wrong) => {
    const payment = await create()
    const reply = await notify([about(tell('captured', wrong))])
    expect(reply.status).toBe(200)
    expect((await read(payment)).paymentState).toBe('Created')
    expect(errors).toMatchObject([{ paymentId: payment.paymentId, provider: 'told' }])
    // It is not processed again, and does not hide what is told later.
    expect(await countOf(tender, tender.sandbox)).toBe(0)
    await notify([about(tell('captured'))])
    expect((await read(payment)).paymentState).toBe('Captured')
  })

  it('is refused when its signature is wrong', async () => {
    const payment = await create()
    isForged = true
    const reply = await notify([about(tell('captured'))])
    expect(reply.status).toBe(401)
    expect((await read(payment)).paymentState).toBe('Created')
  })

  it('is only a hint when the provider can be read', async () => {
    const payment = await create('readable')
    await notify([about(tell('captured'))], 'readable')
    expect((await read(payment)).paymentState).toBe('Created')
    expect(reads).toBe(1)
  })

  it('waits, encrypted, until the payment with the provider’s id is known, for a day', async () => {
    const facts = { stored: { token: 'method-token', label: 'Visa', method: 'CreditCard' } } as const
    const movement = { ...tell('captured', { facts }), payment: 'p-later' }
    await notify([{ lookup: 'id-later', movement }])
    const text = async (query: string) =>
      JSON.stringify(await tender.service.ctx.db.query<object>({ name: '', text: query }, []))
    const waiting = await text(`select hints from provider_notifications where status = 'new'`)
    expect(waiting).toContain('id-later')
    expect(waiting).not.toContain('method-token')
    const payment = await create()
    await tender.service.ctx.db.query(
      { name: '', text: `update operations set handles = '{"lookup":"id-later"}' where operation_key = $1` },
      [reference()],
    )
    aheadMs += MINUTE
    await runJob()
    expect((await read(payment)).paymentState).toBe('Captured')
    expect(await text(`select encode(sealed, 'escape') as s from provider_movements`)).not.toContain('token')
    await notify([{ lookup: 'id-of-another-shop', movement }])
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
    await notify([about(tell('captured'))])
    expect(undone).toEqual([{ step: 'refund', payment: `p-${reference()}`, amountMinor: 2550n }])
    // The refund is only accepted: it is done when the provider reports it.
    const states = () =>
      tender.service.ctx.db.query(
        { name: '', text: 'select status, result from undos where attempt_key = $1' },
        [reference()],
      )
    expect(await states()).toEqual([{ status: 'open', result: null }])
    await tender.sandbox.advance('2d')
    await notify([about(tell('refunded'))])
    expect(await states()).toEqual([{ status: 'done', result: 'refunded' }])
    expect(undone).toHaveLength(1)
  })

  it('about a refund made elsewhere, or a dispute, counts while the payment is held', async () => {
    const payment = await create('told', { autoCapture: false })
    await notify([about(tell('authorised', { review: 'open' })), about(tell('captured'))])
    expect((await read(payment)).paymentState).toBe('CapturedHold')
    // The first report of a movement counts.
    for (const minor of [850n, 950n])
      await notify([about(tell('refunded', { id: 'refund', amount: money(minor, 'EUR') }))])
    expect(await read(payment)).toMatchObject({ paymentState: 'CapturedHold', refundedAmount: 8.5 })
    for (const [state, paymentState] of [
      ['open', 'Disputed'],
      ['won', 'CapturedHold'],
    ] as const) {
      await notify([about(tell('disputed', { id: 'd', event: state, dispute: { id: 'd', state } }))])
      expect((await read(payment)).paymentState).toBe(paymentState)
    }
    good(await tender.sandbox.act(payment.paymentId, 'cancel'))
    expect(undone).toMatchObject([{ step: 'refund', amountMinor: 1700n }])
  })

  it('waits while a refund of ours runs, and is applied afterwards', async () => {
    const payment = await create()
    await notify([about(tell('captured'))])
    good(await tender.sandbox.act(payment.paymentId, 'refund?amount=10'))
    expect((await read(payment)).paymentState).toBe('Refunding')
    const rechecked = good(await tender.sandbox.act(payment.paymentId, 'recheck'))
    expect(rechecked).toMatchObject({
      paymentState: 'Refunding',
      lastError: 'Waiting for Fake told to confirm the refund.',
    })
    await notify([about(tell('refunded', { amount: money(500n, 'EUR') }))])
    expect(await read(payment)).toMatchObject({ paymentState: 'Refunding', refundedAmount: 0 })
    expect(await countOf(tender, tender.sandbox)).toBe(1)
    await notify([about(tell('refunded', { operationKey: refundKey, amount: money(1000n, 'EUR') }))])
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', lastError: null })
    aheadMs += MINUTE
    await runJob()
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 15 })
    aheadMs += MINUTE
    await runJob()
    expect(await countOf(tender, tender.sandbox)).toBe(0)
  })
})

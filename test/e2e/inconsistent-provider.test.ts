import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { after, HOUR } from '../../src/base/clock.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { type Money, money } from '../../src/base/money.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { openUndo } from '../../src/payments/provider/undo/store.ts'
import { undoIfPaid } from '../../src/payments/provider/undo/undo.ts'
import { asAttempt, findOperation } from '../../src/payments/store/operations.ts'
import type { Outcome, ReadOutcome } from '../../src/providers/outcome.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
const errors: { event: string; data: object }[] = []
const log: Log = { ...silentLog, error: (event, data) => void errors.push({ event, data: data ?? {} }) }
beforeAll(async () => {
  // No jobs: the provider is read only when a test requests it.
  tender = await startTestService('e2e_inconsistent_provider', { role: 'web', log })
})
afterAll(() => tender?.stop())
afterEach(() => {
  vi.restoreAllMocks()
  errors.length = 0
})

const adapterOf = (): ProviderAdapter => {
  const adapter = tender.service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox')
  return adapter
}
const order = () => ({ customerOrder: { customer: { customerId: newReference() } } })
const inDollars = ({ minor }: Money): Money => money(minor, 'USD')
const loggedErrors = (paymentId: number) =>
  errors.filter(
    ({ event, data }) =>
      event === 'provider.other_payment' && 'paymentId' in data && data.paymentId === paymentId,
  )

/** Makes `retrieve` return the bank's snapshot with some members replaced. */
function changeSnapshot(change: (sight: Extract<ReadOutcome, { kind: 'snapshot' }>) => object): void {
  const adapter = adapterOf()
  const retrieve = adapter.retrieve.bind(adapter)
  vi.spyOn(adapter, 'retrieve').mockImplementation(async (...call) => {
    const sight = await retrieve(...call)
    return sight.kind === 'snapshot' ? { ...sight, ...change(sight) } : sight
  })
}

describe('an amount in another currency than the payment', () => {
  it.each([
    [
      'captured',
      (sight: Extract<ReadOutcome, { kind: 'snapshot' }>) => ({ captured: inDollars(sight.captured) }),
    ],
    ['authorised', () => ({ authorised: money(2550n, 'USD') })],
    [
      'refunded',
      (sight: Extract<ReadOutcome, { kind: 'snapshot' }>) => ({ refunded: inDollars(sight.refunded) }),
    ],
  ])('is ignored in a snapshot (%s)', async (_what, change) => {
    const { sandbox } = tender
    const { paymentId } = await sandbox.create(order())
    await sandbox.fault('authorise', 'http-500-after-acting')
    const moving = good(await sandbox.pay(paymentId))
    expect(moving.paymentState).toBe('SaleInProgress')
    changeSnapshot(change)
    for (const _again of [1, 2])
      expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe('SaleInProgress')
    const differs = expect.stringContaining('currency USD instead of EUR')
    expect(loggedErrors(paymentId)[0]?.data).toMatchObject({ differs, provider: 'sandbox' })
    vi.restoreAllMocks()
    expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe('Captured')
  })

  it('is ignored in a refund of a snapshot', async () => {
    const { sandbox } = tender
    const { paymentId } = await sandbox.paid(order())
    changeSnapshot(() => ({
      refunded: money(100n, 'EUR'),
      refunds: [{ id: 'r1', amount: money(100n, 'USD'), state: 'done' }],
    }))
    const read = good(await sandbox.act(paymentId, 'recheck'))
    expect([read.paymentState, read.refundedAmount]).toEqual(['Captured', 0])
    expect(loggedErrors(paymentId)).toHaveLength(1)
  })

  it.each(['start', 'capture', 'refund'] as const)(
    'is ignored in the outcome of a call (%s)',
    async (step) => {
      const { sandbox } = tender
      const adapter = adapterOf()
      const real = adapter[step].bind(adapter) as (...call: unknown[]) => Promise<Outcome>
      vi.spyOn(adapter, step).mockImplementation(async (...call: unknown[]) => {
        const outcome = await real(...call)
        return outcome.kind === 'approved' ? { ...outcome, echo: { amount: money(2550n, 'USD') } } : outcome
      })
      const { paymentId } = await sandbox.create({ ...order(), autoCapture: step !== 'capture' })
      good(await sandbox.pay(paymentId))
      const state = async () => (await sandbox.read(paymentId)).paymentState
      if (step !== 'start') good(await sandbox.act(paymentId, step))
      expect(await state()).toBe({ start: 'SaleInProgress', capture: 'Capturing', refund: 'Refunding' }[step])
      const differs = 'currency USD instead of EUR'
      expect(loggedErrors(paymentId)[0]?.data).toMatchObject({ differs })
      vi.restoreAllMocks()
      expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe(
        step === 'refund' ? 'Refunded' : 'Captured',
      )
    },
  )

  it('is not refunded: an undo waits for a consistent snapshot', async () => {
    const { paymentId, attempt, app } = await failedAfterCapture()
    const refunding = vi.spyOn(adapterOf(), 'refund')
    changeSnapshot(({ captured }) => ({ captured: inDollars(captured) }))
    expect(await undoIfPaid(tender.service.ctx, app, attempt)).toBe(false)
    expect(refunding).not.toHaveBeenCalled()
    expect(loggedErrors(paymentId).length).toBeGreaterThan(0)
  })

  it('is not shown as a fee', async () => {
    const { sandbox } = tender
    const adapter = adapterOf()
    for (const step of ['start', 'capture'] as const) {
      const real = adapter[step].bind(adapter) as (...call: unknown[]) => Promise<Outcome>
      vi.spyOn(adapter, step).mockImplementation(async (...call: unknown[]) => {
        const outcome = await real(...call)
        if (outcome.kind !== 'approved') return outcome
        return { ...outcome, facts: { ...outcome.facts, fee: money(77n, 'USD') } }
      })
    }
    const paid = await sandbox.paid(order())
    expect([paid.paymentState, paid.feeBreakdown]).toEqual(['Captured', null])
  })
})

/** A payment that is captured at the bank and Failed here, so its attempt must be undone. */
async function failedAfterCapture() {
  const { sandbox, service } = tender
  const { paymentId } = await sandbox.paid(order())
  const failure = `'{"code":"expired","problem":{"code":"link-expired"}}'`
  const failed = `state = 'Failed', captured_minor = 0, failure = ${failure}`
  const text = `update payments set version = version + 1, ${failed}
    where app_id = $1 and payment_id = $2 returning attempt_key`
  const [row] = await service.ctx.db.query<{ attemptKey: string }>({ name: 'test.fail', text }, [
    sandbox.appId,
    paymentId,
  ])
  const app = await loadApp(service.ctx, sandbox.appId)
  const attempt = asAttempt(await findOperation(service.ctx.db, sandbox.appId, row?.attemptKey ?? ''))
  if (!app || !attempt) throw new Error('the attempt is gone')
  return { paymentId, attempt, app }
}

describe('an inconclusive absence', () => {
  const absent = () =>
    vi.spyOn(adapterOf(), 'retrieve').mockResolvedValue({ kind: 'absent', conclusive: false })
  const attempts = async (paymentId: number): Promise<Answer[]> =>
    good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))

  it('does not end the attempt: the payment stays SaleInProgress until the provider shows it', async () => {
    const { sandbox } = tender
    const { paymentId } = await sandbox.create(order())
    await sandbox.fault('authorise', 'reply-lost')
    const reading = absent()
    good(await sandbox.pay(paymentId))
    expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe('SaleInProgress')
    reading.mockRestore()
    expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe('Captured')
  })

  it('does not complete an undo', async () => {
    const { paymentId, attempt, app } = await failedAfterCapture()
    const { ctx } = tender.service
    const reading = absent()
    expect(await undoIfPaid(ctx, app, attempt)).toBe(false)
    reading.mockResolvedValue({ kind: 'absent', conclusive: true })
    expect(await undoIfPaid(ctx, app, attempt)).toBe(true)
    reading.mockRestore()
    expect(await undoIfPaid(ctx, app, attempt)).toBe(true)
    expect((await attempts(paymentId))[0]?.undone.explanation).toBe('What it had taken was refunded.')
  })
})

describe('the refund of an abandoned attempt', () => {
  it('counts its requests, and tells when the first was sent, not when the undo was opened', async () => {
    const { attempt, app } = await failedAfterCapture()
    const { ctx } = tender.service
    const now = ctx.clock.now()
    const undo = { ...attempt, attemptKey: attempt.key, createdTime: after(now, -HOUR) }
    await openUndo(ctx.db, undo, { until: now, token: null })
    const lost: Outcome = { kind: 'unknown', why: 'timeout' }
    const refunding = vi.spyOn(adapterOf(), 'refund').mockResolvedValue(lost)
    await undoIfPaid(ctx, app, attempt)
    await undoIfPaid(ctx, app, attempt)
    const [first, second] = refunding.mock.calls.map(([, operation]) => operation)
    expect(first?.sending).toBe(1)
    expect(first?.createdAt.getTime()).toBeGreaterThanOrEqual(now.getTime())
    expect(second?.sending).toBeGreaterThan(1)
    expect(second?.createdAt).toEqual(first?.createdAt)
  })
})

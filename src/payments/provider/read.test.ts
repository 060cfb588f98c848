import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good, startTestService, type TestService } from '../../../test/support/tender.ts'
import type { Snapshot } from '../../providers/outcome.ts'
import type { ProviderAdapter, Providers } from '../../providers/port.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('overtaken')
})
afterAll(() => tender?.stop())

type Retrieve = ProviderAdapter['retrieve']

/** Replaces how the bank is read. Returns a function that undoes it. */
function readBank(make: (adapter: ProviderAdapter, undo: () => void) => Retrieve): () => void {
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter> & Providers
  const adapter = providers.get('sandbox') as ProviderAdapter
  const undo = () => void providers.set('sandbox', adapter)
  providers.set('sandbox', { ...adapter, retrieve: make(adapter, undo) })
  return undo
}

/** Runs a function once, before the next read of a payment at the bank. */
const beforeTheBankIsAsked = (act: () => Promise<unknown>) =>
  readBank((adapter, undo) => async (...args) => {
    undo()
    await act()
    return adapter.retrieve(...args)
  })

/** Reads show what `change` makes of the bank's answer. */
const readsShow = (change: (view: Snapshot) => Snapshot) =>
  readBank((adapter) => async (...args) => {
    const view = await adapter.retrieve(...args)
    return view.kind === 'snapshot' ? change(view) : view
  })

const act = async (paymentId: number, action: string) => good(await tender.sandbox.act(paymentId, action))

describe('a recheck with a concurrent', () => {
  it('capture whose reply is lost: the payment ends Captured and can be refunded', async () => {
    await tender.sandbox.fault('any', 'notification-never', { times: 50 })
    const { paymentId } = await tender.sandbox.paid({ autoCapture: false })
    await tender.sandbox.fault('capture', 'reply-lost')
    beforeTheBankIsAsked(async () => {
      expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    })
    expect((await act(paymentId, 'recheck')).paymentState).toBe('Captured')
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunded')
  })
})

it('records no refund of nothing, and counts the others', async () => {
  const { paymentId } = await tender.sandbox.paid()
  const readAsBefore = readsShow((view) => {
    const { currency } = view.captured
    const refundOf = (id: string, minor: bigint) => ({
      id,
      amount: { minor, currency },
      state: 'done' as const,
    })
    return {
      ...view,
      refunded: { minor: 100n, currency },
      refunds: [refundOf('a', 0n), refundOf('b', 100n)],
    }
  })
  expect(await act(paymentId, 'recheck')).toMatchObject({ paymentState: 'Captured', refundedAmount: 1 })
  readAsBefore()
})

it('reports a refund that failed in the read that shows the last one as done', async () => {
  const { paymentId } = await tender.sandbox.paid()
  const refund = (amount: string) =>
    tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=${amount}`)
  good(await refund('10'))
  await tender.sandbox.fault('refund', 'reply-lost')
  await tender.sandbox.fault('any', 'notification-never', { times: 5 })
  expect(good(await refund('15.50')).paymentState).toBe('Refunding')
  const readAsBefore = readsShow((view) => {
    const refunds = view.refunds.map((one) =>
      one.amount.minor === 1000n ? { ...one, state: 'failed' as const } : one,
    )
    return { ...view, refunded: { ...view.refunded, minor: 1550n }, refunds }
  })
  const { paymentState, lastError } = await act(paymentId, 'recheck')
  readAsBefore()
  expect(paymentState).toBe('Refunded')
  expect(lastError).toMatch(/10\.00/)
})

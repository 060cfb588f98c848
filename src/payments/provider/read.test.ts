import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good, startTestService, type TestService } from '../../../test/support/tender.ts'
import type { ProviderAdapter, Providers } from '../../providers/port.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('overtaken')
})
afterAll(() => tender?.stop())

/** Runs a function once, before the next read of a payment at the bank. */
function beforeTheBankIsAsked(act: () => Promise<unknown>): void {
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter> & Providers
  const adapter = providers.get('sandbox') as ProviderAdapter
  providers.set('sandbox', {
    ...adapter,
    async retrieve(...asked) {
      providers.set('sandbox', adapter)
      await act()
      return adapter.retrieve(...asked)
    },
  })
}

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
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter> & Providers
  const adapter = providers.get('sandbox') as ProviderAdapter
  providers.set('sandbox', {
    ...adapter,
    async retrieve(...asked) {
      const view = await adapter.retrieve(...asked)
      if (view.kind !== 'snapshot') return view
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
    },
  })
  expect(await act(paymentId, 'recheck')).toMatchObject({ paymentState: 'Captured', refundedAmount: 1 })
  providers.set('sandbox', adapter)
})

it('reports a refund that failed in the read that shows the last one as done', async () => {
  const { paymentId } = await tender.sandbox.paid()
  const refund = (amount: string) =>
    tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=${amount}`)
  good(await refund('10'))
  await tender.sandbox.fault('refund', 'reply-lost')
  await tender.sandbox.fault('any', 'notification-never', { times: 5 })
  expect(good(await refund('15.50')).paymentState).toBe('Refunding')
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter> & Providers
  const adapter = providers.get('sandbox') as ProviderAdapter
  providers.set('sandbox', {
    ...adapter,
    async retrieve(...asked) {
      const view = await adapter.retrieve(...asked)
      if (view.kind !== 'snapshot') return view
      const refunds = view.refunds.map((one) =>
        one.amount.minor === 1000n ? { ...one, state: 'failed' as const } : one,
      )
      return { ...view, refunded: { ...view.refunded, minor: 1550n }, refunds }
    },
  })
  const { paymentState, lastError } = await act(paymentId, 'recheck')
  providers.set('sandbox', adapter)
  expect(paymentState).toBe('Refunded')
  expect(lastError).toMatch(/10\.00/)
})

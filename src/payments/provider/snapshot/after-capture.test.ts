import { describe, expect, it } from 'vitest'
import { money } from '../../../base/money.ts'
import type { RefundSeen, Snapshot } from '../../../providers/outcome.ts'
import type { Payment } from '../../payment.ts'
import { onFailedRefund, onLateMoney } from './after-capture.ts'

const usd = (minor: bigint) => money(minor, 'USD')
const refund = (id: string, minor: bigint, state: RefundSeen['state']): RefundSeen => ({
  ...{ id, state },
  amount: usd(minor),
})
const refunded = (lastError: Payment['lastError']) =>
  ({
    ...{ state: 'Refunded', currency: 'USD', lastError },
    ...{ capturedMinor: 10_001n, refundedMinor: 10_001n },
  }) as Payment
const seen = (...refunds: RefundSeen[]): Snapshot => {
  const done = refunds.filter(({ state }) => state === 'done')
  return {
    ...{ kind: 'snapshot', handles: { payment: 'p' }, stage: 'captured', captured: usd(10_001n), facts: {} },
    ...{ refunds, refunded: usd(done.reduce((sum, { amount }) => sum + amount.minor, 0n)) },
  }
}
const FAILED = refund('first', 10_001n, 'failed')
const missing = (minor: string) => ({ code: 'refund-failed-later', minor, currency: 'USD' }) as const

describe('a refund that failed after it was done', () => {
  it('is told to the merchant once', () => {
    const change = onFailedRefund(refunded(null), seen(FAILED))
    expect(change?.updates?.lastError).toEqual(missing('10001'))
    expect(onFailedRefund(refunded(change?.updates?.lastError ?? null), seen(FAILED))).toBeUndefined()
  })

  it('and followed by others is told with what is still missing, and they are listed', () => {
    const before = missing('10001')
    const part = onFailedRefund(refunded(before), seen(FAILED, refund('second', 3_334n, 'done')))
    expect(part?.updates?.lastError).toEqual(missing('6667'))
    expect(part?.refunds?.map(({ refundId, state }) => [refundId, state])).toEqual([
      ['first', 'failed'],
      ['second', 'done'],
    ])
    const whole = seen(FAILED, refund('second', 10_001n, 'done'))
    expect(onFailedRefund(refunded(before), whole)?.updates).toEqual({ lastError: null })
    expect(onFailedRefund(refunded(null), whole)).toBeUndefined()
  })

  it('says nothing of a payment whose refunds are done', () => {
    expect(onFailedRefund(refunded(null), seen(refund('first', 10_001n, 'done')))).toBeUndefined()
  })
})

describe('a refunded payment', () => {
  it('tells of a refund that failed and of a late capture at once, and of what is left of them', () => {
    const more = { ...seen(FAILED), captured: usd(10_501n) }
    const late = { code: 'captured-late', minor: '500', currency: 'USD' } as const
    const both = onLateMoney(refunded(missing('10001')), more)?.updates?.lastError ?? null
    expect(both).toEqual({ ...late, also: missing('10001') })
    expect(onLateMoney(refunded(both), more)).toBeUndefined()
    const repeated = { ...seen(refund('first', 10_001n, 'done')), captured: usd(10_501n) }
    expect(onLateMoney(refunded(both), repeated)?.updates).toEqual({ lastError: late })
    expect(onLateMoney(refunded(both), seen(FAILED))?.updates).toEqual({ lastError: missing('10001') })
  })
})

import { expect, it } from 'vitest'
import { money } from '../../../base/money.ts'
import type { Snapshot } from '../../../providers/outcome.ts'
import type { State } from '../../machine.ts'
import type { Payment } from '../../payment.ts'
import { isBehind } from './compare.ts'

const usd = (minor: bigint) => money(minor, 'USD')
const paymentIn = (state: State) => ({ state, capturedMinor: 1_000n, refundedMinor: 300n }) as Payment
const seen = (refundedMinor: bigint): Snapshot => ({
  ...{ kind: 'snapshot', handles: {}, stage: 'captured', captured: usd(1_000n), facts: {}, refunds: [] },
  refunded: usd(refundedMinor),
})

it.each(['Refunding', 'Cancelling', 'Captured', 'CapturedHold', 'Disputed'] as const)(
  'in %s a refund that was made elsewhere is still to be taken over',
  (state) => {
    expect(isBehind(paymentIn(state), seen(1_000n))).toBe(true)
    expect(isBehind(paymentIn(state), seen(300n))).toBe(false)
  },
)

it('a final state takes nothing over', () => {
  expect(isBehind(paymentIn('Refunded'), seen(1_000n))).toBe(false)
})

it.each(['Capturing', 'Cancelling', 'Refunding'] as const)(
  'in %s a stored method waits for the step',
  (state) => {
    const stored = { paymentMethodId: 7, tokenId: 8 } as never
    const payment = { ...paymentIn(state), tokenId: null }
    expect(isBehind(payment, seen(300n), { stored })).toBe(true)
    expect(isBehind({ ...payment, tokenId: 8 }, seen(300n), { stored })).toBe(false)
    expect(isBehind({ ...payment, state: 'Failed' }, seen(300n), { stored })).toBe(false)
  },
)

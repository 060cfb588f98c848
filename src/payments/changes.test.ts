import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOW, newPayment } from '../../test/support/payment.ts'
import type { PaymentEvent } from './changes/events.ts'
import { applyEvents } from './changes.ts'
import { STATES } from './machine.ts'
import type { Payment } from './payment.ts'
import { timerOf } from './timers/due.ts'

const failure = { code: 'declined', problem: { code: 'cancelled' } } as const
const minor = fc.bigInt({ min: 0n, max: 1500n })
const event: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { on: 'pay' },
    { on: 'began' },
    { on: 'approved' },
    { on: 'declined', failure },
    { on: 'rejected', failure: { code: 'fraud_rejected', problem: { code: 'cancelled' } } },
    { on: 'capture', amountMinor: 1000n },
    { on: 'captureRefused', problem: { code: 'no-reason' } },
    { on: 'captureRefused', problem: { code: 'no-reason' }, authorisationGone: true },
    { on: 'cancel' },
    { on: 'cancelled' },
    { on: 'cancelRefused', problem: { code: 'no-reason' } },
    { on: 'expired' },
    { on: 'released', failure },
    { on: 'unhold' },
    { on: 'refundRefused', problem: { code: 'no-reason' } },
    { on: 'disputed' },
    { on: 'disputeWon' },
    { on: 'markRefunded' },
    { on: 'markDisputed' },
  ),
  fc.record({ on: fc.constant('authorized' as const), holds: fc.boolean() }),
  fc.record({ on: fc.constant('captured' as const), totalMinor: minor, holds: fc.boolean() }),
  fc.record({ on: fc.constant('refund' as const), amountMinor: minor }),
  fc.record({ on: fc.constant('disputeLost' as const), amountMinor: minor }),
)
const history = fc.array(event, { maxLength: 60 })
const shape = fc.record({
  autoCapture: fc.boolean(),
  flow: fc.constantFrom('HostedPage' as const, 'AutoPayment' as const),
})

/** Applies a random history; a refund is at most the remaining amount, as in the command. */
function playAll(
  start: Payment,
  events: readonly PaymentEvent[],
  seen: (before: Payment, after: Payment) => void,
) {
  let current = start
  for (const one of events) {
    const left = current.capturedMinor - current.refundedMinor
    const next: PaymentEvent =
      current.state === 'Refunding' && one.on === 'refund'
        ? { on: 'refunded', totalMinor: current.refundedMinor + left }
        : one
    const updates = next.on === 'authorized' ? { authorisedUntil: NOW, profileId: 1 } : {}
    const outcome = applyEvents(current, { events: [next], updates }, { now: NOW, oneStep: false })
    if (!outcome) continue
    seen(current, outcome.payment)
    expect(outcome.entered.length).toBe(outcome.payment.sequence - current.sequence)
    current = outcome.payment
  }
  return current
}

describe('changes of a payment', () => {
  it('keep 0 ≤ refunded ≤ captured ≤ amount, and never shrink a sum, in every history', () => {
    fc.assert(
      fc.property(shape, history, (more, events) => {
        playAll(newPayment(more), events, (before, after) => {
          expect(after.capturedMinor).toBeGreaterThanOrEqual(before.capturedMinor)
          expect(after.refundedMinor).toBeGreaterThanOrEqual(before.refundedMinor)
          expect(after.refundedMinor).toBeLessThanOrEqual(after.capturedMinor)
          expect(after.capturedMinor).toBeLessThanOrEqual(after.amountMinor)
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('write one event for each accepted step and none for a refused one', () => {
    fc.assert(
      fc.property(shape, history, (more, events) => {
        playAll(newPayment(more), events, (before, after) => {
          expect(after.version).toBe(before.version + 1)
          expect(after.sequence).toBeGreaterThan(before.sequence)
        })
      }),
    )
  })

  it('never capture a held payment without unhold', () => {
    fc.assert(
      fc.property(shape, history, (more, events) => {
        playAll(newPayment(more), events, (before, after) => {
          const leftHold =
            STATES[before.state].kind === 'held' &&
            (after.state === 'Captured' || after.state === 'Capturing')
          if (leftHold) expect(after.fraudStatus).toBe('Ignored')
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('never request a charge for a payment that a fraud rule rejected', () => {
    const rejected: PaymentEvent = {
      on: 'rejected',
      failure: { code: 'fraud_rejected', problem: { code: 'cancelled' } },
    }
    fc.assert(
      fc.property(shape, history, (more, events) => {
        let current = newPayment(more)
        for (const one of [...events, rejected]) {
          const outcome = applyEvents(current, { events: [one] }, { now: NOW, oneStep: false })
          if (one.on === 'rejected' && outcome) {
            const expected =
              current.state === 'Created' ? [undefined] : ['provider.cancel', 'provider.refund']
            expect(expected).toContain(outcome.effect)
            expect(outcome.payment.fraudStatus).toBe('Fraudulent')
          }
          current = outcome?.payment ?? current
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('set a failure reason if and only if the payment failed', () => {
    fc.assert(
      fc.property(shape, history, (more, events) => {
        const end = playAll(newPayment(more), events, () => {})
        expect(end.failure !== null).toBe(end.state === 'Failed')
      }),
    )
  })

  it('enter Cancelling and Failed for a cancelled payment without attempts', () => {
    const outcome = applyEvents(newPayment(), { events: [{ on: 'cancel' }] }, { now: NOW, oneStep: false })
    expect(outcome?.entered.map((each) => each.payment.state)).toEqual(['Cancelling', 'Failed'])
    expect(outcome?.payment.failure?.code).toBe('cancelled')
  })

  it('refuse an event without a transition from the state', () => {
    expect(
      applyEvents(
        newPayment({ state: 'Captured' }),
        { events: [{ on: 'cancel' }] },
        { now: NOW, oneStep: false },
      ),
    ).toBeUndefined()
  })

  it('set the timer for the link while Created and for the authorisation while Authorized', () => {
    const later = new Date('2026-01-08T00:00:00Z')
    expect(timerOf(newPayment({ expirationTime: later }))).toBe(later)
    expect(timerOf(newPayment({ state: 'Authorized', authorisedUntil: later }))).toBe(later)
    expect(timerOf(newPayment({ state: 'Captured', authorisedUntil: later }))).toBeNull()
  })
})

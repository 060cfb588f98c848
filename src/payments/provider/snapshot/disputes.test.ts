import { describe, expect, it } from 'vitest'
import { NOW, newPayment } from '../../../../test/support/payment.ts'
import { money } from '../../../base/money.ts'
import type { Dispute, Snapshot } from '../../../providers/outcome.ts'
import { applyEvents } from '../../changes.ts'
import type { Payment } from '../../payment.ts'
import { changeFromSnapshot } from '../on-snapshot.ts'

const eur = (minor: bigint) => money(minor, 'EUR')
const inputs = {
  ...{ now: NOW, oneStep: true, authorisationWindowMs: 0, canRefund: true },
  formUrl: 'https://tender.example/c/k',
}
const captured = (more: Partial<Payment> = {}): Payment =>
  newPayment({ state: 'Captured', capturedMinor: 1000n, profileId: 1, method: 'CreditCard', ...more })

const seen = (disputes: readonly Dispute[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...{ kind: 'snapshot', handles: { payment: 'p' }, stage: 'captured', captured: eur(1000n), facts: {} },
  ...{ refunded: eur(0n), refunds: [], disputes },
  ...more,
})

/** Applies what the provider shows until it says nothing new. */
function shown(before: Payment, ...snapshots: Snapshot[]): { payment: Payment; entered: string[] } {
  let payment = before
  const entered: string[] = []
  for (const snapshot of snapshots)
    for (let round = 0; round < 5; round++) {
      const change = changeFromSnapshot({ payment, operation: undefined, snapshot, inputs })
      const outcome = change && applyEvents(payment, change, inputs)
      if (!outcome) break
      payment = outcome.payment
      entered.push(...outcome.entered.map((each) => each.payment.state))
    }
  return { payment, entered }
}

const dispute = (id: string, state: Dispute['state'], minor?: bigint): Dispute => ({
  ...{ id, state },
  ...(minor === undefined ? {} : { amount: eur(minor) }),
})

describe('disputes of a captured payment', () => {
  it('take back only the disputed part when they are lost', () => {
    const { payment, entered } = shown(
      captured(),
      seen([dispute('d1', 'open', 200n)]),
      seen([dispute('d1', 'lost', 200n)]),
    )
    expect(entered).toEqual(['Disputed', 'Captured'])
    expect([payment.refundedMinor, payment.capturedMinor]).toEqual([200n, 1000n])
    expect(payment.payInfo?.disputes).toMatchObject([{ id: 'd1', state: 'lost', amountMinor: '200' }])
  })

  it('end in Refunded when they take back all, also in parts and beside refunds', () => {
    expect(shown(captured(), seen([dispute('d1', 'lost')])).payment.state).toBe('Refunded')
    const both = seen([dispute('d1', 'lost', 400n), dispute('d2', 'lost', 600n)])
    expect(shown(captured(), both).payment).toMatchObject({ state: 'Refunded', refundedMinor: 1000n })
    const refunds = [{ id: 'r', amount: eur(600n), state: 'done' } as const]
    const mixed = seen([dispute('d1', 'lost', 400n)], { refunded: eur(600n), refunds })
    expect(shown(captured(), mixed).payment).toMatchObject({ state: 'Refunded', refundedMinor: 1000n })
  })

  it('are told apart by their id: a second one opens after the first was won', () => {
    const { payment, entered } = shown(
      captured(),
      seen([dispute('d1', 'open', 300n)]),
      seen([dispute('d1', 'won', 300n)]),
      seen([dispute('d1', 'won', 300n), dispute('d2', 'open', 500n)]),
    )
    expect(entered).toEqual(['Disputed', 'Captured', 'Disputed'])
    expect(payment.payInfo?.disputes?.map(({ id, state }) => [id, state])).toEqual([
      ['d2', 'open'],
      ['d1', 'won'],
    ])
  })

  it('open again when an inquiry escalates or a won dispute goes on, and may then be lost', () => {
    const { payment, entered } = shown(
      captured(),
      seen([dispute('d1', 'won')]),
      seen([dispute('d1', 'open')]),
      seen([dispute('d1', 'won')]),
      seen([dispute('d1', 'lost', 250n)]),
    )
    expect(entered).toEqual(['Disputed', 'Captured', 'Disputed', 'Captured'])
    expect(payment.refundedMinor).toBe(250n)
  })

  it('give the money back when one that was lost is won later', () => {
    const { payment } = shown(
      captured(),
      seen([dispute('d1', 'lost', 250n)]),
      seen([dispute('d1', 'won', 250n)]),
    )
    expect(payment).toMatchObject({ state: 'Captured', refundedMinor: 0n })
    const other = seen([dispute('d1', 'won', 100n)])
    expect(shown(captured(), seen([dispute('d1', 'lost', 250n)]), other).payment.refundedMinor).toBe(0n)
  })

  it('stay Disputed while one of several is open, and say each change', () => {
    const { payment, entered } = shown(
      captured(),
      seen([dispute('d1', 'open', 300n), dispute('d2', 'open', 300n)]),
      seen([dispute('d1', 'won', 300n), dispute('d2', 'open', 300n)]),
      seen([dispute('d1', 'won', 300n), dispute('d2', 'lost', 300n)]),
    )
    expect(entered).toEqual(['Disputed', 'Disputed', 'Captured'])
    expect(payment.refundedMinor).toBe(300n)
  })

  it('change nothing when the same is shown again', () => {
    const open = seen([dispute('d1', 'open', 300n)])
    expect(shown(captured(), open, open).entered).toEqual(['Disputed'])
    const lost = seen([dispute('d1', 'lost', 300n)])
    expect(shown(captured(), lost, lost).payment.refundedMinor).toBe(300n)
  })

  it('take the place of one from before ids were stored', () => {
    const before = captured({ state: 'Disputed', payInfo: { disputes: [{ id: '', state: 'open' }] } })
    const { payment, entered } = shown(before, seen([dispute('d1', 'lost', 100n)]))
    expect(entered).toEqual(['Captured'])
    expect(payment.payInfo?.disputes).toMatchObject([{ id: 'd1', state: 'lost' }])
  })
})

describe('a dispute of a refunded payment', () => {
  const refunded = captured({ state: 'Refunded', refundedMinor: 1000n })
  const refunds = [{ id: 'r', amount: eur(1000n), state: 'done' } as const]
  const all = { refunded: eur(1000n), refunds }

  it('is shown and sent as an event, and the payment stays Refunded', () => {
    const { payment, entered } = shown(refunded, seen([dispute('d1', 'open')], all))
    expect(entered).toEqual(['Refunded'])
    expect(payment).toMatchObject({ state: 'Refunded', refundedMinor: 1000n })
    expect(payment.payInfo?.disputes).toMatchObject([{ id: 'd1', state: 'open' }])
    expect(shown(payment, seen([dispute('d1', 'won')], all)).entered).toEqual(['Refunded'])
  })

  it('says so when it was lost, which made the payment Refunded, and is won after all', () => {
    const [lost, won] = [seen([dispute('d1', 'lost')]), seen([dispute('d1', 'won')])]
    const { payment } = shown(captured(), lost, won, won)
    expect(payment).toMatchObject({ state: 'Refunded', refundedMinor: 1000n })
    expect(payment.payInfo?.disputes).toMatchObject([{ id: 'd1', state: 'won', isWonLate: true }])
    const other = shown(captured(), lost, seen([dispute('d1', 'won', 100n)])).payment
    expect(other.payInfo?.disputes?.[0]).not.toHaveProperty('amountMinor')
    expect(shown(payment, lost).payment.payInfo?.disputes?.[0]).not.toHaveProperty('isWonLate')
    expect(shown(refunded, won).payment.payInfo?.disputes?.[0]).not.toHaveProperty('isWonLate')
  })
})

describe('a capture that fails after it was done', () => {
  const since = new Date('2026-11-14T10:00:00Z')
  const failed = seen([], { captured: eur(0n), stage: 'authorised', recapture: { since } })

  it('goes back to Capturing until the provider has captured again', () => {
    const waiting = shown(captured(), failed)
    expect(waiting.entered).toEqual(['Capturing'])
    expect(waiting.payment).toMatchObject({ capturedMinor: 0n, refundedMinor: 0n })
    expect(waiting.payment.payInfo?.recapture?.until).toBe('2026-11-24T10:00:00.000Z')
    expect(shown(waiting.payment, failed).entered).toEqual([])
    const again = shown(waiting.payment, seen([]))
    expect(again.entered).toEqual(['Captured'])
    expect(again.payment).toMatchObject({ capturedMinor: 1000n, lastError: null })
    expect(again.payment.payInfo?.recapture).toBeUndefined()
  })

  it('is only reserved again while a fraud rule holds it', () => {
    const held = captured({ state: 'CapturedHold', fraudStatus: 'Suspicious' })
    const waiting = shown(held, failed)
    expect(waiting.entered).toEqual(['ProviderAuthorizedHold'])
    expect(waiting.payment).toMatchObject({ capturedMinor: 0n, lastError: { code: 'capture-repeated' } })
    expect(shown(waiting.payment, failed).entered).toEqual([])
    const again = shown(waiting.payment, seen([]))
    expect(again.entered).toEqual(['CapturedHold'])
    expect(again.payment).toMatchObject({ capturedMinor: 1000n })
    expect(again.payment.payInfo?.recapture).toBeUndefined()
    const gone = seen([], { captured: eur(0n), stage: 'cancelled' })
    expect(shown(waiting.payment, gone).payment.state).toBe('Failed')
  })

  it.each([
    ['Captured', 400n],
    ['Refunded', 1000n],
  ] as const)(
    'after a refund leaves the payment %s, and lastError says so until it is done again',
    (state, minor) => {
      const refunds = [{ id: 'r', amount: eur(minor), state: 'done' } as const]
      const given = { refunded: eur(minor), refunds }
      const reported = shown(captured({ state, refundedMinor: minor }), { ...failed, ...given })
      expect(reported.entered).toEqual([])
      expect(reported.payment).toMatchObject({
        state,
        capturedMinor: 1000n,
        lastError: { code: 'capture-repeated' },
      })
      expect(shown(reported.payment, seen([], given)).payment).toMatchObject({ state, lastError: null })
    },
  )

  it('and fails once more, waits once more', () => {
    const again = shown(shown(captured(), failed).payment, seen([])).payment
    const later = { since: new Date('2026-11-15T10:00:00Z') }
    const second = seen([], { captured: eur(0n), stage: 'authorised', recapture: later })
    expect(shown(again, second).entered).toEqual(['Capturing'])
  })
})

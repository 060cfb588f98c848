import { describe, expect, it } from 'vitest'
import { money } from '../base/money.ts'
import { type Movement, operationHandle, snapshotOf } from './movements.ts'

const eur = (minor: number) => money(BigInt(minor), 'EUR')
const day = (number: number) => new Date(Date.UTC(2027, 0, number))
const tell = (kind: Movement['kind'], id: string, more: Partial<Movement> = {}): Movement => ({
  ...{ kind, id, payment: 'P1', amount: eur(1000), time: day(1) },
  ...more,
})
const authorised = tell('authorised', 'P1', { facts: { card: { brand: 'visa' } } })
const captured = tell('captured', 'C1', { time: day(2) })
const refunded = tell('refunded', 'R1', { amount: eur(400), time: day(3), operationKey: 'REFUND' })
const declined = { reason: 'insufficient-funds', retry: 'later', raw: {} } as const
const refused = tell('refused', 'P0', { payment: 'P0', decline: declined })
const disputed = (state: 'open' | 'won' | 'lost', id: string, number: number): Movement =>
  tell('disputed', id, { event: state, time: day(number), dispute: { id, state } })

/** Every order of the movements. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one, place) => orders(all.toSpliced(place, 1)).map((rest) => [one, ...rest]))
}

/** The snapshot, which must not depend on the order. */
function seen(told: readonly Movement[], handles = {}) {
  const [first, ...others] = orders(told).map((order) => snapshotOf(order, handles))
  for (const other of others) expect(other).toEqual(first)
  return first
}

describe('what movements show of a payment', () => {
  it('nothing at first', () => expect(snapshotOf([], {})).toBeUndefined())

  it.each<[string, Movement[], object]>([
    ['an authorisation', [authorised], { stage: 'authorised', authorised: eur(1000), captured: eur(0) }],
    ['a refusal', [refused], { stage: 'declined', decline: declined }],
    ['a refusal before an authorisation', [refused, authorised], { stage: 'authorised' }],
    ['a capture', [authorised, captured], { stage: 'captured', captured: eur(1000) }],
    ['a capture whose authorisation is missing', [captured], { stage: 'captured', captured: eur(1000) }],
    ['a cancellation', [authorised, tell('cancelled', 'X1')], { stage: 'cancelled' }],
    ['an expiry', [authorised, tell('expired', 'P1')], { stage: 'expired' }],
    ['the expiry of the rest', [authorised, captured, tell('expired', 'P1')], { stage: 'captured' }],
    [
      'a refund',
      [authorised, captured, refunded],
      { refunded: eur(400), refunds: [{ id: 'R1', operationKey: 'REFUND', state: 'done' }] },
    ],
    ['a refund whose capture is missing', [authorised, refunded], { stage: 'authorised', captured: eur(0) }],
    ['a returned debit', [authorised, captured, tell('returned', 'X1')], { isReturned: true }],
    [
      'a review and its end',
      [tell('authorised', 'P1', { review: 'open' }), tell('reviewed', 'X1')],
      { review: 'approved' },
    ],
  ])('%s', (_says, told, shows) => {
    expect(seen(told)).toMatchObject({ ...shows, isPartial: true, facts: expect.anything() })
  })

  it('is about one payment: a second authorisation under our reference does not count', () => {
    const second = tell('authorised', 'P2', { payment: 'P2', time: day(2) })
    expect(seen([authorised, second])?.handles).toEqual({ payment: 'P1', lookup: 'P1' })
    expect(seen([authorised, second], { payment: 'P2' })?.handles.payment).toBe('P2')
  })

  it('joins the card and the stored method, which are told apart', () => {
    const stored = { token: 't', label: 'Visa', method: 'CreditCard' } as const
    const all = [authorised, tell('stored', 'S1', { facts: { stored } })]
    expect(seen(all)?.facts).toEqual({
      card: { brand: 'visa' },
      stored: { ...stored, card: { brand: 'visa' } },
    })
  })
})

describe('a movement that fails later', () => {
  const failed = (id: string, more: Partial<Movement> = {}) =>
    tell('capture-failed', id, { time: day(5), problem: 'No money', ...more })

  it.each<[string, Movement]>([
    ['by its id', failed('C1')],
    ['by its operation', failed('X1', { operationKey: 'CAPTURE' })],
    ['by amount and time', failed('X1')],
  ])('is the capture, %s', (_by, failure) => {
    const capture = { ...captured, operationKey: 'CAPTURE' }
    expect(seen([authorised, capture, failure])).toMatchObject({
      ...{ stage: 'authorised', captured: eur(0), isReturned: true },
      refused: [{ step: 'capture', operationKey: 'CAPTURE', problem: 'No money' }],
    })
  })

  it('does not take back the next capture', () => {
    const told = [authorised, failed('C0', { time: day(1) }), captured]
    expect(seen(told)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    const late = [authorised, captured, failed('C0', { operationKey: 'BEFORE' })]
    expect(seen(late)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    expect(seen(late)?.isReturned).toBeUndefined()
  })

  it('is another try that was refused: the capture before it counts', () => {
    const told = [authorised, captured, failed('C2', { isRefusal: true })]
    expect(seen(told)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    expect(seen(told)?.isReturned).toBeUndefined()
  })

  it('was only accepted: the step is refused, and nothing is taken back', () => {
    const shown = seen([authorised, failed('C1')], { [operationHandle('C1')]: 'CAPTURE' })
    expect(shown).toMatchObject({ stage: 'authorised', refused: [{ operationKey: 'CAPTURE' }] })
    expect(shown?.isReturned).toBeUndefined()
    expect(seen([authorised, tell('cancel-failed', 'X1', { operationKey: 'K' })])).toMatchObject({
      refused: [{ step: 'cancel', operationKey: 'K' }],
    })
  })

  it('is a refund: its amount no longer counts', () => {
    const failure = tell('refund-failed', 'R1', { amount: eur(400), time: day(9), problem: 'Closed' })
    expect(seen([authorised, captured, refunded, failure])).toMatchObject({
      refunded: eur(0),
      refunds: [{ id: 'R1', state: 'failed', problem: 'Closed' }],
    })
  })
})

describe('disputes', () => {
  it.each<[string, Movement[], string]>([
    ['opened', [disputed('open', 'D', 1)], 'open'],
    ['reversed', [disputed('open', 'D', 1), disputed('won', 'D', 2)], 'won'],
    ['lost again', [disputed('open', 'D', 1), disputed('won', 'D', 2), disputed('lost', 'D', 3)], 'lost'],
    ['decided under an id of its own', [disputed('open', 'D', 1), disputed('won', 'E', 2)], 'won'],
    ['in one second', [disputed('open', 'D', 1), disputed('lost', 'D', 1)], 'lost'],
    [
      'a second one after the first',
      [...['open', 'won'].map((s, n) => disputed(s as 'open', 'D', n + 1)), disputed('open', 'E', 3)],
      'open',
    ],
  ])('%s', (_says, reports, state) => {
    expect(seen([authorised, captured, ...reports])?.disputes?.[0]?.state).toBe(state)
  })
})

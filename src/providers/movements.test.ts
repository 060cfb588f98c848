import { describe, expect, it } from 'vitest'
import { money } from '../base/money.ts'
import { type DisputeReport, type Movement, nameOf, operationHandle, snapshotOf } from './movements.ts'

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
const disputed = (
  state: DisputeReport['state'],
  id: string,
  number: number,
  more: Partial<DisputeReport> = {},
): Movement => tell('disputed', id, { event: state, time: day(number), dispute: { id, state, ...more } })

/** Every order of the movements. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one, place) => orders(all.toSpliced(place, 1)).map((rest) => [one, ...rest]))
}

/** The snapshot, which must not depend on the order. */
function seen(echo: readonly Movement[], handles = {}) {
  const [first, ...others] = orders(echo).map((order) => snapshotOf(order, handles))
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
  ])('%s', (_says, echo, shows) => {
    expect(seen(echo)).toMatchObject({ ...shows, isPartial: true, facts: expect.anything() })
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
    const shown = seen([authorised, capture, failure])
    expect(shown).toMatchObject({
      ...{ stage: 'authorised', captured: eur(0), refused: [] },
      recapture: { since: day(5), problem: 'No money' },
    })
    expect(shown).not.toHaveProperty('isReturned')
  })

  it.each<[string, Movement[]]>([
    ['under the same id', [failed('C1'), tell('captured', 'C1', { time: day(8) })]],
    ['in the same second', [failed('C1'), tell('captured', 'C1', { time: day(5), isAgain: true })]],
    ['under an id of its own', [failed('C1'), tell('captured', 'C9', { time: day(8), isAgain: true })]],
    ['after a failure with an id of its own', [failed('X1'), tell('captured', 'C1', { time: day(8) })]],
    ['both with ids of their own', [failed('X1'), tell('captured', 'C9', { time: day(8), isAgain: true })]],
    ['and its failure was never told', [tell('captured', 'C9', { time: day(8), isAgain: true })]],
  ])('is captured again, %s, and counts once', (_how, more) => {
    const shown = seen([authorised, captured, ...more])
    expect(shown).toMatchObject({ stage: 'captured', captured: eur(1000), refused: [] })
    expect(shown).not.toHaveProperty('recapture')
  })

  it('fails once more after it was captured again', () => {
    const again = tell('captured', 'C9', { time: day(8), isAgain: true })
    const echo = [authorised, captured, failed('C1'), again, failed('C9', { time: day(9) })]
    expect(seen(echo)).toMatchObject({ captured: eur(0), recapture: { since: day(9) } })
  })

  it('is captured again, and not what was refused in between', () => {
    const refused = tell('capture-failed', 'C5', { time: day(6), isRefusal: true })
    const [first, second] = ['C8', 'C9'].map((id, n) =>
      tell('captured', id, { time: day(8 + 2 * n), isAgain: true }),
    )
    const echo = [authorised, captured, failed('C1'), refused, first, failed('C1', { time: day(9) }), second]
    expect(seen(echo as Movement[])).toMatchObject({ stage: 'captured', captured: eur(1000) })
  })

  it('is one of two captures: the other one is still captured', () => {
    const [one, two] = ['C1', 'C2'].map((id) => tell('captured', id, { amount: eur(500), time: day(2) }))
    const echo = [authorised, one, two, failed('C1', { amount: eur(500) })] as Movement[]
    expect(seen(echo)).toMatchObject({ captured: eur(500), recapture: { since: day(5) } })
    const again = tell('captured', 'C9', { amount: eur(500), time: day(8), isAgain: true })
    expect(seen([...echo, again])).toMatchObject({ captured: eur(1000) })
  })

  it('is replaced by another capture of all that was reserved', () => {
    const shown = seen([authorised, captured, failed('C1'), tell('captured', 'C2', { time: day(8) })])
    expect(shown).toMatchObject({ stage: 'captured', captured: eur(1000) })
    expect(shown).not.toHaveProperty('recapture')
  })

  it('does not take back the next capture', () => {
    const echo = [authorised, failed('C0', { time: day(1) }), captured]
    expect(seen(echo)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    const late = [authorised, captured, failed('C0', { operationKey: 'BEFORE' })]
    expect(seen(late)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    expect(seen(late)?.isReturned).toBeUndefined()
  })

  it('is another try that was refused: the capture before it counts', () => {
    const echo = [authorised, captured, failed('C2', { isRefusal: true })]
    expect(seen(echo)).toMatchObject({ stage: 'captured', captured: eur(1000) })
    expect(seen(echo)?.isReturned).toBeUndefined()
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

  it('is a refund that the provider repeats: one refund that is done', () => {
    const failure = tell('refund-failed', 'R1', { amount: eur(400), time: day(9) })
    const again = { ...refunded, time: day(10) }
    const shown = seen([authorised, captured, refunded, failure, again])
    expect(shown?.refunded).toEqual(eur(400))
    expect(shown?.refunds).toEqual([{ id: 'R1', operationKey: 'REFUND', amount: eur(400), state: 'done' }])
  })

  it('is told once, also if a version before kept it under another name', () => {
    const failure = failed('X1')
    const [one, two] = ['C1', 'C2'].map((id) => tell('captured', id, { amount: eur(500), time: day(2) }))
    const half = { ...failure, amount: eur(500) }
    expect(seen([authorised, one, two, half, half] as Movement[])?.captured).toEqual(eur(500))
  })
})

describe('the name of a movement', () => {
  it('has the time where the same id may be told again, and only there', () => {
    const later = (movement: Movement) => ({ ...movement, time: day(20) })
    expect(nameOf(later(captured))).not.toBe(nameOf(captured))
    expect(nameOf(later(refunded))).not.toBe(nameOf(refunded))
    expect(nameOf({ ...captured })).toBe(nameOf(captured))
    expect(nameOf({ ...captured, isAgain: true })).not.toBe(nameOf(captured))
    expect(nameOf(later(authorised))).toBe(nameOf(authorised))
  })
})

describe('disputes', () => {
  const [inquiry, announced] = [{ isAnnounced: true, isRefundable: true }, { isAnnounced: true }] as const
  const statesOf = (reports: readonly Movement[]) =>
    seen([authorised, captured, ...reports])
      ?.disputes?.map(({ id, state }) => `${id} ${state}`)
      .toSorted()

  it.each<[string, Movement[], string[]]>([
    ['opened', [disputed('open', 'D', 1)], ['D open']],
    ['reversed', [disputed('open', 'D', 1), disputed('won', 'D', 2)], ['D won']],
    ['lost again', [disputed('open', 'D', 1), disputed('won', 'D', 2), disputed('lost', 'D', 3)], ['D lost']],
    [
      'opened again after it was won',
      [disputed('open', 'D', 1), disputed('won', 'D', 2), disputed('open', 'D', 3)],
      ['D open'],
    ],
    ['two at once', [disputed('open', 'D', 1), disputed('won', 'E', 2)], ['D open', 'E won']],
    ['decided under the id of the payment', [disputed('open', 'D', 1), disputed('won', 'P1', 2)], ['D won']],
    ['in one second', [disputed('open', 'D', 1), disputed('lost', 'D', 1)], ['D lost']],
    [
      'in one second, by stage',
      [disputed('won', 'D', 1, { stage: 1 }), disputed('open', 'D', 1, { stage: 2 })],
      ['D open'],
    ],
    ['not answered', [disputed('open', 'D', 1), disputed('undefended', 'D', 2)], ['D lost']],
    [
      'announced, not answered',
      [disputed('open', 'D', 1, announced), disputed('undefended', 'D', 2)],
      ['D open'],
    ],
    [
      'not answered before the money was taken',
      [disputed('open', 'D', 1, announced), disputed('undefended', 'D', 2), disputed('open', 'D', 3)],
      ['D lost'],
    ],
    [
      'an inquiry without an answer',
      [disputed('open', 'D', 1, inquiry), disputed('undefended', 'D', 2)],
      ['D open'],
    ],
    ['an inquiry with an answer', [disputed('open', 'D', 1, inquiry), disputed('same', 'D', 2)], ['D open']],
  ])('%s', (_says, reports, states) => expect(statesOf(reports)).toEqual(states))

  it('can be refunded while they are inquiries, and keep their id when they become chargebacks', () => {
    const asked = [disputed('open', 'D', 1, inquiry), disputed('same', 'D', 2)]
    expect(seen([authorised, captured, ...asked])?.disputes).toEqual([
      { id: 'D', state: 'open', isRefundable: true },
    ])
    const taken = [...asked, disputed('open', 'D', 3, { isRefundable: false, amount: eur(300) })]
    expect(seen([authorised, captured, ...taken])?.disputes).toEqual([
      { id: 'D', state: 'open', isRefundable: false, amount: eur(300) },
    ])
  })

  it('have the last amount that was told, in the currency of the payment', () => {
    const amounts = [eur(300), money(0n, 'EUR'), money(700n, 'USD')]
    const reports = amounts.map((amount, place) => disputed('open', 'D', place + 1, { amount }))
    expect(seen([authorised, captured, ...reports])?.disputes?.[0]?.amount).toEqual(eur(300))
  })
})

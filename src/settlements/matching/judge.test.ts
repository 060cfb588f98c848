import { describe, expect, it } from 'vitest'
import { DAY } from '../../base/clock.ts'
import { type JudgedLine, type JudgedPayment, judge, type Terms } from './judge.ts'

const START = new Date('2026-11-01T00:00:00Z')
const days = (count: number): Date => new Date(START.getTime() + count * DAY)

const payment = (more: Partial<JudgedPayment> = {}): JudgedPayment => ({
  paymentId: 1,
  currency: 'EUR',
  capturedMinor: 1_000n,
  refundedMinor: 0n,
  capturedTime: START,
  attempt: 1,
  hasDispute: false,
  disputedMinor: null,
  lostMinor: null,
  decidedTime: START,
  isReturned: false,
  refunds: [],
  lines: [],
  ...more,
})

let ids = 0
const line = (grossMinor: bigint, more: Partial<JudgedLine> = {}): JudgedLine => ({
  lineId: ++ids,
  kind: 'sale',
  grossMinor,
  currency: 'EUR',
  feeMinor: null,
  settlementCurrency: 'EUR',
  attempt: 1,
  refundId: null,
  payoutId: null,
  ...more,
})
const refundLine = (grossMinor: bigint, refundId: string | null = null) =>
  line(grossMinor, { kind: 'refund', refundId })

const refunded = (...amounts: readonly bigint[]) => ({
  refundedMinor: amounts.reduce((sum, amount) => sum + amount, 0n),
  refunds: amounts.map((amountMinor, n) => ({ refundId: `r${n + 1}`, amountMinor, time: START })),
})

const terms = (coveredDays: number, more: Partial<Terms> = {}): Terms => ({
  coveredUntil: days(coveredDays),
  begin: START,
  delayMs: 3 * DAY,
  ...more,
})
const early = terms(1)
const late = terms(10)
const kinds = (one: JudgedPayment, by = late) => judge(one, by).findings.map(({ kind }) => kind)

describe('a sale', () => {
  it('is settled by a line of its amount, and paid out with the payout of its lines', () => {
    const settled = judge(payment({ lines: [line(1_000n, { payoutId: 7 })] }), early)
    expect(settled).toEqual({
      state: 'settled',
      payoutId: 7,
      differenceMinor: 0n,
      dueTime: null,
      findings: [],
    })
  })

  it('is settled by several lines of a capture in parts, which are added up', () => {
    const parts = [line(600n, { payoutId: 7 }), line(400n)]
    expect(judge(payment({ lines: parts }), early)).toMatchObject({ state: 'settled', payoutId: null })
  })

  it('waits for its line until the usual delay is over, and is missing then', () => {
    expect(judge(payment(), early)).toMatchObject({ state: 'unsettled', dueTime: days(3), findings: [] })
    expect(judge(payment(), late)).toMatchObject({
      state: 'unsettled',
      dueTime: null,
      findings: [{ kind: 'missing', subject: 'payment:1:sale', details: { expectedMinor: '1000' } }],
    })
  })

  it('is not missing before the source began', () => {
    expect(kinds(payment(), terms(10, { begin: days(1) }))).toEqual([])
  })

  it('waits for the rest of its lines, and differs when it does not come', () => {
    const part = payment({ lines: [line(600n)] })
    expect(judge(part, early)).toMatchObject({ state: 'unsettled', dueTime: days(3), findings: [] })
    expect(judge(part, late)).toMatchObject({
      state: 'difference',
      differenceMinor: -400n,
      findings: [{ kind: 'amount', details: { expectedMinor: '1000', actualMinor: '600' } }],
    })
  })

  it('differs at once when more was settled than captured', () => {
    expect(kinds(payment({ lines: [line(1_001n)] }), early)).toEqual(['amount'])
    expect(kinds(payment({ capturedMinor: 0n, lines: [line(500n)] }), early)).toEqual(['amount'])
  })

  it('is doubled by a second line of the same amount', () => {
    const [first, second] = [line(1_000n), line(1_000n)]
    const { findings, differenceMinor } = judge(payment({ lines: [first, second] }), early)
    expect(findings).toMatchObject([{ kind: 'doubled', lineId: second.lineId }])
    expect(differenceMinor).toBe(1_000n)
  })

  it('is settled by two parts of the same amount', () => {
    expect(kinds(payment({ lines: [line(500n), line(500n)] }))).toEqual([])
  })

  it('in another currency is reported as that, and neither added nor missing', () => {
    const dollars = line(1_000n, { currency: 'USD' })
    expect(kinds(payment({ lines: [dollars] }))).toEqual(['currency'])
    expect(judge(payment({ lines: [dollars] }), late).differenceMinor).toBe(0n)
  })

  it('of an attempt that was undone is no part of the sum', () => {
    const other = payment({ attempt: 2, lines: [line(1_000n), line(1_000n, { attempt: 2 })] })
    expect(judge(other, late)).toMatchObject({ state: 'settled', findings: [] })
  })
})

describe('a refund', () => {
  it('has its line by name, by amount, or because it is the only one', () => {
    const lines = [line(1_000n), refundLine(-300n), refundLine(-200n, 'r1')]
    expect(kinds(payment({ ...refunded(200n, 300n), lines }))).toEqual([])
    const only = judge(payment({ ...refunded(200n), lines: [line(1_000n), refundLine(-150n)] }), late)
    expect(only.findings).toMatchObject([
      { kind: 'amount', details: { refundId: 'r1', actualMinor: '-150' } },
    ])
    expect(only.differenceMinor).toBe(50n)
  })

  it('is missing after the usual delay', () => {
    const one = payment({ ...refunded(200n), lines: [line(1_000n)] })
    expect(judge(one, early)).toMatchObject({ state: 'unsettled', dueTime: days(3), findings: [] })
    expect(judge(one, late).findings).toMatchObject([
      { kind: 'missing', subject: 'payment:1:refund:r1', details: { what: 'refund' } },
    ])
  })

  it('in another currency hides no other refund that is missing', () => {
    const dollars = (refundId: string | null) => ({ ...refundLine(-200n, refundId), currency: 'USD' })
    for (const refundId of [null, 'r1', 'r2']) {
      const lines = [line(1_000n), dollars(refundId)]
      expect(kinds(payment({ ...refunded(200n, 300n), lines }))).toEqual(['currency', 'missing'])
    }
    const both = [line(1_000n), dollars(null), dollars('r1')]
    expect(kinds(payment({ ...refunded(200n, 300n), lines: both }))).toEqual(['currency', 'currency'])
  })

  it('that Tender has not seen is reported, unless it was marked', () => {
    const lines = [line(1_000n), refundLine(-200n)]
    expect(judge(payment({ lines }), early)).toMatchObject({
      state: 'difference',
      differenceMinor: -200n,
      findings: [{ kind: 'unseen', details: { what: 'refund' } }],
    })
    expect(kinds(payment({ lines, refundedMinor: 200n }))).toEqual([])
  })
})

describe('a dispute and a return', () => {
  it('are reported while Tender has not seen them', () => {
    const lines = [line(1_000n), line(-1_000n, { kind: 'dispute' })]
    expect(kinds(payment({ lines }))).toEqual(['unseen'])
    expect(kinds(payment({ lines, hasDispute: true }))).toEqual([])
    const returned = [line(1_000n), line(-1_000n, { kind: 'return' })]
    expect(kinds(payment({ lines: returned }))).toEqual(['unseen'])
    expect(kinds(payment({ lines: returned, isReturned: true }))).toEqual([])
    expect(kinds(payment({ capturedMinor: 0n, lines: returned, isReturned: true }))).toEqual([])
  })

  it('may not take more than the disputes are about, nor be in another currency', () => {
    const disputed = (disputedMinor: bigint | null, ...more: readonly JudgedLine[]) =>
      judge(payment({ hasDispute: true, disputedMinor, lines: [line(1_000n), ...more] }), late).findings
    const taken = line(-600n, { kind: 'dispute' })
    expect(disputed(600n, taken)).toEqual([])
    expect(disputed(null, taken)).toEqual([])
    expect(disputed(500n, taken, line(100n, { kind: 'dispute-reversal' }))).toEqual([])
    expect(disputed(500n, taken)).toMatchObject([
      {
        kind: 'amount',
        subject: 'payment:1:dispute',
        details: { expectedMinor: '-500', actualMinor: '-600' },
      },
    ])
    const dollars = line(-600n, { kind: 'dispute', currency: 'USD' })
    expect(disputed(600n, dollars)).toMatchObject([{ kind: 'currency', lineId: dollars.lineId }])
  })

  describe('that are decided', () => {
    const decided = (lostMinor: bigint, lines: readonly JudgedLine[], by = late) =>
      judge(
        payment({ hasDispute: true, disputedMinor: 600n, lostMinor, lines: [line(1_000n), ...lines] }),
        by,
      )
    const taken = line(-600n, { kind: 'dispute' })
    const back = line(600n, { kind: 'dispute-reversal' })

    it('have lines of what was lost, some time after the decision', () => {
      expect(decided(600n, [taken])).toMatchObject({ state: 'settled', findings: [] })
      expect(decided(0n, [taken, back])).toMatchObject({ state: 'settled', findings: [] })
      expect(decided(0n, [])).toMatchObject({ state: 'settled', findings: [] })
      const waiting = { state: 'unsettled', dueTime: days(3), findings: [] }
      expect(decided(600n, [], early)).toMatchObject(waiting)
      expect(decided(0n, [taken], early)).toMatchObject(waiting)
    })

    it('are missing, or of another amount, without them', () => {
      expect(decided(600n, [])).toMatchObject({
        differenceMinor: 0n,
        findings: [{ kind: 'missing', subject: 'payment:1:dispute', details: { expectedMinor: '-600' } }],
      })
      expect(decided(0n, [taken])).toMatchObject({
        ...{ state: 'difference', differenceMinor: -600n },
        findings: [{ kind: 'amount', details: { expectedMinor: '0', actualMinor: '-600' } }],
      })
      expect(decided(600n, [taken, line(100n, { kind: 'dispute-reversal' })])).toMatchObject({
        differenceMinor: 100n,
        findings: [{ kind: 'amount', details: { expectedMinor: '-600', actualMinor: '-500' } }],
      })
    })

    it('may be taken as a refund', () => {
      const one = payment({
        ...{ hasDispute: true, disputedMinor: 600n, lostMinor: 600n, refundedMinor: 600n },
        lines: [line(1_000n), refundLine(-600n)],
      })
      expect(judge(one, late)).toMatchObject({ state: 'settled', findings: [] })
    })
  })

  it('do not hide a wrong line of the sale', () => {
    const back = line(-1_000n, { kind: 'return' })
    // With and without the capture before the return.
    for (const [capturedMinor, refundedMinor] of [[0n, 0n] as const, [1_000n, 1_000n] as const]) {
      const returned = { capturedMinor, refundedMinor, isReturned: true }
      const found = (...lines: readonly JudgedLine[]) => judge(payment({ ...returned, lines }), late).findings
      expect(found(back)).toMatchObject([
        { kind: 'missing', details: { what: 'sale', expectedMinor: '1000' } },
      ])
      expect(found(back, line(2_000n))).toMatchObject([{ kind: 'amount', details: { actualMinor: '2000' } }])
      expect(found(back, line(1_000n), line(1_000n)).map(({ kind }) => kind)).toEqual(['doubled'])
    }
  })
})

describe('a fee', () => {
  const tariff = terms(10, { feeOf: (minor) => minor / 10n })

  it('may differ from the tariff by one minor unit and one per cent', () => {
    const withFee = (feeMinor: bigint, more: Partial<JudgedLine> = {}) =>
      kinds(payment({ lines: [line(1_000n, { feeMinor, ...more })] }), tariff)
    expect(withFee(102n)).toEqual([])
    expect(withFee(103n)).toEqual(['fee'])
    expect(withFee(97n)).toEqual(['fee'])
    expect(withFee(500n, { settlementCurrency: 'USD' })).toEqual([])
  })

  it('that is not as agreed leaves the payment settled', () => {
    const settled = judge(payment({ lines: [line(1_000n, { feeMinor: 900n })] }), tariff)
    expect(settled).toMatchObject({ state: 'settled', differenceMinor: 0n })
  })
})

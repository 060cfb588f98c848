import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LINE_KINDS } from '../providers/settlement.ts'
import {
  type BookedLine,
  foundLinePostings,
  type LedgerPosting,
  matchedLinePostings,
  NOTHING,
  operationKind,
  operationSums,
  otherLinePostings,
  type PaymentSums,
  payoutPostings,
  sumPostings,
  withLine,
} from './rules.ts'

const AT = { profileId: 3, currency: 'EUR' }

const line = (more: Partial<BookedLine>): BookedLine => ({
  ...AT,
  kind: 'sale',
  grossMinor: 0n,
  feeMinor: null,
  netMinor: null,
  settlementCurrency: null,
  payoutId: null,
  ...more,
})

/** `clearing EUR` → sum. */
function totals(postings: readonly LedgerPosting[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { account, currency, amountMinor } of postings) {
    const key = `${account} ${currency}`
    sums[key] = (sums[key] ?? 0n) + amountMinor
  }
  return sums
}

const captured: PaymentSums = { ...NOTHING, capturedMinor: 1000n }

describe('operations', () => {
  it('book a capture to sales, a refund to refunds and a lost dispute to disputes', () => {
    expect(totals(sumPostings(AT, NOTHING, captured))).toEqual({ 'clearing EUR': 1000n, 'sales EUR': -1000n })
    const returned = { ...captured, refundedMinor: 300n, disputedMinor: 200n }
    expect(totals(sumPostings(AT, captured, returned))).toEqual({
      'clearing EUR': -500n,
      'refunds EUR': 300n,
      'disputes EUR': 200n,
    })
  })

  it('tell a lost dispute from a refund, also one without an amount', () => {
    const lost = (minor: bigint | undefined) => [{ state: 'lost', minor }]
    expect(operationSums(1000n, 700n, lost(400n))).toEqual({
      capturedMinor: 1000n,
      refundedMinor: 300n,
      disputedMinor: 400n,
    })
    expect(operationSums(1000n, 1000n, lost(undefined)).disputedMinor).toBe(1000n)
    expect(operationSums(1000n, 0n, [{ state: 'open', minor: 1000n }]).disputedMinor).toBe(0n)
    const wonLate = { state: 'won', minor: 400n, isWonLate: true }
    expect(operationSums(1000n, 1000n, [wonLate])).toMatchObject({ refundedMinor: 600n, disputedMinor: 0n })
    expect(operationSums(1000n, 1000n, [{ ...wonLate, isWonLate: undefined }]).refundedMinor).toBe(1000n)
  })

  it('are named by what changed', () => {
    const refunded = { ...captured, refundedMinor: 1n }
    const disputed = { ...captured, disputedMinor: 1n }
    expect(operationKind(NOTHING, captured)).toBe('capture')
    expect(operationKind(captured, NOTHING)).toBe('capture-failure')
    expect(operationKind(captured, refunded)).toBe('refund')
    expect(operationKind(refunded, captured)).toBe('refund-correction')
    expect(operationKind(captured, disputed)).toBe('dispute')
    expect(operationKind(disputed, captured)).toBe('dispute-reversal')
    expect(operationKind(captured, captured)).toBeUndefined()
  })
})

describe('a line', () => {
  it('of a captured sale books its fee only', () => {
    const sale = line({ grossMinor: 1000n, feeMinor: 29n, netMinor: 971n })
    expect(totals(matchedLinePostings(sale, captured))).toEqual({ 'clearing EUR': -29n, 'fees EUR': 29n })
    // A provider that reports gross and net, without the fee.
    expect(totals(matchedLinePostings({ ...sale, feeMinor: null }, captured))).toEqual({
      'clearing EUR': -29n,
      'fees EUR': 29n,
    })
    expect(matchedLinePostings(line({ grossMinor: 1000n }), captured)).toEqual([])
  })

  it('beyond what was captured or refunded is a difference, and parts of it are none', () => {
    const part = line({ grossMinor: 600n })
    expect(matchedLinePostings(part, captured)).toEqual([])
    const both = withLine(captured, part)
    expect(totals(matchedLinePostings(part, both))).toEqual({
      'clearing EUR': 200n,
      'differences EUR': -200n,
    })
    const refund = line({ kind: 'refund', grossMinor: -50n })
    expect(totals(matchedLinePostings(refund, captured))).toEqual({
      'clearing EUR': -50n,
      'differences EUR': 50n,
    })
    // Tender learns of the refund later.
    const later = withLine(captured, refund)
    expect(totals(sumPostings(AT, later, { ...later, refundedMinor: 50n }))).toEqual({
      'refunds EUR': 50n,
      'differences EUR': -50n,
    })
  })

  it('of a dispute counts once, whether it or the decision comes first', () => {
    const taken = line({ kind: 'dispute', grossMinor: -1000n })
    expect(totals(matchedLinePostings(taken, captured))).toEqual({
      'clearing EUR': -1000n,
      'disputes EUR': 1000n,
    })
    const disputed = withLine(captured, taken)
    expect(sumPostings(AT, disputed, { ...disputed, disputedMinor: 1000n })).toEqual([])
    const back = line({ kind: 'dispute-reversal', grossMinor: 1000n })
    expect(totals(matchedLinePostings(back, disputed))).toEqual({
      'clearing EUR': 1000n,
      'disputes EUR': -1000n,
    })
  })

  it('that Tender does not know is a difference until its payment is found', () => {
    const sale = line({ grossMinor: 1000n, feeMinor: 29n, netMinor: 971n })
    expect(totals(otherLinePostings(sale))).toEqual({
      'clearing EUR': 971n,
      'differences EUR': -1000n,
      'fees EUR': 29n,
    })
    expect(totals(foundLinePostings(sale, captured))).toEqual({
      'clearing EUR': -1000n,
      'differences EUR': 1000n,
    })
  })

  it('in another currency goes through conversion in both', () => {
    const sale = line({ grossMinor: 1000n, feeMinor: 30n, netMinor: 1060n, settlementCurrency: 'USD' })
    expect(totals(matchedLinePostings(sale, captured))).toEqual({
      'clearing EUR': -1000n,
      'conversion EUR': 1000n,
      'clearing USD': 1060n,
      'conversion USD': -1090n,
      'fees USD': 30n,
    })
    for (const grossMinor of [1000n, -1000n]) {
      const conversion = line({ kind: 'conversion', grossMinor, netMinor: 1090n, settlementCurrency: 'USD' })
      expect(totals(otherLinePostings(conversion))).toEqual({
        'clearing EUR': -1000n,
        'conversion EUR': 1000n,
        'clearing USD': 1090n,
        'conversion USD': -1090n,
      })
    }
  })

  it('of a fee, a reserve, an adjustment or a payout has an account of its own', () => {
    const other = (more: Partial<BookedLine>) => totals(otherLinePostings(line(more)))
    const fee = { 'clearing EUR': -5n, 'fees EUR': 5n }
    expect(other({ kind: 'fee', feeMinor: 5n, netMinor: -5n })).toEqual(fee)
    expect(other({ kind: 'fee', grossMinor: -5n, netMinor: -5n })).toEqual(fee)
    expect(other({ kind: 'fee', grossMinor: -5n, feeMinor: 5n, netMinor: -5n })).toEqual(fee)
    expect(other({ kind: 'reserve', grossMinor: -90n, netMinor: -90n })).toEqual({
      'clearing EUR': -90n,
      'reserves EUR': 90n,
    })
    expect(other({ kind: 'adjustment', grossMinor: 7n })).toEqual({
      'clearing EUR': 7n,
      'adjustments EUR': -7n,
    })
    expect(other({ kind: 'payout', grossMinor: -700n })).toEqual({ 'clearing EUR': -700n, 'bank EUR': 700n })
    // Booked with the payout itself; an instant payout has a fee.
    expect(other({ kind: 'payout', grossMinor: -700n, feeMinor: 7n, netMinor: -707n, payoutId: 1 })).toEqual({
      'clearing EUR': -7n,
      'fees EUR': 7n,
    })
    expect(totals(payoutPostings(3, [{ minor: 700n, currency: 'EUR' }]))).toEqual({
      'clearing EUR': -700n,
      'bank EUR': 700n,
    })
  })

  it('whose amounts do not add up shows it as a difference', () => {
    const odd = line({ kind: 'adjustment', grossMinor: 100n, feeMinor: 10n, netMinor: 80n })
    expect(totals(otherLinePostings(odd))).toEqual({
      'clearing EUR': 80n,
      'adjustments EUR': -100n,
      'fees EUR': 10n,
      'differences EUR': 10n,
    })
  })
})

const minor = fc.bigInt({ min: -100_000n, max: 100_000n })
const anyLine = fc.record({
  profileId: fc.constant(3),
  kind: fc.constantFrom(...LINE_KINDS),
  grossMinor: minor,
  currency: fc.constantFrom('EUR', 'JPY'),
  feeMinor: fc.option(minor),
  netMinor: fc.option(minor),
  settlementCurrency: fc.constantFrom(null, 'EUR', 'KWD'),
  payoutId: fc.constantFrom(null, 1),
})

it('whatever a line says, its entries sum to zero in each currency', () => {
  fc.assert(
    fc.property(anyLine, fc.array(anyLine, { maxLength: 5 }), (one, others) => {
      const before = others.reduce(withLine, captured)
      for (const postings of [
        otherLinePostings(one),
        matchedLinePostings(one, before),
        foundLinePostings(one, before),
        sumPostings(AT, captured, before),
      ]) {
        const sums = new Map<string, bigint>()
        for (const { currency, amountMinor } of postings)
          sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor)
        expect([...sums.values()].every((sum) => sum === 0n)).toBe(true)
      }
    }),
  )
})

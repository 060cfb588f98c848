import { after } from '../../base/clock.ts'
import type { LineKind } from '../../providers/settlement.ts'
import { SETTLEMENTS } from '../limits.ts'
import { type SettlementFinding, subjectOfLine } from '../store/exceptions.ts'

/** Compares what Tender knows about a payment with the lines of its provider. Pure. Decision 0158. */

export interface JudgedLine {
  readonly lineId: number
  readonly kind: LineKind
  readonly grossMinor: bigint
  readonly currency: string
  readonly feeMinor: bigint | null
  readonly settlementCurrency: string | null
  /** Null: the payment as a whole. */
  readonly attempt: number | null
  readonly refundId: string | null
  readonly payoutId: number | null
}

interface ExpectedRefund {
  readonly refundId: string
  readonly amountMinor: bigint
  readonly time: Date
}

export interface JudgedPayment {
  readonly paymentId: number
  readonly currency: string
  readonly capturedMinor: bigint
  /** By refunds and lost disputes, and what was marked as refunded. */
  readonly refundedMinor: bigint
  readonly capturedTime: Date
  readonly attempt: number
  readonly hasDispute: boolean
  /** What the disputes that Tender knows are about, together; null: it knows no amount. */
  readonly disputedMinor: bigint | null
  /** What decided disputes took for good; null: one of them is open, or Tender knows none. */
  readonly lostMinor: bigint | null
  /** Not before the last decision. */
  readonly decidedTime: Date
  readonly isReturned: boolean
  /** Refunds at the provider that are done. */
  readonly refunds: readonly ExpectedRefund[]
  /** In order of their ids. */
  readonly lines: readonly JudgedLine[]
}

export interface Terms {
  /** Lines up to here have come. */
  readonly coveredUntil: Date
  /** What was captured or refunded before is not missed. */
  readonly begin: Date
  readonly delayMs: number
  /** The provider's fee by the tariff of the profile; undefined: not known for this currency. */
  readonly feeOf?: ((grossMinor: bigint, currency: string) => bigint | undefined) | undefined
}

export interface SettlementVerdict {
  readonly state: 'unsettled' | 'settled' | 'difference'
  readonly payoutId: number | null
  readonly differenceMinor: bigint
  /** When a line that has not come is missing. */
  readonly dueTime: Date | null
  readonly findings: readonly SettlementFinding[]
}

/** What one expectation and its lines amount to. */
interface Compared {
  readonly isSettled: boolean
  readonly differenceMinor: bigint
  readonly dueTime?: Date
  readonly findings: readonly SettlementFinding[]
}

const NOTHING: Compared = { isSettled: true, differenceMinor: 0n, findings: [] }
const sum = (lines: readonly JudgedLine[]): bigint =>
  lines.reduce((total, { grossMinor }) => total + grossMinor, 0n)

export function judge(payment: JudgedPayment, terms: Terms): SettlementVerdict {
  // An earlier attempt was undone: what it took and gave back is not part of the payment's sums.
  const own = payment.lines.filter(({ attempt }) => attempt === null || attempt === payment.attempt)
  const same = own.filter(({ currency }) => currency === payment.currency)
  const sales = same.filter(({ kind }) => kind === 'sale')
  const compared = [
    compareCurrencies(payment, own),
    compareSales(payment, own, terms),
    ...compareRefunds(payment, own, terms),
    compareDisputes(payment, own, terms),
    compareUnseen(payment, same),
    compareFees(payment, sales, terms),
  ]
  const findings = compared.flatMap((one) => one.findings)
  const dues = compared.flatMap(({ dueTime }) => dueTime ?? [])
  const isDifferent = findings.some(({ kind }) => kind !== 'missing' && kind !== 'fee')
  return {
    state: isDifferent
      ? 'difference'
      : compared.every(({ isSettled }) => isSettled)
        ? 'settled'
        : 'unsettled',
    payoutId: sales.every(({ payoutId }) => payoutId !== null) ? (sales.at(-1)?.payoutId ?? null) : null,
    differenceMinor: compared.reduce((total, one) => total + one.differenceMinor, 0n),
    dueTime: dues.length === 0 ? null : new Date(Math.min(...dues.map((due) => due.getTime()))),
    findings,
  }
}

/** They are in the currency of the charge, also where the balance has another. */
const OF_CHARGES: ReadonlySet<LineKind> = new Set<LineKind>([
  ...(['sale', 'refund', 'dispute', 'dispute-reversal', 'return'] as const),
])

function compareCurrencies(payment: JudgedPayment, lines: readonly JudgedLine[]): Compared {
  const other = lines.filter(({ kind, currency }) => OF_CHARGES.has(kind) && currency !== payment.currency)
  const findings = other.map(
    (line): SettlementFinding => ({
      kind: 'currency',
      subject: subjectOfLine(line.lineId),
      paymentId: payment.paymentId,
      lineId: line.lineId,
      details: { currency: line.currency, actualMinor: String(line.grossMinor) },
    }),
  )
  return { ...NOTHING, findings }
}

interface Expected {
  readonly what: 'sale' | 'refund' | 'dispute'
  /** Signed as lines are. */
  readonly minor: bigint
  readonly time: Date
  readonly refundId?: string
}

function compareSales(payment: JudgedPayment, own: readonly JudgedLine[], terms: Terms): Compared {
  const { capturedMinor, currency, capturedTime } = payment
  const all = own.filter(({ kind }) => kind === 'sale')
  const sales = all.filter((line) => line.currency === currency)
  // A line in another currency is reported as that, and not as missing too.
  if (all.length > sales.length) return NOTHING
  // A debit that was returned before Tender saw its capture has a sale all the same.
  const returned = own.filter((line) => line.kind === 'return' && line.currency === currency)
  const minor = capturedMinor === 0n ? -sum(returned) : capturedMinor
  return compare(payment, { what: 'sale', minor, time: capturedTime }, sales, terms)
}

/** The lines of one capture or refund are summed before they are compared. */
function compare(
  payment: JudgedPayment,
  expected: Expected,
  lines: readonly JudgedLine[],
  terms: Terms,
): Compared {
  const actual = sum(lines)
  if (actual === expected.minor) return NOTHING
  const due = after(expected.time, terms.delayMs)
  const isLess = absolute(actual) < absolute(expected.minor)
  const isLate = due <= terms.coveredUntil
  if (isLess && !isLate) return { ...NOTHING, isSettled: false, dueTime: due }
  if (lines.length === 0) {
    const isMissed = expected.time >= terms.begin
    return { ...NOTHING, isSettled: false, findings: isMissed ? [missing(payment, expected)] : [] }
  }
  const finding = doubled(payment, expected, lines) ?? otherAmount(payment, expected, actual)
  return { isSettled: false, differenceMinor: actual - expected.minor, findings: [finding] }
}

const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor)

const detailsOf = ({ currency }: JudgedPayment, { what, minor, refundId }: Expected) => ({
  what,
  currency,
  expectedMinor: String(minor),
  ...(refundId === undefined ? {} : { refundId }),
})

const subjectOf = ({ paymentId }: JudgedPayment, { what, refundId }: Expected): string =>
  `payment:${paymentId}:${what}${refundId === undefined ? '' : `:${refundId}`}`

const missing = (payment: JudgedPayment, expected: Expected): SettlementFinding => ({
  kind: 'missing',
  subject: subjectOf(payment, expected),
  paymentId: payment.paymentId,
  details: detailsOf(payment, expected),
})

const otherAmount = (payment: JudgedPayment, expected: Expected, actual: bigint): SettlementFinding => ({
  kind: 'amount',
  subject: subjectOf(payment, expected),
  paymentId: payment.paymentId,
  details: { ...detailsOf(payment, expected), actualMinor: String(actual) },
})

/** The sum is right without lines that repeat the amount of an earlier one. */
function doubled(
  payment: JudgedPayment,
  expected: Expected,
  lines: readonly JudgedLine[],
): SettlementFinding | undefined {
  const seen = new Set<bigint>()
  const repeats = lines.filter(({ grossMinor }) => seen.size === seen.add(grossMinor).size)
  const [first] = repeats
  if (!first || sum(lines) - sum(repeats) !== expected.minor) return undefined
  return {
    kind: 'doubled',
    subject: subjectOfLine(first.lineId),
    paymentId: payment.paymentId,
    lineId: first.lineId,
    details: { ...detailsOf(payment, expected), actualMinor: String(sum(lines)) },
  }
}

/**
 * A refund line belongs to the refund that it names, else to one of the same amount that has no line, else to
 * the only refund without a line. What is left has not been seen by Tender.
 */
function compareRefunds(payment: JudgedPayment, own: readonly JudgedLine[], terms: Terms): Compared[] {
  const lines = own.filter(({ kind, currency }) => kind === 'refund' && currency === payment.currency)
  const { byRefund, rest } = assign(payment.refunds, lines)
  const isElsewhere = inOtherCurrency(payment, own)
  const compared = payment.refunds.map((refund): Compared => {
    const found = byRefund.get(refund.refundId) ?? []
    if (found.length === 0 && isElsewhere(refund)) return NOTHING
    const { refundId, amountMinor, time } = refund
    return compare(payment, { what: 'refund', minor: -amountMinor, time, refundId }, found, terms)
  })
  const known = payment.refunds.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  // Marked as refunded, or given back by a cancellation: such refunds have no row of their own.
  const isExplained = -sum(rest) <= payment.refundedMinor - known
  const unseen = isExplained ? [] : rest.map((line) => unseenLine(payment, line, 'refund'))
  return [...compared, { ...NOTHING, differenceMinor: isExplained ? 0n : sum(rest), findings: unseen }]
}

/** A line in another currency is reported as that: its refund is not missing too, and the others may be. */
function inOtherCurrency({ currency }: JudgedPayment, own: readonly JudgedLine[]) {
  const other = own.filter((line) => line.kind === 'refund' && line.currency !== currency)
  const named = new Set(other.map(({ refundId }) => refundId))
  let unnamed = other.filter(({ refundId }) => refundId === null).length
  return ({ refundId }: ExpectedRefund): boolean => named.has(refundId) || unnamed-- > 0
}

function assign(refunds: readonly ExpectedRefund[], lines: readonly JudgedLine[]) {
  const byRefund = new Map<string, JudgedLine[]>()
  const add = (refundId: string, line: JudgedLine) =>
    byRefund.set(refundId, [...(byRefund.get(refundId) ?? []), line])
  const ids = new Set(refunds.map(({ refundId }) => refundId))
  const open = lines.filter((line) => {
    const isNamed = line.refundId !== null && ids.has(line.refundId)
    if (isNamed) add(line.refundId ?? '', line)
    return !isNamed
  })
  const left = open.filter((line) => {
    const same = refunds.find(
      ({ refundId, amountMinor }) => !byRefund.has(refundId) && amountMinor === -line.grossMinor,
    )
    if (same) add(same.refundId, line)
    return !same
  })
  const without = refunds.filter(({ refundId }) => !byRefund.has(refundId))
  const [only, line] = [without[0], left[0]]
  if (only && line && without.length === 1 && left.length === 1) {
    add(only.refundId, line)
    return { byRefund, rest: [] }
  }
  return { byRefund, rest: left }
}

const unseenLine = (
  { paymentId, currency }: JudgedPayment,
  { lineId, grossMinor }: JudgedLine,
  what: 'refund' | 'dispute' | 'return',
): SettlementFinding => ({
  kind: 'unseen',
  subject: subjectOfLine(lineId),
  paymentId,
  lineId,
  details: { what, currency, actualMinor: String(grossMinor) },
})

const isDispute = ({ kind }: JudgedLine): boolean => kind === 'dispute' || kind === 'dispute-reversal'

/**
 * Open disputes may not take more than they are about. They may take less: providers differ in whether an
 * open one takes the money. Once all are decided their lines come to what was lost.
 */
function compareDisputes(payment: JudgedPayment, own: readonly JudgedLine[], terms: Terms): Compared {
  const { hasDispute, disputedMinor, lostMinor, decidedTime: time, currency } = payment
  const lines = own.filter(isDispute)
  const isElsewhere = lines.some((line) => line.currency !== currency)
  if (!hasDispute || disputedMinor === null || isElsewhere) return NOTHING
  const actual = sum(lines)
  if (-actual > disputedMinor) {
    const findings = [otherAmount(payment, { what: 'dispute', minor: -disputedMinor, time }, actual)]
    return { ...NOTHING, differenceMinor: actual + disputedMinor, findings }
  }
  if (lostMinor === null || actual === -lostMinor || actual + takenAsRefund(payment, own) === -lostMinor)
    return NOTHING
  const due = after(time, terms.delayMs)
  if (due > terms.coveredUntil) return { ...NOTHING, isSettled: false, dueTime: due }
  const expected: Expected = { what: 'dispute', minor: -lostMinor, time }
  if (lines.length > 0) {
    const findings = [otherAmount(payment, expected, actual)]
    return { isSettled: false, differenceMinor: actual + lostMinor, findings }
  }
  return { ...NOTHING, isSettled: false, findings: time >= terms.begin ? [missing(payment, expected)] : [] }
}

/** Some providers take what a lost dispute is about as a refund, which is none of Tender's. */
function takenAsRefund({ refunds, currency }: JudgedPayment, own: readonly JudgedLine[]): bigint {
  const lines = own.filter((line) => line.kind === 'refund' && line.currency === currency)
  return sum(assign(refunds, lines).rest)
}

/** What has a line, and is not known to Tender at all. */
function compareUnseen(payment: JudgedPayment, lines: readonly JudgedLine[]): Compared {
  const disputes = lines.filter(isDispute)
  const returns = lines.filter(({ kind }) => kind === 'return')
  const unseen = [
    ...(payment.hasDispute ? [] : disputes.map((line) => unseenLine(payment, line, 'dispute'))),
    ...(payment.isReturned ? [] : returns.map((line) => unseenLine(payment, line, 'return'))),
  ]
  return { ...NOTHING, findings: unseen }
}

function compareFees(payment: JudgedPayment, sales: readonly JudgedLine[], { feeOf }: Terms): Compared {
  const findings = sales.flatMap((line): SettlementFinding[] => {
    const { feeMinor, currency, lineId } = line
    const expected = otherFee(line, feeOf)
    if (expected === undefined) return []
    const details = { currency, expectedMinor: String(expected), actualMinor: String(feeMinor) }
    const { paymentId } = payment
    return [{ kind: 'fee', subject: subjectOfLine(lineId), paymentId, lineId, details }]
  })
  return { ...NOTHING, findings }
}

type LineFee = Pick<JudgedLine, 'grossMinor' | 'feeMinor' | 'currency' | 'settlementCurrency'>

/** What the tariff says, when the fee of the line differs from it by more than the tolerance. */
function otherFee(line: LineFee, feeOf: Terms['feeOf']): bigint | undefined {
  const { feeMinor, grossMinor, currency, settlementCurrency } = line
  const expected = currency === settlementCurrency ? feeOf?.(grossMinor, currency) : undefined
  if (expected === undefined || feeMinor === null) return undefined
  const { feeToleranceMinor, feeTolerancePercent } = SETTLEMENTS
  const tolerance = feeToleranceMinor + (expected * feeTolerancePercent) / 100n
  return absolute(feeMinor - expected) <= tolerance ? undefined : expected
}

/** Whether the payment of a line may be plain, as far as the line decides: see `SETTLE_PLAIN`. */
export const mayBePlain = (line: LineFee & Pick<JudgedLine, 'kind'>, feeOf: Terms['feeOf']): boolean =>
  line.kind === 'sale' && otherFee(line, feeOf) === undefined

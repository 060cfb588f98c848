import type { Money } from '../base/money.ts'
import type { LineKind } from '../providers/settlement.ts'

/**
 * What is booked for payments, settlement lines and payouts. Pure. Debits are positive, credits negative, and
 * every function moves amounts between two accounts, so its postings sum to zero in each currency.
 * Decision 0159.
 */

export const ACCOUNTS = [
  'clearing',
  'reserves',
  'bank',
  'sales',
  'refunds',
  'fees',
  'disputes',
  'adjustments',
  'conversion',
  'differences',
] as const
export type LedgerAccount = (typeof ACCOUNTS)[number]

const OF_PROFILES: ReadonlySet<LedgerAccount> = new Set<LedgerAccount>(['clearing', 'reserves', 'fees'])

export interface LedgerPosting {
  readonly account: LedgerAccount
  /** Null: the account is of the whole app. */
  readonly profileId: number | null
  readonly currency: string
  readonly amountMinor: bigint
}

export type OperationKind =
  | 'capture'
  | 'capture-failure'
  | 'refund'
  | 'refund-correction'
  | 'dispute'
  | 'dispute-reversal'
export type EntryKind = OperationKind | 'line' | 'unknown-line' | 'match' | 'payout'

/** An amount that enters clearing from another account, or leaves it when negative. */
interface Movement {
  readonly from: LedgerAccount
  readonly currency: string
  readonly minor: bigint
}

/** Postings to one account are added, and those of nothing are left out. */
function postingsOf(profileId: number, movements: readonly Movement[]): LedgerPosting[] {
  const sums = new Map<string, LedgerPosting>()
  const add = (account: LedgerAccount, currency: string, minor: bigint) => {
    const key = `${account} ${currency}`
    const amountMinor = (sums.get(key)?.amountMinor ?? 0n) + minor
    sums.set(key, { account, profileId: OF_PROFILES.has(account) ? profileId : null, currency, amountMinor })
  }
  for (const { from, currency, minor } of movements) {
    add('clearing', currency, minor)
    add(from, currency, -minor)
  }
  return [...sums.values()].filter(({ amountMinor }) => amountMinor !== 0n)
}

/** What Tender did with a payment. All are positive; `refundedMinor` is without lost disputes. */
export interface OperationSums {
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
}

/** And the gross amounts of its settlement lines, with the merchant's sign. */
export interface PaymentSums extends OperationSums {
  readonly lineSalesMinor: bigint
  readonly lineRefundsMinor: bigint
  readonly lineDisputesMinor: bigint
}

export const NOTHING: PaymentSums = {
  capturedMinor: 0n,
  refundedMinor: 0n,
  disputedMinor: 0n,
  lineSalesMinor: 0n,
  lineRefundsMinor: 0n,
  lineDisputesMinor: 0n,
}

/** A dispute of a payment, as far as it is booked. Without an amount it is about everything captured. */
export interface DisputeSum {
  readonly state: string
  readonly minor: bigint | undefined
  /** Its amount is in the returned sum although the merchant has it again. */
  readonly isWonLate?: boolean | undefined
}

/** The sums of a payment, whose refunded amount has its lost disputes in it. */
export function operationSums(
  capturedMinor: bigint,
  returnedMinor: bigint,
  disputes: readonly DisputeSum[],
): OperationSums {
  const sumOf = (which: (dispute: DisputeSum) => boolean | undefined) =>
    disputes.filter(which).reduce((sum, { minor }) => sum + (minor ?? capturedMinor), 0n)
  const disputedMinor = smaller(
    sumOf(({ state }) => state === 'lost'),
    returnedMinor,
  )
  const notDisputed = returnedMinor - disputedMinor
  const wonBack = smaller(
    sumOf(({ isWonLate }) => isWonLate),
    notDisputed,
  )
  return { capturedMinor, refundedMinor: notDisputed - wonBack, disputedMinor }
}

/** What changed between two sums; undefined: nothing. */
export function operationKind(before: OperationSums, after: OperationSums): OperationKind | undefined {
  if (after.capturedMinor !== before.capturedMinor)
    return after.capturedMinor > before.capturedMinor ? 'capture' : 'capture-failure'
  if (after.disputedMinor !== before.disputedMinor)
    return after.disputedMinor > before.disputedMinor ? 'dispute' : 'dispute-reversal'
  if (after.refundedMinor !== before.refundedMinor)
    return after.refundedMinor > before.refundedMinor ? 'refund' : 'refund-correction'
  return undefined
}

interface AtProfile {
  readonly profileId: number
  readonly currency: string
}

/** What a change of a payment's sums books. */
export const sumPostings = (at: AtProfile, before: PaymentSums, after: PaymentSums): LedgerPosting[] =>
  postingsOf(at.profileId, sumMovements(at.currency, before, after))

function sumMovements(currency: string, before: PaymentSums, after: PaymentSums): Movement[] {
  const [old, now] = [enteredBy(before), enteredBy(after)]
  return (Object.keys(now) as (keyof typeof now)[]).map((from) => ({
    from,
    currency,
    minor: now[from] - old[from],
  }))
}

/**
 * What entered clearing from each account because of a payment. Lines beyond what Tender did are differences.
 * A dispute is booked when the first of both reports it: providers take the money when it is opened.
 */
function enteredBy(sums: PaymentSums) {
  const moreSales = sums.lineSalesMinor - sums.capturedMinor
  const moreRefunds = sums.lineRefundsMinor + sums.refundedMinor
  return {
    sales: sums.capturedMinor,
    refunds: -sums.refundedMinor,
    disputes: smaller(-sums.disputedMinor, sums.lineDisputesMinor),
    differences: larger(moreSales, 0n) + smaller(moreRefunds, 0n),
  }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** A settlement line as far as it is booked. */
export interface BookedLine {
  readonly profileId: number
  readonly kind: LineKind
  readonly grossMinor: bigint
  readonly currency: string
  readonly feeMinor: bigint | null
  readonly netMinor: bigint | null
  readonly settlementCurrency: string | null
  readonly payoutId: number | null
}

/** The sum of a payment that a line adds to. Undefined: lines of this kind have no payment. */
const SUM_OF_KIND: Readonly<Partial<Record<LineKind, keyof PaymentSums>>> = {
  sale: 'lineSalesMinor',
  refund: 'lineRefundsMinor',
  return: 'lineRefundsMinor',
  dispute: 'lineDisputesMinor',
  'dispute-reversal': 'lineDisputesMinor',
}

export const hasPayment = ({ kind }: BookedLine): boolean => SUM_OF_KIND[kind] !== undefined

export function withLine(sums: PaymentSums, { kind, grossMinor }: BookedLine): PaymentSums {
  const name = SUM_OF_KIND[kind]
  return name === undefined ? sums : { ...sums, [name]: sums[name] + grossMinor }
}

/** A line that belongs to a payment. Its gross amount is booked already, as far as Tender did it. */
export const matchedLinePostings = (line: BookedLine, before: PaymentSums): LedgerPosting[] =>
  postingsOf(line.profileId, [
    ...sumMovements(line.currency, before, withLine(before, line)),
    ...costMovements(line),
  ])

/** A line without a payment: one that has none by its kind, or one that is unknown to Tender. */
export const otherLinePostings = (line: BookedLine): LedgerPosting[] =>
  postingsOf(line.profileId, [...grossMovements(line), ...costMovements(line)])

/** The payment of a line that was booked as unknown has been found. */
export const foundLinePostings = (line: BookedLine, before: PaymentSums): LedgerPosting[] =>
  postingsOf(line.profileId, [
    { from: 'differences', currency: line.currency, minor: -line.grossMinor },
    ...sumMovements(line.currency, before, withLine(before, line)),
  ])

/** Amounts that leave for the bank, or return from it when negative. */
export const payoutPostings = (profileId: number, amounts: readonly Money[]): LedgerPosting[] =>
  postingsOf(
    profileId,
    amounts.map(({ minor, currency }) => ({ from: 'bank', currency, minor: -minor })),
  )

const ACCOUNT_OF_KIND: Readonly<Partial<Record<LineKind, LedgerAccount>>> = {
  fee: 'fees',
  reserve: 'reserves',
  adjustment: 'adjustments',
  conversion: 'conversion',
  payout: 'bank',
}

function grossMovements(line: BookedLine): Movement[] {
  const { kind, currency, grossMinor, payoutId } = line
  // The payout itself is booked, with the amount that the provider reports for it.
  if (kind === 'payout' && payoutId !== null) return []
  // What is converted leaves its currency, whichever sign the provider writes before it.
  if (kind === 'conversion' && isConverted(line)) return []
  return [{ from: ACCOUNT_OF_KIND[kind] ?? 'differences', currency, minor: grossMinor }]
}

const isConverted = (line: BookedLine): boolean =>
  line.netMinor !== null && line.settlementCurrency !== null && line.settlementCurrency !== line.currency

/** The fee, the conversion to the currency of the balance, and what the line itself does not explain. */
function costMovements(line: BookedLine): Movement[] {
  const { kind, currency, grossMinor, netMinor } = line
  if (isConverted(line)) return conversionMovements(line)
  const balance = line.settlementCurrency ?? currency
  const fee = line.feeMinor ?? (netMinor === null ? 0n : grossMinor - netMinor)
  const explained: Movement[] = [{ from: 'fees', currency: balance, minor: -fee }]
  // Such a line may have no amount of its own in another currency.
  if (netMinor === null || balance !== currency || (kind === 'payout' && line.payoutId !== null))
    return explained
  // Some providers write a fee alone as gross and as fee.
  const from = kind === 'fee' ? 'fees' : 'differences'
  return [...explained, { from, currency, minor: netMinor - (grossMinor - fee) }]
}

function conversionMovements(line: BookedLine): Movement[] {
  const { kind, currency, grossMinor } = line
  const balance = line.settlementCurrency ?? currency
  const fee = line.feeMinor ?? 0n
  const arrived = (line.netMinor ?? 0n) + fee
  const isOwnLeg = kind === 'conversion' && grossMinor < 0n !== arrived < 0n
  return [
    { from: 'conversion', currency, minor: isOwnLeg ? grossMinor : -grossMinor },
    { from: 'conversion', currency: balance, minor: arrived },
    { from: 'fees', currency: balance, minor: -fee },
  ]
}

import type { Dispute, Snapshot } from '../../../providers/outcome.ts'
import type { PaymentEvent } from '../../changes/events.ts'
import type { Change } from '../../changes.ts'
import type { DisputeInfo, Payment } from '../../payment.ts'
import { amountProblem } from '../../problems.ts'
import { disputeInfo } from '../merge-facts.ts'
import { type SnapshotContext, updatesFrom } from './context.ts'

// Pure: the disputes that a provider reports, each by its id, compared with those that are known.

const RANKS = ['open', 'lost', 'won'] as const

/** No payment has more; the rest of a longer list is not stored. */
const MAX_DISPUTES = 20

/**
 * The known disputes with the reports about them, open ones first, then lost ones. A dispute from before ids
 * were stored has none, and is replaced by the first report.
 */
function mergedDisputes(payment: Payment, seen: readonly Dispute[]): DisputeInfo[] {
  const known = knownDisputes(payment)
  const byId = new Map(known.filter(({ id }) => id !== '' || seen.length === 0).map((one) => [one.id, one]))
  for (const one of seen) {
    const { isWonLate: wasWonLate, ...before } = byId.get(one.id) ?? {}
    const wasLost = payment.state === 'Refunded' && knownAs(known, one)?.state === 'lost'
    const isWonLate = one.state !== 'lost' && (wasWonLate || wasLost)
    byId.set(one.id, isWonLate ? wonLate(before, one) : { ...before, ...disputeInfo(one) })
  }
  const rank = ({ state }: DisputeInfo): number => RANKS.indexOf(state)
  return [...byId.values()].toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_DISPUTES)
}

/** Its amount stays what was lost, whatever is reported now. */
function wonLate(before: Partial<DisputeInfo>, seen: Dispute): DisputeInfo {
  const { amountMinor: _, ...reported } = disputeInfo(seen)
  return { ...before, ...reported, isWonLate: true }
}

const knownDisputes = ({ payInfo }: Payment): readonly DisputeInfo[] => payInfo?.disputes ?? []

/** What is known of a dispute, also of one from before ids were stored. */
const knownAs = (known: readonly DisputeInfo[], { id }: Dispute): DisputeInfo | undefined =>
  known.find((one) => one.id === id || one.id === '')

interface DisputeNews {
  readonly opened: boolean
  /** What was taken back by disputes that are lost now. Undefined: none was lost. */
  readonly lostMinor: bigint | undefined
  /** What lost disputes had taken back that are won or open again. Undefined: there are none. */
  readonly wonBackMinor: bigint | undefined
}

function newsOf(payment: Payment, seen: readonly Dispute[]): DisputeNews {
  const known = knownDisputes(payment)
  const inState = (one: Dispute) => knownAs(known, one)?.state
  const lost = seen.filter((one) => one.state === 'lost' && inState(one) !== 'lost')
  const lostBy = (one: Dispute) => BigInt(knownAs(known, one)?.amountMinor ?? payment.capturedMinor)
  const wonBack = seen.filter((one) => one.state !== 'lost' && inState(one) === 'lost')
  return {
    opened: seen.some((one) => one.state === 'open' && inState(one) !== 'open'),
    lostMinor: lost.length > 0 ? sumOf(payment, lost) : undefined,
    wonBackMinor: wonBack.length > 0 ? wonBack.reduce((sum, one) => sum + lostBy(one), 0n) : undefined,
  }
}

const sumOf = ({ capturedMinor }: Payment, disputes: readonly Dispute[]): bigint =>
  disputes.reduce((sum, { amount }) => sum + (amount?.minor ?? capturedMinor), 0n)

/** Given back by refunds or taken back by lost disputes, at most the captured sum. */
export function returnedMinor({ captured, refunded, disputes = [] }: Snapshot, payment: Payment): bigint {
  const lost = disputes.filter(({ state }) => state === 'lost')
  const total = refunded.minor + sumOf(payment, lost)
  const most = captured.minor > payment.capturedMinor ? captured.minor : payment.capturedMinor
  return total < most ? total : most
}

/** Whether a dispute is reported that the payment does not show yet. */
export function hasDisputeNews(payment: Payment, { disputes = [] }: Snapshot): boolean {
  const { opened, lostMinor, wonBackMinor } = newsOf(payment, disputes)
  return opened || lostMinor !== undefined || wonBackMinor !== undefined
}

/** Decision 0150. */
export function onDispute(context: SnapshotContext): Change | undefined {
  const { payment, snapshot } = context
  const { disputes: seen = [] } = snapshot
  if (seen.length === 0) return undefined
  const known = knownDisputes(payment)
  const disputes = mergedDisputes(payment, seen)
  const news = newsOf(payment, seen)
  const isChanged = seen.some((one) => knownAs(known, one)?.state !== one.state)
  const events = eventsOf(payment, news, {
    isChanged,
    isOpen: disputes.some(({ state }) => state === 'open'),
  })
  if (events.length === 0 && JSON.stringify(disputes) === JSON.stringify(known)) return undefined
  const learned = updatesFrom(context)
  // Refunded is final, so `lastError` informs the merchant.
  const isLate = payment.state === 'Refunded' && news.wonBackMinor !== undefined
  return {
    events,
    updates: {
      ...learned,
      payInfo: { ...learned.payInfo, disputes },
      ...(isLate ? { lastError: amountProblem('dispute-won-late', payment, news.wonBackMinor ?? 0n) } : {}),
    },
  }
}

interface Disputing {
  /** Some dispute is in another state than before. */
  readonly isChanged: boolean
  /** One is still open. */
  readonly isOpen: boolean
}

/** The events that lead from the payment's state to what the disputes say. */
function eventsOf(
  { state }: Payment,
  { opened, lostMinor, wonBackMinor }: DisputeNews,
  { isChanged, isOpen }: Disputing,
): PaymentEvent[] {
  const decided: PaymentEvent[] = [
    ...(wonBackMinor === undefined ? [] : [{ on: 'disputeWon', amountMinor: wonBackMinor } as const]),
    ...(lostMinor === undefined ? [] : [{ on: 'disputeLost', amountMinor: lostMinor } as const]),
  ]
  const isDisputed = isOpen || decided.length > 0
  if (state !== 'Disputed' && state !== 'Refunded') return isDisputed ? [{ on: 'disputed' }, ...decided] : []
  if (decided.length > 0) return decided
  if (opened || (isChanged && isOpen)) return [{ on: 'disputed' }]
  // All are decided for the merchant. That ends what the merchant marked as disputed, too.
  return state === 'Disputed'
    ? isOpen
      ? []
      : [{ on: 'disputeWon' }]
    : isChanged
      ? [{ on: 'disputeWon' }]
      : []
}

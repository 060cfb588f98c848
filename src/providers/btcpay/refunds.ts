import { money } from '../../base/money.ts'
import type { Echo, Handles, Outcome, RefundSeen } from '../outcome.ts'
import { refundKeyIn, refundName } from './calls.ts'
import { convertedMinor, exactMinor, handlesOf, type Invoice, type Payout, type PullPayment } from './wire.ts'

/** Pure: pull payments of the server as refunds of an invoice. */

/** A pull payment with what was read about it. */
export interface Claimable {
  readonly pull: PullPayment
  readonly payouts: readonly Payout[]
}

export interface RefundFound {
  readonly seen: RefundSeen
  /** The handle that keeps its id, if it is ours. */
  readonly handle?: string
}

/** The handle that keeps the pull payment of a refund, so that it is found without the list of the store. */
const HANDLE = 'refund_'
const handleOf = (key: string): string => `${HANDLE}${key}`

/** The pull payments of earlier refunds, by their keys. */
export const knownRefunds = (handles: Handles): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(handles).flatMap(([name, id]) =>
      name.startsWith(HANDLE) && id !== undefined ? [[name.slice(HANDLE.length), id]] : [],
    ),
  )

export const isRefundOf = ({ id }: Invoice, pull: PullPayment): boolean => pull.name === refundName(id)

/**
 * One pull payment for each key, oldest first. The server has no keys, so a request that arrived although it
 * was believed lost may have made a second one. The customer knows only the one in the handles.
 */
export function withoutTwins(found: readonly Claimable[], known: ReadonlyMap<string, string>): Claimable[] {
  const keyOf = ({ pull }: Claimable): string => refundKeyIn(pull.description) ?? pull.id
  return found.filter((one) => {
    const twins = found.filter((other) => keyOf(other) === keyOf(one))
    return one === chosenOf(twins, known.get(keyOf(one)))
  })
}

const chosenOf = (twins: readonly Claimable[], knownId: string | undefined): Claimable | undefined =>
  twins.find(({ payouts }) => payouts.length > 0) ??
  twins.find(({ pull }) => pull.id === knownId) ??
  twins.find(({ pull }) => !pull.archived) ??
  twins[0]

/** Rates of the invoice's payment methods, by coin: refunds made on the server's pages may be in coins. */
export type Rates = ReadonlyMap<string, string>

/**
 * The refunds of an invoice. What was paid beyond the amount is no money of the payment, so refunds that were
 * made on the server's pages return that part first.
 */
export function refundsOf(invoice: Invoice, found: readonly Claimable[], rates: Rates): RefundFound[] {
  const { amount, paidMinor } = invoice
  let beyondMinor = paidMinor > amount.minor ? paidMinor - amount.minor : 0n
  return found.flatMap((claimable): RefundFound[] => {
    const sums = sumsOf(claimable, amount.currency, rates)
    if (!sums) return []
    const key = refundKeyIn(claimable.pull.description)
    const beyond = key === undefined ? smaller(beyondMinor, sums.totalMinor) : 0n
    beyondMinor -= beyond
    const totalMinor = sums.totalMinor - beyond
    if (totalMinor === 0n) return []
    const claimedMinor = sums.claimedMinor > beyond ? sums.claimedMinor - beyond : 0n
    return seenAs(claimable, { totalMinor, claimedMinor }, { key, currency: amount.currency })
  })
}

interface Sums {
  readonly totalMinor: bigint
  /** Paid out. */
  readonly claimedMinor: bigint
}

function sumsOf({ pull, payouts }: Claimable, currency: string, rates: Rates): Sums | undefined {
  const rate = rates.get(pull.currency)
  const minorOf = (text: string): bigint | undefined => {
    if (pull.currency === currency) return exactMinor(text, currency)
    return rate === undefined ? undefined : convertedMinor(text, rate, currency)
  }
  const totalMinor = minorOf(pull.amount)
  if (totalMinor === undefined) return undefined
  const claimedMinor = payouts
    .filter(({ state }) => state === 'Completed')
    .reduce((sum, payout) => sum + (minorOf(payout.amount) ?? 0n), 0n)
  return { totalMinor, claimedMinor }
}

function seenAs(
  { pull, payouts }: Claimable,
  { totalMinor, claimedMinor }: Sums,
  { key, currency }: { key: string | undefined; currency: string },
): RefundFound[] {
  const isOpen = !pull.archived || payouts.some(({ state }) => state === 'InProgress')
  const state = claimedMinor >= totalMinor ? 'done' : isOpen ? 'pending' : 'failed'
  const seen: RefundSeen = {
    id: pull.id,
    ...(key ? { operationKey: key } : {}),
    amount: money(totalMinor, currency),
    state,
    ...(state === 'pending' && pull.viewLink ? { customerUrl: pull.viewLink } : {}),
    ...(state === 'failed'
      ? { problem: 'the refund was archived before the customer claimed all of it.' }
      : {}),
  }
  const ours: RefundFound = { seen, ...(key ? { handle: handleOf(key) } : {}) }
  if (state !== 'failed' || claimedMinor === 0n) return [ours]
  // The part that was claimed before the rest was withdrawn is returned money.
  const part: RefundSeen = { id: `${pull.id}-claimed`, amount: money(claimedMinor, currency), state: 'done' }
  return [ours, { seen: part }]
}

/** Refunds that hold money of the invoice: paid out or claimable. */
export const refundedOrOpenMinor = (refunds: readonly RefundFound[]): bigint =>
  refunds.filter(({ seen }) => seen.state !== 'failed').reduce((sum, { seen }) => sum + seen.amount.minor, 0n)

/** The outcome of a refund that exists at the server. */
export function refundOutcome(invoice: Invoice, { pull, payouts }: Claimable, key: string): Outcome {
  const { currency } = invoice.amount
  const handles: Handles = { ...handlesOf(invoice), [handleOf(key)]: pull.id }
  const amount = pull.currency === currency ? exactMinor(pull.amount, currency) : undefined
  const echo: Echo = {
    ...(invoice.orderId ? { reference: invoice.orderId } : {}),
    amount: money(amount ?? 0n, pull.currency),
  }
  const [found] = amount === undefined ? [] : refundsOf(invoice, [{ pull, payouts }], new Map())
  switch (found?.seen.state) {
    case 'done':
      return { kind: 'approved', handles, facts: {}, echo }
    case 'failed':
      return { kind: 'declined', handles, reason: 'generic', retry: 'never', raw: { code: 'archived' } }
    default: {
      const page = pull.viewLink ? { customerUrl: pull.viewLink } : {}
      return { kind: 'pending', handles, waitsFor: 'customer', echo, ...page }
    }
  }
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

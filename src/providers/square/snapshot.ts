import { type Money, money } from '../../base/money.ts'
import { unlistedOf } from '../enumerations.ts'
import { entryOf, type Json, listAt, textAt, timeAt } from '../kit/json.ts'
import { unreadable } from '../kit/reply.ts'
import type { Dispute, Handles, RefundSeen, Snapshot, Stage, Unknown } from '../outcome.ts'
import { markInReason, shareOf } from './calls.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { amountIn, factsOf, handlesOf, referenceIn } from './facts.ts'
import { declineIn } from './outcomes.ts'
import { isId, moneyAt } from './wire.ts'

/** Pure: Square's view of one payment. */

interface Seen {
  readonly payment: Json
  readonly refunds: readonly Json[]
  /** The disputes of the payment. */
  readonly disputes: readonly Json[]
  /** Some disputes could not be read now. */
  readonly isIncomplete?: boolean
  /** The handles of the attempt, as far as they are known. */
  readonly handles: Handles
  readonly isSandbox: boolean
}

export function snapshotOf({ payment, handles, isSandbox, ...seen }: Seen): Snapshot | Unknown {
  const amount = amountIn(payment)
  const stage = stageOf(payment)
  const refunds = seen.refunds.map(refundOf)
  if (!amount || !stage || !refunds.every((refund) => refund !== undefined)) return unreadable()
  const done = refunds.filter(({ state }) => state === 'done')
  const refunded = done.reduce((sum, refund) => sum + refund.amount.minor, 0n)
  const disputes = seen.disputes.map((one, place) => disputeOf(one, place, isSandbox))
  const unlisted = unlistedIn(payment, seen)
  const reference = referenceIn(payment)
  const authorised = authorisedIn(payment, handles, amount)
  return {
    kind: 'snapshot',
    handles: { ...handles, ...handlesOf(payment), ...disputeHandles(disputes.map(({ id }) => id)) },
    stage,
    ...(authorised ? { authorised } : {}),
    captured: stage === 'captured' ? amount : money(0n, amount.currency),
    refunded: money(refunded, amount.currency),
    refunds,
    ...(stage === 'declined' ? { decline: declineIn(payment) } : {}),
    ...(disputes.length > 0 ? { disputes } : {}),
    facts: factsOf(payment),
    ...(reference ? { reference } : {}),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(seen.isIncomplete ? { isIncomplete: true } : {}),
  }
}

/** A status that is not listed is counted. It neither ends the payment nor pays it. */
function stageOf(payment: Json): Stage | undefined {
  switch (textAt(payment, 'status')) {
    case 'APPROVED':
      return 'authorised'
    case 'COMPLETED':
      return 'captured'
    case 'PENDING':
      return 'processing'
    case 'FAILED':
      return 'declined'
    case 'CANCELED':
      return hasLapsed(payment) ? 'expired' : 'cancelled'
    case undefined:
      return undefined
    default:
      return 'processing'
  }
}

/** Square cancels what was not completed in time. */
function hasLapsed(payment: Json): boolean {
  const ended =
    timeAt(payment, 'card_details', 'card_payment_timeline', 'voided_at') ?? timeAt(payment, 'updated_at')
  const end = timeAt(payment, 'delayed_until')
  return ended !== undefined && end !== undefined && ended >= end
}

/** On a page nothing is reserved. The amount of a reservation becomes smaller by a capture of a part. */
function authorisedIn(payment: Json, handles: Handles, amount: Money): Money | undefined {
  const status = textAt(payment, 'status')
  if (isId(handles.order) || status === 'FAILED' || status === 'PENDING') return undefined
  const { reserved = '' } = handles
  if (/^\d{1,18}$/.test(reserved)) return money(BigInt(reserved), amount.currency)
  return moneyAt(payment, 'approved_money') ?? amount
}

const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  ...{ PENDING: 'pending', COMPLETED: 'done', REJECTED: 'failed', FAILED: 'failed' },
}

function refundOf(refund: Json): RefundSeen | undefined {
  const [id, amount] = [textAt(refund, 'id'), moneyAt(refund, 'amount_money')]
  const status = textAt(refund, 'status')
  // Money of a status that is not listed may still move.
  const state = entryOf(REFUND_STATES, status) ?? (status ? 'pending' : undefined)
  const operationKey = markInReason(textAt(refund, 'reason'))
  if (id === undefined || !amount || !state) return undefined
  return { id, ...(operationKey ? { operationKey } : {}), amount, state }
}

const DISPUTE_STATES: Readonly<Record<string, Dispute['state']>> = {
  ...{ WON: 'won', INQUIRY_CLOSED: 'won', LOST: 'lost', ACCEPTED: 'lost' },
}

/** No money is taken during an inquiry, and a refund ends it. */
const INQUIRIES = ['INQUIRY_EVIDENCE_REQUIRED', 'INQUIRY_PROCESSING']

/** Square has had both names of it. */
export const disputeId = (dispute: Json): string | undefined =>
  textAt(dispute, 'id') ?? textAt(dispute, 'dispute_id')

const DISPUTE = 'dispute_'

/** A handle for each dispute: later reads ask for it by its id. */
export const disputeHandles = (ids: readonly (string | undefined)[]): Handles =>
  Object.fromEntries(ids.filter(isId).map((id) => [`${DISPUTE}${id}`, id]))

export const knownDisputes = (handles: Handles): readonly string[] =>
  Object.entries(handles).flatMap(([name, id]) => (name.startsWith(DISPUTE) && isId(id) ? [id] : []))

function disputeOf(dispute: Json, place: number, isSandbox: boolean): Dispute {
  const id = disputeId(dispute)
  const state = textAt(dispute, 'state') ?? ''
  const amount = moneyAt(dispute, 'amount_money')
  const reason = textAt(dispute, 'reason')
  const evidenceDue = timeAt(dispute, 'due_at')
  const host = isSandbox ? 'app.squareupsandbox.com' : 'app.squareup.com'
  return {
    id: id ?? `dispute ${place + 1}`,
    state: entryOf(DISPUTE_STATES, state) ?? 'open',
    ...(amount ? { amount } : {}),
    ...(INQUIRIES.includes(state) ? { isRefundable: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evidenceDue ? { evidenceDue } : {}),
    ...(isId(id) ? { url: `https://${host}/dashboard/sales/disputes/${id}` } : {}),
  }
}

const unlistedIn = (payment: Json, { refunds, disputes }: Pick<Seen, 'refunds' | 'disputes'>): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['paymentStatus', textAt(payment, 'status')],
    ...refunds.map((one) => ['refundStatus', textAt(one, 'status')] as const),
    ...disputes.map((one) => ['disputeState', textAt(one, 'state')] as const),
  ])

// ---- pages ------------------------------------------------------------------------------------------------

/** Ids of the payments of an order, the last one last. A failed try leaves the page open. */
export interface Tenders {
  readonly paid: readonly string[]
  readonly failed: readonly string[]
  /** The page was paid in part only, with this sum: the customer has yet to pay the rest. */
  readonly part?: Money
}

export function tendersIn(order: Json): Tenders {
  const idOf = (tender: Json) => textAt(tender, 'payment_id') ?? textAt(tender, 'id')
  const hasFailed = (tender: Json) =>
    ['FAILED', 'VOIDED'].includes(textAt(tender, 'card_details', 'status') ?? '')
  const tenders = listAt(order, 'tenders')
  const ids = (found: readonly Json[]) => found.map(idOf).filter(isId)
  const paid = tenders.filter((tender) => !hasFailed(tender))
  const amounts = paid.map((tender) => moneyAt(tender, 'amount_money')?.minor)
  const total = moneyAt(order, 'total_money')
  const sum = amounts.reduce<bigint>((all, minor) => all + (minor ?? 0n), 0n)
  const isShort = total && !amounts.includes(undefined) && paid.length > 0 && sum < total.minor
  const part = isShort ? { part: money(sum, total.currency) } : {}
  return { paid: ids(paid), failed: ids(tenders.filter(hasFailed)), ...part }
}

/** The same from payments, which Square may list in any order. */
export function paymentsAsTenders(payments: readonly Json[]): Tenders {
  const hasFailed = (payment: Json) => ['FAILED', 'CANCELED'].includes(textAt(payment, 'status') ?? '')
  const ids = (found: readonly Json[]) => found.map((one) => textAt(one, 'id')).filter(isId)
  return {
    paid: ids(payments.filter((payment) => !hasFailed(payment))),
    failed: ids(payments.filter(hasFailed)),
  }
}

/** A page on which no one has paid, or only a part. Its handles close it. */
export function pageSnapshot(order: Json, handles: Handles, failed?: Json): Snapshot | Unknown {
  const amount = moneyAt(order, 'total_money')
  const state = textAt(order, 'state')
  const isOpen = state === 'DRAFT' || state === 'OPEN'
  if (!amount || (!isOpen && state !== 'CANCELED')) return unreadable()
  const nothing = money(0n, amount.currency)
  const reference = textAt(order, 'reference_id')
  const decline = failed && declineIn(failed)
  const { part: received } = tendersIn(order)
  return {
    kind: 'snapshot',
    handles,
    ...(received ? { received } : {}),
    stage: isOpen ? 'needs-customer' : decline ? 'declined' : 'cancelled',
    ...{ captured: nothing, refunded: nothing, refunds: [], facts: {} },
    ...(decline ? { decline } : {}),
    ...(reference ? { reference } : {}),
  }
}

interface ClosedInPart {
  /** Handles of the attempt without the id of a payment, so that the next read begins with the order. */
  readonly handles: Handles
  readonly part: string
  readonly others: readonly string[]
}

/** A part of the amount was paid before the page was closed: it pays for nothing. */
export function closedInPart(seen: Snapshot, { handles, part, others }: ClosedInPart): Snapshot {
  const extra = others.map((id) => ({ id, handles: { ...handles, part: id } }))
  return {
    ...seen,
    ...{ stage: 'cancelled', handles: { ...handles, part } },
    ...(extra.length > 0 ? { extra } : {}),
  }
}

/**
 * A page that was paid in several parts, such as a gift card and a card. The parts are one payment: the last
 * one stands for it, and sums are of all of them.
 */
export function joined(parts: readonly (Snapshot | Unknown)[]): Snapshot | Unknown {
  const seen = parts.filter((part) => part.kind === 'snapshot')
  const main = seen.at(-1)
  if (!main || seen.length < parts.length)
    return parts.find((part) => part.kind !== 'snapshot') ?? unreadable()
  const disputes = seen.flatMap((part) => part.disputes ?? [])
  const refunds = withoutShares(seen.flatMap((part) => part.refunds))
  return {
    ...main,
    handles: {
      ...main.handles,
      payments: seen.map((part) => part.handles.payment).join(','),
      ...disputeHandles(disputes.map(({ id }) => id)),
    },
    stage: seen.every(({ stage }) => stage === 'captured') ? 'captured' : 'processing',
    captured: total(
      seen.map((part) => ({ amount: part.captured })),
      main.captured,
    ),
    refunded: total(
      refunds.filter(({ state }) => state === 'done'),
      main.captured,
    ),
    refunds,
    ...(disputes.length > 0 ? { disputes } : {}),
    ...(seen.some((part) => part.isIncomplete) ? { isIncomplete: true } : {}),
  }
}

const total = (all: readonly { readonly amount: Money }[], { currency }: Money): Money =>
  money(
    all.reduce((sum, { amount }) => sum + amount.minor, 0n),
    currency,
  )

/**
 * The shares of one refund are one refund, once all of them were made. Before that they are refunds without
 * our key, and so are those that are done although another one failed: the operation was not carried out.
 */
function withoutShares(refunds: readonly RefundSeen[]): RefundSeen[] {
  const keyOf = ({ operationKey = '' }: RefundSeen): string => shareOf(operationKey).key
  return [...new Set(refunds.map(keyOf))].flatMap((key) => {
    const own = refunds.filter((refund) => keyOf(refund) === key)
    const of = Math.max(...own.map(({ operationKey = '' }) => shareOf(operationKey).of))
    return key === '' || own.length < of ? own.map(withoutKey) : together(key, own)
  })
}

const withoutKey = ({ operationKey: _key, ...refund }: RefundSeen): RefundSeen => refund

function together(operationKey: string, shares: readonly RefundSeen[]): RefundSeen[] {
  const has = (state: RefundSeen['state']) => shares.some((one) => one.state === state)
  const state = has('failed') ? 'failed' : has('pending') ? 'pending' : 'done'
  const isCounted = (one: RefundSeen) => state !== 'failed' || one.state === 'failed'
  const counted = shares.filter(isCounted)
  const [first] = counted
  const whole = first
    ? [{ ...first, operationKey, state, amount: total(counted, first.amount) } as const]
    : []
  return [...whole, ...shares.filter((one) => !isCounted(one)).map(withoutKey)]
}

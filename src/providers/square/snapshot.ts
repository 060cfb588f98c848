import { type Money, money } from '../../base/money.ts'
import type { Dispute, Handles, RefundSeen, Snapshot, Stage, Unknown } from '../outcome.ts'
import { keyInReason } from './calls.ts'
import { unreadable } from './exchange.ts'
import { amountIn, factsOf, handlesOf, referenceIn } from './facts.ts'
import { declineIn } from './outcomes.ts'
import { isId, listAt, moneyAt, type SquareJson, textAt, timeAt } from './wire.ts'

/** Pure: Square's view of one payment. */

interface Seen {
  readonly payment: SquareJson
  readonly refunds: readonly SquareJson[]
  /** The disputes of the payment. */
  readonly disputes: readonly SquareJson[]
  /** Of the attempt, as far as they are known. */
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
  const dispute = disputeOf(seen.disputes, isSandbox)
  const reference = referenceIn(payment)
  const authorised = authorisedIn(payment, handles, amount)
  return {
    kind: 'snapshot',
    handles: { ...handles, ...handlesOf(payment) },
    stage,
    ...(authorised ? { authorised } : {}),
    captured: stage === 'captured' ? amount : money(0n, amount.currency),
    refunded: money(refunded, amount.currency),
    refunds,
    ...(stage === 'declined' ? { decline: declineIn(payment) } : {}),
    ...(dispute ? { disputes: [dispute] } : {}),
    facts: factsOf(payment),
    ...(reference ? { reference } : {}),
  }
}

/** Undefined if Square has a status that we do not know. */
function stageOf(payment: SquareJson): Stage | undefined {
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
    default:
      return undefined
  }
}

/** Square cancels what was not completed in time. */
function hasLapsed(payment: SquareJson): boolean {
  const ended =
    timeAt(payment, 'card_details', 'card_payment_timeline', 'voided_at') ?? timeAt(payment, 'updated_at')
  const end = timeAt(payment, 'delayed_until')
  return ended !== undefined && end !== undefined && ended >= end
}

/** On a page nothing is reserved. The amount of a reservation becomes smaller by a capture of a part. */
function authorisedIn(payment: SquareJson, handles: Handles, amount: Money): Money | undefined {
  const status = textAt(payment, 'status')
  if (isId(handles.order) || status === 'FAILED' || status === 'PENDING') return undefined
  const { reserved = '' } = handles
  if (/^\d{1,18}$/.test(reserved)) return money(BigInt(reserved), amount.currency)
  return moneyAt(payment, 'approved_money') ?? amount
}

const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  ...{ PENDING: 'pending', COMPLETED: 'done', REJECTED: 'failed', FAILED: 'failed' },
}

function refundOf(refund: SquareJson): RefundSeen | undefined {
  const [id, amount] = [textAt(refund, 'id'), moneyAt(refund, 'amount_money')]
  const state = REFUND_STATES[textAt(refund, 'status') ?? '']
  const operationKey = keyInReason(textAt(refund, 'reason'))
  if (id === undefined || !amount || !state) return undefined
  return { id, ...(operationKey ? { operationKey } : {}), amount, state }
}

const DISPUTE_STATES: Readonly<Record<string, Dispute['state']>> = {
  ...{ WON: 'won', INQUIRY_CLOSED: 'won', LOST: 'lost', ACCEPTED: 'lost' },
}

/** The newest: an inquiry may be followed by a dispute. */
function disputeOf(disputes: readonly SquareJson[], isSandbox: boolean): Dispute | undefined {
  const when = (dispute: SquareJson): number =>
    (timeAt(dispute, 'updated_at') ?? timeAt(dispute, 'created_at'))?.getTime() ?? 0
  const [newest] = disputes.toSorted((one, other) => when(other) - when(one))
  if (!newest) return undefined
  const id = textAt(newest, 'id') ?? textAt(newest, 'dispute_id')
  const amount = moneyAt(newest, 'amount_money')
  const reason = textAt(newest, 'reason')
  const evidenceDue = timeAt(newest, 'due_at')
  const host = isSandbox ? 'app.squareupsandbox.com' : 'app.squareup.com'
  return {
    id: id ?? '',
    state: DISPUTE_STATES[textAt(newest, 'state') ?? ''] ?? 'open',
    ...(amount ? { amount } : {}),
    ...(reason ? { reason } : {}),
    ...(evidenceDue ? { evidenceDue } : {}),
    ...(isId(id) ? { url: `https://${host}/dashboard/sales/disputes/${id}` } : {}),
  }
}

// ---- pages ------------------------------------------------------------------------------------------------

/** Ids of the payments of an order, the last one last. A failed try leaves the page open. */
export interface Tenders {
  readonly paid: readonly string[]
  readonly failed: readonly string[]
}

export function tendersIn(order: SquareJson): Tenders {
  const idOf = (tender: SquareJson) => textAt(tender, 'payment_id') ?? textAt(tender, 'id')
  const hasFailed = (tender: SquareJson) =>
    ['FAILED', 'VOIDED'].includes(textAt(tender, 'card_details', 'status') ?? '')
  const tenders = listAt(order, 'tenders')
  const ids = (found: readonly SquareJson[]) => found.map(idOf).filter(isId)
  return {
    paid: ids(tenders.filter((tender) => !hasFailed(tender))),
    failed: ids(tenders.filter(hasFailed)),
  }
}

/** The same from payments, which Square may list in any order. */
export function paymentsAsTenders(payments: readonly SquareJson[]): Tenders {
  const hasFailed = (payment: SquareJson) => ['FAILED', 'CANCELED'].includes(textAt(payment, 'status') ?? '')
  const ids = (found: readonly SquareJson[]) => found.map((one) => textAt(one, 'id')).filter(isId)
  return {
    paid: ids(payments.filter((payment) => !hasFailed(payment))),
    failed: ids(payments.filter(hasFailed)),
  }
}

/** A page on which no one has paid. Its handles close it. */
export function pageSnapshot(order: SquareJson, handles: Handles, failed?: SquareJson): Snapshot | Unknown {
  const amount = moneyAt(order, 'total_money')
  const state = textAt(order, 'state')
  const isOpen = state === 'DRAFT' || state === 'OPEN'
  if (!amount || (!isOpen && state !== 'CANCELED')) return unreadable()
  const nothing = money(0n, amount.currency)
  const reference = textAt(order, 'reference_id')
  const decline = failed && declineIn(failed)
  return {
    kind: 'snapshot',
    handles,
    stage: isOpen ? 'needs-customer' : decline ? 'declined' : 'cancelled',
    ...{ captured: nothing, refunded: nothing, refunds: [], facts: {} },
    ...(decline ? { decline } : {}),
    ...(reference ? { reference } : {}),
  }
}

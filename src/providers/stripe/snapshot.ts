import { DAY } from '../../base/clock.ts'
import { money } from '../../base/money.ts'
import { unlistedOf } from '../enumerations.ts'
import { type Json, listAt, numberAt, objectAt, secondsAt, textAt } from '../kit/json.ts'
import { methodAt, namedMethod } from '../methods/catalogue.ts'
import type { Dispute, RefundSeen, Snapshot, Stage, Unknown } from '../outcome.ts'
import { fromWire } from './amounts.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { declinedBy } from './exchange.ts'
import { factsOf, handlesOf } from './facts.ts'
import { actionUrlOf } from './outcomes.ts'
import { OPERATION, REFERENCE } from './reads.ts'

/** Pure: Stripe's view of one payment. */

export interface Seen {
  readonly session?: Json
  /** A session has one only after the customer tried to pay. */
  readonly intent?: Json
  /** Newest first, as Stripe lists them. */
  readonly refunds: readonly Json[]
  /** All disputes of the payment. */
  readonly disputes: readonly Json[]
  /** The reviews in the events about this payment, newest first. */
  readonly reviews: readonly Json[]
  /** Disputes or reviews could not be read now. */
  readonly isIncomplete?: boolean
  readonly isSandbox: boolean
  readonly now: Date
}

export function snapshotOf(seen: Seen): Snapshot | Unknown {
  const { session, intent } = seen
  const currency = textAt(intent, 'currency') ?? textAt(session, 'currency')
  const captured = fromWire(hasFailed(intent) ? 0 : (numberAt(intent, 'amount_received') ?? 0), currency)
  const refunds = seen.refunds.map(refundOf).reverse()
  const stage = stageOf(session, intent)
  if (!captured || !stage || !refunds.every((refund) => refund !== undefined)) return unreadable
  const done = refunds.filter(({ state }) => state === 'done')
  const refunded = done.reduce((sum, { amount }) => sum + amount.minor, 0n)
  const authorised = wasAuthorised(intent) ? fromWire(numberAt(intent, 'amount'), currency) : undefined
  const decline = declineIn(intent)
  const reference = textAt(session, 'client_reference_id') ?? textAt(intent, 'metadata', REFERENCE)
  const news = newsOf(seen)
  const unlisted = unlistedIn(seen)
  const customerUrl = textAt(session, 'url') ?? (intent && actionUrlOf(intent))
  return {
    kind: 'snapshot',
    handles: {
      ...handlesOf({ ...(session ? { session } : {}), ...(intent ? { intent } : {}) }),
      // Later reads look at the disputes again, whatever the charge shows.
      ...(news.disputes?.[0] ? { dispute: news.disputes[0].id } : {}),
    },
    stage,
    ...(authorised ? { authorised } : {}),
    captured,
    refunded: money(refunded, captured.currency),
    refunds,
    ...(decline ? { decline } : {}),
    ...news,
    ...(stage === 'needs-customer' && customerUrl ? { customerUrl } : {}),
    facts: intent ? factsOf(intent) : {},
    ...(reference ? { reference } : {}),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(seen.isIncomplete ? { isIncomplete: true } : {}),
  }
}

const unreadable: Unknown = { kind: 'unknown', why: 'unreadable-reply' }

function isDebit(intent: Json | undefined): boolean {
  const type = textAt(intent, 'latest_charge', 'payment_method_details', 'type')
  const { returnDays = 0 } = namedMethod(methodAt('stripe', type)) ?? {}
  return type === 'us_bank_account' || returnDays > 0
}

/** A debit can fail after it succeeded. */
const hasFailed = (intent: Json | undefined): boolean =>
  isDebit(intent) && textAt(intent, 'latest_charge', 'status') === 'failed'

const wasAuthorised = (intent: Json | undefined): boolean =>
  textAt(intent, 'capture_method') === 'manual' && textAt(intent, 'latest_charge', 'status') === 'succeeded'

/** Undefined if Stripe has a status that we do not know. */
function stageOf(session: Json | undefined, intent: Json | undefined): Stage | undefined {
  const page = session ? textAt(session, 'status') : 'complete'
  if (!intent) return page === 'complete' ? 'processing' : pageStage(page)
  if (hasFailed(intent)) return 'declined'
  const status = textAt(intent, 'status')
  const isUnpaid = status?.startsWith('requires_') && status !== 'requires_capture'
  if (page === 'expired' && isUnpaid) return leftStage(intent)
  switch (status) {
    case 'succeeded':
      return 'captured'
    case 'requires_capture':
      return 'authorised'
    case 'processing':
    case 'requires_confirmation':
      return 'processing'
    case 'canceled':
      return page === 'expired' ? leftStage(intent) : cancelledStage(intent)
    case 'requires_payment_method':
      // The customer may try another card while the page is open.
      return page === 'open' ? 'needs-customer' : 'declined'
    case 'requires_action':
      // After the page, the bank account is being confirmed.
      return session && page === 'complete' ? 'processing' : 'needs-customer'
    case undefined:
      return undefined
    default:
      // A status that is not listed is counted. It neither ends the payment nor pays it.
      return 'processing'
  }
}

const pageStage = (page: string | undefined): Stage | undefined =>
  page === 'open' ? 'needs-customer' : page === 'expired' ? 'expired' : undefined

/** The customer left the page without paying, maybe after a decline. */
const leftStage = (intent: Json): Stage => (declineIn(intent) ? 'declined' : 'expired')

/** `automatic` is the older word for an authorisation that expired. */
function cancelledStage(intent: Json): Stage {
  const reason = textAt(intent, 'cancellation_reason')
  return reason === 'expired' || reason === 'automatic' ? 'expired' : 'cancelled'
}

function declineIn(intent: Json | undefined): Snapshot['decline'] | undefined {
  const charge = objectAt(intent, 'latest_charge')
  const failed = textAt(charge, 'failure_code')
  const own = objectAt(intent, 'last_payment_error')
  const error = textAt(own, 'type') ? own : { code: failed, message: textAt(charge, 'failure_message') }
  if (!textAt(own, 'type') && !failed) return undefined
  const { kind: _kind, handles: _handles, ...decline } = declinedBy(error)
  return decline
}

const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  canceled: 'failed',
  failed: 'failed',
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'done',
}

function refundOf(refund: Json): RefundSeen | undefined {
  const id = textAt(refund, 'id')
  const amount = fromWire(numberAt(refund, 'amount'), refund.currency)
  const status = textAt(refund, 'status') ?? ''
  // Money of a status that is not listed may still move.
  const state = (Object.hasOwn(REFUND_STATES, status) ? REFUND_STATES[status] : undefined) ?? 'pending'
  const operationKey = textAt(refund, 'metadata', OPERATION)
  const problem = textAt(refund, 'failure_reason')?.replaceAll('_', ' ')
  if (!id || !amount || !status) return undefined
  return {
    id,
    ...(operationKey ? { operationKey } : {}),
    amount,
    state,
    ...(problem ? { problem } : {}),
  }
}

// ---- disputes and reviews ---------------------------------------------------------------------------------

/** Stripe lists events of the last 30 days. */
const EVENTS_LAST_MS = 30 * DAY

function newsOf(seen: Seen): Pick<Snapshot, 'disputes' | 'isReturned' | 'review'> {
  const { intent } = seen
  const disputes = seen.disputes.flatMap((one) => disputeOf(one, seen) ?? [])
  const isLostDebit = isDebit(intent) && disputes.some(({ state }) => state === 'lost')
  const review = intent && textAt(intent, 'review') ? reviewOf(seen) : undefined
  return {
    ...(hasFailed(intent) || isLostDebit ? { isReturned: true } : {}),
    ...(disputes.length > 0 && !isLostDebit ? { disputes } : {}),
    ...(review ? { review } : {}),
  }
}

const DISPUTE_STATES: Readonly<Record<string, Dispute['state']>> = {
  lost: 'lost',
  needs_response: 'open',
  prevented: 'won',
  under_review: 'open',
  warning_closed: 'won',
  warning_needs_response: 'open',
  warning_under_review: 'open',
  won: 'won',
}

/** A dispute is prevented without a movement of money, or by giving it back: its balance shows which. */
function stateOf(status: string, dispute: Json): Dispute['state'] {
  const movements = listAt(dispute, 'balance_transactions')
  const sum = movements.reduce((total, one) => total + (numberAt(one, 'amount') ?? 0), 0)
  if (status === 'prevented' && sum < 0) return 'lost'
  return (Object.hasOwn(DISPUTE_STATES, status) ? DISPUTE_STATES[status] : undefined) ?? 'open'
}

/** Inquiries have the same id when they become chargebacks. The amount may be a part of the payment. */
function disputeOf(dispute: Json, { intent, isSandbox }: Seen): Dispute | undefined {
  const id = textAt(dispute, 'id')
  if (!id) return undefined
  const status = textAt(dispute, 'status') ?? ''
  const isOurCurrency = textAt(dispute, 'currency') === textAt(intent, 'currency')
  const amount = isOurCurrency ? fromWire(numberAt(dispute, 'amount'), dispute.currency) : undefined
  const reason = textAt(dispute, 'reason')
  const evidenceDue = secondsAt(dispute, 'evidence_details', 'due_by')
  const mode = isSandbox ? 'test/' : ''
  return {
    id,
    state: stateOf(status, dispute),
    ...(amount ? { amount } : {}),
    ...(dispute.is_charge_refundable === true ? { isRefundable: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evidenceDue ? { evidenceDue } : {}),
    url: `https://dashboard.stripe.com/${mode}disputes/${encodeURIComponent(id)}`,
  }
}

/** An older review may have been decided so long ago that its events are gone: then nothing is new. */
function isRecent(intent: Json | undefined, now: Date): boolean {
  const paidAt = secondsAt(intent, 'latest_charge', 'created')
  return paidAt !== undefined && now.getTime() - paidAt.getTime() < EVENTS_LAST_MS
}

/** A review that ended with a refund or a cancellation shows in the sums and the stage. */
function reviewOf({ reviews, intent, now }: Seen): Snapshot['review'] {
  const closed = reviews.find((one) => one.open === false)
  if (!closed) return reviews.length > 0 || isRecent(intent, now) ? 'open' : undefined
  const reason = textAt(closed, 'closed_reason') ?? textAt(closed, 'reason')
  return reason === 'approved' || reason === 'acknowledged' || reason === 'disputed' ? 'approved' : undefined
}

/** Statuses that the enumerations do not have. */
const unlistedIn = ({ session, intent, refunds, disputes, reviews }: Seen): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['checkout session status', textAt(session, 'status')],
    ['payment intent status', textAt(intent, 'status')],
    ...refunds.map((one) => ['refund status', textAt(one, 'status')] as const),
    ...disputes.map((one) => ['dispute status', textAt(one, 'status')] as const),
    ...reviews.map((one) => ['review closed reason', textAt(one, 'closed_reason')] as const),
  ])

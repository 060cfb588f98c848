import type { RefundSeen, Snapshot } from '../../providers/outcome.ts'
import type { Hint } from '../../providers/port.ts'
import type { Change, Learnt, PaymentEvent, RefundNews } from '../changes.ts'
import type { Failure, OperationRecord, OperationStatus, Payment } from '../payment.ts'
import { amountText, declined, learn, reservedUntil, summary } from './merge-facts.ts'
import { attemptEnded, attemptPaid, endOf, repaid, type Surroundings, stepRefused } from './on-outcome.ts'

/**
 * Pure: what reading the provider means for a payment. The provider's view is a fact whoever learnt it, so
 * what it proves ends an operation without regard to leases. Merging only adds: sums never shrink, old news
 * says nothing.
 */
export interface Seen {
  readonly payment: Payment
  /** The operation that has not ended, if there is one. */
  readonly operation: OperationRecord | undefined
  readonly snapshot: Snapshot
  readonly around: Surroundings
}

/** The change that the provider's view calls for, or undefined when it is no news. */
export function newsFrom(seen: Seen): Change | undefined {
  const { payment, snapshot } = seen
  switch (payment.state) {
    case 'Created':
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
      return attemptNews(seen)
    case 'Authorized':
    case 'ProviderAuthorizedHold':
      return authorisationNews(seen)
    case 'Capturing':
      return captureNews(seen)
    case 'Cancelling':
      return cancelNews(seen)
    case 'Refunding':
      return refundNews(seen)
    case 'Captured':
    case 'Disputed':
      return disputeNews(seen) ?? foreignRefundNews(seen)
    case 'Refunded':
      return failedRefundNews(payment, snapshot)
    case 'CapturedHold':
    case 'Failed':
      return undefined
  }
}

function ending({ operation, snapshot }: Seen, status: OperationStatus): Pick<Change, 'operation'> {
  if (!operation) return {}
  const outcome = summary('seen', { why: snapshot.stage })
  return { operation: { ...endOf(operation, status, outcome), leaseToken: null, handles: snapshot.handles } }
}

const learntFrom = ({ payment, snapshot, around }: Seen): Learnt => ({
  ...learn(payment, snapshot),
  ...around.stored,
})

function attemptNews(seen: Seen): Change | undefined {
  const { payment, snapshot, around } = seen
  const learnt = learntFrom(seen)
  const began: PaymentEvent[] = payment.state === 'Created' ? [{ on: 'began' }] : []
  switch (snapshot.stage) {
    case 'needs-customer':
      return pageNews(seen)
    case 'approved':
      return payment.state === 'Created'
        ? { events: [{ on: 'approved' }], learnt, ...ending(seen, 'done') }
        : undefined
    case 'in-review':
    case 'processing':
      return payment.state === 'Created' ? { events: began, learnt, ...waiting(seen) } : undefined
    case 'authorised': {
      const authorisedUntil = reservedUntil(snapshot.facts, around.now, around.authorisationWindowMs)
      const paid = { began, moved: { on: 'authorized' }, learnt: { ...learnt, authorisedUntil } } as const
      return { ...attemptPaid(payment, around, paid), ...ending(seen, 'done') }
    }
    case 'captured': {
      const paid = { began, moved: captured(snapshot), learnt }
      return { ...attemptPaid(payment, around, paid), ...ending(seen, 'done') }
    }
    case 'declined':
    case 'cancelled':
    case 'expired': {
      const news = ending(seen, 'declined').operation
      return attemptEnded(payment, { learnt, failure: endedBecause(snapshot), news })
    }
  }
}

/** The page is open and nobody has acted: worth noting only when its address was lost with a crash. */
function pageNews(seen: Seen): Change | undefined {
  const { payment, snapshot } = seen
  const lost = payment.redirectUrl === null && snapshot.customerUrl !== undefined
  if (!lost) return undefined
  return { events: [], learnt: { ...learntFrom(seen), redirectUrl: snapshot.customerUrl }, ...waiting(seen) }
}

function waiting({ operation, snapshot }: Seen): Pick<Change, 'operation'> {
  if (!operation) return {}
  const outcome = summary('seen', { why: snapshot.stage })
  const news = { ...endOf(operation, 'waiting', outcome), leaseToken: null, againInMs: FIRST_LOOK_MS }
  return { operation: { ...news, handles: snapshot.handles } }
}
const FIRST_LOOK_MS = 2_000

const captured = (snapshot: Snapshot) => ({ on: 'captured', totalMinor: snapshot.captured.minor }) as const

function endedBecause({ stage, decline }: Snapshot): Failure {
  if (stage === 'cancelled') return declined('customer-cancelled')
  return declined(stage === 'expired' ? 'expired' : (decline?.reason ?? 'generic'))
}

const RELEASED = {
  expired: { code: 'authorization_expired', message: 'The authorisation expired before it was captured.' },
  cancelled: { code: 'cancelled', message: 'The authorisation was voided at the provider.' },
} as const

function authorisationNews(seen: Seen): Change | undefined {
  const { snapshot } = seen
  const learnt = learntFrom(seen)
  if (snapshot.stage === 'captured') return { events: [captured(snapshot)], learnt }
  if (snapshot.stage === 'expired' || snapshot.stage === 'cancelled')
    return { events: [{ on: 'released', failure: RELEASED[snapshot.stage] }], learnt }
  return extendedNews(seen)
}

/** The provider reserves the funds for longer than we thought. */
function extendedNews({ payment, snapshot }: Seen): Change | undefined {
  const until = snapshot.facts.authorisedUntil
  if (!until || !payment.authorisedUntil || until <= payment.authorisedUntil) return undefined
  return { events: [], learnt: { authorisedUntil: until } }
}

function captureNews(seen: Seen): Change | undefined {
  const { snapshot } = seen
  const learnt = learntFrom(seen)
  if (snapshot.stage === 'captured') return { events: [captured(snapshot)], learnt, ...ending(seen, 'done') }
  if (snapshot.stage !== 'expired' && snapshot.stage !== 'cancelled') return undefined
  const problem = `The capture was refused: ${RELEASED[snapshot.stage].message}`
  const refused: PaymentEvent = { on: 'captureRefused', problem, authorisationGone: true }
  return { events: [refused], learnt, ...ending(seen, 'declined') }
}

function cancelNews(seen: Seen): Change | undefined {
  const { snapshot, operation } = seen
  if (operation?.step === 'refund') return refundNews(seen)
  const learnt = learntFrom(seen)
  if (snapshot.stage === 'captured')
    return { events: [captured(snapshot)], learnt, ...ending(seen, 'declined') }
  const gone = snapshot.stage === 'cancelled' || snapshot.stage === 'expired' || snapshot.stage === 'declined'
  return gone ? { events: [{ on: 'cancelled' }], learnt, ...ending(seen, 'done') } : undefined
}

const ours = (refund: RefundSeen, operation: OperationRecord | undefined): boolean =>
  refund.operationKey !== undefined && refund.operationKey === operation?.key

function refundNews(seen: Seen): Change | undefined {
  const { payment, operation, snapshot } = seen
  const found = snapshot.refunds.find((refund) => ours(refund, operation))
  if (!operation || !found || found.state === 'pending') return undefined
  const learnt = learntFrom(seen)
  if (found.state === 'done') return { ...repaid(payment, operation), learnt, ...ending(seen, 'done') }
  const say = (what: string) =>
    `${what} was refused: ${found.problem ?? 'the provider could not return the money.'}`
  return { ...stepRefused({ payment, operation }, say), learnt, ...ending(seen, 'declined') }
}

function disputeNews(seen: Seen): Change | undefined {
  const { payment, snapshot } = seen
  const isDisputed = payment.state === 'Disputed'
  const opened: PaymentEvent[] = isDisputed ? [] : [{ on: 'disputed' }]
  const learnt = learntFrom(seen)
  if (snapshot.dispute === 'open') return isDisputed ? undefined : { events: opened, learnt }
  if (snapshot.dispute === 'lost') return { events: [...opened, { on: 'disputeLost' }], learnt }
  return snapshot.dispute === 'won' && isDisputed ? { events: [{ on: 'disputeWon' }], learnt } : undefined
}

/** Money returned without us, on the provider's own dashboard. */
function foreignRefundNews(seen: Seen): Change | undefined {
  const { payment, snapshot } = seen
  const total = snapshot.refunded.minor
  if (payment.state !== 'Captured' || total <= payment.refundedMinor)
    return failedRefundNews(payment, snapshot)
  const events: PaymentEvent[] = [
    { on: 'refund', amountMinor: total - payment.refundedMinor },
    { on: 'refunded', totalMinor: total },
  ]
  return { events, learnt: learntFrom(seen), refunds: snapshot.refunds.map(refundNewsOf) }
}

const refundNewsOf = (refund: RefundSeen): RefundNews => ({
  refundId: refund.operationKey ?? refund.id,
  amountMinor: refund.amount.minor,
  state: refund.state,
})

/**
 * A refund that was done and came back later. What was told cannot be untold: it is noted for the merchant.
 */
function failedRefundNews(payment: Payment, snapshot: Snapshot): Change | undefined {
  const missing = payment.refundedMinor - snapshot.refunded.minor
  const failed = snapshot.refunds.filter((refund) => refund.state === 'failed')
  if (missing <= 0n || failed.length === 0) return undefined
  const amount = amountText(payment, missing)
  const lastError = `A refund of ${amount} failed later; the money is still with the provider.`
  if (payment.lastError === lastError) return undefined
  return { events: [], learnt: { lastError }, refunds: failed.map(refundNewsOf) }
}

/**
 * Whether the provider never got the operation, so that sending it
 * again, with its key, is what is left to do.
 */
export function wasNotReceived({ operation, snapshot }: Seen): boolean {
  if (operation?.status !== 'open') return false
  switch (operation.step) {
    case 'capture':
      return snapshot.stage === 'authorised'
    case 'cancel':
      return ['authorised', 'needs-customer', 'approved'].includes(snapshot.stage)
    case 'resume':
      return snapshot.stage === 'approved'
    case 'refund':
      return !snapshot.refunds.some((refund) => ours(refund, operation))
    case 'start':
    case 'charge':
      return false
  }
}

/**
 * Whether what a notification says is what we know already. Money that came to a payment which had failed is
 * never known.
 */
export function isKnown({ state }: Payment, says: NonNullable<Hint['says']>): boolean {
  switch (state) {
    case 'Captured':
    case 'CapturedHold':
    case 'Refunding':
    case 'Refunded':
    case 'Disputed':
      return true
    case 'Authorized':
    case 'ProviderAuthorizedHold':
    case 'Capturing':
    case 'Cancelling':
      return says === 'authorised'
    case 'Created':
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
    case 'Failed':
      return false
  }
}

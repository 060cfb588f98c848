import { DAY } from '../../../base/clock.ts'
import { type Refusal, refusal, SETTLES_MS } from '../../values/behaviour.ts'
import { closePage, take } from './authorise.ts'
import { settleDispute, settleRefund } from './balance.ts'
import type { ActiveFault } from './faults.ts'
import { TERMS } from './methods.ts'
import {
  type BookedDispute,
  book,
  type Draft,
  disputesOf,
  dropDue,
  inFuture,
  type Refund,
  rebook,
} from './payment.ts'
import { unsupported, wrongState } from './refused.ts'

/** A merchant's request to move money that is already authorised or captured. */
export interface MovementRequest {
  readonly operationKey: string
  readonly amount: number
  readonly effect?: ActiveFault | undefined
}

/** Returns the refusal, which is booked as declined, or undefined if the capture is done or pending. */
export function capture(draft: Draft, ask: MovementRequest): Refusal | undefined {
  const { payment } = draft
  if (payment.status !== 'authorised')
    throw wrongState(`A payment that is ${payment.status} cannot be captured.`)
  if (ask.amount > (payment.authorised ?? payment.amount)) throw wrongState('More than was authorised.')
  const movement = { kind: 'capture' as const, amount: ask.amount, operationKey: ask.operationKey }
  const said = captureRefusal(draft, ask)
  if (said) {
    book(draft, { ...movement, status: 'declined' })
    draft.events.push('capture.failed')
    return said
  }
  const pendingMs = capturePendingMs(draft, ask)
  const entry = book(draft, { ...movement, status: pendingMs === undefined ? 'done' : 'pending' })
  if (pendingMs === undefined) {
    take(draft, ask.amount)
    return undefined
  }
  dropDue(draft, 'close')
  payment.status = 'processing'
  payment.waitsFor = 'provider'
  payment.due.push({ what: 'capture', at: inFuture(draft.now, pendingMs), entry })
  draft.events.push('capture.pending')
  return undefined
}

function captureRefusal(draft: Draft, { effect }: MovementRequest): Refusal | undefined {
  if (effect?.effect === 'decline') return refusal('generic')
  if (effect?.effect === 'capture-fails' || draft.payment.behaviour.capture === 'fails')
    return refusal(
      'processing-error',
      'CAPTURE_FAILED',
      'The capture failed; the authorisation still stands.',
    )
  return undefined
}

function capturePendingMs(draft: Draft, { effect }: MovementRequest): number | undefined {
  if (effect?.effect === 'pending-then-approved') return effect.delayMs ?? SETTLES_MS
  const { capture: behaves } = draft.payment.behaviour
  return typeof behaves === 'object' ? behaves.pendingMs : undefined
}

/** Voids an authorisation, or closes an unpaid page. */
export function release(draft: Draft, ask: Omit<MovementRequest, 'amount'>): Refusal | undefined {
  const { payment } = draft
  const open = payment.status === 'needs-customer' || payment.status === 'approved'
  if (!open && payment.status !== 'authorised')
    throw wrongState(`A payment that is ${payment.status} cannot be cancelled.`)
  const movement = { kind: 'void' as const, amount: payment.authorised ?? 0, operationKey: ask.operationKey }
  if (ask.effect?.effect === 'decline') {
    if (!open) book(draft, { ...movement, status: 'declined' })
    return refusal('generic', 'VOID_REFUSED', 'The payment could not be cancelled; it still stands.')
  }
  if (!open) book(draft, { ...movement, status: 'done' })
  closePage(draft)
  payment.status = 'cancelled'
  draft.events.push('payment.cancelled')
  return undefined
}

/** Simulates a capture that precedes a void. */
export function captureMeanwhile(draft: Draft): void {
  const { amount, operationKey } = draft.payment
  book(draft, { kind: 'capture', amount, status: 'done', operationKey })
  take(draft, amount)
}

export function refund(draft: Draft, ask: MovementRequest): Refund | Refusal {
  const { payment, now } = draft
  if (!TERMS[payment.method].refundable) throw unsupported(`${payment.method} payments cannot be refunded.`)
  const isDisputed = disputesOf(payment).some(({ state, isInquiry }) => state === 'open' && !isInquiry)
  if (payment.status !== 'captured' || payment.returned || isDisputed)
    throw wrongState('Only captured money that is not disputed can be refunded.')
  if (ask.amount > refundable(draft)) throw wrongState('More than is left of what was captured.')
  const movement = { kind: 'refund' as const, amount: ask.amount, operationKey: ask.operationKey }
  if (ask.effect?.effect === 'decline') {
    book(draft, { ...movement, status: 'declined' })
    return refusal('generic', 'REFUND_REFUSED', 'The refund was refused.')
  }
  const { pending, problem, ms } = refundPlan(draft, ask)
  const entry = book(draft, { ...movement, status: pending ? 'pending' : 'done' })
  const id = `ref_${ask.operationKey.toLowerCase()}`
  const made: Refund = { id, operationKey: ask.operationKey, amount: ask.amount, entry, status: 'pending' }
  payment.refunds.push(made)
  if (!pending) endRefund(draft, made)
  else draft.events.push('refund.pending')
  if (pending || problem)
    payment.due.push({
      what: 'refund',
      at: inFuture(now, ms),
      refundId: id,
      ...(problem ? { problem } : {}),
    })
  return made
}

const RETURNED = 'The payer’s bank sent the refund back.'

function refundPlan(
  draft: Draft,
  { effect }: MovementRequest,
): { pending: boolean; problem?: string; ms: number } {
  const ms = effect?.delayMs ?? SETTLES_MS
  if (effect?.effect === 'refund-fails-later') return { pending: true, problem: RETURNED, ms }
  if (effect?.effect === 'refund-pending' || effect?.effect === 'pending-then-approved')
    return { pending: true, ms }
  const behaves = draft.payment.behaviour.refund
  return {
    pending: behaves === 'pending' || behaves === 'pending-then-failed',
    ...(behaves === 'pending-then-failed' || behaves === 'done-then-failed' ? { problem: RETURNED } : {}),
    ms,
  }
}

function refundable({ payment }: Draft): number {
  const promised = payment.refunds.filter((one) => one.status !== 'failed')
  const lost = disputesOf(payment).filter(({ state }) => state === 'lost')
  const takenBack = lost.reduce((sum, one) => sum + (one.amount ?? payment.captured), 0)
  return payment.captured - takenBack - promised.reduce((sum, one) => sum + one.amount, 0)
}

/** Ends a refund: failed if there is a problem, else done. A refund that is done can still fail later. */
export function endRefund(draft: Draft, made: Refund, problem?: string): void {
  const { payment } = draft
  settleRefund(draft, made, problem)
  if (made.status === 'done') payment.refunded -= made.amount
  made.status = problem ? 'failed' : 'done'
  if (problem) made.problem = problem
  else payment.refunded += made.amount
  rebook(draft, made.entry, problem ? 'declined' : 'done')
  draft.events.push(problem ? 'refund.failed' : 'payment.refunded')
}

export interface DisputeWish
  extends Partial<Pick<BookedDispute, 'amount' | 'isInquiry' | 'reason' | 'evidenceDue'>> {
  readonly state: BookedDispute['state']
  /** One more dispute of the payment. Absent: the last one changes, or the first one opens. */
  readonly isFurther?: boolean
}

/** Card networks leave some weeks; with less a merchant can try all e-mails within one move of the clock. */
const EVIDENCE_MS = 10 * DAY

/** A dispute opens, is decided, or opens again at a later stage. */
export function dispute(draft: Draft, { isFurther = false, ...wish }: DisputeWish): void {
  const { payment } = draft
  if (payment.status !== 'captured') throw wrongState('Only captured money can be disputed.')
  const amount = wish.amount ?? payment.captured
  if (amount > payment.captured) throw wrongState('More than was captured cannot be disputed.')
  const known = disputesOf(payment)
  const last = isFurther ? undefined : known.at(-1)
  const id = last?.id ?? (known.length === 0 ? payment.id : `${payment.id}_${known.length + 1}`)
  const opened = { evidenceDue: inFuture(draft.now, EVIDENCE_MS), submissions: 0 }
  const changed = { reason: 'fraudulent', ...last, ...(wish.state === 'open' ? opened : {}), ...wish, id }
  settleDispute(draft, changed)
  payment.disputes = [...known.filter((one) => one.id !== id), changed]
  dropDue(draft, 'dispute')
  draft.events.push(wish.state === 'open' ? 'dispute.opened' : 'dispute.closed')
}

import type { Money } from '../../base/money.ts'
import { type Json, listAt, objectAt, textAt, webUrlAt } from '../kit/json.ts'
import { messageOf, type Read, unreadable } from '../kit/reply.ts'
import type { Approved, Echo, NotDone, Outcome } from '../outcome.ts'
import type { Operation } from '../port.ts'
import { markInReason, markOf, type RefundShare } from './calls.ts'
import { declineOf } from './declines.ts'
import { messageIn } from './exchange.ts'
import { amountIn, factsOf, handlesOf, referenceIn } from './facts.ts'
import { isId, moneyAt } from './wire.ts'

/** Pure: what Square's replies mean. */

export const wrongState = (code: string): NotDone => ({ kind: 'not-done', why: 'wrong-state', raw: { code } })

export function linkOutcome(read: Read): Outcome {
  if (read.kind !== 'object') return read
  const link = objectAt(read.object, 'payment_link')
  const [id, order] = [textAt(link, 'id'), textAt(link, 'order_id')]
  const url = webUrlAt(link, 'url') ?? webUrlAt(link, 'long_url')
  if (!isId(id) || !isId(order) || url === undefined) return unreadable()
  const [made] = listAt(read.object, 'related_resources', 'orders')
  const amount = moneyAt(made, 'total_money')
  const reference = textAt(made, 'reference_id')
  return {
    kind: 'redirect',
    handles: { link: id, order, lookup: order },
    url,
    echo: { ...(reference ? { reference } : {}), ...(amount ? { amount } : {}) },
  }
}

const echoOf = (payment: Json, amount: Money): Echo => {
  const reference = referenceIn(payment)
  return { amount, ...(reference ? { reference } : {}) }
}

/** A payment with a stored card. */
export function chargeOutcome(read: Read): Outcome {
  if (read.kind === 'not-done' && read.why === 'not-found')
    return { kind: 'declined', reason: 'method-removed', retry: 'never', raw: read.raw ?? {} }
  if (read.kind !== 'object') return read
  const payment = read.object
  const amount = amountIn(payment)
  if (!amount) return unreadable()
  // The amount changes with a capture of a part, so the reserved one is kept.
  const handles = { ...handlesOf(payment), reserved: String(amount.minor) }
  const seen = { handles, facts: factsOf(payment), echo: echoOf(payment, amount) }
  switch (textAt(payment, 'status')) {
    case 'APPROVED':
      return { kind: 'approved', stage: 'authorised', ...seen }
    case 'COMPLETED':
      return { kind: 'approved', stage: 'captured', ...seen }
    case 'PENDING':
      return { kind: 'pending', waitsFor: 'provider', ...seen }
    case 'FAILED':
      return { kind: 'declined', handles, ...declineIn(payment), facts: seen.facts }
    case 'CANCELED':
      return { kind: 'declined', handles, ...CANCELLED, facts: seen.facts }
    default:
      return unreadable()
  }
}

const CANCELLED = { reason: 'generic', retry: 'later', raw: { code: 'CANCELED' } } as const

/** Why a payment failed. */
export function declineIn(payment: Json) {
  const details = objectAt(payment, 'card_details')
  const raw = messageOf({ ...messageIn(details), networkCode: textAt(details, 'auth_result_code') })
  return declineOf(raw.code ?? '', raw)
}

/** A payment after it was completed, or as it is when Square refuses to complete it. */
export function captured(payment: Json, amount: Money): Outcome {
  const taken = amountIn(payment)
  const status = textAt(payment, 'status')
  if (status !== 'COMPLETED') return wrongState(status ?? '')
  if (taken?.minor !== amount.minor || taken.currency !== amount.currency) return wrongState('COMPLETED')
  return {
    kind: 'approved',
    handles: handlesOf(payment),
    facts: factsOf(payment),
    echo: echoOf(payment, taken),
  }
}

export function cancelled(payment: Json): Outcome {
  const status = textAt(payment, 'status')
  if (status !== 'CANCELED' && status !== 'FAILED') return wrongState(status ?? '')
  const reference = referenceIn(payment)
  return { ...closed(), handles: handlesOf(payment), ...(reference ? { echo: { reference } } : {}) }
}

export const closed = (openUntil?: Date): Approved => ({
  kind: 'approved',
  handles: {},
  facts: {},
  ...(openUntil ? { openUntil } : {}),
})

export function refundOutcome(read: Read, op: Operation, share: RefundShare): Outcome {
  if (read.kind !== 'object') return read
  const refund = read.object
  const [id, amount] = [textAt(refund, 'id'), moneyAt(refund, 'amount_money')]
  const mark = markOf(op.key, share)
  const isOurs =
    (textAt(refund, 'payment_id') ?? share.payment) === share.payment &&
    (markInReason(textAt(refund, 'reason')) ?? mark) === mark
  if (id === undefined || !amount || !isOurs) return unreadable()
  const echo = { amount }
  switch (textAt(refund, 'status')) {
    case 'COMPLETED':
      return { kind: 'approved', handles: { refund: id }, facts: {}, echo }
    case 'PENDING':
      return { kind: 'pending', waitsFor: 'provider', handles: { refund: id }, echo }
    case 'REJECTED':
    case 'FAILED':
      return { kind: 'declined', ...declineOf('REFUND_DECLINED', { code: 'REFUND_DECLINED' }) }
    default:
      return unreadable()
  }
}

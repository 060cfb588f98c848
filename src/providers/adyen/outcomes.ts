import { entryOf, type Json, objectAt, textAt, timeAt, webUrlAt } from '../kit/json.ts'
import { type Read, unreadable } from '../kit/reply.ts'
import { operationHandle } from '../movements.ts'
import type { Echo, Handles, Outcome, Snapshot, Stage, Unknown } from '../outcome.ts'
import type { Operation, Purchase } from '../port.ts'
import { fromWire } from './amounts.ts'
import { isId, isPaidLater, modificationReference, shopperOf } from './calls.ts'
import { LINK_STAGES, RESULTS } from './codes.ts'
import { declineOf } from './declines.ts'
import { factsIn } from './facts.ts'

/** Pure: what Adyen's replies mean. */

function echoOf(object: Json, name: string): { echo?: Echo } {
  const reference = textAt(object, name)
  const amount = fromWire(objectAt(object, 'amount'))
  return { echo: { ...(reference ? { reference } : {}), ...(amount ? { amount } : {}) } }
}

export function linkOutcome(read: Read, op: Operation, purchase: Purchase): Outcome {
  if (read.kind !== 'object') return read
  const { object } = read
  const id = textAt(object, 'id')
  const url = webUrlAt(object, 'url')
  const expiresAt = timeAt(object, 'expiresAt')
  if (!isId(id) || url === undefined) return unreadable()
  return {
    kind: 'redirect',
    handles: {
      link: id,
      ...(purchase.storeMethod ? { shopper: shopperOf(op.reference) } : {}),
      ...(isPaidLater(purchase.method) ? { later: 'yes' } : {}),
    },
    url,
    ...(expiresAt ? { expiresAt } : {}),
    ...echoOf(object, 'reference'),
  }
}

/** A payment with a stored method. Adyen answers 200 also when the bank refused. */
export function chargeOutcome(read: Read): Outcome {
  if (read.kind !== 'object') return read
  const { object } = read
  const id = textAt(object, 'pspReference')
  const result = textAt(object, 'resultCode') ?? ''
  const handles: Handles = isId(id) ? { payment: id, lookup: id } : {}
  const facts = factsIn(objectAt(object, 'additionalData'), textAt(object, 'paymentMethod', 'brand'))
  const echo = echoOf(object, 'merchantReference')
  if (isOneOf(RESULTS.approved, result) && isId(id))
    return { kind: 'approved', stage: 'authorised', handles, facts, ...echo }
  if (isOneOf(RESULTS.open, result) && isId(id))
    return { kind: 'pending', waitsFor: 'provider', handles, facts, ...echo }
  if (isOneOf(RESULTS.refused, result)) return { kind: 'declined', handles, ...refusalIn(object), facts }
  // The customer would have to act. Only we know the address, so nothing is reserved.
  if (isOneOf(UNFINISHED, result))
    return { kind: 'declined', handles, ...declineOf({ code: '38', text: result }), facts }
  return unreadable({ code: result })
}

const UNFINISHED = [...RESULTS.authenticates, ...RESULTS.unfinished]
const isOneOf = (values: readonly string[], value: string): boolean => values.includes(value)

/** Adyen's code of a bank that takes the card only with the customer. */
const AUTHENTICATION_REQUIRED = '38'

/**
 * The bank wants the customer to authenticate, and nothing is reserved for certain: the bank refused, or only
 * we know where the customer would continue.
 */
export function wantsCustomer(read: Read): boolean {
  if (read.kind !== 'object') return false
  const result = textAt(read.object, 'resultCode') ?? ''
  const code = textAt(read.object, 'refusalReasonCode')
  return isOneOf(RESULTS.authenticates, result) || (result === 'Refused' && code === AUTHENTICATION_REQUIRED)
}

const refusalIn = (object: Json): NonNullable<Snapshot['decline']> =>
  declineOf({
    code: textAt(object, 'refusalReasonCode'),
    text: textAt(object, 'refusalReason') ?? textAt(object, 'resultCode'),
    networkCode: textAt(object, 'additionalData', 'refusalReasonRaw'),
    advice: textAt(object, 'additionalData', 'merchantAdviceCode'),
    brand: textAt(object, 'paymentMethod', 'brand'),
  })

/**
 * A capture, cancellation or refund is only received. The handle tells later which operation the movement
 * with Adyen's id belongs to.
 */
export function modificationOutcome(read: Read, op: Operation, payment: string): Outcome {
  if (read.kind !== 'object') return read
  const { object } = read
  const id = textAt(object, 'pspReference')
  const isOurs =
    textAt(object, 'paymentPspReference') === payment &&
    (textAt(object, 'reference') ?? modificationReference(op)) === modificationReference(op)
  if (!isId(id) || !isOurs || textAt(object, 'status') !== 'received') return unreadable()
  const amount = fromWire(objectAt(object, 'amount'))
  return {
    kind: 'pending',
    waitsFor: 'provider',
    handles: { [operationHandle(id)]: op.key },
    ...(amount ? { echo: { amount } } : {}),
  }
}

/**
 * Adyen takes note of a cancellation by our reference. `approved`: no one has the address of the page, and
 * money is only taken by a capture of ours, so nothing can be taken any more. `pending`: a payment exists,
 * and a notification tells whether it was cancelled.
 */
export function referenceCancelOutcome(read: Read, op: Operation, kind: 'approved' | 'pending'): Outcome {
  if (read.kind !== 'object') return read
  const { object } = read
  const id = textAt(object, 'pspReference')
  if (!isId(id) || textAt(object, 'paymentReference') !== op.reference) return unreadable()
  const handles = { [operationHandle(id)]: op.key }
  return kind === 'approved' ? { kind, handles, facts: {} } : { kind, waitsFor: 'provider', handles }
}

/** The page was closed before anyone paid on it. */
export function closeOutcome(read: Read, op: Operation): Outcome {
  // Adyen refuses to close a page that is not open any more.
  if (read.kind === 'not-done' && read.why === 'bad-request') return { ...read, why: 'wrong-state' }
  if (read.kind !== 'object') return read
  const { object } = read
  const isClosed = textAt(object, 'status') === 'expired' && textAt(object, 'reference') === op.reference
  return isClosed ? { kind: 'approved', handles: {}, facts: {} } : unreadable()
}

/** Why a page could not be closed: it was paid on, or it is closed already. */
export function closedState(object: Json, op: Operation): Outcome | 'paid' {
  const status = textAt(object, 'status')
  if (textAt(object, 'reference') !== op.reference) return unreadable()
  if (status === 'expired') return { kind: 'approved', handles: {}, facts: {} }
  return entryOf(STAGES, status) === 'processing' ? 'paid' : unreadable()
}

const STAGES: Readonly<Record<string, Stage>> = LINK_STAGES

/** The payment as its link shows it. A refusal on the page leaves the page open. */
export function linkSnapshot(object: Json, decline: Snapshot['decline']): Snapshot | Unknown {
  const id = textAt(object, 'id')
  const amount = fromWire(objectAt(object, 'amount'))
  const open = entryOf(STAGES, textAt(object, 'status'))
  const reference = textAt(object, 'reference')
  const url = webUrlAt(object, 'url')
  if (!isId(id) || !amount || !open || reference === undefined) return unreadable()
  const nothing = { ...amount, minor: 0n }
  return {
    ...({ kind: 'snapshot', isPartial: true } as const),
    handles: { link: id },
    stage: open === 'expired' && decline ? 'declined' : open,
    ...{ captured: nothing, refunded: nothing, refunds: [], facts: {}, reference },
    ...(decline ? { decline } : {}),
    ...(url && open === 'needs-customer' ? { customerUrl: url } : {}),
  }
}

import { cut, folded } from '../../base/text.ts'
import { entryOf, type Json, objectAt, textAt, timeAt } from '../kit/json.ts'
import { namedMethod } from '../methods/catalogue.ts'
import type { DisputeReport, Movement, MovementKind } from '../movements.ts'
import { fromWire } from './amounts.ts'
import { isId } from './calls.ts'
import { DISPUTE_STATUSES, DISPUTES, EITHER, MEANINGS } from './codes.ts'
import { declineOf } from './declines.ts'
import { factsIn, isDebit, namedBy } from './facts.ts'

/** Pure: the movement that an event tells. */

/** Undefined if the event moves nothing. */
export function movementOf(item: Json): Movement | undefined {
  const event = textAt(item, 'eventCode') ?? ''
  const amount = fromWire(objectAt(item, 'amount'))
  const kind = kindOf(item, event)
  const id = kind === 'captured' ? captureIn(item) : textAt(item, 'pspReference')
  if (!kind || !isId(id) || !amount) return undefined
  const isFirst = kind === 'authorised' || kind === 'refused' || event === AUTHORISED
  const payment = isFirst ? id : textAt(item, 'originalReference')
  const { operationKey } = referencesIn(item)
  const reason = reasonOf(item)
  return {
    ...{ id, kind, event, amount, time: timeAt(item, 'eventDate') ?? new Date(0) },
    ...(isId(payment) ? { payment } : {}),
    ...(operationKey ? { operationKey } : {}),
    ...(reason && kind.endsWith('-failed') ? { problem: reason } : {}),
    ...(kind.endsWith('-failed') && textAt(item, 'success') !== 'true' ? { isRefusal: true } : {}),
    ...(reason && REPEATED.test(reason) && (kind === 'captured' || kind === 'refunded')
      ? { isAgain: true }
      : {}),
    ...detailsOf(item, kind, event),
  }
}

const AUTHORISED = 'AUTHORISATION'

/** A method without a capture of its own: what was authorised is taken. */
function isTakenAtOnce(item: Json): boolean {
  const method = namedMethod(namedBy(textAt(item, 'paymentMethod')))
  return method !== undefined && !method.reserves
}

/** The authorisation of such a method has counted as its capture, so Adyen's own capture is the same one. */
const captureIn = (item: Json): string | undefined =>
  (isTakenAtOnce(item) ? textAt(item, 'originalReference') : undefined) ?? textAt(item, 'pspReference')

/** Adyen captured again what had failed. */
const REPEATED = /re-?captured/i

function kindOf(item: Json, event: string): MovementKind | undefined {
  const isDone = textAt(item, 'success') === 'true'
  if (event === EITHER) {
    const isRefund = textAt(item, 'additionalData', 'modification.action') === 'refund'
    return kindOf(item, isRefund ? 'REFUND' : 'CANCELLATION')
  }
  if (entryOf(DISPUTES, event)) {
    if (!isDone) return undefined
    if (!isDebit(textAt(item, 'paymentMethod'))) return 'disputed'
    // The bank took a debit back. That cannot be defended.
    return event === 'CHARGEBACK' ? 'returned' : undefined
  }
  const meaning = entryOf(MEANINGS, event)
  if (isDone && event === AUTHORISED && isTakenAtOnce(item)) return 'captured'
  return isDone ? meaning?.done : meaning?.failed
}

function detailsOf(item: Json, kind: MovementKind, event: string): Partial<Movement> {
  const data = objectAt(item, 'additionalData')
  switch (kind) {
    case 'authorised':
      return {
        facts: factsIn(data, textAt(item, 'paymentMethod')),
        ...(textAt(data, 'fraudManualReview') === 'true' ? { review: 'open' } : {}),
      }
    case 'captured':
      return event === AUTHORISED ? { facts: factsIn(data, textAt(item, 'paymentMethod')) } : {}
    case 'stored':
      return { facts: factsIn(data, textAt(item, 'paymentMethod')) }
    case 'refused':
      return {
        decline: declineOf({
          code: textAt(data, 'refusalReasonCode'),
          text: reasonOf(item),
          networkCode: textAt(data, 'refusalReasonRaw'),
          advice: textAt(data, 'merchantAdviceCode'),
          brand: textAt(data, 'paymentMethod') ?? textAt(item, 'paymentMethod'),
        }),
      }
    case 'disputed':
      return { dispute: disputeIn(item, event) }
    default:
      return {}
  }
}

function disputeIn(item: Json, event: string): DisputeReport {
  const data = objectAt(item, 'additionalData')
  const amount = fromWire(objectAt(item, 'amount'))
  const reason = textAt(data, 'chargebackReasonCode')?.trim()
  const evidenceDue = timeAt(data, 'defensePeriodEndsAt')
  const stand = entryOf(DISPUTES, event) ?? { state: 'same' }
  const decided = entryOf(DISPUTE_STATUSES, textAt(data, 'disputeStatus'))
  // An inquiry is not lost by its end: only a chargeback takes money.
  const isDecided = decided === 'won' || (decided === 'lost' && stand.state !== 'undefended')
  return {
    id: textAt(item, 'pspReference') ?? '',
    ...stand,
    ...(isDecided ? { state: decided } : {}),
    stage: STAGES.indexOf(event),
    ...(amount ? { amount } : {}),
    ...(reason ? { reason } : {}),
    ...(evidenceDue ? { evidenceDue } : {}),
  }
}

const STAGES = Object.keys(DISPUTES)

/** Adyen writes "null" for no reason. */
function reasonOf(item: Json): string | undefined {
  const reason = textAt(item, 'reason')
  return reason && reason !== 'null' ? cut(folded(reason), 200) : undefined
}

/** Ours, or that of a modification of ours, which also has the key of its operation. */
const REFERENCE = /^([0-9A-Z]{20})(?:-([0-9A-Z]{20}))?$/

export function referencesIn(item: Json): { reference?: string; operationKey?: string } {
  const [, reference, operationKey] = REFERENCE.exec(textAt(item, 'merchantReference') ?? '') ?? []
  return { ...(reference ? { reference } : {}), ...(operationKey ? { operationKey } : {}) }
}

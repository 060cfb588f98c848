import { after, HOUR } from '../../base/clock.ts'
import type { HttpReply } from '../../net/http.ts'
import { type Json, numberAt, objectAt, secondsAt, textAt, webUrlAt } from '../kit/json.ts'
import { type Read, unreadable } from '../kit/reply.ts'
import type { Approved, Echo, NotDone, Outcome, Pending, Redirect } from '../outcome.ts'
import { fromWire } from './amounts.ts'
import { declinedBy, readReply } from './exchange.ts'
import { factsOf, handlesOf } from './facts.ts'
import { REFERENCE } from './reads.ts'

/** Pure: what a reply means for the operation that caused it. */

/** What the object says it is about, so that the core can refuse a reply about something else. */
function echoOf(object: Json, amount: string): Echo {
  const money = fromWire(numberAt(object, amount), object.currency)
  const reference = textAt(object, 'client_reference_id') ?? textAt(object, 'metadata', REFERENCE)
  return { ...(reference ? { reference } : {}), ...(money ? { amount: money } : {}) }
}

const hasAmount = (echo: Echo): boolean => echo.amount !== undefined

/** Outcome of opening a page. */
export function pageOutcome(reply: HttpReply, now: Date): Outcome {
  const read = readReply(reply, 'checkout.session', now)
  if (read.kind !== 'object') return read
  const redirect = redirectOf(read.object)
  return redirect && hasAmount(redirect.echo ?? {}) ? redirect : unreadable()
}

/** Undefined if the session has no page. */
export function redirectOf(session: Json): Redirect | undefined {
  const url = webUrlAt(session, 'url')
  const expiresAt = secondsAt(session, 'expires_at')
  if (textAt(session, 'status') !== 'open' || url === undefined) return undefined
  return {
    kind: 'redirect',
    handles: handlesOf({ session }),
    url,
    ...(expiresAt ? { expiresAt } : {}),
    echo: echoOf(session, 'amount_total'),
  }
}

/** Outcome of charging a stored method. */
export function chargeOutcome(read: Read, createdAt: Date): Outcome {
  if (read.kind === 'not-done') return isRemoved(read) ? removed(read) : read
  return read.kind === 'object' ? intentOutcome(read.object, createdAt) : read
}

/** The stored method or its customer was removed at Stripe. */
const isRemoved = ({ why, raw }: NotDone): boolean => why === 'not-found' && raw?.code === 'resource_missing'

const removed = ({ raw }: NotDone): Outcome => ({
  kind: 'declined',
  reason: 'method-removed',
  retry: 'never',
  raw: raw ?? {},
})

/** `createdAt` is that of the operation. */
export function intentOutcome(intent: Json, createdAt: Date): Outcome {
  const echo = echoOf(intent, 'amount')
  if (!hasAmount(echo)) return unreadable()
  switch (textAt(intent, 'status')) {
    case 'requires_capture':
      return { ...approved(intent, echo), stage: 'authorised' }
    case 'succeeded':
      return { ...approved(intent, echo), stage: 'captured' }
    case 'processing':
    case 'requires_confirmation':
      return pending(intent, echo)
    case 'requires_action':
      return actionOf(intent, echo, createdAt) ?? { ...pending(intent, echo), waitsFor: 'customer' }
    case 'requires_payment_method':
    case 'canceled': {
      const error = objectAt(intent, 'last_payment_error')
      return { ...declinedBy(error), handles: handlesOf({ intent }), facts: factsOf(intent) }
    }
    default:
      return unreadable()
  }
}

function approved(intent: Json, echo: Echo): Approved {
  return {
    kind: 'approved',
    handles: handlesOf({ intent }),
    facts: factsOf(intent),
    // A payment is put into review at the moment when it is made.
    ...(textAt(intent, 'review') ? { isHeld: true } : {}),
    echo,
  }
}

const pending = (intent: Json, echo: Echo): Pending => ({
  kind: 'pending',
  handles: handlesOf({ intent }),
  waitsFor: 'provider',
  facts: factsOf(intent),
  echo,
})

/** Stripe keeps a challenge open until it is passed or cancelled, so it gets an end of ours. */
const CHALLENGE_MS = HOUR

/** The page on which the bank asks the customer to confirm. */
function actionOf(intent: Json, echo: Echo, createdAt: Date): Redirect | undefined {
  const url = actionUrlOf(intent)
  if (!url) return undefined
  return {
    kind: 'redirect',
    handles: handlesOf({ intent }),
    url,
    expiresAt: after(createdAt, CHALLENGE_MS),
    echo,
  }
}

export const actionUrlOf = (intent: Json): string | undefined =>
  webUrlAt(intent, 'next_action', 'redirect_to_url', 'url')

export function captureOutcome(reply: HttpReply, now: Date): Outcome {
  const read = readReply(reply, 'payment_intent', now)
  if (read.kind !== 'object') return read
  const echo = echoOf(read.object, 'amount_received')
  if (!hasAmount(echo)) return unreadable()
  switch (textAt(read.object, 'status')) {
    case 'succeeded':
      return {
        kind: 'approved',
        handles: handlesOf({ intent: read.object }),
        facts: factsOf(read.object),
        echo,
      }
    case 'processing':
      return { kind: 'pending', handles: handlesOf({ intent: read.object }), waitsFor: 'provider' }
    default:
      return unreadable()
  }
}

export function cancelOutcome(reply: HttpReply, now: Date): Outcome {
  const read = readReply(reply, 'payment_intent', now)
  if (read.kind !== 'object') return read
  const { reference } = echoOf(read.object, 'amount')
  return textAt(read.object, 'status') === 'canceled'
    ? closed(handlesOf({ intent: read.object }), reference)
    : unreadable()
}

/** Outcome of closing a page. A page that was paid in the meantime cannot be closed. */
export function expireOutcome(reply: HttpReply, now: Date): Outcome {
  const read = readReply(reply, 'checkout.session', now)
  if (read.kind === 'not-done' && read.why === 'bad-request') return { ...read, why: 'wrong-state' }
  if (read.kind !== 'object') return read
  const { reference } = echoOf(read.object, 'amount_total')
  return textAt(read.object, 'status') === 'expired'
    ? closed(handlesOf({ session: read.object }), reference)
    : unreadable()
}

const closed = (handles: Approved['handles'], reference: string | undefined): Approved => ({
  kind: 'approved',
  handles,
  facts: {},
  ...(reference ? { echo: { reference } } : {}),
})

export function refundOutcome(reply: HttpReply, now: Date): Outcome {
  const read = readReply(reply, 'refund', now)
  if (read.kind !== 'object') return read
  const { object } = read
  const echo = echoOf(object, 'amount')
  const refund = textAt(object, 'id')
  if (!hasAmount(echo) || !refund) return unreadable()
  switch (textAt(object, 'status')) {
    case 'succeeded':
      return { kind: 'approved', handles: { refund }, facts: {}, echo }
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', handles: { refund }, waitsFor: 'provider', echo }
    case 'failed':
    case 'canceled': {
      const code = textAt(object, 'failure_reason') ?? 'refund_failed'
      return { kind: 'declined', reason: 'generic', retry: 'unspecified', raw: { code } }
    }
    default:
      return unreadable()
  }
}

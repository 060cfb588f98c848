import { type Money, money } from '../../base/money.ts'
import type { HttpReply } from '../../net/http.ts'
import { valueAt } from '../../providers/kit/json.ts'
import { type Replied, unanswered } from '../../providers/kit/reply.ts'
import { isKind } from '../../providers/methods/method.ts'
import type {
  Approved,
  Declined,
  Dispute,
  Echo,
  Facts,
  Handles,
  NotDone,
  Outcome,
  Pending,
  ProviderMessage,
  Redirect,
  Snapshot,
  Unknown,
} from '../../providers/outcome.ts'
import { type BankDispute, type BankPayment, paymentIn } from './wire.ts'

/** A failure, or the payment in a reply that the bank accepted or declined. */
export type BankRead =
  | NotDone
  | Unknown
  | { readonly kind: 'payment'; readonly payment: BankPayment; readonly reply: Replied }

export function readReply(reply: HttpReply): BankRead {
  const failed = failure(reply)
  if (failed) return failed
  const accepted = reply as Replied
  const payment = paymentIn(accepted.body)
  return payment ? { kind: 'payment', payment, reply: accepted } : unreadable(accepted.status)
}

const unreadable = (status: number): Unknown => ({
  kind: 'unknown',
  why: 'unreadable-reply',
  raw: { status },
})

/** Returns undefined if the request was accepted or declined, that is 2xx or 402. */
export function failure(reply: HttpReply): NotDone | Unknown | undefined {
  if (reply.kind !== 'reply') return unanswered(reply)
  const { status } = reply
  if ((status >= 200 && status < 300) || status === 402) return undefined
  const raw = messageOf(reply)
  if (raw.code === 'not_accepted') return { kind: 'not-done', why: 'not-sent', raw }
  // The key was used with another request, which may have moved money.
  if (status >= 500 || raw.code === 'key_reused') return { kind: 'unknown', why: 'server-error', raw }
  if (status >= 400) return { kind: 'not-done', why: refusalWhy(status, raw.code), raw }
  return unreadable(status)
}

function refusalWhy(status: number, code: string | undefined): NotDone['why'] {
  if (code === 'unsupported') return 'unsupported'
  if (code === 'wrong_state') return 'wrong-state'
  if (status === 401 || status === 403) return 'bad-credentials'
  if (status === 404) return 'not-found'
  return status === 429 ? 'rate-limited' : 'bad-request'
}

function messageOf({ status, body }: Replied): ProviderMessage {
  const error = valueAt(body, 'error')
  const code = valueAt(error, 'code')
  const message = valueAt(error, 'message')
  return {
    status,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

/** Outcome of a start, resume or charge. */
export function authorisationOutcome(reply: HttpReply): Outcome {
  const read = readReply(reply)
  if (read.kind !== 'payment') return read
  const { payment } = read
  switch (payment.status) {
    case 'authorised':
    case 'captured':
      return approved(payment, payment.status === 'captured' ? payment.captured : payment.authorised)
    case 'declined':
      return declined(payment)
    case 'processing':
    case 'in-review':
    case 'approved':
      return pending(payment, payment.amount)
    case 'needs-customer':
      return redirect(payment) ?? unreadable(read.reply.status)
    default:
      return unreadable(read.reply.status)
  }
}

/** Outcome of a capture or cancel: approved if the payment has reached the stage, pending if in progress. */
export function movementOutcome(reply: HttpReply, stage: 'captured' | 'cancelled'): Outcome {
  const read = readReply(reply)
  if (read.kind !== 'payment') return read
  const { payment } = read
  if (read.reply.status === 402) return declined(payment)
  if (payment.status === stage) return approved(payment, stage === 'captured' ? payment.captured : undefined)
  return payment.status === 'processing' ? pending(payment) : unreadable(read.reply.status)
}

export function refundOutcome(reply: HttpReply): Outcome {
  const read = readReply(reply)
  if (read.kind !== 'payment') return read
  const { payment } = read
  if (read.reply.status === 402) return declined(payment)
  const made = valueAt(read.reply.body, 'refund')
  const refund = valueAt(made, 'id')
  if (typeof refund !== 'string') return unreadable(read.reply.status)
  const handles = { ...handlesOf(payment), refund }
  const amount = payment.refunds.find(({ id }) => id === refund)?.amount
  return valueAt(made, 'status') === 'done'
    ? { ...approved(payment, amount), handles }
    : { ...pending(payment, amount), handles, waitsFor: 'provider' }
}

/** `amount` is that of the operation; undefined if the operation has none. */
const approved = (payment: BankPayment, amount?: number): Approved => ({
  kind: 'approved',
  handles: handlesOf(payment),
  facts: factsOf(payment),
  ...(payment.status === 'authorised' || payment.status === 'captured' ? { stage: payment.status } : {}),
  echo: echoOf(payment, amount),
})

const echoOf = (payment: BankPayment, amount: number | undefined): Echo => ({
  reference: payment.reference,
  ...(amount === undefined ? {} : { amount: amountOf(payment, amount) }),
})

const pending = (payment: BankPayment, amount?: number): Pending => ({
  kind: 'pending',
  handles: handlesOf(payment),
  waitsFor: payment.waitsFor ?? 'provider',
  ...(payment.nextChange ? { recheckAt: new Date(payment.nextChange) } : {}),
  facts: factsOf(payment),
  echo: echoOf(payment, amount),
})

function redirect(payment: BankPayment): Redirect | undefined {
  const { url, urlExpires } = payment
  if (!url) return undefined
  return {
    kind: 'redirect',
    handles: handlesOf(payment),
    url,
    echo: echoOf(payment, payment.amount),
    ...(urlExpires ? { expiresAt: new Date(urlExpires) } : {}),
  }
}

const declined = (payment: BankPayment): Declined => ({
  kind: 'declined',
  handles: handlesOf(payment),
  ...declineOf(payment),
  facts: factsOf(payment),
})

function declineOf({ decline }: BankPayment) {
  const { reason = 'generic', retry = 'unspecified', code, message } = decline ?? {}
  const raw: ProviderMessage = { ...(code ? { code } : {}), ...(message ? { message } : {}) }
  return { reason, retry, raw }
}

function handlesOf({ id, authorisation, capture }: BankPayment): Handles {
  return {
    payment: id,
    ...(authorisation ? { authorisation } : {}),
    ...(capture ? { capture } : {}),
  }
}

const amountOf = ({ currency }: BankPayment, minor: number): Money => money(BigInt(minor), currency)

function factsOf(payment: BankPayment): Facts {
  const { fee, authorisedUntil, payer, card, stored, risk, checks, threeDSecure, method } = payment
  return {
    method,
    payer,
    ...(fee === undefined ? {} : { fee: amountOf(payment, fee) }),
    ...(authorisedUntil ? { authorisedUntil: new Date(authorisedUntil) } : {}),
    ...(card ? { card } : {}),
    ...(stored && isKind(method) ? { stored: { ...stored, method, ...(card ? { card } : {}) } } : {}),
    ...(risk ? { risk } : {}),
    ...(checks ? { checks } : {}),
    ...(threeDSecure ? { threeDSecure } : {}),
  }
}

const disputeOf = (payment: BankPayment, dispute: BankDispute): Dispute => {
  const { id, state, reason, amount, isInquiry = false, evidenceDue } = dispute
  return {
    ...{ id, state, reason, isRefundable: isInquiry },
    ...(evidenceDue === undefined ? {} : { evidenceDue: new Date(evidenceDue) }),
    ...(amount === undefined ? {} : { amount: amountOf(payment, amount) }),
  }
}

export function snapshotOf(payment: BankPayment): Snapshot {
  const { authorised, disputes = [], url } = payment
  return {
    kind: 'snapshot',
    handles: handlesOf(payment),
    stage: payment.status,
    ...(authorised === undefined ? {} : { authorised: amountOf(payment, authorised) }),
    captured: amountOf(payment, payment.captured),
    refunded: amountOf(payment, payment.refunded),
    refunds: payment.refunds.map(({ id, operationKey, amount, status, problem }) => ({
      id,
      operationKey,
      amount: amountOf(payment, amount),
      state: status,
      ...(problem ? { problem } : {}),
    })),
    ...(payment.decline ? { decline: declineOf(payment) } : {}),
    ...(disputes.length > 0 ? { disputes: disputes.map((one) => disputeOf(payment, one)) } : {}),
    ...(payment.returned ? { isReturned: true } : {}),
    reference: payment.reference,
    ...(url ? { customerUrl: url } : {}),
    facts: factsOf(payment),
  }
}

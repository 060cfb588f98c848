import type { Money } from '../../base/money.ts'
import { unreadable } from '../kit/reply.ts'
import type { Approved, Declined, Echo, NotDone, Outcome, Pending, Snapshot, Unknown } from '../outcome.ts'
import type { Operation } from '../port.ts'
import type { PaypalReply } from './api.ts'
import { refusalOf } from './refusals.ts'
import { declineOf, factsOf, feeOf, handlesOf, isRefused, isTaken, snapshotOf } from './snapshot.ts'
import {
  authorizationIn,
  captureIn,
  orderIn,
  type PaypalCapture,
  type PaypalOrder,
  type PaypalRefund,
  refundIn,
} from './wire.ts'

/** Pure: replies → outcomes. */

type Read<T> = { readonly kind: 'read'; readonly value: T } | Declined | NotDone | Unknown

/** The resource in a reply, or the refusal, or `unknown` if the reply makes no sense. */
export function readAs<T>(
  reply: PaypalReply | NotDone | Unknown,
  read: (body: unknown) => T | undefined,
): Read<T> {
  if (reply.kind !== 'reply') return reply
  const refusal = refusalOf(reply)
  if (refusal) return refusal
  const value = read(reply.body)
  return value === undefined ? unreadable({ status: reply.status }) : { kind: 'read', value }
}

export const echoOf = ({ reference, amount }: PaypalOrder): Echo => ({
  amount,
  ...(reference === undefined ? {} : { reference }),
})

/** Outcome of a start, resume or charge. */
export function attemptOutcome(order: PaypalOrder, now: Date): Outcome {
  const snapshot = snapshotOf(order, now)
  const handles = handlesOf(order)
  const facts = factsOf(order)
  const echo = echoOf(order)
  switch (snapshot.stage) {
    case 'authorised':
    case 'captured':
      return { kind: 'approved', handles, facts, stage: snapshot.stage, echo: paidEcho(order, snapshot) }
    case 'in-review':
      return { kind: 'pending', handles, waitsFor: 'review', facts, echo }
    case 'processing':
      return { kind: 'pending', handles, waitsFor: 'provider', facts, echo }
    case 'needs-customer':
      return order.approvalUrl === undefined
        ? { ...unreadable(), handles }
        : { kind: 'redirect', handles, url: order.approvalUrl, echo }
    case 'declined':
      return { kind: 'declined', handles, facts, ...(snapshot.decline ?? declineOf(undefined)) }
    case 'approved':
    case 'cancelled':
    case 'expired':
      return { ...unreadable(), handles }
  }
}

/** What was reserved or taken, not what the order asks for. */
const paidEcho = (order: PaypalOrder, { stage, authorised, captured }: Snapshot): Echo => ({
  ...echoOf(order),
  amount: stage === 'captured' && !authorised ? captured : (authorised ?? captured),
})

/** Outcome of a capture. */
export function captureOutcome(capture: PaypalCapture, authorisation: string | undefined): Outcome {
  const reserved = authorisation === undefined ? {} : { authorisation }
  const handles = { ...reserved, capture: capture.id }
  const echo = {
    amount: capture.amount,
    ...(capture.customId === undefined ? {} : { reference: capture.customId }),
  }
  const fee = feeOf([capture])
  const facts = { method: 'Paypal', ...(fee ? { fee } : {}) } as const
  if (isTaken(capture)) return { kind: 'approved', handles, facts, echo } satisfies Approved
  if (capture.status === 'PENDING')
    return { kind: 'pending', handles, waitsFor: waitOf(capture), facts, echo } satisfies Pending
  if (!isRefused(capture)) return { ...unreadable(), handles }
  // The authorisation may still be captured, so its id stays; the declined capture is of no use.
  return { kind: 'declined', handles: reserved, ...declineOf(capture) }
}

const waitOf = ({ reason }: PaypalCapture): Pending['waitsFor'] =>
  reason === 'PENDING_REVIEW' ? 'review' : 'provider'

/** Outcome of a refund. The reply must be about this operation and this amount. */
export function refundOutcome(refund: PaypalRefund, op: Operation, captureId: string): Outcome {
  const handles = { refund: refund.id, capture: captureId }
  const isOther = refund.customId !== undefined && refund.customId !== op.key
  if (isOther) return { ...unreadable(), handles }
  const echo = { amount: refund.amount }
  switch (refund.status) {
    case 'COMPLETED':
      return { kind: 'approved', handles, facts: {}, echo }
    case 'PENDING':
      return { kind: 'pending', handles, waitsFor: 'provider', echo }
    case 'FAILED':
    case 'CANCELLED':
      return { kind: 'declined', handles, ...declineOf(undefined), raw: { code: refund.status } }
    default:
      return { ...unreadable(), handles }
  }
}

/** 204 without a body, or the voided authorisation. */
export const readVoid = (reply: PaypalReply | NotDone | Unknown) =>
  readAs(reply, (body) => body === undefined || authorizationIn(body)?.status === 'VOIDED' || undefined)

export const readOrder = (reply: PaypalReply | NotDone | Unknown) => readAs(reply, orderIn)
export const readCapture = (reply: PaypalReply | NotDone | Unknown) => readAs(reply, captureIn)
export const readRefund = (reply: PaypalReply | NotDone | Unknown) => readAs(reply, refundIn)

export const cannotExpress = ({ currency }: Money): NotDone => ({
  kind: 'not-done',
  why: 'bad-request',
  raw: { message: `PayPal takes ${currency} without decimals.` },
})

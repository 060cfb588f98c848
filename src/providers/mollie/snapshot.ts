import { after, MINUTE } from '../../base/clock.ts'
import { type Money, money } from '../../base/money.ts'
import { unlistedOf } from '../enumerations.ts'
import type { Dispute, Handles, RefundSeen, Snapshot, Stage, StepRefused } from '../outcome.ts'
import { sumOf, toWire } from './amounts.ts'
import { declineOf } from './declines.ts'
import { factsOf } from './facts.ts'
import { ENUMERATIONS, type MollieChargeback, type MolliePayment, type MollieRefund } from './payment.ts'

/** Pure: a payment of Mollie as the core sees it. */
export function snapshotOf(payment: MolliePayment, now: Date, { rest }: Handles = {}): Snapshot {
  const { amount, status, refunds, checkoutUrl, reference } = payment
  const { currency } = amount
  const isDue = rest !== undefined && isReleaseDue(payment, now, rest)
  const captured = isDue ? money(0n, currency) : capturedOf(payment)
  const stage = stageOf(payment, captured, now)
  const disputes = payment.chargebacks.map(disputeOf)
  const unlisted = unlistedIn(payment)
  const refused = refusedCaptures(payment)
  return {
    kind: 'snapshot',
    handles: handlesOf(payment),
    stage,
    ...(isReserved(payment) ? { authorised: amount } : {}),
    captured,
    refunded: sumOf(
      refunds.filter((one) => refundState(one) === 'done').map((one) => one.amount),
      currency,
    ),
    refunds: refunds.map(refundSeen),
    ...(stage === 'declined' ? { decline: declineOf({ status, ...payment.failure }) } : {}),
    ...(disputes.length > 0 ? { disputes } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(stage === 'needs-customer' && checkoutUrl ? { customerUrl: checkoutUrl } : {}),
    facts: factsOf(payment, captured),
    ...(reference === undefined ? {} : { reference }),
    ...(unlisted.length > 0 ? { unlisted } : {}),
  }
}

const unlistedIn = ({ status, captures, refunds }: MolliePayment): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['paymentStatus', status],
    ...captures.map((one) => ['captureStatus', one.status] as const),
    ...refunds.map((one) => ['refundStatus', one.status] as const),
  ])

/** `amount` shows later whether a capture takes only a part. */
export function handlesOf({ id, customer, amount, captures }: MolliePayment): Handles {
  const capture = captures.findLast(({ status }) => status === 'succeeded') ?? captures.at(-1)
  return {
    ...{ payment: id, lookup: id, amount: toWire(amount).value },
    ...(customer === undefined ? {} : { customer }),
    ...(capture ? { capture: capture.id } : {}),
  }
}

/** If the release of the rest takes longer, the capture counts without it. */
const RELEASE_MS = 15 * MINUTE

/**
 * A capture of a part has succeeded, and the rest is still reserved. The operation `rest` is sent again to
 * release it and ends then, so until then the reservation reads as untouched.
 */
const isReleaseDue = ({ status, captures }: MolliePayment, now: Date, rest: string | undefined): boolean =>
  status === 'authorized' &&
  captures.some(
    ({ status: one, operationKey, createdAt }) =>
      one === 'succeeded' && operationKey === rest && createdAt && now < after(createdAt, RELEASE_MS),
  )

/** The money was reserved before it was taken, or before it was released. */
const isReserved = ({ isManual, status, wasAuthorised }: MolliePayment): boolean =>
  isManual && (['authorized', 'paid'].includes(status) || wasAuthorised)

export function capturedOf({ isManual, status, amount, captures, capturedSum }: MolliePayment): Money {
  const { currency } = amount
  if (!isManual) return status === 'paid' ? amount : money(0n, currency)
  const done = captures.filter((one) => one.status === 'succeeded')
  if (done.length > 0)
    return sumOf(
      done.map((one) => one.amount),
      currency,
    )
  // Not listed: a capture that is still in progress may be a part of this sum.
  const isListed = captures.length > 0
  if (!isListed && capturedSum && status === 'paid') return capturedSum
  return money(0n, currency)
}

function stageOf(payment: MolliePayment, captured: Money, now: Date): Stage {
  const { status, sequence, captures, captureBefore, wasAuthorised } = payment
  if (captured.minor > 0n) return 'captured'
  switch (status) {
    case 'open':
      return sequence === 'recurring' ? 'processing' : 'needs-customer'
    case 'authorized':
      return captures.some((one) => one.status === 'pending') ? 'processing' : 'authorised'
    case 'failed':
      return 'declined'
    case 'expired':
      return 'expired'
    case 'canceled':
      // A reservation that ended by itself may read as cancelled.
      return wasAuthorised && captureBefore && captureBefore <= now ? 'expired' : 'cancelled'
    default:
      return 'processing'
  }
}

/** Captures that Mollie accepted first and that failed later. */
const refusedCaptures = ({ captures }: MolliePayment): StepRefused[] =>
  captures
    .filter((one) => one.status === 'failed')
    .map(({ id, operationKey }) => ({
      ...{ step: 'capture' as const, id, problem: 'Mollie says that the capture failed.' },
      ...(operationKey === undefined ? {} : { operationKey }),
    }))

const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  ...{ queued: 'pending', pending: 'pending', processing: 'pending' },
  ...{ refunded: 'done', failed: 'failed', canceled: 'failed' },
}
export const refundState = ({ status }: MollieRefund): RefundSeen['state'] =>
  REFUND_STATES[status] ?? 'pending'

function refundSeen(refund: MollieRefund): RefundSeen {
  const { id, amount, operationKey, status } = refund
  const state = refundState(refund)
  return {
    ...{ id, amount, state },
    ...(operationKey === undefined ? {} : { operationKey }),
    ...(state === 'failed' ? { problem: `Mollie says that the refund is ${status}.` } : {}),
  }
}

/** Mollie tells that a chargeback was reversed, and never that it is final. */
const disputeOf = ({ id, amount, reason, isReversed }: MollieChargeback): Dispute => ({
  ...{ id, state: isReversed ? 'won' : 'open' },
  ...(amount ? { amount } : {}),
  ...(reason === undefined ? {} : { reason }),
})

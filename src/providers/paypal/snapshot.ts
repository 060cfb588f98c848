import { maskedMailbox } from '../../base/mailbox.ts'
import { type Money, money } from '../../base/money.ts'
import { unlistedOf } from '../enumerations.ts'
import { withAdvice } from '../kit/advice.ts'
import type { Facts, Handles, RefundSeen, Snapshot, Stage, StepRefused, StoredMethod } from '../outcome.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { sum } from './money.ts'
import { BANK_CODES } from './refusals.ts'
import type { PaypalAuthorization, PaypalCapture, PaypalOrder, PaypalPayer, PaypalRefund } from './wire.ts'

/** Pure: PayPal's state of an order. */

/** PayPal has taken the money. While it holds it because of a dispute, the capture is pending again. */
export const isTaken = (capture: PaypalCapture): boolean =>
  ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(capture.status) || isComplained(capture)

export const isComplained = ({ status, reason }: PaypalCapture): boolean =>
  status === 'PENDING' && (reason === 'BUYER_COMPLAINT' || reason === 'CHARGEBACK')

/** PayPal or the payer's bank refused the capture. */
export const isRefused = ({ status }: PaypalCapture): boolean => status === 'DECLINED' || status === 'FAILED'

/** Still holds money of the payer. */
export const isLive = ({ status }: PaypalAuthorization): boolean =>
  status === 'CREATED' || status === 'PARTIALLY_CAPTURED' || status === 'PENDING'

/** The newest: a new authorisation takes the place of the old one. */
export const authorizationOf = ({ authorizations }: PaypalOrder): PaypalAuthorization | undefined =>
  authorizations.findLast(isLive) ?? authorizations.at(-1)

export function snapshotOf(order: PaypalOrder, now: Date): Snapshot {
  const { currency } = order.amount
  const stage = stageOf(order, now)
  const authorization = order.intent === 'AUTHORIZE' ? authorizationOf(order) : undefined
  const refused = refusedIn(order)
  const unlisted = unlistedIn(order)
  return {
    kind: 'snapshot',
    handles: handlesOf(order),
    stage,
    ...(authorization && stage !== 'declined' ? { authorised: authorization.amount } : {}),
    captured: summed(order.captures.filter(isTaken), currency),
    refunded: refundedIn(order),
    refunds: order.refunds.map((refund) => refundSeen(refund, order.reference)),
    ...(stage === 'declined'
      ? { decline: declineOf(order.captures.at(-1) ?? order.authorizations.at(-1)) }
      : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(stage === 'needs-customer' && order.approvalUrl ? { customerUrl: order.approvalUrl } : {}),
    facts: factsOf(order),
    ...(order.reference === undefined ? {} : { reference: order.reference }),
    ...(unlisted.length > 0 ? { unlisted } : {}),
  }
}

/** What refunds have returned, and what PayPal took back without one. */
function refundedIn(order: PaypalOrder): Money {
  const { refundedSum, amount } = order
  const done = order.refunds.filter(({ status }) => status === 'COMPLETED')
  const shown = summed([...done, ...reversedIn(order)], amount.currency)
  const isMore = refundedSum?.currency === shown.currency && refundedSum.minor > shown.minor
  return isMore ? refundedSum : shown
}

/** Captures that PayPal took back without a refund, for example after the payer's bank did. */
export const reversedIn = ({ captures, refunds }: PaypalOrder): PaypalCapture[] =>
  captures.filter(({ id, status }) => status === 'REFUNDED' && !refunds.some((one) => one.captureId === id))

/** In the currency of the payments, so that another currency than the order's is noticed. */
const summed = (payments: readonly { readonly amount: Money }[], currency: string): Money => {
  const amounts = payments.map(({ amount }) => amount)
  const other = amounts.find((amount) => amount.currency !== currency)
  return other ?? sum(amounts, currency)
}

/** Captures of an authorisation that PayPal accepted as pending and refused later. */
const refusedIn = ({ intent, captures, reference }: PaypalOrder): StepRefused[] =>
  captures
    .filter((one) => intent === 'AUTHORIZE' && isRefused(one))
    .map(({ id, invoiceId, status, reason }) => ({
      ...{ step: 'capture' as const, id },
      ...(invoiceId === undefined || invoiceId === reference ? {} : { operationKey: invoiceId }),
      problem: `PayPal says that the capture is ${status.toLowerCase()}${reason ? ` (${reason})` : ''}.`,
    }))

const unlistedIn = ({ status, authorizations, captures, refunds }: PaypalOrder): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['orderStatus', status],
    ...authorizations.map((one) => ['authorizationStatus', one.status] as const),
    ...captures.map((one) => ['captureStatus', one.status] as const),
    ...captures.map((one) => ['captureReason', one.reason] as const),
    ...refunds.map((one) => ['refundStatus', one.status] as const),
  ])

function stageOf(order: PaypalOrder, now: Date): Stage {
  const { captures } = order
  if (captures.some(isTaken)) return 'captured'
  const pending = captures.find(({ status }) => status === 'PENDING')
  if (pending) return pending.reason === 'PENDING_REVIEW' ? 'in-review' : 'processing'
  const authorization = authorizationOf(order)
  if (authorization) return authorizationStage(authorization, now)
  if (captures.length > 0) return 'declined'
  return ORDER_STAGES[order.status] ?? 'processing'
}

const ORDER_STAGES: Readonly<Record<string, Stage>> = {
  CREATED: 'needs-customer',
  SAVED: 'needs-customer',
  PAYER_ACTION_REQUIRED: 'needs-customer',
  APPROVED: 'approved',
  VOIDED: 'cancelled',
}

/** An authorisation that ended by itself reads as voided. */
function authorizationStage({ status, expiresAt }: PaypalAuthorization, now: Date): Stage {
  switch (status) {
    case 'CREATED':
    case 'PARTIALLY_CAPTURED':
      return 'authorised'
    case 'PENDING':
      return 'in-review'
    case 'DENIED':
      return 'declined'
    case 'VOIDED':
      return expiresAt && expiresAt <= now ? 'expired' : 'cancelled'
    default:
      return 'processing'
  }
}

/** Why PayPal or the payer's bank declined a payment. */
export const declineOf = (payment: PaypalAuthorization | PaypalCapture | undefined) =>
  withAdvice(meaningOf(payment), { advice: payment?.adviceCode })

function meaningOf(
  payment: PaypalAuthorization | PaypalCapture | undefined,
): NonNullable<Snapshot['decline']> {
  const networkCode = payment?.bankCode
  const code = payment && (('reason' in payment ? payment.reason : undefined) ?? payment.status)
  const raw = {
    ...(code === undefined ? {} : { code }),
    ...(networkCode === undefined ? {} : { networkCode }),
  }
  const known = BANK_CODES.get(networkCode ?? '')
  if (known) return { ...known, raw }
  const generic = { reason: 'generic', retry: 'unspecified' } as const
  if (networkCode === undefined) return { ...generic, raw }
  return { ...generic, raw: { ...raw, code: networkCode }, isUnlisted: true }
}

const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  COMPLETED: 'done',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

/** A refund made on PayPal's site may carry our reference; only the key of an operation is an operation's. */
function refundSeen(
  { id, customId, amount, status }: PaypalRefund,
  reference: string | undefined,
): RefundSeen {
  const state = REFUND_STATES[status] ?? 'pending'
  return {
    ...{ id, amount, state },
    ...(customId === undefined || customId === reference ? {} : { operationKey: customId }),
    ...(state === 'failed' ? { problem: `PayPal says that the refund is ${status.toLowerCase()}.` } : {}),
  }
}

/**
 * `intent` and `opened` are for later calls: how to process the order, and when it can have lapsed. Some
 * notifications name only the order: `lookup`.
 */
export function handlesOf(order: PaypalOrder): Handles {
  const authorisation = authorizationOf(order)?.id
  const capture = order.captures.findLast(isTaken)?.id ?? order.captures.at(-1)?.id
  return {
    payment: order.id,
    lookup: order.id,
    intent: order.intent,
    currency: order.amount.currency,
    ...(order.createdAt ? { opened: order.createdAt.toISOString() } : {}),
    ...(authorisation === undefined ? {} : { authorisation }),
    ...(capture === undefined ? {} : { capture }),
  }
}

export function factsOf(order: PaypalOrder): Facts {
  const { id: _id, ...payer } = order.payer
  const fee = feeOf(order.captures)
  const until = authorizationOf(order)?.expiresAt
  const stored = order.vaultId === undefined ? undefined : walletOf(order.vaultId, order.payer)
  return {
    method: 'Paypal',
    payer,
    ...(fee ? { fee } : {}),
    ...(until ? { authorisedUntil: until } : {}),
    ...(stored ? { stored } : {}),
  }
}

/** The fees of all captures, if they are in one currency. */
export function feeOf(captures: readonly PaypalCapture[]): Money | undefined {
  const fees = captures.filter(isTaken).flatMap(({ fee }) => (fee ? [fee] : []))
  const [first] = fees
  if (!first || fees.some(({ currency }) => currency !== first.currency)) return undefined
  return money(sum(fees, first.currency).minor, first.currency)
}

export function walletOf(token: string, payer: PaypalPayer): StoredMethod {
  const label = payer.email === undefined ? 'PayPal' : `PayPal ${maskedMailbox(payer.email)}`
  return {
    token,
    label,
    method: 'Paypal',
    ...(payer.id === undefined ? {} : { fingerprint: payer.id }),
  }
}

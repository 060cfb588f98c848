import { after, DAY, SECOND } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import type { Handles, NotDone, Outcome } from '../outcome.ts'
import type { Operation, Purchase } from '../port.ts'
import { subKey } from '../sub-key.ts'
import { callApi, type PaypalCall, type PaypalContext } from './api.ts'
import {
  authorizationRead,
  captureCall,
  captureRead,
  orderRead,
  processCall,
  reauthorizeCall,
  refundCall,
  startCall,
  voidCall,
} from './calls.ts'
import {
  attemptOutcome,
  cannotExpress,
  captureOutcome,
  readAs,
  readCapture,
  readOrder,
  readRefund,
  readVoid,
  refundOutcome,
} from './outcomes.ts'
import { actionKey, askPayer } from './payer-action.ts'
import { authorizationOf, handlesOf, isLive, isTaken } from './snapshot.ts'
import {
  authorizationIn,
  type PaypalAuthorization,
  type PaypalCapture,
  type PaypalOrder,
  type PaypalRefund,
} from './wire.ts'

/** The steps that need several requests, and what one request leads to. */

/** PayPal honours an authorisation for three days. After that it wants a new one. */
const HONOURED_MS = 3 * DAY
/** A worker that takes an operation over waits longer than this. */
const FIRST_SENDING_MS = 20 * SECOND

/**
 * PayPal cannot be read by our reference, so the repetition of a lost request may be the only way to its
 * result. If a repetition does not reach PayPal, the result of the first request is still unknown.
 */
export function unlessRepeated(ctx: PaypalContext, op: Operation, outcome: Outcome): Outcome {
  const isFirst = op.sending === 1 && ctx.now() < after(op.createdAt, FIRST_SENDING_MS)
  if (outcome.kind !== 'not-done' || isFirst || !INCONCLUSIVE.includes(outcome.why)) return outcome
  return { kind: 'unknown', why: 'connection-lost', ...(outcome.raw ? { raw: outcome.raw } : {}) }
}
const INCONCLUSIVE: readonly NotDone['why'][] = ['not-sent', 'bad-credentials', 'rate-limited']

export async function sendAttempt(ctx: PaypalContext, call: PaypalCall): Promise<Outcome | PaypalOrder> {
  const read = readOrder(await callApi(ctx, call))
  return read.kind === 'read' ? read.value : read
}

export const isOrder = (result: Outcome | PaypalOrder): result is PaypalOrder => 'intent' in result

export async function start(ctx: PaypalContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument !== undefined) return { kind: 'not-done', why: 'unsupported' }
  const call = startCall(op, purchase)
  if (!call) return cannotExpress(purchase.amount)
  const result = await sendAttempt(ctx, call)
  if (!isOrder(result)) return isAddressRefused(result, purchase) ? startBare(ctx, op, purchase) : result
  return opened(ctx, result)
}

/** An address that PayPal does not accept is left out: the payment matters more. */
const isAddressRefused = (outcome: Outcome, { shipping }: Purchase): boolean =>
  shipping !== undefined && outcome.kind === 'declined' && outcome.reason === 'incorrect-address'

async function startBare(ctx: PaypalContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  const { shipping: _refused, ...bare } = purchase
  const call = startCall({ ...op, key: subKey(op.key, 'A') }, bare)
  if (!call) return cannotExpress(purchase.amount)
  const result = await sendAttempt(ctx, call)
  return isOrder(result) ? opened(ctx, result) : result
}

function opened(ctx: PaypalContext, result: PaypalOrder): Outcome {
  // A repeated request shows the order as it is now.
  if (result.status === 'APPROVED')
    return { kind: 'pending', handles: handlesOf(result), waitsFor: 'customer' }
  return attemptOutcome(result, ctx.now())
}

/** The intent of the order decides, not the purchase: rules may have changed since the order was opened. */
export async function resume(
  ctx: PaypalContext,
  op: Operation,
  purchase: Purchase,
  handles: Handles,
): Promise<Outcome> {
  const { payment } = handles
  if (payment === undefined) return { kind: 'not-done', why: 'not-found' }
  const isSale = handles.intent === undefined ? purchase.sale : handles.intent === 'CAPTURE'
  const reply = await callApi(ctx, processCall(payment, actionKey(op.key, handles), isSale))
  const read = readOrder(reply)
  const outcome = read.kind === 'read' ? attemptOutcome(read.value, ctx.now()) : read
  return askPayer(outcome, { reply, handles, isPresent: purchase.customerPresent })
}

/** Ids that are known although the request failed. */
const withHandles = (outcome: Outcome, handles: Handles): Outcome =>
  outcome.kind === 'not-done' ? outcome : { ...outcome, handles }

export type Failed = Exclude<Outcome, { kind: 'approved' | 'pending' | 'redirect' }>

/** The order of a payment. Undefined: PayPal does not know it any more. */
export async function findOrder(
  ctx: PaypalContext,
  handles: Handles,
): Promise<PaypalOrder | Failed | undefined> {
  if (handles.payment === undefined) return undefined
  const read = readOrder(await callApi(ctx, orderRead(handles.payment)))
  if (read.kind === 'read') return read.value
  return read.kind === 'not-done' && read.why === 'not-found' ? undefined : read
}

export const isFailed = (found: PaypalOrder | Failed | undefined): found is Failed =>
  found !== undefined && 'kind' in found

export async function capture(
  ctx: PaypalContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<Outcome> {
  const order = await findOrder(ctx, handles)
  if (isFailed(order)) return order
  const made = order?.captures.find(({ invoiceId }) => invoiceId === op.key)
  if (order && made) return captureOutcome(made, authorizationOf(order)?.id)
  const authorization = order ? authorizationOf(order) : await findAuthorization(ctx, handles)
  if (!authorization) return { kind: 'not-done', why: order ? 'wrong-state' : 'not-found' }
  if ('kind' in authorization) return authorization
  const left = authorization.amount.minor - takenFrom(order)
  // PayPal itself would take up to 115 %.
  if (amount.minor > left && isLive(authorization)) return { kind: 'not-done', why: 'bad-request' }
  const current = await honoured(ctx, op, authorization)
  if ('kind' in current) return current
  const call = captureCall(op, current.id, amount)
  if (!call) return cannotExpress(amount)
  const read = readCapture(await callApi(ctx, call))
  return read.kind === 'read'
    ? captureOutcome(read.value, current.id)
    : withHandles(read, { authorisation: current.id })
}

const takenFrom = (order: PaypalOrder | undefined): bigint =>
  (order?.captures ?? [])
    .filter((one) => isTaken(one) || one.status === 'PENDING')
    .reduce((total, { amount }) => total + amount.minor, 0n)

async function findAuthorization(
  ctx: PaypalContext,
  { authorisation }: Handles,
): Promise<PaypalAuthorization | Failed | undefined> {
  if (authorisation === undefined) return undefined
  const read = readAs(await callApi(ctx, authorizationRead(authorisation)), authorizationIn)
  return read.kind === 'read' ? read.value : read
}

/**
 * The authorisation, or a new one in its place if PayPal no longer honours it. If PayPal gives no new one,
 * the capture of the old one decides. A repeated operation repeats this request too: the old authorisation
 * may be voided because a new one took its place.
 */
async function honoured(
  ctx: PaypalContext,
  op: Operation,
  old: PaypalAuthorization,
): Promise<PaypalAuthorization | Failed> {
  const isOld = old.createdAt !== undefined && after(old.createdAt, HONOURED_MS) < ctx.now()
  const isReplaced = old.status === 'VOIDED' && op.sending > 1
  if (!isOld || !(old.status === 'CREATED' || isReplaced)) return old
  const read = readAs(await callApi(ctx, reauthorizeCall(op, old.id, old.amount)), authorizationIn)
  if (read.kind === 'read') return read.value
  return read.kind === 'unknown' || isTransient(read) ? read : old
}

const isTransient = (failed: Failed): boolean =>
  failed.kind === 'not-done' && INCONCLUSIVE.includes(failed.why)

/** Voids what is reserved. An order without money needs no call: it can only be paid by `resume`. */
export async function cancel(ctx: PaypalContext, handles: Handles): Promise<Outcome> {
  const order = await findOrder(ctx, handles)
  if (isFailed(order)) return order
  const live = order ? order.authorizations.filter(isLive).map(({ id }) => id) : [handles.authorisation ?? '']
  const holds = order?.captures.some((one) => isTaken(one) || one.status === 'PENDING')
  if (order && live.length === 0 && holds) return { kind: 'not-done', why: 'wrong-state' }
  for (const id of live.filter((one) => one !== '')) {
    const read = readVoid(await callApi(ctx, voidCall(id)))
    const isVoided = read.kind === 'not-done' && read.raw?.code === 'PREVIOUSLY_VOIDED'
    if (read.kind !== 'read' && !isVoided) return read
  }
  const echo = order?.reference === undefined ? {} : { echo: { reference: order.reference } }
  return { kind: 'approved', handles: order ? handlesOf(order) : handles, facts: {}, ...echo }
}

export async function refund(
  ctx: PaypalContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<Outcome> {
  const order = await findOrder(ctx, handles)
  if (isFailed(order)) return order
  const made = order?.refunds.find(({ customId }) => customId === op.key)
  if (made) return refundOutcome(made, op, made.captureId ?? handles.capture ?? '')
  const found = order ? refundable(order, amount) : handles.capture
  if (typeof found !== 'string') return found ?? { kind: 'not-done', why: 'not-found' }
  const call = refundCall(op, found, amount)
  if (!call) return cannotExpress(amount)
  const read = readRefund(await callApi(ctx, call))
  return read.kind === 'read' ? refundOutcome(read.value, op, found) : read
}

/** The capture with enough money left. Usually there is one capture. */
function refundable(order: PaypalOrder, amount: Money): string | NotDone {
  const enough = order.captures.find((one) => isTaken(one) && leftOf(one, order.refunds) >= amount.minor)
  if (enough) return enough.id
  if (order.captures.some(({ status }) => status === 'PENDING'))
    return { kind: 'not-done', why: 'wrong-state' }
  const message = 'No capture of this payment has that much left.'
  return { kind: 'not-done', why: 'bad-request', raw: { message } }
}

function leftOf({ id, amount }: PaypalCapture, refunds: readonly PaypalRefund[]): bigint {
  return refunds
    .filter((one) => one.captureId === id && (one.status === 'COMPLETED' || one.status === 'PENDING'))
    .reduce((left, one) => left - one.amount.minor, amount.minor)
}

/** Our reference of the payment that a capture belongs to. */
export async function referenceOfCapture(ctx: PaypalContext, id: string): Promise<string | undefined> {
  const read = readCapture(await callApi(ctx, captureRead(id)))
  if (read.kind === 'read') return read.value.customId
  if (read.kind === 'not-done' && read.why === 'not-found') return undefined
  throw new Error(`PayPal did not show a capture: ${read.kind === 'declined' ? read.reason : read.why}`)
}

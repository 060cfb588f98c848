import { after, HOUR, SECOND } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import { textAt } from '../kit/json.ts'
import { unreadable, unsupported } from '../kit/reply.ts'
import type { Handles, NotDone, Outcome, StoredRead } from '../outcome.ts'
import type { Operation, Purchase } from '../port.ts'
import { subKey } from '../sub-key.ts'
import { toWire } from './amounts.ts'
import {
  cancelPayment,
  capturePayment,
  chargeMandate,
  createCustomer,
  type MollieRequest,
  openPayment,
  readMandate,
  refundPayment,
  releaseAuthorisation,
  revokeMandate,
} from './calls.ts'
import { call, type MollieContext } from './exchange.ts'
import { parseToken, storedIn } from './facts.ts'
import { manifest } from './manifest.ts'
import {
  cancelled,
  captureOutcome,
  captureResult,
  paymentOutcome,
  refundOutcome,
  refundResult,
} from './outcomes.ts'
import { isId, type MolliePayment, paymentIn } from './payment.ts'
import { isFailure, readWhole } from './retrieve.ts'

/** The steps, and the requests that each needs. */

const NOT_OURS = unsupported('The stored method is not one of Mollie.')

/** A wallet is paid at once: nothing is reserved. */
const cannotTake = ({ method, sale }: Purchase): NotDone | undefined =>
  sale || manifest.methods[method]?.authoriseOnly
    ? undefined
    : unsupported(`Mollie does not reserve money by ${method}.`)

export async function start(ctx: MollieContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument !== undefined) return unsupported('Mollie takes payments on its page only.')
  const problem = cannotTake(purchase)
  if (problem) return problem
  if (!purchase.storeMethod) return open(ctx, openPayment(op, purchase, ctx, undefined))
  const made = await call(ctx, createCustomer(op))
  if (made.kind !== 'object') return made
  const customer = textAt(made.object, 'id')
  return isId(customer) ? open(ctx, openPayment(op, purchase, ctx, customer)) : unreadable()
}

async function open(ctx: MollieContext, request: MollieRequest): Promise<Outcome> {
  const read = await call(ctx, request)
  if (read.kind !== 'object') return read
  const payment = paymentIn(read.object)
  return payment ? paymentOutcome(payment) : unreadable()
}

/** The customer is saved first: if the answer is lost, its payments show whether the charge was made. */
export async function charge(
  ctx: MollieContext,
  op: Operation,
  purchase: Purchase,
  token: string,
): Promise<Outcome> {
  const stored = parseToken(token)
  if (!stored) return NOT_OURS
  const problem = cannotTake(purchase)
  if (problem) return problem
  const handles = { customer: stored.customer, asked: op.createdAt.toISOString() }
  const isHeld = op.save ? await op.save(handles) : true
  if (!isHeld) return { kind: 'unknown', why: 'connection-lost' }
  const outcome = unlessRepeated(ctx, op, await open(ctx, chargeMandate(op, purchase, ctx, stored)))
  // The customer of a stored method was removed at Mollie.
  const isGone = outcome.kind === 'not-done' && outcome.why === 'not-found'
  if (isGone) return { kind: 'declined', reason: 'method-removed', retry: 'never', raw: outcome.raw ?? {} }
  return outcome.kind === 'unknown' ? { ...outcome, handles: { ...handles, ...outcome.handles } } : outcome
}

/** A worker that takes an operation over waits longer than this. */
const FIRST_SENDING_MS = 20 * SECOND

/** If a repetition does not reach Mollie, the result of the first request is still unknown. */
function unlessRepeated(ctx: MollieContext, op: Operation, outcome: Outcome): Outcome {
  const isFirst = op.sending === 1 && ctx.now() < after(op.createdAt, FIRST_SENDING_MS)
  if (isFirst || outcome.kind !== 'not-done' || !INCONCLUSIVE.includes(outcome.why)) return outcome
  return { kind: 'unknown', why: 'connection-lost', ...(outcome.raw ? { raw: outcome.raw } : {}) }
}
const INCONCLUSIVE: readonly NotDone['why'][] = ['not-sent', 'bad-credentials', 'rate-limited']

const noPayment: NotDone = {
  kind: 'not-done',
  why: 'wrong-state',
  raw: { message: 'The page was not opened.' },
}

export async function capture(
  ctx: MollieContext,
  op: Operation,
  { payment, amount: reserved }: Handles,
  amount: Money,
): Promise<Outcome> {
  if (!isId(payment)) return noPayment
  const outcome = await captureOnce(ctx, op, payment, amount)
  const isPart = reserved !== undefined && reserved !== toWire(amount).value
  if (!isPart) return outcome
  // The capture is sent again when it has succeeded: the rest cannot be released before that.
  if (outcome.kind === 'pending')
    return { ...outcome, isDeferred: true, handles: { ...outcome.handles, rest: op.key } }
  // If this request fails, the reservation of the rest ends by itself.
  if (outcome.kind !== 'approved') return outcome
  await call(ctx, releaseAuthorisation(payment, subKey(op.key, 'A')))
  return { ...outcome, handles: { ...outcome.handles, rest: undefined } }
}

/** A repetition looks first: Mollie may have forgotten the key. */
async function captureOnce(ctx: MollieContext, op: Operation, id: string, amount: Money): Promise<Outcome> {
  if (op.sending > 1) {
    const payment = await readWhole(ctx, id)
    if (isFailure(payment)) return payment
    const made = payment.captures.find(({ operationKey }) => operationKey === op.key)
    if (made) return captureResult(made, ctx.now())
  }
  return captureOutcome(await call(ctx, capturePayment(op, id, amount)), { op, id }, ctx.now())
}

/** Releases a reservation, or closes an open page. Without an id no one has the address of the page. */
export async function cancel(ctx: MollieContext, op: Operation, handles: Handles): Promise<Outcome> {
  const { payment: id, customer } = handles
  if (!isId(id)) return customer === undefined ? { kind: 'approved', handles: {}, facts: {} } : noPayment
  const payment = await readWhole(ctx, id)
  if (isFailure(payment)) return payment
  switch (payment.status) {
    case 'open':
    case 'pending':
      return closePage(ctx, op, payment)
    case 'authorized':
      return release(ctx, op, payment)
    case 'paid':
      return { kind: 'not-done', why: 'wrong-state', raw: { code: payment.status } }
    case 'canceled':
    case 'expired':
    case 'failed':
      return cancelled(payment, op)
    default:
      return unreadable({ code: payment.status })
  }
}

/** Mollie does not close a page that the payer uses. Such a page lapses, and is read again then. */
async function closePage(ctx: MollieContext, op: Operation, payment: MolliePayment): Promise<Outcome> {
  if (payment.status === 'open' && !payment.isCancelable) return lapses(ctx, op, payment)
  const read = await call(ctx, cancelPayment(op, payment.id))
  if (read.kind === 'not-done' && read.why === 'bad-request') {
    const now = await readWhole(ctx, payment.id)
    if (isFailure(now)) return now
    return now.status === 'open' ? lapses(ctx, op, now) : { ...read, why: 'wrong-state' }
  }
  if (read.kind !== 'object') return read
  const closed = paymentIn(read.object)
  return closed?.id === payment.id && closed.status === 'canceled' ? cancelled(closed, op) : unreadable()
}

/** If Mollie does not say how long a page is open. */
const LONGEST_PAGE_MS = 4 * HOUR

const lapses = (ctx: MollieContext, op: Operation, payment: MolliePayment): Outcome =>
  cancelled(payment, op, payment.expiresAt ?? after(ctx.now(), LONGEST_PAGE_MS))

/** Mollie accepts a release and carries it out later. */
async function release(ctx: MollieContext, op: Operation, payment: MolliePayment): Promise<Outcome> {
  const accepted = await call(ctx, releaseAuthorisation(payment.id, op.key))
  if (accepted.kind !== 'object')
    return accepted.kind === 'not-done' && accepted.why === 'bad-request'
      ? { ...accepted, why: 'wrong-state' }
      : accepted
  const now = await readWhole(ctx, payment.id)
  if (!isFailure(now) && now.status === 'canceled') return cancelled(now, op)
  return { kind: 'pending', waitsFor: 'provider', handles: {} }
}

/** A repetition looks first: Mollie may have forgotten the key. */
export async function refund(
  ctx: MollieContext,
  op: Operation,
  { payment: id }: Handles,
  amount: Money,
): Promise<Outcome> {
  if (!isId(id)) return noPayment
  if (op.sending > 1) {
    const payment = await readWhole(ctx, id)
    if (isFailure(payment)) return payment
    const made = payment.refunds.find(({ operationKey }) => operationKey === op.key)
    if (made) return refundResult(made)
  }
  return refundOutcome(await call(ctx, refundPayment(op, id, amount)), { op, id })
}

export async function readStored(ctx: MollieContext, token: string): Promise<StoredRead> {
  const wanted = parseToken(token)
  if (!wanted) return NOT_OURS
  const read = await call(ctx, readMandate(wanted))
  if (read.kind === 'declined') return { kind: 'not-done', why: 'not-found', raw: read.raw }
  if (read.kind !== 'object') return read
  const stored = storedIn(wanted, read.object)
  return stored ? { kind: 'stored', stored } : { kind: 'not-done', why: 'not-found' }
}

export async function forget(ctx: MollieContext, token: string) {
  const stored = parseToken(token)
  if (!stored) return NOT_OURS
  const read = await call(ctx, revokeMandate(stored))
  if (read.kind === 'object') return { kind: 'done' } as const
  // It may have been revoked before.
  const isGone = read.kind === 'declined' || (read.kind === 'not-done' && read.why === 'not-found')
  return isGone ? ({ kind: 'done' } as const) : read
}

import { MINUTE } from '../../base/clock.ts'
import { unsupported } from '../kit/reply.ts'
import type { Handles, Outcome, StoredRead } from '../outcome.ts'
import type { Operation, ProviderAdapter, Purchase } from '../port.ts'
import { check } from './account/check.ts'
import { connect } from './account/connect.ts'
import { accountMethods } from './account/methods.ts'
import {
  cancelPayment,
  capturePayment,
  chargeStored,
  detachMethod,
  expirePage,
  openPage,
  refundPayment,
  type StoredToken,
} from './calls.ts'
import { disputes } from './disputes.ts'
import { receive } from './events/receive.ts'
import { call, isRepeatedError, NOT_MADE, readReply, type StripeContext, send } from './exchange.ts'
import { storedMethodOf } from './facts.ts'
import { manifest, type StripeSettings } from './manifest.ts'
import {
  cancelOutcome,
  captureOutcome,
  chargeOutcome,
  expireOutcome,
  intentOutcome,
  pageOutcome,
  refundOutcome,
} from './outcomes.ts'
import { readMethod, readSession } from './reads.ts'
import { findIntent, retrieve } from './retrieve.ts'
import { settlements } from './settlements.ts'
import { finishSetup, newCustomer, setUp } from './setup.ts'
import { idAt, isId } from './wire.ts'

/** Decision 0110. */
export const stripe: ProviderAdapter<StripeSettings> = {
  manifest,
  check,
  accountMethods,
  connect,
  connectHelp: 'In the Stripe Dashboard under Developers, Webhooks: add an endpoint with this address.',
  start,
  resume: async () => unsupported('Stripe pays without a second step.'),
  charge,
  async capture(ctx, op, handles, amount) {
    const intent = await intentIdOf(ctx, handles)
    if (typeof intent !== 'string') return intent
    return captureOutcome(await send(ctx, capturePayment(op, intent, amount)), ctx.now())
  },
  cancel,
  async refund(ctx, op, handles, amount) {
    const intent = await intentIdOf(ctx, handles)
    if (typeof intent !== 'string') return intent
    return refundOutcome(await send(ctx, refundPayment(op, intent, amount)), ctx.now())
  },
  retrieve,
  setUp,
  finishSetup: (ctx, _keeping, handles) => finishSetup(ctx, handles),
  forget,
  readStored,
  receive: async (ctx, call) => receive(ctx, call),
  settlements,
  disputes,
}

async function start(ctx: StripeContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument) return unsupported('Stripe takes payments on its page only.')
  const customer = purchase.storeMethod ? await newCustomer(ctx, op.key, purchase.customer) : undefined
  if (customer && customer.kind !== 'customer') return customer
  const request = openPage(op, purchase, customer?.id)
  if (!request) return cannotTake(purchase)
  const reply = await send(ctx, request)
  // A page whose address was never given out cannot be paid.
  return isRepeatedError(reply) ? NOT_MADE : pageOutcome(reply, ctx.now())
}

const cannotTake = ({ amount, method }: Purchase): Outcome =>
  unsupported(`Stripe does not take this amount in ${amount.currency} by ${method}.`)

async function charge(
  ctx: StripeContext,
  op: Operation,
  purchase: Purchase,
  token: string,
): Promise<Outcome> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Stripe.')
  const request = chargeStored(op, purchase, stored)
  if (!request) return cannotTake(purchase)
  // With its customer, the charge is found again if the reply is lost.
  const { customer } = stored
  const isSaved = op.saved?.customer === customer || ((await op.save?.({ customer })) ?? true)
  if (!isSaved) return { kind: 'unknown', why: 'connection-lost' }
  const reply = await send(ctx, request)
  if (isRepeatedError(reply)) return afterRepeatedError(ctx, op, stored)
  return chargeOutcome(readReply(reply, request.answers, ctx.now()), op.createdAt)
}

/** A list of Stripe has everything that is older than this. */
const LIST_LAG_MS = 10 * MINUTE

/**
 * Stripe repeats an error 500 as long as it keeps the key, so the request itself will never tell what
 * happened. The payments of the customer do.
 */
async function afterRepeatedError(
  ctx: StripeContext,
  op: Operation,
  { customer }: StoredToken,
): Promise<Outcome> {
  const found = await findIntent(ctx, op.reference, customer)
  if (found.kind === 'found') return intentOutcome(found.intent, op.createdAt)
  const isOld = ctx.now().getTime() - op.createdAt.getTime() > LIST_LAG_MS
  const isProven = found.kind === 'none' && found.isComplete && isOld
  return isProven ? NOT_MADE : { kind: 'unknown', why: 'server-error' }
}

function storedToken(token: string): StoredToken | undefined {
  const [customer, method, ...more] = token.split('/')
  return isId(customer) && isId(method) && more.length === 0 ? { customer, method } : undefined
}

/** An open page is closed; a payment is cancelled. */
async function cancel(ctx: StripeContext, op: Operation, handles: Handles): Promise<Outcome> {
  const { session, payment, authorisation, capture } = handles
  const isPaid = authorisation !== undefined || capture !== undefined
  if (isId(session) && !isPaid) return expireOutcome(await send(ctx, expirePage(op, session)), ctx.now())
  if (!isId(payment)) return unknownPayment
  return cancelOutcome(await send(ctx, cancelPayment(op, payment)), ctx.now())
}

const unknownPayment: Outcome = {
  kind: 'not-done',
  why: 'wrong-state',
  raw: { message: 'The page was not paid.' },
}

/** A page has a payment intent only after the customer tried to pay. */
async function intentIdOf(ctx: StripeContext, { payment, session }: Handles): Promise<string | Outcome> {
  if (isId(payment)) return payment
  if (!isId(session)) return unknownPayment
  const read = await call(ctx, readSession(session))
  if (read.kind !== 'object') return read
  const id = idAt(read.object, 'payment_intent')
  return isId(id) ? id : unknownPayment
}

async function forget(ctx: StripeContext, token: string): ReturnType<typeof stripe.forget> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Stripe.')
  const detached = await call(ctx, detachMethod(stored.method))
  if (detached.kind === 'object') return { kind: 'done' }
  if (detached.kind !== 'not-done') return { kind: 'unknown', why: 'server-error' }
  if (detached.why !== 'bad-request' && detached.why !== 'not-found') return detached
  // It may have been removed before.
  const read = await call(ctx, readMethod(stored.method))
  const isGone =
    read.kind === 'object' ? idAt(read.object, 'customer') === undefined : isMissing(read.kind, read)
  return isGone ? { kind: 'done' } : detached
}

const isMissing = (kind: string, failed: object): boolean =>
  kind === 'not-done' && (failed as { why?: string }).why === 'not-found'

async function readStored(ctx: StripeContext, token: string): Promise<StoredRead> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Stripe.')
  const read = await call(ctx, readMethod(stored.method))
  if (read.kind === 'declined') return { kind: 'unknown', why: 'unreadable-reply' }
  if (read.kind !== 'object') return read
  const found = storedMethodOf(read.object)
  // A method of another customer cannot be charged with this token.
  return found?.token === token ? { kind: 'stored', stored: found } : { kind: 'not-done', why: 'not-found' }
}

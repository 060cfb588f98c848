import { MINUTE } from '../../base/clock.ts'
import { type Checked, checkProblem } from '../check.ts'
import type { Handles, Outcome } from '../outcome.ts'
import type { Operation, ProviderAdapter, Purchase } from '../port.ts'
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
import { ask, isRepeatedError, readReply, type StripeContext, send } from './exchange.ts'
import { keep, kept, newCustomer, notDone } from './keep.ts'
import { manifest, type StripeSettings } from './manifest.ts'
import {
  cancelOutcome,
  captureOutcome,
  chargeOutcome,
  expireOutcome,
  intentOutcome,
  pageOutcome,
  refundOutcome,
  unsupported,
} from './outcomes.ts'
import { listIntents, listOne, REFERENCE, readMethod, readSession } from './reads.ts'
import { connect, problemOf, receive } from './receive.ts'
import { retrieve } from './retrieve.ts'
import { idAt, isId, listAt, textAt } from './wire.ts'

export const stripe: ProviderAdapter<StripeSettings> = {
  manifest,
  check,
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
  retrieve: (ctx, _reference, handles) => retrieve(ctx, handles),
  keep,
  kept: (ctx, _keeping, handles) => kept(ctx, handles),
  forget,
  receive: async (ctx, call) => receive(ctx, call),
}

/** The permissions of a restricted key that can be checked by reading, with their names at Stripe. */
const READABLE = {
  'Checkout Sessions': '/v1/checkout/sessions',
  PaymentIntents: '/v1/payment_intents',
  'Charges and Refunds': '/v1/refunds',
  Events: '/v1/events',
} as const

async function check(ctx: StripeContext): Promise<Checked> {
  for (const [what, path] of Object.entries(READABLE)) {
    const read = await ask(ctx, listOne(path))
    if (read.kind !== 'object') return { ok: false, problem: problemOf(read, what), code: checkProblem(read) }
  }
  return { ok: true }
}

async function start(ctx: StripeContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument) return unsupported('Stripe takes payments on its page only.')
  const customer = purchase.storeMethod ? await newCustomer(ctx, op.key, purchase.customer) : undefined
  if (customer && customer.kind !== 'customer') return customer
  const request = openPage(op, purchase, customer?.id)
  if (!request) return cannotTake(purchase)
  const reply = await send(ctx, request)
  return isRepeatedError(reply) ? notDone : pageOutcome(reply, ctx.now())
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
  const reply = await send(ctx, request)
  if (isRepeatedError(reply)) return afterRepeatedError(ctx, op, stored)
  return chargeOutcome(readReply(reply, request.answers, ctx.now()))
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
  const read = await ask(ctx, listIntents(customer))
  if (read.kind !== 'object') return { kind: 'unknown', why: 'server-error' }
  const ours = listAt(read.object, 'data').find(
    (intent) => textAt(intent, 'metadata', REFERENCE) === op.reference,
  )
  if (ours) return intentOutcome(ours)
  const isComplete =
    read.object.has_more === false && ctx.now().getTime() - op.createdAt.getTime() > LIST_LAG_MS
  return isComplete ? notDone : { kind: 'unknown', why: 'server-error' }
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
  const read = await ask(ctx, readSession(session))
  if (read.kind !== 'object') return read
  const id = idAt(read.object, 'payment_intent')
  return isId(id) ? id : unknownPayment
}

async function forget(ctx: StripeContext, token: string): ReturnType<typeof stripe.forget> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Stripe.')
  const detached = await ask(ctx, detachMethod(stored.method))
  if (detached.kind === 'object') return { kind: 'done' }
  if (detached.kind !== 'not-done') return { kind: 'unknown', why: 'server-error' }
  if (detached.why !== 'bad-request' && detached.why !== 'not-found') return detached
  // It may have been removed before.
  const read = await ask(ctx, readMethod(stored.method))
  const isGone =
    read.kind === 'object' ? idAt(read.object, 'customer') === undefined : isMissing(read.kind, read)
  return isGone ? { kind: 'done' } : detached
}

const isMissing = (kind: string, failed: object): boolean =>
  kind === 'not-done' && (failed as { why?: string }).why === 'not-found'

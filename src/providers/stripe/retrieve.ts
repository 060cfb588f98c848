import { type Json, listAt, numberAt, objectAt, textAt } from '../kit/json.ts'
import type { ProviderFailure, Read } from '../kit/reply.ts'
import type { Handles, NotDone, ReadOutcome, Unknown } from '../outcome.ts'
import { call, type StripeContext } from './exchange.ts'
import {
  listDisputes,
  listEvents,
  listIntents,
  listRefunds,
  REFERENCE,
  readCharge,
  readIntent,
  readMethod,
  readSession,
  type StripeRequest,
} from './reads.ts'
import { snapshotOf } from './snapshot.ts'
import { idAt, isId } from './wire.ts'

/** Reads a payment: its page until it is paid, then its intent, with refunds, disputes and reviews. */
export async function retrieve(
  ctx: StripeContext,
  reference: string,
  handles: Handles,
): Promise<ReadOutcome> {
  const read = await readPayment(ctx, reference, handles)
  if (read.kind !== 'payment') return read
  const { session } = read
  const whole = read.intent && (await completed(ctx, read.intent))
  if (whole && whole.kind !== 'object') return plain(whole)
  const intent = whole?.object
  const isCaptured = (numberAt(intent, 'amount_received') ?? 0) > 0
  const refunds = isCaptured ? await readRefunds(ctx, textAt(intent, 'id') ?? '') : []
  if ('kind' in refunds) return refunds
  const disputes = isDisputed(intent, handles) ? await readDisputes(ctx, intent) : NOTHING
  const reviews = textAt(intent, 'review') ? await readReviews(ctx, objectAt(intent)) : NOTHING
  return snapshotOf({
    ...(session ? { session } : {}),
    ...(intent ? { intent } : {}),
    ...{ refunds, disputes: disputes.items, reviews: reviews.items },
    isIncomplete: !disputes.isWhole || !reviews.isWhole,
    ...{ isSandbox: ctx.sandbox, now: ctx.now() },
  })
}

type Payment = { readonly kind: 'payment'; readonly session?: Json; readonly intent?: Json }

async function readPayment(
  ctx: StripeContext,
  reference: string,
  handles: Handles,
): Promise<Payment | ReadOutcome> {
  const { session, authorisation, capture, lookup } = handles
  // Only a notification knows the id of a charge whose reply was lost.
  const payment = handles.payment ?? lookup
  const isPaid = authorisation !== undefined || capture !== undefined
  if (isId(payment) && (isPaid || !isId(session))) return readById(ctx, payment)
  if (!isId(session)) return readByReference(ctx, reference, handles)
  const read = await call(ctx, readSession(session))
  if (read.kind !== 'object') return missing(read)
  const { object } = read
  const intent = objectAt(object, 'payment_intent')
  if (textAt(intent, 'id')) return { kind: 'payment', session: object, intent }
  const id = idAt(object, 'payment_intent')
  if (!isId(id)) return { kind: 'payment', session: object }
  const alone = await readById(ctx, id)
  return alone.kind === 'payment' ? { ...alone, session: object } : alone
}

async function readById(ctx: StripeContext, id: string): Promise<Payment | ReadOutcome> {
  const read = await call(ctx, readIntent(id))
  return read.kind === 'object' ? { kind: 'payment', intent: read.object } : missing(read)
}

/**
 * A charge saves its customer before it is sent, so one whose reply was lost is found among the payments of
 * that customer. If it is not there yet, it may be repeated with its key; once the key is forgotten, the
 * complete list shows that it was never made.
 */
async function readByReference(
  ctx: StripeContext,
  reference: string,
  { customer }: Handles,
): Promise<Payment | ReadOutcome> {
  if (!isId(customer)) return { kind: 'unreadable' }
  const found = await findIntent(ctx, reference, customer)
  switch (found.kind) {
    case 'found':
      return { kind: 'payment', intent: found.intent }
    case 'none':
      return { kind: 'unreadable', ...(found.isComplete ? { isUnpaid: true } : {}) }
    default:
      return found
  }
}

type FoundIntent =
  | { readonly kind: 'found'; readonly intent: Json }
  /** `isComplete`: the list has all payments of the customer. */
  | { readonly kind: 'none'; readonly isComplete: boolean }
  | NotDone
  | Unknown

/** The payment with our reference among those of a customer. Found is proof; a new one may be missing. */
export async function findIntent(
  ctx: StripeContext,
  reference: string,
  customer: string,
): Promise<FoundIntent> {
  const isOurs = (intent: Json): boolean => textAt(intent, 'metadata', REFERENCE) === reference
  const listed = await readPages(ctx, (after) => listIntents(customer, after), isOurs)
  // The customer was removed at Stripe: its payments cannot be listed any more.
  if (listed.kind === 'not-done' && listed.why === 'not-found') return { kind: 'none', isComplete: false }
  if (listed.kind !== 'listed') return plain(listed)
  const intent = listed.items.find(isOurs)
  return intent ? { kind: 'found', intent } : { kind: 'none', isComplete: listed.isComplete }
}

/** Reads the parts that the reply has only by their id. */
async function completed(ctx: StripeContext, intent: Json): Promise<Read> {
  const charge = await whole(ctx, intent.latest_charge, readCharge)
  if (charge.kind !== 'object') return charge
  const isStored = textAt(intent, 'setup_future_usage') === 'off_session'
  const method = isStored ? await whole(ctx, intent.payment_method, readMethod) : undefined
  if (method && method.kind !== 'object') return method
  const stored = method ? { payment_method: method.object } : {}
  return { kind: 'object', object: { ...intent, latest_charge: charge.object, ...stored } }
}

async function whole(
  ctx: StripeContext,
  part: unknown,
  request: (id: string) => StripeRequest,
): Promise<Read> {
  if (typeof part === 'string' && isId(part)) return call(ctx, request(part))
  return { kind: 'object', object: objectAt(part) }
}

/** An id that Stripe gave us exists, so "not found" is about the account of the key. */
function missing(failed: ProviderFailure): ReadOutcome {
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return plain(failed)
}

/** A read is never declined. */
const plain = (failed: ProviderFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? { kind: 'unknown', why: 'unreadable-reply', raw: failed.raw } : failed

/** A list has at most 100 items on a page. */
const MAX_PAGES = 10

type Listed =
  | { readonly kind: 'listed'; readonly items: readonly Json[]; readonly isComplete: boolean }
  | ProviderFailure

/** The items of a list up to the page with a wanted one, or all of them. */
async function readPages(
  ctx: StripeContext,
  request: (after?: string) => StripeRequest,
  isWanted: (item: Json) => boolean = () => false,
): Promise<Listed> {
  const items: Json[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const read = await call(ctx, request(textAt(items.at(-1), 'id')))
    if (read.kind !== 'object') return read
    const found = listAt(read.object, 'data')
    items.push(...found)
    if (read.object.has_more !== true) return { kind: 'listed', items, isComplete: true }
    if (found.length === 0 || found.some(isWanted)) break
  }
  return { kind: 'listed', items, isComplete: false }
}

/** All items of a list. */
export async function readAll(
  ctx: StripeContext,
  request: (after?: string) => StripeRequest,
): Promise<readonly Json[] | ProviderFailure> {
  const listed = await readPages(ctx, request)
  return listed.kind === 'listed' ? listed.items : listed
}

async function readRefunds(ctx: StripeContext, intent: string): Promise<readonly Json[] | NotDone | Unknown> {
  const refunds = await readAll(ctx, (after) => listRefunds(intent, after))
  return 'kind' in refunds ? plain(refunds) : refunds
}

/** What was read beside the payment. Not whole: it is read again later, and the rest counts until then. */
interface Beside {
  readonly items: readonly Json[]
  readonly isWhole: boolean
}
const NOTHING: Beside = { items: [], isWhole: true }

/** A notification about a dispute names it, also where the charge does not show it. */
const isDisputed = (intent: Json | undefined, { dispute }: Handles): boolean =>
  intent !== undefined && (objectAt(intent, 'latest_charge').disputed === true || dispute !== undefined)

async function readDisputes(ctx: StripeContext, intent: Json | undefined): Promise<Beside> {
  const listed = await readPages(ctx, (after) => listDisputes(textAt(intent, 'id') ?? '', after))
  return listed.kind === 'listed'
    ? { items: listed.items, isWhole: listed.isComplete }
    : { items: [], isWhole: false }
}

/** Failures that the next read would have again. A review is then only known to be open. */
const LASTING: readonly NotDone['why'][] = ['bad-credentials', 'bad-request', 'not-found', 'unsupported']

/** The reviews of a payment. Stripe has them in the events of the last 30 days. */
async function readReviews(ctx: StripeContext, intent: Json): Promise<Beside> {
  const id = textAt(intent, 'id')
  const charge = idAt(intent, 'latest_charge')
  const since = numberAt(intent, 'latest_charge', 'created') ?? numberAt(intent, 'created') ?? 0
  const isOurs = (object: Json) =>
    idAt(object, 'payment_intent') === id || (charge !== undefined && idAt(object, 'charge') === charge)
  const events = await readAll(ctx, (after) => listEvents(['review.closed', 'review.opened'], since, after))
  if (!('kind' in events))
    return { items: events.map((event) => objectAt(event, 'data', 'object')).filter(isOurs), isWhole: true }
  const failed = plain(events)
  return { items: [], isWhole: failed.kind === 'not-done' && LASTING.includes(failed.why) }
}

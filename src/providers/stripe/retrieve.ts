import type { Handles, NotDone, Sight, Unknown } from '../outcome.ts'
import { ask, type StripeContext, type StripeFailure, type StripeRead } from './exchange.ts'
import {
  listEvents,
  listRefunds,
  readCharge,
  readIntent,
  readMethod,
  readSession,
  type StripeRequest,
} from './reads.ts'
import { hasNews, snapshotOf } from './snapshot.ts'
import { idAt, isId, type Json, listAt, numberAt, objectAt, textAt } from './wire.ts'

/** Reads a payment: its page until it is paid, then its intent, with refunds, disputes and reviews. */
export async function retrieve(ctx: StripeContext, handles: Handles): Promise<Sight> {
  const read = await readPayment(ctx, handles)
  if (read.kind !== 'payment') return read
  const { session } = read
  const whole = read.intent && (await completed(ctx, read.intent))
  if (whole && whole.kind !== 'object') return plain(whole)
  const intent = whole?.object
  const isCaptured = (numberAt(intent, 'amount_received') ?? 0) > 0
  const refunds = isCaptured ? await readRefunds(ctx, textAt(intent, 'id') ?? '') : []
  if ('kind' in refunds) return refunds
  const news = intent && hasNews(intent) ? await readNews(ctx, intent) : []
  if ('kind' in news) return news
  return snapshotOf({
    ...(session ? { session } : {}),
    ...(intent ? { intent } : {}),
    ...{ refunds, news, isSandbox: ctx.sandbox, now: ctx.now() },
  })
}

type Payment = { readonly kind: 'payment'; readonly session?: Json; readonly intent?: Json }

async function readPayment(ctx: StripeContext, handles: Handles): Promise<Payment | Sight> {
  const { session, authorisation, capture, lookup } = handles
  // Of a charge whose reply was lost, only a notification knows the id.
  const payment = handles.payment ?? lookup
  const isPaid = authorisation !== undefined || capture !== undefined
  if (isId(payment) && (isPaid || !isId(session))) return readById(ctx, payment)
  if (!isId(session)) return { kind: 'unreadable' }
  const read = await ask(ctx, readSession(session))
  if (read.kind !== 'object') return missing(read)
  const { object } = read
  const intent = objectAt(object, 'payment_intent')
  if (textAt(intent, 'id')) return { kind: 'payment', session: object, intent }
  const id = idAt(object, 'payment_intent')
  if (!isId(id)) return { kind: 'payment', session: object }
  const alone = await readById(ctx, id)
  return alone.kind === 'payment' ? { ...alone, session: object } : alone
}

async function readById(ctx: StripeContext, id: string): Promise<Payment | Sight> {
  const read = await ask(ctx, readIntent(id))
  return read.kind === 'object' ? { kind: 'payment', intent: read.object } : missing(read)
}

/** Reads the parts that the reply has only by their id. */
async function completed(ctx: StripeContext, intent: Json): Promise<StripeRead> {
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
): Promise<StripeRead> {
  if (typeof part === 'string' && isId(part)) return ask(ctx, request(part))
  return { kind: 'object', object: objectAt(part) }
}

/** An id that Stripe gave us exists, so "not found" is about the account of the key. */
function missing(failed: StripeFailure): Sight {
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return plain(failed)
}

/** A read is never declined. */
const plain = (failed: StripeFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? { kind: 'unknown', why: 'unreadable-reply', raw: failed.raw } : failed

const MOST_PAGES = 10

/** All items of a list. */
export async function readAll(
  ctx: StripeContext,
  request: (after?: string) => StripeRequest,
): Promise<readonly Json[] | StripeFailure> {
  const items: Json[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await ask(ctx, request(textAt(items.at(-1), 'id')))
    if (read.kind !== 'object') return read
    items.push(...listAt(read.object, 'data'))
    if (read.object.has_more !== true) break
  }
  return items
}

async function readRefunds(ctx: StripeContext, intent: string): Promise<readonly Json[] | NotDone | Unknown> {
  const refunds = await readAll(ctx, (after) => listRefunds(intent, after))
  return 'kind' in refunds ? plain(refunds) : refunds
}

const NEWS = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'review.closed',
  'review.opened',
]

/** Failures that the next read would have again. Disputes are then only known to be open. */
const LASTING: readonly NotDone['why'][] = ['bad-credentials', 'bad-request', 'not-found', 'unsupported']

/** The disputes and reviews of a payment. Stripe has them in the events of the last 30 days. */
async function readNews(ctx: StripeContext, intent: Json): Promise<readonly Json[] | NotDone | Unknown> {
  const id = textAt(intent, 'id')
  const charge = idAt(intent, 'latest_charge')
  const since = numberAt(intent, 'latest_charge', 'created') ?? numberAt(intent, 'created') ?? 0
  const isOurs = (object: Json) =>
    idAt(object, 'payment_intent') === id || (charge !== undefined && idAt(object, 'charge') === charge)
  const events = await readAll(ctx, (after) => listEvents(NEWS, since, after))
  if (!('kind' in events)) return events.map((event) => objectAt(event, 'data', 'object')).filter(isOurs)
  const failed = plain(events)
  return failed.kind === 'not-done' && LASTING.includes(failed.why) ? [] : failed
}

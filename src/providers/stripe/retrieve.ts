import type { Handles, NotDone, Sight, Unknown } from '../outcome.ts'
import { ask, type Failure, type StripeContext } from './exchange.ts'
import { listEvents, listRefunds, readIntent, readSession, type StripeRequest } from './reads.ts'
import { hasNews, snapshotOf } from './snapshot.ts'
import { idAt, isId, type Json, listAt, numberAt, objectAt, textAt } from './wire.ts'

/** Reads a payment: its page until it is paid, then its intent, with refunds, disputes and reviews. */
export async function retrieve(ctx: StripeContext, handles: Handles): Promise<Sight> {
  const read = await readPayment(ctx, handles)
  if (read.kind !== 'payment') return read
  const { session, intent } = read
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
  const { session, payment, authorisation, capture } = handles
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

/** An id that Stripe gave us exists, so "not found" is about the account of the key. */
function missing(failed: Failure): Sight {
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return plain(failed)
}

/** A read is never declined. */
const plain = (failed: Failure): NotDone | Unknown =>
  failed.kind === 'declined' ? { kind: 'unknown', why: 'unreadable-reply', raw: failed.raw } : failed

const MOST_PAGES = 10

interface Paging {
  request(after?: string): StripeRequest
  /** More pages are not needed. */
  isEnough?(items: readonly Json[]): boolean
}

/** All items of a list. */
export async function readAll(ctx: StripeContext, paging: Paging): Promise<readonly Json[] | Failure> {
  const items: Json[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await ask(ctx, paging.request(textAt(items.at(-1), 'id')))
    if (read.kind !== 'object') return read
    items.push(...listAt(read.object, 'data'))
    if (read.object.has_more !== true || paging.isEnough?.(items)) break
  }
  return items
}

async function readRefunds(ctx: StripeContext, intent: string): Promise<readonly Json[] | NotDone | Unknown> {
  const refunds = await readAll(ctx, { request: (after) => listRefunds(intent, after) })
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
  const events = await readAll(ctx, { request: (after) => listEvents(NEWS, since, after) })
  if (!('kind' in events)) return events.map((event) => objectAt(event, 'data', 'object')).filter(isOurs)
  const failed = plain(events)
  return failed.kind === 'not-done' && LASTING.includes(failed.why) ? [] : failed
}

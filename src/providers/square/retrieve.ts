import { after, MINUTE } from '../../base/clock.ts'
import { itemsAt, type Json, listAt, textAt, timeAt } from '../kit/json.ts'
import { type ProviderFailure, unreadable } from '../kit/reply.ts'
import type { Handles, NotDone, ReadOutcome, Snapshot, Unknown } from '../outcome.ts'
import {
  listDisputes,
  listSince,
  readDispute,
  readOrder,
  readPayment,
  readRefund,
  type SquareRequest,
} from './calls.ts'
import { call, callFor, plain, type SquareContext } from './exchange.ts'
import { referenceIn } from './facts.ts'
import {
  closedInPart,
  disputeId,
  joined,
  knownDisputes,
  pageSnapshot,
  paymentsAsTenders,
  snapshotOf,
  type Tenders,
  tendersIn,
} from './snapshot.ts'
import { isId } from './wire.ts'

/** By the id of the payment, else by the order of the page. */
export async function retrieve(
  ctx: SquareContext,
  reference: string,
  handles: Handles,
): Promise<ReadOutcome> {
  const known = partsOf(handles)
  if (known.length > 0) return readParts(ctx, known, handles)
  if (!isId(handles.order)) return { kind: 'unreadable' }
  const read = await callFor(ctx, readOrder(handles.order), 'order')
  if (read.kind !== 'object') return missing(read)
  const order = read.object
  if ((textAt(order, 'reference_id') ?? reference) !== reference) return unreadable()
  const found = await findTenders(ctx, order, reference)
  if ('kind' in found) return found
  const { paid, failed, part } = found
  if (part && textAt(order, 'state') === 'CANCELED') return readClosed(ctx, paid, handles)
  if (part) return pageSnapshot(order, handles)
  if (paid.length > 0) return readParts(ctx, paid, handles)
  const last = failed.at(-1)
  const why = last === undefined ? undefined : await callFor(ctx, readPayment(last), 'payment')
  if (why && why.kind !== 'object') return plain(why)
  return pageSnapshot(order, handles, why?.object)
}

/** The ids of the payments: a page may be paid in several parts. */
export const partsOf = ({ payment, payments }: Handles): readonly string[] => {
  const parts = (payments ?? '').split(',').filter(isId)
  return parts.length > 0 ? parts : isId(payment) ? [payment] : []
}

async function readParts(ctx: SquareContext, ids: readonly string[], handles: Handles): Promise<ReadOutcome> {
  const [only = '', ...more] = ids
  if (more.length === 0) return readWhole(ctx, only, handles)
  const parts: (Snapshot | Unknown)[] = []
  for (const id of ids) {
    const sight = await readWhole(ctx, id, handles)
    if (sight.kind !== 'snapshot' && sight.kind !== 'unknown') return sight
    parts.push(sight)
  }
  return joined(parts)
}

/** A page that was closed after a part of its amount was paid. Each part is given back by itself. */
async function readClosed(
  ctx: SquareContext,
  paid: readonly string[],
  handles: Handles,
): Promise<ReadOutcome> {
  const [first = ''] = paid
  const { part = first } = handles
  const sight = await readWhole(ctx, part, handles)
  if (sight.kind !== 'snapshot') return sight
  const others = isId(handles.part) ? [] : paid.slice(1)
  return closedInPart(sight, { handles, part, others })
}

/** How long clocks may differ. */
const SKEW_MS = 5 * MINUTE

/** An order that is not a draft any more was paid. If its tenders are missing, the payments are listed. */
export async function findTenders(
  ctx: SquareContext,
  order: Json,
  reference: string,
): Promise<Tenders | NotDone | Unknown> {
  const tenders = tendersIn(order)
  const begin = timeAt(order, 'created_at')
  const isShown = tenders.paid.length + tenders.failed.length > 0
  if (isShown || !begin || ['DRAFT', 'CANCELED'].includes(textAt(order, 'state') ?? '')) return tenders
  const id = textAt(order, 'id')
  const list = (cursor?: string) => listSince(ctx.config.locationId, after(begin, -SKEW_MS), cursor)
  const listed = await readPages(ctx, list, {
    name: 'payments',
    isWanted: (one) => textAt(one, 'order_id') === id || referenceIn(one) === reference,
  })
  return 'kind' in listed ? listed : paymentsAsTenders(listed)
}

/** An id that Square gave us exists, so "not found" is about the account. */
function missing(failed: ProviderFailure): ReadOutcome {
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return plain(failed)
}

async function readWhole(ctx: SquareContext, id: string, handles: Handles): Promise<ReadOutcome> {
  const read = await callFor(ctx, readPayment(id), 'payment')
  if (read.kind !== 'object') return missing(read)
  const payment = read.object
  const refunds = await readRefunds(ctx, payment, handles)
  if ('kind' in refunds) return refunds
  const isPaid = textAt(payment, 'status') === 'COMPLETED'
  // Without its disputes a payment stays readable, and is read again.
  const { disputes, isIncomplete } = isPaid ? await readDisputes(ctx, id, handles) : NO_DISPUTES
  return snapshotOf({ payment, refunds, disputes, handles, isSandbox: ctx.sandbox, isIncomplete })
}

const MAX_REFUNDS = 100

export async function readRefunds(
  ctx: SquareContext,
  payment: Json,
  { refund }: Handles,
): Promise<readonly Json[] | NotDone | Unknown> {
  const listed = (itemsAt(payment, 'refund_ids') ?? []).slice(-MAX_REFUNDS)
  // The payment may not show yet what the answer to a refund reported.
  const ids = new Set([...listed, ...(refund?.split(',') ?? [])])
  const id = textAt(payment, 'id')
  const refunds: Json[] = []
  for (const one of ids) {
    const read = isId(one) ? await callFor(ctx, readRefund(one), 'refund') : unreadable()
    if (read.kind !== 'object') return plain(read)
    refunds.push(read.object)
  }
  // An order that was paid in parts has several payments, and a refund is of one of them.
  return refunds.filter((one) => (textAt(one, 'payment_id') ?? id) === id)
}

const MAX_PAGES = 20

/** Failures that the next read would have again: the token may lack the permission for disputes. */
const LASTING: readonly NotDone['why'][] = ['bad-credentials', 'bad-request', 'not-found']

interface Disputes {
  readonly disputes: readonly Json[]
  readonly isIncomplete: boolean
}
const NO_DISPUTES: Disputes = { disputes: [], isIncomplete: false }

/**
 * A payment does not tell whether it is disputed, and disputes are not listed by payment. Square's documents
 * disagree whether the list has those that are decided, so each is also read by its id once it is known: from
 * its notification or from an earlier list.
 */
async function readDisputes(ctx: SquareContext, payment: string, handles: Handles): Promise<Disputes> {
  const isOurs = (one: Json) => textAt(one, 'disputed_payment', 'payment_id') === payment
  const list = (cursor?: string) => listDisputes(ctx.config.locationId, cursor)
  const listed = await readPages(ctx, list, { name: 'disputes', isWanted: isOurs, isAll: true })
  const disputes = 'kind' in listed ? [] : [...listed]
  let isIncomplete = 'kind' in listed && !isLasting(listed)
  for (const id of knownDisputes(handles)) {
    if (disputes.some((one) => disputeId(one) === id)) continue
    const read = await callFor(ctx, readDispute(id), 'dispute')
    if (read.kind === 'object' && isOurs(read.object)) disputes.push(read.object)
    isIncomplete ||= read.kind !== 'object' && !isLasting(read)
  }
  return { disputes, isIncomplete }
}

const isLasting = (failed: ProviderFailure): boolean =>
  failed === TOO_LONG || (failed.kind === 'not-done' && LASTING.includes(failed.why))

interface Listed {
  readonly name: string
  isWanted(item: Json): boolean
  /** Read every page, not only the first one that has some. */
  readonly isAll?: true
}

/** A list that is too long to be read is not empty. */
const TOO_LONG = unreadable({ code: 'TOO_LONG' })

/** The wanted items. */
async function readPages(
  ctx: SquareContext,
  list: (cursor?: string) => SquareRequest,
  { name, isWanted, isAll }: Listed,
): Promise<readonly Json[] | NotDone | Unknown> {
  const found: Json[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const read = await call(ctx, list(cursor))
    if (read.kind !== 'object') return plain(read)
    found.push(...listAt(read.object, name).filter(isWanted))
    cursor = textAt(read.object, 'cursor')
    if ((found.length > 0 && !isAll) || cursor === undefined) return found
  }
  return found.length > 0 ? found : TOO_LONG
}

import type { Handles, NotDone, Sight, Unknown } from '../outcome.ts'
import { listDisputes, readOrder, readPayment, readRefund } from './calls.ts'
import { ask, askFor, plain, type SquareContext, type SquareFailure, unreadable } from './exchange.ts'
import { pageSnapshot, snapshotOf, tendersIn } from './snapshot.ts'
import { isId, listAt, type SquareJson, textAt } from './wire.ts'

/** By the id of the payment, else by the order of the page. */
export async function retrieve(ctx: SquareContext, reference: string, handles: Handles): Promise<Sight> {
  if (isId(handles.payment)) return readWhole(ctx, handles.payment, handles)
  if (!isId(handles.order)) return { kind: 'unreadable' }
  const read = await askFor(ctx, readOrder(handles.order), 'order')
  if (read.kind !== 'object') return missing(read)
  const order = read.object
  if ((textAt(order, 'reference_id') ?? reference) !== reference) return unreadable()
  const { paid, failed } = tendersIn(order)
  const payment = paid.at(-1)
  if (payment !== undefined) return readWhole(ctx, payment, handles)
  const last = failed.at(-1)
  const why = last === undefined ? undefined : await askFor(ctx, readPayment(last), 'payment')
  if (why && why.kind !== 'object') return plain(why)
  return pageSnapshot(order, handles, why?.object)
}

/** An id that Square gave us exists, so "not found" is about the account. */
function missing(failed: SquareFailure): Sight {
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return plain(failed)
}

async function readWhole(ctx: SquareContext, id: string, handles: Handles): Promise<Sight> {
  const read = await askFor(ctx, readPayment(id), 'payment')
  if (read.kind !== 'object') return missing(read)
  const payment = read.object
  const refunds = await readRefunds(ctx, payment)
  if ('kind' in refunds) return refunds
  const disputes = textAt(payment, 'status') === 'COMPLETED' ? await readDisputes(ctx, id) : []
  if ('kind' in disputes) return disputes
  return snapshotOf({ payment, refunds, disputes, handles, isSandbox: ctx.sandbox })
}

const MOST_REFUNDS = 100

async function readRefunds(
  ctx: SquareContext,
  payment: SquareJson,
): Promise<readonly SquareJson[] | NotDone | Unknown> {
  const given: unknown = payment.refund_ids
  const ids = Array.isArray(given) ? given.slice(0, MOST_REFUNDS) : []
  const refunds: SquareJson[] = []
  for (const id of ids) {
    const read = isId(id) ? await askFor(ctx, readRefund(id), 'refund') : unreadable()
    if (read.kind !== 'object') return plain(read)
    refunds.push(read.object)
  }
  return refunds
}

const MOST_PAGES = 20

/** Failures that the next read would have again: the token may lack the permission for disputes. */
const LASTING: readonly NotDone['why'][] = ['bad-credentials', 'bad-request', 'not-found']

/** A payment does not tell whether it is disputed, and disputes are not listed by payment. */
async function readDisputes(
  ctx: SquareContext,
  payment: string,
): Promise<readonly SquareJson[] | NotDone | Unknown> {
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await ask(ctx, listDisputes(ctx.config.locationId, cursor))
    if (read.kind === 'not-done' && LASTING.includes(read.why)) return []
    if (read.kind !== 'object') return plain(read)
    const found = listAt(read.object, 'disputes').filter(
      (dispute) => textAt(dispute, 'disputed_payment', 'payment_id') === payment,
    )
    cursor = textAt(read.object, 'cursor')
    if (found.length > 0 || cursor === undefined) return found
  }
  return []
}

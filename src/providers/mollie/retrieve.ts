import { after, HOUR } from '../../base/clock.ts'
import { itemsAt, type Json, listAt, objectAt, textAt } from '../kit/json.ts'
import { type ProviderFailure, type Read, unreadable } from '../kit/reply.ts'
import type { Handles, ReadOutcome, Snapshot, Unknown } from '../outcome.ts'
import { listPayments, readList, readMandate, readPayment } from './calls.ts'
import { call, type MollieContext } from './exchange.ts'
import { mandateOf, storedIn } from './facts.ts'
import { isId, type MolliePayment, metadataIn, missingLists, paymentIn } from './payment.ts'
import { snapshotOf } from './snapshot.ts'

/** Reads a payment with its captures, refunds and chargebacks. */
export async function readWhole(ctx: MollieContext, id: string): Promise<MolliePayment | ProviderFailure> {
  const read = await withLists(ctx, id, await call(ctx, readPayment(id)))
  if (read.kind !== 'object') return read
  const payment = paymentIn(read.object)
  return payment?.id === id ? payment : unreadable()
}

export const isFailure = (found: MolliePayment | ProviderFailure): found is ProviderFailure => 'kind' in found

/** Lists that Mollie did not embed are read one by one: without them a movement would look undone. */
async function withLists(ctx: MollieContext, id: string, read: Read): Promise<Read> {
  if (read.kind !== 'object') return read
  const embedded: Record<string, unknown> = { ...objectAt(read.object, '_embedded') }
  for (const name of missingLists(read.object)) {
    const listed = await call(ctx, readList(id, name))
    if (listed.kind !== 'object') return listed
    embedded[name] = listAt(listed.object, '_embedded', name)
  }
  return { kind: 'object', object: { ...read.object, _embedded: embedded } }
}

/**
 * By its id. A charge whose answer was lost is looked up among the payments of the stored method's customer.
 * Without either, nothing was charged, and the address of a page is not known to anyone.
 */
export async function retrieve(
  ctx: MollieContext,
  reference: string,
  handles: Handles,
): Promise<ReadOutcome> {
  const { payment, customer } = handles
  if (isId(payment)) return readById(ctx, payment, handles)
  if (!isId(customer)) return { kind: 'unreadable', isUnpaid: true }
  const read = await call(ctx, listPayments(customer))
  if (read.kind !== 'object') return sightOf(read)
  if (!itemsAt(read.object, '_embedded', 'payments')) return unreadable()
  const listed = listAt(read.object, '_embedded', 'payments')
  const found = textAt(
    listed.find((one) => isAbout(one, reference)),
    'id',
  )
  if (isId(found)) return readById(ctx, found, handles)
  return notListed(ctx, handles, textAt(read.object, '_links', 'next', 'href') === undefined)
}

const isAbout = (payment: Json, reference: string): boolean =>
  textAt(metadataIn(payment), 'reference') === reference

/** When Mollie forgets a key, a charge with it is in the list or was never made. */
const FORGOTTEN_MS = HOUR

function notListed({ now }: MollieContext, { asked }: Handles, isComplete: boolean): ReadOutcome {
  const isOld = asked !== undefined && after(new Date(asked), FORGOTTEN_MS) < now()
  return isOld && isComplete ? { kind: 'unreadable', isUnpaid: true } : { kind: 'unreadable' }
}

async function readById(ctx: MollieContext, id: string, handles: Handles): Promise<ReadOutcome> {
  const payment = await readWhole(ctx, id)
  if (isFailure(payment)) return sightOf(payment)
  return withStored(ctx, payment, snapshotOf(payment, ctx.now(), handles))
}

/** A read is not declined, and an id that we were given exists. */
function sightOf(failed: ProviderFailure): ReadOutcome {
  if (failed.kind === 'declined') return { kind: 'unknown', why: 'server-error', raw: failed.raw } as Unknown
  if (failed.kind === 'not-done' && failed.why === 'not-found') return { kind: 'absent', conclusive: false }
  return failed
}

/** The mandate has the expiry of the card, and tells whether it can be charged. */
async function withStored(ctx: MollieContext, payment: MolliePayment, seen: Snapshot): Promise<Snapshot> {
  const token = mandateOf(payment)
  if (!token || (seen.stage !== 'authorised' && seen.stage !== 'captured')) return seen
  const read = await call(ctx, readMandate(token))
  // Money comes first: the method is found by a later read.
  const stored = read.kind === 'object' ? storedIn(token, read.object) : undefined
  return stored ? { ...seen, facts: { ...seen.facts, stored } } : seen
}

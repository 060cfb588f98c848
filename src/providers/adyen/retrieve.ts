import { type Json, listAt, textAt } from '../kit/json.ts'
import { unreadable } from '../kit/reply.ts'
import { type Movement, snapshotOf } from '../movements.ts'
import type { CardFacts, Handles, ReadOutcome, Snapshot, StoredMethod } from '../outcome.ts'
import { type AdyenToken, isId, isShopper, listStored, readLink } from './calls.ts'
import { type AdyenContext, call } from './exchange.ts'
import { brandOf, isDebit, storedMethod } from './facts.ts'
import { linkSnapshot } from './outcomes.ts'

/**
 * Adyen has no read of a payment: what its notifications reported is the payment. A page can be read, and so
 * can stored methods.
 */
export async function retrieve(
  ctx: AdyenContext,
  handles: Handles,
  reported: readonly Movement[],
): Promise<ReadOutcome> {
  const seen = snapshotOf(reported, handles)
  if (seen && seen.stage !== 'declined') return withStored(ctx, handles, seen)
  // Without a page a refusal is the end.
  if (!isId(handles.link)) return seen ?? { kind: 'unreadable' }
  const read = await call(ctx, readLink(handles.link))
  if (read.kind === 'declined') return unreadable()
  return read.kind === 'object' ? linkSnapshot(read.object, seen?.decline) : read
}

/** A payment that stores its method has a shopper of its own: the method is the only one there. */
async function withStored(ctx: AdyenContext, { shopper }: Handles, seen: Snapshot): Promise<Snapshot> {
  const isPaid = seen.stage === 'authorised' || seen.stage === 'captured'
  if (!isShopper(shopper) || !isPaid || seen.facts.stored) return seen
  const read = await call(ctx, listStored(ctx.config.merchantAccount, shopper))
  // Money comes first: the method is found by a later read, or reported.
  const [found] = read.kind === 'object' ? listAt(read.object, 'storedPaymentMethods') : []
  const id = found && textAt(found, 'id')
  if (!found || !isId(id)) return seen
  const stored = listedMethod({ shopper, id }, found, seen.facts.card)
  return { ...seen, facts: { ...seen.facts, stored } }
}

/** A method in Adyen's list of stored methods. `known`: what a payment has told about its card. */
export function listedMethod({ shopper, id }: AdyenToken, found: Json, known?: CardFacts): StoredMethod {
  const method = isDebit(textAt(found, 'type')) ? 'ElectronicCheck' : 'CreditCard'
  const card = method === 'CreditCard' ? { ...storedCardIn(found), ...known } : undefined
  return storedMethod(`${shopper}/${id}`, { method, card }, textAt(found, 'alias'))
}

function storedCardIn(found: Json): CardFacts {
  const [brand, last4] = [brandOf(textAt(found, 'brand')), textAt(found, 'lastFour')]
  const [month, year] = [Number(textAt(found, 'expiryMonth')), Number(textAt(found, 'expiryYear'))]
  return {
    ...(brand ? { brand } : {}),
    ...(last4 && /^\d{4}$/.test(last4) ? { last4 } : {}),
    ...(month >= 1 && year >= 1 ? { expiryMonth: month, expiryYear: year < 100 ? 2000 + year : year } : {}),
  }
}

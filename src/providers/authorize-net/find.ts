import { after, DAY } from '../../base/clock.ts'
import { unreadable } from '../kit/reply.ts'
import {
  type AnetRequest,
  DUPLICATE_WINDOW_MS,
  listBatches,
  listOfBatch,
  listOfCustomer,
  listUnsettled,
  PAGE_SIZE,
  readTransaction,
  type Stored,
} from './calls.ts'
import { type Answered, type AuthorizeNetContext, call, callFor, read } from './exchange.ts'
import { holdsMoney, standingOf } from './snapshot.ts'
import { detailsIn, idOf, isId, listOf, type Summary, summaryIn, type TransactionDetails } from './wire.ts'

/** Finds transactions by their invoice number: the provider has no idempotency keys. */

export const detailsOf = async (
  ctx: AuthorizeNetContext,
  id: string,
  currency: string,
): Promise<Answered<TransactionDetails>> => {
  const found = await callFor(ctx, readTransaction(id), (body) => detailsIn(body, currency))
  // An answer about another transaction proves nothing about this one.
  return found.kind === 'read' && found.value.id !== id ? unreadable() : found
}

/** More pages than any account fills between two settlements. */
const MAX_PAGES = 40

/** All lines of a list that match. Fails if the list is too long to be read to its end. */
async function listed(
  ctx: AuthorizeNetContext,
  pageOf: (offset: number) => AnetRequest,
  matches: (line: Summary) => boolean,
): Promise<Answered<Summary[]>> {
  const found: Summary[] = []
  for (let offset = 1; offset <= MAX_PAGES; offset++) {
    const page = await call(ctx, pageOf(offset))
    if (page.kind !== 'read') return page
    const lines = listOf(page.value, 'transactions', 'transaction')
    found.push(...lines.flatMap((line) => summaryIn(line) ?? []).filter(matches))
    if (lines.length < PAGE_SIZE) return read(found)
  }
  return unreadable()
}

const hasInvoice =
  (invoice: string) =>
  (line: Summary): boolean =>
    line.invoice === invoice

/** Transactions that are not settled yet. */
export const unsettled = (
  ctx: AuthorizeNetContext,
  matches: (line: Summary) => boolean,
): Promise<Answered<Summary[]>> => listed(ctx, (offset) => listUnsettled(offset), matches)

/** Charges of a stored method with this reference, settled or not. */
export const chargesOf = (
  ctx: AuthorizeNetContext,
  stored: Stored,
  reference: string,
): Promise<Answered<Summary[]>> =>
  listed(ctx, (offset) => listOfCustomer(stored, offset), hasInvoice(reference))

/** The provider lists batches of at most 31 days. */
const MAX_SEARCH_MS = 29 * DAY
/** The clock of this node may be behind the provider's: a batch of just now must not be missed. */
const SKEW_MS = DAY

/** A declined try of the customer, or a payment that was voided: another one may have been paid. */
const isOver = (line: Summary): boolean => ['declined', 'voided', 'expired'].includes(standingOf(line))

/** Not a refund either: one that was made elsewhere has the invoice number of its payment. */
export const isPayment = (line: Summary): boolean => !isOver(line) && standingOf(line) !== 'refund'

/** Whether a refund was made. It has its own invoice number. */
export const wasMade = (line: Summary): boolean => !isOver(line)

/**
 * Transactions with this invoice number that were made since then: those that are not settled, and those
 * that are, up to the first that `isWanted`.
 */
export async function withInvoice(
  ctx: AuthorizeNetContext,
  invoice: string,
  { since, isWanted }: { readonly since: Date; readonly isWanted: (line: Summary) => boolean },
): Promise<Answered<Summary[]>> {
  const open = await unsettled(ctx, hasInvoice(invoice))
  if (open.kind !== 'read' || open.value.some(isWanted)) return open
  const now = ctx.now()
  const from = new Date(Math.max(since.getTime(), now.getTime() - MAX_SEARCH_MS))
  const wide = await call(ctx, listBatches(from, after(now, SKEW_MS)))
  // The documentation does not say whether the end may be in the future.
  const isRefused = wide.kind === 'not-done' && wide.why === 'bad-request'
  const batches = isRefused ? await call(ctx, listBatches(from, now)) : wide
  if (batches.kind !== 'read') {
    // The provider would refuse a duplicate by itself, so an account without batches can go on.
    const isCovered = now.getTime() - from.getTime() < DUPLICATE_WINDOW_MS
    return isCovered && batches.kind === 'not-done' && batches.why === 'bad-request' ? open : batches
  }
  const found = [...open.value]
  for (const batch of listOf(batches.value, 'batchList', 'batch')) {
    const id = idOf(batch, 'batchId')
    if (id === undefined) return unreadable()
    const lines = await listed(ctx, (offset) => listOfBatch(id, offset), hasInvoice(invoice))
    if (lines.kind !== 'read') return lines
    found.push(...lines.value)
    if (lines.value.some(isWanted)) break
  }
  return read(found)
}

/** More than a customer pays by mistake. */
const MAX_EXTRAS = 10

interface Beside {
  readonly reference: string
  /** The transaction of a notification. */
  readonly named: string | undefined
  /** Those that are settled are looked for too, from this time on. */
  readonly since: Date | undefined
}

/**
 * Other payments under the reference that hold money: the customer went back to the page and paid once more.
 */
export async function extrasOf(
  ctx: AuthorizeNetContext,
  one: TransactionDetails,
  { reference, named, since }: Beside,
): Promise<Answered<TransactionDetails[]>> {
  const isOther = (line: Summary): boolean => line.id !== one.id && holdsMoney(line)
  const lines = since
    ? await withInvoice(ctx, reference, { since, isWanted: () => false })
    : await unsettled(ctx, hasInvoice(reference))
  if (lines.kind !== 'read') return lines
  const ids = new Set([
    ...lines.value.filter(isOther).map(({ id }) => id),
    ...(isId(named) && named !== one.id ? [named] : []),
  ])
  const found: TransactionDetails[] = []
  for (const id of [...ids].slice(0, MAX_EXTRAS)) {
    const each = await detailsOf(ctx, id, one.settled.currency)
    if (each.kind !== 'read') return each
    if (each.value.invoice === reference && isOther(each.value)) found.push(each.value)
  }
  return read(found)
}

import { after, HOUR, MINUTE, SECOND } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import { wordAt } from '../kit/json.ts'
import { unsupported } from '../kit/reply.ts'
import type { Handles, Outcome } from '../outcome.ts'
import type { Operation, Purchase } from '../port.ts'
import {
  type AnetRequest,
  captureReserved,
  chargeStored,
  decideHold,
  openPage,
  type Stored,
  voidTransaction,
} from './calls.ts'
import { type Answered, type AuthorizeNetContext, callFor, read } from './exchange.ts'
import { chargesOf, detailsOf, isPayment, withInvoice } from './find.ts'
import { pageOrigin } from './manifest.ts'
import { captured, chargeOutcome, done, foundCharge, refused, unclear, wrongState } from './outcomes.ts'
import { mainOf, standingOf } from './snapshot.ts'
import { isId, type Result, resultIn, type TransactionDetails } from './wire.ts'

/** A page token can be used for this long. */
const PAGE_MS = 15 * MINUTE
/** A customer who opened the page in time has this long to pay on it. */
const PAYING_MS = 15 * MINUTE

/** When nothing can be paid any more on the page of an attempt. Undefined: no page was opened. */
export function pageEnd({ page }: Handles): Date | undefined {
  const end = new Date(page ?? '')
  return Number.isNaN(end.getTime()) ? undefined : after(end, PAYING_MS)
}

/** When the page of the attempt was opened. Without one, the answer to a request of today was lost. */
export function openedAt(ctx: AuthorizeNetContext, handles: Handles): Date {
  const end = pageEnd(handles)
  return end === undefined ? after(ctx.now(), -6 * HOUR) : after(end, -HOUR)
}

/** Every call opens another page. If its answer is lost, no one knows the page, so no one can pay on it. */
export async function start(ctx: AuthorizeNetContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument !== undefined) return unsupported('Authorize.Net takes payments on its page only.')
  if (purchase.method !== 'CreditCard' && purchase.method !== 'ElectronicCheck')
    return unsupported('Authorize.Net takes cards and bank accounts only.')
  const expiresAt = after(ctx.now(), PAGE_MS)
  const token = await callFor(ctx, openPage(op, purchase), (body) => wordAt(body, 'token'))
  if (token.kind !== 'read') return token
  return {
    kind: 'redirect',
    handles: { page: expiresAt.toISOString() },
    url: `${pageOrigin(ctx.origin)}/payment/payment`,
    method: 'POST',
    fields: { token: token.value },
    expiresAt,
    echo: { reference: op.reference },
  }
}

/** An operation that another worker took over has the same number of sendings. */
export const wasSent = (ctx: AuthorizeNetContext, { sending, createdAt }: Operation): boolean =>
  sending > 1 || ctx.now().getTime() - createdAt.getTime() > 5 * SECOND

export const carryOut = (ctx: AuthorizeNetContext, request: AnetRequest): Promise<Answered<Result>> =>
  callFor(ctx, request, resultIn)

const DUPLICATE = 11

export async function charge(
  ctx: AuthorizeNetContext,
  op: Operation,
  purchase: Purchase,
  token: string,
): Promise<Outcome> {
  const stored = storedIn(token)
  if (!stored) return unsupported('The stored method is not one of Authorize.Net.')
  const asked = { reference: op.reference, purchase }
  const { currency } = purchase.amount
  if (wasSent(ctx, op)) {
    const before = await chargesOf(ctx, stored, op.reference)
    if (before.kind !== 'read') return before
    const main = mainOf(before.value)
    const found = main && (await detailsOf(ctx, main.id, currency))
    if (found) return found.kind === 'read' ? foundCharge(found.value, asked) : found
  }
  const result = await carryOut(ctx, chargeStored(op, purchase, stored))
  if (result.kind !== 'read')
    return result.kind === 'not-done' && result.why === 'not-found' ? removed(result.raw?.code) : result
  if (result.value.reasonCode !== DUPLICATE) return chargeOutcome(result.value, asked)
  // The second net: an earlier request of this charge arrived, although no list shows it yet.
  if (!result.value.original) return unclear('a duplicate of a transaction that is not named')
  const original = await detailsOf(ctx, result.value.original, currency)
  return original.kind === 'read' ? foundCharge(original.value, asked) : unclear('a duplicate')
}

const removed = (code = ''): Outcome => ({
  kind: 'declined',
  reason: 'method-removed',
  retry: 'never',
  raw: { code },
})

export function storedIn(token: string): Stored | undefined {
  const [customer, method, ...more] = token.split('/')
  return isId(customer) && isId(method) && more.length === 0 ? { customer, method } : undefined
}

/** The payment of an attempt, by its id, else by our reference. Undefined: there is none. */
export async function paymentOf(
  ctx: AuthorizeNetContext,
  { reference }: Pick<Operation, 'reference'>,
  handles: Handles,
  currency: string,
): Promise<Answered<TransactionDetails | undefined>> {
  const { payment, extra } = handles
  if (isId(payment)) return detailsOf(ctx, payment, currency)
  const about = { since: openedAt(ctx, handles), isWanted: isPayment }
  const lines = await withInvoice(ctx, reference, about)
  if (lines.kind !== 'read') return lines
  // A notification named it before a list shows it.
  const isMissing = isId(extra) && !lines.value.some(({ id }) => id === extra)
  const named = isMissing ? await detailsOf(ctx, extra, currency) : undefined
  const isOurs = named?.kind === 'read' && named.value.invoice === reference
  const main = mainOf(isOurs ? [...lines.value, named.value] : lines.value)
  return main ? detailsOf(ctx, main.id, currency) : read(undefined)
}

export async function capture(
  ctx: AuthorizeNetContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<Outcome> {
  const paid = await paymentOf(ctx, op, handles, amount.currency)
  if (paid.kind !== 'read') return paid
  if (!paid.value) return wrongState('not paid')
  const before = captureNow(paid.value, amount)
  if (before) return before
  const result = await carryOut(ctx, captureReserved(op, paid.value.id, amount))
  if (result.kind !== 'read') return result
  if (result.value.code === '1') return captured(paid.value, amount.minor)
  const now = await detailsOf(ctx, paid.value.id, amount.currency)
  return (now.kind === 'read' && captureNow(now.value, amount)) || refused(result.value)
}

/** The result of a capture that needs no request. Undefined: it can be captured. */
function captureNow(one: TransactionDetails, amount: Money): Outcome | undefined {
  switch (standingOf(one)) {
    case 'authorised':
      return undefined
    case 'unsettled':
    case 'settled':
      // The type of a transaction may change with its capture. A debit is never captured by a step of ours.
      return one.settled.minor === amount.minor && one.payment.kind === 'card'
        ? captured(one, amount.minor)
        : wrongState(one.status)
    default:
      return wrongState(one.status)
  }
}

/** No amount is needed to void: any currency with two decimals reads the details right. */
const ANY = 'USD'

/** Voids an authorisation, or declines a payment that is held. A page cannot be closed: it ends by itself. */
export async function cancel(ctx: AuthorizeNetContext, op: Operation, handles: Handles): Promise<Outcome> {
  const paid = await paymentOf(ctx, op, handles, ANY)
  if (paid.kind !== 'read') return paid
  if (!paid.value || isUnpaidPage(paid.value, handles)) return closedPage(ctx, handles)
  const one = paid.value
  const before = cancelNow(one)
  if (before) return before
  const isHeld = standingOf(one) === 'held'
  const result = await carryOut(ctx, isHeld ? decideHold(op, 'decline', one.id) : voidTransaction(op, one.id))
  if (result.kind === 'read' && result.value.code === '1') return done(one)
  if (result.kind === 'unknown' || (result.kind === 'not-done' && result.why !== 'bad-request')) return result
  const now = await detailsOf(ctx, one.id, ANY)
  if (now.kind !== 'read') return unclear('a refused void')
  return cancelNow(now.value) ?? wrongState(now.value.status)
}

/** A try on the page was declined, and the customer could try again. */
const isUnpaidPage = (one: TransactionDetails, { payment }: Handles): boolean =>
  payment === undefined && standingOf(one) === 'declined'

function closedPage(ctx: AuthorizeNetContext, handles: Handles): Outcome {
  const openUntil = pageEnd(handles)
  const isOpen = openUntil !== undefined && openUntil > ctx.now()
  return { kind: 'approved', handles: {}, facts: {}, ...(isOpen ? { openUntil } : {}) }
}

function cancelNow(one: TransactionDetails): Outcome | undefined {
  switch (standingOf(one)) {
    case 'authorised':
    case 'held':
      return undefined
    case 'voided':
    case 'expired':
    case 'declined':
      return done(one)
    default:
      return wrongState(one.status)
  }
}

/** Approves a payment that the fraud filters hold. */
export async function resume(
  ctx: AuthorizeNetContext,
  op: Operation,
  purchase: Purchase,
  handles: Handles,
): Promise<Outcome> {
  const { currency } = purchase.amount
  const paid = await paymentOf(ctx, op, handles, currency)
  if (paid.kind !== 'read') return paid
  if (!paid.value) return wrongState('not paid')
  const one = paid.value
  if (standingOf(one) !== 'held') return reviewed(op, purchase, one)
  const result = await carryOut(ctx, decideHold(op, 'approve', one.id))
  if (result.kind === 'unknown' || (result.kind === 'not-done' && result.why !== 'bad-request')) return result
  if (result.kind === 'read' && (result.value.code === '2' || result.value.code === '3'))
    return refused(result.value)
  const now = await detailsOf(ctx, one.id, currency)
  return now.kind === 'read' ? reviewed(op, purchase, now.value) : unclear('a decision')
}

/** What the decision about a held payment led to. A sale is taken by the approval. */
function reviewed({ reference }: Operation, purchase: Purchase, one: TransactionDetails): Outcome {
  const standing = standingOf(one)
  if (standing === 'held') return unclear('still held')
  if (standing === 'voided' || standing === 'expired')
    return { kind: 'declined', reason: 'suspected-fraud', retry: 'never', raw: { code: one.status } }
  const sale = one.type === 'authCaptureTransaction'
  return foundCharge(one, { reference, purchase: { ...purchase, sale } })
}

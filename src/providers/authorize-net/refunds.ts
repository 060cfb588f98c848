import type { Money } from '../../base/money.ts'
import { isOurs } from '../kit/json.ts'
import { unsupported } from '../kit/reply.ts'
import type { Handles, Outcome } from '../outcome.ts'
import type { Operation } from '../port.ts'
import { refundSettled, voidTransaction } from './calls.ts'
import { type Answered, type AuthorizeNetContext, read } from './exchange.ts'
import { detailsOf, unsettled, wasMade, withInvoice } from './find.ts'
import { afterSettlement, refunded, refused, unclear, wrongState } from './outcomes.ts'
import { capturedBefore, knownRefunds, mainOf, standingOf } from './snapshot.ts'
import { carryOut, paymentOf, wasSent } from './steps.ts'
import type { TransactionDetails } from './wire.ts'

/** Before the settlement everything is given back by a void, and a part not at all. Afterwards by refunds. */
export async function refund(
  ctx: AuthorizeNetContext,
  op: Operation,
  handles: Handles,
  amount: Money,
): Promise<Outcome> {
  const paid = await paymentOf(ctx, op, handles, amount.currency)
  if (paid.kind !== 'read') return paid
  if (!paid.value) return wrongState('not paid')
  if (paid.value.payment.kind === 'bank')
    return unsupported('Electronic checks are refunded in the Merchant Interface.')
  return refundOf(ctx, op, { one: paid.value, handles, amount })
}

interface Wanted {
  readonly one: TransactionDetails
  readonly handles: Handles
  readonly amount: Money
}

async function refundOf(ctx: AuthorizeNetContext, op: Operation, wanted: Wanted): Promise<Outcome> {
  const { one, handles, amount } = wanted
  switch (standingOf(one)) {
    case 'voided':
      // An earlier request of this refund voided it.
      return capturedBefore(handles) === amount.minor ? refunded(one, op.key, one.id) : wrongState(one.status)
    case 'unsettled':
      if (amount.minor === one.settled.minor) return voidAll(ctx, op, wanted)
      return amount.minor <= one.settled.minor ? afterSettlement(one, ctx.now()) : wrongState(one.status)
    case 'settled':
    case 'dispute-won':
      return giveBack(ctx, op, wanted)
    default:
      return wrongState(one.status)
  }
}

async function voidAll(ctx: AuthorizeNetContext, op: Operation, wanted: Wanted): Promise<Outcome> {
  const { one, amount } = wanted
  const result = await carryOut(ctx, voidTransaction(op, one.id))
  if (result.kind === 'read' && result.value.code === '1') return refunded(one, op.key, one.id)
  if (result.kind !== 'read') return result
  const now = await detailsOf(ctx, one.id, amount.currency)
  if (now.kind !== 'read') return unclear('a refused void')
  const standing = standingOf(now.value)
  // It was settled in the meantime, or another request voided it.
  if (standing === 'settled') return giveBack(ctx, op, { ...wanted, one: now.value })
  return standing === 'voided' ? refunded(one, op.key, one.id) : refused(result.value)
}

const DUPLICATE = 11

async function giveBack(ctx: AuthorizeNetContext, op: Operation, wanted: Wanted): Promise<Outcome> {
  const { one, amount } = wanted
  const before = await earlier(ctx, op, wanted)
  if (before.kind !== 'read') return before
  if (before.value) return foundRefund(before.value, op, wanted)
  const result = await carryOut(ctx, refundSettled(op, one, amount))
  if (result.kind !== 'read') return result
  const { code, id, original, reasonCode } = result.value
  if (code === '1' && id !== undefined) return refunded(one, op.key, id)
  if (reasonCode !== DUPLICATE)
    return code === '1' || code === '4' ? unclear('no transaction') : refused(result.value)
  const twin = original === undefined ? undefined : await detailsOf(ctx, original, amount.currency)
  return twin?.kind === 'read' ? foundRefund(twin.value, op, wanted) : unclear('a duplicate')
}

/** The refund of an earlier request of the same operation. */
async function earlier(
  ctx: AuthorizeNetContext,
  op: Operation,
  { handles, amount }: Wanted,
): Promise<Answered<TransactionDetails | undefined>> {
  const known = knownRefunds(handles).get(op.key)
  if (known !== undefined) return detailsOf(ctx, known, amount.currency)
  if (!wasSent(ctx, op)) return read(undefined)
  const lines = await withInvoice(ctx, op.key, { since: op.createdAt, isWanted: wasMade })
  if (lines.kind !== 'read') return lines
  const line = lines.value.find((each) => standingOf(each) === 'refund') ?? mainOf(lines.value)
  return line ? detailsOf(ctx, line.id, amount.currency) : read(undefined)
}

function foundRefund(found: TransactionDetails, { key }: Operation, { one, amount }: Wanted): Outcome {
  const isOurs = found.invoice === key && found.refTransId === one.id
  if (!isOurs || found.authorised.minor !== amount.minor) return unclear('another refund')
  if (standingOf(found) === 'refund') return refunded(one, key, found.id)
  return refused(found)
}

/** Refunds of a payment that were made elsewhere are looked for among this many others of the same day. */
const MAX_OTHERS = 25

/** The refunds of a settled payment: those whose ids are known, and those that are not settled yet. */
export async function refundsOf(
  ctx: AuthorizeNetContext,
  one: TransactionDetails,
  handles: Handles,
): Promise<Answered<TransactionDetails[]>> {
  if (!['settled', 'disputed', 'dispute-won'].includes(standingOf(one))) return read([])
  const known = new Set(knownRefunds(handles).values())
  const { currency } = one.settled
  const last4 = one.payment.number.slice(-4)
  const open = await unsettled(
    ctx,
    (line) => standingOf(line) === 'refund' && !known.has(line.id) && (line.account ?? last4).endsWith(last4),
  )
  if (open.kind !== 'read') return open
  const candidates = open.value.filter(
    ({ invoice }) => isOurs(invoice) || invoice === one.invoice || !invoice,
  )
  const ids = [...known, ...candidates.slice(0, MAX_OTHERS).map(({ id }) => id)]
  const found: TransactionDetails[] = []
  for (const id of ids) {
    const each = await detailsOf(ctx, id, currency)
    if (each.kind !== 'read') return each
    if (each.value.refTransId === one.id) found.push(each.value)
  }
  return read(found)
}

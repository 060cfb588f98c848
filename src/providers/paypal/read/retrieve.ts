import { after, HOUR } from '../../../base/clock.ts'
import { money } from '../../../base/money.ts'
import type { Handles, ReadOutcome, Unknown } from '../../outcome.ts'
import { callApi, type PaypalContext } from '../api.ts'
import { authorizationRead, captureRead, refundRead } from '../calls.ts'
import { readAs, readCapture, readRefund } from '../outcomes.ts'
import { snapshotOf } from '../snapshot.ts'
import { type Failed, findOrder, isFailed } from '../steps.ts'
import { isStored, NOT_CHARGED, seenAs } from '../vault/order.ts'
import { withWallet } from '../vault/wallets.ts'
import { authorizationIn, idAt, type PaypalOrder } from '../wire.ts'
import { withDisputes } from './disputes.ts'

/** PayPal forgets an order that was not paid after some hours. */
const LAPSES_MS = 6 * HOUR

export async function retrieve(
  ctx: PaypalContext,
  reference: string,
  handles: Handles,
): Promise<ReadOutcome> {
  // A page cannot be paid, and a stored wallet is not charged, before the id of the order is saved.
  if (handles.payment === undefined) return { kind: 'unreadable', isUnpaid: true }
  const shown = await findOrder(ctx, handles)
  const order = shown === undefined ? await remainsOf(ctx, handles.payment, handles) : shown
  if (order === undefined) return lapsed(ctx, reference, handles)
  if (isFailed(order)) return order.kind === 'declined' ? declinedRead(order) : order
  const seen = seenAs(handles, snapshotOf(order, ctx.now()))
  return withWallet(ctx, handles, await withDisputes(ctx, order, seen, handles))
}

/** A read is not declined; a refusal that is not in the table proves nothing. */
const declinedRead = ({ raw }: Extract<Failed, { kind: 'declined' }>): Unknown => ({
  kind: 'unknown',
  why: 'server-error',
  raw,
})

/** What the payments of an order show by their own ids after PayPal has stopped to show the order. */
async function remainsOf(
  ctx: PaypalContext,
  id: string,
  { capture, authorisation, refund, intent }: Handles,
): Promise<PaypalOrder | Failed | undefined> {
  const bare = {
    ...{ id, status: 'COMPLETED', createdAt: undefined, approvalUrl: undefined, payer: {} },
    ...{ vaultId: undefined, authorizations: [], captures: [], refunds: [] },
    intent: intent === 'AUTHORIZE' ? 'AUTHORIZE' : 'CAPTURE',
  } as const
  if (idAt(capture) !== undefined) {
    const read = readCapture(await callApi(ctx, captureRead(capture ?? '')))
    if (read.kind !== 'read') return unlessGone(read)
    const { amount, customId: reference } = read.value
    const made = idAt(refund) ? readRefund(await callApi(ctx, refundRead(refund ?? ''))) : undefined
    if (made && made.kind !== 'read') return unlessGone(made) ?? { kind: 'unknown', why: 'unreadable-reply' }
    const refunds = made ? [{ ...made.value, captureId: read.value.id }] : []
    return { ...bare, amount, reference, captures: [read.value], refunds, refundedSum: made?.value.total }
  }
  if (idAt(authorisation) === undefined) return undefined
  const read = readAs(await callApi(ctx, authorizationRead(authorisation ?? '')), authorizationIn)
  if (read.kind !== 'read') return unlessGone(read)
  const { amount, customId: reference } = read.value
  return { ...bare, amount, reference, authorizations: [read.value] }
}

const unlessGone = (failed: Failed): Failed | undefined =>
  failed.kind === 'not-done' && failed.why === 'not-found' ? undefined : failed

/**
 * PayPal does not know the order. One that is old enough has lapsed without money, if we know of none. A
 * younger one may only be late in PayPal's index.
 */
function lapsed(ctx: PaypalContext, reference: string, handles: Handles): ReadOutcome {
  const { payment, opened, currency, authorisation, capture: captureId } = handles
  const isPaid = authorisation !== undefined || captureId !== undefined
  const isOld = opened !== undefined && after(new Date(opened), LAPSES_MS) < ctx.now()
  if (isPaid || !isOld || currency === undefined || payment === undefined)
    return { kind: 'absent', conclusive: false }
  const none = money(0n, currency)
  return {
    kind: 'snapshot',
    // All handles: the next read must recognise it too.
    ...{ handles, captured: none, refunded: none, refunds: [], facts: {}, reference },
    ...(isStored(handles) ? NOT_CHARGED : { stage: 'expired' }),
  }
}

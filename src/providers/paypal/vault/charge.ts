import type { Handles, Outcome } from '../../outcome.ts'
import type { Operation, Purchase } from '../../port.ts'
import { subKey } from '../../sub-key.ts'
import { callApi, type PaypalContext } from '../api.ts'
import { chargeCall, openCall, processCall } from '../calls.ts'
import { attemptOutcome, cannotExpress, echoOf, readOrder } from '../outcomes.ts'
import { actionKey, askPayer, isActed } from '../payer-action.ts'
import { isOrder, sendAttempt } from '../steps.ts'
import type { PaypalOrder } from '../wire.ts'
import { storedHandles } from './order.ts'

/**
 * Charges a stored wallet in two requests: the first opens an order, the second pays it with the wallet. The
 * id of the order is saved in between. Without a saved id nothing was charged; with one, the order shows
 * whether it was, also after PayPal has forgotten the request ids.
 */
export async function charge(
  ctx: PaypalContext,
  op: Operation,
  purchase: Purchase,
  token: string,
): Promise<Outcome> {
  if (op.saved?.payment !== undefined) return pay(ctx, op, { token, purchase }, op.saved)
  const call = openCall(op, purchase)
  if (!call) return cannotExpress(purchase.amount)
  const opened = await sendAttempt(ctx, call)
  if (!isOrder(opened)) return opened
  // A repeated request shows the order as it is now.
  if (isPaid(opened)) return attemptOutcome(opened, ctx.now())
  const handles = storedHandles(opened)
  // The core compares the echo and records an unknown outcome: an order of another amount is not paid.
  if (!isAsked(opened, op, purchase))
    return { kind: 'pending', handles, waitsFor: 'provider', echo: echoOf(opened) }
  if (!(await op.save?.(handles))) return { kind: 'unknown', why: 'unreadable-reply' }
  return pay(ctx, op, { token, purchase }, handles)
}

const isPaid = ({ captures, authorizations }: PaypalOrder): boolean =>
  captures.length > 0 || authorizations.length > 0

const isAsked = ({ reference, amount }: PaypalOrder, op: Operation, purchase: Purchase): boolean =>
  (reference === undefined || reference === op.reference) &&
  amount.minor === purchase.amount.minor &&
  amount.currency === purchase.amount.currency

async function pay(
  ctx: PaypalContext,
  op: Operation,
  { token, purchase }: { readonly token: string; readonly purchase: Purchase },
  handles: Handles,
): Promise<Outcome> {
  const { payment = '', intent } = handles
  const isSale = intent === 'CAPTURE'
  const isPresent = purchase.customerPresent
  const backUrl = isPresent ? purchase.backUrl : undefined
  // After the payer has acted, the order is approved and needs no wallet.
  const call = isActed(handles)
    ? processCall(payment, actionKey(op.key, handles), isSale)
    : chargeCall(payment, subKey(op.key, 'A'), token, { isSale, backUrl })
  const reply = await callApi(ctx, call)
  const read = readOrder(reply)
  if (read.kind !== 'read') {
    const asked = askPayer(read, { reply, handles, isPresent })
    return asked.kind === 'not-done' ? asked : { ...asked, handles: { ...handles, ...asked.handles } }
  }
  if (isPaid(read.value)) return attemptOutcome(read.value, ctx.now())
  if (read.value.status !== 'PAYER_ACTION_REQUIRED')
    return { kind: 'unknown', why: 'unreadable-reply', handles }
  const { approvalUrl: url } = read.value
  return askPayer(url === undefined ? NO_PAGE : { kind: 'redirect', handles, url }, { handles, isPresent })
}

const NO_PAGE = {
  ...({ kind: 'declined', reason: 'authentication-required', retry: 'after-customer-acts' } as const),
  raw: { code: 'PAYER_ACTION_REQUIRED' },
} as const

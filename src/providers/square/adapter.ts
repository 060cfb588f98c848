import { after, HOUR } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import { hmacSha256, sameBytes } from '../../base/secret.ts'
import { unlistedOf } from '../enumerations.ts'
import type { Hint } from '../hint.ts'
import { isOurs, type Json, jsonIn, objectAt, textAt } from '../kit/json.ts'
import { type ProviderFailure, unreadable, unsupported } from '../kit/reply.ts'
import type { Handles, Outcome } from '../outcome.ts'
import type { InboundCall, Operation, ProviderAdapter, Purchase, Received } from '../port.ts'
import {
  cancelByKey,
  cancelPayment,
  changeAmount,
  chargeStored,
  completePayment,
  deleteLink,
  openLink,
  readOrder,
  readPayment,
} from './calls.ts'
import { accountMethods, check, connect } from './connect.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { call, callFor, plain, type SquareContext } from './exchange.ts'
import { amountIn, referenceIn } from './facts.ts'
import { manifest, type SquareSettings } from './manifest.ts'
import { cancelled, captured, chargeOutcome, closed, linkOutcome, wrongState } from './outcomes.ts'
import { refund } from './refund.ts'
import { findTenders, retrieve } from './retrieve.ts'
import { settlements } from './settlements.ts'
import { disputeHandles, disputeId } from './snapshot.ts'
import { forget, readStored, storeAfterPayment, storedCard } from './store.ts'
import { isId } from './wire.ts'

/**
 * Square: payment links, which take the money at once, and stored cards, which are reserved first. See
 * docs/decisions/0120-square.md.
 */
export const square: ProviderAdapter<SquareSettings> = {
  manifest,
  check,
  accountMethods,
  connect,
  connectHelp:
    'In the Developer Console under Webhooks, Subscriptions: add a subscription with this address and the ' +
    'events of payments, refunds, disputes and cards, and copy its signature key.',
  start,
  resume: async () => unsupported('Square pays without a second step.'),
  charge,
  capture,
  cancel,
  refund,
  retrieve,
  storeAfterPayment,
  forget,
  readStored,
  receive: async (ctx, call) => receive(ctx, call),
  settlements,
}

async function start(ctx: SquareContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument) return unsupported('Square takes payments on its page only.')
  if (!manifest.methods[purchase.method]) return unsupported('Square does not take this method.')
  return linkOutcome(await call(ctx, openLink(ctx.config.locationId, op, purchase)))
}

async function charge(
  ctx: SquareContext,
  op: Operation,
  purchase: Purchase,
  token: string,
): Promise<Outcome> {
  const stored = storedCard(token)
  if (!stored) return unsupported('The stored method is not one of Square.')
  const request = chargeStored(ctx.config.locationId, op, purchase, stored)
  return chargeOutcome(await callFor(ctx, request, 'payment'))
}

const notPaid = wrongState('NOT_PAID')

/**
 * Completes a payment. Completing has no key and no amount: the payment is read before, and completed in the
 * version that has the amount.
 */
async function capture(
  ctx: SquareContext,
  op: Operation,
  { payment: id, order }: Handles,
  amount: Money,
): Promise<Outcome> {
  if (isId(order)) return unsupported('A page of Square takes the money at once.')
  if (!isId(id)) return notPaid
  const read = await callFor(ctx, readPayment(id), 'payment')
  if (read.kind !== 'object') return plain(read)
  let payment = read.object
  if (textAt(payment, 'status') !== 'APPROVED') return captured(payment, amount)
  if (amountIn(payment)?.minor !== amount.minor) {
    const changed = await callFor(ctx, changeAmount(op, id, amount), 'payment')
    if (changed.kind !== 'object') return changed
    payment = changed.object
    if (amountIn(payment)?.minor !== amount.minor) return unreadable()
  }
  const done = await callFor(ctx, completePayment(id, textAt(payment, 'version_token')), 'payment')
  if (done.kind === 'object') return captured(done.object, amount)
  return isRefusal(done) ? afterRefusal(ctx, id, done, (now) => captured(now, amount)) : done
}

/** The state of the payment tells why: it may have changed since. */
async function afterRefusal(
  ctx: SquareContext,
  id: string,
  refusal: ProviderFailure,
  judge: (payment: Parameters<typeof cancelled>[0]) => Outcome,
): Promise<Outcome> {
  const read = await callFor(ctx, readPayment(id), 'payment')
  if (read.kind !== 'object') return unreadable()
  return textAt(read.object, 'status') === 'APPROVED' ? refusal : judge(read.object)
}

/** Square understood the request and did not do it. */
const isRefusal = (failed: ProviderFailure): boolean =>
  failed.kind === 'declined' ||
  (failed.kind === 'not-done' && ['bad-request', 'wrong-state', 'not-found'].includes(failed.why))

/** Voids a reservation, closes a page, or cancels by its key a charge that has no id yet. */
async function cancel(ctx: SquareContext, op: Operation, handles: Handles): Promise<Outcome> {
  const { payment, link, order } = handles
  if (isId(payment)) {
    const read = await callFor(ctx, cancelPayment(payment), 'payment')
    if (read.kind === 'object') return cancelled(read.object)
    return isRefusal(read) ? afterRefusal(ctx, payment, read, cancelled) : read
  }
  if (isId(link) && isId(order)) return closePage(ctx, op, link, order)
  const read = await call(ctx, cancelByKey(op))
  return read.kind === 'object' ? closed() : read
}

/** The order says whether the page was paid before it was closed. */
async function closePage(
  ctx: SquareContext,
  { reference }: Operation,
  link: string,
  orderId: string,
): Promise<Outcome> {
  const deleted = await call(ctx, deleteLink(link))
  if (deleted.kind !== 'object' && !isRefusal(deleted)) return deleted
  const read = await callFor(ctx, readOrder(orderId), 'order')
  if (read.kind !== 'object') return unreadable(plain(read).raw)
  const order = read.object
  const tenders = await findTenders(ctx, order, reference)
  if ('kind' in tenders) return unreadable(tenders.raw)
  if (tenders.paid.length > 0) return wrongState('PAID')
  if (textAt(order, 'state') === 'CANCELED') return closed()
  if (deleted.kind !== 'object') return deleted
  // No one finds the page any more, but a customer may have it open.
  return closed(after(ctx.now(), HOUR))
}

// ---- notifications ----------------------------------------------------------------------------------------

/** Square signs the address that was registered, followed by the body. */
function receive({ config, notifyUrl }: SquareContext, { headers, rawBody }: InboundCall): Received {
  const { webhookSignatureKey: key } = config
  const given = Buffer.from(headers['x-square-hmacsha256-signature'] ?? '', 'base64')
  const signed = Buffer.concat([Buffer.from(notifyUrl, 'utf8'), rawBody])
  if (key === undefined || !sameBytes(hmacSha256(key, signed), given)) return { kind: 'forged' }
  const event = jsonIn(rawBody)
  const hints = hintsIn(objectAt(event, 'data', 'object'))
  if (hints.length > 0) return { kind: 'events', hints }
  const [unlisted] = unlistedOf(ENUMERATIONS, [['event', textAt(event, 'type')]])
  return unlisted === undefined ? { kind: 'ignored' } : { kind: 'ignored', unlisted }
}

/** Other payments of the account have references that are not ours. */
function hintsIn({ payment, refund, dispute, card }: Json): Hint[] {
  const [owner, cardId] = [textAt(card, 'customer_id'), textAt(card, 'id')]
  if (isId(owner) && isId(cardId)) return [{ renewedToken: `${owner}/${cardId}` }]
  const reference = referenceIn(objectAt(payment))
  if (isOurs(reference)) return [{ reference }]
  // Known by its own id once it was read, before that by the order of its page.
  const named = [textAt(payment, 'id'), textAt(payment, 'order_id')]
  const later = [textAt(refund, 'payment_id'), textAt(dispute, 'disputed_payment', 'payment_id')]
  const handles = dispute ? { handles: disputeHandles([disputeId(objectAt(dispute))]) } : {}
  return [
    ...named.filter(isId).map((lookup) => ({ lookup })),
    ...later.filter(isId).map((lookup) => ({ lookup, isKept: true, ...handles }) as const),
  ]
}

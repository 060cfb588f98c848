import { MINUTE } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import type { Handles, NotDone, Outcome, ReadOutcome, Unknown } from '../outcome.ts'
import type { Operation, ProviderAdapter, Purchase } from '../port.ts'
import {
  archivePullPayment,
  type ClaimMethods,
  createInvoice,
  createRefund,
  invalidate,
  refundKeyIn,
} from './calls.ts'
import { check, connect } from './connect.ts'
import { TOO_LARGE } from './failures.ts'
import { type BtcpaySettings, manifest } from './manifest.ts'
import {
  awaitsRest,
  type InvoiceView,
  snapshotOf,
  startOutcome,
  verdictOn,
  watchedUntil,
} from './outcomes.ts'
import { received } from './receive.ts'
import { knownRefunds, refundedOrOpenMinor, refundOutcome, refundsOf, withoutTwins } from './refunds.ts'
import {
  type BtcpayContext,
  call,
  claimMethodsOf,
  foundRefunds,
  invoiceOf,
  invoicesOf,
  listedRefunds,
  ratesFor,
  read,
  type ServerRead,
  viewOf,
} from './server.ts'
import { settlements } from './settlements.ts'
import { handlesOf, type Invoice, invoiceIn, pullPaymentIn } from './wire.ts'

const unsupported = async (): Promise<NotDone> => ({ kind: 'not-done', why: 'unsupported' })

/**
 * A BTCPay Server of the merchant. The server has no idempotency keys: every step first looks for its own
 * result. See docs/decisions/0112-btcpay.md.
 */
export const btcpay: ProviderAdapter<BtcpaySettings> = {
  manifest,
  check,
  connect,
  connectHelp:
    'Store settings, Webhooks, Create webhook: paste the address, then copy the secret from there.',
  start,
  resume: unsupported,
  charge: unsupported,
  capture: unsupported,
  cancel,
  refund,
  retrieve,
  forget: unsupported,
  receive: received,
  settlements,
}

async function start(ctx: BtcpayContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (!purchase.sale || purchase.storeMethod || purchase.instrument !== undefined) return unsupported()
  if (purchase.method !== 'Crypto') return unsupported()
  const found = await invoicesOf(ctx, op.reference)
  if (found.kind !== 'read') return found
  const [first, ...others] = found.value
  if (first) {
    await closeOthers(ctx, others)
    return outcomeOfStart(ctx, first)
  }
  const made = await read(ctx, createInvoice(ctx.config.storeId, op, purchase), invoiceIn)
  if (made.kind !== 'read') return made
  if (op.sending > 1) await closeTwins(ctx, op, made.value)
  return outcomeOfStart(ctx, made.value)
}

async function outcomeOfStart(ctx: BtcpayContext, invoice: Invoice): Promise<Outcome> {
  const view = await viewOf(ctx, invoice)
  return view.kind === 'read' ? startOutcome(view.value) : view
}

/** An earlier request may have arrived after we looked. The customer gets the link of one invoice only. */
async function closeTwins(ctx: BtcpayContext, { reference }: Operation, { id }: Invoice): Promise<void> {
  const found = await invoicesOf(ctx, reference)
  if (found.kind === 'read')
    await closeOthers(
      ctx,
      found.value.filter((invoice) => invoice.id !== id),
    )
}

async function closeOthers(ctx: BtcpayContext, invoices: readonly Invoice[]): Promise<void> {
  const { storeId } = ctx.config
  for (const { id, status } of invoices) if (status === 'New') await call(ctx, invalidate(storeId, id))
}

/**
 * Marks an invoice invalid. Money that arrives nevertheless is found by the next read, as is a part that was
 * paid before.
 */
async function cancel(ctx: BtcpayContext, op: Operation, handles: Handles): Promise<Outcome> {
  const found = await invoiceOf(ctx, op.reference, handles)
  if (found.kind !== 'read') return found
  const after = await closed(ctx, found.value)
  // The server refuses to mark an invoice that was settled in the meantime.
  if (after.kind === 'not-done' && after.why === 'bad-request') return { ...after, why: 'wrong-state' }
  if (after.kind !== 'read') return after
  const { id, status, paidMinor, orderId } = after.value
  const isClosed = (status === 'Invalid' || status === 'Expired') && paidMinor === 0n
  if (!isClosed) return { kind: 'not-done', why: 'wrong-state', raw: { code: status } }
  return {
    kind: 'approved',
    handles: handlesOf({ id }),
    facts: {},
    ...watchedUntil({ invoice: after.value, now: ctx.now() }),
    ...(orderId ? { echo: { reference: orderId } } : {}),
  }
}

/** The invoice after it was closed, or as it is if it does not wait for the customer. */
const closed = async (ctx: BtcpayContext, invoice: Invoice) =>
  invoice.status === 'New' || awaitsRest({ invoice, now: ctx.now() })
    ? read(ctx, invalidate(ctx.config.storeId, invoice.id), invoiceIn)
    : ({ kind: 'read', value: invoice } as const)

/** A request that was believed lost has an effect within this time, or never. */
const SETTLING_MS = MINUTE

async function refund(ctx: BtcpayContext, op: Operation, handles: Handles, amount: Money): Promise<Outcome> {
  const found = await invoiceOf(ctx, op.reference, handles)
  if (found.kind !== 'read') return found
  const view = await viewOf(ctx, found.value)
  if (view.kind !== 'read') return view
  const isRepeated = op.sending > 1
  const listed = await listedRefunds(ctx, found.value)
  if (listed.kind !== 'read') {
    // Without the list a first request is safe, a second one is not.
    if (!cannotList(listed)) return listed
    if (isRepeated)
      return { kind: 'unknown', why: 'server-error', ...(listed.raw ? { raw: listed.raw } : {}) }
    return sendRefund(ctx, op, { view: view.value, amount })
  }
  const refunds = withoutTwins(listed.value, knownRefunds(handles))
  const ours = refunds.find(({ pull }) => refundKeyIn(pull.description) === op.key)
  if (ours) return refundOutcome(found.value, ours, op.key)
  const rates = await ratesFor(ctx, found.value, refunds)
  const takenMinor = refundedOrOpenMinor(refundsOf(found.value, refunds, rates))
  if (takenMinor + amount.minor > verdictOn(view.value).capturedMinor)
    return { kind: 'not-done', why: 'wrong-state', raw: { code: 'more than was paid' } }
  if (isRepeated && ctx.now().getTime() - op.createdAt.getTime() < SETTLING_MS)
    return { kind: 'unknown', why: 'timeout', raw: { message: 'an earlier request may still arrive' } }
  const outcome = await sendRefund(ctx, op, { view: view.value, amount })
  if (isRepeated && outcome.kind === 'pending') await archiveTwins(ctx, op, found.value, outcome.handles)
  return outcome
}

/** The key may not list refunds, or the store has too many of them. */
const cannotList = (failed: NotDone | Unknown): boolean =>
  failed.kind === 'not-done'
    ? failed.why === 'bad-credentials' || failed.why === 'not-found'
    : failed.raw?.message === TOO_LARGE

interface WantedRefund {
  readonly view: InvoiceView
  readonly amount: Money
}

async function sendRefund(
  ctx: BtcpayContext,
  op: Operation,
  { view, amount }: WantedRefund,
): Promise<Outcome> {
  const { invoice } = view
  if (verdictOn(view).capturedMinor < amount.minor)
    return { kind: 'not-done', why: 'wrong-state', raw: { code: invoice.status } }
  const { id: invoiceId } = invoice
  const create = (methods?: ClaimMethods) =>
    read(ctx, createRefund(ctx.config.storeId, op, { invoiceId, amount, methods }), pullPaymentIn)
  const methods = await claimMethodsOf(ctx, invoice)
  if (methods === 'later') return { kind: 'not-done', why: 'not-sent' }
  const first = await create(methods)
  // The store does not pay out by this method: the customer claims by the store's default.
  const made = methods && isMethodRefused(first) ? await create() : first
  return made.kind === 'read' ? refundOutcome(invoice, { pull: made.value, payouts: [] }, op.key) : made
}

const isMethodRefused = (failed: ServerRead<unknown>): boolean =>
  failed.kind === 'not-done' && failed.why === 'bad-request' && /payoutmethod/i.test(failed.raw?.code ?? '')

/** Archives pull payments of the same key that no one has a link to. */
async function archiveTwins(
  ctx: BtcpayContext,
  op: Operation,
  invoice: Invoice,
  handles: Handles,
): Promise<void> {
  const kept = knownRefunds(handles).get(op.key)
  const listed = await listedRefunds(ctx, invoice)
  if (listed.kind !== 'read') return
  const archive = (id: string) => call(ctx, archivePullPayment(ctx.config.storeId, id))
  for (const { pull, payouts } of listed.value) {
    const isTwin = pull.id !== kept && refundKeyIn(pull.description) === op.key
    if (isTwin && !pull.archived && payouts.length === 0) await archive(pull.id)
  }
}

async function retrieve(ctx: BtcpayContext, reference: string, handles: Handles): Promise<ReadOutcome> {
  const found = await invoiceOf(ctx, reference, handles)
  if (found.kind !== 'read') {
    // A page of an invoice that is not listed was never shown, so it cannot be paid. An invoice that we know
    // by its id exists somewhere: then the answer proves nothing.
    const isAbsent = found.kind === 'not-done' && found.why === 'not-found'
    return isAbsent ? { kind: 'absent', conclusive: handles.payment === undefined } : found
  }
  const view = await viewOf(ctx, found.value)
  if (view.kind !== 'read') return view
  if (verdictOn(view.value).capturedMinor === 0n) return snapshotOf(view.value, [])
  const refunds = await foundRefunds(ctx, found.value, handles)
  const rates = await ratesFor(ctx, found.value, refunds)
  return snapshotOf(view.value, refundsOf(found.value, refunds, rates))
}

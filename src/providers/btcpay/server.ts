import type { HttpReply } from '../../net/http.ts'
import { unreadable } from '../kit/reply.ts'
import type { Handles, NotDone, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import {
  type ClaimMethods,
  findInvoices,
  findPullPayments,
  type Request,
  readInvoice,
  readPaymentMethods,
  readPayouts,
  readPullPayment,
  readServerInfo,
} from './calls.ts'
import { failure } from './failures.ts'
import type { BtcpaySettings } from './manifest.ts'
import { hasLostMoney, type InvoiceView } from './outcomes.ts'
import { type Claimable, isRefundOf, knownRefunds, type Rates, withoutTwins } from './refunds.ts'
import { isAtLeast, SEVERAL_SINCE, versionIn } from './version.ts'
import {
  type Invoice,
  invoiceIn,
  listIn,
  type PaymentMethod,
  type PullPayment,
  paymentMethodIn,
  payoutIn,
  payoutMethodsOf,
  pullPaymentIn,
} from './wire.ts'

/** Reads of the server, each with its failures. */

export type BtcpayContext = ProviderContext<BtcpaySettings>

/** A value that was read, or why it could not be. */
export type ServerRead<T> = { readonly kind: 'read'; readonly value: T } | NotDone | Unknown

export const call = (ctx: BtcpayContext, { path, ...request }: Request): Promise<HttpReply> =>
  ctx.http.call({
    ...request,
    url: `${ctx.origin}/api/v1/${path}`,
    headers: { authorization: `token ${ctx.config.apiKey}` },
    signal: ctx.signal,
  })

export async function read<T>(
  ctx: BtcpayContext,
  request: Request,
  parse: (body: unknown) => T | undefined,
): Promise<ServerRead<T>> {
  const reply = await call(ctx, request)
  const failed = failure(reply, ctx.now())
  if (failed) return failed
  const value = reply.kind === 'reply' ? parse(reply.body) : undefined
  return value === undefined ? unreadable() : { kind: 'read', value }
}

/** All invoices of a reference, the one that counts first. */
export async function invoicesOf(ctx: BtcpayContext, reference: string): Promise<ServerRead<Invoice[]>> {
  const found = await read(ctx, findInvoices(ctx.config.storeId, reference), (body) =>
    listIn(body, invoiceIn),
  )
  if (found.kind !== 'read') return found
  // A server that ignores the filter must not make us take another payment for ours.
  const ours = found.value.filter(({ orderId }) => orderId === reference)
  return { kind: 'read', value: ours.sort((one, other) => rank(one) - rank(other) || age(one, other)) }
}

/** Invoices with money come first, then those that can still be paid. */
function rank(invoice: Invoice): number {
  if (invoice.status === 'Settled') return 0
  if (invoice.status === 'Processing') return 1
  if (hasLostMoney(invoice)) return 2
  return invoice.status === 'New' ? 3 : 4
}
const age = (one: Invoice, other: Invoice): number =>
  one.createdTime - other.createdTime || (one.id < other.id ? -1 : 1)

/** The invoice by its id, else by our reference. `not-found` means that there is none. */
export async function invoiceOf(
  ctx: BtcpayContext,
  reference: string,
  { payment }: Handles,
): Promise<ServerRead<Invoice>> {
  if (payment !== undefined) {
    const found = await read(ctx, readInvoice(ctx.config.storeId, payment), invoiceIn)
    if (found.kind !== 'not-done' || found.why !== 'not-found') return found
  }
  const listed = await invoicesOf(ctx, reference)
  if (listed.kind !== 'read') return listed
  const invoice = payment === undefined ? listed.value[0] : listed.value.find(({ id }) => id === payment)
  return invoice ? { kind: 'read', value: invoice } : { kind: 'not-done', why: 'not-found' }
}

/** With the state of its payments, where that decides. */
export async function viewOf(ctx: BtcpayContext, invoice: Invoice): Promise<ServerRead<InvoiceView>> {
  const now = ctx.now()
  if (!hasLostMoney(invoice)) return { kind: 'read', value: { invoice, now } }
  const methods = await paymentMethodsOf(ctx, invoice)
  if (methods.kind !== 'read') return methods
  const statuses = methods.value.flatMap((method) => method.statuses)
  const allSettled = statuses.length > 0 && statuses.every((status) => status === 'Settled')
  return { kind: 'read', value: { invoice, allSettled, now, statuses } }
}

const paymentMethodsOf = (ctx: BtcpayContext, { id }: Invoice): Promise<ServerRead<PaymentMethod[]>> =>
  read(ctx, readPaymentMethods(ctx.config.storeId, id), (body) => listIn(body, paymentMethodIn))

/** The pull payments of an invoice, oldest first, with their claims. Fails if the store cannot list them. */
export async function listedRefunds(ctx: BtcpayContext, invoice: Invoice): Promise<ServerRead<Claimable[]>> {
  const listed = await pullPaymentsOf(ctx)
  return listed.kind === 'read'
    ? { kind: 'read', value: await refundsAmong(ctx, invoice, listed.value) }
    : listed
}

/** All pull payments of the store, newest first. */
export const pullPaymentsOf = (ctx: BtcpayContext): Promise<ServerRead<PullPayment[]>> =>
  read(ctx, findPullPayments(ctx.config.storeId), (body) => listIn(body, pullPaymentIn))

export const refundsAmong = (
  ctx: BtcpayContext,
  invoice: Invoice,
  pulls: readonly PullPayment[],
): Promise<Claimable[]> =>
  Promise.all(pulls.filter((pull) => isRefundOf(invoice, pull)).map((pull) => withPayouts(ctx, pull))).then(
    (found) => found.reverse(),
  )

/** All refunds that can be found. Without the list these are the ones whose ids we know. */
export async function foundRefunds(
  ctx: BtcpayContext,
  invoice: Invoice,
  handles: Handles,
): Promise<Claimable[]> {
  const known = knownRefunds(handles)
  const listed = await listedRefunds(ctx, invoice)
  if (listed.kind === 'read') return withoutTwins(listed.value, known)
  const found = await Promise.all(
    [...known.values()].map(async (id) => {
      const pull = await read(ctx, readPullPayment(id), pullPaymentIn)
      return pull.kind === 'read' ? [await withPayouts(ctx, pull.value)] : []
    }),
  )
  return found.flat()
}

/** Claims that cannot be read now count as none: the refund is then still open. */
async function withPayouts(ctx: BtcpayContext, pull: PullPayment): Promise<Claimable> {
  const payouts = await read(ctx, readPayouts(pull.id), (body) => listIn(body, payoutIn))
  return { pull, payouts: payouts.kind === 'read' ? payouts.value : [] }
}

/**
 * The methods that the invoice was paid by, so that the refund is claimed by the same: an on-chain claim of a
 * small Lightning payment would cost more than it returns. Absent: they are not known. `later`: the server
 * does not say its version now, and versions name the methods in different ways.
 */
export async function claimMethodsOf(
  ctx: BtcpayContext,
  invoice: Invoice,
): Promise<ClaimMethods | undefined | 'later'> {
  const methods = await paymentMethodsOf(ctx, invoice)
  const paidBy = methods.kind === 'read' ? payoutMethodsOf(methods.value) : []
  const [first] = paidBy
  if (first === undefined) return undefined
  const info = await read(ctx, readServerInfo, versionIn)
  if (info.kind !== 'read') return PASSES.has(info.why) ? 'later' : undefined
  return isAtLeast(info.value, SEVERAL_SINCE) ? { payoutMethods: paidBy } : { payoutMethodId: first }
}

/** Failures that pass by themselves. */
const PASSES: ReadonlySet<string> = new Set<(NotDone | Unknown)['why']>([
  ...(['not-sent', 'rate-limited', 'timeout', 'connection-lost', 'server-error'] as const),
])

/** Exchange rates of the invoice, if one of its refunds is in coins. */
export async function ratesFor(
  ctx: BtcpayContext,
  invoice: Invoice,
  found: readonly Claimable[],
): Promise<Rates> {
  if (found.every(({ pull }) => pull.currency === invoice.amount.currency)) return new Map()
  const methods = await paymentMethodsOf(ctx, invoice)
  if (methods.kind !== 'read') return new Map()
  return new Map(methods.value.map(({ currency, rate }) => [currency, rate]))
}

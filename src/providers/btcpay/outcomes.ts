import { type Money, money } from '../../base/money.ts'
import { unlistedOf } from '../enumerations.ts'
import { unreadable } from '../kit/reply.ts'
import type { Echo, Outcome, Snapshot, Stage } from '../outcome.ts'
import { ENUMERATIONS } from './enumerations.ts'
import type { RefundFound } from './refunds.ts'
import { handlesOf, type Invoice } from './wire.ts'

/** Pure: the state of an invoice as stage, outcome and snapshot. */

/** Everything that was read about one invoice. */
export interface InvoiceView {
  readonly invoice: Invoice
  /** Every payment has its confirmations. Only read for an invoice that ended with money. */
  readonly allSettled?: boolean
  /** The status of each payment, where they were read. */
  readonly statuses?: readonly string[]
  readonly now: Date
}

export interface Verdict {
  readonly stage: Stage
  /** Money that the merchant has. Less than the amount only if the stage is `declined`. */
  readonly capturedMinor: bigint
  /** The part that has arrived on a page that is over, while the rest can still come. */
  readonly receivedMinor?: bigint
  readonly decline?: NonNullable<Snapshot['decline']>
}

/** An invoice that ended without being settled, but with money: its payments must be read too. */
export const hasLostMoney = ({ status, paidMinor }: Invoice): boolean =>
  (status === 'Expired' || status === 'Invalid') && paidMinor > 0n

export function verdictOn(view: InvoiceView): Verdict {
  const { invoice } = view
  switch (invoice.status) {
    case 'New':
      return { stage: 'needs-customer', capturedMinor: 0n }
    case 'Settled':
      // Also with a tolerance of the store, or marked by hand: the merchant counts it as paid.
      return { stage: 'captured', capturedMinor: invoice.amount.minor }
    case 'Expired':
    case 'Invalid':
      return hasLostMoney(invoice) ? endedWithMoney(view) : endedUnpaid(invoice)
    default:
      // Processing, or a status that is not listed: it is counted, and neither pays nor ends the payment.
      return { stage: 'processing', capturedMinor: 0n }
  }
}

function endedUnpaid(invoice: Invoice): Verdict {
  if (invoice.status === 'Expired') return { stage: 'expired', capturedMinor: 0n }
  if (invoice.additional === 'Marked') return { stage: 'cancelled', capturedMinor: 0n }
  return { stage: 'declined', capturedMinor: 0n, decline: declineOf(invoice, 'generic') }
}

/** The server still looks for coins that are sent to the invoice. */
const isWatched = ({ invoice: { monitoredUntil }, now }: InvoiceView): boolean =>
  monitoredUntil !== undefined && now < monitoredUntil

/** A part was paid in time. The customer can send the rest, until the server stops watching or we end it. */
export const awaitsRest = (view: InvoiceView): boolean => {
  const { status, paidMinor, amount } = view.invoice
  return status === 'Expired' && paidMinor > 0n && paidMinor < amount.minor && isWatched(view)
}

/** Paid late, in part, or after it was cancelled. Only confirmed money counts. */
function endedWithMoney(view: InvoiceView): Verdict {
  const { invoice, allSettled } = view
  const { paidMinor, amount } = invoice
  if (awaitsRest(view)) return { stage: 'needs-customer', capturedMinor: 0n, receivedMinor: paidMinor }
  if (allSettled) {
    if (paidMinor >= amount.minor) return { stage: 'captured', capturedMinor: amount.minor }
    return { stage: 'declined', capturedMinor: paidMinor, decline: declineOf(invoice, 'underpaid') }
  }
  if (isWatched(view)) return { stage: 'processing', capturedMinor: 0n }
  return { stage: 'declined', capturedMinor: 0n, decline: declineOf(invoice, 'generic') }
}

const declineOf = ({ status, additional }: Invoice, reason: 'generic' | 'underpaid') => ({
  reason,
  retry: 'after-customer-acts' as const,
  raw: { code: additional === 'None' ? status : `${status} ${additional}` },
})

const CRYPTO = { method: 'Crypto' } as const

const echoOf = ({ orderId, amount }: Invoice): Echo => ({
  ...(orderId ? { reference: orderId } : {}),
  amount,
})

/** The outcome of opening an invoice, new or found again. */
export function startOutcome(view: InvoiceView): Outcome {
  const { invoice } = view
  const handles = handlesOf(invoice)
  const echo = echoOf(invoice)
  const { stage, decline, capturedMinor } = verdictOn(view)
  switch (stage) {
    case 'needs-customer': {
      const { checkoutLink: url } = invoice
      const expiresAt = awaitsRest(view) ? invoice.monitoredUntil : invoice.expiresAt
      if (!url) return unreadable()
      return { kind: 'redirect', handles, url, echo, ...(expiresAt ? { expiresAt } : {}) }
    }
    case 'captured':
      return { kind: 'approved', handles, stage, facts: CRYPTO, echo }
    case 'processing':
      return { kind: 'pending', handles, waitsFor: 'confirmations', facts: CRYPTO, echo }
    case 'expired':
    case 'cancelled': {
      const reason = stage === 'expired' ? 'expired' : 'customer-cancelled'
      return {
        kind: 'declined',
        handles,
        reason,
        retry: 'after-customer-acts',
        raw: { code: invoice.status },
      }
    }
    default:
      // A part was paid. The next read ends the attempt and gives the part back.
      if (capturedMinor > 0n)
        return { kind: 'pending', handles, waitsFor: 'confirmations', facts: CRYPTO, echo }
      return { kind: 'declined', handles, ...(decline ?? declineOf(invoice, 'generic')) }
  }
}

const OVER: readonly Stage[] = ['cancelled', 'declined', 'expired']

/** Coins may be sent to the invoice after its end; the server looks for them until then. */
export const watchedUntil = ({ invoice: { monitoredUntil }, now }: InvoiceView): { openUntil?: Date } =>
  monitoredUntil !== undefined && monitoredUntil > now ? { openUntil: monitoredUntil } : {}

export function snapshotOf(view: InvoiceView, refunds: readonly RefundFound[]): Snapshot {
  const { invoice } = view
  const { stage, capturedMinor, receivedMinor, decline } = verdictOn(view)
  const unlisted = unlistedIn(view)
  const of = (minor: bigint): Money => money(minor, invoice.amount.currency)
  const doneMinor = refunds
    .filter(({ seen }) => seen.state === 'done')
    .reduce((sum, { seen }) => sum + seen.amount.minor, 0n)
  const claims = refunds.flatMap(({ seen, handle }) => (handle ? [[handle, seen.id]] : []))
  return {
    kind: 'snapshot',
    handles: { ...handlesOf(invoice), ...Object.fromEntries(claims) },
    stage,
    captured: of(capturedMinor),
    refunded: of(doneMinor < capturedMinor ? doneMinor : capturedMinor),
    refunds: refunds.map(({ seen }) => seen),
    ...(decline ? { decline } : {}),
    ...(receivedMinor === undefined ? {} : { received: of(receivedMinor) }),
    ...(OVER.includes(stage) || receivedMinor !== undefined ? watchedUntil(view) : {}),
    ...(stage === 'needs-customer' && invoice.checkoutLink ? { customerUrl: invoice.checkoutLink } : {}),
    facts: CRYPTO,
    ...(invoice.orderId ? { reference: invoice.orderId } : {}),
    ...(unlisted.length > 0 ? { unlisted } : {}),
  }
}

/** Values that the enumerations do not have. */
const unlistedIn = ({ invoice, statuses = [] }: InvoiceView): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['invoice status', invoice.status],
    ['additional status', invoice.additional],
    ...statuses.map((status) => ['payment status', status] as const),
  ])

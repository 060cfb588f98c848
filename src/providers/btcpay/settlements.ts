import { fileProblem } from '../../base/files/file-problem.ts'
import { money } from '../../base/money.ts'
import { numberAt, present } from '../kit/json.ts'
import { cursorIn, cursorText } from '../kit/settled.ts'
import type { NotDone, RefundSeen, Unknown } from '../outcome.ts'
import type { Settlements } from '../port.ts'
import type { SettledLine, SettledPage, SettlementWindow } from '../settlement.ts'
import { listInvoices, SETTLED_PAGE } from './calls.ts'
import type { BtcpaySettings } from './manifest.ts'
import { type InvoiceView, verdictOn } from './outcomes.ts'
import { type Claimable, type Rates, refundsOf } from './refunds.ts'
import {
  type BtcpayContext,
  pullPaymentsOf,
  ratesFor,
  read as readServer,
  refundsAmong,
  viewOf,
} from './server.ts'
import { type Invoice, invoiceIn, listIn, type PullPayment } from './wire.ts'

/**
 * Settled money by the server's own invoices and refunds: coins are the merchant's at once, so there are no
 * payouts. Amounts are in the currency of the invoice, at the rate of its payment. Decision 0161.
 */
export const settlements: Settlements<BtcpaySettings> = {
  usualDelayDays: 1,
  // An invoice is listed by the day on which it was made. It may be paid late, and refunded later.
  overlapDays: 30,
  maxWindowDays: 31,
  hasFees: false,
  hasPayouts: false,
  read,
}

type Page = SettledPage | NotDone | Unknown

async function read(ctx: BtcpayContext, window: SettlementWindow, cursor: string | undefined): Promise<Page> {
  const skip = numberAt(cursorIn(cursor), 'skip') ?? 0
  const listed = await readServer(ctx, listInvoices(ctx.config.storeId, window, skip), (body) =>
    Array.isArray(body) ? { count: body.length, invoices: listIn(body, invoiceIn) ?? [] } : undefined,
  )
  if (listed.kind !== 'read') return listed
  const { count, invoices } = listed.value
  // Only a key that may list refunds can tell them; without one their lines would be missing.
  const pulls = await pullPaymentsOf(ctx)
  if (pulls.kind !== 'read') return pulls
  const lines: SettledLine[] = []
  for (const invoice of invoices) {
    const found = await linesAbout(ctx, invoice, pulls.value)
    if ('kind' in found) return found
    lines.push(...found)
  }
  const next = count < SETTLED_PAGE ? {} : { next: cursorText({ skip: skip + count }) }
  const bad = count - invoices.length
  return {
    ...{ kind: 'page', lines, payouts: [] },
    bad:
      bad === 0
        ? []
        : [{ row: `${skip + 1}–${skip + count}`, problem: fileProblem('invoices', { count: bad }) }],
    ...next,
  }
}

type Found = readonly SettledLine[] | NotDone | Unknown

async function linesAbout(
  ctx: BtcpayContext,
  invoice: Invoice,
  pulls: readonly PullPayment[],
): Promise<Found> {
  const view = await viewOf(ctx, invoice)
  if (view.kind !== 'read') return view
  const claimed = await refundsAmong(ctx, invoice, pulls)
  return linesOf(view.value, claimed, await ratesFor(ctx, invoice, claimed))
}

// ---- pure -------------------------------------------------------------------------------------------------

/** The payment of an invoice, and the refunds that the customer has claimed. */
export function linesOf(view: InvoiceView, claimed: readonly Claimable[], rates: Rates): SettledLine[] {
  const { invoice } = view
  const { id, amount, orderId, createdTime, status, additional } = invoice
  const { capturedMinor } = verdictOn(view)
  if (capturedMinor === 0n) return []
  const sale: SettledLine = {
    ...{ id, kind: 'sale', ids: [id], gross: money(capturedMinor, amount.currency) },
    time: new Date(createdTime),
    raw: JSON.stringify({ id, status, additional }),
    ...present({ reference: orderId }),
  }
  const refunds = refundsOf(invoice, claimed, rates).map(({ seen }) => seen)
  return [sale, ...refunds.filter(({ state }) => state === 'done').map(refundLine)]

  function refundLine(seen: RefundSeen): SettledLine {
    const payouts = claimed.find(({ pull }) => pull.id === seen.id)?.payouts ?? []
    const times = payouts.map(({ time }) => time?.getTime() ?? createdTime)
    return {
      ...{ id: `${id}/${seen.id}`, kind: 'refund', ids: [seen.id, id] },
      gross: money(-seen.amount.minor, seen.amount.currency),
      time: new Date(Math.max(createdTime, ...times)),
      raw: JSON.stringify({ id: seen.id, invoice: id }),
      ...present({ reference: seen.operationKey }),
    }
  }
}

import { after, DAY } from '../../base/clock.ts'
import type { Handles, ReadOutcome, Snapshot } from '../outcome.ts'
import type { ProviderAdapter } from '../port.ts'
import { check, connect } from './connect.ts'
import type { AuthorizeNetContext } from './exchange.ts'
import { extrasOf } from './find.ts'
import { type AuthorizeNetSettings, manifest } from './manifest.ts'
import { receive } from './receive.ts'
import { refund, refundsOf } from './refunds.ts'
import { settlements } from './settlements.ts'
import { extraOf, pageSnapshot, snapshotOf, standingOf } from './snapshot.ts'
import { cancel, capture, charge, openedAt, pageEnd, paymentOf, resume, start } from './steps.ts'
import { forget, readStored, storeAfterPayment } from './store.ts'
import { isId, type TransactionDetails } from './wire.ts'

/**
 * Authorize.Net. It has no idempotency keys: what may have been sent is looked for by its invoice number
 * before it is sent again. See docs/decisions/0119-authorize-net.md.
 */
export const authorizeNet: ProviderAdapter<AuthorizeNetSettings> = {
  manifest,
  check,
  connect,
  connectHelp:
    'In the Merchant Interface under Account, Settings, Webhooks: add an endpoint with this address and ' +
    'all payment events.',
  start,
  resume,
  charge,
  capture,
  cancel,
  refund,
  retrieve,
  storeAfterPayment,
  forget,
  readStored,
  receive,
  settlements,
}

async function retrieve(
  ctx: AuthorizeNetContext,
  reference: string,
  handles: Handles,
  about?: { readonly currency: string },
): Promise<ReadOutcome> {
  if (about === undefined) return { kind: 'unreadable' }
  const { currency } = about
  const { payment } = handles
  const end = pageEnd(handles)
  const found = await paymentOf(ctx, { reference }, handles, currency)
  // A transaction that we know by its id exists: an answer without it proves nothing.
  if (found.kind !== 'read')
    return found.kind === 'not-done' && found.why === 'not-found'
      ? { kind: 'absent', conclusive: false }
      : found
  const one = found.value
  // On its page the customer can try again after a decline.
  const isTry = one !== undefined && !isId(payment) && standingOf(one) === 'declined'
  if (end !== undefined && (one === undefined || isTry))
    return pageSnapshot(currency, ctx.now() >= end, isTry ? one : undefined)
  // Without a page that someone could pay on, a payment that is not listed was never made.
  if (one === undefined) return { kind: 'absent', conclusive: true }
  const refunds = await refundsOf(ctx, one, handles)
  if (refunds.kind !== 'read') return refunds
  const seen = snapshotOf(one, handles, refunds.value)
  if (end === undefined)
    return isId(handles.extra) ? withExtras(ctx, seen, one, { reference, handles }) : seen
  const isRecent = ctx.now() < after(end, LISTED_MS)
  // No one has looked at the page before its end: what was paid there may be settled by now.
  const isLate = !isId(payment) && ctx.now() >= end
  const shown = ctx.now() < end ? { ...seen, openUntil: end } : seen
  if (!isRecent && !isLate && !isId(handles.extra)) return shown
  const since = isLate ? { since: openedAt(ctx, handles) } : {}
  return withExtras(ctx, shown, one, { reference, handles, ...since })
}

/** What is paid on a page is listed as not settled for about a day. */
const LISTED_MS = 2 * DAY

async function withExtras(
  ctx: AuthorizeNetContext,
  seen: Snapshot,
  one: TransactionDetails,
  about: { readonly reference: string; readonly handles: Handles; readonly since?: Date },
): Promise<Snapshot> {
  const { reference, handles, since } = about
  const extras = await extrasOf(ctx, one, { reference, named: handles.extra, since })
  // What counts is known all the same.
  if (extras.kind !== 'read') return { ...seen, isIncomplete: true }
  return extras.value.length > 0 ? { ...seen, extra: extras.value.map(extraOf) } : seen
}

import type { Dispute, Sight, Snapshot } from '../outcome.ts'
import { callApi, type PaypalContext } from './api.ts'
import { moneyIn } from './money.ts'
import { readAs } from './outcomes.ts'
import { isTaken } from './snapshot.ts'
import { dateOf, listOf, memberOf, type PaypalCapture, textOf } from './wire.ts'

/** Disputes are not part of an order: they are found by the id of the capture. */

const DISPUTES = '/v1/customer/disputes'

/** Adds the newest dispute. If PayPal does not say whether there is one, nothing is known. */
export async function withDispute(
  ctx: PaypalContext,
  seen: Snapshot,
  captures: readonly PaypalCapture[],
): Promise<Sight> {
  for (const { id } of captures.filter(isTaken)) {
    const path = `${DISPUTES}?disputed_transaction_id=${encodeURIComponent(id)}`
    const read = readAs(await callApi(ctx, { method: 'GET', path }), newestIn)
    // The REST app may lack the permission for disputes.
    if (read.kind === 'not-done' && (read.why === 'bad-credentials' || read.why === 'not-found')) continue
    if (read.kind !== 'read') return { kind: 'unknown', why: 'server-error' }
    if (read.value.id === undefined) continue
    const dispute = await readDispute(ctx, read.value.id)
    return dispute.kind === 'read'
      ? { ...seen, disputes: [dispute.value] }
      : { kind: 'unknown', why: 'server-error' }
  }
  return seen
}

const readDispute = async (ctx: PaypalContext, id: string) =>
  readAs(await callApi(ctx, { method: 'GET', path: `${DISPUTES}/${encodeURIComponent(id)}` }), (body) =>
    disputeIn(body, ctx.origin),
  )

/** The dispute that changed last. No dispute: an object without an id. */
function newestIn(body: unknown): { id?: string } | undefined {
  const items = listOf(memberOf(body, 'items'))
  if (!items) return undefined
  const when = (item: unknown): number => dateOf(memberOf(item, 'update_time'))?.getTime() ?? 0
  const [newest] = items.toSorted((one, other) => when(other) - when(one))
  const id = textOf(memberOf(newest, 'dispute_id'))
  return id === undefined ? {} : { id }
}

const OUTCOMES: Readonly<Record<string, Dispute['state']>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
}

/** A resolved dispute with an outcome that is not listed stays open, so that a person looks at it. */
function disputeIn(body: unknown, origin: string): Dispute | undefined {
  const id = textOf(memberOf(body, 'dispute_id'))
  const status = textOf(memberOf(body, 'status'))
  if (id === undefined || status === undefined) return undefined
  const code = textOf(memberOf(memberOf(body, 'dispute_outcome'), 'outcome_code'))
  const amount = moneyIn(memberOf(body, 'dispute_amount'))
  const reason = textOf(memberOf(body, 'reason'))
  const due = dateOf(memberOf(body, 'seller_response_due_date'))
  const pages = /^https:\/\/api-m\.paypal\.com$/.test(origin) ? 'www.paypal.com' : 'www.sandbox.paypal.com'
  return {
    id,
    state: status === 'RESOLVED' ? (OUTCOMES[code ?? ''] ?? 'open') : 'open',
    url: `https://${pages}/resolutioncenter/view/${encodeURIComponent(id)}`,
    ...(amount ? { amount } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(due ? { evidenceDue: due } : {}),
  }
}

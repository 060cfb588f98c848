import { after, HOUR } from '../../../base/clock.ts'
import { type Money, money } from '../../../base/money.ts'
import { parseUrl } from '../../../base/text.ts'
import { unlistedOf } from '../../enumerations.ts'
import { itemsAt, textAt, timeAt, valueAt } from '../../kit/json.ts'
import type { Declined, Dispute, Handles, NotDone, Snapshot, Unknown } from '../../outcome.ts'
import { callApi, type PaypalContext } from '../api.ts'
import { ENUMERATIONS } from '../enumerations.ts'
import { moneyIn, sum } from '../money.ts'
import { readAs } from '../outcomes.ts'
import { isComplained, isRefused, reversedIn } from '../snapshot.ts'
import { linkIn, type PaypalCapture, type PaypalOrder } from '../wire.ts'

/**
 * Disputes are not part of an order: they are found by the id of each capture. A capture that is pending
 * because of a complaint is disputed, whether or not the REST app may read disputes.
 */
export async function withDisputes(
  ctx: PaypalContext,
  order: PaypalOrder,
  seen: Snapshot,
  known: Handles,
): Promise<Snapshot> {
  const asked = order.captures.filter((one) => !isRefused(one))
  const { found, isIncomplete } = await findDisputes(ctx, asked)
  const named = found.map((one) => ({ ...one, dispute: disputeIn(one, order, ctx.origin) }))
  const isNamed = ({ id }: PaypalCapture) => named.some(({ captures }) => captures.includes(id))
  const complaints = asked.flatMap((one) => complaintOf(one, order, { known, isNamed: isNamed(one) }))
  const disputes = [...named.map(({ dispute }) => dispute), ...complaints]
  const ids = complaints.filter(({ state }) => state === 'open').map(({ id }) => id)
  const unlisted = [...(seen.unlisted ?? []), ...found.flatMap(unlistedIn)]
  return {
    ...seen,
    handles: { ...seen.handles, ...(ids.length > 0 ? { complaint: ids.join(',') } : {}) },
    refunded: withoutDisputed(seen.refunded, order, { found, disputes, isIncomplete }),
    ...(disputes.length > 0 ? { disputes } : {}),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(isIncomplete ? { isIncomplete } : {}),
  }
}

// ---- reading ----------------------------------------------------------------------------------------------

const DISPUTES = '/v1/customer/disputes'
const MAX_PAGES = 5

/** A dispute as PayPal shows it, and the ids of the captures that it is about. */
interface Found {
  readonly id: string
  readonly captures: readonly string[]
  readonly body: unknown
}

interface Findings {
  readonly found: readonly Found[]
  /** PayPal did not answer everything. */
  readonly isIncomplete: boolean
}

async function findDisputes(ctx: PaypalContext, captures: readonly PaypalCapture[]): Promise<Findings> {
  const listed = new Map<string, { captures: string[]; body: unknown }>()
  let isIncomplete = false
  for (const capture of captures) {
    const { items, isWhole } = await listDisputes(ctx, capture.id)
    isIncomplete ||= !isWhole
    for (const body of items) {
      const id = textAt(body, 'dispute_id')
      if (id !== undefined)
        listed.set(id, { captures: [...(listed.get(id)?.captures ?? []), capture.id], body })
    }
  }
  const found: Found[] = []
  for (const [id, one] of listed) {
    const path = `${DISPUTES}/${encodeURIComponent(id)}`
    const read = readAs(await callApi(ctx, { method: 'GET', path }), (body) =>
      isDispute(body, id) ? body : undefined,
    )
    isIncomplete ||= read.kind !== 'read' && !isForbidden(read)
    // The list has neither outcome nor deadline, but says that a dispute is open.
    if (read.kind === 'read') found.push({ ...one, id, body: read.value })
    else if (textAt(one.body, 'status') !== 'RESOLVED') found.push({ ...one, id })
  }
  return { found, isIncomplete }
}

const isDispute = (body: unknown, id: string): boolean =>
  textAt(body, 'dispute_id') === id && textAt(body, 'status') !== undefined

/** Every page of the list. `isWhole`: it was read to its end, or the REST app may not read disputes. */
async function listDisputes(ctx: PaypalContext, captureId: string) {
  const items: unknown[] = []
  let page: string | undefined
  for (let count = 0; count < MAX_PAGES; count++) {
    const query = new URLSearchParams({ disputed_transaction_id: captureId, page_size: '50' })
    if (page !== undefined) query.set('next_page_token', page)
    const reply = await callApi(ctx, { method: 'GET', path: `${DISPUTES}?${query}` })
    const read = readAs(reply, pageIn)
    if (read.kind !== 'read') return { items, isWhole: isForbidden(read) }
    items.push(...read.value.items)
    page = read.value.next
    if (page === undefined) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}

/** Without disputes PayPal may leave the list out. */
function pageIn(body: unknown): { items: readonly unknown[]; next?: string } | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const next = linkIn(body, 'next')
  const token = parseUrl(next ?? '')?.searchParams.get('next_page_token')
  return { items: itemsAt(body, 'items') ?? [], ...(token ? { next: token } : {}) }
}

/** The REST app may lack the permission for disputes. */
const isForbidden = (failed: Declined | NotDone | Unknown): boolean =>
  failed.kind === 'not-done' && (failed.why === 'bad-credentials' || failed.why === 'not-found')

// ---- pure -------------------------------------------------------------------------------------------------

/** `NONE`: it was closed without a decision, because there is another one about the transaction. */
const OUTCOMES: Readonly<Record<string, Dispute['state']>> = {
  ...{ RESOLVED_BUYER_FAVOUR: 'lost', ACCEPTED: 'lost' },
  ...{ RESOLVED_SELLER_FAVOUR: 'won', RESOLVED_WITH_PAYOUT: 'won', CANCELED_BY_BUYER: 'won' },
  ...{ DENIED: 'won', NONE: 'won' },
}

const outcomeIn = (body: unknown): string | undefined => textAt(body, 'dispute_outcome', 'outcome_code')

/** A resolved dispute with an outcome that is not listed stays open, so that a person looks at it. */
export function disputeIn(found: Found, order: PaypalOrder, origin: string): Dispute {
  const { id, body } = found
  const isResolved = textAt(body, 'status') === 'RESOLVED'
  const state = isResolved ? (OUTCOMES[outcomeIn(body) ?? ''] ?? 'open') : 'open'
  const amount = state === 'lost' ? lostIn(found, order) : moneyIn(valueAt(body, 'dispute_amount'))
  const reason = textAt(body, 'reason')
  const due = timeAt(body, 'seller_response_due_date')
  const isInquiry = textAt(body, 'dispute_life_cycle_stage') === 'INQUIRY'
  const pages = /^https:\/\/api-m\.paypal\.com$/.test(origin) ? 'www.paypal.com' : 'www.sandbox.paypal.com'
  return {
    ...{ id, state, url: `https://${pages}/resolutioncenter/view/${encodeURIComponent(id)}` },
    ...(amount ? { amount } : {}),
    ...(state === 'open' && isInquiry ? { isRefundable: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(due ? { evidenceDue: due } : {}),
  }
}

/** How long after its last change a dispute may still cause the refund that ends it. */
const SLACK_MS = HOUR

/**
 * What a lost dispute took back. A refund during the dispute is how the merchant or PayPal ended it: that
 * money is among the refunds already. Never more than is left of the captures.
 */
function lostIn({ captures, body }: Found, { captures: all, refunds, amount }: PaypalOrder): Money {
  const { currency } = amount
  const disputed = all.filter(({ id }) => captures.includes(id))
  const done = refunds.filter(
    ({ status, captureId }) => status === 'COMPLETED' && captures.includes(captureId ?? captures[0] ?? ''),
  )
  const since = timeAt(body, 'create_time')
  const until = timeAt(body, 'update_time')
  const during = done.filter(
    ({ createdAt }) =>
      createdAt && since && since <= createdAt && (!until || createdAt <= after(until, SLACK_MS)),
  )
  const total = (payments: readonly { readonly amount: Money }[]) =>
    sum(
      payments.map((one) => one.amount),
      currency,
    ).minor
  const left = total(disputed) - total(done)
  const named =
    moneyIn(valueAt(body, 'dispute_outcome', 'amount_refunded')) ?? moneyIn(valueAt(body, 'dispute_amount'))
  const taken = named?.currency === currency ? named.minor - total(during) : left
  return money(taken < 0n ? 0n : taken < left ? taken : left, currency)
}

/**
 * The dispute that a pending capture tells by its reason, if PayPal shows no dispute of the capture. Its id
 * is the capture's. Once it was reported, the later status of the capture tells how it ended.
 */
function complaintOf(
  capture: PaypalCapture,
  order: PaypalOrder,
  { known, isNamed }: { readonly known: Handles; readonly isNamed: boolean },
): Dispute[] {
  const { id, amount, reason } = capture
  if (isComplained(capture) && !isNamed)
    return [{ id, state: 'open', amount, ...(reason === undefined ? {} : { reason }) }]
  if (!known.complaint?.split(',').includes(id)) return []
  const isLost = !isNamed && reversedIn(order).includes(capture)
  return [{ id, state: isLost ? 'lost' : 'won', amount }]
}

interface Judged extends Findings {
  readonly disputes: readonly Dispute[]
}

/** What PayPal took back for a dispute is the dispute's, and not a refund. */
function withoutDisputed(
  refunded: Money,
  order: PaypalOrder,
  { found, disputes, isIncomplete }: Judged,
): Money {
  const counts = new Set(disputes.filter(({ state }) => state !== 'won').map(({ id }) => id))
  const isOpen = new Set(disputes.filter(({ state }) => state === 'open').map(({ id }) => id))
  let minor = refunded.minor
  for (const capture of reversedIn(order)) {
    const about = found.filter(({ captures }) => captures.includes(capture.id)).map(({ id }) => id)
    const ids = [...about, capture.id].filter((id) => counts.has(id))
    const lost = disputes.filter(({ id, state }) => state === 'lost' && ids.includes(id))
    const taken = lost.reduce((total, { amount }) => total + (amount?.minor ?? 0n), 0n)
    // While it is open, or not known, the money counts as held.
    if (isIncomplete || ids.some((id) => isOpen.has(id))) minor -= capture.amount.minor
    else minor -= taken < capture.amount.minor ? taken : capture.amount.minor
  }
  return money(minor < 0n ? 0n : minor, refunded.currency)
}

const unlistedIn = ({ body }: Found): string[] =>
  unlistedOf(ENUMERATIONS, [
    ['disputeStatus', textAt(body, 'status')],
    ['disputeStage', textAt(body, 'dispute_life_cycle_stage')],
    ['disputeOutcome', outcomeIn(body)],
  ])

import { type Answer, at, type Call, error, ID, missing, ok, type Route } from './route.ts'
import { type Amount, iso, newId, type State } from './state.ts'

/** Payouts: what was completed a day ago or earlier is paid out, with its fees. */

const DAY = 86_400_000

interface Entry {
  /** What it is about, so that it is paid out once. */
  readonly about: string
  readonly at: number
  readonly type: 'CHARGE' | 'REFUND' | 'DISPUTE'
  readonly gross: Amount
  readonly fee: number
  readonly details: object
}

export interface Payout {
  readonly id: string
  readonly createdAt: number
  readonly amount: Amount
  readonly entries: readonly (Entry & { readonly id: string })[]
}

export function payOutDue(state: State): void {
  const paid = new Set(state.payouts.flatMap(({ entries }) => entries.map(({ about }) => about)))
  const due = movedOf(state).filter(({ about, at: time }) => !paid.has(about) && time + DAY <= state.now())
  for (const currency of new Set(due.map(({ gross }) => gross.currency))) {
    const entries = due.filter(({ gross }) => gross.currency === currency)
    const amount = entries.reduce((sum, { gross, fee }) => sum + gross.amount - fee, 0)
    if (amount === 0) continue
    state.payouts.push({
      ...{ id: `po_${newId(20)}`, createdAt: state.now(), amount: { amount, currency } },
      entries: entries.map((entry) => ({ ...entry, id: `poe_${newId(20)}` })),
    })
  }
}

/** Everything that changed the balance. */
function movedOf(state: State): Entry[] {
  const charges = [...state.payments.values()].flatMap(({ id, amount, completedAt, fee }): Entry[] =>
    completedAt === undefined || fee === undefined
      ? []
      : [
          {
            ...{ about: id, at: completedAt, type: 'CHARGE', gross: amount, fee },
            details: { type_charge_details: { payment_id: id } },
          },
        ],
  )
  const refunds = [...state.refunds.values()]
    .filter(({ status }) => status === 'COMPLETED')
    .map(
      ({ id, payment, amount, createdAt }): Entry => ({
        ...{ about: id, at: createdAt, type: 'REFUND', gross: { ...amount, amount: -amount.amount }, fee: 0 },
        details: { type_refund_details: { payment_id: payment.id, refund_id: id } },
      }),
    )
  return [...charges, ...refunds, ...state.disputes.flatMap(disputed)]
}

/** A dispute takes its amount when it is opened, and gives it back when it is won. */
function disputed({ id, payment, amount, state, createdAt, updatedAt }: State['disputes'][number]): Entry[] {
  if (state.startsWith('INQUIRY')) return []
  const details = { type_dispute_details: { payment_id: payment.id, dispute_id: id } }
  const entry = { type: 'DISPUTE', fee: 0, details } as const
  const taken = {
    ...entry,
    about: `${id} taken`,
    at: createdAt,
    gross: { ...amount, amount: -amount.amount },
  }
  return state === 'WON' ? [taken, { ...entry, about: `${id} back`, at: updatedAt, gross: amount }] : [taken]
}

const payoutView = (state: State, { id, createdAt, amount, entries }: Payout): object => ({
  ...{ id, status: 'PAID', location_id: state.location, created_at: iso(createdAt), amount_money: amount },
  ...{
    updated_at: iso(createdAt),
    version: 1,
    type: 'BATCH',
    arrival_date: iso(createdAt + DAY).slice(0, 10),
  },
  ...{ destination: { type: 'BANK_ACCOUNT', id: 'bact:simulated' }, end_to_end_id: `L${entries.length}` },
})

const entryView = (
  payout: string,
  { id, at: time, type, gross, fee, details }: Payout['entries'][number],
) => ({
  ...{ id, payout_id: payout, effective_at: iso(time), type, gross_amount_money: gross },
  ...{ fee_amount_money: { ...gross, amount: fee } },
  net_amount_money: { ...gross, amount: gross.amount - fee },
  ...details,
})

/** A page of a list, and the cursor of the next one. */
function paged<T>(items: readonly T[], query: URLSearchParams, largest: number) {
  const limit = Math.min(Number(query.get('limit') ?? largest), largest)
  const start = Number(query.get('cursor') ?? 0)
  const end = start + limit
  return { page: items.slice(start, end), ...(end < items.length ? { cursor: String(end) } : {}) }
}

function listPayouts({ state, query }: Call): Answer {
  if (query.get('location_id') !== state.location) return error(400, 'INVALID_LOCATION')
  const [from, until] = ['begin_time', 'end_time'].map((name) => Date.parse(query.get(name) ?? ''))
  const found = state.payouts.filter(
    ({ createdAt }) => createdAt >= (from || 0) && createdAt < (until || Infinity),
  )
  const { page, ...more } = paged(found, query, 100)
  return ok({ payouts: page.map((one) => payoutView(state, one)), ...more })
}

function listEntries({ state, id, query }: Call): Answer {
  const payout = state.payouts.find((one) => one.id === id)
  if (!payout) return missing('The payout')
  const { page, ...more } = paged(payout.entries, query, 100)
  return ok({ payout_entries: page.map((entry) => entryView(id, entry)), ...more })
}

const PAGE = { cursor: /^\d{1,9}$/, limit: /^(?:[1-9]\d?|100)$/, sort_order: /^(?:ASC|DESC)$/ }
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export const PAYOUT_ROUTES: readonly Route[] = [
  {
    ...{ method: 'GET', operation: 'read', pattern: at('/payouts'), run: listPayouts },
    query: { ...PAGE, location_id: /^\w+$/, begin_time: TIME, end_time: TIME },
  },
  {
    ...{ method: 'GET', operation: 'read', pattern: at(`/payouts/${ID}/payout-entries`), run: listEntries },
    query: PAGE,
  },
]

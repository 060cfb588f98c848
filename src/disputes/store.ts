import { type Queryable, sql } from '../db/database.ts'
import type { DisputeState, DisputeTotal, ListedDispute } from './dispute.ts'

/** A place in the list; a page begins after it. */
export interface DisputePlace {
  readonly group: number
  readonly at: number
  readonly paymentId: number
  readonly disputeId: string
}

const inMs = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`

/** Open ones by deadline, the nearest first; then other open ones; then decided ones, the newest first. */
const GROUP = `case when d.state <> 'open' then 2 when d.due_time is null then 1 else 0 end`
const AT = `case when d.state <> 'open' then - ${inMs('d.opened_time')}
  when d.due_time is null then ${inMs('d.opened_time')} else ${inMs('d.due_time')} end`

const COLUMNS = `d.payment_id, d.dispute_id, d.state, d.amount_minor, d.currency, d.profile_id, d.reason,
  d.due_time, d.url, d.opened_time, d.decided_time, p.reference_id, p.customer_id, a.state as answer,
  coalesce(a.sent_by, a.saved_by) as answered_by, coalesce(a.sent_time, a.saved_time) as answered_time`

/** Looked up row by row: a join might read all payments of the app. */
const JOINED = `cross join lateral (
    select reference_id, customer_id from payments
    where app_id = d.app_id and payment_id = d.payment_id offset 0) p
  left join dispute_answers a
    on a.app_id = d.app_id and a.payment_id = d.payment_id and a.dispute_id = d.dispute_id`

const PAGE = sql<ListedDispute & { readonly place: DisputePlace }>(
  'disputes.page',
  `select ${COLUMNS}, d.place_group as "place.group", d.place_at as "place.at",
     d.payment_id as "place.payment_id", d.dispute_id as "place.dispute_id"
   from (
     select d.*, ${GROUP} as place_group, ${AT} as place_at from disputes d
     where d.app_id = $1 and ($2::text is null or d.state = $2)
       and ($3::integer is null
         or (${GROUP}, ${AT}, d.payment_id, d.dispute_id) > ($3, $4::bigint, $5::bigint, $6))
     order by place_group, place_at, d.payment_id, d.dispute_id limit $7) d ${JOINED}
   order by d.place_group, d.place_at, d.payment_id, d.dispute_id`,
)

interface PageWish {
  readonly state?: DisputeState | undefined
  readonly after?: DisputePlace | undefined
  readonly limit: number
}

/** A page of the disputes of an app. `next` is where the next one begins, if there is one. */
export async function pageOfDisputes(
  db: Queryable,
  appId: string,
  { state, after, limit }: PageWish,
): Promise<{ readonly items: readonly ListedDispute[]; readonly next: DisputePlace | undefined }> {
  const { group, at, paymentId, disputeId } = after ?? {}
  const values = [appId, state, group, at, paymentId, disputeId, limit + 1]
  const rows = await db.query(
    PAGE,
    values.map((value) => value ?? null),
  )
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? items.at(-1)?.place : undefined }
}

const FIND = sql<ListedDispute>(
  'disputes.find',
  `select ${COLUMNS} from disputes d ${JOINED} where d.app_id = $1 and d.dispute_id = $2
   order by d.payment_id desc limit 1`,
)

export const findDispute = async (
  db: Queryable,
  appId: string,
  disputeId: string,
): Promise<ListedDispute | undefined> => (await db.query(FIND, [appId, disputeId]))[0]

const SUMS = sql<DisputeTotal>(
  'disputes.sums',
  `select state, currency, count(*)::integer as count, sum(amount_minor)::bigint as sum_minor
   from disputes where app_id = $1 group by state, currency order by state, currency`,
)

export const sumsOfDisputes = (db: Queryable, appId: string): Promise<DisputeTotal[]> =>
  db.query(SUMS, [appId])

const COUNT_OPEN = sql<{ readonly count: number }>(
  'disputes.countOpen',
  `select count(*)::integer as count from (
     select from disputes where app_id = $1 and state = 'open' limit $2) open`,
)

export const countOpenDisputes = async (db: Queryable, appId: string, most: number): Promise<number> =>
  (await db.query(COUNT_OPEN, [appId, most]))[0]?.count ?? 0

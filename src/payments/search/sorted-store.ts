import { type Queryable, sql } from '../../db/database.ts'
import { type ListOrder, ORDERS } from './filter.ts'
import { RESIDUAL, RESIDUAL_END, type Residual, residualValues } from './residual-store.ts'
import { type Driver, limited, S_COLUMNS, SCANNED, summedRowsOf } from './rows-store.ts'
import {
  byDriver,
  currentOf,
  nameOf,
  type Scan,
  type SizedPayment,
  type Sums,
  scanValues,
  sumsOf,
  type TotalRow,
} from './store.ts'

/** Lists in another order than the newest first. */

/** ISO 8601. */
const TIME_TEXT = `to_char(s.created_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const BY_AMOUNT = {
  keys: ['s.amount'],
  at: (key: string) => [`${key}::numeric`],
  text: 's.amount::text',
} as const

/** Within a state by time, as the index is. */
const BY_STATE = {
  keys: ['s.state', 's.created_time'],
  at: (key: string) => [`split_part(${key}, ' ', 1)`, `split_part(${key}, ' ', 2)::timestamptz`],
  text: `s.state || ' ' || ${TIME_TEXT}`,
} as const

/** Each walks an index of payment_search, forwards or backwards. */
const WALKS: Readonly<Record<ListOrder, Walk>> = {
  oldest: {
    ...{ keys: ['s.created_time'], at: (key) => [`${key}::timestamptz`] },
    ...{ text: TIME_TEXT, direction: 'asc' },
  },
  largest: { ...BY_AMOUNT, direction: 'desc' },
  smallest: { ...BY_AMOUNT, direction: 'asc' },
  states: { ...BY_STATE, direction: 'asc' },
  statesBack: { ...BY_STATE, direction: 'desc' },
}

interface Walk {
  readonly keys: readonly string[]
  /** The keys of the position, from its text. */
  readonly at: (key: string) => readonly string[]
  /** The keys as the text of a position. */
  readonly text: string
  readonly direction: 'asc' | 'desc'
}

const orderBy = ({ keys, direction }: Walk): string =>
  `order by ${[...keys, 's.payment_id'].map((key) => `${key} ${direction}`).join(', ')}`

const isAfter = ({ keys, at, direction }: Walk, key = '$2::text', id = '$3'): string =>
  `(${keys.join(', ')}, s.payment_id) ${direction === 'asc' ? '>' : '<'}
     (${at(key).join(', ')}, ${id}::bigint)`

/** A place in such a list; a page begins after it. The key is a time, an amount, or a state and a time. */
export interface SortedPosition {
  readonly key: string
  readonly paymentId: number
}

const TO = `$${RESIDUAL_END}`
/** The order, and the key and the payment of the position. */
const [ORDER, KEY, PLACE] = [0, 1, 2].map((place) => `$${RESIDUAL_END + place}`) as [string, string, string]

/** Orders of what a scan has found. */
const RANKS: Readonly<Record<Rank, Walk>> = { ...WALKS, newest: { ...WALKS.oldest, direction: 'desc' } }
type Rank = ListOrder | 'newest'
const RANK_NAMES = [...ORDERS, 'newest'] as const

const isAfterIn = (order: Rank): string => isAfter(RANKS[order], `${KEY}::text`, PLACE)
const isAfterInOrder = `case ${ORDER}::text
      ${RANK_NAMES.map((order) => `when '${order}' then ${isAfterIn(order)}`).join('\n      ')} end`
const inOrder = `order by ${RANK_NAMES.flatMap((order) => {
  const { keys, direction } = RANKS[order]
  return [...keys, 's.payment_id'].map((key) => `case ${ORDER} when '${order}' then ${key} end ${direction}`)
}).join(',\n      ')}`

/**
 * Reads a whole scan once: its totals by currency, and the first payments after a position in an order. One
 * statement for all orders: a set is sorted, whatever the order. `$6` limit.
 */
const rankedText = (by: Driver['by'], isOne: boolean): string =>
  `with found as materialized (
     select s.currency, s.amount_minor, s.amount, s.state, s.created_time, s.payment_id,
       ${RESIDUAL} as is_match
     from (${summedRowsOf(by, isOne)}) s)
   (select s.currency, count(*)::integer as read, count(*) filter (where s.is_match)::integer as count,
      coalesce(sum(s.amount_minor) filter (where s.is_match), 0)::bigint as amount_minor, null as payment_id
    from found s group by s.currency order by 3 desc, s.currency)
   union all
   (select null, null, null, null, s.payment_id from found s where s.is_match and ${isAfterInOrder}
    ${inOrder} limit $6)`

const ranked = byDriver((by, isOne) =>
  sql<RankedRow>(`search.rankedBy${nameOf(by, isOne)}`, rankedText(by, isOne)),
)

/** The sum of a currency, or a payment. */
type RankedRow = { readonly [Name in keyof TotalRow]: TotalRow[Name] | null } & {
  readonly paymentId: number | null
}

/** `$1` app, `$2` and `$3` position, `$4` earliest time, `$5` ids or null, `$6` limit. */
function sortedText(order: ListOrder, isSet: boolean): string {
  const walk = WALKS[order]
  const sorted = orderBy(walk)
  const within = `s.created_time >= $4::timestamptz and s.created_time < ${TO}::timestamptz`
  const rows = isSet
    ? `select ${S_COLUMNS} from unnest($5::text[]::bigint[]) k (id) cross join lateral (
         select ${S_COLUMNS} from payment_search s where s.app_id = $1 and s.payment_id = k.id offset 0) s
       where ${isAfter(walk)} ${sorted}`
    : `select ${S_COLUMNS} from payment_search s where s.app_id = $1 and $5::text[] is null
         and ${isAfter(walk)} ${sorted} ${limited(SCANNED.one)}`
  const page = `select s.* from (${rows}) s where ${within} and ${RESIDUAL} ${sorted} limit $6`
  // The payment may have another state by now than the row that the position is of.
  return `select c.*, s.state as listed_state from (${currentOf(page, '')}) c
    join payment_search s on s.app_id = $1 and s.payment_id = c.payment_id ${sorted}`
}

/** The last of the rows that one statement walks. */
function placeText(order: ListOrder): string {
  const walk = WALKS[order]
  return `select ${walk.text} as key, s.payment_id from payment_search s
    where s.app_id = $1 and ${isAfter(walk)} ${orderBy(walk)} offset ${SCANNED.one - 1} limit 1`
}

const statementsOf = (order: ListOrder) => ({
  walk: sql<SortedPayment>(`search.${order}`, sortedText(order, false)),
  set: sql<SortedPayment>(`search.${order}OfSet`, sortedText(order, true)),
  place: sql<SortedPosition>(`search.${order}Place`, placeText(order)),
})

const STATEMENTS = Object.fromEntries(ORDERS.map((order) => [order, statementsOf(order)])) as Readonly<
  Record<ListOrder, ReturnType<typeof statementsOf>>
>

const FIRST: Readonly<Record<Rank, SortedPosition>> = {
  newest: { key: 'infinity', paymentId: 0 },
  oldest: { key: '-infinity', paymentId: 0 },
  largest: { key: 'infinity', paymentId: Number.MAX_SAFE_INTEGER },
  smallest: { key: '-infinity', paymentId: 0 },
  states: { key: ' -infinity', paymentId: 0 },
  // After every state.
  statesBack: { key: 'zz infinity', paymentId: Number.MAX_SAFE_INTEGER },
}

export interface SortedPayment extends SizedPayment {
  /** The state that the list has it under. */
  readonly listedState: string
}

export interface RankedPayments extends Sums {
  /** The first of those that match after the position, at most as many as asked for. */
  readonly ids: readonly string[]
}

/** What a scan sums up to, and its first payments in an order. If it is partial, so is the order. */
export async function rankPayments(
  db: Queryable,
  appId: string,
  walk: Scan,
  { order, after = FIRST[order], residual, limit }: Omit<SortedScan, 'ids' | 'order'> & { order: Rank },
): Promise<RankedPayments> {
  const values = [...scanValues(appId, walk), limit, ...residualValues(residual)]
  const rows = await db.query(ranked(walk.driver), [...values, order, after.key, after.paymentId])
  const isSum = (row: RankedRow): row is RankedRow & TotalRow => row.paymentId === null
  return {
    ...sumsOf(rows.filter(isSum).map(({ paymentId: _, ...sum }) => sum)),
    ids: rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [String(paymentId)])),
  }
}

export interface SortedScan {
  readonly order: ListOrder
  readonly after: SortedPosition | undefined
  /** Those to be read; undefined: the index is walked. */
  readonly ids: readonly string[] | undefined
  readonly residual: Residual
  readonly limit: number
}

/** The next rows in this order that meet the conditions. */
export async function selectSorted(
  db: Queryable,
  appId: string,
  { order, after = FIRST[order], ids, residual, limit }: SortedScan,
): Promise<SortedPayment[]> {
  const { from = '-infinity', to = 'infinity' } = residual
  const values = [
    appId,
    after.key,
    after.paymentId,
    from,
    ids ?? null,
    limit,
    ...residualValues(residual),
    to,
  ]
  return await db.query(STATEMENTS[order][ids ? 'set' : 'walk'], values)
}

/** Where the rows that one walk reads end; undefined when it has read all. */
export async function sortedPlace(
  db: Queryable,
  appId: string,
  { order, after = FIRST[order] }: Pick<SortedScan, 'order' | 'after'>,
): Promise<SortedPosition | undefined> {
  return (await db.query(STATEMENTS[order].place, [appId, after.key, after.paymentId]))[0]
}

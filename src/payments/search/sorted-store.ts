import { type Queryable, sql } from '../../db/database.ts'
import { type ListOrder, ORDERS } from './filter.ts'
import { RESIDUAL, RESIDUAL_END, type Residual, residualValues } from './residual-store.ts'
import { limited, S_COLUMNS, SCANNED } from './rows-store.ts'
import { currentOf, type SizedPayment } from './store.ts'

/** Lists in another order than the newest first. */

/** ISO 8601. */
const TIME_TEXT = `to_char(s.created_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Each walks an index of payment_search, forwards or backwards. */
const WALKS = {
  oldest: { key: 's.created_time', type: 'timestamptz', direction: 'asc', text: TIME_TEXT },
  largest: { key: 's.amount', type: 'numeric', direction: 'desc', text: 's.amount::text' },
  smallest: { key: 's.amount', type: 'numeric', direction: 'asc', text: 's.amount::text' },
} as const satisfies Record<ListOrder, object>

/** A place in such a list; a page begins after it. The key is a time in ISO 8601, or an amount. */
export interface SortedPosition {
  readonly key: string
  readonly paymentId: number
}

const TO = `$${RESIDUAL_END}`

/** `$1` app, `$2` and `$3` position, `$4` earliest time, `$5` ids or null, `$6` limit. */
function sortedText(order: ListOrder, isSet: boolean): string {
  const { key, type, direction } = WALKS[order]
  const isAfter = `(${key}, s.payment_id) ${direction === 'asc' ? '>' : '<'} ($2::${type}, $3::bigint)`
  const sorted = `order by ${key} ${direction}, s.payment_id ${direction}`
  const within = `s.created_time >= $4::timestamptz and s.created_time < ${TO}::timestamptz`
  const rows = isSet
    ? `select ${S_COLUMNS} from unnest($5::text[]::bigint[]) k (id) cross join lateral (
         select ${S_COLUMNS} from payment_search s where s.app_id = $1 and s.payment_id = k.id offset 0) s
       where ${isAfter} ${sorted}`
    : `select ${S_COLUMNS} from payment_search s where s.app_id = $1 and $5::text[] is null and ${isAfter}
       ${sorted} ${limited(SCANNED.one)}`
  return currentOf(
    `select s.* from (${rows}) s where ${within} and ${RESIDUAL} ${sorted} limit $6`,
    `order by ${key.replace('s.', 'm.')} ${direction}, m.payment_id ${direction}`,
  )
}

/** The last of the rows that one statement walks. */
function placeText(order: ListOrder): string {
  const { key, type, direction, text } = WALKS[order]
  const comparison = direction === 'asc' ? '>' : '<'
  return `select ${text} as key, s.payment_id from payment_search s
    where s.app_id = $1 and (${key}, s.payment_id) ${comparison} ($2::${type}, $3::bigint)
    order by ${key} ${direction}, s.payment_id ${direction} offset ${SCANNED.one - 1} limit 1`
}

const statementsOf = (order: ListOrder) => ({
  walk: sql<SizedPayment>(`search.${order}`, sortedText(order, false)),
  set: sql<SizedPayment>(`search.${order}OfSet`, sortedText(order, true)),
  place: sql<SortedPosition>(`search.${order}Place`, placeText(order)),
})

const STATEMENTS = Object.fromEntries(ORDERS.map((order) => [order, statementsOf(order)])) as Readonly<
  Record<ListOrder, ReturnType<typeof statementsOf>>
>

const FIRST: Readonly<Record<ListOrder, SortedPosition>> = {
  oldest: { key: '-infinity', paymentId: 0 },
  largest: { key: 'infinity', paymentId: Number.MAX_SAFE_INTEGER },
  smallest: { key: '-infinity', paymentId: 0 },
}

export interface SortedScan {
  readonly order: ListOrder
  readonly after: SortedPosition | undefined
  /** All that may match; undefined: too many, the index is walked. */
  readonly ids: readonly string[] | undefined
  readonly residual: Residual
  readonly limit: number
}

/** The next rows in this order that meet the conditions. */
export async function selectSorted(
  db: Queryable,
  appId: string,
  { order, after = FIRST[order], ids, residual, limit }: SortedScan,
): Promise<SizedPayment[]> {
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

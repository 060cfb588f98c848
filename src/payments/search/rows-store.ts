/** The rows that lists scan, as SQL. */

/** The rows that a list scans in order: those with one of these values of an indexed column, or all. */
export interface Driver {
  readonly by: Indexed | 'time' | 'ids'
  readonly values: readonly string[]
}

/** Columns with an index that ends in the order of lists. */
const INDEXED = {
  last4: ['last4', 'text'],
  order: ['order_id', 'text'],
  customer: ['customer_id', 'text'],
  reason: ['reason', 'text'],
  policy: ['policy_id', 'bigint'],
  profile: ['profile_id', 'bigint'],
  state: ['state', 'text'],
  currency: ['currency', 'text'],
} as const
export type Indexed = keyof typeof INDEXED
export const INDEXED_FIELDS = Object.keys(INDEXED) as Indexed[]

/** Rows that one statement reads at most, with one value and with several. */
export const SCANNED = { one: 10_000, several: 1_000 } as const
/**
 * The planner does not know the value of a subquery. A known limit above its estimate would make it read and
 * sort all rows of the app, instead of walking the index and stopping early.
 */
export const limited = (rows: number): string => `limit (select ${rows})`

export const scannedBy = ({ values }: Driver): number => (values.length > 1 ? SCANNED.several : SCANNED.one)

export const S_COLUMNS = `s.payment_id, s.version, s.state, s.flow, s.currency, s.amount, s.amount_minor,
  s.captured_minor, s.refunded_minor, s.profile_id, s.method, s.brand, s.last4, s.customer_id,
  s.reference_id, s.order_id, s.country, s.fraud_status, s.policy_id, s.reason, s.created_time`

/** `$1` app, `$2` and `$3` position, `$4` earliest time, `$5` values. */
const BELOW = `s.app_id = $1 and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
  and s.created_time >= $4::timestamptz`
const ORDER = 'order by s.created_time desc, s.payment_id desc'

/** The order of an index: by its column, of which a scan has one value, then by time. */
export const orderOf = (by: Driver['by'], isOne: boolean): string =>
  by === 'time' || by === 'ids' || !isOne
    ? ORDER
    : `order by s.${INDEXED[by][0]} desc, s.created_time desc, s.payment_id desc`

/**
 * The rows of one value, written as a range and not with `=`: then only the index of this column has their
 * order. With `=` the planner may as well scan all payments by time, and does so where the statistics know
 * one value only: a search for another one would read the whole app.
 */
function rowsOfValue(field: Indexed, value: string, limit: string, columns = S_COLUMNS): string {
  const [column] = INDEXED[field]
  return `select ${columns} from payment_search s
    where s.app_id = $1 and s.${column} is not null
      and (s.${column}, s.created_time, s.payment_id) < (${value}, $2::timestamptz, $3::bigint)
      and (s.${column}, s.created_time) >= (${value}, $4::timestamptz)
    ${orderOf(field, true)} ${limit}`
}

/** The newest rows of each value, then the newest of them. */
const rowsOfValues = (field: Indexed, limit: string, columns: string): string =>
  `select ${columns} from unnest($5::text[]::${INDEXED[field][1]}[]) v (value) cross join lateral (
     ${rowsOfValue(field, 'v.value', limited(SCANNED.several))}) s ${ORDER} ${limit}`

const rowsOfIds = (limit: string, columns: string): string =>
  `select ${columns} from unnest($5::text[]::bigint[]) k (id) cross join lateral (
     select ${S_COLUMNS} from payment_search s where ${BELOW} and s.payment_id = k.id offset 0) s
   ${ORDER} ${limit}`

/** The rows of a scan, in the order of `orderOf`. */
export function rowsOf(by: Driver['by'], isOne: boolean, columns = S_COLUMNS, limit?: string): string {
  if (by === 'ids') return rowsOfIds(limit ?? '', columns)
  if (by === 'time')
    // $5 is null; the comparison gives the parameter a type.
    return `select ${columns} from payment_search s where ${BELOW} and $5::text[] is null
      ${ORDER} ${limit ?? limited(SCANNED.one)}`
  return isOne
    ? rowsOfValue(by, `($5::text[])[1]::${INDEXED[by][1]}`, limit ?? limited(SCANNED.one), columns)
    : rowsOfValues(by, limit ?? limited(SCANNED.several), columns)
}

/** Rows that the totals of a list read at most. Decision 0235. */
export const MAX_SUMMED = 5_000

/** The rows of a scan for its totals, one more than are summed. Those of several values are in no order. */
export function summedRowsOf(by: Driver['by'], isOne: boolean, columns = S_COLUMNS): string {
  const limit = limited(MAX_SUMMED + 1)
  if (isOne || by === 'ids' || by === 'time') return rowsOf(by, isOne, columns, limit)
  return `select ${columns} from unnest($5::text[]::${INDEXED[by][1]}[]) v (value) cross join lateral (
     ${rowsOfValue(by, 'v.value', limit, columns)}) s ${limit}`
}

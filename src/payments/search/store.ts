import { type Queryable, type Statement, sql } from '../../db/database.ts'
import type { MethodKind } from '../../providers/outcome.ts'
import type { State } from '../machine.ts'
import type { Flow, FraudStatus, Payment } from '../payment.ts'
import type { ListedPayment } from './filter.ts'
import { RESIDUAL, type Residual, residualValues } from './residual-store.ts'

/** A place in a list from newest to oldest; a page begins after it. */
export interface Position {
  readonly time: Date
  readonly paymentId: number
}

/** The rows that a list walks in order: those with one of these values of an indexed column, or all. */
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
const SCANNED = { one: 10_000, several: 1_000 } as const
export const scannedBy = ({ values }: Driver): number => (values.length > 1 ? SCANNED.several : SCANNED.one)

const S_COLUMNS = `s.payment_id, s.version, s.state, s.flow, s.currency, s.amount, s.profile_id, s.method,
  s.brand, s.last4, s.customer_id, s.reference_id, s.order_id, s.country, s.fraud_status, s.policy_id,
  s.reason, s.created_time`

/** `$1` app, `$2` and `$3` position, `$4` earliest time. */
const BELOW = `s.app_id = $1 and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
  and s.created_time >= $4::timestamptz`
const ORDER = 'order by s.created_time desc, s.payment_id desc'

const oneValue = (condition: string, columns: string, limit: string): string =>
  `select ${columns} from payment_search s where ${BELOW}${condition} ${ORDER} ${limit}`

/** The newest rows of each value, then the newest of them. */
const severalValues = (field: Indexed, columns: string, limit: string): string => {
  const [column, type] = INDEXED[field]
  return `select ${columns} from unnest($5::text[]::${type}[]) v (value) cross join lateral (
      select ${S_COLUMNS} from payment_search s where ${BELOW} and s.${column} = v.value
      ${ORDER} limit ${SCANNED.several}) s ${ORDER} ${limit}`
}

/** `rows` of the walk, in the order of the list. */
function rowsOf(driver: Driver['by'], isOne: boolean, columns = S_COLUMNS, limit?: string): string {
  if (driver === 'ids')
    return `select ${columns} from unnest($5::text[]::bigint[]) k (id) cross join lateral (
      select ${S_COLUMNS} from payment_search s where s.app_id = $1 and s.payment_id = k.id
        and (s.created_time, s.payment_id) < ($2::timestamptz, $3::bigint)
        and s.created_time >= $4::timestamptz
      offset 0) s ${ORDER} ${limit ?? ''}`
  // Without a value $5 is null; the comparison gives the parameter a type.
  if (driver === 'time') return oneValue(' and $5::text[] is null', columns, limit ?? `limit ${SCANNED.one}`)
  const [column, type] = INDEXED[driver]
  return isOne
    ? oneValue(` and s.${column} = ($5::text[])[1]::${type}`, columns, limit ?? `limit ${SCANNED.one}`)
    : severalValues(driver, columns, limit ?? `limit ${SCANNED.several}`)
}

interface Row {
  payment_id: string
  is_changed: boolean
  state: State
  flow: Flow
  currency: string
  amount_minor: string
  captured_minor: string
  refunded_minor: string
  profile_id: string | null
  method: MethodKind | null
  brand: string | null
  last4: string | null
  customer_id: string
  reference_id: string
  order_id: string | null
  country: string | null
  fraud_status: FraudStatus
  policy_id: string | null
  reason: string | null
  auto_payment: Payment['autoPayment']
  created_time: Date
  state_time: Date
  size: number
}

/** The current payment of each row `m` that was found. What is fixed at creation comes from the row. */
const currentOf = (found: string, order: string): string =>
  `select m.payment_id, m.version < p.version as is_changed, p.state, m.flow, m.currency, p.amount_minor,
     p.captured_minor, p.refunded_minor, p.profile_id, p.method, left(i.card ->> 'brand', 40) as brand,
     left(i.card ->> 'last4', 4) as last4, m.customer_id, m.reference_id, m.order_id,
     left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2) as country, p.fraud_status, m.policy_id,
     case when p.failure is null then i.declined
       else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code') end as reason,
     p.auto_payment, m.created_time, p.state_time, p.size
   from (${found}) m
     cross join lateral (
       select p.version, p.state, p.amount_minor, p.captured_minor, p.refunded_minor, p.profile_id, p.method,
         p.pay_info, p.fraud_status, p.failure, p.auto_payment, p.state_time,
         1000 + 2 * pg_column_size(p.details) as size
       from payments p where p.app_id = $1 and p.payment_id = m.payment_id offset 0) p
     left join lateral json_to_record(p.pay_info) as i (card json, payer json, declined text) on true
   ${order}`

const LIST_ORDER = 'order by m.created_time desc, m.payment_id desc'

/** `$6` limit, `$7` and more: see residual-store.ts. */
const listText = (by: Driver['by'], isOne: boolean): string =>
  currentOf(`select s.* from (${rowsOf(by, isOne)}) s where ${RESIDUAL} ${ORDER} limit $6`, LIST_ORDER)

/** The row at `$6` of the walk, counted from 0: where the next statement goes on. */
const placeText = (by: Driver['by'], isOne: boolean): string =>
  rowsOf(by, isOne, 's.created_time, s.payment_id', 'offset $6 limit 1')

/** The row at `$6` of those that meet the conditions, counted from 0. */
const skipText = (by: Driver['by'], isOne: boolean): string =>
  `select s.created_time, s.payment_id from (${rowsOf(by, isOne)}) s where ${RESIDUAL}
   ${ORDER} offset $6 limit 1`

interface PlaceRow {
  created_time: Date
  payment_id: string
}

interface DriverStatements {
  readonly list: Statement<Row>
  readonly place: Statement<PlaceRow>
  readonly skip: Statement<PlaceRow>
}

function statementsOf(by: Driver['by'], isOne: boolean): DriverStatements {
  const name = `${by[0]?.toUpperCase()}${by.slice(1)}${isOne ? '' : 's'}`
  return {
    list: sql(`search.listBy${name}`, listText(by, isOne)),
    place: sql(`search.placeBy${name}`, placeText(by, isOne)),
    skip: sql(`search.skipBy${name}`, skipText(by, isOne)),
  }
}

const ONE = new Map([...INDEXED_FIELDS, 'time' as const].map((by) => [by, statementsOf(by, true)]))
const SEVERAL = new Map([...INDEXED_FIELDS, 'ids' as const].map((by) => [by, statementsOf(by, false)]))

function chosen({ by, values }: Driver): DriverStatements {
  const isOne = by === 'time' || (by !== 'ids' && values.length === 1)
  const statements = isOne ? ONE.get(by as Indexed) : SEVERAL.get(by as Indexed)
  if (!statements) throw new RangeError(`no statement for ${by}`)
  return statements
}

export interface Walk {
  readonly driver: Driver
  readonly below: Position
  readonly from: Date | undefined
}

const walkValues = (appId: string, { driver, below, from }: Walk): unknown[] => [
  ...[appId, below.time, below.paymentId, from ?? '-infinity'],
  driver.by === 'time' ? null : driver.values,
]

export type SizedPayment = ListedPayment & { readonly size: number; readonly isChanged: boolean }

/** The next rows of a walk that meet the other conditions too. */
export async function selectPayments(
  db: Queryable,
  appId: string,
  walk: Walk,
  { residual, limit }: { residual: Residual; limit: number },
): Promise<SizedPayment[]> {
  const values = [...walkValues(appId, walk), limit, ...residualValues(residual)]
  return (await db.query(chosen(walk.driver).list, values)).map(listedOf)
}

/** The place of a row of the walk, counted from 0. Undefined: there are fewer. */
export async function placeAt(
  db: Queryable,
  appId: string,
  walk: Walk,
  offset: number,
): Promise<Position | undefined> {
  const [row] = await db.query(chosen(walk.driver).place, [...walkValues(appId, walk), offset])
  return row && positionOf(row)
}

const positionOf = (row: PlaceRow): Position => ({
  time: row.created_time,
  paymentId: Number(row.payment_id),
})

/** The place of a row that meets the conditions. Undefined: one statement does not reach it. */
export async function placeOfMatch(
  db: Queryable,
  appId: string,
  walk: Walk,
  { residual, offset }: { residual: Residual; offset: number },
): Promise<Position | undefined> {
  const values = [...walkValues(appId, walk), offset, ...residualValues(residual)]
  const [row] = await db.query(chosen(walk.driver).skip, values)
  return row && positionOf(row)
}

const listedOf = (row: Row): SizedPayment => ({
  paymentId: Number(row.payment_id),
  state: row.state,
  flow: row.flow,
  currency: row.currency,
  amountMinor: BigInt(row.amount_minor),
  capturedMinor: BigInt(row.captured_minor),
  refundedMinor: BigInt(row.refunded_minor),
  profileId: row.profile_id === null ? null : Number(row.profile_id),
  method: row.method,
  brand: row.brand,
  last4: row.last4,
  customerId: row.customer_id,
  referenceId: row.reference_id,
  orderId: row.order_id,
  country: row.country,
  fraudStatus: row.fraud_status,
  policyId: row.policy_id === null ? null : Number(row.policy_id),
  reason: row.reason,
  autoPayment: row.auto_payment,
  createdTime: row.created_time,
  stateTime: row.state_time,
  size: row.size,
  isChanged: row.is_changed,
})

const HELD = sql<Row>(
  'search.held',
  currentOf(
    `select s.* from unnest(array['ProviderAuthorizedHold', 'CapturedHold']) v (state) cross join lateral (
       select ${S_COLUMNS} from payment_search s where s.app_id = $1 and s.state = v.state
         and (s.created_time, s.payment_id) > ($2::timestamptz, $3::bigint)
       order by s.created_time, s.payment_id limit $4) s
     order by s.created_time, s.payment_id limit $4`,
    `where p.state in ('ProviderAuthorizedHold', 'CapturedHold') order by m.created_time, m.payment_id`,
  ),
)

/** Held payments after a position, oldest first. */
export async function selectHeld(
  db: Queryable,
  appId: string,
  { above, limit }: { above: Position; limit: number },
): Promise<SizedPayment[]> {
  return (await db.query(HELD, [appId, above.time, above.paymentId, limit])).map(listedOf)
}

/** `$5` keeps the numbers of the parameters the same as in lists. */
const NEWER = sql<{ count: number }>(
  'search.newer',
  `select count(*)::integer as count from (
     select 1 from (
       select ${S_COLUMNS} from payment_search s where s.app_id = $1
         and (s.created_time, s.payment_id) > ($2::timestamptz, $3::bigint)
         and s.created_time < $4::timestamptz and $5::text[] is null
       order by s.created_time, s.payment_id limit ${SCANNED.several}) s
     where ${RESIDUAL} limit $6) n`,
)

/** How many rows above a position meet the conditions; only so many rows are looked at. */
export async function countAbove(
  db: Queryable,
  appId: string,
  {
    above,
    to,
    residual,
    limit,
  }: { above: Position; to: Date | undefined; residual: Residual; limit: number },
): Promise<number> {
  const values = [
    appId,
    above.time,
    above.paymentId,
    to ?? 'infinity',
    null,
    limit,
    ...residualValues(residual),
  ]
  return (await db.query(NEWER, values))[0]?.count ?? 0
}

import { type Queryable, type Statement, sql } from '../../db/database.ts'
import type { ListedPayment } from './filter.ts'
import { RESIDUAL, type Residual, residualValues } from './residual-store.ts'
import {
  type Driver,
  INDEXED_FIELDS,
  limited,
  MAX_SUMMED,
  orderOf,
  rowsOf,
  S_COLUMNS,
  SCANNED,
  summedRowsOf,
} from './rows-store.ts'

/** A place in a list from newest to oldest; a page begins after it. */
export interface Position {
  readonly time: Date
  readonly paymentId: number
}

/** The current payment of each row `m` that was found. What is fixed at creation comes from the row. */
export const currentOf = (found: string, order: string): string =>
  `select m.payment_id, m.version < p.version as is_changed, p.state, m.flow, m.currency, p.amount_minor,
     p.captured_minor, p.refunded_minor, p.profile_id, p.method, left(i.card ->> 'brand', 40) as brand,
     left(i.card ->> 'last4', 4) as last4, left(i.card ->> 'wallet', 20) as wallet, m.customer_id,
     m.reference_id, m.order_id,
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
  currentOf(
    `select s.* from (${rowsOf(by, isOne)}) s where ${RESIDUAL}
     ${orderOf(by, isOne)} limit $6`,
    LIST_ORDER,
  )

/** The row at `$6` of the scan, counted from 0: where the next statement goes on. */
const placeText = (by: Driver['by'], isOne: boolean): string =>
  rowsOf(by, isOne, 's.created_time as time, s.payment_id', 'offset $6 limit 1')

/** The row at `$6` of those that meet the conditions, counted from 0. */
const skipText = (by: Driver['by'], isOne: boolean): string =>
  `select s.created_time as time, s.payment_id from (${rowsOf(by, isOne)}) s where ${RESIDUAL}
   ${orderOf(by, isOne)} offset $6 limit 1`

export interface CurrencyTotal {
  readonly currency: string
  readonly count: number
  readonly amountMinor: bigint
}

export interface TotalRow extends CurrencyTotal {
  /** Rows of this currency that were read, also those that do not meet the conditions. */
  readonly read: number
}

/** `$6` keeps the numbers of the parameters the same as in lists. `offset 0`: each row is checked once. */
const totalsText = (by: Driver['by'], isOne: boolean): string =>
  `select s.currency, count(*)::integer as read, count(*) filter (where s.is_match)::integer as count,
     coalesce(sum(s.amount_minor) filter (where s.is_match), 0)::bigint as amount_minor
   from (select s.currency, s.amount_minor, ${RESIDUAL} as is_match
     from (${summedRowsOf(by, isOne)}) s where $6::bigint is null offset 0) s
   group by s.currency order by 3 desc, s.currency`

/** Fields whose rows lie on pages of their own: their indexes have what is summed. Decision 0203. */
const COVERED: readonly Driver['by'][] = ['customer', 'state', 'reason', 'policy']

/**
 * The same where nothing else is asked for: no row is checked. Where the index of the field does not have
 * what is summed, a column of no index is read: with those of another index alone, the planner would read
 * the whole of that one and sort it.
 */
function plainTotalsText(by: Driver['by'], isOne: boolean): string {
  const columns = ['s.currency', 's.amount_minor', ...(COVERED.includes(by) ? [] : ['s.version'])]
  const count = `count(${COVERED.includes(by) ? '*' : 's.version'})::integer`
  return `select s.currency, ${count} as read, ${count} as count,
     coalesce(sum(s.amount_minor), 0)::bigint as amount_minor
   from (${summedRowsOf(by, isOne, columns.join(', '))}) s
   group by s.currency order by 3 desc, s.currency`
}

interface DriverStatements {
  readonly list: Statement<SizedPayment>
  readonly place: Statement<Position>
  readonly skip: Statement<Position>
  readonly totals: Statement<TotalRow>
  readonly plainTotals: Statement<TotalRow>
}

function statementsOf(by: Driver['by'], isOne: boolean): DriverStatements {
  const name = nameOf(by, isOne)
  return {
    list: sql(`search.listBy${name}`, listText(by, isOne)),
    place: sql(`search.placeBy${name}`, placeText(by, isOne)),
    skip: sql(`search.skipBy${name}`, skipText(by, isOne)),
    totals: sql(`search.totalsBy${name}`, totalsText(by, isOne)),
    plainTotals: sql(`search.plainTotalsBy${name}`, plainTotalsText(by, isOne)),
  }
}

/** A statement for each scan of one value and of several, made at the first use of this module. */
export function byDriver<S>(make: (by: Driver['by'], isOne: boolean) => S): (driver: Driver) => S {
  const one = new Map<Driver['by'], S>([...INDEXED_FIELDS, 'time' as const].map((by) => [by, make(by, true)]))
  const several = new Map<Driver['by'], S>(
    [...INDEXED_FIELDS, 'ids' as const].map((by) => [by, make(by, false)]),
  )
  return ({ by, values }) => {
    const isOne = by === 'time' || (by !== 'ids' && values.length === 1)
    const made = (isOne ? one : several).get(by)
    if (!made) throw new RangeError(`no statement for ${by}`)
    return made
  }
}

/** `Customer`, `Customers`: the end of a statement's name. */
export const nameOf = (by: Driver['by'], isOne: boolean): string =>
  `${by[0]?.toUpperCase()}${by.slice(1)}${isOne ? '' : 's'}`

const chosen = byDriver(statementsOf)

export interface Scan {
  readonly driver: Driver
  readonly below: Position
  readonly from: Date | undefined
}

export const scanValues = (appId: string, { driver, below, from }: Scan): unknown[] => [
  ...[appId, below.time, below.paymentId, from ?? '-infinity'],
  driver.by === 'time' ? null : driver.values,
]

export type SizedPayment = ListedPayment & { readonly size: number; readonly isChanged: boolean }

/** The next rows of a scan that meet the other conditions too. */
export async function selectPayments(
  db: Queryable,
  appId: string,
  walk: Scan,
  { residual, limit }: { residual: Residual; limit: number },
): Promise<SizedPayment[]> {
  const values = [...scanValues(appId, walk), limit, ...residualValues(residual)]
  return await db.query(chosen(walk.driver).list, values)
}

/** The place of a row of the scan, counted from 0. Undefined: there are fewer. */
export async function placeAt(
  db: Queryable,
  appId: string,
  walk: Scan,
  offset: number,
): Promise<Position | undefined> {
  return (await db.query(chosen(walk.driver).place, [...scanValues(appId, walk), offset]))[0]
}

/** The place of a row that meets the conditions. Undefined: one statement does not reach it. */
export async function placeOfMatch(
  db: Queryable,
  appId: string,
  walk: Scan,
  { residual, offset }: { residual: Residual; offset: number },
): Promise<Position | undefined> {
  const values = [...scanValues(appId, walk), offset, ...residualValues(residual)]
  return (await db.query(chosen(walk.driver).skip, values))[0]
}

export interface Sums {
  /** By currency, the most frequent first. */
  readonly totals: readonly CurrencyTotal[]
  /** More rows would have to be read than are summed. */
  readonly isPartial: boolean
}

/** What rows by currency sum up to. */
export const sumsOf = (rows: readonly TotalRow[]): Sums => ({
  totals: rows.filter(({ count }) => count > 0).map(({ read: _, ...total }) => total),
  isPartial: rows.reduce((sum, { read }) => sum + read, 0) > MAX_SUMMED,
})

/** `residual` is undefined where the scan alone finds what is meant. */
export async function sumPayments(
  db: Queryable,
  appId: string,
  walk: Scan,
  residual: Residual | undefined,
): Promise<Sums> {
  const { totals, plainTotals } = chosen(walk.driver)
  const values = scanValues(appId, walk)
  const rows = residual
    ? await db.query(totals, [...values, null, ...residualValues(residual)])
    : await db.query(plainTotals, values)
  return sumsOf(rows)
}

const COUNTED = sql<{ state: string; count: number }>(
  'search.countStates',
  `select v.state, (select count(*)::integer from (
     select from payment_search s where s.app_id = $1 and s.state >= v.state and s.state <= v.state
     limit $3) n) as count
   from unnest($2::text[]) v (state)`,
)

/** How many payments are in each of these states, at most so many. */
export async function countStates(
  db: Queryable,
  appId: string,
  states: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query(COUNTED, [appId, states, most])
  return new Map(rows.map(({ state, count }) => [state, count]))
}

const HELD = sql<SizedPayment>(
  'search.held',
  currentOf(
    `select s.* from unnest(array['ProviderAuthorizedHold', 'CapturedHold']) v (state) cross join lateral (
       select ${S_COLUMNS} from payment_search s where s.app_id = $1 and s.state <= v.state
         and (s.state, s.created_time, s.payment_id) > (v.state, $2::timestamptz, $3::bigint)
         and s.created_time >= $5::timestamptz and s.created_time < $6::timestamptz
         and ($7::text is null or $7 = (select a.person_id from assignments a
           where a.app_id = $1 and a.subject = 'payment:' || s.payment_id))
       order by s.state, s.created_time, s.payment_id limit $4) s
     order by s.created_time, s.payment_id limit $4`,
    `where p.state in ('ProviderAuthorizedHold', 'CapturedHold') order by m.created_time, m.payment_id`,
  ),
)

export interface HeldFilter {
  /** Created from this time on, before that. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** The person who takes care of them. */
  readonly assignedTo?: string | undefined
}

interface HeldPlace extends HeldFilter {
  readonly above: Position
  readonly limit: number
}

/** Held payments after a position, oldest first. */
export async function selectHeld(
  db: Queryable,
  appId: string,
  { above, limit, from, to, assignedTo }: HeldPlace,
): Promise<SizedPayment[]> {
  return await db.query(HELD, [
    ...[appId, above.time, above.paymentId, limit],
    ...[from ?? '-infinity', to ?? 'infinity', assignedTo ?? null],
  ])
}

/** `$5` keeps the numbers of the parameters the same as in lists. */
const NEWER = sql<{ count: number }>(
  'search.newer',
  `select count(*)::integer as count from (
     select 1 from (
       select ${S_COLUMNS} from payment_search s where s.app_id = $1
         and (s.created_time, s.payment_id) > ($2::timestamptz, $3::bigint)
         and s.created_time < $4::timestamptz and $5::text[] is null
       order by s.created_time, s.payment_id ${limited(SCANNED.several)}) s
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

import { type Queryable, sql } from '../db/database.ts'

/** What fees can be added up by. */
export const FEES_BY = ['provider', 'method', 'country', 'month'] as const
type FeesBy = (typeof FEES_BY)[number]

export interface FeesQuery {
  readonly by: FeesBy
  /** Booking days, both included. */
  readonly from: string
  readonly to: string
}

const BEGIN = sql<never>(
  'ledgerFees.begin',
  'insert into ledger_fee_progress (app_id, entry_id) values ($1, 0) on conflict do nothing',
)

interface FeeProgress {
  readonly entryId: number
  readonly lastEntryId: number
}

/** Numbers of entries have no gaps, and a lower one is committed before a higher one. */
const LOCK = sql<FeeProgress>(
  'ledgerFees.lock',
  `select p.entry_id, coalesce(
     (select max(e.entry_id) from ledger_entries e where e.app_id = p.app_id), 0) as last_entry_id
   from ledger_fee_progress p where p.app_id = $1 for update`,
)

/** In the currency of the balance: what was converted arrived there as its net amount and the fee. */
const IS_CONVERTED = `l.net_minor is not null and l.settlement_currency <> l.currency`

/**
 * The entries after `$2` up to `$3`. A line is counted for the payment that it is matched with; when that is
 * found later, by an entry of its own, the line moves there on the day on which it was booked. Postings are
 * read as one range; only those of entries of before are looked up.
 */
const COUNT = sql<never>(
  'ledgerFees.count',
  `with entries as materialized (
     select e.entry_id, e.kind, e.booking_day, e.line_id, e.payment_id from ledger_entries e
     where e.app_id = $1 and e.entry_id > $2 and e.entry_id <= $3
       and e.kind in ('line', 'unknown-line', 'match')
   ), counted as materialized (
     select e.entry_id, e.booking_day, e.line_id, e.payment_id, 1 as sign from entries e
     where e.kind <> 'match'
     union all
     select o.entry_id, o.booking_day, o.line_id, m.payment_id, m.sign
     from entries e
       cross join lateral (
         select * from ledger_entries
         where app_id = $1 and line_id = e.line_id and kind = 'unknown-line' offset 0) o
       cross join lateral (values (o.payment_id, -1), (e.payment_id, 1)) m (payment_id, sign)
     where e.kind = 'match'
   ), fees as materialized (
     select q.entry_id, q.currency, q.amount_minor from ledger_postings q
     where q.app_id = $1 and q.entry_id > $2 and q.entry_id <= $3 and q.account = 'fees'
     union all
     select q.entry_id, q.currency, q.amount_minor
     from (select distinct entry_id from counted where entry_id <= $2) o cross join lateral (
       select * from ledger_postings where app_id = $1 and entry_id = o.entry_id offset 0) q
     where q.account = 'fees'
   ), facts as materialized (
     select c.entry_id, c.sign, c.booking_day, l.profile_id, coalesce(p.method, '') as method,
       coalesce(p.country, '') as country,
       case when ${IS_CONVERTED} then l.settlement_currency else l.currency end as currency,
       case when l.kind <> 'sale' then null when ${IS_CONVERTED} then l.net_minor + coalesce(l.fee_minor, 0)
         else l.gross_minor end as gross_minor
     from counted c
       cross join lateral (
         select * from settlement_lines where app_id = $1 and line_id = c.line_id offset 0) l
       left join lateral (
         select p.method, left(coalesce(p.pay_info -> 'payer' ->> 'country',
           p.pay_info -> 'card' ->> 'country'), 2) as country
         from payments p where p.app_id = $1 and p.payment_id = c.payment_id offset 0) p on true
   ), amounts as (
     select f.booking_day, f.profile_id, f.method, f.country, q.currency,
       f.sign * q.amount_minor as fee_minor, 0 as gross_minor
     from facts f join fees q on q.entry_id = f.entry_id
     union all
     select f.booking_day, f.profile_id, f.method, f.country, f.currency, 0, f.sign * f.gross_minor
     from facts f where f.gross_minor is not null
   )
   insert into ledger_fees as f (app_id, booking_day, profile_id, method, country, currency, fee_minor,
     gross_minor)
   select $1, a.booking_day, a.profile_id, a.method, a.country, a.currency, sum(a.fee_minor),
     sum(a.gross_minor)
   from amounts a
   group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
   on conflict (app_id, booking_day, profile_id, method, country, currency) do update
   set fee_minor = f.fee_minor + excluded.fee_minor, gross_minor = f.gross_minor + excluded.gross_minor`,
)

const SAVE = sql<never>('ledgerFees.save', 'update ledger_fee_progress set entry_id = $2 where app_id = $1')

/** Counts the next entries. Returns whether there are more. */
export async function countEntries(tx: Queryable, appId: string, limit: number): Promise<boolean> {
  await tx.query(BEGIN, [appId])
  const [progress] = await tx.query(LOCK, [appId])
  if (!progress || progress.entryId >= progress.lastEntryId) return false
  const until = Math.min(progress.entryId + limit, progress.lastEntryId)
  await tx.query(COUNT, [appId, progress.entryId, until])
  await tx.query(SAVE, [appId, until])
  return until < progress.lastEntryId
}

export interface FeeSum {
  /** The id of the profile, the method, the country or the month; '': unknown. */
  readonly name: string
  readonly currency: string
  readonly feeMinor: bigint
  readonly grossMinor: bigint
}

const sumsBy = (by: FeesBy, name: string, order: string) =>
  sql<FeeSum>(
    `ledgerFees.by.${by}`,
    `select ${name} as name, currency, sum(fee_minor)::bigint as fee_minor,
       sum(gross_minor)::bigint as gross_minor
     from ledger_fees where app_id = $1 and booking_day >= $2::date and booking_day <= $3::date
     group by 1, 2 having sum(fee_minor) <> 0 or sum(gross_minor) <> 0 order by ${order}`,
  )

const SUMS = {
  provider: sumsBy('provider', 'profile_id::text', '3 desc, 1, 2'),
  method: sumsBy('method', 'method', '3 desc, 1, 2'),
  country: sumsBy('country', 'country', '3 desc, 1, 2'),
  month: sumsBy('month', `to_char(booking_day, 'YYYY-MM')`, '1, 2'),
} as const

export const selectFees = (db: Queryable, appId: string, { by, from, to }: FeesQuery): Promise<FeeSum[]> =>
  db.query(SUMS[by], [appId, from, to])

import { type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff } from '../../db/fair-claim.ts'
import { SETTLEMENTS } from '../limits.ts'
import type { ProfileKey } from './reports.ts'

export interface Match {
  readonly lineId: number
  readonly paymentId: number
}

/**
 * Exact or not at all. The first id of the line that names one payment decides, then our reference: the key
 * of an operation at this profile, then the merchant's own reference. An id that names several payments, such
 * as that of a customer, names none.
 *
 * Makes `found` from the lines `l`, with all of their columns, and stores it. `$1` is the app, `$2` the
 * profile.
 */
export const MATCHING = `by_id as materialized (
     select distinct on (l.line_id) l.*, k.payment_id, k.attempt, k.refund_id
     from l cross join lateral unnest(l.provider_ids) with ordinality i (id, place)
       cross join lateral (
         select min(payment_id) as payment_id, min(attempt) as attempt, min(refund_id) as refund_id
         from settlement_keys where app_id = $1 and profile_id = $2 and key = i.id
         having min(payment_id) = max(payment_id)) k
     order by l.line_id, i.place
   ), rest as materialized (
     select * from l where l.reference is not null and l.line_id not in (select line_id from by_id)
   ), by_key as materialized (
     select r.*, o.payment_id, o.attempt, case when o.step = 'refund' then r.reference end as refund_id
     from rest r cross join lateral (
       select payment_id, attempt, step from operations
       where app_id = $1 and operation_key = r.reference and profile_id = $2 offset 0) o
   ), by_reference as (
     select r.*, p.payment_id, p.attempt, null as refund_id
     from rest r cross join lateral (
       select payment_id, attempt from payments
       where app_id = $1 and reference_id = r.reference and profile_id = $2 offset 0) p
     where r.line_id not in (select line_id from by_key)
   ), found as materialized (
     select * from by_id union all select * from by_key union all select * from by_reference
   ), matched as (
     insert into settlement_matches as m (app_id, line_id, payment_id, match, attempt, refund_id)
     select $1, line_id, payment_id, 'exact', attempt, refund_id from found order by line_id
     on conflict (app_id, line_id) do update set payment_id = excluded.payment_id, match = 'exact',
       attempt = excluded.attempt, refund_id = excluded.refund_id
     where m.match = 'suggested'
     returning line_id, payment_id
   )`

const MATCH = sql<Match>(
  'settlements.match',
  `with l as materialized (
     select l.line_id, l.provider_ids, l.reference
     from unnest($3::bigint[]) k (id) cross join lateral (
       select line_id, provider_ids, reference from settlement_lines
       where app_id = $1 and line_id = k.id offset 0) l
   ), ${MATCHING}
   select line_id, payment_id from matched`,
)

/** Matches lines of one profile. Returns those that have a payment now. */
export const matchLines = (
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  lineIds: readonly number[],
): Promise<Match[]> => tx.query(MATCH, [appId, profileId, lineIds])

const { suggestedOf, suggestedMs } = SETTLEMENTS

/** Amounts are looked up among a bounded number of payments, the newest first. */
const SUGGEST = sql<Match>(
  'settlements.suggest',
  `insert into settlement_matches (app_id, line_id, payment_id, match)
   select $1, l.line_id, c.payment_id, 'suggested'
   from unnest($3::bigint[], $4::numeric[]) k (id, amount)
     cross join lateral (
       select line_id, currency, line_time from settlement_lines
       where app_id = $1 and line_id = k.id and kind = 'sale' offset 0) l
     cross join lateral (
       select min(s.payment_id) as payment_id from (
         select * from payment_search s where s.app_id = $1 and s.amount = k.amount
         order by s.payment_id desc limit ${suggestedOf}) s
       where s.profile_id = $2 and s.currency = l.currency
         and s.created_time between l.line_time - ${suggestedMs} * interval '1 millisecond' and l.line_time
         and not exists (select from settlement_matches m
           where m.app_id = $1 and m.payment_id = s.payment_id and m.match = 'exact')
       having count(*) = 1) c
   on conflict (app_id, line_id) do nothing
   returning line_id, payment_id`,
)

export interface UnmatchedSale {
  readonly lineId: number
  /** In major units. */
  readonly amount: string
}

/** The only unsettled payment of the amount and the days before the line: shown, and never counted. */
export async function suggestMatches(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  sales: readonly UnmatchedSale[],
): Promise<void> {
  if (sales.length === 0) return
  const values = [sales.map(({ lineId }) => lineId), sales.map(({ amount }) => amount)]
  await tx.query(SUGGEST, [appId, profileId, ...values])
}

const AWAIT = sql<never>(
  'settlements.await',
  `insert into settlement_waiting (app_id, profile_id, line_id, due_time)
   select $1, $2, k.id, $4 from unnest($3::bigint[]) k (id) on conflict do nothing`,
)

/** Lines that may be reported before Tender knows of the payment are matched again. */
export async function awaitPayments(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  lineIds: readonly number[],
  due: Date,
): Promise<void> {
  if (lineIds.length > 0) await tx.query(AWAIT, [appId, profileId, lineIds, due])
}

export const waitingDue: Due = (now) =>
  `settlement_progress g join apps a using (app_id) where exists (
     select from settlement_waiting w where w.app_id = g.app_id
       and w.due_time <= ${now} + a.clock_offset_ms * interval '1 millisecond')`

const APPS = sql<{ appId: string }>(
  'settlements.appsWithWaiting',
  `select g.app_id from ${waitingDue('$1::timestamptz')}`,
)

export const appsWithWaiting = (db: Queryable, now: Date): Promise<{ appId: string }[]> =>
  db.query(APPS, [now])

const pauses = { firstMs: SETTLEMENTS.matchPauseMs, longestMs: SETTLEMENTS.matchLongestPauseMs }

/** One profile at a time, so that its lines are one batch. */
const CLAIM = sql<WaitingLine>(
  'settlements.claimWaiting',
  `with due as (
     select w.line_id from settlement_waiting w
     where w.app_id = $1 and w.due_time <= $2 and w.profile_id = (
       select profile_id from settlement_waiting
       where app_id = $1 and due_time <= $2 order by due_time limit 1)
     order by w.due_time limit $3 for update of w skip locked
   )
   update settlement_waiting w set tries = w.tries + 1, due_time = ${backOff('$2', 'w.tries', pauses)}
   from due d where w.app_id = $1 and w.line_id = d.line_id
   returning w.profile_id, w.line_id, w.tries`,
)

export interface WaitingLine {
  readonly profileId: number
  readonly lineId: number
  /** This one included. */
  readonly tries: number
}

/** `now` is the app's time. */
export const claimWaiting = (
  tx: Queryable,
  appId: string,
  now: Date,
  limit: number,
): Promise<WaitingLine[]> => tx.query(CLAIM, [appId, now, limit])

const RELEASE = sql<never>(
  'settlements.release',
  'delete from settlement_waiting where app_id = $1 and line_id = any ($2::bigint[])',
)

export async function releaseLines(tx: Queryable, appId: string, lineIds: readonly number[]): Promise<void> {
  if (lineIds.length > 0) await tx.query(RELEASE, [appId, lineIds])
}

const PAYMENTS_OF = sql<{ paymentId: number }>(
  'settlements.paymentsOfLines',
  `select distinct payment_id from settlement_matches
   where app_id = $1 and line_id = any ($2::bigint[]) and match = 'exact'`,
)

export const paymentsOfLines = async (
  tx: Queryable,
  appId: string,
  lineIds: readonly number[],
): Promise<number[]> => (await tx.query(PAYMENTS_OF, [appId, lineIds])).map(({ paymentId }) => paymentId)
